// The embedded engine: one writing connection behind a queue, so that nobody sees rows of an open transaction, and one reading
// connection. Statements are synchronous; only the queue waits.

import { closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Semaphore } from '../../admission/semaphore.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Row } from '../schema/cells.ts';
import { ReplacedError } from '../schema/error-kinds.ts';
import { type Database, runAll, type Session } from '../schema/session.ts';
import { type Connection, toConnection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { faultOf } from './errors.ts';
import { logBytes, watchFile } from './file.ts';
import { LargeTransactions, usualCache } from './large-transactions.ts';
import { Snapshots } from './snapshots.ts';
import { WriteQueue } from './write-queue.ts';

// While it opens: nobody is served yet. Afterwards waiting in the driver would hold up everybody.
const busyMs = 250;
const openTries = 20;
// As many as share a commit at the most; the others may still leave.
const sharingRequests = 32;
const mapBytes = 256 * 1024 * 1024;
/** Settings of a connection that reads from page to page: it reads hardly any page again. */
const scanMemory = 'pragma cache_size = -8192; pragma mmap_size = 0';

const pragma = (raw: DatabaseSync, name: string): unknown =>
  Object.values(raw.prepare(`pragma ${name}`).get() ?? {})[0];

/** What is on disk when a write is acknowledged: all of it, or what the system has written back by then. */
export type Synchronous = 'full' | 'normal';

/**
 * Makes the file, and its folder, unless they are there: for their owner alone, because whoever reads the file reads all
 * records. SQLite gives its -wal and -shm the mode of the file. What is there already keeps the mode that it was given.
 */
const makeFile = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, constants.O_RDONLY | constants.O_CREAT, 0o600));
};

/** Opens the file, creating it and its folder; WAL and foreign keys are verified, because SQLite ignores in silence. */
const openWriter = (path: string, synchronous: Synchronous): DatabaseSync => {
  const isMemory = path === ':memory:';
  if (!isMemory) makeFile(path);
  const raw = new DatabaseSync(path, { timeout: busyMs, defensive: true, enableForeignKeyConstraints: true });
  try {
    const journal = pragma(raw, 'journal_mode = wal');
    if (!isMemory && journal !== 'wal') throw new Error(`journal mode is ${String(journal)}, expected wal`);
    raw.exec(`pragma synchronous = ${synchronous}; pragma trusted_schema = off; pragma temp_store = memory`);
    raw.exec(`${usualCache}; pragma journal_size_limit = 67108864`);
    if (pragma(raw, 'foreign_keys') !== 1) throw new Error('foreign keys cannot be switched on');
    raw.exec('pragma busy_timeout = 0');
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
};

const openReader = (path: string, memory = `${usualCache}; pragma mmap_size = ${mapBytes}`): DatabaseSync => {
  const raw = new DatabaseSync(path, { defensive: true, readOnly: true });
  raw.exec(`pragma trusted_schema = off; pragma temp_store = memory; ${memory}`);
  return raw;
};

/** For those who only look. Opening by itself would not notice that a file is no database. */
const openToLook = (path: string): DatabaseSync => {
  const raw = openReader(path);
  try {
    pragma(raw, 'schema_version');
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
};

interface SqliteOptions {
  readonly synchronous?: Synchronous;
  readonly isReadOnly?: boolean;
  /** Whether its reader goes through all records once. */
  readonly isScanned?: boolean;
}

/** Reads rows of a file that is there, at once, and changes nothing. @throws what the driver does */
export const glanceInto = <T>(path: string, read: (all: (sql: string) => readonly Row[]) => T): T => {
  const raw = openToLook(path);
  try {
    const connection = toConnection(raw);
    return read((sql) => connection.all(sql, []));
  } finally {
    raw.close();
  }
};

const openPatiently = async (path: string, open: () => DatabaseSync): Promise<DatabaseSync> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return open();
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

/**
 * Opens a SQLite database and creates file and folder where they are missing. `:memory:` has one connection and one
 * line for all. Integers of 2^53 and above throw when read: select such columns as text. Inside `transact` use the
 * session it hands out; the database itself would wait for the end of that very transaction.
 * @param path a path of the file system, or `:memory:`.
 * @param options read-only, nothing of the file is changed, not even how it is kept, and it must be there.
 * @throws ConfigurationFault when the file cannot be opened or is no database.
 */
export const openSqlite = async (
  path: string,
  { synchronous = 'full', isReadOnly = false, isScanned = false }: SqliteOptions = {},
): Promise<Database> => {
  const open = isReadOnly ? () => openToLook(path) : () => openWriter(path, synchronous);
  const isPrivate = isReadOnly || path === ':memory:';
  const raw = await openPatiently(path, open);
  const large = isPrivate ? undefined : new LargeTransactions(raw, path);
  const writer = toConnection(raw, { noteChanges: (rows, values) => large?.note(rows, values) });
  const reader = isPrivate ? undefined : toConnection(openReader(path, isScanned ? scanMemory : undefined));
  // They read on from page to page: of many, hardly any comes again, and few are to stay in the process.
  const snapshots = new Snapshots(path, () => openReader(path, scanMemory));
  const writes = new WriteQueue(writer, large);
  const places = { read: new Semaphore(Number.POSITIVE_INFINITY), write: new Semaphore(sharingRequests) };
  const connections = reader === undefined ? 1 : 2;
  const watch = reader === undefined ? undefined : watchFile(path);
  /** Nothing is written into a file that nobody finds any more: ReplacedError then, as a rejection. */
  const written = <T>(begin: () => Promise<T>): Promise<T> =>
    watch?.isReplaced === true ? Promise.reject(new ReplacedError(path)) : begin();
  const restructure: Database['restructure'] = (work, { mayBreakKeys = true } = {}) =>
    written(() => writes.alone((transact) => restructureOn(writer, transact, { work, mayBreakKeys })));
  const all: Database['all'] = reader
    ? async (sql, values) => reader.all(sql, values)
    : (sql, values) => writes.single(() => writer.all(sql, values));
  const run: Database['run'] = (sql, values) => written(() => writes.single(() => writer.run(sql, values)));
  return {
    dialect: sqliteDialect,
    server: `sqlite ${String(writer.all('select sqlite_version()', [])[0]?.[0])}`,
    advice: [],
    deadlineMs: Number.POSITIVE_INFINITY,
    // A read is done as soon as it is begun.
    semaphores: places,
    all,
    run,
    transact: (work) => written(() => writes.transact(work)),
    snapshot: (work) => (reader === undefined ? work({ all }) : snapshots.read(work)),
    stats: () => ({
      // A read is over before anybody can look.
      connections: { open: connections, busy: writes.isRunning ? 1 : 0, limit: connections },
      preparedStatements: writer.prepared + (reader?.prepared ?? 0),
      queues: { read: places.read.queue, write: places.write.queue, connection: writes.queue },
    }),
    hasRoom: () => watch?.hasRoom() !== false,
    logBytes: () => logBytes(path),
    isReplaced: () => watch?.isReplaced === true,
    isAnswering: async () => (await all('select 1', [])).length === 1,
    restructure,
    replace: restructure,
    script: (statements) => restructure((session) => runAll(session, statements)),
    close: () =>
      writes.alone(async () => {
        watch?.stop();
        await large?.done();
        snapshots.close();
        reader?.raw.close();
        writer.raw.close();
      }),
  };
};

interface Restructuring<T> {
  readonly work: (session: Session) => Promise<T>;
  readonly mayBreakKeys: boolean;
}

/** All or nothing. Foreign keys are off meanwhile, so that a table can be rebuilt, and checked before the commit. */
const restructureOn = async <T>(
  writer: Connection,
  transact: <R>(work: (session: Session) => Promise<R>) => Promise<R>,
  { work, mayBreakKeys }: Restructuring<T>,
): Promise<T> => {
  // Inside of a transaction this would be ignored.
  writer.raw.exec('pragma foreign_keys = off');
  try {
    return await transact(async (session) => {
      const result = await work(session);
      const wrong = mayBreakKeys ? writer.raw.prepare('pragma foreign_key_check').get() : undefined;
      if (wrong !== undefined)
        throw new Error(`The change breaks a foreign key of the table '${String(wrong.table)}'.`);
      return result;
    });
  } finally {
    writer.raw.exec('pragma foreign_keys = on');
  }
};
