// The only door for values into a driver: an object, a Date or a boolean would become SQL, NULL or a named parameter there.

import type { Bound } from './session.ts';

const refuse = (value: unknown, place: number): never => {
  const found = typeof value === 'number' ? String(value) : value === null ? 'null' : typeof value;
  throw new TypeError(`value ${place + 1} of a statement is ${found}; expected text, a finite number, bytes or null`);
};

/**
 * Values for node:sqlite, which binds every number as REAL (3 would become "3.0" in a text): integers go as bigint.
 * @throws TypeError for anything but text, a finite number, a bigint, bytes or null.
 */
export const bindSqlite = (values: readonly Bound[]): Bound[] =>
  values.map((value, place) => {
    if (typeof value === 'string' || typeof value === 'bigint' || value === null) return value;
    if (typeof value === 'number' && Number.isFinite(value)) return Number.isSafeInteger(value) ? BigInt(value) : value;
    return value instanceof Uint8Array ? value : refuse(value, place);
  });

/**
 * Values for mysql2, which knows bytes only as Buffer and would send another Uint8Array as text.
 * @throws TypeError for anything but text, a finite number, a bigint, bytes or null.
 */
export const bindMysql = (values: readonly Bound[]): (Exclude<Bound, Uint8Array> | Buffer)[] =>
  values.map((value, place) => {
    if (typeof value === 'string' || typeof value === 'bigint' || value === null) return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (!(value instanceof Uint8Array)) return refuse(value, place);
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  });
