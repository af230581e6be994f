// An amount taken over from another record, in another currency.
import { multiply, round } from '../values/decimal.ts';
import { setAmount } from './amounts.ts';
import { ratePeriods, ratesOn } from './day-rates.ts';
import { isUnset } from './record-values.ts';
import { keyArgument, type Moment, type Rule, textArgument } from './rule.ts';

/** Decimals of a rate per hour or unit. */
const decimals = 4;

/**
 * On create, `field` is the amount at the path `of`, where it is not sent: from the currency at the path `currency` into that
 * at `into`, at the rate of today, which the group `rates` keeps; where none is known the amount must be sent.
 *
 * A rule, because it hangs on what is sent: null that is sent stands, and nothing is asked of it. No formula sees that.
 */
export const convertedFrom = {
  says: 'On create, {field} is {of}, converted from {currency} into {into} at the rate of the day that the {rates} give, unless it is sent; it must be sent where they give none.',
  parameters: {
    field: { field: 'decimal', filled: true },
    of: { path: 'single' },
    currency: { path: 'currency' },
    into: { path: 'currency' },
    rates: 'group',
  },
  needs: { rates: ratePeriods },
  on: ['create'],
  fill: async (moment) => {
    const { values } = moment;
    const key = fieldKey(moment);
    if (!isTaken(moment, key)) return;
    const amount = await at(moment, 'of');
    if (typeof amount !== 'string') return;
    const converted = await convert(moment, amount);
    if (converted === amount) values[key] = amount;
    else if (converted !== undefined) setAmount(moment, key, converted);
  },
  check: async (moment) => {
    const { use, values } = moment;
    const key = fieldKey(moment);
    if (!moment.isSound(key, textArgument(use, 'of').split('.')[0] ?? '') || !isTaken(moment, key)) return;
    if (!isUnset(values[key]) || isUnset(await at(moment, 'of'))) return;
    const [from, into] = [await at(moment, 'currency'), await at(moment, 'into')];
    moment.refuse(key, `must be sent: no exchange rate from ${String(from)} to ${String(into)} is known`);
  },
} as const satisfies Rule;

const fieldKey = ({ use, resource }: Moment): string => keyArgument(resource, use, 'field');

/** What does not apply to the record as it will be is not taken over. */
const isTaken = ({ resource, values, sent }: Moment, key: string): boolean =>
  !sent.has(key) && resource.byKey.get(key)?.onlyWhen?.rulesOut(values) !== true;

const at = ({ use, resource, values, records }: Moment, argument: string) =>
  records.follow(resource, values, textArgument(use, argument));

/** Undefined where no rate is known. */
async function convert(moment: Moment, amount: string): Promise<string | undefined> {
  const [from, into] = [String(await at(moment, 'currency')), String(await at(moment, 'into'))];
  if (from === into) return amount;
  const rateOf = await ratesOn(moment.records, textArgument(moment.use, 'rates'), await moment.today());
  const rate = rateOf(from, into);
  return rate === undefined ? undefined : round(multiply(amount, rate), decimals);
}
