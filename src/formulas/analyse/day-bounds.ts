// Day bounds of a formula: the dates of a record by which `today` makes it another formula's value, so that an index tells whom a
// day concerns.
import { partsOf } from '../language/index-keys.ts';
import type { Tree, TreeOf } from '../language/tree.ts';

/** Dates of a field, in days from the day that begins, both ends among them; without an end, all on that side. */
export interface DayBound {
  /** Key of the date. */
  readonly key: string;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** `today`, or a date of the record, and so many days. */
interface Side {
  /** Undefined for today. */
  readonly key: string | undefined;
  readonly days: number;
}

/** A date of the record compared with today: `key < today + days`. */
interface Atom {
  readonly key: string;
  readonly sign: '<' | '<=' | '>' | '>=' | '==';
  readonly days: number;
}

const flipped = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;
/** Shifts beyond this reach no date from any other. */
const mostDays = 4_000_000;

/** What of a formula changes with the day. */
export interface DayReads {
  /** Of records whose value may be another one on the day that begins. */
  readonly bounds: readonly DayBound[];
  /** Where it looks at today in a way that no index answers. */
  readonly lost: readonly number[];
}

const known = new WeakMap<Tree, DayReads>();

/** Whom the begin of a day concerns: those whose date is passed by it. */
export function dayReads(tree: Tree): DayReads {
  const found = known.get(tree) ?? lookAt(tree);
  known.set(tree, found);
  return found;
}

function lookAt(tree: Tree): DayReads {
  const bounds: DayBound[] = [];
  const lost: number[] = [];
  const visit = (each: Tree): void => {
    const atom = atomOf(each);
    if (atom !== undefined) bounds.push(passing(atom));
    else if (each.op === 'known' && each.name === 'today') lost.push(each.start);
    else if (each.op === 'named') {
      for (const part of partsOf(each)) visit(part);
      // What is taken when it is read is told as that.
      if (each.formula.isAtRead === true) return;
      const inside = dayReads(each.formula.tree());
      if (each.of.op === 'self' && inside.lost.length === 0) bounds.push(...inside.bounds);
      else if (inside.lost.length > 0 || inside.bounds.length > 0) lost.push(each.start);
    } else for (const part of partsOf(each)) visit(part);
  };
  visit(tree);
  return { bounds, lost };
}

/** The dates for which a comparison gives another answer on the day that begins than on the day before. */
function passing({ key, sign, days }: Atom): DayBound {
  if (sign === '==') return { key, from: days - 1, to: days };
  const at = sign === '<' || sign === '>=' ? days - 1 : days;
  return { key, from: at, to: at };
}

/** The dates for which a comparison holds on a day. */
function holding({ key, sign, days }: Atom): DayBound {
  switch (sign) {
    case '==':
      return { key, from: days, to: days };
    case '<':
      return { key, from: undefined, to: days - 1 };
    case '<=':
      return { key, from: undefined, to: days };
    case '>':
      return { key, from: days + 1, to: undefined };
    case '>=':
      return { key, from: days, to: undefined };
  }
}

/** @returns undefined for all that is no comparison of a date of the record with today */
function atomOf(tree: Tree): Atom | undefined {
  if (tree.op !== 'compare' && tree.op !== 'equal') return undefined;
  const [left, right] = [sideOf(tree.left), sideOf(tree.right)];
  if (left === undefined || right === undefined || (left.key === undefined) === (right.key === undefined))
    return undefined;
  const sign = tree.op === 'equal' ? '==' : left.key === undefined ? flipped[tree.sign] : tree.sign;
  const [field, day] = left.key === undefined ? [right, left] : [left, right];
  return { key: field.key ?? '', sign, days: day.days - field.days };
}

function sideOf(tree: Tree): Side | undefined {
  if (tree.op === 'known') return tree.name === 'today' ? { key: undefined, days: 0 } : undefined;
  if (tree.op === 'shift') {
    const [side, days] = [sideOf(tree.left), wholeOf(tree.right)];
    if (side === undefined || days === undefined) return undefined;
    return { ...side, days: side.days + (tree.sign === '+' ? days : -days) };
  }
  const key = ownDate(tree);
  return key === undefined ? undefined : { key, days: 0 };
}

/** A date that the record itself keeps. */
function ownDate(tree: Tree): string | undefined {
  if (tree.op !== 'field' || tree.of.op !== 'self' || tree.type.kind !== 'date') return undefined;
  const { member, of } = tree;
  const isOfRecord = of.type.kind === 'record' && of.type.shape.kind === 'record';
  return isOfRecord && member.kind === 'value' && member.isTransient !== true ? member.key : undefined;
}

function wholeOf(tree: Tree): number | undefined {
  if (tree.op === 'negate') {
    const number = wholeOf(tree.of);
    return number === undefined ? undefined : -number;
  }
  if (tree.op !== 'literal' || tree.literal.kind !== 'number') return undefined;
  const number = Number(tree.literal.value);
  return Number.isInteger(number) && Math.abs(number) <= mostDays ? number : undefined;
}

/**
 * Which records a condition can hold of on a day, by dates alone; undefined where no date bounds them.
 * @param moves Fields of the record that a day moves, by key, and the records of which it may.
 */
export function boundsWhere(
  tree: Tree,
  moves: ReadonlyMap<string, readonly DayBound[]>,
): readonly DayBound[] | undefined {
  if (tree.op === 'or') {
    const [left, right] = [boundsWhere(tree.left, moves), boundsWhere(tree.right, moves)];
    return left === undefined || right === undefined ? undefined : [...left, ...right];
  }
  const parts = conjunctsOf(tree);
  for (const [key, bounds] of moves) if (hasBecome(parts, key)) return bounds;
  // `!=` tells of no date that a record must have.
  const [first] = narrowest(parts.flatMap((part) => (part.op === 'equal' && part.isNot ? [] : (atomOf(part) ?? []))));
  if (first !== undefined) return [first];
  for (const part of parts) {
    const inside = part === tree ? undefined : boundsWhere(part, moves);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

const conjunctsOf = (tree: Tree): readonly Tree[] =>
  tree.op === 'and' ? [...conjunctsOf(tree.left), ...conjunctsOf(tree.right)] : [tree];

/** What all of these leave of each date; those that are bounded on both sides first. */
function narrowest(atoms: readonly Atom[]): readonly DayBound[] {
  const found = new Map<string, DayBound>();
  for (const atom of atoms) {
    const { key, from, to } = holding(atom);
    const before = found.get(key);
    found.set(key, { key, from: innermost(before?.from, from, Math.max), to: innermost(before?.to, to, Math.min) });
  }
  const isClosed = ({ from, to }: DayBound): boolean => from !== undefined && to !== undefined;
  return [...found.values()].sort((one, other) => Number(isClosed(other)) - Number(isClosed(one)));
}

const innermost = (
  one: number | undefined,
  other: number | undefined,
  of: (a: number, b: number) => number,
): number | undefined => (one === undefined ? other : other === undefined ? one : of(one, other));

// --- Fields that have become others

/** A field that has a value, or had none of it: `isOverdue`, `!old.isOverdue`, `old.statusId != 'late'`. */
interface Valued {
  readonly key: string;
  readonly value: string;
  readonly isOld: boolean;
  readonly isNot: boolean;
}

/** Whether conditions that hold together say that a field has another value than before. */
function hasBecome(parts: readonly Tree[], key: string): boolean {
  if (parts.some((part) => isOtherThanBefore(part, key))) return true;
  const said = parts.flatMap((part) => valuedOf(part) ?? []).filter((one) => one.key === key);
  return said.some(
    (now) =>
      !now.isOld &&
      !now.isNot &&
      said.some((old) => old.isOld && (old.isNot ? old.value === now.value : old.value !== now.value)),
  );
}

/** `statusId != old.statusId` */
function isOtherThanBefore(tree: Tree, key: string): boolean {
  if (tree.op !== 'equal' || !tree.isNot) return false;
  const sides = [fieldOf(tree.left), fieldOf(tree.right)];
  return (
    sides.every((side) => side?.key === key) && sides.some((side) => side?.isOld) && sides.some((side) => !side?.isOld)
  );
}

function valuedOf(tree: Tree): Valued | undefined {
  if (tree.op === 'not') {
    const field = fieldOf(tree.of);
    // Null counts as false: it is not true.
    return (
      field && (field.isOld ? { ...field, value: 'true', isNot: true } : { ...field, value: 'false', isNot: false })
    );
  }
  if (tree.op === 'equal') {
    const field = fieldOf(tree.left);
    const { right } = tree;
    if (field === undefined || right.op !== 'literal') return undefined;
    return { ...field, value: String(right.literal.value), isNot: tree.isNot };
  }
  const field = tree.type.kind === 'bool' ? fieldOf(tree) : undefined;
  return field && { ...field, value: 'true', isNot: false };
}

function fieldOf(tree: Tree): Pick<Valued, 'key' | 'isOld'> | undefined {
  if (tree.op !== 'field' || tree.member.kind !== 'value') return undefined;
  const isOld = isBefore(tree.of);
  return isOld || (tree.of.op === 'self' && tree.of.up === 0) ? { key: tree.member.key, isOld } : undefined;
}

const isBefore = (tree: Tree): tree is TreeOf<'known'> => tree.op === 'known' && tree.name === 'old';
