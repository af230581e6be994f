// Classifies the errors of mysql2: by number first, then `fatal`, then the text of closed connections, because it gives some
// errors no code and others a wrong one.

import {
  type DriverError,
  type Fault,
  faultReader,
  type Hindrance,
  lost,
  range,
  refused,
  retry,
  silent,
  stale,
  waiting,
} from '../schema/error-kinds.ts';

const errorDuringCommit = 1180;

/** By `errno` of MySQL, MariaDB, Galera and TiDB. */
const faults: ReadonlyMap<number, Fault> = new Map<number, Fault>([
  [1213, retry], // deadlock; on Galera also a failed certification, at COMMIT too
  [1205, waiting], // lock wait timeout: the transaction is still open
  [1020, retry], // record changed since the snapshot
  [1412, retry], // table definition changed within the transaction
  [1615, retry], // prepared statement needs preparing again
  [3572, retry], // a row that must not be waited for is locked (`nowait`), MySQL
  [3101, retry], // group replication rolled the transaction back at COMMIT
  [8002, retry], // TiDB: write conflict of `for update`
  [8005, retry], // TiDB: write conflict
  [8022, retry], // TiDB: commit failed, rolled back
  [8028, retry], // TiDB: schema changed meanwhile
  [9007, retry], // TiDB: write conflict
  [1216, { kind: 'foreignKeyMissing' }],
  [1452, { kind: 'foreignKeyMissing' }],
  [1217, { kind: 'foreignKeyUsed' }],
  [1451, { kind: 'foreignKeyUsed' }],
  [1048, range], // null in a column without nulls
  [1138, range], // null where a change of the table allows none
  [1153, range], // packet larger than the server takes
  [1264, range], // number out of range
  [1265, range], // value cut
  [1292, range], // wrong date
  [1364, range], // column without default left out
  [1366, range], // wrong value for the type
  [1406, range], // text too long
  [1690, range], // result of a computation out of range
  [3140, range], // malformed JSON
  [3819, range], // check, MySQL
  [4025, range], // check, MariaDB
  [3, refused], // a file could not be written
  [20, refused], // disk full, while a file was written
  [1021, refused], // disk full
  [1026, refused], // a file could not be written
  [1040, refused], // too many connections
  [1114, refused], // table full
  [1203, refused], // too many connections of this user
  [1226, refused], // limit of this user
  [1969, refused], // max_statement_time, MariaDB
  [3024, refused], // max_execution_time, MySQL
  [1290, stale], // the server turned read-only (failover)
  [1792, stale], // read-only transaction
  [1836, stale], // read-only mode
  [1047, lost], // Galera: node not ready; at COMMIT the rows may be there
  [1053, lost], // server is shutting down
  [1317, lost], // interrupted by KILL QUERY
  [1927, lost], // connection killed
  [4031, lost], // closed for being idle
  [errorDuringCommit, silent],
  [3100, silent], // group replication hook
  [9001, silent], // TiDB: PD server timeout
  [9002, silent], // TiDB: TiKV server timeout
  [9003, silent], // TiDB: TiKV server busy
  [9005, silent], // TiDB: region unavailable
]);

const duplicateNumbers: ReadonlySet<number> = new Set([1062, 1586, 1859]);
const networkCodes: ReadonlySet<string> = new Set([
  'ECONNABORTED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
]);
const unreachableCodes: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
]);

/** `Duplicate entry 'x' for key 'table.key'`: MySQL names the table, MariaDB does not; the entry may hold any text. */
const brokenKey = (message: string): string => {
  const quoted = /'([^']*)'\s*$/.exec(message)?.[1] ?? '';
  return quoted.slice(quoted.lastIndexOf('.') + 1);
};

/** @returns undefined for errors of others. */
export function mysqlFault({ errno, code, fatal, message }: DriverError): Fault | undefined {
  if (typeof errno === 'number' && errno > 0) {
    // Group Replication: another member came first. The engine's 149, a deadlock, says that it took the transaction back.
    if (errno === errorDuringCommit && /\berror 149\b/.test(message)) return retry;
    if (duplicateNumbers.has(errno)) return { kind: 'unique', key: brokenKey(message) };
    const fault = faults.get(errno);
    if (fault !== undefined) return fault;
  }
  if (typeof code === 'string' && unreachableCodes.has(code)) return refused;
  if (message.startsWith("Can't add new command")) return stale; // the connection was closed before sending
  return fatal === true || (typeof code === 'string' && networkCodes.has(code)) ? lost : undefined;
}

/** By number, too: no room for anybody, or no writing. A table may be full (1114) while others are not. */
const hindrances: ReadonlyMap<number, Hindrance> = new Map<number, Hindrance>([
  [20, 'full'],
  [1021, 'full'],
  [1114, 'full'],
  [1290, 'readOnly'],
  [1792, 'readOnly'],
  [1836, 'readOnly'],
]);

/** Whether nobody can write. Of files that cannot be written (3, 1026, 1030) the text has the reason: 28 is a full disk. */
export function mysqlHindrance({ errno, message }: DriverError): Hindrance | undefined {
  if (typeof errno !== 'number') return undefined;
  const isOfFile = errno === 3 || errno === 1026 || errno === 1030;
  return isOfFile && /\berr(?:no|code|or):? 28\b/i.test(message) ? 'full' : hindrances.get(errno);
}

/** The same of any error, those that this driver's own code throws too. */
export const faultOf = faultReader(mysqlFault);
