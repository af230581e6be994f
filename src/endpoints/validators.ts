// Ajv validators of the values in a body: one a group, made when it is first needed. Presence (required, unset, not
// allowed) is a matter of `request/body.ts`; here is only what a value must be where there is one.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Field, Scalar } from '../registry/model.ts';
import { decimalFault, wideOrNumberToText } from '../values/decimal.ts';
import { codePoints, isUuid } from '../values/format.ts';
import { WideNumber } from '../values/json.ts';
import { addFormats, formats } from './formats.ts';
import {
  dateWords,
  distinctWords,
  enumWords,
  fewItemsWords,
  formatWords,
  itemsWords,
  lengthWords,
  typeWords,
  uuidWords,
} from './words.ts';

/** A fault of a value: where it stands, and what the value must be. */
export interface ValueFault {
  readonly key: string;
  /** Place of an item of a list of plain values; undefined for the value itself. */
  readonly item: number | undefined;
  readonly words: string;
}

type Schema = Record<string, unknown>;

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

/** Numbers by their digits, as the body had them: `multipleOf` rejects 2,663 of the 10,001 four-digit fractions from 0 to 1. */
function checkNumber(scalar: Scalar, data: unknown): string | undefined {
  if (typeof data !== 'number' && !(data instanceof WideNumber)) return typeWords(scalar);
  if (scalar.kind === 'decimal') return decimalFault(data, scalar);
  if (scalar.kind !== 'integer') return undefined;
  const bounds = `from ${scalar.minimum} to ${scalar.maximum}`;
  if (data instanceof WideNumber) return /^-?\d+(?:[eE]\+?\d+)?$/.test(data.text) ? bounds : typeWords(scalar);
  if (!Number.isInteger(data)) return typeWords(scalar);
  return data < scalar.minimum || data > scalar.maximum ? bounds : undefined;
}

/** A text that does not fit is one fault: a code of fixed length has another form, any other is too long before all else. */
function checkText(scalar: Scalar, data: unknown): string | undefined {
  if (scalar.kind !== 'text' || typeof data !== 'string') return undefined;
  const { format, maxLength } = scalar;
  const isCode = format === 'currency' || format === 'time';
  if (!isCode && data.length > maxLength && codePoints(data) > maxLength) return lengthWords(maxLength);
  return format === undefined || formats[format](data) ? undefined : formatWords[format];
}

interface KeywordCheck {
  (scalar: Scalar, data: unknown): boolean;
  errors?: Partial<ErrorObject>[];
}

/** A keyword that says itself what a value must be. */
function addKeyword(keyword: string, wordsFor: (scalar: Scalar, data: unknown) => string | undefined): void {
  const validate: KeywordCheck = (scalar, data) => {
    const words = wordsFor(scalar, data);
    validate.errors = words === undefined ? [] : [{ keyword, message: words, params: {} }];
    return words === undefined;
  };
  ajv.addKeyword({ keyword, validate, errors: true });
}
addKeyword('numeric', checkNumber);
addKeyword('text', checkText);

// Ajv compares items pairwise unless it knows their type, and UUIDs in either case are one value.
ajv.removeKeyword('uniqueItems');
ajv.addKeyword({
  keyword: 'uniqueItems',
  type: 'array',
  validate: (_wanted: boolean, items: unknown[]) =>
    new Set(items.map((item) => (typeof item === 'string' && isUuid(item) ? item.toLowerCase() : item))).size ===
    items.length,
});

function scalarSchema(scalar: Scalar): Schema {
  switch (scalar.kind) {
    case 'text':
      return { type: 'string', text: scalar, scalar };
    case 'enum':
      return { enum: [...scalar.values], scalar };
    case 'uuid':
      return { type: 'string', format: 'uuid', scalar };
    case 'date':
      return { type: 'string', format: 'date', scalar };
    case 'dateTime':
      return { type: 'string', scalar };
    case 'boolean':
      return { type: 'boolean', scalar };
    case 'integer':
    case 'decimal':
      return { numeric: scalar };
  }
}

const uuid: Scalar = { kind: 'uuid' };

function fieldSchema(field: Field): Schema {
  switch (field.kind) {
    case 'reference':
    case 'choice':
      return scalarSchema(uuid);
    case 'references':
      return { type: 'array', minItems: 0, maxItems: field.maxItems, uniqueItems: true, items: scalarSchema(uuid) };
    case 'list': {
      const isNumbers = field.item.kind === 'decimal' || field.item.kind === 'integer';
      const distinct = isNumbers ? {} : { uniqueItems: true };
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
    default:
      return scalarSchema(field);
  }
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
    return { key, item: item === undefined ? undefined : Number(item), words: wordsOf(error) };
  });
}

/** The rule that an error of Ajv stands for. */
function wordsOf(error: ErrorObject): string {
  const schema = error.parentSchema as { scalar?: Scalar; minItems?: number; maxItems?: number } | undefined;
  const scalar = schema?.scalar;
  const { minItems = 0, maxItems = 1000 } = schema ?? {};
  switch (error.keyword) {
    case 'numeric':
    case 'text':
      return error.message ?? '';
    case 'type':
      return scalar === undefined ? `an ${String(error.params['type'])}` : typeWords(scalar);
    case 'enum':
      return enumWords(error.params['allowedValues'] as string[]);
    case 'minItems':
      return fewItemsWords(minItems, maxItems);
    case 'maxItems':
      return itemsWords(minItems, maxItems);
    case 'uniqueItems':
      return distinctWords;
    case 'format':
      return scalar?.kind === 'date' ? dateWords : uuidWords;
    default:
      throw new Error(`no words for the keyword ${error.keyword}`);
  }
}

/** A value that has been found sound, as the engine holds it: decimals as text, ids in lower case. */
export function toEngine(scalar: Scalar, data: unknown): string | number | boolean {
  if (scalar.kind === 'decimal') return wideOrNumberToText(data as number | WideNumber);
  if (scalar.kind === 'integer') return data instanceof WideNumber ? Number(data.text) : (data as number);
  if (scalar.kind === 'uuid') return String(data).toLowerCase();
  return data as string | boolean;
}
