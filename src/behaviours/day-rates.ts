// Exchange rates of a day, out of the records that keep them (domain: Exchange Rate).
import type { Needs } from '../registry/parameters.ts';
import { divide, multiply } from '../values/decimal.ts';
import type { Bounds, Question } from './rule.ts';

/** What the records that keep rates must have. */
export const ratePeriods = {
  fromCurrency: 'currency',
  toCurrency: 'currency',
  start: { field: 'date', neverNull: true },
  end: { field: 'date', neverNull: true },
  rate: 'decimal',
} as const satisfies Needs;

/** Units of the second currency for one unit of the first, as an exact decimal; undefined where no rate is known. */
export type RateFinder = (from: string, to: string) => string | undefined;

/**
 * The rates of a day: 1 of a currency in itself, else that of the period that holds the day, in one direction or the
 * other, else the product of two such steps over the main currency.
 *
 * @param periods The group that keeps them (`fromCurrency`, `toCurrency`, `start`, `end`, `rate`).
 * @param date `YYYY-MM-DD`
 */
export async function ratesOn(records: Question['records'], periods: string, date: string): Promise<RateFinder> {
  const { currency: main } = await records.workspace();
  const bounds: readonly Bounds[] = [
    { key: 'start', operator: '<=', value: date },
    { key: 'end', operator: '>=', value: date },
  ];
  const found = await records.list(periods, {}, { bounds });
  const known = new Map(found.map((period) => [`${period.fromCurrency}/${period.toCurrency}`, String(period.rate)]));
  return rateFinder(known, String(main));
}

/** Finds the exact rate of one currency in another. @param known Rates by `EUR/USD`. */
function rateFinder(known: ReadonlyMap<string, string>, main: string): RateFinder {
  const step = (from: string, to: string): string | undefined => {
    const back = known.get(`${to}/${from}`);
    return known.get(`${from}/${to}`) ?? (back === undefined ? undefined : divide('1', back));
  };
  return (from, to) => {
    if (from === to) return '1';
    const [first, second] = [step(from, main), step(main, to)];
    const overMain = first === undefined || second === undefined ? undefined : multiply(first, second);
    return step(from, to) ?? overMain;
  };
}
