// An amount that is the product of others.
import { minorUnits } from '../values/currency.ts';
import { multiply, round } from '../values/decimal.ts';
import { amountOf, setAmount } from './amounts.ts';
import { isUnset } from './record-values.ts';
import { keyArgument, keyOfName, type Rule, textArgument, textArguments } from './rule.ts';

/** Product of the fields in `of`, rounded in the currency of the field `currency` and as its own field is; null while one of them is null. */
export const product = {
  says: 'The product of {of}[, rounded in {currency}]; null while one of them is null.',
  parameters: { of: { list: { field: 'number' } }, currency: { field: 'currency' } },
  gives: { field: 'number', nullBy: ['of', 'currency'] },
  optional: ['currency'],
  isLocal: true,
  looksAt: (use, resource) =>
    [...textArguments(use, 'of'), textArgument(use, 'currency')].map((name) => keyOfName(resource, name)),
  derive: (moment) => {
    const { use, resource, values, key } = moment;
    const keys = textArguments(use, 'of').map((name) => keyOfName(resource, name));
    const currency = values[keyArgument(resource, use, 'currency')];
    const isInCurrency = use.arguments.currency !== undefined;
    if (keys.some((part) => isUnset(values[part])) || (isInCurrency && isUnset(currency))) values[key] = null;
    else {
      const amount = keys.map((part) => amountOf(values, part)).reduce(multiply, '1');
      setAmount(moment, key, typeof currency === 'string' ? round(amount, minorUnits(currency)) : amount);
    }
  },
} as const satisfies Rule;
