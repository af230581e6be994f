// What the errors of the drivers mean, as tables: by number first, then `fatal`, then the text of closed connections,
// because drivers give some errors no code and others a wrong one.

/** No connection could be had, so the command never left this process. */
export class NotSentError extends Error {
  constructor(cause: unknown) {
    super('No connection to the database.', { cause });
    this.name = 'NotSentError';
  }
}

/** The server gave no answer in time and its connection was cut; it may still have done what it was told. */
export class DeadlineError extends Error {
  constructor(deadlineMs: number) {
    super(`The database gave no answer within ${deadlineMs} ms.`);
    this.name = 'DeadlineError';
  }
}

/** The failure came at COMMIT: unless the server says otherwise, nobody knows whether the transaction took place. */
export class CommitError extends Error {
  constructor(cause: unknown) {
    super('The commit failed.', { cause });
    this.name = 'CommitError';
  }
}

export type ConstraintFault =
  /** `key`: on MySQL and MariaDB the name of the index, on SQLite the list of its `table.column`. */
  | { readonly kind: 'unique'; readonly key: string | readonly string[] }
  /** The row written names a row that is not there. */
  | { readonly kind: 'foreignKeyMissing' }
  /** The row deleted is named by others. */
  | { readonly kind: 'foreignKeyUsed' }
  /** One of these two; SQLite does not say which. */
  | { readonly kind: 'foreignKey' };

export type Fault =
  | ConstraintFault
  /** The transaction lost against another one; the whole unit may be run again after a rollback. */
  | { readonly kind: 'retry' /** Another process holds the whole database. */; readonly isLocked?: true }
  /** `notDone`: surely nothing happened, even at COMMIT. `reconnect`: a fresh connection may do better at once. */
  | { readonly kind: 'away'; readonly notDone: boolean; readonly reconnect: boolean }
  /** The value does not fit its column: the validation above has a hole. */
  | { readonly kind: 'range' }
  | { readonly kind: 'unknown' };

const retry: Fault = { kind: 'retry' };
const locked: Fault = { kind: 'retry', isLocked: true };
const range: Fault = { kind: 'range' };
const refused: Fault = { kind: 'away', notDone: true, reconnect: false };
const stale: Fault = { kind: 'away', notDone: true, reconnect: true };
const lost: Fault = { kind: 'away', notDone: false, reconnect: true };
const silent: Fault = { kind: 'away', notDone: false, reconnect: false };

/** By `errno` of MySQL, MariaDB, Galera and TiDB. */
const mysqlFaults: ReadonlyMap<number, Fault> = new Map<number, Fault>([
  [1213, retry], // deadlock; on Galera also a failed certification, at COMMIT too
  [1205, retry], // lock wait timeout: the transaction is still open
  [1020, retry], // record changed since the snapshot
  [1412, retry], // table definition changed within the transaction
  [1615, retry], // prepared statement needs preparing again
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
  [1021, refused], // disk full
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
  [1180, silent], // error during COMMIT
  [3100, silent], // group replication hook
  [9001, silent], // TiDB: PD server timeout
  [9002, silent], // TiDB: TiKV server timeout
  [9003, silent], // TiDB: TiKV server busy
  [9005, silent], // TiDB: region unavailable
]);

/** By the extended `errcode` of SQLite; the low eight bits where the extended code is not listed. */
const sqliteFaults: ReadonlyMap<number, Fault> = new Map<number, Fault>([
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

const duplicateNumbers: ReadonlySet<number> = new Set([1062, 1586, 1859]);
const sqliteUniqueCodes: ReadonlySet<number> = new Set([1555, 2067, 2579]);
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
const mysqlKey = (message: string): string => {
  const quoted = /'([^']*)'\s*$/.exec(message)?.[1] ?? '';
  return quoted.slice(quoted.lastIndexOf('.') + 1);
};

/** `UNIQUE constraint failed: t.a, t.b`, or `… failed: index 'name'` for an index over an expression. */
const sqliteKey = (message: string): string | readonly string[] => {
  const named = /index '([^']*)'$/.exec(message)?.[1];
  return named ?? message.slice(message.indexOf(': ') + 2).split(', ');
};

interface Details {
  readonly errno?: unknown;
  readonly errcode?: unknown;
  readonly code?: unknown;
  readonly fatal?: unknown;
}

/** Says what an error of a driver means; looks through NotSentError and CommitError. Never throws. */
export const faultOf = (error: unknown): Fault => {
  if (error instanceof CommitError) return faultOf(error.cause);
  if (error instanceof NotSentError) return refused;
  if (error instanceof DeadlineError) return silent;
  if (!(error instanceof Error)) return { kind: 'unknown' };

  const { errno, errcode, code, fatal } = error as Error & Details; // all unknown: whatever a driver has put there
  if (typeof errcode === 'number') {
    if (sqliteUniqueCodes.has(errcode)) return { kind: 'unique', key: sqliteKey(error.message) };
    return sqliteFaults.get(errcode) ?? sqliteFaults.get(errcode & 0xff) ?? { kind: 'unknown' };
  }
  if (typeof errno === 'number' && errno > 0) {
    if (duplicateNumbers.has(errno)) return { kind: 'unique', key: mysqlKey(error.message) };
    const fault = mysqlFaults.get(errno);
    if (fault !== undefined) return fault;
  }
  if (typeof code === 'string' && unreachableCodes.has(code)) return refused;
  if (error.message.startsWith("Can't add new command")) return stale; // mysql2: the connection was closed before sending
  if (fatal === true || (typeof code === 'string' && networkCodes.has(code))) return lost;
  return { kind: 'unknown' };
};
