// MySQL 8, MariaDB and TiDB through mysql2: a pool of connections whose session is set before first use, prepared
// statements, and a deadline on every command, because mysql2's own leaves the command running on a pooled connection.

import { Socket } from 'node:net';
import { createPool, type Pool, type PoolConnection, type QueryResult } from 'mysql2';
import { ConfigurationFault } from '../configuration-fault.ts';
import { bindMysql } from './bind.ts';
import { CommitError, DeadlineError, faultOf, NotSentError } from './faults.ts';
import { readServer, sessionStatements } from './mysql-server.ts';
import { connectionFault, type Place, readMysqlUrl } from './mysql-url.ts';
import { createQueue } from './queue.ts';
import { type Bound, type Database, type Row, runAll, type Session } from './session.ts';

const connectTimeoutMs = 5000;
const idleMs = 30_000;
const queueLimit = 1000;
const closeMs = 2000;
// Behind a change that waits for a long transaction, every other use of the table waits too.
const tableLockSeconds = 3;
// Prepared statements a process may hold on the server, whose own limit is 16,382 for all its clients.
const preparedLimit = 5000;

type Answer<R> = (error: Error | null, result: R) => void;

/** Cuts the connection now. mysql2 alone only says goodbye, and a dead peer never answers that. */
const cut = (connection: PoolConnection): void => {
  connection.destroy();
  if ('stream' in connection && connection.stream instanceof Socket) connection.stream.destroy();
};

/** One command; without an answer in time the connection is cut and the command rejects with a DeadlineError. */
const command = <R>(connection: PoolConnection, deadlineMs: number, send: (answer: Answer<R>) => void): Promise<R> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      cut(connection);
      reject(new DeadlineError(deadlineMs));
    }, deadlineMs);
    send((error, result) => {
      clearTimeout(timer);
      if (error === null || error === undefined) resolve(result);
      else reject(error);
    });
  });

const text = (connection: PoolConnection, deadlineMs: number, sql: string): Promise<QueryResult> =>
  command(connection, deadlineMs, (answer) => connection.query({ sql, rowsAsArray: true }, answer));

const execute = (connection: PoolConnection, deadlineMs: number, sql: string, values: readonly Bound[]) => {
  const bound = bindMysql(values);
  return command<QueryResult>(connection, deadlineMs, (answer) => connection.execute(sql, bound, answer));
};

const toRows = (result: QueryResult): Row[] => {
  if (!Array.isArray(result)) throw new TypeError('The statement returns no rows; use run.');
  return result as unknown as Row[]; // arrays by rowsAsArray; its cells are text, numbers, bytes and null by the options below
};

const toCount = (result: QueryResult): number => {
  if (!('affectedRows' in result)) throw new TypeError('The statement returns rows; use all.');
  return result.affectedRows; // matched rows: mysql2 sets the flag FOUND_ROWS
};

/** Gives the connection back, or cuts it when it, or the server behind it, is of no use any more. */
const giveBack = (connection: PoolConnection, error: unknown): void => {
  const fault = faultOf(error);
  if (fault.kind === 'away' && (fault.reconnect || !fault.notDone)) cut(connection);
  else connection.release();
};

/**
 * The session of one transaction. Its commands go one after the other: mysql2 would send a queued one even after a
 * deadlock has ended the transaction, and it would then commit on its own.
 */
const createTransaction = (connection: PoolConnection, deadlineMs: number) => {
  const queue = createQueue(queueLimit);
  let isOver = false;
  let broken: unknown;
  const send = (sql: string, values: readonly Bound[]): Promise<QueryResult> =>
    queue(async () => {
      if (isOver) throw new Error('The transaction is over; its session must not be used any more.');
      if (broken !== undefined) throw broken;
      try {
        return await execute(connection, deadlineMs, sql, values);
      } catch (error) {
        const { kind } = faultOf(error);
        if (kind === 'retry' || kind === 'away') broken = error;
        throw error;
      }
    });
  const session: Session = {
    all: async (sql, values) => toRows(await send(sql, values)),
    run: async (sql, values) => toCount(await send(sql, values)),
  };
  /** Ends the session after the commands still under way. @returns the error that ended the transaction, if any. */
  const end = (): Promise<unknown> =>
    queue(() => {
      isOver = true;
      return broken;
    });
  return { session, end };
};

/** The pool, each of its connections with the session set; `sessions` costs its round trips once a connection. */
const createSource = (pool: Pool, sessions: readonly string[], deadlineMs: number) => {
  const ready = new WeakSet<PoolConnection>();
  const fromPool = (): Promise<PoolConnection> =>
    new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(new DeadlineError(deadlineMs));
      }, deadlineMs);
      pool.getConnection((error, connection) => {
        clearTimeout(timer);
        if (error) reject(error);
        else if (isLate) connection.release();
        else resolve(connection);
      });
    });
  const prepare = async (connection: PoolConnection): Promise<void> => {
    connection.on('error', () => {}); // a second error event without a listener would end the process
    try {
      for (const sql of sessions) await text(connection, deadlineMs, sql);
      ready.add(connection);
    } catch (error) {
      cut(connection);
      throw error;
    }
  };
  /** @throws NotSentError */
  return async (): Promise<PoolConnection> => {
    try {
      const connection = await fromPool();
      if (!ready.has(connection)) await prepare(connection);
      return connection;
    } catch (error) {
      throw new NotSentError(error);
    }
  };
};

const endPool = (pool: Pool): Promise<void> =>
  new Promise((resolve) => {
    // A connection that hangs never answers the goodbye.
    const timer = setTimeout(resolve, closeMs);
    pool.end(() => {
      clearTimeout(timer);
      resolve();
    });
  });

const createPoolAt = (place: Place): Pool =>
  createPool({
    ...place.connection,
    connectionLimit: place.connectionLimit,
    // mysql2 looks at idleTimeout only when maxIdle is below the limit.
    maxIdle: place.connectionLimit - 1,
    idleTimeout: idleMs,
    queueLimit,
    connectTimeout: connectTimeoutMs,
    enableKeepAlive: true,
    keepAliveInitialDelay: 10_000,
    maxPreparedStatements: Math.max(20, Math.min(500, Math.floor(preparedLimit / place.connectionLimit))),
    charset: 'UTF8MB4_BIN',
    timezone: 'Z',
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    rowsAsArray: true,
    flags: ['-LOCAL_FILES'],
  });

/** Asks on a connection of its own what the server is, before the sessions of others can be set. */
const probe = async (place: Place, deadlineMs: number) => {
  const pool = createPoolAt(place);
  try {
    const connection = await createSource(pool, [], deadlineMs)();
    try {
      const server = readServer(toRows(await text(connection, deadlineMs, 'select version()')));
      for (const sql of sessionStatements(server, deadlineMs)) await text(connection, deadlineMs, sql);
      const [row] = toRows(await text(connection, deadlineMs, 'select @@session.sql_mode, @@session.time_zone'));
      if (!String(row?.[0]).includes('STRICT_ALL_TABLES') || row?.[1] !== '+00:00') {
        throw new ConfigurationFault(
          `The database server at ${place.name} does not keep the strict mode of a session.`,
        );
      }
      return server;
    } finally {
      cut(connection);
    }
  } catch (error) {
    if (error instanceof ConfigurationFault) throw error;
    throw connectionFault(place, error instanceof NotSentError ? error.cause : error);
  } finally {
    await endPool(pool);
  }
};

/**
 * Opens a pool to MySQL from 8.0.13, MariaDB from 10.6 or TiDB; the database must exist.
 * @param url `mysql://user:password@host:port/database?connectionLimit=10&ssl=true`; see `readMysqlUrl`.
 * @param options `deadlineMs`: the most that one command may take, waiting for a connection not included (10 s). The
 *   server is told to give up a little earlier, so that it usually answers; DDL in `restructure` has no limit.
 * @throws ConfigurationFault with one line when the server is not there, too old, or refuses.
 */
export const openMysql = async (url: URL, options: { readonly deadlineMs?: number } = {}): Promise<Database> => {
  const { deadlineMs = 10_000 } = options;
  const place = readMysqlUrl(url);
  const server = await probe(place, deadlineMs);
  const pool = createPoolAt(place);
  const acquire = createSource(pool, sessionStatements(server, deadlineMs), deadlineMs);

  const single = async (sql: string, values: readonly Bound[]): Promise<QueryResult> => {
    const connection = await acquire();
    try {
      const result = await execute(connection, deadlineMs, sql, values);
      connection.release();
      return result;
    } catch (error) {
      giveBack(connection, error);
      throw error;
    }
  };

  const takeBack = async (connection: PoolConnection, error: unknown): Promise<void> => {
    try {
      await text(connection, deadlineMs, 'rollback');
      giveBack(connection, error);
    } catch {
      cut(connection);
    }
  };

  const transact = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const connection = await acquire();
    const { session, end } = createTransaction(connection, deadlineMs);
    let result: T;
    try {
      await text(connection, deadlineMs, 'start transaction');
      result = await work(session);
      const broken = await end();
      if (broken !== undefined) throw broken;
    } catch (error) {
      await end();
      await takeBack(connection, error);
      throw error;
    }
    try {
      await text(connection, deadlineMs, 'commit');
    } catch (error) {
      await takeBack(connection, error);
      throw new CommitError(error);
    }
    connection.release();
    return result;
  };

  const restructure = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const connection = await acquire();
    const send = (sql: string, values: readonly Bound[]): Promise<QueryResult> =>
      new Promise((resolve, reject) => {
        const answer = (error: Error | null, result: QueryResult): void => (error ? reject(error) : resolve(result));
        // Not every statement that changes a table can be prepared.
        if (values.length === 0) connection.query({ sql, rowsAsArray: true }, answer);
        else connection.execute(sql, bindMysql(values), answer);
      });
    try {
      await text(connection, deadlineMs, server.withoutLimit);
      // Whoever changes tables tries again a little later.
      const settings = `foreign_key_checks = 0, lock_wait_timeout = ${tableLockSeconds}`;
      await text(connection, deadlineMs, `set session ${settings}`);
      return await work({
        all: async (sql, values) => toRows(await send(sql, values)),
        // `analyze table` and its like answer with rows that say how it went.
        run: async (sql, values) => {
          const result = await send(sql, values);
          return Array.isArray(result) ? 0 : toCount(result);
        },
      });
    } finally {
      cut(connection); // its limits are off: not for others
    }
  };

  return {
    dialect: 'mysql',
    server: server.name,
    isMariaDb: server.isMariaDb,
    all: async (sql, values) => toRows(await single(sql, values)),
    run: async (sql, values) => toCount(await single(sql, values)),
    transact,
    restructure,
    script: (statements) => restructure((session) => runAll(session, statements)),
    close: () => endPool(pool),
  };
};
