// Values that a change of a reference brings along.
import { isChanged } from './record-values.ts';
import { keyArgument, type Rule, textArgument } from './rule.ts';

/** On update, `field` takes the value at the path `from` when the reference `changed` changes, unless it is sent. */
export const againFrom = {
  says: 'On update, {field} is taken from {from} again when {changed} changes, unless it is sent itself.',
  parameters: { field: { field: 'any' }, from: { path: 'any', like: 'field' }, changed: { field: 'reference' } },
  on: ['update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'changed')],
  fill: async ({ use, resource, before, values, sent, records }) => {
    const key = keyArgument(resource, use, 'field');
    if (sent.has(key) || !isChanged(before, values, keyArgument(resource, use, 'changed'))) return;
    const value = await records.follow(resource, values, textArgument(use, 'from'));
    if (value !== undefined) values[key] = value;
  },
} as const satisfies Rule;
