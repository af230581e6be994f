// Decimals as integers of their last digit.

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
