// Periods of a bounded length.
import { datePair } from './date-pair.ts';

const mostYears = 5;

/** From `from` to `to` are at most 5 years: up to the day before the same day five years later. */
export const span = datePair('From {from} to {to} are at most 5 years.', (first, last, from) => {
  const year = Number(first.slice(0, 4)) + mostYears;
  // Texts of dates compare as dates do, also those that no calendar has (02-29 of a common year).
  const isTooLong = year <= 9999 && last >= `${year}${first.slice(4)}`;
  return isTooLong ? `must be at most ${mostYears} years after ${from}` : undefined;
});
