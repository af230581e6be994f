// Deltas: a record that a figure depends on, before and after, and the term that it contributes in each.
import type { ReadFacts } from '../../facts/read-facts.ts';
import { type Sum, shareOf, takenOf } from '../../formulas/evaluate/deltas.ts';
import { atHand, type Facts, recordValue } from '../../formulas/evaluate/facts.ts';
import { itemsWithin } from '../../formulas/evaluate/record-items.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import { type Known, notKnown, type RecordValue, type Unknown } from '../../formulas/language/value.ts';
import type { Values } from '../../registry/model/model.ts';
import { exactly } from '../../values/decimal.ts';

/** A record that a figure looks at, as it was and as it will be. */
export interface RecordVersions {
  readonly before: Readonly<Values> | undefined;
  readonly after: Readonly<Values> | undefined;
  /** Whether it leads to the same other records in both. */
  readonly isSteady: boolean;
  /** The place of the change among all of the write. */
  readonly place: number;
}

/** The same, by the place of the formula that looks at it. */
export interface Delta extends RecordVersions {
  readonly at: Tree;
}

/** What a record added before hangs on others, which may have been others then; or a part may be null. */
export class NotTold extends Error {}

export interface DeltaContext {
  readonly move: Delta;
  readonly facts: ReadFacts;
}

/** What a record, with all of its items, adds to a sum. @throws NotTold */
export async function termOf(
  sum: Sum,
  self: RecordValue,
  { move, of, facts }: DeltaContext & { readonly of: 'before' | 'after' },
): Promise<string> {
  const record = move[of];
  if (sum.over !== move.at || record === undefined) return '0';
  let total = '0';
  for (const item of itemsWithin(recordValue(record), sum.lists))
    total = exactly['+'](total, await askedOf((at) => shareOf(sum, self, { item, facts: at }), move, facts));
  return total;
}

/** What is taken of a record, or of each of its items that is among some. @throws NotTold */
export async function takenIn(
  sum: Sum,
  self: RecordValue,
  { move, of, facts }: DeltaContext & { readonly of: 'before' | 'after' },
): Promise<readonly Known[]> {
  const record = move[of];
  if (sum.over !== move.at || record === undefined) return [];
  const taken: Known[] = [];
  for (const item of itemsWithin(recordValue(record), sum.lists)) {
    const value = await askedOf((at) => takenOf(sum, self, { item, facts: at }), move, facts);
    if (value !== undefined) taken.push(value);
  }
  return taken;
}

/** What is asked of a version of a record: what it hangs on besides is asked for only where that was the same before. */
async function askedOf<T extends Known | undefined>(
  ask: (facts: Facts) => T | Unknown,
  { isSteady }: Delta,
  facts: ReadFacts,
): Promise<T> {
  const value = ask(atHand);
  if (value !== notKnown) return value;
  if (!isSteady) throw new NotTold();
  return facts.known(() => ask(facts));
}
