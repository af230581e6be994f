// Two dates of one week.
import { daysBetween } from '../values/date.ts';
import { datePair } from './date-pair.ts';

/** A Monday. */
const someMonday = '2024-01-01';

const weekOf = (date: string): number => Math.floor(daysBetween(someMonday, date) / 7);

/** `from` and `to` are in the same ISO week, Monday to Sunday; dates out of order are for `range`. */
export const sameWeek = datePair('{from} and {to} must be in the same week, Monday to Sunday.', (first, last, from) =>
  last >= first && weekOf(first) !== weekOf(last) ? `must be in the same week as ${from}` : undefined,
);
