// Fields that a state of the record sets.
import { isRecord } from './record-values.ts';
import { keyOfName, type Rule } from './rule.ts';

/** While `when` holds, the fields have the values of `set`, whatever is sent. */
export const resetWhen = {
  says: 'While {when}, whatever is sent: {set}.',
  parameters: { when: 'condition', set: { map: { field: 'any' }, to: { literalOf: '@key' } } },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => [
    ...(use.conditions.when?.keys ?? []),
    ...Object.keys(use.arguments.set ?? {}).map((name) => keyOfName(resource, name)),
  ],
  fill: ({ use, resource, values }) => {
    const set = use.arguments.set;
    if (!isRecord(set) || use.conditions.when?.test(values) !== true) return;
    for (const [name, value] of Object.entries(set)) values[keyOfName(resource, name)] = value;
  },
} as const satisfies Rule;
