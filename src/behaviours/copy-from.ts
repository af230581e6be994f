// Values copied from another record that only the create names.
import { multiply, round } from '../values/decimal.ts';
import { setAmount } from './amounts.ts';
import { ratePeriods, ratesOn } from './day-rates.ts';
import { isUnset } from './record-values.ts';
import { keyArgument, keyOfName, type Moment, type Rule, textArgument, textArguments } from './rule.ts';

/** Decimals of a rate per hour or unit. */
const decimals = 4;

/**
 * Copies `fields` from the record that `through` names, where they are not sent. The amount `amount` is in the currency
 * at the path `currency` there and comes into that at the path `into`, at the rate of today, which the group `rates`
 * keeps; where none is known the amount must be sent.
 */
export const copyFrom = {
  says: 'What is not sent of {fields} is copied from the record in {through}[; {amount} is converted from {currency} into {into} at the rate of the day that the {rates} give, and must be sent where they give none].',
  parameters: {
    through: { field: 'reference' },
    fields: { list: { field: 'any', filled: true } },
    amount: { field: 'decimal' },
    currency: { path: 'currency' },
    into: { path: 'currency' },
    rates: 'group',
  },
  needs: { rates: ratePeriods },
  optional: ['amount', 'currency', 'into', 'rates'],
  on: ['create'],
  fill: async (moment) => {
    const { use, resource, values, records } = moment;
    const through = keyArgument(resource, use, 'through');
    if (isUnset(values[through])) return;
    for (const key of textArguments(use, 'fields').map((name) => keyOfName(resource, name))) {
      if (!isCopied(moment, key)) continue;
      const value = await records.follow(resource, values, `${through}.${key}`);
      if (value === undefined) continue;
      if (key === keyArgument(resource, use, 'amount') && typeof value === 'string') await convert(moment, key, value);
      else values[key] = value;
    }
  },
  check: async (moment) => {
    const { use, resource, values, records } = moment;
    const [through, key] = [keyArgument(resource, use, 'through'), keyArgument(resource, use, 'amount')];
    if (isUnset(values[through]) || !moment.isSound(through, key) || !isCopied(moment, key)) return;
    const theirs = await records.follow(resource, values, `${through}.${key}`);
    if (isUnset(theirs) || !isUnset(values[key])) return;
    const [from, into] = await currencies(moment);
    moment.refuse(key, `must be sent: no exchange rate from ${from} to ${into} is known`);
  },
} as const satisfies Rule;

/** What does not apply to the record as it will be is not copied. */
const isCopied = ({ resource, values, sent }: Moment, key: string): boolean =>
  !sent.has(key) && resource.byKey.get(key)?.onlyWhen?.test(values) !== false;

const currencies = async ({ use, resource, values, records }: Moment): Promise<[string, string]> => [
  String(await records.follow(resource, values, textArgument(use, 'currency'))),
  String(await records.follow(resource, values, textArgument(use, 'into'))),
];

/** Leaves the field unset where no rate is known. */
async function convert(moment: Moment, key: string, amount: string): Promise<void> {
  const { use, records } = moment;
  const [from, into] = await currencies(moment);
  if (from === into) {
    moment.values[key] = amount;
    return;
  }
  const rateOf = await ratesOn(records, textArgument(use, 'rates'), await moment.today());
  const rate = rateOf(from, into);
  if (rate !== undefined) setAmount(moment, key, round(multiply(amount, rate), decimals));
}
