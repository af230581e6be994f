// Precision and bounds of the numbers of a field.
import type { RawField } from './vocabulary.ts';

/** Digits of a decimal: money has 18, 4 of them after the point. */
export const digitsOf = ({ format, precision = 18, scale = 4 }: RawField): { precision: number; scale: number } =>
  format === 'money' ? { precision: 18, scale: 4 } : { precision, scale };

/** The least value of a number that names none. */
export const leastOf = ({ signed, exclusiveMinimum }: RawField): number | undefined =>
  signed === true || exclusiveMinimum !== undefined ? undefined : 0;

/** What a number never passes, on either side of 0. */
export function greatestOf(field: RawField): string {
  const { minimum = leastOf(field) ?? Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, type } = field;
  const bound = Math.max(Math.abs(minimum), Math.abs(maximum));
  const { precision, scale } = digitsOf(field);
  const isInteger = (Array.isArray(type) ? type[0] : type) === 'integer';
  if (Number.isFinite(bound)) return plainDecimal(bound, isInteger ? 0 : scale);
  if (isInteger) return String(Number.MAX_SAFE_INTEGER);
  return `${'9'.repeat(precision - scale) || '0'}${scale === 0 ? '' : `.${'9'.repeat(scale)}`}`;
}

/** Why a decimal field does not keep all digits of a number, as the end of a sentence, if it does not. */
export function digitsFault(field: RawField, value: number): string | undefined {
  const { precision, scale } = digitsOf(field);
  if (Math.abs(value) >= 10 ** (precision - scale))
    return `is ${value}, and the field keeps ${precision - scale} digits before the point`;
  return Number(value.toFixed(scale)) === value
    ? undefined
    : `is ${value}, and the field keeps ${scale} digits after the point`;
}

/** Which bound of its field a number passes, as the end of a sentence, if any. */
export function boundsFault(field: RawField, value: number): string | undefined {
  const { exclusiveMinimum, maximum, minimum = leastOf(field) } = field;
  if (minimum !== undefined && value < minimum) return `is ${value}, below the least value (${minimum})`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return `is ${value}, not above "exclusiveMinimum" (${exclusiveMinimum})`;
  if (maximum !== undefined && value > maximum) return `is ${value}, above "maximum" (${maximum})`;
  return undefined;
}

/** `1e-8` → `0.00000001`, 2.50 → `2.5`. The checks have seen that the digits fit. */
export function plainDecimal(value: number, scale: number): string {
  const digits = (value || 0).toFixed(scale);
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}
