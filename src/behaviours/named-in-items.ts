// What the items of a list name, as a list of the record: `invoice.projects`. No formula says it as long as lists of references
// cannot be figures.
import { itemsOf } from './record-values.ts';
import { keyArgument, type Rule, textArgument, textOf } from './rule.ts';

/** Derives the list of references `into`: the records that the items of `list` name by `field`, each once, the first first. */
export const namedInItems = {
  says: '{into} holds what the items of {list} name by {field}, in order of first appearance.',
  parameters: {
    list: { field: 'objects' },
    field: { field: 'reference', in: 'list' },
    into: { field: 'references' },
  },
  looksAt: (use, resource) => [keyArgument(resource, use, 'list')],
  on: ['create', 'update'],
  derive: ({ use, resource, values }) => {
    const items = itemsOf(values, keyArgument(resource, use, 'list'));
    const ids = items.flatMap((item) => textOf(item, textArgument(use, 'field')) ?? []);
    values[keyArgument(resource, use, 'into')] = [...new Set(ids)];
  },
} as const satisfies Rule;
