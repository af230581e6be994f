// Fields that apply only in some states of other records (domain: depends).
import type { Resource, RuleUse } from '../registry/model.ts';
import { holds, keysLookedAt } from './over-references.ts';
import { isUnset } from './record-values.ts';
import { keyOfName, type Rule, textArguments } from './rule.ts';

/** While `when` is false, the `fields` are null (lists empty), and refused in bodies. */
export const onlyWhenOther = {
  says: 'Null (lists are empty) and refused in bodies unless {when}: {fields}.',
  parameters: { fields: { list: { field: 'any' } }, when: 'condition' },
  on: ['create', 'update'],
  looksAt: (use, resource) => [...keysOf(use, resource), ...keysLookedAt(resource, use.conditions.when)],
  derive: async (moment) => {
    const { use, resource, values, sent } = moment;
    if ((await holds(moment, use.conditions.when)) !== false) return;
    for (const key of keysOf(use, resource)) {
      if (sent.has(key) && !isUnset(values[key])) moment.refuse(key, 'is not allowed');
      values[key] = Array.isArray(values[key]) ? [] : null;
    }
  },
} as const satisfies Rule;

const keysOf = (use: RuleUse, resource: Resource): readonly string[] =>
  textArguments(use, 'fields').map((name) => keyOfName(resource, name));
