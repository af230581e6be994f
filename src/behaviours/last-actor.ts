// Who changed a record last.
import { isChanged } from './record-values.ts';
import type { Rule } from './rule.ts';

/** The acting member of the last update that changed something; null before the first. */
export const lastActor = {
  says: 'The acting member of the last update that changed something; null before the first.',
  parameters: {},
  gives: { field: 'reference', nullBy: 'always' },
  on: ['create', 'update'],
  looksAt: (_use, resource) => [...resource.byKey.keys()],
  derive: ({ operation, before, values, sent, key, actingMember }) => {
    if (operation === 'create') values[key] = null;
    else if ([...sent].some((other) => isChanged(before, values, other))) values[key] = actingMember;
  },
} as const satisfies Rule;
