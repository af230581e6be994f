// A switch that says whether a condition holds.
import type { Rule } from './rule.ts';

/** `{"use": "condition", "when": "billingTypeId != 'non_billable'"}` on a boolean field. */
export const condition = {
  says: 'True while {when}, else false.',
  parameters: { when: 'condition' },
  gives: { field: 'boolean' },
  isLocal: true,
  derive: ({ use, values, key }) => {
    values[key] = use.conditions.when?.test(values) === true;
  },
} as const satisfies Rule;
