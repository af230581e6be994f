// Fields that cannot change once other records build on them.
import { isChanged } from './record-values.ts';
import { keyOfName, type Moment, type Rule, textArgument, textArguments, textOf } from './rule.ts';

/**
 * A change of one of `fields` answers 409 once one of `groups` has a record: one that names this record, where `through`
 * gives its field (`taskCategoryId`) or the list and key of its items (`lines.projectId`), else any.
 */
export const lockedOnceUsed = {
  says: 'A change of {fields} is refused (409) once there is a record of {groups:groups}[ that names this one in {through}].',
  parameters: {
    fields: { list: { field: 'any' } },
    groups: { list: 'group' },
    through: { field: 'reference', in: 'groups', inLists: true, to: 'this' },
  },
  optional: ['through'],
  conflicts: { update: 'readOnly' },
  on: ['update'],
  looksAt: (use, resource) => textArguments(use, 'fields').map((name) => keyOfName(resource, name)),
  // With the first stage, because read-only goes before whatever else is wrong with a body.
  fill: async (moment) => {
    const { use, resource, before, values, sent, isSound } = moment;
    const keys = textArguments(use, 'fields').map((name) => keyOfName(resource, name));
    // What is ill-formed would be another value too.
    if (!keys.some((key) => isChanged(before, values, key) || (sent.has(key) && !isSound(key)))) return;
    for (const group of textArguments(use, 'groups')) {
      if (await isUsedBy(moment, group)) moment.conflict('readOnly');
    }
  },
} as const satisfies Rule;

async function isUsedBy({ use, values, records }: Moment, group: string): Promise<boolean> {
  const [field = '', key] = textArgument(use, 'through').split('.');
  const id = textOf(values, 'id') ?? '';
  if (field === '') return records.exists(group, {});
  if (key === undefined) return records.exists(group, { [field]: id });
  return records.isHeld(group, { list: field, key, id });
}
