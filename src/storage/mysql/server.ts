// What differs between MySQL, MariaDB and TiDB before the first statement: versions and the names of session settings.

import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Row } from '../schema/cells.ts';
import type { Advice } from '../schema/session.ts';

type Make = 'mysql' | 'mariadb' | 'tidb';

export interface Server {
  readonly make: Make;
  /** `mariadb 10.11.19` */
  readonly name: string;
  readonly isMariaDb: boolean;
  /** Limits the time of a session's statements: a little lower than our own limit, so that the server answers before we cut the connection. */
  limit(deadlineMs: number): string;
  /** Takes the limit on the time of a statement away from a session. */
  readonly withoutLimit: string;
  /** Prepared statements that the server keeps for all its clients together. */
  readonly preparedStatements: number;
  readonly transaction: TransactionTexts;
  readonly advice: readonly Advice[];
}

/** What a transaction is made of besides its own statements. */
export interface TransactionTexts {
  /** How a session is where transactions run on it: nothing commits by itself. */
  readonly enter: string;
  /** How it is for single statements. */
  readonly leave: string;
  readonly begin: readonly string[];
  /** Fails where the transaction has been lost; nothing where that cannot happen. */
  readonly proof: string | undefined;
}

const plainTransaction: TransactionTexts = {
  enter: 'set autocommit = 0',
  leave: 'set autocommit = 1',
  begin: [],
  proof: undefined,
};

/**
 * A node of a Galera cluster takes a transaction back when one of another node comes first. Mostly the next command fails
 * then; but one was seen to go on without an error (MariaDB 10.11), as if another transaction had begun. A savepoint that has
 * gone tells that the transaction has. Nor may a write be judged by what this node has not yet heard of, although the caller has.
 */
export const clusterTransaction: TransactionTexts = {
  enter: 'set autocommit = 0, wsrep_sync_wait = 1',
  leave: 'set autocommit = 1, wsrep_sync_wait = 0',
  begin: ['start transaction', 'savepoint unit'],
  proof: 'release savepoint unit',
};

/**
 * A member of a group of MySQL servers that all take writes: no write may be judged by what this member has not yet heard of,
 * although the caller has. What another one has come first with fails by itself.
 */
const groupTransaction: TransactionTexts = {
  enter: "set autocommit = 0, group_replication_consistency = 'BEFORE'",
  leave: 'set autocommit = 1, group_replication_consistency = default',
  begin: [],
  proof: undefined,
};

const minimum: Record<Make, readonly [number, number, number]> = {
  mysql: [8, 0, 13],
  mariadb: [10, 6, 0],
  tidb: [0, 0, 0],
};

const labels: Record<Make, string> = { mysql: 'MySQL', mariadb: 'MariaDB', tidb: 'TiDB' };

/** MariaDB counts in seconds and means every statement, the others in milliseconds and mean reads. */
const limits: Record<Make, (limitMs: number) => string> = {
  mysql: (limitMs) => `max_execution_time = ${limitMs}`,
  mariadb: (limitMs) => `max_statement_time = ${limitMs / 1000}`,
  tidb: (limitMs) => `max_execution_time = ${limitMs}`,
};

const sqlMode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';
// Below the deadline of a command: whoever waits for a row, or for a table, tries the whole unit again. A write of MySQL has no
// limit of time: cut off, it would go on waiting, and be done when nobody counts on it any more.
const lockWaitSeconds = 1;

const isBelow = (version: readonly number[], least: readonly number[]): boolean => {
  const place = least.findIndex((part, index) => part !== (version[index] ?? 0));
  return place >= 0 && (version[place] ?? 0) < (least[place] ?? 0);
};

export const askServer = 'select version(), @@global.max_prepared_stmt_count';

/** Settings that some servers have, a row each: `wsrep_on` is `ON` on a node of a Galera cluster. Any server can be asked. */
export const askSettings = `show global variables where variable_name in
  ('wsrep_on', 'group_replication_single_primary_mode', 'innodb_native_foreign_keys')`;

/**
 * Reads the answer to `askServer`: its version (`8.4.0`, `10.11.19-MariaDB-log`, `8.0.11-TiDB-v8.5.0`) and a limit.
 * @param settings The answer to `askSettings`.
 * @throws ConfigurationFault when the server is too old.
 */
export const readServer = (rows: readonly Row[], settings: readonly Row[] = []): Server => {
  const full = String(rows[0]?.[0]);
  const make: Make = /tidb/i.test(full) ? 'tidb' : /mariadb/i.test(full) ? 'mariadb' : 'mysql';
  // MariaDB of old put 5.5.5- before its own version, TiDB puts that of MySQL.
  const bare = full.replace(/^5\.5\.5-/, '').replace(/^.*tidb-v?/i, '');
  const version = /^\d+(?:\.\d+)*/.exec(bare)?.[0] ?? '0';
  if (isBelow(version.split('.').map(Number), minimum[make])) {
    const least = minimum[make].join('.');
    throw new ConfigurationFault(`The database server is ${labels[make]} ${version}; ${least} or later is needed.`);
  }
  return {
    make,
    name: `${make} ${version}`,
    isMariaDb: make === 'mariadb',
    limit: (deadlineMs) => `set session ${limits[make](Math.ceil(deadlineMs * 0.9))}`,
    withoutLimit: `set session ${limits[make](0)}`,
    // TiDB says -1 where there is no limit.
    preparedStatements: Number(rows[0]?.[1]) > 0 ? Number(rows[0]?.[1]) : Number.POSITIVE_INFINITY,
    transaction: transactionWith(settings),
    advice: isSet(settings, 'innodb_native_foreign_keys', 'OFF') ? [nativeKeys] : [],
  };
};

const isSet = (settings: readonly Row[], name: string, value: string): boolean =>
  settings.some((row) => row[0] === name && row[1] === value);

function transactionWith(settings: readonly Row[]): TransactionTexts {
  if (isSet(settings, 'wsrep_on', 'ON')) return clusterTransaction;
  return isSet(settings, 'group_replication_single_primary_mode', 'OFF') ? groupTransaction : plainTransaction;
}

/** Tables of ours leave room for it where two references that may be null are a unique key. */
const nativeKeys: Advice = {
  says: 'innodb_native_foreign_keys is OFF: MySQL can accept a dangling reference if another column of a key is null',
  todo: 'start the database server with innodb_native_foreign_keys=ON',
};

/**
 * What a new connection must run before its first use, its limit of time besides. Two statements, because the isolation
 * has no name common to all.
 */
export const sessionStatements = (server: Server): string[] => {
  const settings = [
    `sql_mode = '${sqlMode}'`,
    "time_zone = '+00:00'",
    `innodb_lock_wait_timeout = ${lockWaitSeconds}`,
    ...(server.make === 'mysql' ? [`lock_wait_timeout = ${lockWaitSeconds}`] : []),
    // The name of a broken index is read from the message.
    ...(server.make === 'tidb' ? [] : ["lc_messages = 'en_US'"]),
  ];
  return [`set session ${settings.join(', ')}`, 'set session transaction isolation level read committed'];
};
