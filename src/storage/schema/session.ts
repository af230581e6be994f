// The interface between statements and databases: sessions, transactions, commands with a deadline.

import type { Semaphore } from '../../admission/semaphore.ts';
import type { DatabaseStats } from '../../metrics/database.ts';
import type { Bound, Row } from './cells.ts';
import type { Dialect } from './dialect.ts';

/**
 * One connection, inside a transaction or outside. Inside, statements are carried out in the order in which they are asked for,
 * whether or not the answers of those before are there, and those that are asked for together may share a round trip.
 */
export interface Session {
  /** Runs a statement that returns rows. */
  all(sql: string, values: readonly Bound[]): Promise<Row[]>;
  /** Runs a statement that returns none. @returns the number of rows that its condition matched, changed or not. */
  run(sql: string, values: readonly Bound[]): Promise<number>;
  /** Outside of transactions. Within one, statements that are asked for together share a round trip anyway. */
  together?(statements: Together): Promise<Found>;
  /** Outside of transactions: the revision of the schema at which a statement may write records; undefined at any. */
  readonly schemaRevision?: number | undefined;
}

/** A statement and what is bound to it. */
export interface BoundStatement {
  readonly sql: string;
  readonly values: readonly Bound[];
}

/** Statements that return rows, and one that is done before them, which they find done. */
export interface Together {
  readonly write?: BoundStatement;
  readonly reads: readonly BoundStatement[];
}

/** The rows of each that was read, and how many the condition of what was written has matched. */
export interface Found {
  readonly rows: readonly (readonly Row[])[];
  readonly count: number;
}

/** What a command is run on. Without terms, as those of set-up and migrations are, it takes as long as it must. */
export interface CommandOptions {
  /** From when it is sent. */
  readonly deadlineMs: number;
}

/** What a request is about to do. */
export type Purpose = 'read' | 'write';

/** A setting of a database that had better be another one. */
export interface Advice {
  readonly says: string;
  readonly todo: string;
}

/** A database that is open. Errors of its drivers arrive as they are; `unit-of-work.ts` says what they mean. */
export interface Database {
  /** As a session's; each statement is a transaction of its own. */
  all(sql: string, values: readonly Bound[], terms?: CommandOptions): Promise<Row[]>;
  run(sql: string, values: readonly Bound[], terms?: CommandOptions): Promise<number>;
  /**
   * Each a transaction of its own, one behind the other on one connection, in one round trip where that may be; of a server.
   * @throws the error of the first that fails
   */
  together?(statements: Together, terms?: CommandOptions): Promise<Found>;
  readonly dialect: Dialect;
  /** Where requests stand before they begin, so that what has begun is not held up by what has not. */
  readonly semaphores: Readonly<Record<Purpose, Semaphore>>;
  /** The most that a command of a request may take, as the address of the database says. */
  readonly deadlineMs: number;
  /** `sqlite 3.53.4`, `mariadb 10.11.19`, `mysql 8.4.0`. */
  readonly server: string;
  /** What had better be set otherwise. */
  readonly advice: readonly Advice[];
  /**
   * Reads of one moment, whatever others write meanwhile, on a connection of their own. Of a database in memory, which has one,
   * each statement sees its own moment.
   */
  snapshot<T>(work: (session: Pick<Session, 'all'>) => Promise<T>): Promise<T>;
  /** One attempt of a transaction: begin, work, commit; rolled back when `work` throws. Retries live in `unit-of-work.ts`. */
  transact<T>(work: (session: Session) => Promise<T>, terms?: CommandOptions): Promise<T>;
  /** What is to be seen of it from here, at this moment; nobody is asked. */
  stats(): DatabaseStats;
  /** Whether it answers, by what was last heard of it; asked beside all lines, and answered soon. */
  isAnswering(): Promise<boolean>;
  /** Whether the file that is held open is no longer the one that the address leads to; never of a server. */
  isReplaced?(): boolean;
  /** How long the log of writes is that waits to go into the file; of a server nobody is asked. */
  logBytes?(): number;
  /** Whether there is room where the file is, as far as can be told; of a server nothing can. */
  hasRoom?(): boolean;
  /**
   * Work that changes tables, on a connection without a limit of time and with foreign keys off, so that a table can be
   * rebuilt. On SQLite one transaction, whose foreign keys are checked before it commits; on MySQL, where each change of a
   * table commits by itself, none.
   * @param options `mayBreakKeys: false` skips the check of foreign keys, which reads all rows of the database
   */
  restructure<T>(work: (session: Session) => Promise<T>, options?: { readonly mayBreakKeys?: boolean }): Promise<T>;
  /** Work that replaces rows of whole tables, all of it or nothing, without a limit of time and with foreign keys off. */
  replace<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Statements that change tables, one after the other. */
  script(statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** A log of writes beyond it is worth a word: the file cannot take it in while somebody reads one moment. */
export const longLogBytes = 1024 ** 3;

/** Runs statements without values, one after the other. */
export async function runAll(session: Session, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await session.run(sql, []);
}

/** What is made of the rows of statements that are asked for together. */
export function allTogether<T>(
  session: Pick<Session, 'all' | 'together'>,
  reads: readonly BoundStatement[],
  make: (rows: Found['rows']) => T | Promise<T>,
): Promise<T> {
  if (session.together === undefined)
    return Promise.all(reads.map(({ sql, values }) => session.all(sql, values))).then(make);
  return session.together({ reads }).then(({ rows }) => make(rows));
}

/** The same where each takes a round trip, if any. */
export async function oneByOne({ all, run }: Pick<Session, 'all' | 'run'>, { write, reads }: Together): Promise<Found> {
  const count = write === undefined ? 0 : await run(write.sql, write.values);
  const rows: Row[][] = [];
  for (const { sql, values } of reads) rows.push(await all(sql, values));
  return { count, rows };
}
