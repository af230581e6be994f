// Whether a column holds a value: what `--fill` and the formulas of fills give.
import type { Value } from '../../registry/model/model.ts';
import { isDate, isMoment, toMoment } from '../../values/date.ts';
import { numberToText } from '../../values/decimal.ts';
import { codePoints, isEmail, isSlug, isTimeZone, isUrl } from '../../values/format.ts';
import { matches } from '../../values/pattern.ts';
import { textToScaled } from '../../values/scaled.ts';
import { typeOf } from './column-type.ts';
import type { Domain, SchemaColumn } from './schema.ts';
import type { FillValue } from './steps.ts';

/** A formula over each of the rows that exist, with its value if that is the same for all. */
export interface RowFill {
  readonly formula: string;
  readonly value?: FillValue | undefined;
}

/** A value as a column takes it. @param value Numbers as text. @returns undefined where the column cannot hold it */
export function fillValue(value: string | boolean, column: SchemaColumn): FillValue | undefined {
  const type = typeOf(column);
  if (typeof value === 'boolean') return type.kind === 'boolean' ? value : undefined;
  const isWithin = (number: number): boolean =>
    number >= (column.minimum ?? -Infinity) &&
    number <= (column.maximum ?? Infinity) &&
    number > (column.exclusiveMinimum ?? -Infinity);
  switch (type.kind) {
    case 'integer':
      return /^-?\d{1,15}$/.test(value) && isWithin(Number(value)) ? Number(value) : undefined;
    case 'decimal': {
      const [, whole = '', fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
      const isShort = whole !== '' && whole.length <= type.precision - type.scale && fraction.length <= type.scale;
      if (!isShort || !isWithin(Number(value))) return undefined;
      textToScaled(value, type.scale);
      return value;
    }
    case 'text': {
      const isShort = codePoints(value) <= type.length && !value.includes('\0');
      return isShort && (column.filled !== true || value.trim() !== '') && hasForm(value, column) ? value : undefined;
    }
    case 'word': {
      const isKnown = column.values?.includes(value) ?? (value.length <= type.length && /^[!-~]+$/.test(value));
      return isKnown && hasForm(value, column) ? value : undefined;
    }
    case 'id':
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? value : undefined;
    case 'date':
      return isDate(value) ? value : undefined;
    case 'dateTime':
      return isMoment(value) ? toMoment(value) : undefined;
    default:
      return undefined;
  }
}

/** Reports whether a column allows a stored value, as the engine has it. */
export function allows(value: Value, column: SchemaColumn): boolean {
  if (value === null) return column.nullable === true;
  // The empty text stands for an unset one.
  if (value === '' && column.filled !== true && column.values === undefined) return true;
  if (typeof value === 'object') return false;
  return fillValue(typeof value === 'number' ? numberToText(value) : value, column) !== undefined;
}

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  email: isEmail,
  url: isUrl,
  slug: isSlug,
  'time-zone': isTimeZone,
  time: (text) => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text),
  currency: (text) => /^[A-Z]{3}$/.test(text),
  json: (text) => text.startsWith('{'),
};

/** Whether a text is of the format and the pattern that a column asks for. */
export const hasForm = (text: string, { format, pattern }: Domain): boolean =>
  (formats[format ?? '']?.(text) ?? true) && (pattern === undefined || matches(pattern, text));
