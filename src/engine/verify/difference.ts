// Differences between stored and computed values of records.
import type { Value, Values } from '../../registry/model/model.ts';
import type { RecordName } from '../changes/change.ts';
import { sameValue } from '../changes/same-value.ts';

/** A stored value that differs from the right one. */
export interface Difference extends RecordName {
  /** `amountPaid`, `budget.revenue`, `lines[0].amount` */
  readonly place: string;
  /** The derived column that differs, `name_folded`; undefined if the value of the field differs. */
  readonly column?: string;
  readonly stored: Value;
  readonly right: Value;
  /** Why it cannot be repaired. */
  readonly stays?: string;
}

/** Lists the values of a record that differ, inside objects and lists as well. */
export function listDifferences(
  name: RecordName,
  stored: Readonly<Values>,
  computed: Readonly<Values>,
): readonly Difference[] {
  return Object.keys(computed).flatMap((key) =>
    differencesInside(name, key, { stored: stored[key] ?? null, right: computed[key] ?? null }),
  );
}

function differencesInside(
  name: RecordName,
  place: string,
  { stored, right }: Pick<Difference, 'stored' | 'right'>,
): readonly Difference[] {
  if (sameValue(stored, right)) return [];
  if (typeof stored !== 'object' || typeof right !== 'object' || stored === null || right === null)
    return [{ ...name, place, stored, right }];
  const isList = Array.isArray(stored);
  return [...new Set([...Object.keys(stored), ...Object.keys(right)])].flatMap((key) =>
    differencesInside(name, isList ? `${place}[${key}]` : `${place}.${key}`, {
      stored: (stored as Values)[key] ?? null,
      right: (right as Values)[key] ?? null,
    }),
  );
}
