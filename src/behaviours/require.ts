// A condition over the record and those it refers to.
import { isOtherChange } from './lone-change.ts';
import { holds, keysLookedAt } from './over-references.ts';
import { isChanged } from './record-values.ts';
import { keyArgument, type Rule, textArgument } from './rule.ts';

/**
 * `'<field>' must be <must>` unless `that` holds; nothing where a reference on a path of `that` is null. `on` limits it
 * to one operation, `changed` to writes that give that field another value; `butFor` leaves out updates that change that
 * field alone.
 */
export const require = {
  says: '{field} must be {must}: {that}[. Looked at on {on} alone][. Looked at where {changed} changes][. Not looked at where an update changes {butFor} alone].',
  parameters: {
    that: 'condition',
    field: { field: 'any' },
    must: 'text',
    on: { oneOf: ['create', 'update'] },
    changed: { field: 'any' },
    butFor: { field: 'any' },
  },
  optional: ['on', 'changed', 'butFor'],
  on: ['create', 'update'],
  isLocal: ({ conditions }) => conditions['that']?.paths.length === 0,
  looksAt: (use, resource) => (textArgument(use, 'on') === 'create' ? [] : keysLookedAt(resource, use.conditions.that)),
  check: async (moment) => {
    const { use, resource, operation, before, values } = moment;
    const on = textArgument(use, 'on');
    const key = keyArgument(resource, use, 'field');
    const changed = keyArgument(resource, use, 'changed');
    if ((on !== '' && on !== operation) || !moment.isSound(key) || isOtherChange(moment)) return;
    if (changed !== '' && !isChanged(before, values, changed)) return;
    if ((await holds(moment, use.conditions.that)) === false) {
      moment.refuse(key, `must be ${textArgument(use, 'must')}`);
    }
  },
} as const satisfies Rule;
