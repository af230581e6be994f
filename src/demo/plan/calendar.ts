// Dates of the history. Times are UTC; office hours are 7 to 17.
import { addDays, daysBetween } from '../../values/date.ts';

/** The first and the last day of the history. */
export interface Span {
  readonly first: string;
  readonly last: string;
}

/** `months` months that end with the day `last`. */
export function spanOf(last: string, months: number): Span {
  return { first: addMonths(addDays(last, 1), -months), last };
}

/** The same day of another month, or its last one. */
export function addMonths(date: string, months: number): string {
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const start = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-`;
  return start + String(Math.min(Number(date.slice(8)), lengthOf(`${start}01`))).padStart(2, '0');
}

const lengthOf = (first: string): number =>
  new Date(Date.UTC(Number(first.slice(0, 4)), Number(first.slice(5, 7)), 0)).getUTCDate();

export const firstOfMonth = (date: string): string => `${date.slice(0, 7)}-01`;
export const lastOfMonth = (date: string): string => addDays(addMonths(firstOfMonth(date), 1), -1);

/** 0 is Monday. */
export const weekday = (date: string): number => ((daysBetween('2024-01-01', date) % 7) + 7) % 7;
export const isWeekend = (date: string): boolean => weekday(date) > 4;
export const mondayOf = (date: string): string => addDays(date, -weekday(date));

/** The day itself, or the next Monday. */
export const workdayFrom = (date: string): string => (isWeekend(date) ? addDays(mondayOf(date), 7) : date);

/** The later of two days. */
export function later(one: string, other: string): string {
  if (one > other) return one;
  return other;
}

export function earlier(one: string, other: string): string {
  if (one < other) return one;
  return other;
}

/** Every day from one to the other. */
export function daysFrom(first: string, last: string): string[] {
  return Array.from({ length: Math.max(0, daysBetween(first, last) + 1) }, (_day, index) => addDays(first, index));
}

/** The first day of every month that begins in the span of days. */
export function monthsFrom(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = firstOfMonth(first); month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `August 2026`. */
export const monthName = (date: string): string => monthFormat.format(new Date(`${date}T12:00Z`));

/** An hour of a day, and what of it is over. */
type DayTime = readonly [hour: number, minute?: number, second?: number];

/** Milliseconds of a time of a day. */
export const timeAt = (date: string, [hour, minute = 0, second = 0]: DayTime): number =>
  Date.parse(`${date}T00:00:00.000Z`) + ((hour * 60 + minute) * 60 + second) * 1000;
