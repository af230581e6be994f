// The day since which a condition holds.
import { type Rule, textOf } from './rule.ts';

/** Today when `when` becomes true, kept while it stays true, else null. */
export const dateSince = {
  says: 'The day since which {when}; null otherwise.',
  parameters: { when: 'condition' },
  gives: { field: 'date', nullBy: 'always' },
  derive: async ({ use, values, key, today }) => {
    const isSo = use.conditions.when?.test(values) === true;
    values[key] = isSo ? (textOf(values, key) ?? (await today())) : null;
  },
} as const satisfies Rule;
