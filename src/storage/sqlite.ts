// The embedded engine: one writing connection behind a queue, so that nobody sees rows of an open transaction, and one
// reading connection beside it. Statements are synchronous; only the queue waits.

import { closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationFault } from '../configuration-fault.ts';
import { bindSqlite } from './bind.ts';
import { CommitError, faultOf } from './faults.ts';
import { Kept } from './kept.ts';
import { createQueue } from './queue.ts';
import { type Bound, type Database, type Row, runAll, type Session } from './session.ts';

// Waiting for the lock of another process stops the whole event loop: wait briefly here, `run.ts` tries again later.
const busyMs = 250;
const openTries = 20;
const queueLimit = 10_000;
// Of one connection: more than are in use of a large registry. One holds some 15 KiB and takes up to 0.5 ms to prepare.
const statementLimit = 1000;
const mapBytes = 256 * 1024 * 1024;

interface Connection {
  readonly raw: DatabaseSync;
  all(sql: string, values: readonly Bound[]): Row[];
  run(sql: string, values: readonly Bound[]): number;
}

const toConnection = (raw: DatabaseSync): Connection => {
  const statements = new Kept<StatementSync>(statementLimit);
  const prepare = (sql: string): StatementSync => {
    const made = raw.prepare(sql);
    made.setReturnArrays(true);
    return made;
  };
  const statement = (sql: string): StatementSync => statements.get(sql, () => prepare(sql));
  return {
    raw,
    all(sql, values) {
      const rows: unknown[] = statement(sql).all(...bindSqlite(values));
      return rows as Row[]; // arrays by setReturnArrays; cells are what SQLite has, bigint being off
    },
    run: (sql, values) => Number(statement(sql).run(...bindSqlite(values)).changes),
  };
};

const pragma = (raw: DatabaseSync, name: string): unknown =>
  Object.values(raw.prepare(`pragma ${name}`).get() ?? {})[0];

/**
 * Makes the file, and its folder, unless they are there: for their owner alone, because whoever reads the file reads all
 * records. SQLite gives its -wal and -shm the mode of the file. What is there already keeps the mode that it was given.
 */
const makeFile = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, constants.O_RDONLY | constants.O_CREAT, 0o600));
};

/** Opens the file, creating it and its folder; WAL and foreign keys are verified, because SQLite ignores in silence. */
const openWriter = (path: string): DatabaseSync => {
  const isMemory = path === ':memory:';
  if (!isMemory) makeFile(path);
  const raw = new DatabaseSync(path, { timeout: busyMs, defensive: true, enableForeignKeyConstraints: true });
  try {
    const journal = pragma(raw, 'journal_mode = wal');
    if (!isMemory && journal !== 'wal') throw new Error(`journal mode is ${String(journal)}, expected wal`);
    raw.exec('pragma synchronous = normal; pragma trusted_schema = off; pragma temp_store = memory');
    raw.exec('pragma cache_size = -65536; pragma journal_size_limit = 67108864');
    if (pragma(raw, 'foreign_keys') !== 1) throw new Error('foreign keys cannot be switched on');
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
};

const openReader = (path: string): DatabaseSync => {
  const raw = new DatabaseSync(path, { timeout: busyMs, defensive: true, readOnly: true });
  raw.exec(
    `pragma trusted_schema = off; pragma temp_store = memory; pragma cache_size = -65536; pragma mmap_size = ${mapBytes}`,
  );
  return raw;
};

const openPatiently = async (path: string): Promise<DatabaseSync> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return openWriter(path);
    } catch (error) {
      // Several processes starting at once: turning WAL on does not wait for the lock of the others.
      if (faultOf(error).kind === 'retry' && attempt < openTries) {
        await delay(10 + Math.random() * 40);
        continue;
      }
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigurationFault(`Cannot open the SQLite database '${path}': ${reason}.`, error);
    }
  }
};

const rollback = (raw: DatabaseSync): void => {
  if (raw.isTransaction) raw.exec('rollback');
};

/** The session of one transaction. Some failures end the transaction: what follows must not run outside of it. */
const createTransaction = (connection: Connection) => {
  let isOver = false;
  let broken: unknown;
  const guarded = async <T>(job: () => T): Promise<T> => {
    if (isOver) throw new Error('The transaction is over; its session must not be used any more.');
    if (broken !== undefined) throw broken;
    try {
      return job();
    } catch (error) {
      if (!connection.raw.isTransaction) broken = error;
      throw error;
    }
  };
  const session: Session = {
    all: (sql, values) => guarded(() => connection.all(sql, values)),
    run: (sql, values) => guarded(() => connection.run(sql, values)),
  };
  /** Ends the session. @returns the error that ended the transaction before its time, if any. */
  const end = (): unknown => {
    isOver = true;
    return broken;
  };
  return { session, end };
};

const transactOn = async <T>(writer: Connection, work: (session: Session) => Promise<T>): Promise<T> => {
  // A deferred `begin` would fail with 517 when another process wrote between our first read and our first write.
  writer.raw.exec('begin immediate');
  const { session, end } = createTransaction(writer);
  let result: T;
  try {
    result = await work(session);
    const broken = end();
    if (broken !== undefined) throw broken;
  } catch (error) {
    end();
    rollback(writer.raw);
    throw error;
  }
  try {
    writer.raw.exec('commit');
  } catch (error) {
    // Still in the transaction: it is surely not done, and taken back now.
    if (!writer.raw.isTransaction) throw new CommitError(error);
    rollback(writer.raw);
    throw error;
  }
  return result;
};

/** All or nothing. Foreign keys are off meanwhile, so that a table can be rebuilt, and checked before the commit. */
const restructureOn = async <T>(writer: Connection, work: (session: Session) => Promise<T>): Promise<T> => {
  // Inside of a transaction this would be ignored.
  writer.raw.exec('pragma foreign_keys = off');
  try {
    return await transactOn(writer, async (session) => {
      const result = await work(session);
      const wrong = writer.raw.prepare('pragma foreign_key_check').get();
      if (wrong !== undefined)
        throw new Error(`The change breaks a foreign key of the table '${String(wrong.table)}'.`);
      return result;
    });
  } finally {
    writer.raw.exec('pragma foreign_keys = on');
  }
};

/**
 * Opens a SQLite database and creates file and folder where they are missing. `:memory:` has one connection and one
 * queue for all. Integers of 2^53 and above throw when read: select such columns as text. Inside `transact` use the
 * session it hands out; the database itself would wait for the end of that very transaction.
 * @param path a path of the file system, or `:memory:`.
 * @throws ConfigurationFault when the file cannot be opened or is no database.
 */
export const openSqlite = async (path: string): Promise<Database> => {
  const writer = toConnection(await openPatiently(path));
  const reader = path === ':memory:' ? undefined : toConnection(openReader(path));
  const queue = createQueue(queueLimit);
  return {
    dialect: 'sqlite',
    server: `sqlite ${String(writer.all('select sqlite_version()', [])[0]?.[0])}`,
    isMariaDb: false,
    all: reader
      ? async (sql, values) => reader.all(sql, values)
      : (sql, values) => queue(() => writer.all(sql, values)),
    run: (sql, values) => queue(() => writer.run(sql, values)),
    transact: (work) => queue(() => transactOn(writer, work)),
    restructure: (work) => queue(() => restructureOn(writer, work)),
    script: (statements) => queue(() => restructureOn(writer, (session) => runAll(session, statements))),
    async close() {
      await queue(() => {
        reader?.raw.close();
        writer.raw.close();
      });
    },
  };
};
