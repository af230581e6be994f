// Statements that are asked for in one go are written together only where the server itself is at the other end of the
// socket: what reads the protocol on the way may lose some of them and repeat others, and nobody hears of it.
import { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationFault } from '../../src/configuration-fault.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { describeOnServers } from '../support/databases/databases.ts';
import { caught } from '../support/databases/grounds.ts';
import { startRouter } from '../support/databases/mysql.ts';
import { asRouter, createProxy, packetsIn } from '../support/databases/proxy.ts';

const count = 20;
const numbers = Array.from({ length: count }, (_value, n) => n);
const execute = 0x17;

describeOnServers('statements that are asked for in one go', ({ open }) => {
  /** A database with an empty table, and its address. */
  const openTable = async (): Promise<URL> => {
    const made = await open('praxis_pipeline');
    onTestFinished(() => made.drop());
    const database = await openDatabase(made.url);
    await database.script(['create table t (nth int not null, n int not null)']);
    await database.close();
    return new URL(made.url);
  };
  const opened = async (url: URL): Promise<Database> => {
    const database = await openDatabase(url.href);
    onTestFinished(() => database.close());
    return database;
  };
  /** Inserts all numbers at once, three times. @returns what is there then */
  const insertAll = async (database: Database) => {
    for (const nth of [1, 2, 3])
      await database.transact((session) =>
        Promise.all(numbers.map((n) => session.run('insert into t (nth, n) values (?, ?)', [nth, n]))),
      );
    return database.all('select nth, n from t order by nth, n', []);
  };
  const all = [1, 2, 3].flatMap((nth) => numbers.map((n) => [nth, n]));
  /** The most executions that one piece on a socket has held. */
  const mostTogether = async (work: () => Promise<unknown>): Promise<number> => {
    const write = vi.spyOn(Socket.prototype, 'write');
    try {
      await work();
      const pieces = write.mock.calls.map(([data]) => (Buffer.isBuffer(data) ? packetsIn(data) : []));
      return Math.max(...pieces.map((packets) => packets.filter((packet) => packet[4] === execute).length));
    } finally {
      write.mockRestore();
    }
  };

  test('travel together to the server itself, unless that is switched off', async () => {
    const url = await openTable();
    const database = await opened(url);
    expect(await mostTogether(() => insertAll(database))).toBe(count);
    expect(await database.all('select count(*) from t', [])).toEqual([[3 * count]]);
    url.searchParams.set('pipeline', 'off');
    const careful = await opened(url);
    await careful.run('delete from t', []);
    expect(await mostTogether(() => insertAll(careful))).toBe(1);
    expect(await careful.all('select nth, n from t order by nth, n', [])).toEqual(all);
  });

  test('wait for each other behind what takes one at a time, and are each carried out once', async () => {
    const url = await openTable();
    const proxy = await createProxy(url.hostname, Number(url.port || 3306));
    onTestFinished(() => proxy.stop());
    proxy.set(asRouter);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    expect(await insertAll(await opened(url))).toEqual(all);
    url.searchParams.set('pipeline', 'on');
    const fault = await caught(openDatabase(url.href));
    expect(fault).toBeInstanceOf(ConfigurationFault);
    expect(String(fault)).toContain('set pipeline=off in the database URL');
  });

  test('are each carried out once through MySQL Router', async ({ skip }) => {
    const url = await openTable();
    const router = await startRouter(url);
    if (router === undefined) return skip('NO MYSQL ROUTER FOUND: run test/support/mysql/get.sh.');
    onTestFinished(() => router.stop());
    url.host = new URL(router.url).host;
    expect(await insertAll(await opened(url))).toEqual(all);
  });
});
