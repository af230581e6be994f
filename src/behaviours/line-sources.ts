// The records that the lines of an invoice bill (domain: items of lines.sources), as rules read them.
import type { Resource, RuleUse, Values } from '../registry/model.ts';
import { itemsOf } from './record-values.ts';
import { keyArgument, type Moment, textArgument, textOf } from './rule.ts';

/** One source, where it stands, and the group of its record. */
export interface LineSource {
  readonly line: Readonly<Values>;
  readonly place: string;
  readonly type: string;
  readonly group: string;
  readonly id: string;
}

/** The sources in the lists `sources` of the items of `list`, in their order. */
export function sourcesOf(
  use: RuleUse,
  resource: Resource,
  values: Readonly<Values> | undefined,
): readonly LineSource[] {
  const list = keyArgument(resource, use, 'list');
  const inner = textArgument(use, 'sources');
  const field = resource.byKey.get(list);
  const inside = field?.kind === 'objects' ? field.fields.find(({ key }) => key === inner) : undefined;
  const choice = inside?.kind === 'objects' ? inside.fields.find(({ kind }) => kind === 'choice') : undefined;
  if (choice?.kind !== 'choice') return [];
  const groups = new Map(choice.branches.map(({ value, reference }) => [value, reference.target]));
  return itemsOf(values, list).flatMap((line, index) =>
    itemsOf(line, inner).flatMap((source, place) => {
      const type = textOf(source, choice.by) ?? '';
      const id = textOf(source, choice.key);
      const group = groups.get(type);
      if (id === null || group === undefined) return [];
      return [{ line, place: `${list}[${index}].${inner}[${place}].${choice.key}`, type, group, id }];
    }),
  );
}

/** Ids by group, each once and sorted, so that two writes take them in the same order. */
export function idsByGroup(sources: readonly LineSource[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, Set<string>>();
  for (const { group, id } of sources) groups.set(group, (groups.get(group) ?? new Set()).add(id));
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([group, ids]) => [group, [...ids].sort()]));
}

/** The records of sources by id; one statement for each group. */
export async function recordsOf(
  { records }: Moment,
  sources: readonly LineSource[],
): Promise<ReadonlyMap<string, Values>> {
  const found = new Map<string, Values>();
  for (const [group, ids] of idsByGroup(sources))
    for (const [id, record] of await records.many(group, ids)) found.set(`${group}/${id}`, record);
  return found;
}
