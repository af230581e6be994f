// Deltas of sums: by how much a formula that is made of sums changes when one record comes, goes or changes.
import { isZero } from '../../values/decimal.ts';
import { partsOf } from '../language/index-keys.ts';
import type { Tree, TreeOf } from '../language/tree.ts';
import { type Known, notKnown, type RecordValue, type Unknown, wholeNumber } from '../language/value.ts';
import { evaluateInside } from './evaluate.ts';
import type { Facts } from './facts.ts';

/** What is asked of an item. `up`: steps from what the formula stands on to what this part stands on. */
interface ItemFormula {
  readonly tree: Tree;
  readonly slot: number;
  readonly up: number;
}

/** A sum, or a number, of records or items of others. */
export interface Sum {
  /** Where it looks for them. */
  readonly over: TreeOf<'gather'> | TreeOf<'field'>;
  readonly up: number;
  /** What all of them must satisfy. */
  readonly conditions: readonly ItemFormula[];
  /** What each adds; 1 without it. */
  readonly body: ItemFormula | undefined;
  /** Keys of the lists in whose items they are; none for records. */
  readonly lists: readonly string[];
}

/** A formula that such sums move by as much as they are moved themselves. */
export type Moved =
  /** Of what is no such sum: it stays, as long as what it looks at does. */
  | { readonly kind: 'fixed'; readonly nullable: boolean }
  | { readonly kind: 'sum'; readonly sum: Sum }
  | { readonly kind: 'plus'; readonly left: Moved; readonly right: Moved; readonly sign: '+' | '-' }
  /** So many times as much, or a part of it. */
  | { readonly kind: 'scaled'; readonly of: Moved; readonly sign: '*' | '/'; readonly by: string }
  | { readonly kind: 'either'; readonly test: Tree; readonly yes: Moved; readonly no: Moved };

/** The least or the greatest of some, whether there is any, or whether there is none. */
export interface Extreme {
  readonly among: Sum;
  readonly says: 'min' | 'max' | 'any' | 'none';
}

export interface Sums {
  readonly moved: Moved;
  /** Of a formula that is an extreme, and moves as one. */
  readonly extreme: Extreme | undefined;
  /** To so many digits it is rounded at the end; undefined where it is not. */
  readonly digits: number | undefined;
  /** The most digits behind its point before that; undefined where nobody knows. */
  readonly scale: number | undefined;
  /** The formula is null as long as nobody is among these, and only then. */
  readonly nullUntil: Sum | undefined;
  /** Where it looks for what moves it, and in no other way. */
  readonly places: ReadonlySet<Tree>;
  /** The groups of the records that it adds up. */
  readonly groups: ReadonlySet<string>;
}

/** @returns undefined for a formula that no sum moves. */
export function sumsIn(tree: Tree): Sums | undefined {
  const extreme = extremeIn(tree);
  if (extreme !== undefined) return sumsOfExtreme(extreme);
  const nullUntil = tree.op === 'if' && isNull(tree.no) ? askedForAny(tree.test) : undefined;
  const found: Found = { sums: [], others: new Set() };
  const { of, digits } = roundedIn(tree.op === 'if' && nullUntil !== undefined ? tree.yes : tree);
  const moved = movedBy(of, 0, found);
  const sums = nullUntil === undefined ? found.sums : [...found.sums, nullUntil];
  const places = new Set<Tree>(sums.map(({ over }) => over)).difference(found.others);
  const groups = new Set(sums.map(({ over }) => groupOf(over)));
  return places.size === 0 ? undefined : { moved, extreme, digits, scale: scaleOf(of), nullUntil, places, groups };
}

function sumsOfExtreme(extreme: Extreme): Sums | undefined {
  const { among } = extreme;
  const others = new Set<Tree>();
  for (const part of [...among.conditions, among.body]) if (part !== undefined) noteAll(part.tree, others);
  if (others.has(among.over)) return undefined;
  return {
    moved: { kind: 'fixed', nullable: true },
    ...{ extreme, digits: undefined, scale: undefined, nullUntil: undefined },
    places: new Set([among.over]),
    groups: new Set([groupOf(among.over)]),
  };
}

function extremeIn(tree: Tree): Extreme | undefined {
  // `exists` over a whole collection.
  if (tree.op === 'compare' && tree.sign === '>' && tree.right.op === 'literal' && tree.right.literal.value === '0') {
    const among = tree.left.op === 'macro' && tree.left.name === 'count' ? sumOf(tree.left, 0) : undefined;
    return among && { among, says: 'any' };
  }
  if (tree.op !== 'macro' || tree.body === undefined) return undefined;
  const { name, slot, body } = tree;
  const among = listIn(tree.of, 0);
  if (among === undefined) return undefined;
  const asked = (part: Tree): Sum => ({
    ...among,
    conditions: [...among.conditions, { tree: part, slot, up: 0 }],
    body: undefined,
  });
  switch (name) {
    case 'min':
    case 'max':
      return { among: { ...among, body: { tree: body, slot, up: 0 } }, says: name };
    case 'exists':
      return { among: asked(body), says: 'any' };
    case 'all':
      return { among: asked({ ...body, op: 'not', of: body, nullable: false }), says: 'none' };
    default:
      return undefined;
  }
}

/** A formula without a last `round` to a number of digits. */
function roundedIn(tree: Tree): { readonly of: Tree; readonly digits: number | undefined } {
  const [of, digits] = tree.op === 'call' && tree.name === 'round' ? tree.args : [];
  const count =
    digits?.op === 'literal' && digits.literal.kind === 'number' ? wholeNumber(digits.literal.value) : undefined;
  return of === undefined || count === undefined ? { of: tree, digits: undefined } : { of, digits: count };
}

const groupOf = (over: Sum['over']): string =>
  over.op === 'gather' ? over.collection.group : over.member.kind === 'others' ? over.member.shape().group : '';

interface Found {
  readonly sums: Sum[];
  /** Where parts look that are no such sums. */
  readonly others: Set<Tree>;
}

function movedBy(tree: Tree, up: number, found: Found): Moved {
  if (tree.op === 'arithmetic' && (tree.sign === '+' || tree.sign === '-')) {
    const [left, right] = [movedBy(tree.left, up, found), movedBy(tree.right, up, found)];
    return { kind: 'plus', left, right, sign: tree.sign };
  }
  const scaled = scaledIn(tree);
  if (scaled !== undefined) return { kind: 'scaled', of: movedBy(scaled.of, up, found), ...scaled.times };
  if (tree.op === 'if' && up === 0) {
    noteAll(tree.test, found.others);
    return { kind: 'either', test: tree.test, yes: movedBy(tree.yes, up, found), no: movedBy(tree.no, up, found) };
  }
  const sum = sumOf(tree, up);
  if (sum === undefined) {
    noteAll(tree, found.others);
    return { kind: 'fixed', nullable: tree.nullable };
  }
  // What conditions look at besides moves the sum in another way.
  for (const part of [...sum.conditions, sum.body]) if (part !== undefined) noteAll(part.tree, found.others);
  found.sums.push(sum);
  return { kind: 'sum', sum };
}

/** What is taken a fixed number of times, or divided by it. */
function scaledIn(
  tree: Tree,
): { readonly of: Tree; readonly times: { readonly sign: '*' | '/'; readonly by: string } } | undefined {
  if (tree.op !== 'arithmetic' || (tree.sign !== '*' && tree.sign !== '/')) return undefined;
  const { left, right, sign } = tree;
  const numberIn = (part: Tree): string | undefined =>
    part.op === 'literal' && part.literal.kind === 'number' ? part.literal.value : undefined;
  const [by, first] = [numberIn(right), numberIn(left)];
  if (by !== undefined && !(sign === '/' && isZero(by))) return { of: left, times: { sign, by } };
  return sign === '*' && first !== undefined ? { of: right, times: { sign, by: first } } : undefined;
}

const scalesOfNamed = new WeakMap<Tree, { readonly scale: number | undefined }>();

/** The same of a named formula, found once however often it is named. */
function scaleOfNamed(tree: Tree): number | undefined {
  const found = scalesOfNamed.get(tree) ?? { scale: scaleOf(tree) };
  scalesOfNamed.set(tree, found);
  return found.scale;
}

/** The most digits behind the point of what a part gives; undefined where nobody knows. */
function scaleOf(tree: Tree): number | undefined {
  const most = (...parts: readonly Tree[]): number | undefined => {
    const scales = parts.map(scaleOf);
    return scales.includes(undefined) ? undefined : Math.max(0, ...scales.map((scale) => scale ?? 0));
  };
  switch (tree.op) {
    case 'literal':
      return tree.literal.kind === 'number' ? (tree.literal.value.split('.')[1] ?? '').length : 0;
    case 'field':
      return tree.type.kind === 'number' ? tree.type.scale : undefined;
    case 'named':
      return scaleOfNamed(tree.formula.tree());
    case 'negate':
      return scaleOf(tree.of);
    case 'if':
      return most(tree.yes, tree.no);
    case 'arithmetic': {
      if (tree.sign === '+' || tree.sign === '-') return most(tree.left, tree.right);
      const [left, right] = [scaleOf(tree.left), scaleOf(tree.right)];
      return tree.sign === '/' || left === undefined || right === undefined ? undefined : left + right;
    }
    case 'macro':
      return tree.name === 'count'
        ? 0
        : tree.name === 'sum' && tree.body !== undefined
          ? scaleOf(tree.body)
          : undefined;
    case 'call':
      return tree.name === 'coalesce' ? most(...tree.args) : undefined;
    default:
      return undefined;
  }
}

/** All places of a formula, those of the formulas that it names too. */
function noteAll(tree: Tree, places: Set<Tree>): void {
  if (places.has(tree)) return;
  places.add(tree);
  if (tree.op === 'named') noteAll(tree.formula.tree(), places);
  for (const part of partsOf(tree)) noteAll(part, places);
}

const isNull = (tree: Tree): boolean => tree.op === 'literal' && tree.literal.value === null;

/** `x.exists(y, …)` */
function askedForAny(tree: Tree): Sum | undefined {
  if (tree.op !== 'macro' || tree.name !== 'exists' || tree.body === undefined) return undefined;
  const among = listIn(tree.of, 0);
  if (among === undefined) return undefined;
  return { ...among, conditions: [...among.conditions, { tree: tree.body, slot: tree.slot, up: 0 }], body: undefined };
}

function sumOf(tree: Tree, up: number): Sum | undefined {
  if (tree.op !== 'macro' || !(tree.name === 'sum' || tree.name === 'count')) return undefined;
  const { of, slot, body, name } = tree;
  const among = listIn(of, up);
  const part = body && { tree: body, slot, up };
  if (name === 'sum') return part && among && { ...among, body: part };
  return (
    among && { ...among, conditions: [...among.conditions, ...(part === undefined ? [] : [part])], body: undefined }
  );
}

/** What a sum goes through: records that name that of the formula, or are found by what they hold. */
function listIn(tree: Tree, up: number): Omit<Sum, 'body'> | undefined {
  if (tree.op === 'gather') {
    const { where, slot, collection } = tree;
    return {
      over: tree,
      up,
      conditions: where === undefined ? [] : [{ tree: where, slot, up }],
      lists: collection.lists,
    };
  }
  if (tree.op === 'field')
    return tree.member.kind === 'others' && tree.of.op === 'self'
      ? { over: tree, up: up + tree.of.up, conditions: [], lists: [] }
      : undefined;
  if (tree.op === 'named' && tree.of.op === 'self' && tree.args.length === 0)
    return listIn(tree.formula.tree(), up + tree.of.up);
  if (tree.op !== 'macro' || tree.name !== 'filter' || tree.body === undefined) return undefined;
  const among = listIn(tree.of, up);
  return among && { ...among, conditions: [...among.conditions, { tree: tree.body, slot: tree.slot, up }] };
}

/** What an item adds to the sum of a record. @returns what is not known where other records tell, which it has asked for */
export function shareOf(sum: Sum, self: RecordValue, asked: Asked): string | Unknown {
  const value = takenOf(sum, self, asked);
  if (value === notKnown || typeof value === 'string') return value;
  return '0';
}

/** What is taken of an item, 1 where it is only counted; undefined where it is not among those. */
export function takenOf(sum: Sum, self: RecordValue, { item, facts }: Asked): Known | undefined | Unknown {
  const { over, up, conditions, body } = sum;
  if (
    over.op === 'field' &&
    (over.member.kind !== 'others' || item.values[over.member.field] !== standing(self, up)?.id)
  )
    return undefined;
  const isNarrowed = narrowedOf(sum, self, facts);
  if (isNarrowed !== true) return isNarrowed === notKnown ? notKnown : undefined;
  for (const part of conditions) {
    const holds = evaluatePart(part, self, { item, facts });
    if (holds === notKnown) return notKnown;
    if (holds !== true) return undefined;
  }
  return body === undefined ? '1' : evaluatePart(body, self, { item, facts });
}

/** Whether a collection is narrowed by anything but nulls: nothing is found by these alone. */
function narrowedOf({ over, up }: Sum, self: RecordValue, facts: Facts): boolean | Unknown {
  if (over.op !== 'gather' || over.narrowing.length === 0) return true;
  if (over.narrowing.some(({ equals }) => !equals.nullable)) return true;
  let isKnown = true;
  for (const { equals } of over.narrowing) {
    const value = evaluatePart({ tree: equals, slot: over.slot, up }, self, { item: self, facts });
    if (value === notKnown) isKnown = false;
    else if (value !== null) return true;
  }
  return isKnown ? false : notKnown;
}

interface Asked {
  readonly item: RecordValue;
  readonly facts: Facts;
}

const evaluatePart = ({ tree, slot, up }: ItemFormula, self: RecordValue, { item, facts }: Asked) =>
  evaluateInside(tree, standing(self, up) ?? self, { slot, item, facts });

function standing(self: RecordValue, up: number): RecordValue | undefined {
  let here: RecordValue | undefined = self;
  for (let step = 0; step < up; step += 1) here = here?.owner;
  return here;
}
