// Amounts that mean something only when they are not 0.
import { isZero } from '../values/decimal.ts';
import { amountOf } from './amounts.ts';
import { keyArgument, type Rule } from './rule.ts';

/** `field` is not 0. */
export const notZero = {
  says: '{field} must not be 0.',
  parameters: { field: { field: 'number' } },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'field')],
  check: ({ use, resource, values, refuse, isSound }) => {
    const key = keyArgument(resource, use, 'field');
    if (isSound(key) && isZero(amountOf(values, key))) refuse(key, 'must be other than 0');
  },
} as const satisfies Rule;
