// Classifies the errors of node:sqlite.

import {
  type DriverError,
  type Fault,
  faultReader,
  type Hindrance,
  locked,
  range,
  refused,
  retry,
} from '../schema/error-kinds.ts';

/** By the extended `errcode` of SQLite; the low eight bits where the extended code is not listed. */
const faults: ReadonlyMap<number, Fault> = new Map<number, Fault>([
  [787, { kind: 'foreignKey' }],
  [1811, { kind: 'foreignKey' }], // `on delete restrict`
  [275, range], // check
  [1299, range], // null
  [3091, range], // type in a STRICT table
  [18, range], // text or blob too big
  [20, range], // datatype mismatch
  [5, locked], // another process holds the lock (517: it wrote since our snapshot)
  [6, retry], // a table is locked
  [8, refused], // read-only file
  [10, refused], // input or output error
  [13, refused], // disk full
  [14, refused], // the file cannot be opened
]);

const uniqueCodes: ReadonlySet<number> = new Set([1555, 2067, 2579]);

/** `UNIQUE constraint failed: t.a, t.b`, or `… failed: index 'name'` for an index over an expression. */
const brokenKey = (message: string): string | readonly string[] => {
  const named = /index '([^']*)'$/.exec(message)?.[1];
  return named ?? message.slice(message.indexOf(': ') + 2).split(', ');
};

/** @returns undefined for errors of others. */
export function sqliteFault({ code, errcode, message }: DriverError): Fault | undefined {
  // Node itself refuses an integer of more than 64 bits, before SQLite sees it.
  if (code === 'ERR_INVALID_ARG_VALUE' && message === 'BigInt value is too large to bind.') return range;
  if (typeof errcode !== 'number') return undefined;
  if (uniqueCodes.has(errcode)) return { kind: 'unique', key: brokenKey(message) };
  return faults.get(errcode) ?? faults.get(errcode & 0xff) ?? { kind: 'unknown' };
}

/** Whether nobody can write: the file is read-only (8), or there is no room (13). */
export function sqliteHindrance({ errcode }: DriverError): Hindrance | undefined {
  if (typeof errcode !== 'number') return undefined;
  const code = errcode & 0xff;
  return code === 13 ? 'full' : code === 8 ? 'readOnly' : undefined;
}

/** The same of any error, those that this driver's own code throws too. */
export const faultOf = faultReader(sqliteFault);
