// The context of one evaluation, and the functions that the parts of a formula are turned into.

import type { Tree, TreeOf } from '../language/tree.ts';
import { type Known, notKnown, type RecordValue, type Unknown } from '../language/value.ts';
import type { Facts } from './facts.ts';
import { Memo, type Noted } from './memo.ts';

/** What one evaluation knows. */
export interface Frame {
  readonly self: RecordValue;
  readonly facts: Facts;
  readonly variables: readonly Known[];
  readonly notes: Notes;
  /** Whether it is not known yet if this part is wanted at all: what may cost much is not asked for on the off chance. */
  readonly isOpen: boolean;
}

/** What one evaluation has come across. */
export interface Notes {
  /** That a value was read through a reference of the record that is null. */
  throughNull: boolean;
  /** What to say of a part that became too long. */
  overlong: string | undefined;
  readonly memo: Memo;
}

export const newNotes = (memo = new Memo()): Notes => ({ throughNull: false, overlong: undefined, memo });

export type Result = Known | Unknown;
export type Run = (frame: Frame) => Result;
/** A part of a formula → its function. */
export type RunOf = (tree: Tree) => Run;
/** For each kind of part, what makes that function; `runOf` makes those of the parts inside. */
export type Compilers = { readonly [Op in Tree['op']]: (tree: TreeOf<Op>, runOf: RunOf) => Run };

/** Evaluates all parts, so that all of them ask for what they need; unknown where one is. */
export const all = (parts: readonly Run[], frame: Frame): readonly Known[] | Unknown =>
  ofAll(parts, (part) => part(frame));

/** What is given of each of these, none of them left out; unknown where one is. */
export function ofAll<T>(list: readonly T[], give: (one: T) => Result): readonly Known[] | Unknown {
  const values: Known[] = [];
  let isKnown = true;
  for (const one of list) {
    const value = give(one);
    if (value === notKnown) isKnown = false;
    else values.push(value);
  }
  return isKnown ? values : notKnown;
}

/** What a part gives whose nulls are its own matter. */
export function apart(notes: Notes, { encounters }: Facts, run: () => Result): Noted {
  const { throughNull, overlong } = notes;
  const unknown = encounters?.unknown;
  notes.throughNull = false;
  notes.overlong = undefined;
  const value = run();
  const isPartial = encounters?.unknown !== unknown;
  const found: Noted = { value, throughNull: notes.throughNull, overlong: notes.overlong, isPartial };
  notes.throughNull = throughNull;
  notes.overlong ??= overlong;
  return found;
}

/** What was found before, for one that asks again: it meets what was met then. */
export function again(found: Noted, { encounters }: Facts): Noted {
  if (found.isPartial === true && encounters !== undefined) encounters.unknown += 1;
  return found;
}

/** A part as it is asked of one item after the other. */
export function ofEach(
  run: Run,
  slot: number,
  { self, facts, variables: outer, notes, isOpen }: Frame,
): (item: Known) => Result {
  const variables = outer.slice(0, slot);
  // Nobody keeps the frame of an item: loops inside have variables of their own.
  const frame: Frame = { self, facts, variables, notes, isOpen };
  return (item) => {
    variables[slot] = item;
    return run(frame);
  };
}

/** Notes what is to be said of a part that became too long. @param words Undefined where it did not. */
export function isTooLong(words: string | undefined, notes: Notes): boolean {
  notes.overlong ??= words;
  return words !== undefined;
}
