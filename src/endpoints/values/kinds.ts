// The external form of each kind: in bodies, queries, the document and its examples. One row a kind; what a kind is
// stands in `registry/model/kinds.ts`.
import type { Scalar, ScalarKind, ScalarOf, Value } from '../../registry/model/model.ts';
import { isCode, textFormats } from '../../registry/model/text-formats.ts';
import { isDate, isMoment, toMoment } from '../../values/date.ts';
import { decimalFault, exactDigits, numberToText, wideOrNumberToText } from '../../values/decimal.ts';
import { codePoints, isUuid } from '../../values/format.ts';
import { isObject, type JsonObject, WideNumber } from '../../values/json.ts';
import { jsonFault, jsonText } from '../../values/json-text.ts';
import { matches } from '../../values/pattern.ts';
import { exampleId, exampleMoment } from './example-id.ts';
import { type Schema, withoutUndefined } from './schema.ts';
import { textForms } from './text-forms.ts';
import { enumWords, lengthWords, patternWords } from './words.ts';

/** What stands for "none" beside a text: nothing, the empty text, or any white space, which bodies may hold. */
export type Unset = 'never' | 'empty' | 'blank';

type PlainValue = string | number | boolean;

/** What an example is made for. */
interface ExamplePlace {
  /** The name of the field, in words. */
  readonly words: string;
  /** The same for the same field each time. */
  readonly seed: string;
  /** Its place among the items of a list. */
  readonly index: number;
}

interface ValueRow<S extends Scalar> {
  /** What a value of another JSON type should have been; no more of a kind whose values are wrong in one way only. */
  words(scalar: S): string;
  /** What the text of a query parameter must be. */
  textWords(scalar: S): string;
  /** In standard words, for people and programs outside. */
  schema(scalar: S, unset: Unset): Schema;
  /** For the validator of bodies: `fault` takes any value and says itself what it must be, of other keywords `words` does. */
  check(scalar: S): Schema;
  /** A value of a body that has been found sound, as the engine holds it. */
  toEngine(data: unknown): PlainValue;
  /** A value of the engine, as JSON has it. */
  toJson(value: Value): unknown;
  /** The text of a query parameter, as the engine holds it; undefined where it is no such value. */
  fromText(scalar: S, text: string, isWhole: boolean): PlainValue | undefined;
  example(scalar: S, place: ExamplePlace): PlainValue;
  /** The first value that a descriptor gives, where it is one: setup records also hold settings. */
  literal(known: unknown): PlainValue | undefined;
}

const isPlain = (known: unknown): known is PlainValue =>
  typeof known === 'string' || typeof known === 'number' || typeof known === 'boolean';

/** Most kinds hold the same value inside as outside. */
const alike = {
  toEngine: (data: unknown) => data as PlainValue,
  toJson: (value: Value): unknown => value,
  literal: (known: unknown) => (isPlain(known) ? known : undefined),
};

/** No offsets: a moment has one spelling, and is shown as it was sent, with its milliseconds. */
const momentWords = 'a date-time in UTC (YYYY-MM-DDTHH:mm:ss.sssZ)';

/** What a query parameter must be: the bounds, as far as there are any, and the digits. */
function decimalWords({ precision, scale, minimum, maximum, exclusiveMinimum }: ScalarOf<'decimal'>): string {
  const bounds = [
    ...(exclusiveMinimum === undefined ? [] : [`greater than ${numberToText(exclusiveMinimum)}`]),
    ...(minimum === undefined ? [] : [`${maximum === undefined ? 'of at least' : 'from'} ${numberToText(minimum)}`]),
    ...(maximum === undefined ? [] : [`${minimum === undefined ? 'of at most' : 'to'} ${numberToText(maximum)}`]),
  ];
  return [
    'a number',
    ...bounds,
    `with at most ${Math.min(precision, exactDigits)} digits, ${scale} of them decimals`,
  ].join(' ');
}

const inOneWay = (words: string) => ({ words: () => words, textWords: () => words });

/** The first that fits is taken. */
const numbers = [120, 30, 8, 0.5, 1, 0];

const textWords = ({ format }: ScalarOf<'text'>): string =>
  format === undefined ? 'a string' : textFormats[format].words;

/** A text that does not fit is one fault: a code has another form, any other is too long before all else. */
function textFault(scalar: ScalarOf<'text'>, data: unknown): string | undefined {
  const { format, maxLength, pattern, sample } = scalar;
  if (typeof data !== 'string') return textWords(scalar);
  if (!isCode(format) && data.length > maxLength && codePoints(data) > maxLength) return lengthWords(maxLength);
  if (pattern !== undefined) return matches(pattern, data) ? undefined : patternWords({ pattern, sample });
  return format === undefined || textFormats[format].test(data) ? undefined : textFormats[format].words;
}

/** Numbers by their digits, as the body had them. */
function integerFault({ minimum, maximum }: ScalarOf<'integer'>, data: unknown): string | undefined {
  const bounds = `from ${minimum} to ${maximum}`;
  if (data instanceof WideNumber) return /^-?\d+(?:[eE]\+?\d+)?$/.test(data.text) ? bounds : 'an integer';
  if (typeof data !== 'number' || !Number.isInteger(data)) return 'an integer';
  return data < minimum || data > maximum ? bounds : undefined;
}

function textSchema({ maxLength, format, pattern: own }: ScalarOf<'text'>, unset: Unset): Schema {
  const size = isCode(format) ? {} : { maxLength };
  if (own !== undefined) {
    const inside = own.slice(1, -1);
    const form = { never: own, empty: `^(${inside})?$`, blank: `^(\\s*|${inside})$` }[unset];
    return { type: 'string', ...size, pattern: form };
  }
  if (format === undefined) return { type: 'string', ...size };
  const { set, pattern } = textForms[format];
  if (unset === 'never' || pattern === undefined) return { type: 'string', ...size, ...set };
  return { type: 'string', ...size, pattern: unset === 'empty' ? `^(${pattern})?$` : `^(\\s*|${pattern})$` };
}

/** Every kind of plain value. */
const kinds: { readonly [K in ScalarKind]: ValueRow<ScalarOf<K>> } = {
  text: {
    ...alike,
    words: textWords,
    textWords,
    schema: textSchema,
    check: (scalar) => ({ fault: (data: unknown) => textFault(scalar, data) }),
    // A search may be for a part of a text; only whole codes have a form to check.
    fromText: ({ format }, text, isWhole) =>
      isWhole && isCode(format) && !textFormats[format].test(text) ? undefined : text,
    example: ({ format, maxLength, sample }, { words, index }) =>
      sample ??
      (format === undefined ? [...words].slice(0, maxLength).join('') : textForms[format].example(index, words)),
  },
  enum: {
    ...alike,
    words: ({ values }) => enumWords(values),
    textWords: ({ values }) => enumWords(values),
    schema: ({ values }) => ({ type: 'string', enum: [...values] }),
    check: ({ values }) => ({ enum: [...values] }),
    fromText: ({ values }, text) => (values.includes(text) ? text : undefined),
    example: ({ values }, { index }) => values[index % values.length] ?? '',
  },
  date: {
    ...alike,
    ...inOneWay('a date (YYYY-MM-DD)'),
    schema: () => ({ type: 'string', format: 'date' }),
    check: () => ({ type: 'string', format: 'date' }),
    fromText: (_scalar, text) => (isDate(text) ? text : undefined),
    example: (_scalar, { index }) =>
      new Date(Date.parse(exampleMoment) + index * 86_400_000).toISOString().slice(0, 10),
  },
  dateTime: {
    ...alike,
    ...inOneWay(momentWords),
    schema: () => ({ type: 'string', format: 'date-time' }),
    check: () => ({
      fault: (data: unknown) => (typeof data === 'string' && isMoment(data) ? undefined : momentWords),
    }),
    toEngine: (data) => toMoment(String(data)),
    fromText: (_scalar, text) => (isMoment(text) ? toMoment(text) : undefined),
    example: () => exampleMoment,
  },
  uuid: {
    ...alike,
    ...inOneWay('a UUID'),
    schema: () => uuidSchema,
    check: () => ({ type: 'string', format: 'uuid' }),
    toEngine: (data) => String(data).toLowerCase(),
    fromText: (_scalar, text) => (isUuid(text) ? text.toLowerCase() : undefined),
    example: (_scalar, { seed }) => exampleId(seed),
  },
  integer: {
    ...alike,
    words: () => 'an integer',
    textWords: ({ minimum, maximum }) => `an integer from ${minimum} to ${maximum}`,
    schema: ({ minimum, maximum }) => ({ type: 'integer', minimum, maximum }),
    check: (scalar) => ({ fault: (data: unknown) => integerFault(scalar, data) }),
    toEngine: (data) => (data instanceof WideNumber ? Number(data.text) : (data as number)),
    fromText: ({ minimum, maximum }, text) => {
      const number = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return number >= minimum && number <= maximum ? number : undefined;
    },
    example: ({ minimum, maximum }) =>
      numbers.find((number) => Number.isInteger(number) && number >= minimum && number <= maximum) ?? minimum,
  },
  decimal: {
    words: () => 'a number',
    textWords: decimalWords,
    // No multipleOf: on binary fractions validators disagree about it (0.07 is no multiple of 0.01), and it rejects 2,663
    // of the 10,001 four-digit fractions from 0 to 1.
    schema: ({ minimum, maximum, exclusiveMinimum, scale }) =>
      withoutUndefined({ type: 'number', minimum, maximum, exclusiveMinimum, 'x-decimals': scale }),
    check: (scalar) => ({
      fault: (data: unknown) =>
        typeof data === 'number' || data instanceof WideNumber ? decimalFault(data, scalar) : 'a number',
    }),
    toEngine: (data) => wideOrNumberToText(data as number | WideNumber),
    toJson: (value) => (typeof value === 'string' ? Number(value) : value),
    fromText: (scalar, text) => {
      if (!/^-?\d{1,20}(?:\.\d{1,20})?$/.test(text)) return undefined;
      const value = new WideNumber(text);
      return decimalFault(value, scalar) === undefined ? wideOrNumberToText(value) : undefined;
    },
    example: (scalar) =>
      String(numbers.find((number) => isWithin(number, scalar)) ?? scalar.maximum ?? scalar.minimum ?? 0),
    literal: (known) => (typeof known === 'number' || typeof known === 'string' ? String(known) : undefined),
  },
  json: {
    words: () => 'an object',
    textWords: () => 'an object',
    schema: () => ({ type: 'object' }),
    check: () => ({ fault: jsonFault }),
    toEngine: (data) => jsonText(data as JsonObject),
    toJson: (value) => (typeof value === 'string' ? JSON.parse(value) : value),
    fromText: () => undefined,
    example: () => '{"anything":"that is JSON"}',
    literal: (known) => (isObject(known) ? jsonText(known as JsonObject) : undefined),
  },
  boolean: {
    ...alike,
    words: () => 'a boolean',
    textWords: () => 'true or false',
    schema: () => ({ type: 'boolean' }),
    check: () => ({ type: 'boolean' }),
    fromText: (_scalar, text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
    example: () => false,
  },
};

function isWithin(number: number, scalar: ScalarOf<'decimal'>): boolean {
  const { precision, scale, minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = scalar;
  const isShort = number < 10 ** (precision - scale) && (scale > 0 || Number.isInteger(number));
  return isShort && number >= minimum && number <= maximum && number > exclusiveMinimum;
}

/** What is known of a value's kind. The methods of a row take values of its own kind, as those of the row are. */
export const rowOf = ({ kind }: Pick<Scalar, 'kind'>): ValueRow<Scalar> => kinds[kind];

/** Ids, of records and in references. */
export const uuid: Scalar = { kind: 'uuid' };
export const uuidSchema: Schema = { type: 'string', format: 'uuid' };
