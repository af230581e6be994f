// Which values a field can hold: those that descriptors give themselves, as defaults, examples and first records.
import { isCurrency } from '../values/currency.ts';
import { isDate, isTime } from '../values/date.ts';
import { isEmail, isSlug, isTimeZone, isUrl, isUuid } from '../values/format.ts';
import { didYouMean } from './faults.ts';
import { digitsOf, leastOf, textLength } from './sizes.ts';
import { type RawField, shapeOf } from './vocabulary.ts';

interface Format {
  readonly words: string;
  readonly test: (text: string) => boolean;
}
const formats: Readonly<Record<string, Format>> = {
  date: { words: 'a date (YYYY-MM-DD)', test: isDate },
  'date-time': { words: 'an ISO 8601 time', test: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) },
  // As the engine keeps it: in lower case.
  uuid: { words: 'a UUID', test: (text) => isUuid(text) && text === text.toLowerCase() },
  email: { words: 'an e-mail address', test: isEmail },
  url: { words: 'an http or https URL', test: isUrl },
  currency: { words: 'a currency code', test: isCurrency },
  time: { words: 'a time (HH:mm)', test: isTime },
  slug: { words: 'a slug', test: isSlug },
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
