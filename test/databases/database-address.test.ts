import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigurationFault } from '../../src/configuration-fault.ts';
import { fileOf, memoryUrl, openDatabase, openToRead } from '../../src/storage/database.ts';
import { clusterTransaction, readServer, sessionStatements } from '../../src/storage/mysql/server.ts';
import { connectionFault, readMysqlUrl } from '../../src/storage/mysql/url.ts';
import { servers } from '../support/databases/databases.ts';
import { caught } from '../support/databases/grounds.ts';

describe('addresses', () => {
  const messageOf = async (url: string): Promise<string> => {
    const error = await caught(openDatabase(url));
    expect(error).toBeInstanceOf(ConfigurationFault);
    const message = error instanceof Error ? error.message : '';
    expect(message).not.toContain('\n');
    expect(message).not.toContain('s3cret');
    return message;
  };

  it.each([
    ['postgres://u:s3cret@h/d', "begins with 'postgres:'; write sqlite:"],
    ['data.sqlite', 'has no scheme'],
    ['', 'has no scheme'],
    ['sqlite:', 'names no file'],
    ['sqlite://data/x', 'names no file'],
    ['sqlite:data.sqlite?synchronous=off', 'synchronous=off in the database URL must be one of: full, normal.'],
    ['sqlite:/', "Cannot open the SQLite database '/'"],
    ['mysql://u:s3cret@127.0.0.1', 'names no database'],
    ['mysql://u:s3cret@127.0.0.1:99999/d', 'cannot be read'],
    ['mysql://u:s3cret@127.0.0.1/d?sll=true', "Unknown option 'sll'"],
    ['mysql://u:s3cret@127.0.0.1/d?ssl=maybe', 'must be one of: false, true, unverified'],
    ['mysql://u:s3cret@127.0.0.1/d?connectionLimit=x', 'must be an integer from 1 to 500'],
    ['mysql://u:s3cret@127.0.0.1/d?pipeline=yes', 'must be one of: auto, on, off'],
    ['mysql://u:s3c%ret@127.0.0.1/d', 'not percent-encoded'],
    ['mysql://u:s3cret@127.0.0.1:1/d', 'No database server answers at 127.0.0.1:1 (connection refused).'],
    ['mysql://u:s3cret@no-such-host.invalid/d', 'The database host of no-such-host.invalid:3306 is not known.'],
  ])('refuses %s', async (url, part) => {
    expect(await messageOf(url)).toContain(part);
  });

  it.each([
    ['sqlite:data/x.sqlite', 'data/x.sqlite'],
    ['sqlite:data/x.sqlite?synchronous=normal', 'data/x.sqlite'],
    [memoryUrl, undefined],
    ['sqlite:', undefined],
    ['sqlite://data/x', undefined],
    ['mysql://root@127.0.0.1/x', undefined],
  ])('tells the file of %s', (url, file) => {
    expect(fileOf(url)).toBe(file);
  });

  it('opens a file that is there to be read, and nothing else is done with it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'praxis-read-'));
    const url = `sqlite:${join(folder, 'data.sqlite')}`;
    await expect(openToRead(url)).rejects.toThrow(ConfigurationFault);
    expect(readdirSync(folder)).toEqual([]);
    const made = await openDatabase(url);
    await made.script(['create table t (a integer)', 'insert into t values (7)']);
    await made.close();
    const read = await openToRead(url);
    expect(await read.all('select a from t', [])).toEqual([[7]]);
    await expect(read.run('insert into t values (8)', [])).rejects.toThrow('readonly');
    await read.close();
    rmSync(folder, { recursive: true });
  });

  it('refuses a file that is no database', async () => {
    expect(await messageOf(`sqlite:${import.meta.filename}`)).toContain('not a database');
  });

  it.each(servers.filter(({ isThere }) => isThere))(
    'names a wrong password, an unknown database and missing TLS ($name)',
    async ({ serverUrl = '' }) => {
      const { host } = new URL(serverUrl);
      expect(await messageOf(`mysql://root:s3cret@${host}/mysql`)).toContain("refuses the user 'root' or the password");
      expect(await messageOf(`${serverUrl}/nowhere`)).toContain("Unknown database 'nowhere'");
      const url = `${serverUrl}/mysql?ssl=true`;
      const database = await openDatabase(`${serverUrl}/mysql`);
      const [row] = await database.all("show variables like 'have_ssl'", []);
      await database.close();
      if (row?.[1] === 'DISABLED') expect(await messageOf(url)).toContain('offers no TLS');
    },
  );

  it('reads what an address says, and what it leaves out', () => {
    const read = (rest: string) => readMysqlUrl(new URL(`mysql://u%40x:s3%2Fcret@[::1]:3307/my%20shop${rest}`));
    expect(read('')).toEqual({
      name: '[::1]:3307',
      user: 'u@x',
      database: 'my shop',
      connectionLimit: 10,
      deadlineMs: 2000,
      pipeline: 'auto',
      connection: { host: '::1', port: 3307, user: 'u@x', password: 's3/cret', database: 'my shop' },
    });
    const told = read('?connectionLimit=500&deadlineMs=500&pipeline=off&ssl=unverified');
    expect(told).toMatchObject({ connectionLimit: 500, deadlineMs: 500, pipeline: 'off' });
    expect(told.connection.ssl).toEqual({ rejectUnauthorized: false });
    expect(read('?ssl=true').connection.ssl).toEqual({ rejectUnauthorized: true, verifyIdentity: true });
    for (const wrong of [
      'connectionLimit=0',
      'connectionLimit=501',
      'deadlineMs=499',
      'deadlineMs=60001',
      'deadlineMs=1e4',
    ])
      expect(() => read(`?${wrong}`), wrong).toThrow(`${wrong} in the database URL must be an integer from`);
  });

  it.each([
    [{ errno: 1045 }, "The database server at h:1 refuses the user 'u' or the password."],
    [{ errno: 1698 }, "The database server at h:1 refuses the user 'u' or the password."],
    [{ errno: 1044 }, "The user 'u' may not use the database 'd' at h:1."],
    [{ errno: 1049 }, "Unknown database 'd' at h:1: create it first (create database `d` character set utf8mb4)."],
    [{ code: 'HANDSHAKE_NO_SSL_SUPPORT' }, 'The database server at h:1 offers no TLS (ssl=true).'],
    [{ code: 'ECONNREFUSED' }, 'No database server answers at h:1 (connection refused).'],
    [{ code: 'ENOTFOUND' }, 'The database host of h:1 is not known.'],
    [{ code: 'EAI_AGAIN' }, 'The database host of h:1 is not known.'],
    [{ code: 'ECONNRESET' }, 'Cannot connect to the database server at h:1: ECONNRESET'],
    [{ message: 'no reason' }, 'Cannot connect to the database server at h:1: no reason'],
  ])('says why a first connection fails: %o', (fields, message) => {
    const error = Object.assign(new Error(''), fields);
    expect(connectionFault(readMysqlUrl(new URL('mysql://u@h:1/d')), error)).toMatchObject({ message, cause: error });
  });

  it('finds the server on this machine where no host is named', () => {
    const { name, connection } = readMysqlUrl(new URL('mysql:///shop'));
    expect(name).toBe('127.0.0.1:3306');
    expect(connection).toMatchObject({ host: '127.0.0.1', port: 3306, database: 'shop' });
  });

  it('reads the versions of the servers and refuses old ones', () => {
    expect(readServer([['8.4.0']]).name).toBe('mysql 8.4.0');
    expect(readServer([['10.11.19-MariaDB-0+deb12u1']])).toMatchObject({ name: 'mariadb 10.11.19', isMariaDb: true });
    expect(readServer([['5.5.5-10.6.1-MariaDB']]).name).toBe('mariadb 10.6.1');
    expect(readServer([['8.0.11-TiDB-v8.5.0']])).toMatchObject({ name: 'tidb 8.5.0', isMariaDb: false });
    expect(() => readServer([['8.0']])).toThrow('MySQL 8.0; 8.0.13 or later is needed');
    expect(readServer([['9']]).name).toBe('mysql 9');
    expect(() => readServer([['8.0.12']])).toThrow('MySQL 8.0.12; 8.0.13 or later is needed');
    expect(() => readServer([['5.7.44-log']])).toThrow(ConfigurationFault);
    expect(() => readServer([['10.5.9-MariaDB']])).toThrow('MariaDB 10.5.9; 10.6.0 or later');
    expect(readServer([['10.11.19-MariaDB']], [['wsrep_on', 'OFF']]).transaction.proof).toBeUndefined();
    expect(readServer([['10.11.19-MariaDB']], [['wsrep_on', 'ON']]).transaction).toBe(clusterTransaction);
    const group = readServer([['9.7.4']], [['group_replication_single_primary_mode', 'OFF']]);
    expect(group.transaction.enter).toContain("group_replication_consistency = 'BEFORE'");
    const one = [
      ['group_replication_single_primary_mode', 'ON'],
      ['innodb_native_foreign_keys', 'ON'],
    ];
    expect(readServer([['9.7.4']], one)).toMatchObject({ transaction: { enter: 'set autocommit = 0' }, advice: [] });
    expect(readServer([['9.7.4']], [['innodb_native_foreign_keys', 'OFF']]).advice).toMatchObject([
      { todo: 'start the database server with innodb_native_foreign_keys=ON' },
    ]);
    expect(readServer([['8.4.0']]).limit(1000)).toBe('set session max_execution_time = 900');
    const mariadb = readServer([['10.11.19-MariaDB', '100']]);
    expect([mariadb.limit(1001), mariadb.withoutLimit, mariadb.preparedStatements]).toEqual([
      'set session max_statement_time = 0.901',
      'set session max_statement_time = 0',
      100,
    ]);
    const tidb = readServer([['8.0.11-TiDB-v8.5.0', '-1']]);
    expect([tidb.limit(500), tidb.preparedStatements]).toEqual([
      'set session max_execution_time = 450',
      Number.POSITIVE_INFINITY,
    ]);
    const [forTidb = '', forMysql = '', forMariadb = ''] = [tidb, readServer([['8.4.0']]), mariadb].map((server) =>
      sessionStatements(server).join('; '),
    );
    for (const text of [forTidb, forMysql, forMariadb]) {
      expect(text).toContain("sql_mode = 'STRICT_ALL_TABLES,");
      expect(text).toContain("time_zone = '+00:00', innodb_lock_wait_timeout = 1");
      expect(text).toMatch(/; set session transaction isolation level read committed$/);
    }
    // Names that not all of them know.
    expect([forTidb, forMysql, forMariadb].map((text) => / lock_wait_timeout = 1/.test(text))).toEqual([
      false,
      true,
      false,
    ]);
    expect([forTidb, forMysql, forMariadb].map((text) => text.includes("lc_messages = 'en_US'"))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
