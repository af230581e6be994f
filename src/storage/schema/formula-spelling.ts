// How a dialect spells formulas in SQL, so that every engine gives what the evaluator gives.

import type { Cell } from './cells.ts';
import type { Sql } from './sql.ts';

/** All that is known of a number before any row is read. */
export interface Extent {
  /** Digits behind the point. */
  readonly scale: number;
  /** Digits in all, as the engine counts those of its decimals. */
  readonly precision: number;
  /** What it never passes on either side of 0, in units of its last digit. */
  readonly most: bigint;
}

/** Numbers that stand in a date. */
export type DatePart = 'year' | 'month' | 'day' | 'quarter' | 'isoWeek' | 'isoYear';

/**
 * How an engine says what formulas do. Numbers stand in statements as the engine keeps them; null in any part makes null,
 * but where it says otherwise.
 */
export interface FormulaSpelling {
  /** Whether numbers stand in statements as integers of their last digit. */
  readonly hasUnits: boolean;
  /** Whether the engine computes such numbers exactly. */
  fits(extent: Extent): boolean;
  /** A number, by its units. */
  number(units: bigint, extent: Extent): Sql;
  /** A column of whole numbers or of decimals. */
  column(column: Sql, extent: Extent): Sql;
  /** The same number with more digits behind the point. */
  widened(number: Sql, from: number, to: number): Sql;
  /** Half away from zero, to fewer digits than it has; to tens and so on below 0. */
  round(number: Sql, from: number, to: number): Sql;
  floor(number: Sql, scale: number, gives: Extent): Sql;
  ceil(number: Sql, scale: number, gives: Extent): Sql;
  /** The number without digits behind the point; null where these are not all 0. */
  whole(number: Sql, scale: number): Sql;
  /** The sum of a number over many rows, in at most two parts that the engine adds exactly; undefined where it might not. */
  sum(number: Sql, extent: Pick<Extent, 'scale' | 'precision'>): readonly Sql[] | undefined;
  /** What these parts, read as texts, are together; 0 of no rows. */
  summed(parts: readonly Cell[], scale: number): string;
  least(a: Sql, b: Sql): Sql;
  greatest(a: Sql, b: Sql): Sql;

  /** A text that is compared exactly, with the spaces at its end. */
  text(text: Sql): Sql;
  join(a: Sql, b: Sql): Sql;
  /** A day or a moment, as a literal of the engine. */
  moment(kind: 'date' | 'dateTime', literal: Sql): Sql;

  /** @param days a whole number */
  addDays(date: Sql, days: Sql): Sql;
  /** @param months a whole number; the day is at most the last one of the month. */
  addMonths(date: Sql, months: Sql): Sql;
  /** Null for a day before the first that has a date: the engines have earlier ones. */
  sinceFirst(date: Sql): Sql;
  daysBetween(from: Sql, to: Sql): Sql;
  /** Minutes since midnight of `HH:mm`. */
  minutes(time: Sql): Sql;
  /** 1 for Monday to 7 for Sunday. */
  weekday(date: Sql): Sql;
  datePart(part: DatePart, date: Sql): Sql;
  firstOfMonth(date: Sql): Sql;
  lastOfMonth(date: Sql): Sql;
  /** The Monday on or before it. */
  monday(date: Sql): Sql;
}
