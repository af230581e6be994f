// Items of other records' lists that go with a record, though they do not name it itself.
import type { Values } from '../registry/model.ts';
import { matching } from './matching.ts';
import { isRecord, itemsOf } from './record-values.ts';
import { keyArgument, type Rule, textArgument, textOf } from './rule.ts';

/**
 * After a delete, records of `group` whose fields equal this record's (`match`: key there → key here) lose the items of
 * `list` whose `key` equals this record's `by`. Nothing when the owner goes, as those records go with it.
 */
export const takesItemsAlong = {
  says: 'After a delete, each {group} with {match:match} loses the items of its {list} whose {key} is this record’s {by}.',
  parameters: {
    group: 'group',
    match: matching,
    list: { field: 'objects', in: 'group' },
    key: { field: 'reference', in: 'list' },
    by: { field: 'reference', like: 'key' },
  },
  on: ['delete'],
  after: async ({ use, resource, values, records, effects, isCascade }) => {
    const { match } = use.arguments;
    if (isCascade || !isRecord(match)) return;
    const group = textArgument(use, 'group');
    const list = textArgument(use, 'list');
    const where: Values = Object.fromEntries(
      Object.entries(match).map(([theirs, own]) => [theirs, values[String(own)] ?? null]),
    );
    const key = textArgument(use, 'key');
    const own = textOf(values, keyArgument(resource, use, 'by')) ?? '';
    const holders = new Set(await records.holders(group, { list, key, id: own }));
    for (const { id } of await records.list(group, where)) {
      if (!holders.has(String(id))) continue;
      const items = itemsOf(await records.whole(group, String(id)), list);
      await effects.change(group, String(id), { [list]: items.filter((item) => item[key] !== own) });
    }
  },
} as const satisfies Rule;
