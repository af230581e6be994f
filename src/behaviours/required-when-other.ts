// Fields that states of other records ask for (domain: depends).
import { isOtherChange } from './lone-change.ts';
import { holds, keysLookedAt } from './over-references.ts';
import { isUnset } from './record-values.ts';
import { keyOfName, type Rule, textArguments } from './rule.ts';

/** While `when` holds, the `fields` must have a value; `butFor` leaves out updates that change that field alone. */
export const requiredWhenOther = {
  says: 'Required while {when}: {fields}[. Not looked at where an update changes {butFor} alone].',
  parameters: { fields: { list: { field: 'any' } }, when: 'condition', butFor: { field: 'any' } },
  optional: ['butFor'],
  on: ['create', 'update'],
  looksAt: (use, resource) => keysLookedAt(resource, use.conditions.when),
  check: async (moment) => {
    const { use, resource, values, refuse, isSound } = moment;
    const keys = textArguments(use, 'fields').map((name) => keyOfName(resource, name));
    if (isOtherChange(moment) || (await holds(moment, use.conditions.when)) !== true) return;
    for (const key of keys) if (isSound(key) && isUnset(values[key])) refuse(key, 'is required');
  },
} as const satisfies Rule;
