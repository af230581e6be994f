// The rates of a day (domain: Exchange Rate).
import { divide, multiply, roundToShow } from '../values/decimal.ts';
import { type Bounds, keyArgument, type Rule, textArgument, textOf } from './rule.ts';

/** Decimals of a rate. */
const decimals = 8;

/**
 * The list `into` has an item (`currency`, `rate`) for each of the workspace's `currencies` of which a rate is known on
 * the day `date`: units of it for one unit of `from`. Rates come from the records of the group `periods` (`fromCurrency`,
 * `toCurrency`, `start`, `end`, `rate`), in one direction or the other, or in two steps over the main currency.
 */
export const exchangeRates = {
  says: 'For each currency of the workspace, the list {into} holds the rate of the day {date}, as far as it is known: 1 for {from} itself; else that of the {periods} whose days hold it, in one direction or as 1 ÷ that of the other; else the product of two such steps over the main currency.',
  parameters: { periods: 'group', date: 'parameter', from: 'parameter', into: 'field' },
  needs: { periods: ['fromCurrency', 'toCurrency', 'start', 'end', 'rate'], into: ['currency', 'rate'] },
  compute: async ({ use, resource, values, records }) => {
    const date = textOf(values, keyArgument(resource, use, 'date')) ?? '';
    const from = textOf(values, keyArgument(resource, use, 'from')) ?? '';
    const { currency: main, currencies } = await records.workspace();
    const bounds: readonly Bounds[] = [
      { key: 'start', operator: '<=', value: date },
      { key: 'end', operator: '>=', value: date },
    ];
    const periods = await records.list(textArgument(use, 'periods'), {}, { bounds });
    const known = new Map(
      periods.map((period) => [`${period.fromCurrency}/${period.toCurrency}`, String(period.rate)]),
    );
    const rateOf = rateFinder(known, String(main));
    const codes = Array.isArray(currencies) ? currencies.map(String).sort() : [];
    const items = codes.flatMap((currency) => {
      const rate = rateOf(from, currency);
      return rate === undefined ? [] : [{ currency, rate: roundToShow(rate, decimals) }];
    });
    return { [keyArgument(resource, use, 'into')]: items };
  },
} as const satisfies Rule;

/** Finds the exact rate of one currency in another. @param known Rates by `EUR/USD`. */
function rateFinder(known: ReadonlyMap<string, string>, main: string) {
  const step = (from: string, to: string): string | undefined => {
    const back = known.get(`${to}/${from}`);
    return known.get(`${from}/${to}`) ?? (back === undefined ? undefined : divide('1', back));
  };
  return (from: string, to: string): string | undefined => {
    if (from === to) return '1';
    const [first, second] = [step(from, main), step(main, to)];
    const overMain = first === undefined || second === undefined ? undefined : multiply(first, second);
    return step(from, to) ?? overMain;
  };
}
