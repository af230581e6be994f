// A database that answers and takes no writes: callers are told why, probes too, and it is over by itself where it can be.
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createPraxis } from '../../src/app/praxis.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { describeOnServers } from '../support/databases/databases.ts';
import { startMariadb } from '../support/databases/mariadb.ts';
import { startMysql } from '../support/databases/mysql.ts';
import { accessToken, registryOf } from '../support/service/praxis.ts';

const full = 'The database has no room left; nothing can be written until it has.';
const readOnly = 'The database is read-only; nothing can be written until it is not.';
const replaced =
  'The file of the database was deleted or replaced; nothing is written until the service is started again.';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(databaseUrl: string, prepare?: (database: Database) => Promise<unknown>) {
  const logs: { level: number; msg: string }[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void logs.push(JSON.parse(line)) });
  const database = await openDatabase(databaseUrl);
  await prepare?.(database);
  const praxis = await createPraxis({ registry: registryOf('test'), database, accessToken, logger });
  closing.push(() => praxis.close());
  const server = createServer(praxis.app.callback()).listen(0, '127.0.0.1');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let count = 0;
  const create = async () => {
    count += 1;
    const answer = await fetch(`${origin}/api/genres`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `${count} ${'x'.repeat(30)}` }),
    });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      ...((await answer.json()) as object),
    };
  };
  const ready = async () => {
    const answer = await fetch(`${origin}/readyz`);
    return { code: answer.status, ...((await answer.json()) as object) };
  };
  const list = async () =>
    (await fetch(`${origin}/api/genres`, { headers: { authorization: `Bearer ${accessToken}` } })).status;
  const said = (level: number) => logs.filter((each) => each.level === level).map(({ msg }) => msg);
  return { database, create, ready, list, said };
}

const openFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'praxis-standing-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'workspace.sqlite');
};
const isReady = { code: 200, status: 'ok' };
const refusal = (message: string) => ({ status: 503, retryAfter: '1', message });
const unready = (message: string) => ({ code: 503, status: 503, message });
const soon = { timeout: 10_000, interval: 100 };

describe('an embedded database', () => {
  test('that has no room tells so, and takes writes again when it has', async () => {
    const { database, create, ready, list, said } = await start(`sqlite:${openFile()}`);
    expect((await create()).status).toBe(200);
    expect(await ready()).toEqual(isReady);
    await database.run('pragma max_page_count = 1', []);
    let answer = await create();
    for (let tries = 0; answer.status === 200 && tries < 500; tries += 1) answer = await create();
    expect(answer).toEqual(refusal(full));
    expect(await ready()).toEqual(unready(full));
    expect(await list()).toBe(200);
    await expect.poll(() => said(50), soon).toEqual([full]);
    // There is room on the disk, so that it is tried again.
    await database.run('pragma max_page_count = 1000000', []);
    await expect.poll(ready, soon).toEqual(isReady);
    expect((await create()).status).toBe(200);
    expect(said(50)).toEqual([full]);
    expect(said(30)).toContain('database is writable again');
  }, 60_000);

  test('that is read-only at the start makes a service that is not ready', async () => {
    const url = `sqlite:${openFile()}`;
    const earlier = await openDatabase(url);
    await (await createPraxis({ registry: registryOf('test'), database: earlier, accessToken })).close();
    const { ready, list } = await start(url, (database) => database.run('pragma query_only = 1', []));
    expect(await ready()).toEqual(unready(readOnly));
    expect(await list()).toBe(200);
  }, 60_000);

  test('that is read-only tells so', async () => {
    const { database, create, ready } = await start(`sqlite:${openFile()}`);
    await database.run('pragma query_only = 1', []);
    expect(await create()).toEqual(refusal(readOnly));
    expect(await ready()).toEqual(unready(readOnly));
  }, 60_000);

  test.each([
    ['whose file was deleted', (file: string) => unlinkSync(file)],
    [
      'whose file was replaced',
      (file: string) => {
        writeFileSync(`${file}.new`, '');
        renameSync(`${file}.new`, file);
      },
    ],
    ['whose write-ahead log was deleted', (file: string) => unlinkSync(`${file}-wal`)],
  ])(
    '%s takes no writes any more',
    async (_case, harm) => {
      const file = openFile();
      const { create, ready, list, said } = await start(`sqlite:${file}`);
      expect((await create()).status).toBe(200);
      // Long enough for the watch to have seen all files as they are.
      await new Promise((resolve) => setTimeout(resolve, 2100));
      expect(await ready()).toEqual(isReady);
      harm(file);
      await expect.poll(ready, soon).toEqual(unready(replaced));
      expect(await create()).toEqual(refusal(replaced));
      expect(await list()).toBe(200);
      await expect.poll(() => said(50), soon).toEqual([replaced]);
    },
    60_000,
  );
});

describeOnServers('a database server', ({ name }) => {
  test('that has become read-only tells so, and takes writes again when it is not', async ({ skip }) => {
    // Of its own, for all others on it would be refused as well.
    const server = await (name === 'MySQL' ? startMysql() : startMariadb());
    if (server === undefined) return skip(`There is no ${name} to start.`);
    const root = await createConnection({ uri: server.url });
    closing.push(
      () => server.stop(),
      () => root.end(),
    );
    await root.query('create database standing character set utf8mb4');
    await root.query("create user standing@'127.0.0.1' identified by 'x'");
    await root.query("grant all on standing.* to standing@'127.0.0.1'");
    const { port } = new URL(server.url);
    const { create, ready, list, said } = await start(`mysql://standing:x@127.0.0.1:${port}/standing`);
    expect((await create()).status).toBe(200);
    await root.query('set global read_only = 1');
    expect(await create()).toEqual(refusal(readOnly));
    expect(await ready()).toEqual(unready(readOnly));
    expect(await list()).toBe(200);
    await expect.poll(() => said(50), soon).toEqual([readOnly]);
    await root.query('set global read_only = 0');
    await expect.poll(ready, soon).toEqual(isReady);
    expect((await create()).status).toBe(200);
  }, 60_000);
});

test('a clock that was set back is told once in the log', async () => {
  const { create, said } = await start('sqlite::memory:');
  const { now } = Date;
  const clock = vi.spyOn(Date, 'now');
  try {
    clock.mockImplementation(() => now() + 1_800_000);
    expect((await create()).status).toBe(200);
    clock.mockImplementation(now);
    expect((await create()).status).toBe(200);
    const text =
      'clock was set back; timestamps do not advance until it catches up, unless it was set back by more than an hour';
    await expect.poll(() => said(40), soon).toEqual([text]);
    expect((await create()).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(said(40)).toEqual([text]);
  } finally {
    clock.mockRestore();
  }
}, 60_000);
