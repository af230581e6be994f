// Opens a database: the scheme of its address chooses the engine.

import { existsSync } from 'node:fs';
import { ConfigurationFault } from '../configuration-fault.ts';
import type { Row } from './schema/cells.ts';
import type { Dialect } from './schema/dialect.ts';
import type { Database } from './schema/session.ts';
import { backUpSqlite } from './sqlite/backup.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { glanceInto, openSqlite, type Synchronous } from './sqlite/sqlite.ts';

/** A database in memory, which ends with its process. */
export const memoryUrl = 'sqlite::memory:';
const allowed = `sqlite:data/workspace.sqlite, ${memoryUrl} or mysql://user:password@host:3306/database`;

const parsed = (url: string): URL => {
  try {
    return new URL(url);
  } catch {
    throw new ConfigurationFault(`The database URL cannot be read; write ${allowed}.`);
  }
};

/** @throws ConfigurationFault for any option but `synchronous=full` and `synchronous=normal` */
const readSynchronous = (query: string): Synchronous => {
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== 'synchronous')
      throw new ConfigurationFault(`Unknown option '${name}' in the database URL; known is synchronous.`);
    if (value !== 'full' && value !== 'normal')
      throw new ConfigurationFault(`synchronous=${value} in the database URL must be one of: full, normal.`);
    return value;
  }
  return 'full';
};

interface Embedded {
  readonly path: string;
  readonly options: string;
}

/** The path and the options of an embedded database; undefined for a server. */
function readEmbedded(url: string): Embedded | undefined {
  if (!url.startsWith('sqlite:')) return undefined;
  const [path = '', ...options] = url.slice('sqlite:'.length).split('?');
  return { path, options: options.join('?') };
}

const namesFile = (path: string): boolean => path !== '' && !path.startsWith('//');

/** What an address means. @throws ConfigurationFault for one that is none */
function readAddress(url: string): Embedded | { readonly server: URL } {
  const embedded = readEmbedded(url);
  if (embedded !== undefined) {
    const { path } = embedded;
    if (!namesFile(path)) throw new ConfigurationFault(`The database URL names no file; write ${allowed}.`);
    return embedded;
  }
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase();
  if (scheme === 'mysql:' || scheme === 'mariadb:') return { server: parsed(url) };
  throw new ConfigurationFault(
    scheme === undefined
      ? `The database URL has no scheme; write ${allowed}.`
      : `The database URL begins with '${scheme}'; write ${allowed}.`,
  );
}

/** The file that the address of a database means; undefined for memory, for a server, and where it names none. */
export function fileOf(url: string): string | undefined {
  const path = readEmbedded(url)?.path ?? '';
  return path === ':memory:' || !namesFile(path) ? undefined : path;
}

/**
 * Opens `sqlite:path` (with `?synchronous=normal`, acknowledged writes may be lost with the power), `sqlite::memory:`, or `mysql://…` (also `mariadb://…`; see `readMysqlUrl` for its options).
 * @param options `isScanned`: reads all records once, so that pages of an embedded database are not kept in memory
 * @throws ConfigurationFault with one line, free of passwords, when that cannot be done.
 */
export const openDatabase = async (
  url: string,
  { isScanned = false }: { readonly isScanned?: boolean } = {},
): Promise<Database> => {
  const address = readAddress(url);
  // Loaded by those who need it: the driver takes longer than all that an embedded database does at its opening.
  if ('server' in address) return (await import('./mysql/mysql.ts')).openMysql(address.server);
  return openSqlite(address.path, { synchronous: readSynchronous(address.options), isScanned });
};

/** Opens a database that is only read; an embedded one must be there. @throws ConfigurationFault as `openDatabase` */
export const openToRead = async (url: string): Promise<Database> => {
  const address = readAddress(url);
  return 'server' in address ? openDatabase(url) : openSqlite(address.path, { isReadOnly: true });
};

/** Opens a backup to read it: a file that `backUp` has written, or the address of a database. @throws ConfigurationFault */
export const openBackedUp = async (backup: string): Promise<Database> => {
  if (/^[a-z]+:/.test(backup)) return openToRead(backup);
  if (!existsSync(backup)) throw new ConfigurationFault(`There is no backup ${backup}.`);
  return openSqlite(backup, { isReadOnly: true });
};

/**
 * Writes what an embedded database holds into a new file, while others use it.
 * @returns its size in bytes
 * @throws ConfigurationFault with one line, for a server too, which has tools of its own
 */
export async function backUp(url: string, file: string): Promise<number> {
  const address = readAddress(url);
  if ('server' in address)
    throw new ConfigurationFault(
      'A database server has tools of its own: use mariadb-backup, or mysqldump --single-transaction --hex-blob; see the guide "Backups": /docs/guides/backup.',
    );
  if (url === memoryUrl) throw new ConfigurationFault(`There is nothing to back up in ${memoryUrl}; set DATABASE_URL.`);
  return backUpSqlite(address.path, file);
}

/** Reads rows of an embedded database at once, as they are. @returns undefined of a server, of memory, and where there is no file */
export function glance<T>(
  url: string,
  read: (all: (sql: string) => readonly Row[], dialect: Dialect) => T,
): T | undefined {
  const file = fileOf(url);
  return file === undefined || !existsSync(file) ? undefined : glanceInto(file, (all) => read(all, sqliteDialect));
}
