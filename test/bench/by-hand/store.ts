// The two databases as hand-written code uses them: one session a transaction, and what is spelt differently in either.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { createPool, type PoolConnection } from 'mysql2/promise';

/** What is bound, and what a cell holds. */
export type Cell = string | number | Uint8Array | null;

export interface Session extends Spelling {
  all<R>(sql: string, values: readonly Cell[]): Promise<R[]>;
  run(sql: string, values: readonly Cell[]): Promise<void>;
  /** Makes the rows of a select this transaction's alone, before they are read with others: on SQLite they are anyway. */
  lock(sql: string, values: readonly Cell[]): Promise<void>;
}

interface Spelling {
  /** Behind a select: its rows stay as they are until the transaction ends; others may read them so too. */
  readonly share: string;
  /** Behind a select: its rows are this transaction's alone. */
  readonly alone: string;
  readonly insertIgnore: string;
  readonly onTaken: (key: string) => string;
  /** A decimal as its column keeps it. */
  readonly decimal: (value: string | number | null, scale: number) => Cell;
  /** A column's decimal as text without zeros at its end. */
  readonly text: (cell: Cell, scale: number) => string;
  /** A folded text as its column keeps it. */
  readonly folded: (text: string) => Cell;
  /** A moment as its column keeps it, and back. */
  readonly moment: (iso: string) => string;
  readonly iso: (cell: string) => string;
}

export interface Store {
  /** All of it or nothing; again where another transaction was in the way. */
  transact<T>(work: (session: Session) => Promise<T>): Promise<T>;
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

const mariadb: Spelling = {
  share: ' lock in share mode',
  alone: ' for update',
  insertIgnore: 'insert ignore',
  onTaken: () => 'on duplicate key update',
  decimal: (value) => (value === null ? null : String(value)),
  text: (cell) => String(Number(cell)),
  folded: (text) => Buffer.from(text),
  moment: (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 23)}`,
  // The driver leaves a fraction of zero out.
  iso: (cell) => `${cell.slice(0, 10)}T${cell.slice(11, 19)}${cell.slice(19) || '.000'}Z`,
};

const sqlite: Spelling = {
  share: '',
  alone: '',
  insertIgnore: 'insert or ignore',
  onTaken: (key) => `on conflict (${key}) do update set`,
  // An integer of the smallest unit: a double holds 15 digits, so this is exact.
  decimal: (value, scale) => (value === null ? null : Math.round(Number(value) * 10 ** scale)),
  text: (cell, scale) => String(Number(cell) / 10 ** scale),
  folded: (text) => text,
  moment: (iso) => iso,
  iso: (cell) => cell,
};

/** @param url `mysql://…` or `sqlite:path` */
export const openStore = (url: string): Store =>
  url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openMariadb(url);

const mostTries = 5;

function openMariadb(uri: string): Store {
  const pool = createPool({
    uri,
    connectionLimit: 10,
    dateStrings: true,
    timezone: 'Z',
    charset: 'UTF8MB4_BIN',
  });
  // Statements of a connection are sent in order, so this one is done before the first of a transaction.
  pool.on('connection', (connection) => {
    connection.query('set session transaction isolation level read committed');
  });
  const sessionOn = (connection: PoolConnection): Session => ({
    ...mariadb,
    all: async <R>(sql: string, values: readonly Cell[]) => (await connection.execute(sql, [...values]))[0] as R[],
    run: async (sql, values) => {
      await connection.execute(sql, [...values]);
    },
    lock: async (sql, values) => {
      await connection.execute(sql + mariadb.alone, [...values]);
    },
  });
  const once = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const connection = await pool.getConnection();
    try {
      await connection.query('start transaction');
      const result = await work(sessionOn(connection));
      await connection.query('commit');
      return result;
    } catch (error) {
      await connection.query('rollback');
      throw error;
    } finally {
      connection.release();
    }
  };
  return {
    transact: async (work) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await once(work);
        } catch (error) {
          if (codeOf(error) !== 'ER_LOCK_DEADLOCK' || tries === mostTries) throw error;
        }
      }
    },
    isThere: async () => (await pool.query('select 1')).length > 0,
    close: () => pool.end(),
  };
}

function openSqlite(path: string): Store {
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  database.exec('pragma temp_store = memory; pragma cache_size = -65536');
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const made = database.prepare(sql);
    statements.set(sql, made);
    return made;
  };
  const session: Session = {
    ...sqlite,
    all: async <R>(sql: string, values: readonly Cell[]) => prepared(sql).all(...values) as R[],
    run: async (sql, values) => {
      prepared(sql).run(...values);
    },
    lock: async () => {},
  };
  const once = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    database.exec('begin immediate');
    try {
      const result = await work(session);
      database.exec('commit');
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  };
  // There is one connection: whoever comes waits for the one before.
  let last: Promise<unknown> = Promise.resolve();
  return {
    transact: (work) => {
      const mine = last.then(() => once(work));
      last = mine.catch(() => {});
      return mine;
    },
    isThere: async () => prepared('select 1').all().length > 0,
    close: async () => {
      await last;
      database.close();
    },
  };
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** Whether a unique key was taken; the statement alone is undone. */
export const isTaken = (error: unknown): boolean =>
  codeOf(error) === 'ER_DUP_ENTRY' || (error instanceof Error && error.message.startsWith('UNIQUE constraint failed'));
