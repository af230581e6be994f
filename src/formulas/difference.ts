// Sums over records that come and go: by how much one of them makes a formula another that is made of such sums.
import { evaluateInside } from './evaluate.ts';
import type { Facts, RecordValue } from './facts.ts';
import { partsOf } from './narrow.ts';
import type { Tree, TreeOf } from './tree.ts';
import { notKnown, type Unknown } from './value.ts';

/** What is asked of an item. `up`: steps from what the formula stands on to what this part stands on. */
interface Part {
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
  readonly conditions: readonly Part[];
  /** What each adds; 1 without it. */
  readonly body: Part | undefined;
  /** Keys of the lists in whose items they are; none for records. */
  readonly lists: readonly string[];
}

/** A formula that such sums move by as much as they are moved themselves. */
export type Moved =
  /** Of what is no such sum: it stays, as long as what it looks at does. */
  | { readonly kind: 'fixed'; readonly nullable: boolean }
  | { readonly kind: 'sum'; readonly sum: Sum }
  | { readonly kind: 'plus'; readonly left: Moved; readonly right: Moved; readonly sign: '+' | '-' }
  | { readonly kind: 'either'; readonly test: Tree; readonly yes: Moved; readonly no: Moved };

export interface Sums {
  readonly moved: Moved;
  /** The formula is null as long as nobody is among these, and only then. */
  readonly nullUntil: Sum | undefined;
  /** Where it looks for what moves it, and in no other way. */
  readonly places: ReadonlySet<Tree>;
}

/** @returns undefined for a formula that no sum moves. */
export function sumsIn(tree: Tree): Sums | undefined {
  const nullUntil = tree.op === 'if' && isNull(tree.no) ? askedForAny(tree.test) : undefined;
  const found: Found = { sums: [], others: new Set() };
  const moved = movedBy(tree.op === 'if' && nullUntil !== undefined ? tree.yes : tree, 0, found);
  const sums = nullUntil === undefined ? found.sums : [...found.sums, nullUntil];
  const places = new Set<Tree>(sums.map(({ over }) => over)).difference(found.others);
  return places.size === 0 ? undefined : { moved, nullUntil, places };
}

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

/** All places of a formula, those of the formulas that it names too. */
function noteAll(tree: Tree, places: Set<Tree>): void {
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
  // A number of those for which something holds is written as a filter.
  if ((name === 'count') !== (body === undefined)) return undefined;
  const among = listIn(of, up);
  return among && { ...among, body: body && { tree: body, slot, up } };
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
export function shareOf(sum: Sum, self: RecordValue, { item, facts }: Asked): string | Unknown {
  const { over, up, conditions, body } = sum;
  if (
    over.op === 'field' &&
    (over.member.kind !== 'others' || item.values[over.member.field] !== standing(self, up)?.id)
  )
    return '0';
  for (const part of conditions) {
    const holds = evaluatePart(part, self, { item, facts });
    if (holds === notKnown) return notKnown;
    if (holds !== true) return '0';
  }
  if (body === undefined) return '1';
  const value = evaluatePart(body, self, { item, facts });
  return value === notKnown || typeof value === 'string' ? value : '0';
}

interface Asked {
  readonly item: RecordValue;
  readonly facts: Facts;
}

const evaluatePart = ({ tree, slot, up }: Part, self: RecordValue, { item, facts }: Asked) =>
  evaluateInside(tree, standing(self, up) ?? self, { slot, item, facts });

function standing(self: RecordValue, up: number): RecordValue | undefined {
  let here: RecordValue | undefined = self;
  for (let step = 0; step < up; step += 1) here = here?.owner;
  return here;
}
