// Lookups of a formula: where it searches for records, and by which reference. Both the write that searches and the write that
// changes what is found lock the record behind that reference.

import { partsOf } from '../language/index-keys.ts';
import type { Collection, Narrowing, Tree, TreeOf } from '../language/tree.ts';
import { dependenciesOf } from './dependencies.ts';

/** A reference by which records are found: what they have in common is the record that it names. */
export interface CommonName {
  /** Keys of the lists that lead from a record that is found to what has the reference. */
  readonly lists: readonly string[];
  /** `id` without lists: the record that is found itself. */
  readonly key: string;
  /** The group of the record that it names; undefined where the enum beside it says which. */
  readonly target: string | undefined;
  /** Whether that is the record on which the formula stands. */
  readonly isOwn: boolean;
}

/** One place where a formula looks through records of a group, or through items of their lists. */
interface Lookup {
  readonly group: string;
  readonly lists: readonly string[];
  /** In the order of the formula. */
  readonly names: readonly CommonName[];
  /** Whether something else than these narrows it as well. */
  readonly hasOthers: boolean;
  /** Keys of the records under which it looks at them. */
  readonly keys: ReadonlySet<string>;
  /** Whether it only asks if the collection has any record. */
  readonly isAny: boolean;
  /** Whether bounds on a field find the records, or all of them are read: nothing that both records name leads to them. */
  readonly isWide: boolean;
}

const known = new WeakMap<Tree, readonly Lookup[]>();

/** All of them, those in the named formulas on its way too; those that are alike once. */
export function lookupsOf(tree: Tree): readonly Lookup[] {
  const found = known.get(tree) ?? lookupsIn(tree);
  known.set(tree, found);
  return found;
}

/** Whether a formula looks through the records that name the one on which it stands. */
export const looksAtReferrers = (tree: Tree): boolean =>
  lookupsOf(tree).some(({ names }) => names.some(({ isOwn }) => isOwn));

function lookupsIn(tree: Tree): readonly Lookup[] {
  const { reads } = dependenciesOf(tree);
  const keysOf = (group: string): ReadonlySet<string> =>
    new Set(reads.flatMap(({ shape, key }) => (shape.group === group ? [shape.lists[0] ?? key] : [])));
  const places = new Map([...placesIn(tree)].map((place) => [JSON.stringify(place), place]));
  return [...places.values()].map((place) => ({ ...place, keys: keysOf(place.group) }));
}

type LookupPlace = Omit<Lookup, 'keys'>;

function* placesIn(tree: Tree): Generator<LookupPlace> {
  if (tree.op === 'gather') yield gathered(tree);
  if (tree.op === 'field' && tree.member.kind === 'others') {
    const { of, member } = tree;
    const target = of.type.kind === 'record' ? of.type.shape.group : undefined;
    const name = { lists: [], key: member.field, target, isOwn: isRecordItself(of) };
    yield { group: member.shape().group, lists: [], names: [name], hasOthers: false, isAny: false, isWide: false };
  }
  for (const part of partsOf(tree)) yield* placesIn(part);
  if (tree.op !== 'named') return;
  const isOwn = isRecordItself(tree.of);
  for (const { keys: _keys, ...place } of lookupsOf(tree.formula.tree()))
    yield { ...place, names: place.names.map((name) => ({ ...name, isOwn: name.isOwn && isOwn })) };
}

function gathered({ collection, narrowing, range, extent }: TreeOf<'gather'>): LookupPlace {
  const { group, lists } = collection;
  const names = narrowing.flatMap((each) => nameIn(collection, each) ?? []);
  const isWide = range.length > 0 || extent === 'whole';
  return { group, lists, names, hasOthers: narrowing.length > names.length || isWide, isAny: extent === 'any', isWide };
}

function nameIn({ group, lists: all }: Collection, { member, up, equals }: Narrowing): CommonName | undefined {
  const lists = all.slice(0, all.length - up);
  const isOwn = isIdOfRecord(equals);
  const { key, branches } = member;
  if (key === 'id' && lists.length === 0) return { lists, key, target: group, isOwn };
  if (branches !== undefined) return { lists, key, target: undefined, isOwn };
  const type = member.type.kind === 'list' ? member.type.item : member.type;
  return type.kind === 'id' && type.group !== undefined ? { lists, key, target: type.group, isOwn } : undefined;
}

/** Whether a tree is the record on which the formula stands, or around which its item does. */
const isRecordItself = ({ op, type }: Tree): boolean =>
  op === 'self' && type.kind === 'record' && type.shape.kind === 'record';

const isIdOfRecord = (tree: Tree): boolean =>
  tree.op === 'field' && tree.member.kind === 'value' && tree.member.key === 'id' && isRecordItself(tree.of);
