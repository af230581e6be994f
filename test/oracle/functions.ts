// The functions and methods of formulas, as their table says what they give.
import {
  compared,
  Day,
  Exact,
  equals,
  isDay,
  isList,
  isNumeric,
  listOf,
  type Numeric,
  numeric,
  quotient,
  type Value,
} from './values.ts';

const currencies: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, KWD: 3 };

/** Half away from zero, behind the point or before it. */
export function rounded(value: Numeric, digits: number): Numeric {
  const shift = new Exact(10).pow(digits);
  return value.times(shift).toDecimalPlaces(0, Exact.ROUND_HALF_UP).div(shift);
}

function roundTo(value: Value, places: Value): Value {
  const digits = typeof places === 'string' ? currencies[places] : isNumeric(places) ? places.toNumber() : undefined;
  if (!isNumeric(value) || digits === undefined || !Number.isInteger(digits) || Math.abs(digits) > 100) return null;
  return rounded(value, digits);
}

function extreme(values: readonly Value[], side: 1 | -1): Value {
  let best: Value = null;
  for (const value of values)
    if (value !== null && (best === null || (compared(value, best) ?? 0) * side > 0)) best = value;
  return best;
}

const weekdayOf = (day: Day): number => ((new Date(day.time).getUTCDay() + 6) % 7) + 1;

function monthsAfter(day: Day, months: Numeric): Value {
  const [year = 0, month = 1, date = 1] = day.iso.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months.toNumber(), 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return Day.at(first.setUTCDate(Math.min(date, last)));
}

function daysFrom(from: Day, to: Day): readonly Value[] | null {
  const count = (to.time - from.time) / 86_400_000 + 1;
  if (count > 36_600) return null;
  return Array.from({ length: Math.max(0, count) }, (_day, n) => from.plus(numeric(n)));
}

const isCount = (value: Value | undefined): value is Numeric =>
  isNumeric(value) && value.isInteger() && !value.isNegative();

/** A calendar refuses what it would have to correct. */
function dateAt(...parts: readonly (Value | undefined)[]): Value {
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = parts.map((part) =>
    isNumeric(part) && part.isInteger() ? part.toNumber() : Number.NaN,
  );
  const found = Day.at(Date.UTC(year, month - 1, day));
  return year >= 1000 && found?.iso === [year, month, day].map((n) => String(n).padStart(2, '0')).join('-')
    ? found
    : null;
}

/** The Thursday of a week says which year it is of; weeks are counted from the first one that has one. */
function weekOf(day: Day): { readonly year: number; readonly week: number } {
  const thursday = new Date(day.time + (4 - weekdayOf(day)) * 86_400_000);
  const days = (thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 86_400_000;
  return { year: thursday.getUTCFullYear(), week: Math.floor(days / 7) + 1 };
}

function remainderOf(a: Value | undefined, b: Value | undefined): Value {
  if (!isNumeric(a) || !isNumeric(b) || b.isZero()) return null;
  return a.minus(b.times(a.div(b).trunc()));
}

/** Functions that give null where an argument is null. */
const strict: Readonly<Record<string, (args: readonly Value[]) => Value>> = {
  round: ([value = null, places = null]) => roundTo(value, places),
  floor: ([value]) => (isNumeric(value) ? value.floor() : null),
  ceil: ([value]) => (isNumeric(value) ? value.ceil() : null),
  abs: ([value]) => (isNumeric(value) ? value.abs() : null),
  days: ([from, to]) => (isDay(from) && isDay(to) ? daysFrom(from, to) : null),
  weekday: ([day]) => (isDay(day) ? numeric(weekdayOf(day)) : null),
  firstOfMonth: ([day]) => (isDay(day) ? new Day(`${day.iso.slice(0, 8)}01`) : null),
  lastOfMonth: ([day]) => {
    if (!isDay(day)) return null;
    const [year = 0, month = 1] = day.iso.split('-').map(Number);
    return Day.at(Date.UTC(year, month, 0));
  },
  addMonths: ([day, months]) =>
    isDay(day) && isNumeric(months) && months.isInteger() ? monthsAfter(day, months) : null,
  startOfWeek: ([day]) => (isDay(day) ? day.plus(numeric(1 - weekdayOf(day))) : null),
  trim: ([text]) => (typeof text === 'string' ? text.trim() : null),
  lower: ([text]) => (typeof text === 'string' ? text.toLowerCase() : null),
  startsWith: ([text, start]) => typeof text === 'string' && typeof start === 'string' && text.startsWith(start),
  cut: ([text, n]) =>
    typeof text === 'string' && isNumeric(n) && n.isInteger() && !n.isNegative()
      ? [...text].slice(0, n.toNumber()).join('')
      : null,
  year: ([day]) => (isDay(day) ? numeric(Number(day.iso.split('-')[0])) : null),
  month: ([day]) => (isDay(day) ? numeric(Number(day.iso.split('-')[1])) : null),
  day: ([day]) => (isDay(day) ? numeric(Number(day.iso.split('-')[2])) : null),
  quarter: ([day]) => (isDay(day) ? numeric(Math.floor((Number(day.iso.split('-')[1]) - 1) / 3) + 1) : null),
  date: ([year, month, day]) => dateAt(year, month, day),
  isoWeek: ([day]) => (isDay(day) ? numeric(weekOf(day).week) : null),
  isoYear: ([day]) => (isDay(day) ? numeric(weekOf(day).year) : null),
  remainder: ([a, b]) => remainderOf(a, b),
  pow: ([x, n]) => (isNumeric(x) && isNumeric(n) && n.isInteger() && n.gte(0) && n.lte(9) ? x.pow(n) : null),
  significant: ([x, n]) =>
    isNumeric(x) && isCount(n) && n.gte(1) && n.lte(40) ? x.toSignificantDigits(n.toNumber()) : null,
  range: ([from, to]) => {
    if (!isNumeric(from) || !isNumeric(to) || !from.isInteger() || !to.isInteger()) return null;
    return Array.from({ length: Math.max(0, to.minus(from).toNumber() + 1) }, (_number, n) => from.plus(n));
  },
  upper: ([text]) => (typeof text === 'string' ? text.toUpperCase() : null),
  endsWith: ([text, end]) => typeof text === 'string' && typeof end === 'string' && text.endsWith(end),
  contains: ([text, part]) => typeof text === 'string' && typeof part === 'string' && text.indexOf(part) >= 0,
  substring: ([text, from, to]) =>
    typeof text === 'string' && isCount(from) && isCount(to)
      ? [...text].filter((_letter, place) => place >= Number(from) && place < Number(to)).join('')
      : null,
  split: ([text, separator]) => (typeof text === 'string' ? text.split(String(separator)) : null),
  join: ([list, separator]) =>
    listOf(list ?? null)
      .filter((one) => one !== null)
      .join(String(separator)),
  text: ([n]) => (isNumeric(n) ? n.toFixed() : null),
  number: ([text]) => (typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? numeric(text) : null),
  take: ([list, n]) => (isCount(n) ? listOf(list ?? null).filter((_item, place) => place < Number(n)) : null),
  flatten: ([lists]) => listOf(lists ?? null).flatMap(listOf),
  size: ([of]) => numeric(isList(of) ? of.length : [...String(of)].length),
};

/** Whether a method is a function of what it is asked of. */
export const isFunction = (name: string): boolean => name !== 'size' && Object.hasOwn(strict, name);

export function callFunction(name: string, args: readonly Value[]): Value {
  if (name === 'coalesce') return args.find((arg) => arg !== null) ?? null;
  if (name === 'min' || name === 'max') return extreme(args, name === 'max' ? 1 : -1);
  const call = strict[name];
  if (call === undefined) throw new Error(`the oracle knows no function ${name}`);
  return args.includes(null) ? null : call(args);
}

const sumOf = (values: readonly Value[]): Numeric =>
  values.filter(isNumeric).reduce((sum, value) => sum.plus(value), numeric(0));

/** Null is least. */
function comparedKeys(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return compared(a, b) ?? 0;
}

const isTrue = (value: Value): boolean => value === true;

/**
 * What a method gives of a list.
 * @param found What its body gives for each of the items; undefined where it has none.
 */
export function callMethod(name: string, of: Value, found: readonly Value[] | undefined): Value {
  if (name === 'size') return callFunction('size', [of]);
  const items = listOf(of);
  const values = found ?? items;
  const ordered = (): readonly Value[] => {
    const keyed = values.map((key, index) => ({ key, item: items[index] ?? null }));
    return keyed.toSorted((one, other) => comparedKeys(one.key, other.key)).map(({ item }) => item);
  };
  switch (name) {
    case 'filter':
      return items.filter((_item, index) => isTrue(values[index] ?? null));
    case 'map':
      return values;
    case 'exists':
      return values.some(isTrue);
    case 'all':
      return values.every(isTrue);
    case 'sum':
      return sumOf(values);
    case 'min':
    case 'max':
      return extreme(values, name === 'max' ? 1 : -1);
    case 'avg': {
      const counted = values.filter(isNumeric);
      return quotient(sumOf(counted), numeric(counted.length));
    }
    case 'count':
      return numeric(found === undefined ? items.length : values.filter(isTrue).length);
    case 'first':
      return (found === undefined ? items[0] : ordered()[0]) ?? null;
    case 'last':
      return (found === undefined ? items.at(-1) : ordered().at(-1)) ?? null;
    case 'sorted':
      return ordered();
    case 'distinct':
      return items.filter((item, index) => items.findIndex((other) => equals(other, item)) === index);
    default:
      throw new Error(`the oracle knows no method ${name}`);
  }
}
