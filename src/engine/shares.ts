// Figures that sums move: what has come is added, and what has gone taken off, without reading all the others.
import { amountOf } from '../behaviours/amounts.ts';
import type { ReadFacts } from '../behaviours/read-facts.ts';
import { type Moved, type Sum, type Sums, shareOf } from '../formulas/difference.ts';
import { atHand, type RecordValue, recordValue } from '../formulas/facts.ts';
import { itemsWithin } from '../formulas/record-items.ts';
import type { Tree } from '../formulas/tree.ts';
import { notKnown } from '../formulas/value.ts';
import type { Values } from '../registry/model.ts';
import { exactly } from '../values/decimal.ts';
import type { Draft } from './draft.ts';
import { type FigureField, factsFor, held, type Place, pathOf, placesIn } from './figures.ts';

/** A record that a figure looks at, as it was and as it will be. */
export interface Version {
  readonly before: Readonly<Values> | undefined;
  readonly after: Readonly<Values> | undefined;
  /** Whether it leads to the same other records in both. */
  readonly isSteady: boolean;
  /** The place of the change among all of the write. */
  readonly place: number;
}

/** The same, by the place of the formula that looks at it. */
export interface Move extends Version {
  readonly at: Tree;
}

/** Moves a figure by its sums. @returns false where it must be computed from scratch. */
export async function addShares(draft: Draft, figure: FigureField, moves: readonly Move[]): Promise<boolean> {
  const { inside, sums } = figure;
  if (sums === undefined) return false;
  const { values } = draft;
  const takenAt = draft.scope.takenAt(draft.group.resource.name, String(values['id']), pathOf(figure));
  // It was computed with the others already.
  const open = moves.filter(({ place }) => takenAt <= place);
  const places = placesIn({ draft, values, self: recordValue(values), path: '' }, inside);
  // Of a list it would have to be told which of the items are concerned.
  if (inside.some((key) => Array.isArray(values[key])) || inside.length > 1) return false;
  const facts = factsFor(draft);
  try {
    for (const place of places) if (!(await addAt(place, figure, { open, facts, sums }))) return false;
    return true;
  } catch (error) {
    if (error instanceof NotTold) return false;
    throw error;
  }
}

/** What a record added before hangs on others, which may have been others then; or a part may be null. */
class NotTold extends Error {}

interface Adding {
  readonly open: readonly Move[];
  readonly facts: ReadFacts;
  readonly sums: Sums;
}

async function addAt(place: Place, { field, figure }: FigureField, { open, facts, sums }: Adding): Promise<boolean> {
  const { values, self, draft, path } = place;
  const { key } = field;
  // Where it does not apply, it stays as it is.
  if (figure.when !== undefined && (await facts.evaluate(figure.when.tree, self)).value !== true) return true;
  const isNull = values[key] === null || values[key] === undefined;
  const { nullUntil } = sums;
  if (nullUntil !== undefined) {
    if (field.default !== undefined) return false;
    const isAny = (of: 'before' | 'after'): Promise<boolean> =>
      someOf(open, async (move) => (await shareIn(nullUntil, self, { move, of, facts })) !== '0');
    // Whether others are still among them, or were before, is not told by these.
    if (await isAny(isNull ? 'after' : 'before')) {
      if (isNull) return false;
      if (await someOf(open, (move) => hasLeft(nullUntil, self, { move, facts }))) return false;
    }
    if (isNull) return true;
  }
  let difference = '0';
  for (const move of open) difference = exactly['+'](difference, await movedBy(sums.moved, self, { move, facts }));
  if (difference === '0') return true;
  if (isNull) return false;
  const total = exactly['+'](amountOf(values, key), difference);
  const scale = field.kind === 'decimal' ? field.scale : 0;
  if (exactly.round(total, scale) !== total) return false;
  values[key] = held(draft, { field, value: total, place: path + key });
  return true;
}

interface Moving {
  readonly move: Move;
  readonly facts: ReadFacts;
}

/** By how much a formula becomes another. @throws NotTold */
async function movedBy(moved: Moved, self: RecordValue, moving: Moving): Promise<string> {
  const { move, facts } = moving;
  switch (moved.kind) {
    case 'fixed':
      return '0';
    case 'plus': {
      const [left, right] = [await chosen(moved.left, self, facts), await chosen(moved.right, self, facts)];
      // With a part that is null all of it is.
      if ([left, right].some((part) => part.kind === 'fixed' && part.nullable)) throw new NotTold();
      return exactly[moved.sign](await movedBy(left, self, moving), await movedBy(right, self, moving));
    }
    case 'sum': {
      if (moved.sum.over !== move.at) return '0';
      const [before, after] = [
        await shareIn(moved.sum, self, { move, facts, of: 'before' }),
        await shareIn(moved.sum, self, { move, facts, of: 'after' }),
      ];
      return exactly['-'](after, before);
    }
    case 'either':
      return movedBy(await chosen(moved, self, facts), self, moving);
  }
}

/** Of two sides that which counts. */
async function chosen(moved: Moved, self: RecordValue, facts: ReadFacts): Promise<Moved> {
  if (moved.kind !== 'either') return moved;
  const isYes = (await facts.evaluate(moved.test, self)).value === true;
  return chosen(isYes ? moved.yes : moved.no, self, facts);
}

/** What a record, with all of its items, adds to a sum. @throws NotTold */
async function shareIn(
  sum: Sum,
  self: RecordValue,
  { move, of, facts }: Moving & { readonly of: 'before' | 'after' },
): Promise<string> {
  const record = move[of];
  if (sum.over !== move.at || record === undefined) return '0';
  let total = '0';
  for (const item of itemsWithin(recordValue(record), sum.lists)) {
    const share = shareOf(sum, self, { item, facts: atHand });
    if (share === notKnown && !move.isSteady) throw new NotTold();
    total = exactly['+'](
      total,
      share === notKnown ? await facts.known(() => shareOf(sum, self, { item, facts })) : share,
    );
  }
  return total;
}

/** Whether fewer of its items are among those without which the formula is null. */
async function hasLeft(sum: Sum, self: RecordValue, moving: Moving): Promise<boolean> {
  const before = await shareIn(sum, self, { ...moving, of: 'before' });
  const after = await shareIn(sum, self, { ...moving, of: 'after' });
  return exactly['-'](after, before).startsWith('-');
}

async function someOf<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await test(item)) return true;
  return false;
}
