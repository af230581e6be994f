// MySQL 8, MariaDB and TiDB through mysql2: what a session, a transaction and a change of tables are on them.
import type { QueryResult } from 'mysql2';
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Bound, Row } from '../schema/cells.ts';
import { NotSentError } from '../schema/error-kinds.ts';
import { type CommandOptions, type Database, type Found, runAll, type Session } from '../schema/session.ts';
import { type Command, cut, MysqlConnection, nothing, toCount, toRows } from './connection.ts';
import { mariaDbDialect, mysqlDialect } from './dialect.ts';
import { choosePipelining } from './pipelining.ts';
import { type ConnectionPool, connectionFrom, createConnectionPool, createPoolAt, endPool } from './pool.ts';
import { askServer, askSettings, readServer, type Server, sessionStatements, type TransactionTexts } from './server.ts';
import { transactOn } from './transaction.ts';
import { connectionFault, readMysqlUrl, type ServerAddress } from './url.ts';

// Behind a change that waits for a long transaction, every other use of the table waits too: less than its deadline.
const tableLockSeconds = 1;

/** Asks on a connection of its own what the server is, before the sessions of others can be set. */
const probe = async (place: ServerAddress, deadlineMs: number): Promise<Server> => {
  const pool = createPoolAt(place, 20);
  try {
    const connection = await connectionFrom(pool, place, deadlineMs).catch((error: unknown) => {
      throw new NotSentError(error);
    });
    const link = new MysqlConnection(connection, { sent() {}, over() {}, timedOut() {} });
    link.renew(deadlineMs);
    try {
      const server = readServer(toRows(await link.text(askServer)), toRows(await link.text(askSettings)));
      for (const sql of sessionStatements(server)) await link.text(sql);
      const [row] = toRows(await link.text('select @@session.sql_mode, @@session.time_zone'));
      if (!String(row?.[0]).includes('STRICT_ALL_TABLES') || row?.[1] !== '+00:00') {
        throw new ConfigurationFault(
          `The database server at ${place.name} does not keep the strict mode of a session.`,
        );
      }
      await choosePipelining(link, server, place.pipeline);
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

/** A transaction all of whose reads see one moment; usually each statement sees its own. */
const ofOneMoment = (texts: TransactionTexts): TransactionTexts => ({
  ...texts,
  begin: ['set transaction isolation level repeatable read', 'start transaction with consistent snapshot, read only'],
  proof: undefined,
});

interface Asked<T> {
  readonly commands: readonly Command[];
  readonly read: (results: readonly QueryResult[]) => T;
  readonly terms: CommandOptions | undefined;
}

/** What one connection is asked for outside of a transaction, together. @throws the error of the first that fails */
const askSource = <T>(source: ConnectionPool, asked: Asked<T>): Promise<T> => {
  // Not awaited where there is one: a turn of the microtasks on each command.
  const link = source.takeReady(asked.terms);
  if (link === undefined) return source.take(asked.terms).then((taken) => askOn(taken, source, asked));
  return askOn(link, source, asked);
};

const askOn = <T>(link: MysqlConnection, source: ConnectionPool, { commands, read }: Asked<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    link.ask(commands, (results, failed) => {
      source.give(link, failed);
      if (failed !== undefined) {
        reject(failed);
        return;
      }
      try {
        resolve(read(results));
      } catch (error) {
        reject(error);
      }
    });
  });

const firstRows = ([result = nothing]: readonly QueryResult[]): Row[] => toRows(result);
const firstCount = ([result = nothing]: readonly QueryResult[]): number => toCount(result);
const allRows = (results: readonly QueryResult[]): Found => ({ count: 0, rows: results.map(toRows) });
const countAndRows = ([written = nothing, ...read]: readonly QueryResult[]): Found => ({
  count: toCount(written),
  rows: read.map(toRows),
});

const unlimited: CommandOptions = { deadlineMs: Number.POSITIVE_INFINITY };

const restructureOn = async <T>(
  source: ConnectionPool,
  server: Server,
  work: (session: Session) => Promise<T>,
): Promise<T> => {
  const link = await source.take(unlimited);
  // Not every statement that changes a table can be prepared.
  const send = (sql: string, values: readonly Bound[]): Promise<QueryResult> =>
    values.length === 0 ? link.text(sql) : link.execute(sql, values);
  try {
    await link.text(server.withoutLimit);
    // Whoever changes tables tries again a little later.
    const settings = `foreign_key_checks = 0, lock_wait_timeout = ${tableLockSeconds}`;
    await link.text(`set session ${settings}`);
    return await work({
      all: async (sql, values) => toRows(await send(sql, values)),
      // `analyze table` and its like answer with rows that say how it went.
      run: async (sql, values) => {
        const result = await send(sql, values);
        return Array.isArray(result) ? 0 : toCount(result);
      },
    });
  } finally {
    source.drop(link); // its limits are off: not for others
  }
};

/** Rolled back with its connection, which is dropped, where the work fails. */
const replaceOn = <T>(source: ConnectionPool, server: Server, work: (session: Session) => Promise<T>): Promise<T> =>
  restructureOn(source, server, async (session) => {
    await session.run('start transaction', []);
    const result = await work(session);
    await session.run('commit', []);
    return result;
  });

/**
 * Opens a pool to MySQL from 8.0.13, MariaDB from 10.6 or TiDB; the database must exist.
 * @param url `mysql://user:password@host:port/database?connectionLimit=10&deadlineMs=2000&ssl=true`; see `readMysqlUrl`.
 * @param options `deadlineMs`: the most that a command without terms may take, waiting for a connection not included
 *   (10 s). The server is told to give up a little earlier, so that it usually answers; `restructure` has no limit.
 *   `transaction`: what its transactions are made of, else told by the server.
 * @throws ConfigurationFault with one line when the server is not there, too old, or refuses.
 */
export const openMysql = async (
  url: URL,
  options: { readonly deadlineMs?: number; readonly transaction?: TransactionTexts } = {},
): Promise<Database> => {
  const place = readMysqlUrl(url);
  const unhurriedMs = options.deadlineMs ?? Math.max(10_000, place.deadlineMs);
  const server = await probe(place, unhurriedMs);
  const source = createConnectionPool({ place, server, unhurriedMs });
  const texts = options.transaction ?? server.transaction;
  const restructure: Database['restructure'] = (work) => restructureOn(source, server, work);
  return {
    dialect: server.isMariaDb ? mariaDbDialect : mysqlDialect,
    server: server.name,
    advice: server.advice,
    deadlineMs: place.deadlineMs,
    semaphores: source.requests,
    all: (sql, values, terms) => askSource(source, { commands: [{ sql, values }], read: firstRows, terms }),
    run: (sql, values, terms) => askSource(source, { commands: [{ sql, values }], read: firstCount, terms }),
    together: ({ write, reads }, terms) => {
      if (write === undefined) return askSource(source, { commands: reads, read: allRows, terms });
      return askSource(source, { commands: [write, ...reads], read: countAndRows, terms });
    },
    transact: (work, terms) => transactOn({ source, texts, work, terms }),
    snapshot: (work) =>
      transactOn({ source, texts: ofOneMoment(texts), work, terms: { deadlineMs: place.deadlineMs } }),
    stats: () => source.stats(),
    isAnswering: () => source.isAnswering(),
    restructure,
    replace: (work) => replaceOn(source, server, work),
    script: (statements) => restructure((session) => runAll(session, statements)),
    close: () => source.close(),
  };
};
