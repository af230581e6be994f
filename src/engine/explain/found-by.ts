// Which index serves each search of a formula, and the begin of a day: told with the plan of a write.
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree, TreeOf } from '../../formulas/language/tree.ts';
import type { Registry, Resource } from '../../registry/model/model.ts';
import { tablesOf } from '../../storage/schema/tables.ts';

export interface FoundSpec {
  readonly group: string;
  /** What is sought: fields that equal something, or lie between bounds; the day that begins. */
  readonly by: 'fields' | 'bounds' | 'day';
  readonly index: string;
  readonly columns: readonly string[];
}

/** The indexes by which formulas find records, each once. */
export function foundBy(registry: Registry, trees: readonly Tree[]): readonly FoundSpec[] {
  const found = new Map<string, FoundSpec>();
  const visit = (tree: Tree): void => {
    const served = tree.op === 'gather' ? servedBy(registry, tree) : undefined;
    if (served !== undefined) found.set(JSON.stringify(served), served);
    for (const part of partsOf(tree)) visit(part);
    if (tree.op === 'named') visit(tree.formula.tree());
  };
  for (const tree of trees) visit(tree);
  return [...found.values()];
}

/** The indexes by which the begin of a day finds records of a group. */
export const foundByDay = (registry: Registry, { name, days }: Resource): readonly FoundSpec[] =>
  [...new Set(days.map(({ key }) => key))].flatMap(
    (key) => indexOf(registry, { group: name, keys: new Set([key]), by: 'day' }) ?? [],
  );

function servedBy(registry: Registry, { collection, narrowing, range: [bound] }: TreeOf<'gather'>) {
  const { group, lists } = collection;
  if (lists.length > 0) return undefined;
  if (bound !== undefined) return indexOf(registry, { group, keys: new Set([bound.member.key]), by: 'bounds' });
  return indexOf(registry, { group, keys: new Set(narrowing.map(({ member }) => member.key)), by: 'fields' });
}

/** The index that begins with the most of these fields. */
function indexOf(
  registry: Registry,
  { group, keys, by }: Pick<FoundSpec, 'group' | 'by'> & { readonly keys: ReadonlySet<string> },
): FoundSpec | undefined {
  const resource = registry.resources.get(group);
  const table = tablesOf(registry).find((one) => one.group === group && one.list === undefined);
  if (resource === undefined || table === undefined) return undefined;
  const columns = new Set([...keys].map((key) => resource.byKey.get(key)?.column));
  const reached = (index: readonly string[]): number => {
    const other = index.findIndex((column) => !columns.has(column));
    return other < 0 ? index.length : other;
  };
  const [best] = table.indexes.toSorted((a, b) => reached(b.columns) - reached(a.columns));
  return best === undefined || reached(best.columns) === 0
    ? undefined
    : { group, by, index: best.name, columns: best.columns };
}
