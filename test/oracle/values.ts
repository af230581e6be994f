// Values of formulas as the oracle has them: numbers exact, days with a type of their own, records and items as rows.
import { Decimal } from 'decimal.js';

/** Products and sums lose nothing. */
export const Exact = Decimal.clone({ precision: 400, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -500, toExpPos: 500 });
const Quotient = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -500, toExpPos: 500 });

export type Numeric = Decimal;
export const numeric = (value: string | number): Numeric => new Exact(value);
export const quotient = (a: Numeric, b: Numeric): Numeric | null =>
  b.isZero() ? null : new Exact(Quotient.div(a, b).toString());

/** A day; there is none outside of the years 1000 to 9999. */
export class Day {
  readonly iso: string;

  constructor(iso: string) {
    this.iso = iso;
  }

  static at(time: number): Day | null {
    if (Number.isNaN(time)) return null;
    const year = new Date(time).getUTCFullYear();
    return year < 1000 || year > 9999 ? null : new Day(new Date(time).toISOString().slice(0, 10));
  }

  get time(): number {
    return Date.parse(`${this.iso}T00:00:00Z`);
  }

  plus(days: Numeric): Day | null {
    return days.isInteger() && days.abs().lt(10_000_000) ? Day.at(this.time + days.toNumber() * 86_400_000) : null;
  }
}

/** A record, or an item of a list of one. */
export interface Row {
  readonly group: string;
  /** Names of the lists that it stands in, from outside inwards; none for a record. */
  readonly lists: readonly string[];
  /** That of the record; items are told by their place. */
  readonly id: string;
  readonly owner: Row | undefined;
  /** Its place in the list. */
  index: number;
  values: Record<string, Value>;
}

export interface Made {
  readonly entries: Readonly<Record<string, Value>>;
}

export type Value = null | boolean | string | Numeric | Day | Row | Made | readonly Value[];

export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);
export const isNumeric = (value: Value | undefined): value is Numeric => Decimal.isDecimal(value);
export const isDay = (value: Value | undefined): value is Day => value instanceof Day;
export const isRow = (value: Value | undefined): value is Row =>
  typeof value === 'object' && value !== null && 'values' in value && 'lists' in value;
export const isMade = (value: Value | undefined): value is Made =>
  typeof value === 'object' && value !== null && 'entries' in value && !isList(value);
export const listOf = (value: Value | undefined): readonly Value[] => (isList(value) ? value : []);
export const rowsOf = (value: Value | undefined): readonly Row[] => listOf(value).filter(isRow);

/** Null equals null alone; a text beside a day is one. */
export function equals(a: Value, b: Value): boolean {
  if (isNumeric(a) && isNumeric(b)) return a.eq(b);
  if (isDay(a) || isDay(b)) return isoOf(a) === isoOf(b);
  if (isRow(a) && isRow(b)) {
    if (a.group !== b.group || a.lists.length !== b.lists.length) return false;
    return a.lists.length === 0 ? a.id === b.id : a === b;
  }
  if (isList(a) && isList(b)) return a.length === b.length && a.every((one, index) => equals(one, b[index] ?? null));
  if (isMade(a) && isMade(b)) {
    const keys = Object.keys(a.entries);
    return keys.every((key) => equals(a.entries[key] ?? null, b.entries[key] ?? null));
  }
  return a === b;
}

const isoOf = (value: Value): Value => (isDay(value) ? value.iso : value);

/** Below, at or above 0; undefined where one is null. */
export function compared(a: Value, b: Value): number | undefined {
  if (a === null || b === null) return undefined;
  if (isNumeric(a) && isNumeric(b)) return a.cmp(b);
  const [one, other] = [isoOf(a), isoOf(b)];
  if (typeof one !== 'string' || typeof other !== 'string') throw new Error(`cannot compare ${one} with ${other}`);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** As texts for people show it: numbers plain, null as nothing. */
export function textOf(value: Value | undefined): string {
  if (value === null || value === undefined) return '';
  if (isNumeric(value)) return value.toFixed();
  if (isDay(value)) return value.iso;
  return typeof value === 'object' ? '' : String(value);
}
