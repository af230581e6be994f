// The rule `unitPriced`: amounts of categories that count units, such as kilometres at a price each (domain: Expense Items).

import { isUnset } from '../facts/record-values.ts';
import type { Resource, RuleUse } from '../registry/model/model.ts';
import { minorUnits } from '../values/currency.ts';
import { multiply, round } from '../values/decimal.ts';
import { amountOf } from './support/amounts.ts';
import { keyArgument, keyOfName, type Moment, type Rule, textArgument } from './support/rule.ts';

/**
 * Where the record that `category` names has a price (`per`), `count` is required, `price` is that of the category
 * unless sent, and `amount` is their product, not allowed in bodies. Elsewhere count and price are null and refused.
 *
 * A rule, because a price that is null counts as none that was ever sent: it is the category's as it is now, also on an update
 * that sends null or goes to another category. A default by formula goes by what is left out.
 */
export const unitPriced = {
  says: 'Where {category} has a price ({per}), {count} is required, {price} is that price unless sent, and {amount} is their product, rounded in {currency}. Elsewhere {count} and {price} are null and refused.',
  example: {
    properties: {
      category: { reference: 'category', onDelete: 'restrict' },
      currency: { type: 'string', format: 'currency' },
      distance: { type: ['number', 'null'], format: 'decimal', precision: 9, scale: 2, minimum: 0 },
      price: { type: ['number', 'null'], format: 'decimal', precision: 9, scale: 2, minimum: 0 },
      amount: { type: ['number', 'null'], format: 'decimal', precision: 12, scale: 2, minimum: 0 },
    },
    required: ['category', 'currency'],
    rules: [
      {
        use: 'unitPriced',
        category: 'category',
        per: 'price',
        count: 'distance',
        price: 'price',
        amount: 'amount',
        currency: 'currency',
      },
    ],
    beside: {
      category: {
        properties: {
          price: { type: ['number', 'null'], format: 'decimal', precision: 9, scale: 2, minimum: 0 },
        },
      },
    },
  },
  refuses: [
    { at: '{count}', text: 'is required' },
    ...['{count}', '{price}', '{amount}'].map((at) => ({ at, text: 'is not allowed' })),
  ],
  parameters: {
    category: { field: 'reference' },
    per: { field: 'decimal', in: 'category' },
    count: { field: 'number' },
    price: { field: 'decimal', filled: true },
    amount: { field: 'decimal', filled: true },
    currency: { path: 'currency' },
  },
  computed: { amount: { whileSet: 'count' } },
  on: ['create', 'update'],
  // In another currency the same product is rounded to other decimals.
  looksAt: (use, resource) => [...Object.values(keysOf(use, resource)), currencyKey(use, resource)],
  fill: async (moment) => {
    const { use, resource, values, sent, refuse, isSound } = moment;
    const { category, count, price, amount } = keysOf(use, resource);
    if (!isSound(category, count, price, amount)) return;
    const offered = await moment.records.follow(resource, values, `${category}.${textArgument(use, 'per')}`);
    // A category that does not exist is a fault of its own.
    if (offered === undefined) return;
    if (offered === null) {
      for (const key of [count, price]) {
        if (sent.has(key) && !isUnset(values[key])) refuse(key, 'is not allowed', 'not-allowed');
        values[key] = null;
      }
      return;
    }
    if (isUnset(values[price])) values[price] = offered;
    if (sent.has(amount) && !isUnset(values[amount])) refuse(amount, 'is not allowed', 'not-allowed');
    if (isUnset(values[count])) refuse(count, 'is required', 'required');
    else await multiplied(moment);
  },
} as const satisfies Rule;

const keysOf = (use: RuleUse, resource: Resource) => ({
  category: keyArgument(resource, use, 'category'),
  count: keyArgument(resource, use, 'count'),
  price: keyArgument(resource, use, 'price'),
  amount: keyArgument(resource, use, 'amount'),
});

/** The field that gives the currency, or leads to it. */
const currencyKey = (use: RuleUse, resource: Resource): string =>
  keyOfName(resource, textArgument(use, 'currency').split('.')[0] ?? '');

async function multiplied(moment: Moment): Promise<void> {
  const { use, resource, values } = moment;
  const { count, price, amount } = keysOf(use, resource);
  const currency = await moment.records.follow(resource, values, textArgument(use, 'currency'));
  if (typeof currency !== 'string') return;
  values[amount] = round(multiply(amountOf(values, count), amountOf(values, price)), minorUnits(currency));
}
