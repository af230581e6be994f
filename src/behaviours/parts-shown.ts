// What records of a list have of the record that names them, shown on these: `invoice.payments`. No formula says it as long as
// lists of objects cannot be figures that are taken at read.
import type { Resource, RuleUse, Values } from '../registry/model.ts';
import { amountOf } from './amounts.ts';
import { itemsOf } from './record-values.ts';
import { keyArgument, type Moment, type Rule, textArgument, textArguments } from './rule.ts';

/**
 * The items of `list` name records (`id`) and a part of each (`amount`). Every write keeps on those named before and after, in
 * their list `shown`, the parts of all such records, with the fields `copies` of these.
 */
export const partsShown = {
  says: 'Each record that items of {list} name keeps the parts in {shown}[, with {copies}].',
  parameters: {
    list: { field: 'objects' },
    shown: { field: 'objects', in: 'list.id' },
    copies: { list: { field: 'any', kept: true } },
  },
  needs: { list: { id: 'reference', amount: 'decimal' } },
  guard: (moment) => [{ group: groupOf(moment.use, moment.resource), ids: named(moment) }],
  after: async (moment) => {
    const { use, resource, records, effects } = moment;
    const ids = named(moment);
    const list = keyArgument(resource, use, 'list');
    const parts = Map.groupBy(await records.itemsWith(resource.name, { list, key: 'id', ids }), ({ item }) => item.id);
    for (const id of ids) {
      const shown = (parts.get(id) ?? []).map(({ record, item }): Values => {
        const copies = textArguments(use, 'copies').map((key) => [key, record[key] ?? null] as const);
        return { id: record.id, ...Object.fromEntries(copies), amount: amountOf(item, 'amount') };
      });
      await effects.refresh(groupOf(use, resource), [id], { [textArgument(use, 'shown')]: shown });
    }
  },
} as const satisfies Rule;

const groupOf = (use: RuleUse, resource: Resource): string => {
  const list = resource.byKey.get(keyArgument(resource, use, 'list'));
  const field = list?.kind === 'objects' ? list.fields.find(({ key }) => key === 'id') : undefined;
  return field?.kind === 'reference' ? field.target : '';
};

/** Ids of the records named before and after. */
function named({ use, resource, operation, before, values }: Moment): readonly string[] {
  const list = keyArgument(resource, use, 'list');
  const items = [...itemsOf(before, list), ...(operation === 'delete' ? [] : itemsOf(values, list))];
  return [...new Set(items.map(({ id }) => String(id)))];
}
