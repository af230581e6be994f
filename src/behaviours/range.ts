// Two dates in order (domain: range).
import { datePair } from './date-pair.ts';

/** When both are set, `to` is on or after `from`. */
export const range = datePair('Where both are set, {to} must be on or after {from}.', (first, last, from) =>
  last < first ? `must be on or after ${from}` : undefined,
);
