// The day on which a record came into a state that another record has.
import { holds } from './over-references.ts';
import { isChanged } from './record-values.ts';
import { keyArgument, type Rule, textOf } from './rule.ts';

/** Today when `changed` changes and `when` holds, or when it begins to hold; kept while neither changes, else null. */
export const dateEntered = {
  says: 'Today when {changed} changes while {when}, or when that begins to hold; kept while neither changes; else null.',
  parameters: { when: 'condition', changed: { field: 'any' } },
  gives: { field: 'date', nullBy: 'always' },
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'changed')],
  derive: async (moment) => {
    const { use, resource, before, values, key, today } = moment;
    const isSo = (await holds(moment, use.conditions.when)) === true;
    const isEntered = isChanged(before, values, keyArgument(resource, use, 'changed'));
    const kept = isEntered ? null : textOf(values, key);
    values[key] = isSo ? (kept ?? (await today())) : null;
  },
} as const satisfies Rule;
