// Backs up an embedded database while others read and write it. The file gets its name only when it is complete, synced and
// checked.
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { ConfigurationFault } from '../../configuration-fault.ts';

/** Of a database without these, a service could make nothing. */
const workspaceTables = ['praxis_schema', 'praxis_state', 'praxis_token'];
/** How long it waits for those who make or change the tables. */
const busyMs = 5000;
const pagesAStep = 1024;
const interruptedBy = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Writes a copy into a file that is not there, for its owner alone: one file, without the -wal of the database.
 * @returns its size in bytes
 * @throws ConfigurationFault with one line; nothing is left behind then
 */
export async function backUpSqlite(path: string, file: string): Promise<number> {
  if (existsSync(file)) throw isThere(file);
  if (!existsSync(path)) throw new ConfigurationFault(`There is no database '${path}'; set DATABASE_URL.`);
  // Beside it: a file gets another name at once only where it lies already.
  const draft = `${file}.${randomUUID().slice(0, 8)}.part`;
  const discard = (): void => {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true });
  };
  const stop = (): void => {
    discard();
    process.exit(1);
  };
  for (const signal of interruptedBy) process.once(signal, stop);
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    await copy(path, draft);
    check(draft, path);
    settle(draft);
    giveName(draft, file);
    return statSync(file).size;
  } catch (error) {
    if (error instanceof ConfigurationFault) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationFault(`Cannot back up '${path}' to '${file}': ${reason}.`, error);
  } finally {
    for (const signal of interruptedBy) process.off(signal, stop);
    discard();
  }
}

const isThere = (file: string): ConfigurationFault =>
  new ConfigurationFault(`${file} already exists; nothing was written.`);

/** @throws ConfigurationFault where there is no workspace */
async function copy(path: string, draft: string): Promise<void> {
  const source = new DatabaseSync(path, { readOnly: true, timeout: busyMs });
  try {
    // What it sees stays as it is from here on. Without that, each write of another process makes the copying begin anew.
    source.exec('begin');
    if (!isWorkspace(source)) throw new ConfigurationFault(`There is no workspace in '${path}'; set DATABASE_URL.`);
    await backup(source, draft, { rate: pagesAStep });
    source.exec('commit');
  } finally {
    source.close();
  }
}

const isWorkspace = (database: DatabaseSync): boolean => {
  const names = database.prepare("select name from sqlite_schema where type = 'table'").all();
  return workspaceTables.every((table) => names.some(({ name }) => name === table));
};

/** @throws ConfigurationFault when what was written, and hence what it was copied from, is damaged */
function check(draft: string, path: string): void {
  const written = new DatabaseSync(draft);
  try {
    // Else whoever looks at it makes a -wal beside it. The service goes back to one.
    written.exec('pragma journal_mode = delete');
    const [found] = written.prepare('pragma integrity_check(1)').all();
    const [missing] = written.prepare('pragma foreign_key_check').all();
    const fault =
      found?.['integrity_check'] !== 'ok'
        ? // Of a page it tells in two lines.
          String(found?.['integrity_check']).replaceAll(/\s+/g, ' ')
        : missing &&
          `a record of ${String(missing['table'])} refers to one of ${String(missing['parent'])} that is not there`;
    if (fault !== undefined) throw new ConfigurationFault(`The database '${path}' is damaged: ${fault}.`);
  } finally {
    written.close();
  }
}

/** Brings a file, or the names in a folder, to the disk. */
function settle(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A link, because a new name by `rename` would take the place of a file that has come meanwhile. */
function giveName(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw isThere(file);
    throw error;
  }
  settle(dirname(file));
}
