// Reverse dependencies of a formula: for each group that it reads, the path from a changed record back to the records to recompute.

import { partsOf } from '../language/index-keys.ts';
import type { Narrowing, Shape, Tree, TreeOf, ValueMember } from '../language/tree.ts';
import { bind, type Ground, groundOf, insideOf, newGround } from './grounds.ts';

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
}

/** From a record that a formula looks at to those on which the formula stands, link by link. */
export type ReversePath = readonly JoinEdge[];

/** One place where a formula looks at records of a group that are not its own. */
export interface Watch {
  readonly group: string;
  readonly ways: readonly ReversePath[];
  /** Where it looks: at a reference, or at records that name others. */
  readonly at: Tree;
  /** Whether these are found by what they hold, so that one that comes or goes counts. */
  readonly isFound: boolean;
}

/** A field behind a reference that can change without a write of the record itself. */
interface Changeable {
  readonly words: string;
  readonly offset: number;
}

export interface ReverseDependencies {
  readonly watches: readonly Watch[];
  readonly changeable: readonly Changeable[];
  /** Places of which nobody could tell whom a change of theirs concerns. */
  readonly lost: readonly Changeable[];
}

/** @param lists Keys of the lists in whose items the formula stands, from outside inwards. */
export function reverseDependencies(tree: Tree, lists: readonly string[]): ReverseDependencies {
  const found = emptyFound();
  visit(tree, newGround({ self: undefined, lists, variables: new Map() }), found);
  return found;
}

/** What a formula reads, with the ways from there. @param lists Keys of the lists in whose items it stands. */
export function readsWithWays(tree: Tree, lists: readonly string[]): readonly FarRead[] {
  const reads: FarRead[] = [];
  visit(tree, newGround({ self: undefined, lists, variables: new Map() }), { ...emptyFound(), reads });
  return reads;
}

const emptyFound = (): Found => ({ watches: [], changeable: [], lost: [], inside: new Map(), count: { grounds: 0 } });

interface Found {
  readonly watches: Watch[];
  readonly changeable: Changeable[];
  readonly lost: Changeable[];
  /** What named formulas look at, by the grounds on which they are evaluated: they are looked into once. */
  readonly inside: Map<Tree, Map<Ground, Pick<Found, 'changeable' | 'lost'>>>;
  /** On how many grounds named formulas were looked into. */
  readonly count: { grounds: number };
  /** What is read of records behind others, where that is asked for. */
  readonly reads?: FarRead[];
}

/** A value of a record, and the ways from that record to those on which the formula stands. */
export interface FarRead {
  readonly shape: Shape;
  readonly key: string;
  readonly ways: readonly ReversePath[];
}

/** So many grounds has no formula that anybody could follow. */
const mostGrounds = 2000;

function visit(tree: Tree, ground: Ground, found: Found): void {
  switch (tree.op) {
    case 'field':
      visitField(tree, ground, found);
      break;
    case 'known':
      if (tree.name === 'workspace') note(tree, ground, found);
      break;
    case 'gather':
      note(tree, ground, found);
      for (const { equals } of tree.narrowing) visit(equals, ground, found);
      if (tree.where !== undefined) visit(tree.where, bind(ground, tree.slot, { tree, ground, isItem: true }), found);
      return;
    case 'macro':
      visit(tree.of, ground, found);
      if (tree.body !== undefined) visit(tree.body, insideOf(tree, ground), found);
      return;
    case 'named': {
      visit(tree.of, ground, found);
      for (const arg of tree.args) visit(arg, ground, found);
      // What it looks at is told where it is named.
      const { start: offset } = tree;
      if (found.count.grounds > mostGrounds) {
        found.lost.push({ words: tree.formula.name, offset });
        return;
      }
      const inside = insideNamed(tree.formula.tree(), groundOf(tree, ground), found);
      found.changeable.push(...inside.changeable.map((one) => ({ ...one, offset })));
      found.lost.push(...inside.lost.map((one) => ({ ...one, offset })));
      return;
    }
    default:
  }
  for (const part of partsOf(tree)) visit(part, ground, found);
}

/** What a named formula looks at; its watches are told once. */
function insideNamed(tree: Tree, ground: Ground, found: Found): Pick<Found, 'changeable' | 'lost'> {
  const byGround = found.inside.get(tree) ?? new Map<Ground, Pick<Found, 'changeable' | 'lost'>>();
  found.inside.set(tree, byGround);
  const known = byGround.get(ground);
  if (known !== undefined) return known;
  found.count.grounds += 1;
  const inside: Found = { ...found, changeable: [], lost: [] };
  visit(tree, ground, inside);
  // One of them is enough to say that there are some.
  const first = { changeable: inside.changeable.slice(0, 1), lost: inside.lost.slice(0, 1) };
  byGround.set(ground, first);
  return first;
}

function visitField(tree: TreeOf<'field'>, ground: Ground, found: Found): void {
  const { of, member, start: offset } = tree;
  if (found.reads !== undefined && of.type.kind === 'record' && member.kind !== 'formula')
    found.reads.push({ shape: of.type.shape, key: member.key, ways: waysOf(of, ground) });
  if (member.kind === 'reference' || member.kind === 'references' || member.kind === 'others')
    note(tree, ground, found);
  if (member.isFixed !== true && isReferred(of, ground)) found.changeable.push({ words: member.name, offset });
}

function note(tree: Tree, ground: Ground, found: Found): void {
  const group = groupOf(tree);
  const ways = waysOf(tree, ground);
  const isFound = tree.op === 'gather' || (tree.op === 'field' && tree.member.kind === 'others');
  if (ways.length === 0) found.lost.push({ words: group, offset: tree.start });
  else found.watches.push({ group, ways, at: tree, isFound });
}

/** The group of the records that a tree gives, or of those in whose lists they stand. */
function groupOf({ type }: Tree): string {
  const one = type.kind === 'list' ? type.item : type;
  return one.kind === 'record' ? one.shape.group : '';
}

/** Whether what a tree gives is reached through a reference, so that it can change by itself. */
function isReferred(tree: Tree, ground: Ground): boolean {
  switch (tree.op) {
    case 'field':
      if (tree.member.kind === 'reference' || tree.member.kind === 'references') return true;
      return tree.member.kind !== 'others' && isReferred(tree.of, ground);
    case 'known':
      return tree.name === 'workspace';
    case 'self':
      return ground.self !== undefined && isReferred(ground.self.tree, ground.self.ground);
    case 'variable': {
      const bound = ground.variables.get(tree.slot);
      return bound !== undefined && isReferred(bound.tree, bound.ground);
    }
    case 'named':
      return isNamedReferred(tree.formula.tree(), groundOf(tree, ground));
    case 'macro':
      return tree.name === 'map' && tree.body !== undefined
        ? isReferred(tree.body, insideOf(tree, ground))
        : isReferred(tree.of, ground);
    case 'gather':
    case 'literal':
      return false;
    default:
      return givers(tree).some((part) => isReferred(part, ground));
  }
}

const referredOnGrounds = new WeakMap<Ground, Map<Tree, boolean>>();

function isNamedReferred(tree: Tree, ground: Ground): boolean {
  const referred = referredOnGrounds.get(ground) ?? new Map<Tree, boolean>();
  referredOnGrounds.set(ground, referred);
  const found = referred.get(tree) ?? isReferred(tree, ground);
  referred.set(tree, found);
  return found;
}

/** The parts of which a tree gives one as it is. */
function givers(tree: Tree): readonly Tree[] {
  if (tree.op === 'if') return [tree.yes, tree.no];
  if (tree.op === 'index' || tree.op === 'owner') return [tree.of];
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
function waysOf(tree: Tree, ground: Ground): readonly ReversePath[] {
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
  if (first === undefined) return [];
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
  };
  return waysOf(of, there).map((way) => [link, ...way]);
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
