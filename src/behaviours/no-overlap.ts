// Periods of which no two share a day.
import type { Resource, RuleUse, Values } from '../registry/model.ts';
import {
  type Bounds,
  guardedBy,
  keyArgument,
  keyOfName,
  openAt,
  type Rule,
  textArguments,
  textOf,
  workspaceRow,
} from './rule.ts';

/** Records that are equal in the fields `within` share no day from `from` to `to`; without one of the two a period is open there. */
export const noOverlap = {
  says: 'Records with the same {within} cannot share a day from {from} to {to} (409).',
  parameters: {
    within: { list: { field: 'single', kept: true } },
    from: { field: 'date', kept: true },
    to: { field: 'date', kept: true },
  },
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
    const [first, last] = [textOf(values, from), textOf(values, to)];
    const overlapping: readonly Bounds[] = [
      ...(last === null ? [] : [{ key: from, operator: '<=', value: last, ...openAt(resource, from) } as const]),
      ...(first === null ? [] : [{ key: to, operator: '>=', value: first, ...openAt(resource, to) } as const]),
      { key: 'id', operator: '!=', value: String(values.id) },
    ];
    if (await records.exists(resource.name, scope, overlapping)) conflict('datesOverlap');
  },
} as const satisfies Rule;

const scopeOf = (use: RuleUse, resource: Resource): readonly string[] =>
  textArguments(use, 'within').map((name) => keyOfName(resource, name));
