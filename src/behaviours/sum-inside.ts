// An amount inside an object that is the sum of others inside it.
import { add } from '../values/decimal.ts';
import { amountFault, amountOf, heldIn, roundedIn } from './amounts.ts';
import { isRecord } from './record-values.ts';
import { keyArgument, type Rule, textArgument, textArguments } from './rule.ts';

/** `field` of the object `object` is the sum of the object's fields `of`; nothing while there is no object. */
export const sumInside = {
  says: 'In {object}, {field} is the sum of {of}.',
  parameters: {
    object: { field: 'object' },
    field: { field: 'number', in: 'object' },
    of: { list: { field: 'number', in: 'object' } },
  },
  isLocal: true,
  looksAt: (use, resource) => [keyArgument(resource, use, 'object')],
  derive: ({ use, resource, values, refuse }) => {
    const key = keyArgument(resource, use, 'object');
    const inside = textArgument(use, 'field');
    const object = values[key];
    if (!isRecord(object)) return;
    const outer = resource.byKey.get(key);
    const field = outer?.kind === 'object' ? outer.fields.find((other) => other.key === inside) : undefined;
    const sum = textArguments(use, 'of').reduce((total, part) => add(total, amountOf(object, part)), '0');
    const amount = roundedIn(field, sum);
    values[key] = { ...object, [inside]: heldIn(field, amount) };
    const fault = amountFault(field, amount);
    if (fault !== undefined) refuse(`${key}.${inside}`, `must be ${fault}`);
  },
} as const satisfies Rule;
