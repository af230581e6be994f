// Ajv validators of the values in a body: one a group, made when it is first needed. Presence (required, unset, not
// allowed) is a matter of `request/body.ts`; here is only what a value must be where there is one.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Field, Resource, Scalar } from '../registry/model.ts';
import { decimalFault, wideOrNumberToText } from '../values/decimal.ts';
import { isUuid } from '../values/format.ts';
import { WideNumber } from '../values/json.ts';
import { addFormats } from './formats.ts';
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

/** A fault of a value: where it stands in the body, and what the value must be. */
export interface ValueFault {
  /** Steps from the body: `['lines', '0', 'amount']`. */
  readonly path: readonly string[];
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

interface KeywordCheck {
  (scalar: Scalar, data: unknown): boolean;
  errors?: Partial<ErrorObject>[];
}
const numeric: KeywordCheck = (scalar, data) => {
  const words = checkNumber(scalar, data);
  numeric.errors = words === undefined ? [] : [{ keyword: 'numeric', message: words, params: {} }];
  return words === undefined;
};
ajv.addKeyword({ keyword: 'numeric', validate: numeric, errors: true });

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
      return scalar.format === undefined
        ? { type: 'string', maxLength: scalar.maxLength, scalar }
        : { type: 'string', maxLength: scalar.maxLength, format: scalar.format, scalar };
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
      return objectSchema(field.fields);
    case 'objects':
      return { type: 'array', minItems: field.minItems, maxItems: field.maxItems, items: objectSchema(field.fields) };
    default:
      return scalarSchema(field);
  }
}

const objectSchema = (fields: readonly Field[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field)])),
});

const compiled = new WeakMap<Resource, ValidateFunction>();

/** Faults of the values of a body, whose unset and unknown fields have been taken out. At most one for each place and text. */
export function valueFaults(resource: Resource, body: object): ValueFault[] {
  let validate = compiled.get(resource);
  if (validate === undefined) {
    validate = ajv.compile(objectSchema(resource.fields));
    compiled.set(resource, validate);
  }
  if (validate(body)) return [];
  const errors = validate.errors ?? [];
  const faults = errors
    .filter((error) => !isSaidBy(error, errors))
    .map((error) => ({
      path: error.instancePath.split('/').slice(1),
      words: wordsOf(error),
    }));
  const seen = new Set<string>();
  return faults.filter(({ path, words }) => {
    const key = `${path.join('/')} ${words}`;
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}

/** A text that is too long for its format is one fault: a code of fixed length has another form, any other is too long. */
function isSaidBy({ instancePath, keyword, parentSchema }: ErrorObject, errors: readonly ErrorObject[]): boolean {
  if (keyword !== 'maxLength' && keyword !== 'format') return false;
  const isCode = parentSchema?.['format'] === 'currency' || parentSchema?.['format'] === 'time';
  const other = isCode ? 'format' : 'maxLength';
  return keyword !== other && errors.some((error) => error.instancePath === instancePath && error.keyword === other);
}

/** The rule that an error of Ajv stands for. */
function wordsOf(error: ErrorObject): string {
  const schema = error.parentSchema as { scalar?: Scalar; minItems?: number; maxItems?: number } | undefined;
  const scalar = schema?.scalar;
  const { minItems = 0, maxItems = 1000 } = schema ?? {};
  switch (error.keyword) {
    case 'numeric':
      return error.message ?? 'a number';
    case 'type':
      return scalar === undefined ? `an ${String(error.params['type'])}` : typeWords(scalar);
    case 'enum':
      return enumWords(error.params['allowedValues'] as string[]);
    case 'maxLength':
      return lengthWords(Number(error.params['limit']));
    case 'minItems':
      return fewItemsWords(minItems, maxItems);
    case 'maxItems':
      return itemsWords(minItems, maxItems);
    case 'uniqueItems':
      return distinctWords;
    case 'format': {
      if (scalar?.kind === 'text' && scalar.format !== undefined) return formatWords[scalar.format];
      return scalar?.kind === 'date' ? dateWords : uuidWords;
    }
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
