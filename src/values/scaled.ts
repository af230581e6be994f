// Decimals as integers of their last digit, and as their digits and the place of the point.

/** `text` × 10^`scale`, as SQLite stores it. @throws RangeError for more decimals than `scale`, rather than rounding. */
export function textToScaled(text: string, scale: number): bigint {
  const dot = text.indexOf('.');
  if (dot < 0) return BigInt(text + '0'.repeat(scale));
  const decimals = text.slice(dot + 1);
  if (decimals.length > scale) throw new RangeError(`${text} has more than ${scale} decimals`);
  return BigInt(text.slice(0, dot) + decimals.padEnd(scale, '0'));
}

/** `scaled` / 10^`scale`: "125000" at scale 4 is "12.5". A number must be a safe integer. */
export function scaledToText(scaled: string | number, scale: number): string {
  const text = typeof scaled === 'number' ? String(scaled) : scaled;
  if (scale === 0 || text === '0') return text;
  const negative = text.charCodeAt(0) === MINUS;
  const digits = (negative ? text.slice(1) : text).padStart(scale + 1, '0');
  const point = digits.length - scale;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end--;
  const plain = end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
  return negative ? `-${plain}` : plain;
}

const MINUS = 0x2d;
const ZERO = 0x30;

/** What a division of two decimals leaves, exactly, with the sign of the first; null where the second is 0. */
export function remainder(value: string, by: string): string | null {
  const scale = Math.max(...[value, by].map((text) => (text.split('.')[1] ?? '').length));
  const [units, divisor] = [textToScaled(value, scale), textToScaled(by, scale)];
  return divisor === 0n ? null : scaledToText(String(units % divisor), scale);
}

/** ±0.`digits` × 10^`point`; `digits` has no zero at either end and is empty for 0, which is never negative. */
export interface DecimalParts {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
}

/** Beyond all that counts, yet small enough that sums with a text length stay exact. */
const maximumExponent = 1e15;

/** Splits a JSON number, or the text of a finite JS number, in linear time whatever its length and exponent. */
export function decimalParts(text: string): DecimalParts {
  const mantissaEnd = text.search(/[eE]/);
  const negative = text.startsWith('-');
  const mantissa = text.slice(negative ? 1 : 0, mantissaEnd < 0 ? undefined : mantissaEnd);
  const dot = mantissa.indexOf('.');
  const digits = dot < 0 ? mantissa : mantissa.slice(0, dot) + mantissa.slice(dot + 1);
  let first = 0;
  while (digits.charCodeAt(first) === ZERO) first++;
  if (first === digits.length) return { negative: false, digits: '', point: 0 };
  // A loop, since /0+$/ is quadratic for runs of zeros inside the number.
  let last = digits.length;
  while (digits.charCodeAt(last - 1) === ZERO) last--;
  const exponent = mantissaEnd < 0 ? 0 : Number(text.slice(mantissaEnd + 1));
  const whole = dot < 0 ? mantissa.length : dot;
  const point = whole - first + Math.max(-maximumExponent, Math.min(maximumExponent, exponent));
  return { negative, digits: digits.slice(first, last), point };
}
