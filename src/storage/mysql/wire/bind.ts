// Values on their way to mysql2.
import { refuseValue } from '../../schema/bind.ts';
import type { Bound } from '../../schema/cells.ts';

/**
 * Values for mysql2, which knows bytes only as Buffer and would send another Uint8Array as text.
 * @throws TypeError for anything but text, a finite number, a bigint, bytes or null.
 */
export const bindMysql = (values: readonly Bound[]): (Exclude<Bound, Uint8Array> | Buffer)[] =>
  values.map((value, place) => {
    if (typeof value === 'string' || typeof value === 'bigint' || value === null) return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (!(value instanceof Uint8Array)) return refuseValue(value, place);
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  });
