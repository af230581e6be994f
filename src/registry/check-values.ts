// Which values a field can hold: those that descriptors give themselves, as defaults, examples and first records.
import { didYouMean } from './faults.ts';
import { type RawField, shapeOf } from './vocabulary.ts';

/** Longest text of each format, in characters, where a field does not say. */
const formatLengths: Readonly<Record<string, number>> = {
  email: 255,
  url: 2048,
  currency: 3,
  'time-zone': 64,
  time: 5,
  slug: 255,
  uuid: 36,
  date: 10,
  'date-time': 24,
};

/** Characters that a text field may have at most. */
export const textLength = (field: RawField): number => field.maxLength ?? formatLengths[field.format ?? ''] ?? 255;

interface Format {
  readonly words: string;
  readonly test: (text: string) => boolean;
}
/** Close enough to stop a slip; what callers send is checked to the letter elsewhere. */
const formats: Readonly<Record<string, Format>> = {
  date: { words: 'a date (YYYY-MM-DD)', test: isDate },
  'date-time': { words: 'an ISO 8601 time', test: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) },
  uuid: { words: 'a UUID', test: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) },
  email: { words: 'an e-mail address', test: (text) => /^[^@\s]+@[^@\s]+$/.test(text) },
  url: { words: 'an http or https URL', test: (text) => /^https?:\/\/\S+$/.test(text) },
  currency: { words: 'a currency code', test: (text) => /^[A-Z]{3}$/.test(text) },
  time: { words: 'a time (HH:mm)', test: (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text) },
  slug: { words: 'a slug', test: (text) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) },
  'time-zone': { words: 'an IANA time zone', test: isTimeZone },
};

/** What is wrong with a value for a plain field or a list, as the end of a sentence (`is 5, not a text`), if anything. */
export function valueFault(field: RawField, value: unknown): string | undefined {
  const is = `is ${JSON.stringify(value)}`;
  const shape = shapeOf(field);
  if (value === null) return Array.isArray(field.type) ? undefined : 'is null, which the field cannot be';
  switch (shape) {
    case 'text':
      return typeof value === 'string' ? textFault(field, value) : `${is}, not a text`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${is}, not true or false`;
    case 'integer':
      return Number.isSafeInteger(value) ? boundsFault(field, Number(value)) : `${is}, not an integer`;
    case 'number':
      if (typeof value !== 'number') return `${is}, not a number`;
      return digitsFault(field, value) ?? boundsFault(field, value);
    case 'list':
      return Array.isArray(value) ? listFault(field, value) : `${is}, not an array`;
    case 'objects':
    case 'references':
      return Array.isArray(value) && value.length === 0 ? undefined : `${is}; only [] can stand here`;
    default:
      return `${is}; the field cannot be given a value here`;
  }
}

function textFault(field: RawField, value: string): string | undefined {
  const is = `is ${JSON.stringify(value)}`;
  if (field.enum !== undefined) {
    return field.enum.includes(value) ? undefined : `${is}, which is not in "enum"${didYouMean(value, field.enum)}`;
  }
  const length = [...value].length;
  if (length > textLength(field)) return `has ${length} characters, more than "maxLength" (${textLength(field)})`;
  const format = formats[field.format ?? ''];
  return value === '' || format === undefined || format.test(value) ? undefined : `${is}, not ${format.words}`;
}

function listFault(field: RawField, value: readonly unknown[]): string | undefined {
  const { items, minItems = 0, maxItems = 1000 } = field;
  if (value.length < minItems) return `has ${value.length} items, fewer than "minItems" (${minItems})`;
  if (value.length > maxItems) return `has ${value.length} items, more than "maxItems" (${maxItems})`;
  const wrong = items && value.map((item) => valueFault(items, item)).find((fault) => fault !== undefined);
  if (wrong !== undefined) return `has an item that ${wrong}`;
  const isDistinct = items === undefined || shapeOf(items) === 'number' || new Set(value).size === value.length;
  return isDistinct ? undefined : 'has an item twice';
}

/** Digits of a decimal: money has 18, 4 of them after the point. */
const digitsOf = ({ format, precision = 18, scale = 4 }: RawField): { precision: number; scale: number } =>
  format === 'money' ? { precision: 18, scale: 4 } : { precision, scale };

/** Whether a number has more digits than a decimal field keeps. */
export function digitsFault(field: RawField, value: number): string | undefined {
  const { precision, scale } = digitsOf(field);
  if (Math.abs(value) >= 10 ** (precision - scale))
    return `is ${value}, and the field keeps ${precision - scale} digits before the point`;
  return Number(value.toFixed(scale)) === value
    ? undefined
    : `is ${value}, and the field keeps ${scale} digits after the point`;
}

function boundsFault(field: RawField, value: number): string | undefined {
  const { exclusiveMinimum, maximum, minimum = leastOf(field) } = field;
  if (minimum !== undefined && value < minimum) return `is ${value}, below the least value (${minimum})`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return `is ${value}, not above "exclusiveMinimum" (${exclusiveMinimum})`;
  if (maximum !== undefined && value > maximum) return `is ${value}, above "maximum" (${maximum})`;
  return undefined;
}

/** The least value of a number that names none. */
export const leastOf = (field: RawField): number | undefined =>
  field.signed === true || field.exclusiveMinimum !== undefined ? undefined : 0;

function isDate(text: string): boolean {
  const match = /^([1-9]\d{3})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isTimeZone(text: string): boolean {
  // Without asking: the first question to Intl takes longer than all other checks of a folder.
  if (text === 'UTC') return true;
  if (/^[+-]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
