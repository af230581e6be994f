// What is added to a cost when it is billed (domain: markup).
import { minorUnits } from '../values/currency.ts';
import { add, multiply, round } from '../values/decimal.ts';
import { amountOf, setAmount } from './amounts.ts';
import { keyArgument, type Rule, textArgument } from './rule.ts';
import { firstValue } from './sources.ts';

/**
 * Derives `field`, by `method` the share `ratio` of `amount` or the amount `value`, null without a method, and `total`,
 * the amount with it. `currency` is a path: shares are rounded in that currency.
 */
export const markup = {
  says: '{field} follows from {method}: the share {ratio} of {amount}, or the amount {value}; null without a method. {total} is {amount} with it. Rounded in the currency at {currency}.',
  parameters: {
    amount: { field: 'number' },
    method: { field: 'enum' },
    ratio: { field: 'number' },
    value: { field: 'number' },
    field: { field: 'number' },
    total: { field: 'number' },
    currency: { path: 'currency' },
  },
  on: ['create', 'update'],
  derive: async (moment) => {
    const { use, resource, values } = moment;
    const at = (name: string): string => keyArgument(resource, use, name);
    const amount = amountOf(values, at('amount'));
    const currency = await firstValue(moment, [textArgument(use, 'currency')]);
    const units = typeof currency === 'string' ? minorUnits(currency) : 2;
    switch (values[at('method')]) {
      case 'percentage':
        setAmount(moment, at('field'), round(multiply(amount, amountOf(values, at('ratio'))), units));
        break;
      case 'amount':
        setAmount(moment, at('field'), amountOf(values, at('value')));
        break;
      default:
        values[at('field')] = null;
    }
    setAmount(moment, at('total'), add(amount, amountOf(values, at('field'))));
  },
} as const satisfies Rule;
