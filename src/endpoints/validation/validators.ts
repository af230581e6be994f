// Ajv validators of field values, one a group, compiled when first needed. Presence (required, unset, not allowed) is
// checked in `request/body.ts`; here only values that are there.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FieldCode } from '../../problems/codes.ts';
import { kinds } from '../../registry/model/kinds.ts';
import type { Field, Scalar } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import { hasInvisible, isUuid } from '../../values/format.ts';
import { addFormats } from '../values/formats.ts';
import { rowOf, uuid } from '../values/kinds.ts';
import type { Schema } from '../values/schema.ts';
import { distinctWords, fewItemsWords, invisibleWords, itemsWords } from '../values/words.ts';

/** A fault of a value: where it stands, and what the value must be. */
export interface ValueFault {
  readonly key: string;
  /** Place of an item of a list of plain values; undefined for the value itself. */
  readonly item: number | undefined;
  readonly words: string;
  readonly code: FieldCode;
}

// One instance for all groups: keywords and formats are registered once, and compiling costs a third.
const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  ownProperties: true,
  validateSchema: false,
  verbose: true,
  code: { optimize: false },
});
addFormats(ajv);

interface FaultCheck {
  (faultOf: (data: unknown) => string | undefined, data: unknown): boolean;
  errors?: Partial<ErrorObject>[];
}

/** A keyword that says itself what a value must be; it is asked even where "type" has found fault. */
const checkFault: FaultCheck = (faultOf, data) => {
  const words = faultOf(data);
  checkFault.errors = words === undefined ? [] : [{ keyword: 'fault', message: words, params: {} }];
  return words === undefined;
};
ajv.addKeyword({ keyword: 'fault', validate: checkFault, errors: true });

// Ajv compares items pairwise unless it knows their type, and UUIDs in either case are one value.
ajv.removeKeyword('uniqueItems');
ajv.addKeyword({
  keyword: 'uniqueItems',
  type: 'array',
  validate: (_wanted: boolean, items: unknown[]) =>
    new Set(items.map((item) => (typeof item === 'string' && isUuid(item) ? item.toLowerCase() : item))).size ===
    items.length,
});

/** What a plain value must be, and its kind for the words of what is wrong. */
const scalarSchema = (scalar: Scalar): Schema => ({ ...rowOf(scalar).check(scalar), scalar });

function fieldSchema(field: Field): Schema {
  switch (field.kind) {
    case 'reference':
    case 'choice':
      return scalarSchema(uuid);
    case 'references':
      return { type: 'array', minItems: 0, maxItems: field.maxItems, uniqueItems: true, items: scalarSchema(uuid) };
    case 'list': {
      const distinct = kinds[field.item.kind].isNumber ? {} : { uniqueItems: true };
      return {
        type: 'array',
        minItems: field.minItems,
        maxItems: field.maxItems,
        ...distinct,
        items: scalarSchema(field.item),
      };
    }
    case 'object':
      return { type: 'object' };
    case 'objects':
      return { type: 'array', minItems: field.minItems, maxItems: field.maxItems };
    case 'text':
      return field.isOfKey ? keySchema(field) : scalarSchema(field);
    default:
      return scalarSchema(field);
  }
}

/** Records are told apart by it, so that it must not look like another one. */
function keySchema(field: Extract<Field, { readonly kind: 'text' }>): Schema {
  const schema = scalarSchema(field);
  const { fault } = schema as { readonly fault: (data: unknown) => string | undefined };
  const isHidden = (data: unknown): boolean => typeof data === 'string' && hasInvisible(data);
  return { ...schema, fault: (data: unknown) => fault(data) ?? (isHidden(data) ? invisibleWords : undefined) };
}

const compiled = new WeakMap<readonly Field[], ValidateFunction>();

/**
 * Faults of the values of a record, an object or an item, whose unset and unknown fields have been taken out. What stands
 * in an object or an item of a list is asked for by itself, so that whoever has seen enough faults can stop.
 */
export function valueFaults(fields: readonly Field[], values: object): ValueFault[] {
  let validate = compiled.get(fields);
  if (validate === undefined) {
    validate = ajv.compile({ properties: Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field)])) });
    compiled.set(fields, validate);
  }
  if (validate(values)) return [];
  return (validate.errors ?? []).map((error) => {
    const [, key = '', item] = error.instancePath.split('/');
    return {
      key,
      item: item === undefined ? undefined : Number(item),
      words: wordsOf(error),
      code: toFieldCode(error),
    };
  });
}

const toFieldCode = ({ keyword }: ErrorObject): FieldCode =>
  keyword === 'minItems' || keyword === 'maxItems' || keyword === 'uniqueItems' ? 'invalid-items' : 'invalid-value';

/** The rule that an error of Ajv stands for. */
function wordsOf(error: ErrorObject): string {
  const schema = error.parentSchema as { scalar?: Scalar; minItems?: number; maxItems?: number } | undefined;
  const scalar = schema?.scalar;
  const { minItems = 0, maxItems = 1000 } = schema ?? {};
  switch (error.keyword) {
    case 'fault':
      return error.message ?? '';
    case 'type':
    case 'enum':
    case 'format':
      return scalar === undefined ? `an ${String(error.params['type'])}` : rowOf(scalar).words(scalar);
    case 'minItems':
      return fewItemsWords(minItems, maxItems);
    case 'maxItems':
      return itemsWords(minItems, maxItems);
    case 'uniqueItems':
      return distinctWords;
    default:
      unreachable(`no words for the keyword ${error.keyword}`);
  }
}
