// Records that cannot go while a list of another record names them.
import { isRecord } from './record-values.ts';
import { type Rule, textArgument, textOf } from './rule.ts';

/** A delete answers 409 in use while a record of `group` that has the values `where` names this one in the list at the path `list`. */
export const heldByItems = {
  says: 'A delete is refused (409) while a {group} names the record in {list}, if it has {where}.',
  parameters: {
    group: 'group',
    list: { listsIn: 'group' },
    where: { map: { field: 'single', in: 'group' }, to: { literalOf: '@key' } },
  },
  on: ['delete'],
  conflicts: { delete: 'inUse', cascade: 'inUse' },
  check: async ({ use, resource, values, records, conflict }) => {
    const group = textArgument(use, 'group');
    const { where } = use.arguments;
    const ids = [textOf(values, 'id') ?? ''];
    const holding = await records.holding(group, { path: textArgument(use, 'list'), target: resource.name, ids });
    const holders = await records.many(
      group,
      holding.map(({ holder }) => holder),
    );
    const asked = Object.entries(isRecord(where) ? where : {});
    if ([...holders.values()].some((holder) => asked.every(([key, value]) => holder[key] === value))) conflict('inUse');
  },
} as const satisfies Rule;
