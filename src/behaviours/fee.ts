// A fee, as an amount or as a quantity at a rate (domain: fee).
import { minorUnits } from '../values/currency.ts';
import { compare, multiply, round } from '../values/decimal.ts';
import { amountOf, setAmount } from './amounts.ts';
import { isUnset } from './record-values.ts';
import { keyArgument, type Rule, textArgument } from './rule.ts';
import { firstValue } from './sources.ts';

/** With `quantity` and `rate`, `field` is their product, rounded in the currency at the path `currency`. */
export const fee = {
  says: 'With {quantity} and {rate}, {field} is their product, rounded in the currency at {currency}.',
  parameters: {
    field: { field: 'number', filled: true },
    quantity: { field: 'number' },
    rate: { field: 'number' },
    currency: { path: 'currency' },
  },
  on: ['create', 'update'],
  looksAt: (use, resource) => ['field', 'quantity', 'rate'].map((name) => keyArgument(resource, use, name)),
  fill: async (moment) => {
    const { use, resource, values, sent, refuse, isSound } = moment;
    const [key, quantity, rate] = ['field', 'quantity', 'rate'].map((name) => keyArgument(resource, use, name));
    if (key === undefined || quantity === undefined || rate === undefined || !isSound(key, quantity, rate)) return;
    if (isUnset(values[quantity]) || isUnset(values[rate])) return;
    const currency = await firstValue(moment, [textArgument(use, 'currency')]);
    if (typeof currency !== 'string') return;
    const amount = round(multiply(amountOf(values, quantity), amountOf(values, rate)), minorUnits(currency));
    const isOther = sent.has(key) && !isUnset(values[key]) && compare(amountOf(values, key), amount) !== 0;
    if (isOther) refuse(key, `must be ${quantity} × ${rate} (${amount})`);
    else setAmount(moment, key, amount);
  },
} as const satisfies Rule;
