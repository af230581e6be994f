// A MariaDB for tests: the one that is given, the one that runs here, or a private one in a temporary folder.

import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { isReachable, type PrivateServer, runPrivate, warnLoudly } from './private-server.ts';

const usual = 'mysql://root@127.0.0.1:3306';

const hasCommand = (name: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/**
 * Starts a server that ends with this process.
 * @returns undefined where none is installed, or it does not start
 */
export const startMariadb = async (): Promise<PrivateServer | undefined> => {
  if (!hasCommand('mariadbd') || !hasCommand('mariadb-install-db')) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'praxis-mariadb-'));
  // Another user could not come to a folder that lies in one of ours.
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const data = `--datadir=${join(folder, 'data')}`;
  const authentication = '--auth-root-authentication-method=normal';
  execFileSync('mariadb-install-db', ['--no-defaults', ...user, data, authentication, '--skip-test-db'], {
    stdio: 'ignore',
  });
  return runPrivate(folder, (port) => [
    ...['mariadbd', '--no-defaults', ...user, data, `--port=${port}`, '--bind-address=127.0.0.1', '--skip-log-bin'],
    ...[`--socket=${join(folder, 's')}`, `--pid-file=${join(folder, 'pid')}`, `--log-error=${join(folder, 'log')}`],
    ...['--innodb-buffer-pool-size=256M', '--innodb-flush-log-at-trx-commit=2', '--innodb-doublewrite=0'],
  ]);
};

const find = async (): Promise<string | undefined> => {
  const given = process.env.TEST_MARIADB_URL;
  if (given !== undefined && given !== '') {
    if (await isReachable(given)) return given.replace(/\/$/, '');
    throw new Error('No MariaDB answers at TEST_MARIADB_URL.');
  }
  if (await isReachable(usual)) return usual;
  const started = await startMariadb();
  if (started !== undefined) return started.url;
  const text = 'NO MARIADB FOUND: every test on MariaDB is skipped. Install mariadb-server or set TEST_MARIADB_URL.';
  if (process.env.CI === 'true') throw new Error(text);
  warnLoudly(text);
  return undefined;
};

let found: Promise<string | undefined> | undefined;

/**
 * The address of a server, without a database: TEST_MARIADB_URL, or root without password on port 3306, or a private
 * server started here. Undefined, with a loud warning, when there is none. @throws Error then when CI=true.
 */
export const mariadbUrl = (): Promise<string | undefined> => {
  found ??= find();
  return found;
};

let count = 0;

/** Makes an empty database at a server's address; `drop` removes it again. */
export const createDatabase = async (
  serverUrl: string,
  prefix = 'praxis_test',
): Promise<{ readonly url: string; drop(): Promise<void> }> => {
  count += 1;
  const name = `${prefix}_${process.pid}_${count}`;
  const administer = async (sql: string): Promise<void> => {
    const connection = await createConnection({ uri: serverUrl });
    try {
      await connection.query(sql);
    } finally {
      await connection.end();
    }
  };
  await administer(`drop database if exists \`${name}\``);
  await administer(`create database \`${name}\` character set utf8mb4`);
  return { url: `${serverUrl}/${name}`, drop: () => administer(`drop database if exists \`${name}\``) };
};

/** Makes the tables of one database in another, which is empty, with all their rows; both addresses are of one server. */
export const copyTables = async (from: string, to: string): Promise<void> => {
  const source = new URL(from).pathname.slice(1);
  const connection = await createConnection({ uri: to, rowsAsArray: true });
  try {
    const [tables] = await connection.query<RowDataPacket[]>(`show tables from \`${source}\``);
    await connection.query('set foreign_key_checks = 0');
    for (const { 0: table } of tables) {
      const [made] = await connection.query<RowDataPacket[]>(`show create table \`${source}\`.\`${table}\``);
      await connection.query(String(made[0]?.[1]));
      await connection.query(`insert into \`${table}\` select * from \`${source}\`.\`${table}\``);
    }
  } finally {
    await connection.end();
  }
};

/** Puts the rows of one database in place of those of another that has the same tables. */
export const copyRows = async (from: string, to: string): Promise<void> => {
  const source = new URL(from).pathname.slice(1);
  const connection = await createConnection({ uri: to, rowsAsArray: true, multipleStatements: true });
  try {
    const [tables] = await connection.query<RowDataPacket[]>(`show tables from \`${source}\``);
    const statements = tables.map(
      ({ 0: table }) => `delete from \`${table}\`; insert into \`${table}\` select * from \`${source}\`.\`${table}\``,
    );
    await connection.query(`set foreign_key_checks = 0; start transaction; ${statements.join('; ')}; commit`);
  } finally {
    await connection.end();
  }
};

/** Waits until nobody is connected to any of these databases: what a client that died has left open is taken back then. */
export const untilLeft = async (urls: readonly string[]): Promise<void> => {
  const [first] = urls;
  if (first === undefined) return;
  const names = urls.map((url) => new URL(url).pathname.slice(1));
  const connection = await createConnection({ uri: new URL('/', first).href, rowsAsArray: true });
  try {
    for (;;) {
      const [rows] = await connection.query<RowDataPacket[]>(
        'select count(*) from information_schema.processlist where db in (?)',
        [names],
      );
      if (Number(rows[0]?.[0]) === 0) return;
      await delay(5);
    }
  } finally {
    await connection.end();
  }
};
