// Applies deltas to computed fields that are sums, without reading the other terms.

import { yieldIfDue } from '../../admission/event-loop.ts';
import type { ReadFacts } from '../../facts/read-facts.ts';
import type { Moved, Sum, Sums } from '../../formulas/evaluate/deltas.ts';
import { Overlong } from '../../formulas/evaluate/evaluate.ts';
import type { RecordValue } from '../../formulas/language/value.ts';
import { kinds } from '../../registry/model/kinds.ts';
import type { Field, Figure, Resource, Values } from '../../registry/model/model.ts';
import { amountOf } from '../../rules/support/amounts.ts';
import { exactly, quotient } from '../../values/decimal.ts';
import { sameValue } from '../changes/same-value.ts';
import type { Draft } from '../draft/draft.ts';
import { held } from '../draft/field-value.ts';
import type { FigureField } from '../plan/figures.ts';
import { type FigurePlace, factsFor, placesOf } from './compute-figure.ts';
import { moveExtreme } from './extremes.ts';
import { type Delta, type DeltaContext, NotTold, type RecordVersions, termOf } from './moves.ts';

/** Whether nothing else is reached through a field. */
export const isPlainValue = (field: Field | undefined): boolean =>
  field !== undefined && field.kind !== 'reference' && field.kind !== 'choice' && !isNested(field.kind);

const isNested = (kind: Field['kind']): boolean => kinds[kind].isMany || kind === 'object';

/** Moves a figure by its sums. @returns false where it must be computed from scratch. */
export async function applyDeltas(draft: Draft, figure: FigureField, moves: readonly Delta[]): Promise<boolean> {
  const { inside, sums } = figure;
  if (sums === undefined) return false;
  const { values } = draft;
  const open = movesSince(draft, figure, moves);
  const places = placesOf(draft, figure);
  // Of a list it would have to be told which of the items are concerned.
  if (inside.some((key) => Array.isArray(values[key])) || inside.length > 1) return false;
  const facts = factsFor(draft);
  try {
    for (const place of places) if (!(await addAt(place, figure, { open, facts, sums }))) return false;
    return true;
  } catch (error) {
    if (error instanceof NotTold || error instanceof Overlong) return false;
    throw error;
  }
}

/**
 * What has moved since a figure was computed. The record itself was counted then as it was on its way: its own change is what
 * has become of it since.
 */
function movesSince(
  { scope, name, group, values }: Draft,
  figure: FigureField,
  moves: readonly Delta[],
): readonly Delta[] {
  const path = figure.path;
  const { place: takenAt, own } = scope.takingOf(name, path);
  const open = moves.filter(({ place }) => takenAt <= place);
  if (own === undefined) return open;
  const first = open.find(({ before, after }) => (after ?? before)?.['id'] === values['id'])?.place;
  if (first === undefined) return open;
  scope.countOwn(name, path);
  return open.map((move) => (move.place === first ? { ...move, ...versionSince(group.resource, own, move) } : move));
}

function versionSince({ byKey }: Resource, own: Readonly<Values>, { after }: Delta): Omit<RecordVersions, 'place'> {
  const moved = Object.keys(after ?? {}).filter((key) => !sameValue(own[key], after?.[key]));
  return { before: own, after, isSteady: moved.every((key) => isPlainValue(byKey.get(key))) };
}

interface Adding {
  readonly open: readonly Delta[];
  readonly facts: ReadFacts;
  readonly sums: Sums;
}

async function addAt(
  place: FigurePlace,
  { field, figure }: FigureField,
  { open, facts, sums }: Adding,
): Promise<boolean> {
  const { values, self, draft, path } = place;
  const { key } = field;
  // Where it does not apply, it stays as it is.
  if (figure.when !== undefined && (await facts.evaluate(figure.when.tree, self)).value !== true) return true;
  const isNull = values[key] === null || values[key] === undefined;
  const { nullUntil, extreme } = sums;
  if (extreme !== undefined) return moveExtreme(place, field, { extreme, open, facts });
  if (nullUntil !== undefined) {
    if (field.default !== undefined) return false;
    const isAny = (of: 'before' | 'after'): Promise<boolean> =>
      someOf(open, async (move) => (await termOf(nullUntil, self, { move, of, facts })) !== '0');
    // Whether others are still among them, or were before, is not told by these.
    if (await isAny(isNull ? 'after' : 'before')) {
      if (isNull) return false;
      const hasGone = await someOf(open, (move) => hasLeft(nullUntil, self, { move, facts }));
      if (hasGone && !(await isAnyLeft(figure, self, facts))) return false;
    }
    if (isNull) return true;
  }
  let difference = '0';
  for (const move of open) {
    difference = exactly['+'](difference, await movedBy(sums.moved, self, { move, facts }));
    await yieldIfDue();
  }
  if (difference === '0') return true;
  if (isNull) return false;
  const total = movedTo(amountOf(values, key), difference, { sums, scale: field.kind === 'decimal' ? field.scale : 0 });
  if (total === undefined) return false;
  values[key] = held(draft, { field, value: total, place: path + key });
  return true;
}

/**
 * What a kept number becomes. One that was rounded moves by whole units of its last digit as what it was rounded from does, as
 * long as both are on one side of 0: there a half is rounded to one side alone.
 * @returns undefined where only the sum itself tells
 */
function movedTo(
  kept: string,
  difference: string,
  { sums: { scale: exact, digits }, scale }: { readonly sums: Sums; readonly scale: number },
): string | undefined {
  const last = Math.min(scale, digits ?? scale);
  if (exactly.round(difference, last) !== difference) return undefined;
  const total = exactly['+'](kept, difference);
  const wasRounded = exact === undefined || exact > last;
  if (wasRounded && exactly.compare(kept, '0') * exactly.compare(total, '0') <= 0) return undefined;
  return total;
}

/** By how much a formula becomes another. @throws NotTold */
async function movedBy(moved: Moved, self: RecordValue, moving: DeltaContext): Promise<string> {
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
        await termOf(moved.sum, self, { move, facts, of: 'before' }),
        await termOf(moved.sum, self, { move, facts, of: 'after' }),
      ];
      return exactly['-'](after, before);
    }
    case 'scaled': {
      const difference = await movedBy(moved.of, self, moving);
      return (moved.sign === '*' ? exactly['*'] : quotient)(difference, moved.by) ?? '0';
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

/** Whether any are left of those without whom the formula is null. */
async function isAnyLeft({ tree }: Figure, self: RecordValue, facts: ReadFacts): Promise<boolean> {
  return tree.op === 'if' && (await facts.evaluate(tree.test, self)).value === true;
}

/** Whether fewer of its items are among those without which the formula is null. */
async function hasLeft(sum: Sum, self: RecordValue, moving: DeltaContext): Promise<boolean> {
  const before = await termOf(sum, self, { ...moving, of: 'before' });
  const after = await termOf(sum, self, { ...moving, of: 'after' });
  return exactly['-'](after, before).startsWith('-');
}

async function someOf<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await test(item)) return true;
  return false;
}
