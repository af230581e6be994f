// Indexes that formulas need: fields by which a collection is narrowed that no other index leads to.
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree, TreeOf } from '../../formulas/language/tree.ts';
import type { Field, Resource } from '../model/model.ts';
import { sayingsIn } from './graph.ts';

/** As many texts as an index holds on every engine. */
const mostFields = 3;

/** The same resources with the indexes that formulas of any of them need. */
export function withLookupIndexes(resources: readonly Resource[]): readonly Resource[] {
  const wanted = new Map<string, Set<string>>();
  const want = (group: string, keys: readonly string[]): void => {
    const known = wanted.get(group) ?? new Set<string>();
    wanted.set(group, known.add(keys.join()));
  };
  const visit = (tree: Tree, isKept: boolean): void => {
    if (tree.op === 'gather') wantFor(tree, isKept, want);
    for (const part of partsOf(tree)) visit(part, isKept);
  };
  for (const { formulas, watches } of sayingsIn(resources))
    for (const { tree } of formulas) visit(tree, watches.length > 0);
  return resources.map((resource) => {
    const more = [...(wanted.get(resource.name) ?? [])].flatMap((keys) => fieldsOf(resource, keys.split(',')) ?? []);
    return more.length === 0 ? resource : Object.freeze({ ...resource, indexes: [...resource.indexes, ...more] });
  });
}

/** A collection that only such fields narrow; of what is kept, the fields of the record itself too, by which that is read backwards. */
function wantFor(
  { collection, narrowing, range: [bound] }: TreeOf<'gather'>,
  isKept: boolean,
  want: (group: string, keys: readonly string[]) => void,
): void {
  if (bound !== undefined && !bound.member.isSought) want(collection.group, [bound.member.key]);
  if (narrowing.length === 0 || narrowing.some(({ member }) => member.isSought || member.isAmong === true)) return;
  want(
    collection.group,
    narrowing.slice(0, mostFields).map(({ member }) => member.key),
  );
  if (!isKept) return;
  for (const { equals } of narrowing) {
    if (equals.op !== 'field' || equals.of.op !== 'self' || equals.of.type.kind !== 'record') continue;
    const { member } = equals;
    if (member.kind === 'value' && member.isIndexable === true && !member.isSought)
      want(equals.of.type.shape.group, [member.key]);
  }
}

/** @returns undefined where another index begins with these fields */
function fieldsOf(
  { byKey, indexes, unique }: Resource,
  keys: readonly string[],
): readonly (readonly Field[])[] | undefined {
  const fields = keys.map((key) => byKey.get(key)).filter((field) => field?.stored === true);
  if (fields.length !== keys.length) return undefined;
  const isThere = [...indexes, ...unique.map((key) => key.fields)].some((known) =>
    keys.every((key, place) => known[place]?.key === key),
  );
  return isThere ? undefined : [fields.filter((field) => field !== undefined)];
}
