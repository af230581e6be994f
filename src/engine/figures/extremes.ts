// Maintains minima, maxima and existence: a new term is compared with the kept value. Only when the term that counted leaves is
// the database asked for the next.
import type { ReadFacts } from '../../facts/read-facts.ts';
import type { Extreme } from '../../formulas/evaluate/deltas.ts';
import { comparing } from '../../formulas/language/function-row.ts';
import type { Known } from '../../formulas/language/value.ts';
import type { Field, Value } from '../../registry/model/model.ts';
import { numberToText } from '../../values/decimal.ts';
import { fieldValue, held } from '../draft/field-value.ts';
import type { FigurePlace } from './compute-figure.ts';
import { type Delta, takenIn } from './moves.ts';

interface Moving {
  readonly extreme: Extreme;
  readonly open: readonly Delta[];
  readonly facts: ReadFacts;
}

/** Moves an extreme by what has changed, in its order. @returns false where it must be asked for. @throws NotTold */
export async function moveExtreme(place: FigurePlace, field: Field, moving: Moving): Promise<boolean> {
  const { says } = moving.extreme;
  return says === 'min' || says === 'max' ? moveBest(place, field, moving) : moveWhether(place, field, moving);
}

async function moveBest(place: FigurePlace, field: Field, { extreme, open, facts }: Moving): Promise<boolean> {
  const { values, self, draft, path } = place;
  const { among, says } = extreme;
  const { key } = field;
  // Without any, the field would hold something that is none of them.
  if (field.default !== undefined || among.body === undefined) return false;
  const compare = comparing(among.body.tree.type);
  const isBetter = (one: string, other: string): boolean =>
    says === 'min' ? compare(one, other) < 0 : compare(one, other) > 0;
  // Rounding keeps their order.
  const heldTexts = (taken: readonly Known[]): readonly string[] =>
    taken.flatMap((value) => textOf(isPlain(value) ? fieldValue(field, value) : null) ?? []);
  let kept = textOf(values[key]);
  for (const move of open) {
    const before = heldTexts(await takenIn(among, self, { move, facts, of: 'before' }));
    const after = heldTexts(await takenIn(among, self, { move, facts, of: 'after' }));
    const best = after.reduce<string | undefined>(
      (found, one) => (found === undefined || isBetter(one, found) ? one : found),
      undefined,
    );
    const last = kept;
    const isLeft = before.some((one) => last === undefined || !isBetter(last, one));
    if (isLeft && (best === undefined || last === undefined || isBetter(last, best))) return false;
    if (best !== undefined && (kept === undefined || isBetter(best, kept))) kept = best;
  }
  if (kept !== undefined && kept !== textOf(values[key]))
    values[key] = held(draft, { field, value: kept, place: path + key });
  return true;
}

async function moveWhether(
  { values, self }: FigurePlace,
  { key, kind }: Field,
  { extreme, open, facts }: Moving,
): Promise<boolean> {
  const { among, says } = extreme;
  if (kind !== 'boolean' || typeof values[key] !== 'boolean') return false;
  let isAny = values[key] === (says === 'any');
  for (const move of open) {
    const before = await takenIn(among, self, { move, facts, of: 'before' });
    const after = await takenIn(among, self, { move, facts, of: 'after' });
    if (after.length > 0) isAny = true;
    else if (before.length > 0 && isAny) return false;
  }
  values[key] = isAny === (says === 'any');
  return true;
}

const isPlain = (value: Known): value is string | boolean | null => value === null || typeof value !== 'object';

const textOf = (value: Value | undefined): string | undefined => {
  if (typeof value === 'number') return numberToText(value);
  return typeof value === 'string' ? value : undefined;
};
