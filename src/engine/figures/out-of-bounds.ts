// Defers bounds of computed fields. While a write is under way a figure may be out of its bounds for a round, until the others that
// it depends on have followed: faults of figures that others move are reported when nothing moves them any more.

import { isUnset } from '../../facts/record-values.ts';
import { withoutPointers } from '../../problems/field-fault.ts';
import { problems } from '../../problems.ts';
import type { Field, Value } from '../../registry/model/model.ts';
import { columnTypeOf, isHeld } from '../../storage/schema/columns.ts';
import { nameInFull, type RecordName } from '../changes/change.ts';
import type { Draft } from '../draft/draft.ts';
import { type FigureField, rootKey } from '../plan/figures.ts';
import type { Scope } from '../transaction/scope.ts';
import { placesOf } from './compute-figure.ts';

/**
 * Puts off what is wrong with a record, if only figures are that others may move yet: it counts as sound until all is done.
 * Until then they are what their columns hold, for others may ask for the row.
 */
export function deferOutOfBounds(draft: Draft): void {
  const { scope, group, name, faults, overlong } = draft;
  if (!draft.hasFaults || draft.saysTooMuch || !faults.keys.isSubsetOf(group.movedKeys)) return;
  const figures = group.figures.filter((figure) => overlong.has(figure) || faults.keys.has(rootKey(figure)));
  const places = figures.flatMap((figure) =>
    placesOf(draft, figure).map(({ values }) => ({ values, field: figure.field })),
  );
  if (places.some(({ field, values }) => field.unset === 'never' && isUnset(values[field.key]))) return;
  for (const { field, values } of places) values[field.key] = nearest(field, values[field.key] ?? null);
  scope.outOfBounds.set(nameInFull(name), { record: name, faults, figures });
  draft.startAfresh();
}

/** What is nearest to a value among those that the column of a field holds. */
function nearest(field: Field, value: Value): Value {
  if (Array.isArray(value)) return [];
  if (field.kind === 'text') return typeof value === 'string' ? [...value].slice(0, field.maxLength).join('') : value;
  if (field.kind !== 'integer' && field.kind !== 'decimal') return value;
  const type = columnTypeOf(field);
  if (value === null || isHeld(String(value), type)) return value;
  const isNegative = String(value).startsWith('-');
  if (type.kind !== 'decimal') return isNegative ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return `${isNegative ? '-' : ''}${'9'.repeat(type.precision - type.scale)}`;
}

/** What was found wrong with a record before. It no longer counts: these figures are to be judged anew. */
export function takeOutOfBounds({ outOfBounds }: Scope, record: RecordName): readonly FigureField[] {
  const name = nameInFull(record);
  const figures = outOfBounds.get(name)?.figures ?? [];
  outOfBounds.delete(name);
  return figures;
}

/** @throws Problem for the first record with figures that its fields cannot hold, now that all are what they will be */
export function refuseOutOfBounds(scope: Scope): void {
  for (const { record, faults } of scope.outOfBounds.values())
    if (!scope.isGone(record.group, record.id)) throw problems.bodyInvalid(withoutPointers(faults.first));
}
