// Reverse paths: from a record that a formula reads back to the records on which the formula stands, as joins from group to group.
import type { Narrowing, Order, Tree, TreeOf, ValueMember } from '../language/tree.ts';
import { type Ground, groundOf, insideOf } from './grounds.ts';

/** Values of a record: under a key of its own (or `id`), or of the items of its lists, or of what these stand in. */
export interface ColumnPath {
  /** Keys of the lists that lead to the items; none for the record itself. */
  readonly lists: readonly string[];
  /** Steps from the item to what has the key. */
  readonly up: number;
  /** In an object of the record it is `object.key`. */
  readonly key: string;
  /** Of an id of one of several groups: only where the enum beside it says so. */
  readonly when?: { readonly key: string; readonly value: string };
}

interface Pair {
  /** In the record at hand. */
  readonly from: ColumnPath;
  /** In those that are looked for. */
  readonly to: ColumnPath;
}

/** From the record at hand to those of `group` that have the same values; without any pair to all of them. */
export interface JoinEdge {
  readonly group: string;
  readonly pairs: readonly Pair[];
  /** How many values narrow it in all: null finds null as long as one of them is not. */
  readonly narrowings: number;
  /** Where those that are looked for must lie besides. */
  readonly bounds: readonly (Pair & { readonly operator: '<=' | '>=' })[];
  /** Of those that are looked for, the one alone that stands behind the record at hand. */
  readonly order?: Order;
}

/** From a record that a formula looks at to those on which the formula stands, link by link. */
export type ReversePath = readonly JoinEdge[];

/** The group of the records that a tree gives, or of those in whose lists they stand. */
export function groupOf({ type }: Tree): string {
  const one = type.kind === 'list' ? type.item : type;
  return one.kind === 'record' ? one.shape.group : '';
}

/** The parts of which a tree gives one as it is. */
export function givers(tree: Tree): readonly Tree[] {
  if (tree.op === 'if') return [tree.yes, tree.no];
  if (tree.op === 'index' || tree.op === 'owner' || tree.op === 'unite') return [tree.of];
  if (tree.op === 'list') return tree.items;
  return tree.op === 'call' ? tree.args.filter(({ type }) => type.kind === 'record' || type.kind === 'list') : [];
}

/** Keys of the lists that lead from a record to what a tree gives: an item, or the items of a list. */
function listsOf(tree: Tree, ground: Ground): readonly string[] {
  switch (tree.op) {
    case 'self': {
      if (ground.self !== undefined) return listsOf(ground.self.tree, ground.self.ground);
      return ground.lists.slice(0, Math.max(0, ground.lists.length - tree.up));
    }
    case 'owner':
      return listsOf(tree.of, ground).slice(0, -1);
    case 'variable': {
      const bound = ground.variables.get(tree.slot);
      return bound === undefined ? [] : listsOf(bound.tree, bound.ground);
    }
    case 'field':
      if (tree.member.kind === 'items') return [...listsOf(tree.of, ground), tree.member.key];
      return tree.member.kind === 'object' ? listsOf(tree.of, ground) : [];
    case 'gather':
      return tree.collection.lists;
    case 'macro':
      return tree.name === 'map' && tree.body !== undefined
        ? listsOf(tree.body, insideOf(tree, ground))
        : listsOf(tree.of, ground);
    default: {
      const [first] = givers(tree);
      return first === undefined ? [] : listsOf(first, ground);
    }
  }
}

/** From a record that a tree gives (or has given an item of) to those on which the formula stands. */
export function waysOf(tree: Tree, ground: Ground): readonly ReversePath[] {
  switch (tree.op) {
    case 'self':
      return ground.self === undefined ? [[]] : waysOf(ground.self.tree, ground.self.ground);
    case 'known':
      return tree.name === 'workspace' ? [[everyone]] : [];
    case 'variable': {
      const bound = ground.variables.get(tree.slot);
      return bound === undefined ? [] : waysOf(bound.tree, bound.ground);
    }
    case 'field':
      return waysOfField(tree, ground);
    case 'gather':
      return waysOfGather(tree, ground);
    case 'macro':
      return tree.name === 'map' && tree.body !== undefined
        ? waysOf(tree.body, insideOf(tree, ground))
        : waysOf(tree.of, ground);
    case 'named':
      return waysOfNamed(tree.formula.tree(), groundOf(tree, ground));
    default:
      return givers(tree).flatMap((part) => waysOf(part, ground));
  }
}

const waysOnGrounds = new WeakMap<Ground, Map<Tree, readonly ReversePath[]>>();

/** Each of them once. */
function waysOfNamed(tree: Tree, ground: Ground): readonly ReversePath[] {
  const ways = waysOnGrounds.get(ground) ?? new Map<Tree, readonly ReversePath[]>();
  waysOnGrounds.set(ground, ways);
  const found = ways.get(tree) ?? [
    ...new Map(waysOf(tree, ground).map((way) => [JSON.stringify(way), way] as const)).values(),
  ];
  ways.set(tree, found);
  return found;
}

/** The settings concern all records; which group that is, is known to those who walk. */
const everyone: JoinEdge = { group: '', pairs: [], narrowings: 0, bounds: [] };

const idSpot: ColumnPath = { lists: [], up: 0, key: 'id' };

function waysOfField({ of, member }: TreeOf<'field'>, ground: Ground): readonly ReversePath[] {
  const before = waysOf(of, ground);
  const to = (spot: ColumnPath, from: ColumnPath = idSpot): readonly ReversePath[] =>
    before.map((way) => [{ group: groupOf(of), pairs: [{ from, to: spot }], narrowings: 1, bounds: [] }, ...way]);
  const lists = listsOf(of, ground);
  switch (member.kind) {
    case 'object':
    case 'items':
      return before;
    case 'reference': {
      // The id of one of several groups is kept under the key of its own group.
      const key = member.by === undefined ? member.key : `${member.key}/${member.shape().group}`;
      return to({ lists, up: 0, key });
    }
    case 'references':
      return to({ lists, up: 0, key: member.key });
    case 'others':
      return to(idSpot, { lists: [], up: 0, key: member.field });
    default:
      return [];
  }
}

/** What a collection is narrowed to: a value of a record that the formula knows. */
interface Solved {
  readonly from: ColumnPath;
  readonly to: ColumnPath;
  /** The record that has it. */
  readonly of: Tree;
  readonly ground: Ground;
}

function waysOfGather(tree: TreeOf<'gather'>, ground: Ground): readonly ReversePath[] {
  const { collection, narrowing } = tree;
  const solved = narrowing.flatMap((each) => solve(each, collection.lists, ground) ?? []);
  // Who is named by an id is found at once.
  const first = solved.find(({ to }) => to.key === 'id' && to.lists.length === 0) ?? solved[0];
  if (first === undefined) return waysOfRange(tree, ground);
  const { of, ground: there } = first;
  const isBeside = (other: Solved): boolean =>
    other !== first && isSame(other.of, of) && other.ground === there && other.to.lists.length === 0;
  const pairs = [first, ...solved.filter(isBeside)].map(({ from, to }) => ({ from, to }));
  const bounds = tree.where === undefined ? [] : boundsOf(tree.where, { slot: tree.slot, lists: collection.lists, of });
  const link: JoinEdge = {
    group: groupOf(of),
    pairs,
    narrowings: narrowing.length,
    bounds: listsOf(of, there).length === 0 ? bounds : [],
    ...(tree.order && { order: tree.order }),
  };
  return waysOf(of, there).map((way) => [link, ...way]);
}

/** Whom a record concerns that nothing of another one leads to: those whose own dates lie so, or all. */
function waysOfRange(
  { collection: { lists }, extent, range, where, slot }: TreeOf<'gather'>,
  ground: Ground,
): readonly ReversePath[] {
  if (extent === 'any') return [];
  const own = range.flatMap(({ value }) => (value.op === 'field' && value.of.op === 'self' ? [value.of] : []));
  const [of] = ground.self === undefined ? own : [];
  const isOfRecord = of !== undefined && of.type.kind === 'record' && of.type.shape.kind === 'record';
  const bounds = isOfRecord && where !== undefined ? boundsOf(where, { slot, lists, of }) : [];
  return [[{ ...everyone, narrowings: 1, bounds }]];
}

function solve({ member, up, equals }: Narrowing, lists: readonly string[], ground: Ground): Solved | undefined {
  const value = resolved(equals, ground);
  if (value === undefined || value.tree.op !== 'field' || value.tree.member.kind !== 'value') return undefined;
  const { of, member: known } = value.tree;
  const group = known.type.kind === 'id' ? known.type.group : undefined;
  const when = branchOf(member, group);
  const sought = member.type.kind === 'id' ? member.type.group : undefined;
  return {
    from: { lists, up, key: member.key, ...(when && { when }) },
    // The id of one of several groups is kept under the key of each group.
    to: {
      lists: listsOf(of, value.ground),
      up: 0,
      key: known.branches ? `${known.key}/${sought ?? ''}` : keyIn(of, known),
    },
    of,
    ground: value.ground,
  };
}

/** The key of a value in the record, that of the object around it before it. */
function keyIn({ type }: Tree, { key }: ValueMember): string {
  const around = type.kind === 'record' ? type.shape.objectKey : undefined;
  return around === undefined ? key : `${around}.${key}`;
}

/** What the enum beside an id of one of several groups says where it is of this one. */
function branchOf({ branches }: ValueMember, group: string | undefined): ColumnPath['when'] {
  const value = Object.entries(branches?.groups ?? {}).find(([, each]) => each === group)?.[0];
  return branches === undefined || value === undefined ? undefined : { key: branches.by, value };
}

/** What a given value stands for. */
function resolved(tree: Tree, ground: Ground): { readonly tree: Tree; readonly ground: Ground } | undefined {
  if (tree.op !== 'variable') return { tree, ground };
  const bound = ground.variables.get(tree.slot);
  return bound === undefined || bound.isItem ? undefined : resolved(bound.tree, bound.ground);
}

/** Whether two trees give the same record of the formula's own, or of the same variable. */
function isSame(one: Tree, other: Tree): boolean {
  if (one.op === 'self') return other.op === 'self' && one.up === other.up;
  return one.op === 'variable' && other.op === 'variable' && one.slot === other.slot;
}

interface Between {
  readonly slot: number;
  readonly lists: readonly string[];
  readonly of: Tree;
}

/** Dates of the records that are looked for, said by those of the record at hand: `t.date >= start`. */
function boundsOf(tree: Tree, between: Between): JoinEdge['bounds'] {
  if (tree.op === 'and') return [...boundsOf(tree.left, between), ...boundsOf(tree.right, between)];
  if (tree.op !== 'compare' || tree.left.type.kind !== 'date') return [];
  const { sign } = tree;
  const theirs = dateOf(tree.left, between);
  const own = dateOf(tree.right, between);
  if (theirs === undefined || own === undefined || theirs.isOfItem === own.isOfItem) return [];
  const [from, to] = theirs.isOfItem ? [theirs.spot, own.spot] : [own.spot, theirs.spot];
  // `item <= own` is `own >= item`.
  const isBelow = (sign === '<' || sign === '<=') === theirs.isOfItem;
  return [{ from, to, operator: isBelow ? '>=' : '<=' }];
}

function dateOf(tree: Tree, { slot, lists, of }: Between): { spot: ColumnPath; isOfItem: boolean } | undefined {
  if (tree.op !== 'field' || tree.member.kind !== 'value') return undefined;
  const { key } = tree.member;
  if (tree.of.op === 'variable' && tree.of.slot === slot) return { spot: { lists, up: 0, key }, isOfItem: true };
  return isSame(tree.of, of) ? { spot: { lists: [], up: 0, key }, isOfItem: false } : undefined;
}
