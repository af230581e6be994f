// Kinds of fields: one row each, for all that reads descriptors. What values look like in JSON is in
// `endpoints/values/kinds.ts`, how they are stored in `storage`.

import type { PlainType } from '../../formulas/language/tree.ts';
import { bool, date, number, text } from '../../formulas/language/types.ts';
import { didYouMean } from '../../text/nearest.ts';
import { patternFault } from '../../text/pattern.ts';
import { isDate, isMoment, toMoment } from '../../values/date.ts';
import { isUuid } from '../../values/format.ts';
import type { JsonValue } from '../../values/json.ts';
import { jsonFault, jsonText } from '../../values/json-text.ts';
import { matches } from '../../values/pattern.ts';
import type { Kind } from './kind-name.ts';
import type { Field, FilterFamily, Scalar, ScalarKind, ScalarOf, Value } from './model.ts';
import { boundsFault, digitsFault, digitsOf, greatestOf, leastOf, plainDecimal } from './numbers.ts';
import { isCode, textFormatOf, textFormats } from './text-formats.ts';
import { type Format, type Home, type RawField, type Shape, shapeOf, shapeWords } from './vocabulary.ts';

/** What a column takes of a row. */
export interface Size {
  readonly bytes: number;
  /** Whether InnoDB can move it out of the row's page. */
  readonly isLong: boolean;
}

/** What is known of every kind. */
export interface KindRow {
  readonly shape: Shape;
  /** In the words of faults: `a date`. */
  readonly words: string;
  /** Where such a field may stand. */
  readonly homes: readonly Home[];
  /** Holds any number of values: none at all, and never null, where nothing fills it. */
  readonly isMany: boolean;
  /** Holds one value, which can be compared with another. */
  readonly isSingle: boolean;
  /** Is kept in one column of its record, so that others can show it. */
  readonly isOneColumn: boolean;
  /** Rules find records by it. */
  readonly isSought: boolean;
  /** Counts or measures: it has bounds, and may stand in a list twice. */
  readonly isNumber: boolean;
  /** Off where nothing says otherwise, so that null resets it and it never is null because it does not apply. */
  readonly isSwitch: boolean;
  /** A text that is searched for and compared without case. */
  readonly isFolded: boolean;
  /** Has few values, each of which many records share. */
  readonly isCoarse: boolean;
  /** Is text inside and a number in JSON, with all its digits. */
  readonly isExact: boolean;
  /** Goes into a JSON text as it is, with the list that it stands in. */
  readonly isEmbeddable: boolean;
  /** Kinds of one family become each other and keep their values. */
  readonly family: 'number' | 'text' | undefined;
  /** The filters that it may have there. */
  readonly filters: (raw: RawField, home: Home) => readonly FilterFamily[];
  /** Whether lists can be sorted by it: its values have an order that people know. */
  readonly canSort: (raw: RawField) => boolean;
  /** What is wrong with a value that a descriptor gives it, as the end of a sentence (`is 5, not a text`), if anything. */
  fault(raw: RawField, value: unknown): string | undefined;
}

/** What is known of a kind of plain value besides. */
interface ScalarRow<S extends Scalar> extends KindRow {
  /** The format that makes it this kind, where its shape alone does not. */
  readonly format: Format | undefined;
  /** What it is in formulas; undefined where they know nothing of it. */
  readonly type: (raw: RawField) => PlainType | undefined;
  /** Whether it can be the parameter of a computed record: its text has a form that can be checked. */
  readonly isParameter: (raw: RawField) => boolean;
  /** Its column. */
  readonly size: (raw: RawField) => Size;
  /** Whether "maxLength" says something of it. */
  readonly isSized: (raw: RawField) => boolean;
  of(raw: RawField): S;
  /** All that tells such a value from others of its kind. */
  facets(scalar: S): Readonly<Omit<S, 'kind'>>;
  /** A value of a descriptor, as the engine holds it. */
  literal(value: unknown, scalar: S): Value;
}

const everywhere: readonly Home[] = ['record', 'object', 'items', 'inner'];
const outsideObjects: readonly Home[] = ['record', 'items', 'inner'];

const always = (): boolean => true;
const never = (): boolean => false;
const fixed = (bytes: number) => (): Size => ({ bytes, isLong: false });
const noFilter = (): [] => [];
const exact = (_raw: RawField, home: Home): readonly FilterFamily[] => (home === 'object' ? [] : ['exact']);
/** Of what has an order. In a list a filter asks whether any item has a value. */
const range = (raw: RawField, home: Home): readonly FilterFamily[] =>
  home === 'record' ? ['exact', 'range'] : exact(raw, home);
const asItIs = (value: unknown): Value => value as Value;
const found = (value: unknown): string => `is ${JSON.stringify(value)}`;

/** What only a few kinds are. */
const unremarkable = {
  isMany: false,
  isNumber: false,
  isSwitch: false,
  isFolded: false,
  isCoarse: false,
  isExact: false,
  isEmbeddable: false,
  family: undefined,
  canSort: never,
} as const satisfies Partial<KindRow>;

/** Most plain values are like this. */
const plain = {
  homes: everywhere,
  ...unremarkable,
  isSingle: true,
  isOneColumn: true,
  isSought: true,
  format: undefined,
  type: () => text,
  filters: exact,
  isParameter: always,
  isSized: never,
  literal: asItIs,
} as const satisfies Partial<ScalarRow<Scalar>>;

/** Most fields that hold other fields or records are like this. */
const composite = {
  homes: ['record'],
  ...unremarkable,
  isSingle: false,
  isOneColumn: false,
  isSought: false,
  filters: noFilter,
  fault: (_raw: RawField, value: unknown): string => `${found(value)}; the field cannot be given a value here`,
} as const satisfies Partial<KindRow>;

const onlyEmpty = (_raw: RawField, value: unknown): string | undefined =>
  Array.isArray(value) && value.length === 0 ? undefined : `${found(value)}; only [] can stand here`;

/** A fault for all that is no text, or no text of a form. */
const formed =
  (words: string, test: (text: string) => boolean) =>
  (_raw: RawField, value: unknown): string | undefined => {
    if (typeof value !== 'string') return `${found(value)}, not a text`;
    return value === '' || test(value) ? undefined : `${found(value)}, not ${words}`;
  };

/** Characters that a text may have at most. */
function textLength({ maxLength, format }: RawField): number {
  const form = textFormatOf(format);
  return maxLength ?? (form === undefined ? 255 : textFormats[form].length);
}

function isSizedText({ format }: RawField): boolean {
  const form = textFormatOf(format);
  return form === undefined || textFormats[form].isSized;
}

function textFault(raw: RawField, value: unknown): string | undefined {
  if (typeof value !== 'string') return `${found(value)}, not a text`;
  const length = [...value].length;
  if (length > textLength(raw)) return `has ${length} characters, more than "maxLength" (${textLength(raw)})`;
  const { pattern } = raw;
  // What is wrong with the pattern itself is told there.
  if (pattern !== undefined && value !== '' && patternFault(pattern) === undefined && !matches(pattern, value))
    return `${found(value)}, which does not match "pattern"`;
  const form = textFormatOf(raw.format);
  return form === undefined ? undefined : formed(textFormats[form].words, textFormats[form].test)(raw, value);
}

/** Characters of a text: the index of a longer one would pass the 3,072 bytes that MySQL gives a key. */
const indexedLength = 255;

function textFilters(raw: RawField, home: Home): readonly FilterFamily[] {
  if (home === 'object' || textLength(raw) > indexedLength) return [];
  // A search reads the text that the field itself keeps, and these show another one.
  return home === 'record' && raw.lookup === undefined && raw.inherits === undefined ? ['exact', 'text'] : ['exact'];
}

/** Up to 4 bytes a character. Texts above 255 characters are kept apart. */
function textSize(raw: RawField): Size {
  const length = textLength(raw);
  return { bytes: length <= 255 ? length * 4 + 2 : 12, isLong: true };
}

function listFault(raw: RawField, value: unknown): string | undefined {
  if (!Array.isArray(value)) return `${found(value)}, not an array`;
  const { items, minItems = 0, maxItems = 1000 } = raw;
  if (value.length < minItems) return `has ${value.length} items, fewer than "minItems" (${minItems})`;
  if (value.length > maxItems) return `has ${value.length} items, more than "maxItems" (${maxItems})`;
  const wrong = items && value.map((item: unknown) => valueFault(items, item)).find((fault) => fault !== undefined);
  if (wrong !== undefined) return `has an item that ${wrong}`;
  const mayRepeat = items === undefined || rowOf(items)?.isNumber === true;
  return mayRepeat || new Set(value).size === value.length ? undefined : 'has an item twice';
}

/** Every kind of field. A new one is a member of `Field` or of `Scalar`, and a row here; then the compiler leads on. */
export const kinds: { readonly [K in Kind]: K extends ScalarKind ? ScalarRow<ScalarOf<K>> : KindRow } = {
  text: {
    ...plain,
    shape: 'text',
    words: 'a text',
    isFolded: true,
    isEmbeddable: true,
    family: 'text',
    filters: textFilters,
    canSort: (raw) => textLength(raw) <= indexedLength,
    type: ({ format }) =>
      format === 'time' ? { kind: 'time' } : format === 'currency' ? { ...text, isCurrency: true } : text,
    isParameter: ({ format }) => isCode(textFormatOf(format)),
    isSized: isSizedText,
    size: textSize,
    of: (raw) => ({
      kind: 'text',
      maxLength: textLength(raw),
      format: textFormatOf(raw.format),
      pattern: raw.pattern,
      sample: raw.pattern === undefined ? undefined : String(raw.examples?.[0] ?? ''),
    }),
    facets: ({ maxLength, format, pattern, sample }) => ({ maxLength, format, pattern, sample }),
    fault: textFault,
  },
  enum: {
    ...plain,
    shape: 'text',
    words: 'an enum',
    type: ({ enum: values = [] }) => ({ ...text, values }),
    isCoarse: true,
    isEmbeddable: true,
    family: 'text',
    size: ({ enum: values = [] }) => {
      const bytes = Math.max(...values.map((value) => value.length)) + 1;
      return { bytes, isLong: bytes > 40 };
    },
    of: ({ enum: values = [] }) => ({ kind: 'enum', values }),
    facets: ({ values }) => ({ values }),
    fault: ({ enum: values = [] }, value) => {
      if (typeof value !== 'string') return `${found(value)}, not a text`;
      return values.includes(value) ? undefined : `${found(value)}, which is not in "enum"${didYouMean(value, values)}`;
    },
  },
  date: {
    ...plain,
    shape: 'text',
    words: 'a date',
    format: 'date',
    type: () => date,
    isEmbeddable: true,
    filters: range,
    canSort: always,
    size: fixed(8),
    of: () => ({ kind: 'date' }),
    facets: () => ({}),
    fault: formed('a date (YYYY-MM-DD)', isDate),
  },
  dateTime: {
    ...plain,
    shape: 'text',
    words: 'a time with its day',
    format: 'date-time',
    type: () => ({ kind: 'instant' }),
    isParameter: never,
    filters: range,
    canSort: always,
    size: fixed(8),
    of: () => ({ kind: 'dateTime' }),
    facets: () => ({}),
    literal: (value) => (typeof value === 'string' ? toMoment(value) : asItIs(value)),
    fault: formed('a date-time in UTC (2026-03-02T09:30:00Z)', isMoment),
  },
  uuid: {
    ...plain,
    shape: 'text',
    words: 'a uuid',
    format: 'uuid',
    type: () => ({ kind: 'id', group: undefined }),
    size: fixed(36),
    of: () => ({ kind: 'uuid' }),
    facets: () => ({}),
    // As the engine keeps it: in lower case.
    fault: formed('a UUID', (text) => isUuid(text) && text === text.toLowerCase()),
  },
  integer: {
    ...plain,
    shape: 'integer',
    words: shapeWords.integer,
    isNumber: true,
    family: 'number',
    type: (raw) => ({ ...number, scale: 0, most: greatestOf(raw) }),
    filters: range,
    canSort: always,
    size: fixed(9),
    of: (raw) => ({
      kind: 'integer',
      minimum: raw.minimum ?? (raw.signed === true ? Number.MIN_SAFE_INTEGER : 0),
      maximum: raw.maximum ?? Number.MAX_SAFE_INTEGER,
    }),
    facets: ({ minimum, maximum }) => ({ minimum, maximum }),
    fault: (raw, value) =>
      Number.isSafeInteger(value) ? boundsFault(raw, Number(value)) : `${found(value)}, not an integer`,
  },
  decimal: {
    ...plain,
    shape: 'number',
    words: shapeWords.number,
    isNumber: true,
    isExact: true,
    family: 'number',
    type: (raw) => ({ ...number, scale: digitsOf(raw).scale, most: greatestOf(raw) }),
    // Sums are asked for by bounds; whoever wants one amount gives it with them.
    filters: (_raw, home) => (home === 'record' ? ['exact', 'range'] : []),
    canSort: always,
    isParameter: never,
    size: fixed(9),
    of: (raw) => ({
      kind: 'decimal',
      ...digitsOf(raw),
      minimum: raw.minimum ?? leastOf(raw),
      maximum: raw.maximum,
      exclusiveMinimum: raw.exclusiveMinimum,
    }),
    facets: ({ precision, scale, minimum, maximum, exclusiveMinimum }) => ({
      precision,
      scale,
      minimum,
      maximum,
      exclusiveMinimum,
    }),
    literal: (value, { scale }) => (typeof value === 'number' ? plainDecimal(value, scale) : asItIs(value)),
    fault: (raw, value) =>
      typeof value === 'number'
        ? (digitsFault(raw, value) ?? boundsFault(raw, value))
        : `${found(value)}, not a number`,
  },
  boolean: {
    ...plain,
    shape: 'boolean',
    words: shapeWords.boolean,
    isSwitch: true,
    isCoarse: true,
    type: () => bool,
    size: fixed(1),
    of: () => ({ kind: 'boolean' }),
    facets: () => ({}),
    fault: (_raw, value) => (typeof value === 'boolean' ? undefined : `${found(value)}, not true or false`),
  },
  json: {
    ...plain,
    shape: 'object',
    words: 'an object of any form',
    format: 'json',
    homes: ['record'],
    isSingle: false,
    isOneColumn: false,
    isSought: false,
    type: () => undefined,
    filters: noFilter,
    isParameter: never,
    size: () => ({ bytes: 12, isLong: true }),
    of: () => ({ kind: 'json' }),
    facets: () => ({}),
    literal: (value) => jsonText(value as JsonValue),
    fault: (_raw, value) => {
      const fault = jsonFault(value);
      return fault && `${found(value)}, not ${fault}`;
    },
  },
  list: {
    ...composite,
    shape: 'list',
    words: shapeWords.list,
    homes: outsideObjects,
    isMany: true,
    isOneColumn: true,
    fault: listFault,
  },
  reference: {
    ...composite,
    shape: 'reference',
    words: shapeWords.reference,
    homes: outsideObjects,
    isSingle: true,
    isOneColumn: true,
    isSought: true,
    filters: () => ['exact'],
  },
  references: {
    ...composite,
    shape: 'references',
    words: shapeWords.references,
    isMany: true,
    filters: () => ['exact'],
    fault: onlyEmpty,
  },
  choice: { ...composite, shape: 'choice', words: shapeWords.choice, homes: ['items', 'inner'], isSingle: true },
  object: { ...composite, shape: 'object', words: shapeWords.object },
  objects: {
    ...composite,
    shape: 'objects',
    words: shapeWords.objects,
    homes: ['record', 'items'],
    isMany: true,
    fault: onlyEmpty,
  },
};

/** The kind that a field of a shape is where neither a format nor an enum says otherwise. */
const plainKinds = {
  text: 'text',
  integer: 'integer',
  number: 'decimal',
  boolean: 'boolean',
  list: 'list',
  reference: 'reference',
  references: 'references',
  choice: 'choice',
  object: 'object',
  objects: 'objects',
} as const satisfies Record<Shape, Kind>;

/** Whether a word is the name of a kind. */
export const isKind = (word: unknown): word is Kind => typeof word === 'string' && Object.hasOwn(kinds, word);

/** Whether the values of a kind are plain ones. */
export const isScalarKind = (kind: Kind): kind is ScalarKind => 'of' in kinds[kind];

/** Whether a field of the model holds a plain value. */
export const isScalar = <F extends Pick<Field, 'kind'>>(field: F): field is F & Scalar => isScalarKind(field.kind);

/** All kinds, in the order of the rows. */
const allKinds = Object.keys(kinds) as readonly Kind[];
const kindsOfFormats: ReadonlyMap<string, ScalarKind> = new Map(
  allKinds.filter(isScalarKind).flatMap((kind) => {
    const { format } = kinds[kind];
    return format === undefined ? [] : [[format, kind] as const];
  }),
);

/** The kind of a field, or undefined where its keywords do not say. */
export function kindOf(field: RawField): Kind | undefined {
  const shape = shapeOf(field);
  if (shape === undefined) return undefined;
  if (shape === 'text' && field.enum !== undefined) return 'enum';
  const special = kindsOfFormats.get(field.format ?? '');
  return special !== undefined && kinds[special].shape === shape ? special : plainKinds[shape];
}

/** The kind of a plain value, or undefined where the field is none. */
export function scalarKindOf(field: RawField): ScalarKind | undefined {
  const kind = kindOf(field);
  return kind !== undefined && isScalarKind(kind) ? kind : undefined;
}

/** What is known of a field's kind, or undefined where its keywords do not say which. */
export function rowOf(field: RawField): KindRow | undefined {
  const kind = kindOf(field);
  return kind && kinds[kind];
}

/** The same of a plain value. The methods of a row take values of its own kind, as those of the row are. */
export const scalarRow = (kind: ScalarKind): ScalarRow<Scalar> => kinds[kind];

/** What is wrong with a value for a plain field or a list, as the end of a sentence (`is 5, not a text`), if anything. */
export function valueFault(field: RawField, value: unknown): string | undefined {
  if (value === null) return Array.isArray(field.type) ? undefined : 'is null, which the field cannot be';
  const row = rowOf(field);
  return row === undefined ? composite.fault(field, value) : row.fault(field, value);
}
