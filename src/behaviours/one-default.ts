// At most one default in a group (domain: isDefault).
import type { Resource, RuleUse } from '../registry/model.ts';
import { keyArgument, type Rule, workspaceRow } from './rule.ts';

/**
 * Sending true in `field` moves the flag here. Its holder cannot be deleted, or made inactive (`activeField`), and an
 * inactive record cannot take it.
 */
export const oneDefault = {
  says: 'One record at a time has {field}: sending true moves it here. Its holder cannot be deleted or made inactive[ ({activeField})], and an inactive record cannot take it.',
  parameters: { field: { field: 'boolean', kept: true }, activeField: { field: 'boolean' } },
  optional: ['activeField'],
  conflicts: { update: 'readOnly', delete: 'inUse', cascade: 'inUse' },
  looksAt: keysOf,
  guard: ({ use, resource, before, values }) => {
    const key = keyArgument(resource, use, 'field');
    return values[key] === true || before?.[key] === true ? workspaceRow : [];
  },
  lock: ({ use, resource, before, values, conflict }) => {
    const [key, active = ''] = keysOf(use, resource);
    if (key !== undefined && before?.[key] === true && before[active] === true && values[active] === false) {
      conflict('readOnly');
    }
  },
  check: ({ use, resource, operation, before, values, refuse, conflict }) => {
    const [key = '', active = ''] = keysOf(use, resource);
    const isHolder = before?.[key] === true;
    if (operation === 'delete') {
      if (isHolder) conflict('inUse');
    } else if (isHolder && values[key] === false) {
      refuse(key, `must be true until another ${resource.title} takes it`);
    } else if (values[key] === true && values[active] === false) {
      refuse(key, `must be false while ${active} is false`);
    }
  },
  after: async ({ use, resource, operation, before, values, records, effects }) => {
    const key = keyArgument(resource, use, 'field');
    if (operation === 'delete' || values[key] !== true || before?.[key] === true) return;
    const holders = await records.list(resource.name, { [key]: true });
    const others = holders.map(({ id }) => String(id)).filter((id) => id !== values.id);
    await effects.refresh(resource.name, others, { [key]: false });
  },
} as const satisfies Rule;

function keysOf(use: RuleUse, resource: Resource): readonly string[] {
  const names = use.arguments.activeField === undefined ? ['field'] : ['field', 'activeField'];
  return names.map((name) => keyArgument(resource, use, name));
}
