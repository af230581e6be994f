// Fields of which at least one is set.
import { isUnset } from './record-values.ts';
import { keyOfName, type Rule, textArguments } from './rule.ts';

/** Asks for the first of `fields` where none is set. */
export const requireOneOf = {
  says: 'At least one must be set: {fields}.',
  parameters: { fields: { list: { field: 'any' } } },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => textArguments(use, 'fields').map((name) => keyOfName(resource, name)),
  check: ({ use, resource, values, refuse, isSound }) => {
    const keys = textArguments(use, 'fields').map((name) => keyOfName(resource, name));
    const [first] = keys;
    if (first !== undefined && isSound(...keys) && keys.every((key) => isUnset(values[key]))) {
      refuse(first, 'is required');
    }
  },
} as const satisfies Rule;
