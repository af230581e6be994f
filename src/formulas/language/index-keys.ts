// Index keys: equality predicates by which a condition finds records, such as `x.field == …` on a reference, a key or an indexed
// field, or `… in x.field` on a list of references, joined by `&&`. Where there is none, any field by which an index could find them.
import type { Narrowing, Order, RangeBound, Tree, TreeOf, Type, ValueMember } from './tree.ts';
import { isWhole } from './whole.ts';

/** Fields by which records are found: those that have an index in any case, or those that can have one too. */
export type Seeking = 'indexed' | 'any';

/** @param slot That of the variable that goes through the collection. */
export function narrowingsOf(tree: Tree, slot: number, by: Seeking = 'indexed'): readonly Narrowing[] {
  if (tree.op === 'and') return [...narrowingsOf(tree.left, slot, by), ...narrowingsOf(tree.right, slot, by)];
  if (tree.op === 'in') return narrowingBy({ sought: tree.right, equals: tree.left, isAmong: true, by }, slot);
  if (tree.op !== 'equal' || tree.isNot) return [];
  const { left, right } = tree;
  const found = narrowingBy({ sought: left, equals: right, isAmong: false, by }, slot);
  return found.length > 0 ? found : narrowingBy({ sought: right, equals: left, isAmong: false, by }, slot);
}

/** The part of a condition that narrows: what all that are found by it have in common. */
export function narrowingPart(tree: Tree, slot: number, by: Seeking = 'indexed'): Tree | undefined {
  if (tree.op !== 'and') return narrowingsOf(tree, slot, by).length > 0 ? tree : undefined;
  const [left, right] = [narrowingPart(tree.left, slot, by), narrowingPart(tree.right, slot, by)];
  if (left === undefined || right === undefined) return left ?? right;
  return { ...tree, left, right };
}

/** Two sides of a comparison. */
interface Compared {
  readonly sought: Tree;
  readonly equals: Tree;
  readonly isAmong: boolean;
  readonly by: Seeking;
}

function narrowingBy({ sought: tree, equals, isAmong, by }: Compared, slot: number): readonly Narrowing[] {
  const sought = keptId(tree);
  if (sought.op !== 'field' || sought.member.kind !== 'value') return [];
  const { of, member } = sought;
  const up = stepsUp(of, slot);
  const isIndexable = by === 'any' && up === 0 && member.isIndexable === true;
  const isRight = isAmong ? member.isAmong === true : member.isSought || isIndexable;
  // What hangs on the item itself is not known before it is read, and nothing is sought by null.
  if (!isRight || up === undefined || namesSlot(equals, slot) || equals.type.kind === 'null') return [];
  return [{ member, up, equals }];
}

/** Bounds on the first field that has any, where an index can answer them: `x.day >= start && x.day <= end`. */
export function rangeOf(tree: Tree, slot: number): readonly RangeBound[] {
  const bounds = joinedBy('and', tree).flatMap((part) => (part.op === 'compare' ? (boundOf(part, slot) ?? []) : []));
  return bounds.filter(({ member }) => member === bounds[0]?.member);
}

/** The comparisons that `rangeOf` finds. */
export const isOfRange = (part: Tree, range: readonly RangeBound[]): boolean =>
  part.op === 'compare' && range.some(({ value }) => value === part.left || value === part.right);

export const joinedBy = (op: 'and' | 'or', tree: Tree): readonly Tree[] =>
  tree.op === op ? [...joinedBy(op, tree.left), ...joinedBy(op, tree.right)] : [tree];

const turned = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function boundOf({ sign, left, right }: TreeOf<'compare'>, slot: number): RangeBound | undefined {
  const [first, second] = [rangedIn(left, slot), rangedIn(right, slot)];
  const [member, value] = first === undefined ? [second, left] : [first, right];
  if (member === undefined || namesSlot(value, slot) || member.type.kind !== value.type.kind) return undefined;
  // What has more decimals than the field can have is no bound that an engine compares as we do.
  if (member.type.kind === 'number' && !isWhole(value) && !isWithin(value.type, member.type.scale)) return undefined;
  return { member, sign: first === undefined ? turned[sign] : sign, value };
}

/** A field of the item itself that is in order in an index, on every engine the same. */
function rangedIn(tree: Tree, slot: number): ValueMember | undefined {
  if (tree.op !== 'field' || tree.member.kind !== 'value' || stepsUp(tree.of, slot) !== 0) return undefined;
  const { member } = tree;
  const { kind } = member.type;
  const isInOrder = kind === 'date' || kind === 'instant' || (kind === 'number' && member.type.scale !== undefined);
  return isInOrder && member.isIndexable === true ? member : undefined;
}

const isWithin = (type: Type, scale: number | undefined): boolean =>
  type.kind === 'number' && type.scale !== undefined && scale !== undefined && type.scale <= scale;

/** The id of the record behind a reference, `x.project.id`, is what the reference keeps. */
export function keptId(tree: Tree): Tree {
  if (tree.op !== 'field' || tree.member.kind !== 'value' || tree.member.key !== 'id') return tree;
  const { of } = tree;
  if (of.op !== 'field' || of.member.kind !== 'reference' || of.member.by !== undefined) return tree;
  const { name, key, nullable } = of.member;
  return { ...of, type: tree.type, member: { kind: 'value', name, key, nullable, type: tree.type, isSought: true } };
}

/** `x` is 0 steps up, `x.record` is 1; undefined for what is not above the variable. */
function stepsUp(tree: Tree, slot: number): number | undefined {
  if (tree.op === 'variable') return tree.slot === slot ? 0 : undefined;
  if (tree.op !== 'owner') return undefined;
  const below = stepsUp(tree.of, slot);
  return below === undefined ? undefined : below + 1;
}

export const namesSlot = (tree: Tree, slot: number): boolean =>
  (tree.op === 'variable' && tree.slot === slot) || partsOf(tree).some((part) => namesSlot(part, slot));

/** The trees that a tree is made of. */
export function partsOf(tree: Tree): readonly Tree[] {
  switch (tree.op) {
    case 'literal':
    case 'variable':
    case 'self':
    case 'known':
    case 'sent':
      return [];
    case 'list':
      return tree.items;
    case 'map':
      return tree.entries.map(([, value]) => value);
    case 'owner':
    case 'place':
    case 'field':
    case 'not':
    case 'negate':
    case 'unite':
    case 'before':
      return [tree.of];
    case 'named':
      return [tree.of, ...tree.args];
    case 'gather':
      return [...tree.narrowing.map(({ equals }) => equals), ...(tree.where === undefined ? [] : [tree.where])];
    case 'index':
      return [tree.of, tree.at];
    case 'if':
      return [tree.test, tree.yes, tree.no];
    case 'macro':
      return tree.body === undefined ? [tree.of] : [tree.of, tree.body];
    case 'call':
      return tree.args;
    default:
      return [tree.left, tree.right];
  }
}

const beforesKnown = new WeakMap<Tree, readonly TreeOf<'before'>[]>();

/** The parts of a formula that ask what was before the write. */
export function beforesIn(tree: Tree): readonly TreeOf<'before'>[] {
  const known = beforesKnown.get(tree) ?? (tree.op === 'before' ? [tree] : partsOf(tree).flatMap(beforesIn));
  beforesKnown.set(tree, known);
  return known;
}

/** The orders in which a formula looks at the record before its own, those of the formulas that it names too. */
export function ordersIn(tree: Tree): readonly Order[] {
  const known = ordersKnown.get(tree);
  if (known !== undefined) return known;
  // What names itself is told elsewhere.
  ordersKnown.set(tree, []);
  const own = tree.op === 'gather' && tree.order !== undefined ? [tree.order] : [];
  const named = tree.op === 'named' ? ordersIn(tree.formula.tree()) : [];
  const found = [...own, ...named, ...partsOf(tree).flatMap(ordersIn)];
  ordersKnown.set(tree, found);
  return found;
}

const ordersKnown = new WeakMap<Tree, readonly Order[]>();
