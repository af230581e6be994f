// Tasks that take time only of those who are assigned to them.
import { matching, matchOf } from './matching.ts';
import { itemsOf } from './record-values.ts';
import { keyArgument, type Rule, textArgument, textOf } from './rule.ts';

/**
 * While the record that `to` names has the switch `flag`, its list `roles` must hold this record's `role`, or its list
 * `members` the record of `group` that matches (`match`: key there → key here).
 */
export const assignedOnly = {
  says: 'While {flag} of the record in {to} is true, its {roles} must hold this record’s {role}, or its {members} the {group} with {match:match}.',
  parameters: {
    to: { field: 'reference' },
    flag: { field: 'boolean', in: 'to' },
    roles: { field: 'objects', in: 'to' },
    role: { field: 'reference' },
    members: { field: 'objects', in: 'to' },
    group: 'group',
    match: matching,
  },
  needs: { roles: { id: { field: 'reference', like: 'role' } }, members: { id: { field: 'reference', to: 'group' } } },
  on: ['create', 'update'],
  looksAt: (use, resource) => ['to', 'role'].map((name) => keyArgument(resource, use, name)),
  check: async (moment) => {
    const { use, resource, values, records } = moment;
    const key = keyArgument(resource, use, 'to');
    const field = resource.byKey.get(key);
    const id = textOf(values, key);
    if (field?.kind !== 'reference' || id === null || !moment.isSound(key)) return;
    // The flag first: most have it off, and the lists are statements of their own.
    if ((await records.follow(resource, values, `${field.name}.${textArgument(use, 'flag')}`)) !== true) return;
    const task = await records.whole(field.target, id);
    const names = (list: string): readonly unknown[] => itemsOf(task, textArgument(use, list)).map((item) => item.id);
    if (names('roles').includes(values[keyArgument(resource, use, 'role')])) return;
    const match = matchOf(moment, values);
    const members = match === undefined ? [] : await records.list(textArgument(use, 'group'), match);
    if (!members.some((member) => names('members').includes(member.id))) {
      moment.refuse(key, `must be a ${resource.byKey.get(key)?.name ?? key} that the member is assigned to`);
    }
  },
} as const satisfies Rule;
