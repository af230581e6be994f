// Dates that stand for a month.
import { keyOfName, type Rule, textArguments, textOf } from './rule.ts';

/** Each of `fields` that is set is the first day of a month. */
export const firstOfMonth = {
  says: 'Must be the first day of a month, where set: {fields}.',
  parameters: { fields: { list: { field: 'date' } } },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => textArguments(use, 'fields').map((name) => keyOfName(resource, name)),
  check: ({ use, resource, values, refuse, isSound }) => {
    for (const key of textArguments(use, 'fields').map((name) => keyOfName(resource, name))) {
      const date = textOf(values, key);
      if (date !== null && isSound(key) && !date.endsWith('-01')) refuse(key, 'must be the first day of a month');
    }
  },
} as const satisfies Rule;
