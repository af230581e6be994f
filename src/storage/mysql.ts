// MySQL 8, MariaDB and TiDB through mysql2: what a session, a transaction and a change of tables are on them.
import type { QueryResult } from 'mysql2';
import { ConfigurationFault } from '../configuration-fault.ts';
import { CommitError, faultOf, NotSentError, TransactionLostError } from './faults.ts';
import { mariaDbDialect, mysqlDialect } from './mysql-dialect.ts';
import { cut, Link, toCount, toRows } from './mysql-link.ts';
import {
  askCluster,
  askServer,
  readServer,
  type Server,
  sessionStatements,
  type TransactionTexts,
} from './mysql-server.ts';
import { connectionFrom, createPoolAt, createSource, endPool, type Source } from './mysql-source.ts';
import { connectionFault, type Place, readMysqlUrl } from './mysql-url.ts';
import { type Bound, type Database, runAll, type Session, type Terms } from './session.ts';

// Behind a change that waits for a long transaction, every other use of the table waits too: less than its deadline.
const tableLockSeconds = 1;

/**
 * The session of one transaction. Its commands go one after the other: mysql2 would send a queued one even after a
 * deadlock has ended the transaction, and it would then commit on its own.
 */
const createTransaction = (link: Link) => {
  let last: Promise<unknown> = Promise.resolve();
  let isOver = false;
  let broken: unknown;
  const afterLast = <T>(job: () => T | Promise<T>): Promise<T> => {
    const result = last.then(job);
    last = result.catch(() => {});
    return result;
  };
  const send = (sql: string, values: readonly Bound[]): Promise<QueryResult> =>
    afterLast(async () => {
      if (isOver) throw new Error('The transaction is over; its session must not be used any more.');
      if (broken !== undefined) throw broken;
      try {
        return await link.execute(sql, values);
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
    afterLast(() => {
      isOver = true;
      return broken;
    });
  return { session, end };
};

/** Asks on a connection of its own what the server is, before the sessions of others can be set. */
const probe = async (place: Place, deadlineMs: number): Promise<Server> => {
  const pool = createPoolAt(place, 20);
  try {
    const connection = await connectionFrom(pool, deadlineMs).catch((error: unknown) => {
      throw new NotSentError(error);
    });
    const link = new Link(connection, deadlineMs, { sent() {}, over() {} });
    try {
      const server = readServer(toRows(await link.text(askServer)), toRows(await link.text(askCluster)));
      for (const sql of sessionStatements(server)) await link.text(sql);
      const [row] = toRows(await link.text('select @@session.sql_mode, @@session.time_zone'));
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

const singleOn = async (source: Source, statement: { sql: string; values: readonly Bound[] }, terms?: Terms) => {
  const link = await source.take(terms);
  try {
    const result = await link.execute(statement.sql, statement.values);
    source.give(link);
    return result;
  } catch (error) {
    source.give(link, error);
    throw error;
  }
};

interface Taken {
  readonly source: Source;
  readonly link: Link;
}

/** Runs what must be run before others may use the connection. */
const giveBack = async ({ source, link }: Taken, texts: readonly string[], error?: unknown): Promise<void> => {
  try {
    for (const sql of texts) await link.text(sql);
    source.give(link, error);
  } catch {
    source.drop(link);
  }
};

/** @throws TransactionLostError */
const prove = async (link: Link, { proof }: TransactionTexts): Promise<void> => {
  if (proof === undefined) return;
  try {
    await link.text(proof);
  } catch (error) {
    throw isGone(error) ? new TransactionLostError(error) : error;
  }
};

const savepointIsGone = 1305;
const isGone = (error: unknown): boolean =>
  error instanceof Error && 'errno' in error && error.errno === savepointIsGone;

/** What failed in a transaction that was lost may have failed for that alone. @returns why it failed */
const reasonOf = async (link: Link, texts: TransactionTexts, error: unknown): Promise<unknown> => {
  const { kind } = faultOf(error);
  if (kind === 'retry' || kind === 'away') return error;
  try {
    await prove(link, texts);
    return error;
  } catch (lost) {
    return lost instanceof TransactionLostError ? lost : error;
  }
};

interface Transacting<T> {
  readonly source: Source;
  readonly texts: TransactionTexts;
  readonly work: (session: Session) => Promise<T>;
  readonly terms: Terms | undefined;
}

const transactOn = async <T>({ source, texts, work, terms }: Transacting<T>): Promise<T> => {
  const link = await source.take(terms);
  const { session, end } = createTransaction(link);
  let result: T;
  try {
    for (const sql of texts.begin) await link.text(sql);
    result = await work(session);
    const broken = await end();
    if (broken !== undefined) throw broken;
    await prove(link, texts);
  } catch (error) {
    await end();
    const reason = await reasonOf(link, texts, error);
    await giveBack({ source, link }, ['rollback', ...texts.after], reason);
    throw reason;
  }
  try {
    await link.text('commit');
  } catch (error) {
    await giveBack({ source, link }, ['rollback', ...texts.after], error);
    throw new CommitError(error);
  }
  await giveBack({ source, link }, texts.after);
  return result;
};

const unlimited: Terms = { deadlineMs: Number.POSITIVE_INFINITY };

const restructureOn = async <T>(source: Source, server: Server, work: (session: Session) => Promise<T>): Promise<T> => {
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
  const source = createSource({ place, server, unhurriedMs });
  const texts = options.transaction ?? server.transaction;
  const restructure: Database['restructure'] = (work) => restructureOn(source, server, work);
  return {
    dialect: server.isMariaDb ? mariaDbDialect : mysqlDialect,
    server: server.name,
    deadlineMs: place.deadlineMs,
    places: source.requests,
    all: async (sql, values, terms) => toRows(await singleOn(source, { sql, values }, terms)),
    run: async (sql, values, terms) => toCount(await singleOn(source, { sql, values }, terms)),
    transact: (work, terms) => transactOn({ source, texts, work, terms }),
    isAnswering: () => source.isAnswering(),
    restructure,
    script: (statements) => restructure((session) => runAll(session, statements)),
    close: () => source.close(),
  };
};
