// Values on their way to node:sqlite.
import { refuseValue } from '../schema/bind.ts';
import type { Bound } from '../schema/cells.ts';

/**
 * Values for node:sqlite, which binds every number as REAL (3 would become "3.0" in a text): integers go as bigint.
 * @throws TypeError for anything but text, a finite number, a bigint, bytes or null.
 */
export const bindSqlite = (values: readonly Bound[]): Bound[] =>
  values.map((value, place) => {
    if (typeof value === 'string' || typeof value === 'bigint' || value === null) return value;
    if (typeof value === 'number' && Number.isFinite(value)) return Number.isSafeInteger(value) ? BigInt(value) : value;
    return value instanceof Uint8Array ? value : refuseValue(value, place);
  });
