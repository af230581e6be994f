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
  size: ([of]) => numeric(isList(of) ? of.length : [...String(of)].length),
};

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
