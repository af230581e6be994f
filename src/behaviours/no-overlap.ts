// Periods of which no two share a day.
import type { Resource, RuleUse, Values } from '../registry/model.ts';
import { guardedBy, keyArgument, keyOfName, type Rule, textArguments, workspaceRow } from './rule.ts';

/** Records that are equal in the fields `within` share no day from `from` to `to`. */
export const noOverlap = {
  says: 'Records with the same {within} cannot share a day from {from} to {to} (409).',
  parameters: { within: 'fields', from: 'field', to: 'field' },
  conflicts: { create: 'datesOverlap', update: 'datesOverlap' },
  on: ['create', 'update'],
  looksAt: (use, resource) => [
    ...scopeOf(use, resource),
    keyArgument(resource, use, 'from'),
    keyArgument(resource, use, 'to'),
  ],
  guard: ({ use, resource, values }) => {
    const owner = scopeOf(use, resource)
      .map((key) => resource.byKey.get(key))
      .find((field) => field?.kind === 'reference');
    const owned = guardedBy(owner, values);
    return owned.length > 0 ? owned : workspaceRow;
  },
  check: async ({ use, resource, values, records, isSound, conflict }) => {
    const [from, to] = [keyArgument(resource, use, 'from'), keyArgument(resource, use, 'to')];
    // A conflict is told once nothing else is wrong.
    if (!isSound(...resource.byKey.keys())) return;
    const scope: Values = Object.fromEntries(scopeOf(use, resource).map((key) => [key, values[key] ?? null]));
    const overlapping = [
      { key: from, operator: '<=', value: String(values[to]) },
      { key: to, operator: '>=', value: String(values[from]) },
      { key: 'id', operator: '!=', value: String(values.id) },
    ] as const;
    if (await records.exists(resource.name, scope, overlapping)) conflict('datesOverlap');
  },
} as const satisfies Rule;

const scopeOf = (use: RuleUse, resource: Resource): readonly string[] =>
  textArguments(use, 'within').map((name) => keyOfName(resource, name));
