// The functions of formulas over days and moments: one row each.
import {
  addDays,
  addMonths,
  datesFrom,
  daysBetween,
  isDate,
  isoWeek,
  lastOfMonth,
  timeOfDay,
  today,
  weekday,
} from '../../values/date.ts';
import { exactly, quotient } from '../../values/decimal.ts';
import { asText, type FunctionRow, type Typed, taking } from './function-row.ts';
import type { Tree, Type } from './tree.ts';
import { date, listOf, number, whole } from './types.ts';
import { type Known, wholeNumber } from './value.ts';
import { isWhole } from './whole.ts';

/** Longer ones would be a list that no rule means, and a service that is busy with it. */
const mostDays = 36_600;

/** Beyond the years 1000 to 9999 there is no date. */
function dateOrNull(make: () => string): Known {
  try {
    return make();
  } catch {
    return null;
  }
}

const ofDate = taking(['date'], date);

/** Of a moment; the compiler gives the workspace's time zone besides. */
const ofMoment =
  (gives: Type) =>
  (args: readonly Tree[]): Typed =>
    taking(['instant', 'text'], gives)(args);

/** Beyond the years 1000 to 9999 there is no moment. */
function momentAfter(moment: string, ms: string): Known {
  const at = new Date(Date.parse(moment) + Number(ms));
  return !Number.isNaN(at.getTime()) && isDate(at.toISOString().slice(0, 10)) ? at.toISOString() : null;
}

export const dayFunctions = {
  days: {
    least: 2,
    most: 2,
    typed: taking(['date', 'date'], listOf(date)),
    takesNull: false,
    call: ([from, to]) => {
      const count = daysBetween(asText(from), asText(to)) + 1;
      return count > mostDays ? null : datesFrom(asText(from), count);
    },
    says: 'the list of days from {0} to {1}',
    usage: 'days(a, b): the dates from a to b, inclusive; null for more than a hundred years',
    takes: { a: 'a date', b: 'a date' },
    gives: 'a list of dates',
    example: {
      formula: 'days(start, end)',
      over: { start: '2026-02-27', end: '2026-03-01' },
      gives: "['2026-02-27', '2026-02-28', '2026-03-01']",
    },
  },
  weekday: {
    least: 1,
    most: 1,
    typed: taking(['date'], number),
    takesNull: false,
    call: ([day]) => String(weekday(asText(day))),
    says: 'the day of the week of {0}',
    usage: 'weekday(d): 1 for Monday to 7 for Sunday',
    takes: { d: 'a date' },
    gives: 'a number',
    example: { formula: 'weekday(day)', over: { day: '2026-03-02' }, gives: '1' },
  },
  firstOfMonth: {
    least: 1,
    most: 1,
    typed: ofDate,
    takesNull: false,
    call: ([day]) => `${asText(day).slice(0, 8)}01`,
    says: 'the first day of the month of {0}',
    usage: 'firstOfMonth(d): the first day of the month',
    takes: { d: 'a date' },
    gives: 'a date',
    example: { formula: 'firstOfMonth(day)', over: { day: '2026-02-17' }, gives: "'2026-02-01'" },
  },
  lastOfMonth: {
    least: 1,
    most: 1,
    typed: ofDate,
    takesNull: false,
    call: ([day]) => lastOfMonth(asText(day)),
    says: 'the last day of the month of {0}',
    usage: 'lastOfMonth(d): the last day of the month',
    takes: { d: 'a date' },
    gives: 'a date',
    example: { formula: 'lastOfMonth(day)', over: { day: '2028-02-17' }, gives: "'2028-02-29'" },
  },
  addMonths: {
    least: 2,
    most: 2,
    typed: (args) => {
      const typed = taking(['date', 'number'], date)(args);
      const [, n] = args;
      return 'fault' in typed ? typed : { ...typed, nullable: typed.nullable || n === undefined || !isWhole(n) };
    },
    takesNull: false,
    call: ([day, n]) => {
      const months = wholeNumber(asText(n));
      return months === undefined ? null : dateOrNull(() => addMonths(asText(day), months));
    },
    says: '{1} months after {0}',
    usage: 'addMonths(d, n): the same day n months later, or the last day of that month',
    takes: { d: 'a date', n: 'a whole number' },
    gives: 'a date, or null outside of the years 1000 to 9999',
    example: { formula: 'addMonths(day, 1)', over: { day: '2026-01-31' }, gives: "'2026-02-28'" },
  },
  startOfWeek: {
    least: 1,
    most: 1,
    // The first days of the year 1000 have no Monday: a write that asks for it is refused.
    typed: ofDate,
    takesNull: false,
    call: ([day]) => dateOrNull(() => addDays(asText(day), 1 - weekday(asText(day)))),
    says: 'the Monday of the week of {0}',
    usage: 'startOfWeek(d): the Monday of the week',
    takes: { d: 'a date' },
    gives: 'a date',
    example: { formula: 'startOfWeek(day)', over: { day: '2026-03-05' }, gives: "'2026-03-02'" },
  },
  year: {
    least: 1,
    most: 1,
    typed: taking(['date'], whole),
    takesNull: false,
    call: ([day]) => asText(day).slice(0, 4),
    says: 'the year of {0}',
    usage: 'year(d): the year',
    takes: { d: 'a date' },
    gives: 'a whole number',
    example: { formula: 'year(day)', over: { day: '2026-03-31' }, gives: '2026' },
  },
  month: {
    least: 1,
    most: 1,
    typed: taking(['date'], whole),
    takesNull: false,
    call: ([day]) => String(Number(asText(day).slice(5, 7))),
    says: 'the month of {0}',
    usage: 'month(d): 1 for January to 12 for December',
    takes: { d: 'a date' },
    gives: 'a whole number',
    example: { formula: 'month(day)', over: { day: '2026-03-31' }, gives: '3' },
  },
  day: {
    least: 1,
    most: 1,
    typed: taking(['date'], whole),
    takesNull: false,
    call: ([day]) => String(Number(asText(day).slice(8))),
    says: 'the day of the month of {0}',
    usage: 'day(d): the day of the month, 1 to 31',
    takes: { d: 'a date' },
    gives: 'a whole number',
    example: { formula: 'day(start)', over: { start: '2026-03-31' }, gives: '31' },
  },
  quarter: {
    least: 1,
    most: 1,
    typed: taking(['date'], whole),
    takesNull: false,
    call: ([day]) => String(Math.ceil(Number(asText(day).slice(5, 7)) / 3)),
    says: 'the quarter of {0}',
    usage: 'quarter(d): 1 to 4',
    takes: { d: 'a date' },
    gives: 'a whole number',
    example: { formula: 'quarter(day)', over: { day: '2026-05-01' }, gives: '2' },
  },
  date: {
    least: 3,
    most: 3,
    typed: (args) => {
      const typed = taking(['number', 'number', 'number'], date)(args);
      return 'fault' in typed ? typed : { ...typed, nullable: true };
    },
    takesNull: false,
    call: ([year, month, day]) => {
      const parts = [asText(year), asText(month).padStart(2, '0'), asText(day).padStart(2, '0')];
      const text = parts.join('-');
      return isDate(text) ? text : null;
    },
    says: 'the date with year {0}, month {1} and day {2}',
    usage:
      'date(y, m, d): the date with this year, month and day; null if it does not exist, such as date(2023, 2, 29)',
    takes: { y: 'a whole number', m: 'a whole number', d: 'a whole number' },
    gives: 'a date, or null',
    example: { formula: 'date(2026, 3, 1)', gives: "'2026-03-01'" },
  },
  isoWeek: {
    least: 1,
    most: 1,
    typed: taking(['date'], whole),
    takesNull: false,
    call: ([day]) => String(isoWeek(asText(day)).week),
    says: 'the ISO week of {0}',
    usage: 'isoWeek(d): the number of the week (ISO 8601), 1 to 53',
    takes: { d: 'a date' },
    gives: 'a whole number',
    example: { formula: 'isoWeek(day)', over: { day: '2027-01-01' }, gives: '53' },
  },
  isoYear: {
    least: 1,
    most: 1,
    typed: taking(['date'], whole),
    takesNull: false,
    call: ([day]) => String(isoWeek(asText(day)).year),
    says: 'the ISO week year of {0}',
    usage: 'isoYear(d): the year of the week (ISO 8601)',
    takes: { d: 'a date' },
    gives: 'a whole number',
    example: { formula: 'isoYear(day)', over: { day: '2027-01-01' }, gives: '2026' },
  },
  dateOf: {
    least: 1,
    most: 1,
    typed: ofMoment(date),
    takesNull: false,
    call: ([moment, zone]) => today(asText(zone), new Date(asText(moment))),
    says: "the date of {0} in the workspace's time zone",
    usage: "dateOf(m): the date of a timestamp in the workspace's time zone",
    takes: { m: 'a moment' },
    gives: 'a date',
    example: { formula: 'dateOf(at)', over: { at: '2026-03-01T23:30:00.000Z' }, gives: "'2026-03-01'" },
  },
  timeOf: {
    least: 1,
    most: 1,
    typed: ofMoment({ kind: 'time' }),
    takesNull: false,
    call: ([moment, zone]) => timeOfDay(asText(zone), new Date(asText(moment))),
    says: "the time of day of {0} in the workspace's time zone",
    usage: "timeOf(m): the time of day of a timestamp in the workspace's time zone",
    takes: { m: 'a moment' },
    gives: 'a time of day',
    example: { formula: 'timeOf(at)', over: { at: '2026-03-01T23:30:00.000Z' }, gives: "'23:30'" },
  },
  minutesBetween: {
    least: 2,
    most: 2,
    typed: taking(['instant', 'instant'], number),
    takesNull: false,
    call: ([from, to]) => quotient(String(Date.parse(asText(to)) - Date.parse(asText(from))), '60000'),
    says: 'the minutes from {0} to {1}',
    usage: 'minutesBetween(a, b), or b - a: the minutes from one timestamp to another, to the millisecond',
    takes: { a: 'a moment', b: 'a moment' },
    gives: 'a number',
    example: {
      formula: 'minutesBetween(from, to)',
      over: { from: '2026-03-01T09:00:00.000Z', to: '2026-03-01T10:30:30.000Z' },
      gives: '90.5',
    },
  },
  addMinutes: {
    least: 2,
    most: 2,
    typed: (args) => {
      const typed = taking(['instant', 'number'], { kind: 'instant' })(args);
      return 'fault' in typed ? typed : { ...typed, nullable: true };
    },
    takesNull: false,
    call: ([moment, minutes]) => momentAfter(asText(moment), exactly.round(exactly['*'](asText(minutes), '60000'), 0)),
    says: '{1} minutes after {0}',
    usage: 'addMinutes(m, n), or m + n and m - n: the timestamp n minutes later, to the millisecond',
    takes: { m: 'a moment', n: 'a number' },
    gives: 'a moment, or null outside of the years 1000 to 9999',
    example: {
      formula: 'addMinutes(at, 1.5)',
      over: { at: '2026-03-01T23:59:00.000Z' },
      gives: "'2026-03-02T00:00:30.000Z'",
    },
  },
} as const satisfies Record<string, FunctionRow>;
