// A value of another record that is kept here too, so that lists can be narrowed by it.
import type { Resource } from '../registry/model.ts';
import { keyOfName, type Rule, textArgument } from './rule.ts';

/** `{"use": "keptFrom", "path": "expenseReport.memberId"}`: the value at the path, null where a reference on it is null. */
export const keptFrom = {
  says: 'The value at {path}, kept here; null where a reference on the way is not set.',
  parameters: { path: { path: 'single' } },
  gives: { field: 'single', like: 'path' },
  on: ['create', 'update'],
  looksAt: (use, resource) => [rootOf(resource, textArgument(use, 'path'))],
  derive: async ({ use, resource, values, key, records, refuse }) => {
    const path = textArgument(use, 'path');
    const value = (await records.follow(resource, values, path)) ?? null;
    values[key] = value;
    // Only a reference to nothing leads nowhere here, which is then told in its own words.
    if (value === null && resource.byKey.get(key)?.unset === 'never')
      refuse(rootOf(resource, path), 'must lead to a record');
  },
} as const satisfies Rule;

const rootOf = (resource: Resource, path: string): string => keyOfName(resource, path.split('.')[0] ?? '');
