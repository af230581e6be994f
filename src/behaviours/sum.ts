// An amount that is the sum of others.
import { add } from '../values/decimal.ts';
import { amountOf, setAmount } from './amounts.ts';
import { keyOfName, type Rule, textArguments } from './rule.ts';

/** Sum of the fields in `of`, null counting as 0; null itself while `when` is false. */
export const sum = {
  says: 'The sum of {of}, unset ones counting as 0[; null unless {when}].',
  parameters: { of: { list: { field: 'number' } }, when: 'condition' },
  gives: { field: 'number', nullBy: ['when'] },
  optional: ['when'],
  isLocal: true,
  derive: (moment) => {
    const { use, resource, values, key } = moment;
    const keys = textArguments(use, 'of').map((name) => keyOfName(resource, name));
    if (use.conditions.when?.test(values) === false) values[key] = null;
    else setAmount(moment, key, keys.map((part) => amountOf(values, part)).reduce(add, '0'));
  },
} as const satisfies Rule;
