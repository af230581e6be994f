// Fields that are set together (domain: together).
import { isUnset } from './record-values.ts';
import { keyOfName, type Rule, textArguments } from './rule.ts';

/** All of `fields` are set, or none. */
export const together = {
  says: 'All are set, or none: {fields}.',
  parameters: { fields: { list: { field: 'any' } } },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => textArguments(use, 'fields').map((name) => keyOfName(resource, name)),
  check: ({ use, resource, values, refuse, isSound }) => {
    const keys = textArguments(use, 'fields').map((name) => keyOfName(resource, name));
    const missing = keys.filter((key) => isUnset(values[key]));
    if (!isSound(...keys) || missing.length === keys.length) return;
    for (const key of missing) refuse(key, 'is required');
  },
} as const satisfies Rule;
