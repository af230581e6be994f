// Fast path for decimals of few digits, as most are: computed as integers of their last digit, which a number holds exactly.
// Returns undefined for others, which go the exact way.
import { scaledToText } from './scaled.ts';

/** A sign, 15 digits and a point: what is longer is not looked at. */
const mostCharacters = 17;
const powers = Array.from({ length: 16 }, (_power, exponent) => 10 ** exponent);
/** Behind so many decimals a quotient is not looked for. */
const mostDecimals = 6;

const [minus, point, zero, nine] = [0x2d, 0x2e, 0x30, 0x39];

/** Digits behind the point. */
function decimalsOf(text: string): number {
  const place = text.indexOf('.');
  return place < 0 ? 0 : text.length - place - 1;
}

/** The digits as a whole number; NaN where these are too many, or something else stands between them. */
function unitsOf(text: string): number {
  const { length } = text;
  if (length > mostCharacters) return Number.NaN;
  const isNegative = text.charCodeAt(0) === minus;
  let units = 0;
  let digits = 0;
  let points = 0;
  for (let place = isNegative ? 1 : 0; place < length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === point) points += 1;
    else if (code < zero || code > nine) return Number.NaN;
    else {
      units = units * 10 + (code - zero);
      digits += 1;
    }
  }
  if (digits === 0 || points > 1 || !Number.isSafeInteger(units)) return Number.NaN;
  return isNegative ? -units : units;
}

/** Units of a text that has `decimals`, as units of one that has `most`; NaN where they are too many to count. */
function scaled(units: number, decimals: number, most: number): number {
  const many = units * (powers[most - decimals] ?? Number.NaN);
  return Number.isSafeInteger(many) ? many : Number.NaN;
}

const textOf = (units: number, decimals: number): string | undefined =>
  Number.isSafeInteger(units) ? scaledToText(units, decimals) : undefined;

/** a + b, or a − b where `sign` is −1 */
export function addShort(a: string, b: string, sign: 1 | -1): string | undefined {
  // Most numbers are whole: their digits are their units.
  if (!a.includes('.') && !b.includes('.')) {
    const units = unitsOf(a) + sign * unitsOf(b);
    return Number.isSafeInteger(units) ? `${units}` : undefined;
  }
  const [left, right] = [decimalsOf(a), decimalsOf(b)];
  const most = Math.max(left, right);
  return textOf(scaled(unitsOf(a), left, most) + sign * scaled(unitsOf(b), right, most), most);
}

/** a × b */
export const multiplyShort = (a: string, b: string): string | undefined =>
  textOf(unitsOf(a) * unitsOf(b), decimalsOf(a) + decimalsOf(b));

/** a ÷ b where that has few decimals; undefined where b is 0, too. */
export function divideShort(a: string, b: string): string | undefined {
  const [left, right] = [decimalsOf(a), decimalsOf(b)];
  const most = Math.max(left, right);
  const divisor = scaled(unitsOf(b), right, most);
  let rest = scaled(unitsOf(a), left, most);
  for (let decimals = 0; decimals <= mostDecimals && Number.isSafeInteger(rest) && divisor !== 0; decimals += 1) {
    if (rest % divisor === 0) return textOf(rest / divisor, decimals);
    rest *= 10;
  }
  return undefined;
}

/** The sum of all; of none 0. */
export function sumShort(texts: readonly string[]): string | undefined {
  let sum = 0;
  let most = 0;
  for (const text of texts) {
    if (most === 0 && !text.includes('.')) {
      sum += unitsOf(text);
      if (!Number.isSafeInteger(sum)) return undefined;
      continue;
    }
    const decimals = decimalsOf(text);
    const wider = Math.max(most, decimals);
    sum = scaled(sum, most, wider) + scaled(unitsOf(text), decimals, wider);
    most = wider;
    if (!Number.isSafeInteger(sum)) return undefined;
  }
  return textOf(sum, most);
}

/** Below, at or above 0 as a is below, at or above b. */
export function compareShort(a: string, b: string): number | undefined {
  let [one, other] = [unitsOf(a), unitsOf(b)];
  if (a.includes('.') || b.includes('.')) {
    const [left, right] = [decimalsOf(a), decimalsOf(b)];
    const most = Math.max(left, right);
    [one, other] = [scaled(one, left, most), scaled(other, right, most)];
  }
  if (Number.isNaN(one) || Number.isNaN(other)) return undefined;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Half away from zero, for which the first digit that goes is enough. @param decimals 0 or more */
export function roundShort(text: string, decimals: number): string | undefined {
  const kept = text.length > mostCharacters && !text.includes('e') ? cut(text, decimals + 1) : text;
  const units = unitsOf(kept);
  const known = decimalsOf(kept);
  if (known <= decimals) return textOf(units, known);
  const step = powers[known - decimals];
  if (step === undefined) return undefined;
  const rest = units % step;
  const away = 2 * Math.abs(rest) >= step ? Math.sign(rest) : 0;
  return textOf((units - rest) / step + away, decimals);
}

function cut(text: string, decimals: number): string {
  const place = text.indexOf('.');
  return place < 0 ? text : text.slice(0, place + 1 + decimals);
}
