// What a line of an invoice takes from the first record that it bills, where the body leaves it open.
import type { Values } from '../registry/model.ts';
import { type LineSource, recordsOf, sourcesOf } from './line-sources.ts';
import { isRecord, isUnset, itemsOf } from './record-values.ts';
import { keyArgument, type Moment, type Rule, textArgument } from './rule.ts';

/**
 * Fills in each item of `list` the field `kind` by the type of its first source (`kinds`: type → value), and the field
 * `item` with what the path of that type leads to from the source (`items`: type → path).
 */
export const sourceDefaults = {
  says: 'An item of {list} takes {kind} and {item} from the first of its {sources}, where they are not sent.',
  parameters: {
    list: { field: 'objects' },
    sources: { field: 'objects', in: 'list' },
    kind: { field: 'enum', in: 'list', filled: true },
    kinds: { map: { branchOf: 'sources' }, to: { literalOf: 'kind' } },
    item: { field: 'reference', in: 'list', filled: true },
    items: { map: { branchOf: 'sources' }, to: { path: 'reference', in: '@key', like: 'item' } },
  },
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'list')],
  fill: async (moment) => {
    const { use, resource, values, isSound } = moment;
    const list = keyArgument(resource, use, 'list');
    const lines = itemsOf(values, list);
    if (!isSound(list) || lines.length === 0) return;
    const first = new Map<Readonly<Values>, LineSource>();
    for (const source of sourcesOf(use, resource, values)) if (!first.has(source.line)) first.set(source.line, source);
    const records = await recordsOf(moment, [...first.values()]);
    const filled: Values[] = [];
    for (const line of lines) {
      const source = first.get(line);
      filled.push({ ...line, ...(source && (await defaultsOf(moment, source, records))) });
    }
    values[list] = filled;
  },
} as const satisfies Rule;

async function defaultsOf(
  { use, records: all }: Moment,
  { line, type, group, id }: LineSource,
  records: ReadonlyMap<string, Values>,
): Promise<Values> {
  const { kinds, items } = use.arguments;
  const defaults: Values = {};
  const kind = textArgument(use, 'kind');
  if (isUnset(line[kind]) && isRecord(kinds)) defaults[kind] = kinds[type];
  const item = textArgument(use, 'item');
  const record = records.get(`${group}/${id}`);
  if (isUnset(line[item]) && isRecord(items) && typeof items[type] === 'string' && record !== undefined) {
    const value = await all.follow(all.resource(group), record, items[type]);
    if (!isUnset(value)) defaults[item] = value;
  }
  return defaults;
}
