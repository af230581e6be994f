// Evaluates formulas. Each part is compiled to a function once; evaluation is synchronous. A value that is not known yet is
// asked for, and the formula is evaluated again once it is.
import type { Tree, TreeOf } from '../language/tree.ts';
import { number } from '../language/types.ts';
import { asList, asText, type Known, notKnown, type RecordValue, type Unknown } from '../language/value.ts';
import type { Facts } from './facts.ts';
import { all, type Compilers, type Frame, newNotes, ofEach, type Result, type Run } from './frame.ts';
import { callRun, macroRun } from './macro-runs.ts';
import type { Memo, Noted } from './memo.ts';
import { operatorRuns } from './operator-runs.ts';
import { recordRuns } from './record-runs.ts';
import { type Tallying, tallyingRun } from './tally-run.ts';

/** The value of a formula, and whether it was read through a reference that is null. */
export type Evaluated = Noted;

const runs = new WeakMap<Tree, Run>();

/** @param self What the formula stands on. */
export const evaluate = (tree: Tree, self: RecordValue, facts: Facts): Evaluated =>
  evaluateGiven(tree, self, { facts, given: [] });

/** What a formula is evaluated with that is given values by name: these, in the order of the names. */
interface Given {
  readonly facts: Facts;
  readonly given: readonly Known[];
  /** Shared with other evaluations. */
  readonly memo?: Memo | undefined;
}

/** @param self What the formula stands on. */
export function evaluateGiven(tree: Tree, self: RecordValue, { facts, given, memo }: Given): Evaluated {
  const notes = newNotes(memo);
  const value = runOf(tree)({ self, facts, variables: given, notes, isOpen: false });
  return { value, throughNull: notes.throughNull, overlong: notes.overlong };
}

/** What evaluates a part of a formula. */
export function runOf(tree: Tree): Run {
  const known = runs.get(tree) ?? compileTree(tree);
  runs.set(tree, known);
  return known;
}

const compileTree = (tree: Tree): Run => (compilers[tree.op] as (tree: Tree, run: typeof runOf) => Run)(tree, runOf);

/** Each part of a formula → what evaluates it. */
const compilers: Compilers = {
  ...operatorRuns,
  ...recordRuns,
  literal:
    ({ literal: { value } }) =>
    () =>
      value,
  list: ({ items }) => {
    const parts = items.map(runOf);
    return (frame) => all(parts, frame);
  },
  map: ({ entries }) => {
    const parts = entries.map(([, part]) => runOf(part));
    return (frame) => {
      const values = all(parts, frame);
      if (values === notKnown) return notKnown;
      return { kind: 'map', entries: Object.fromEntries(entries.map(([key], index) => [key, values[index] ?? null])) };
    };
  },
  variable:
    ({ slot }) =>
    (frame) =>
      frame.variables[slot] ?? null,
  macro: macroRun,
  call: callRun,
};

/** The first of a collection, and how many there are in all. */
interface Beginning {
  readonly items: readonly Known[];
  readonly count: number;
}

/** The macros that ask for the beginning of a list. */
const beginnings = new WeakMap<Tree, { readonly first: Tallying | undefined; readonly count: Run }>();

/** @returns undefined for a list that must be read whole */
export function evaluateBeginning(
  list: Tree,
  self: RecordValue,
  { facts, most }: { readonly facts: Facts; readonly most: number },
): Beginning | Unknown | undefined {
  const macro = (name: 'first' | 'count'): TreeOf<'macro'> & Tree => {
    const { start, end } = list;
    return {
      op: 'macro',
      name,
      of: list,
      slot: 0,
      variable: '',
      body: undefined,
      type: number,
      nullable: false,
      start,
      end,
    };
  };
  const known = beginnings.get(list) ?? { first: tallyingRun(macro('first'), runOf), count: runOf(macro('count')) };
  beginnings.set(list, known);
  const frame: Frame = { self, facts, variables: [], notes: newNotes(), isOpen: false };
  const items = known.first?.(frame, most);
  if (items === undefined) return undefined;
  const count = known.count(frame);
  return items === notKnown || count === notKnown ? notKnown : { items: asList(items), count: Number(asText(count)) };
}

/** What `first` gives by its key, and so many behind it: at most `most` of them in their order. */
export function evaluateFirst(
  tree: TreeOf<'macro'>,
  self: RecordValue,
  { facts, most }: { readonly facts: Facts; readonly most: number },
): readonly Known[] | Unknown {
  const known = firsts.get(tree) ?? { told: tallyingRun(tree, runOf), all: runOf(sortedOf(tree)) };
  firsts.set(tree, known);
  const frame: Frame = { self, facts, variables: [], notes: newNotes(), isOpen: false };
  const items = known.told?.(frame, most) ?? known.all(frame);
  return items === notKnown ? notKnown : asList(items).slice(0, most);
}

const firsts = new WeakMap<Tree, { readonly told: Tallying | undefined; readonly all: Run }>();

/** All of them in that order, which is that of their making without a key. */
const sortedOf = (tree: TreeOf<'macro'>): Tree =>
  tree.body === undefined ? tree.of : { ...tree, name: 'sorted', type: tree.of.type, nullable: false };

/** What a macro goes through: one of its items, by the place of its variable. */
interface Passed {
  readonly slot: number;
  readonly item: Known;
}

/** A part has become longer than values may be. */
export class Overlong extends Error {}

/** A part of a formula that is asked of one item of a list. @param self What the formula stands on. @throws Overlong */
export function evaluateInside(
  tree: Tree,
  self: RecordValue,
  { slot, item, facts }: Passed & { facts: Facts },
): Result {
  const notes = newNotes();
  const value = ofEach(runOf(tree), slot, { self, facts, variables: [], notes, isOpen: false })(item);
  if (notes.overlong !== undefined) throw new Overlong();
  return value;
}
