// The address of a database → the engine that serves it.

import { ConfigurationFault } from '../configuration-fault.ts';
import { openMysql } from './mysql.ts';
import type { Database } from './session.ts';
import { openSqlite } from './sqlite.ts';

const allowed = 'sqlite:data/workspace.sqlite, sqlite::memory: or mysql://user:password@host:3306/database';

const parsed = (url: string): URL => {
  try {
    return new URL(url);
  } catch {
    throw new ConfigurationFault(`The database URL cannot be read; write ${allowed}.`);
  }
};

/**
 * Opens `sqlite:path`, `sqlite::memory:`, or `mysql://…` (also `mariadb://…`; see `readMysqlUrl` for its options).
 * @throws ConfigurationFault with one line, free of passwords, when that cannot be done.
 */
export const openDatabase = async (url: string): Promise<Database> => {
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length);
    if (path === '' || path.startsWith('//'))
      throw new ConfigurationFault(`The database URL names no file; write ${allowed}.`);
    return openSqlite(path);
  }
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase();
  if (scheme === 'mysql:' || scheme === 'mariadb:') return openMysql(parsed(url));
  throw new ConfigurationFault(
    scheme === undefined
      ? `The database URL has no scheme; write ${allowed}.`
      : `The database URL begins with '${scheme}'; write ${allowed}.`,
  );
};
