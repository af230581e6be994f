import { describe, expect, it } from 'vitest';
import { ConfigurationFault } from '../../src/configuration-fault.ts';
import { fileOf, memoryUrl, openDatabase } from '../../src/storage/database.ts';
import { faultOf } from '../../src/storage/errors.ts';
import { clusterTransaction, readServer } from '../../src/storage/mysql/server.ts';
import { readMysqlUrl } from '../../src/storage/mysql/url.ts';
import { CommitError, DeadlineError, NotSentError } from '../../src/storage/schema/error-kinds.ts';
import { servers } from '../support/databases.ts';
import { caught } from '../support/grounds.ts';

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
    ['mysql://root@127.0.0.1/x', undefined],
  ])('tells the file of %s', (url, file) => {
    expect(fileOf(url)).toBe(file);
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
  });
});

describe('faults', () => {
  const driverError = (fields: object, message = 'x'): Error => Object.assign(new Error(message), fields);

  it.each([
    [
      driverError({ errno: 1062 }, "Duplicate entry 'a' for key 'owner.owner_name'"),
      { kind: 'unique', key: 'owner_name' },
    ],
    [driverError({ errno: 1213 }), { kind: 'retry' }],
    [new CommitError(driverError({ errno: 1213 })), { kind: 'retry' }],
    [driverError({ errno: 9007 }), { kind: 'retry' }],
    [driverError({ errno: 8022 }), { kind: 'retry' }],
    [driverError({ errcode: 6 }), { kind: 'retry' }],
    [driverError({ errcode: 262 }), { kind: 'retry' }],
    [driverError({ errno: 4025 }), { kind: 'range' }],
    [driverError({ errcode: 517 }), { kind: 'retry', isLocked: true }],
    [driverError({ errcode: 261 }), { kind: 'retry', isLocked: true }],
    [driverError({ errcode: 778 }), { kind: 'away', notDone: true, reconnect: false }],
    [driverError({ errno: 1290 }), { kind: 'away', notDone: true, reconnect: true }],
    [driverError({ errno: 1180 }), { kind: 'away', notDone: false, reconnect: false }],
    [
      driverError({ errno: 1180 }, "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT"),
      { kind: 'retry' },
    ],
    [
      new CommitError(driverError({ errno: 1180 }, "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT")),
      { kind: 'retry' },
    ],
    [driverError({ errno: 1047 }), { kind: 'away', notDone: false, reconnect: true }],
    [
      driverError({ errno: -111, code: 'ECONNREFUSED', fatal: true }),
      { kind: 'away', notDone: true, reconnect: false },
    ],
    [driverError({ code: 'PROTOCOL_CONNECTION_LOST', fatal: true }), { kind: 'away', notDone: false, reconnect: true }],
    [driverError({ fatal: true }), { kind: 'away', notDone: false, reconnect: true }],
    [
      driverError({ fatal: true }, "Can't add new command when connection is in closed state"),
      { kind: 'away', notDone: true, reconnect: true },
    ],
    [new NotSentError(new Error('x')), { kind: 'away', notDone: true, reconnect: false }],
    [new DeadlineError(5), { kind: 'away', notDone: false, reconnect: false }],
    [driverError({ errno: 1406 }), { kind: 'range' }],
    [new TypeError('x'), { kind: 'unknown' }],
    ['text', { kind: 'unknown' }],
  ])('reads %s', (error, fault) => {
    expect(faultOf(error)).toEqual(fault);
  });
});
