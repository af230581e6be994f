// A switch that says whether a condition holds.
import type { Rule } from './rule.ts';

/** `{"use": "condition", "when": "billingTypeId != 'non_billable'"}` on a boolean field. */
export const condition = {
  parameters: { when: 'condition' },
  isLocal: true,
  derive: ({ use, values, key }) => {
    values[key] = use.conditions.when?.test(values) === true;
  },
} as const satisfies Rule;
