// Values on their way to mysql2.
import { refuseValue } from '../../schema/bind.ts';
import type { Bound } from '../../schema/cells.ts';

type MysqlValue = Exclude<Bound, Uint8Array> | Buffer;

/**
 * Values for mysql2, which knows bytes only as Buffer and would send another Uint8Array as text.
 * @throws TypeError for anything but text, a finite number, a bigint, bytes or null.
 */
export function bindMysql(values: readonly Bound[]): MysqlValue[] {
  const bound: MysqlValue[] = [];
  for (const [place, value] of values.entries()) {
    if (typeof value === 'string' || typeof value === 'bigint' || value === null) bound.push(value);
    else if (typeof value === 'number' && Number.isFinite(value)) bound.push(value);
    else if (!(value instanceof Uint8Array)) refuseValue(value, place);
    else bound.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
  }
  return bound;
}
