// A value of the record of a chain that is in effect today. It changes with the calendar, so it is computed on reading.
import type { Rule } from './rule.ts';

/**
 * `field` of that record of `group` whose `owner` is this record: the last that has begun, else the earliest. A rule as long as
 * no formula is taken when its field is read.
 */
export const inEffect = {
  says: '{field} of the {group} in effect today whose {owner} is this record: the last that has begun, else the earliest.',
  parameters: {
    group: 'group',
    owner: { field: 'reference', in: 'group', to: 'this' },
    field: { field: 'any', in: 'group' },
  },
  gives: { field: 'any', like: 'field' },
  needs: { group: { start: 'date' } },
  isLocal: true,
} as const satisfies Rule;
