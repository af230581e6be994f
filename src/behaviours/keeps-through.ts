// References that may change only to records that lead to the same.
import { isRecord } from './record-values.ts';
import { keyArgument, type Moment, type Rule, textArgument, textOf } from './rule.ts';

/**
 * `'<field>' must be <must>` where an update changes what `path` leads to. With `usedBy` (group → its field that names
 * this record) only once one of these groups has such a record.
 */
export const keepsThrough = {
  says: '{field} must be {must}: an update cannot change what {path} leads to[ once there are records that name this one: {usedBy:usedBy}].',
  parameters: {
    field: { field: 'reference' },
    path: { path: 'any' },
    must: 'text',
    usedBy: { map: 'group', to: { field: 'reference', in: '@key', to: 'this' } },
  },
  optional: ['usedBy'],
  on: ['update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'field')],
  check: async (moment) => {
    const { use, resource, before, values, records, isSound } = moment;
    const key = keyArgument(resource, use, 'field');
    if (before === undefined || !isSound(key) || before[key] === values[key]) return;
    const path = textArgument(use, 'path');
    const [was, is] = [await records.follow(resource, before, path), await records.follow(resource, values, path)];
    // A record that does not exist is a fault of its own.
    if (is === undefined || was === is || !(await isBound(moment))) return;
    moment.refuse(key, `must be ${textArgument(use, 'must')}`);
  },
} as const satisfies Rule;

async function isBound({ use, values, records }: Moment): Promise<boolean> {
  const { usedBy } = use.arguments;
  if (!isRecord(usedBy)) return true;
  for (const [group, key] of Object.entries(usedBy)) {
    if (await records.exists(group, { [String(key)]: textOf(values, 'id') })) return true;
  }
  return false;
}
