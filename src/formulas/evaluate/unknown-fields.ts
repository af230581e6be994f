// Partial records: a field that nothing has filled in yet is unknown, and so is what depends on it.
import type { RecordValue } from '../language/value.ts';
import type { Facts } from './facts.ts';

/** A record, or an item of one, of which only what it holds is known; now, and when it holds more. */
export const withUnknownFields = (value: RecordValue, gaps: NonNullable<Facts['encounters']>): RecordValue => ({
  ...value,
  owner: value.owner && (value.owner.gaps === undefined ? withUnknownFields(value.owner, gaps) : value.owner),
  gaps,
});

/** Whether a field of a record has no value yet. */
export function isGap({ gaps, values }: RecordValue, key: string): boolean {
  if (gaps === undefined || values[key] !== undefined) return false;
  gaps.unknown += 1;
  return true;
}
