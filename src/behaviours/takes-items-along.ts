// Items of other records' lists that go with a record, though they do not name it itself.
import type { Values } from '../registry/model.ts';
import { isRecord, itemsOf } from './record-values.ts';
import { type Rule, textArgument } from './rule.ts';

/**
 * After a delete, records of `group` whose fields equal this record's (`match`: key there → key here) lose the items of
 * `list` whose `key` equals this record's `by`. Nothing when the owner goes, as those records go with it.
 */
export const takesItemsAlong = {
  says: 'After a delete, each {group} with {match:match} loses the items of its {list} whose {key} is this record’s {by}.',
  parameters: { group: 'group', match: 'values', list: 'text', key: 'text', by: 'field' },
  on: ['delete'],
  after: async ({ use, values, records, isCascade }) => {
    const { match } = use.arguments;
    if (isCascade || !isRecord(match)) return;
    const group = textArgument(use, 'group');
    const list = textArgument(use, 'list');
    const where: Values = Object.fromEntries(
      Object.entries(match).map(([theirs, own]) => [theirs, values[String(own)] ?? null]),
    );
    for (const { id } of await records.list(group, where)) {
      const items = itemsOf(await records.find(group, String(id)), list);
      const kept = items.filter((item) => item[textArgument(use, 'key')] !== values[textArgument(use, 'by')]);
      if (kept.length < items.length) await records.change(group, String(id), { [list]: kept });
    }
  },
} as const satisfies Rule;
