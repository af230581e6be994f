// Aggregates over what one of several searches finds. The searches have nothing in common, so that an aggregate is put together
// of those of each search, which a database computes and a difference moves.
import type { MacroName } from '../language/names.ts';
import type { Tree, TreeOf, Type } from '../language/tree.ts';
import { bool, listOf, number } from '../language/types.ts';

/** The same macro of each search; undefined for one that only all of the items together tell. */
export function overSearches(tree: TreeOf<'macro'>): Tree | undefined {
  const { of, name } = tree;
  const searches = searchesIn(of);
  if (searches === undefined || !isTold(tree)) return undefined;
  if (searches.op === 'list')
    return together(
      tree,
      searches.items.map((search) => asked(tree, search)),
    );
  const { body } = searches;
  if (body === undefined || name === 'first' || name === 'last') return undefined;
  const each = asked(tree, body);
  const over: Tree = { ...searches, body: each, type: listOf(each.type) };
  return name === 'exists' || name === 'all'
    ? { ...over, name, type: bool }
    : { ...over, name: name === 'count' ? 'sum' : name, type: tree.type, nullable: tree.nullable };
}

const told: ReadonlySet<MacroName> = new Set(['sum', 'count', 'min', 'max', 'exists', 'all', 'first', 'last']);

/** The first and the last of items hang on where these stand. */
function isTold({ name, of, body }: TreeOf<'macro'>): boolean {
  const item = of.type.kind === 'list' ? of.type.item : of.type;
  const isRecord = item.kind === 'record' && item.shape.kind === 'record';
  return (
    told.has(name) &&
    (name === 'count' || name === 'first' || name === 'last' ? isRecord || name === 'count' : body !== undefined)
  );
}

/** What several searches find, each for itself: a list of them, or what one of them finds for each of some values. */
function searchesIn(tree: Tree): TreeOf<'list'> | TreeOf<'macro'> | undefined {
  if (tree.op === 'unite') return tree.of.op === 'list' || tree.of.op === 'macro' ? flat(tree.of) : undefined;
  if (tree.op !== 'macro' || tree.name !== 'filter') return undefined;
  const searches = searchesIn(tree.of);
  if (searches === undefined) return undefined;
  if (searches.op === 'list') return { ...searches, items: searches.items.map((of) => ({ ...tree, of })) };
  return searches.body && { ...searches, body: { ...tree, of: searches.body } };
}

/** One of several searches may be several itself. */
function flat(tree: TreeOf<'list'> | TreeOf<'macro'>): TreeOf<'list'> | TreeOf<'macro'> {
  if (tree.op === 'macro') return tree;
  const items = tree.items.flatMap((item) => {
    const inside = searchesIn(item);
    return inside?.op === 'list' ? inside.items : [item];
  });
  return { ...tree, items };
}

function asked(tree: TreeOf<'macro'>, of: Tree): Tree {
  const here: TreeOf<'macro'> = { ...tree, of };
  return overSearches(here) ?? here;
}

function together(tree: TreeOf<'macro'>, parts: readonly Tree[]): Tree {
  const { name, slot, variable, start, end, type, nullable } = tree;
  const place = { start, end };
  const [first, ...others] = parts;
  if (first === undefined) return tree;
  const joined = (join: (left: Tree, right: Tree) => Tree): Tree => others.reduce(join, first);
  switch (name) {
    case 'exists':
      return joined((left, right) => ({ op: 'or', left, right, type: bool, nullable: false, ...place }));
    case 'all':
      return joined((left, right) => ({ op: 'and', left, right, type: bool, nullable: false, ...place }));
    case 'sum':
    case 'count':
      return joined((left, right) => ({
        ...{ op: 'arithmetic', sign: '+', left, right, type: number, nullable: false },
        ...place,
      }));
    case 'min':
    case 'max':
      return {
        ...{ op: 'macro', name, of: listed(parts, type, place), slot, variable, body: undefined },
        type,
        nullable,
        ...place,
      };
    default: {
      const found = parts.map((part) => listed([part], type, place));
      const of = listed(found, listOf(type), place);
      return { ...tree, of: { op: 'unite', of, type: listOf(type), nullable: false, ...place } };
    }
  }
}

const listed = (items: readonly Tree[], item: Type, place: { readonly start: number; readonly end: number }): Tree => ({
  ...{ op: 'list', items, type: listOf(item), nullable: false },
  ...place,
});
