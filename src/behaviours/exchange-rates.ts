// The rates of a day (domain: Exchange Rate).
import { roundToShow } from '../values/decimal.ts';
import { ratePeriods, ratesOn } from './day-rates.ts';
import { keyArgument, type Rule, textArgument, textOf } from './rule.ts';

/** Decimals of a rate. */
const decimals = 8;

/**
 * The list `into` has an item (`currency`, `rate`) for each of the workspace's `currencies` of which a rate is known on
 * the day `date`: units of it for one unit of `from`. Rates come from the records of the group `periods` (`fromCurrency`,
 * `toCurrency`, `start`, `end`, `rate`), in one direction or the other, or in two steps over the main currency. A rule, because
 * the record is kept nowhere, and no formula gives a list of objects.
 */
export const exchangeRates = {
  says: 'For each currency of the workspace, the list {into} holds the rate of the day {date}, as far as it is known: 1 for {from} itself; else that of the {periods} whose days hold it, in one direction or as 1 ÷ that of the other; else the product of two such steps over the main currency.',
  parameters: {
    periods: 'group',
    date: { field: 'date', parameter: true },
    from: { field: 'currency', parameter: true },
    into: { field: 'objects' },
  },
  needs: {
    periods: ratePeriods,
    into: { currency: 'currency', rate: 'decimal' },
    workspace: { currency: 'currency', currencies: 'texts' },
  },
  compute: async ({ use, resource, values, records }) => {
    const date = textOf(values, keyArgument(resource, use, 'date')) ?? '';
    const from = textOf(values, keyArgument(resource, use, 'from')) ?? '';
    const { currencies } = await records.workspace();
    const rateOf = await ratesOn(records, textArgument(use, 'periods'), date);
    const codes = Array.isArray(currencies) ? currencies.map(String).sort() : [];
    const items = codes.flatMap((currency) => {
      const rate = rateOf(from, currency);
      return rate === undefined ? [] : [{ currency, rate: roundToShow(rate, decimals) }];
    });
    return { [keyArgument(resource, use, 'into')]: items };
  },
} as const satisfies Rule;
