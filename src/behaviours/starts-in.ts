// The states that a record can be made in, where others follow from what is done with it.
import { keyArgument, type Rule, textArguments, textOf } from './rule.ts';

/** On create, `field` is one of `of`, or is not sent. */
export const startsIn = {
  says: 'On create, {field} is one of {of}, or is not sent.',
  parameters: { field: { field: 'enum' }, of: { list: { literalOf: 'field' } } },
  isLocal: true,
  on: ['create'],
  // Before anything is derived: a rule may give the record another state at once.
  fill: ({ use, resource, values, refuse, isSound }) => {
    const key = keyArgument(resource, use, 'field');
    const state = textOf(values, key);
    const states = textArguments(use, 'of');
    if (state !== null && isSound(key) && !states.includes(state)) refuse(key, `must be one of ${states.join(', ')}`);
  },
} as const satisfies Rule;
