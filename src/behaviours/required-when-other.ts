// Fields that states of other records ask for (domain: depends).
import { isOtherDecision, keysInGroup } from './lone-change.ts';
import { holds, keysLookedAt } from './over-references.ts';
import { isUnset } from './record-values.ts';
import { keyOfName, type Rule, textArguments } from './rule.ts';

/** While `when` holds, the `fields` must have a value. */
export const requiredWhenOther = {
  says: 'Required while {when}: {fields}.',
  parameters: { fields: { list: { field: 'any' } }, when: 'condition' },
  on: ['create', 'update'],
  looksAt: (use, resource) => keysLookedAt(resource, use.conditions.when),
  check: async (moment) => {
    const { use, resource, values, refuse, isSound } = moment;
    const keys = textArguments(use, 'fields').map((name) => keyOfName(resource, name));
    if (isOtherDecision(moment, [...keys, ...keysInGroup(resource, use.conditions.when)])) return;
    if ((await holds(moment, use.conditions.when)) !== true) return;
    for (const key of keys) if (isSound(key) && isUnset(values[key])) refuse(key, 'is required');
  },
} as const satisfies Rule;
