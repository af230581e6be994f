// Reverse dependencies of a formula: the groups that it reads, each with the reverse paths to the records to recompute.
import { partsOf } from '../language/index-keys.ts';
import type { Shape, Tree, TreeOf } from '../language/tree.ts';
import { bind, type Ground, groundOf, insideOf, newGround } from './grounds.ts';
import { givers, groupOf, type ReversePath, waysOf } from './reverse-paths.ts';

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
  /** Places of which nobody could tell whom a change of theirs concerns; `isWide` where it may be any record. */
  readonly lost: readonly Lost[];
}

interface Lost extends Changeable {
  readonly isWide: boolean;
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
  readonly lost: Lost[];
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
        found.lost.push({ words: tree.formula.name, offset, isWide: false });
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
  const first = { changeable: inside.changeable.slice(0, 1), lost: firstLost(inside.lost) };
  byGround.set(ground, first);
  return first;
}

const firstLost = (lost: readonly Lost[]): Lost[] => [lost.find(({ isWide }) => !isWide) ?? lost.slice(0, 1)].flat();

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
  const isWide = tree.op === 'gather' && ways.some(([first]) => first?.pairs.length === 0);
  if (ways.length === 0 || isWide) found.lost.push({ words: group, offset: tree.start, isWide });
  if (ways.length > 0) found.watches.push({ group, ways, at: tree, isFound });
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
