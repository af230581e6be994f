// Decimals inside the engine are text in plain notation without zeros at the end ("12.5", "-0.25", "0"): exact, equal
// when their texts are equal, and the same from every database.
import { Decimal } from 'decimal.js';
import type { WideNumber } from './json.ts';
import { type DecimalParts, decimalParts } from './scaled.ts';
import { addShort, compareShort, divideShort, multiplyShort, roundShort, sumShort } from './short-decimal.ts';

/** The bounds of a field; `minimum` has no default. */
interface DecimalLimits {
  readonly precision: number;
  readonly scale: number;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
}

// A product of two values has 36 digits at most; 60 leave room for sums of such products and for quotients that are
// rounded once at the end.
const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

/** Formulas multiply what they like, and round what they keep: nothing is lost before. */
const Unbounded = Decimal.clone({ precision: 10_000, rounding: Decimal.ROUND_HALF_UP });
const Quotient = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP });

/** So many digits does a JSON number hold exactly. */
export const exactDigits = 15;
/** A double has 309 digits before the point and 324 zeros after it at most. */
const longestPoint = 400;

/** Plain notation of a finite number: 1e-7 gives "0.0000001". @throws RangeError for NaN and infinities. */
export function numberToText(n: number): string {
  if (!Number.isFinite(n)) throw new RangeError(`${n} is not a decimal`);
  const text = String(n);
  return text.includes('e') ? partsToText(decimalParts(text)) : text;
}

/**
 * Plain notation of a number of a body; for values that `decimalFault` has accepted.
 * @throws RangeError where that would be a text of many zeros (1e999999999).
 */
export function wideOrNumberToText(value: number | WideNumber): string {
  return typeof value === 'number' ? numberToText(value) : partsToText(decimalParts(value.text));
}

/**
 * What `value` must be and is not, in the words of the interface, or undefined. Zeros at the end never count. Bounds
 * come first: they say the most.
 */
export function decimalFault(value: number | WideNumber, limits: DecimalLimits): string | undefined {
  const bound = boundFault(value, limits);
  if (bound !== undefined) return bound;
  const { precision, scale } = limits;
  const { digits, point } = decimalParts(typeof value === 'number' ? String(value) : value.text);
  if (digits.length - point > scale) return `a number with at most ${scale} decimals`;
  // The smaller one is named, because more than 15 digits are refused even where the precision is 18. As in SQL's
  // DECIMAL(p, s), the field's own decimals count among the p digits, whether the value uses them or not.
  if (digits.length > exactDigits || point > precision - scale) {
    return `a number with at most ${Math.min(precision, exactDigits)} digits`;
  }
  return undefined;
}

function boundFault(value: number | WideNumber, limits: DecimalLimits): string | undefined {
  const { minimum, maximum, exclusiveMinimum } = limits;
  if (exclusiveMinimum !== undefined && compareTo(value, exclusiveMinimum) <= 0) {
    return `greater than ${numberToText(exclusiveMinimum)}`;
  }
  const isBelow = minimum !== undefined && compareTo(value, minimum) < 0;
  const isAbove = maximum !== undefined && compareTo(value, maximum) > 0;
  if (!isBelow && !isAbove) return undefined;
  if (minimum === undefined) return `at most ${numberToText(maximum ?? 0)}`;
  if (maximum === undefined) return `at least ${numberToText(minimum)}`;
  return `from ${numberToText(minimum)} to ${numberToText(maximum)}`;
}

/** Below, at or above 0 as `value` is below, at or above `bound`. */
function compareTo(value: number | WideNumber, bound: number): number {
  if (typeof value === 'number') return value - bound;
  const { negative, digits, point } = decimalParts(value.text);
  // A number may be as long as the body, and decimal.js takes a second for a million digits. Behind more digits than a
  // bound has, all that counts is whether others follow.
  const enough = digits.length > longestPoint ? `${digits.slice(0, longestPoint)}1` : digits;
  return new Exact(`${negative ? '-' : ''}0.${enough || '0'}e${point}`).cmp(bound);
}

function partsToText({ negative, digits, point }: DecimalParts): string {
  if (digits === '') return '0';
  if (Math.abs(point) > longestPoint) throw new RangeError('too many zeros for plain notation');
  const sign = negative ? '-' : '';
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits.padEnd(point, '0');
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Takes the zeros off the end of MariaDB's DECIMAL: "12.5000" gives "12.5", "-0.0000" gives "0". */
export function trimDecimal(text: string): string {
  const dot = text.indexOf('.');
  let end = text.length;
  if (dot >= 0) {
    while (text.charCodeAt(end - 1) === ZERO) end--;
    if (end === dot + 1) end = dot;
  }
  const plain = end === text.length ? text : text.slice(0, end);
  return plain === '-0' ? '0' : plain;
}

const ZERO = 0x30;

/** a + b */
export function add(a: string, b: string): string {
  return addShort(a, b, 1) ?? decimalToText(new Exact(a).plus(b));
}

/** a − b */
export function subtract(a: string, b: string): string {
  return addShort(a, b, -1) ?? decimalToText(new Exact(a).minus(b));
}

/** a × b */
export function multiply(a: string, b: string): string {
  return multiplyShort(a, b) ?? decimalToText(new Exact(a).times(b));
}

/** a ÷ b to 60 significant digits; round it for use. @throws RangeError when b is 0. */
export function divide(a: string, b: string): string {
  const divisor = new Exact(b);
  if (divisor.isZero()) throw new RangeError(`${a} divided by 0`);
  return decimalToText(new Exact(a).div(divisor));
}

/** Sums, differences and products of formulas: exact, whatever their digits. */
export const exactly = {
  '+': (a: string, b: string): string => addShort(a, b, 1) ?? decimalToText(new Unbounded(a).plus(b)),
  '-': (a: string, b: string): string => addShort(a, b, -1) ?? decimalToText(new Unbounded(a).minus(b)),
  '*': (a: string, b: string): string => multiplyShort(a, b) ?? decimalToText(new Unbounded(a).times(b)),
  sum: (texts: readonly string[]): string =>
    sumShort(texts) ?? decimalToText(texts.reduce((sum, text) => sum.plus(text), new Unbounded(0))),
  compare: (a: string, b: string): number => (a === b ? 0 : (compareShort(a, b) ?? new Unbounded(a).cmp(b))),
  /** Half away from zero; to tens, hundreds and so on where there are less than no decimals. */
  round: (text: string, decimals: number): string => {
    if (decimals < 0) return decimalToText(new Unbounded(text).toNearest(new Unbounded(10).pow(-decimals)));
    return roundShort(text, decimals) ?? decimalToText(new Unbounded(text).toDecimalPlaces(decimals));
  },
  /** Half away from zero. */
  significant: (text: string, digits: number): string => decimalToText(new Unbounded(text).toSignificantDigits(digits)),
  floor: (text: string): string => decimalToText(new Unbounded(text).floor()),
  ceil: (text: string): string => decimalToText(new Unbounded(text).ceil()),
} as const;

/** a ÷ b to 40 significant digits; null when b is 0. */
export function quotient(a: string, b: string): string | null {
  const short = divideShort(a, b);
  if (short !== undefined) return short;
  const divisor = new Quotient(b);
  return divisor.isZero() ? null : decimalToText(new Quotient(a).div(divisor));
}

/** Below, at or above 0 as a is below, at or above b. */
export function compare(a: string, b: string): number {
  return a === b ? 0 : (compareShort(a, b) ?? new Exact(a).cmp(b));
}

/** Rounds half away from zero. */
export function round(text: string, decimals: number): string {
  return roundShort(text, decimals) ?? decimalToText(new Exact(text).toDecimalPlaces(decimals));
}

/** Rounds half away from zero, once: to `decimals`, or to fewer where it would have more than 15 digits to show. */
export function roundToShow(text: string, decimals: number): string {
  const value = new Exact(text);
  const room = exactDigits - 1 - value.e;
  return decimalToText(
    room < 0 ? value.toSignificantDigits(exactDigits) : value.toDecimalPlaces(Math.min(decimals, room)),
  );
}

/** True for "0" in any notation. */
export function isZero(text: string): boolean {
  return text === '0' || new Exact(text).isZero();
}

// toFixed, since toString gives exponents; it would keep the sign of -0.
function decimalToText(value: Decimal): string {
  return value.isZero() ? '0' : value.toFixed();
}
