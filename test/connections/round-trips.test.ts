// How often a write waits for an answer of the database server.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { MysqlConnection } from '../../src/storage/mysql/connection.ts';
import { everydayRecords, everydayWrites } from '../support/data/everyday.ts';
import { describeOnServers } from '../support/databases/databases.ts';
import { createProxy, packetsIn } from '../support/databases/proxy.ts';
import { type Context, type Json, startService } from '../support/service/praxis.ts';

describeOnServers('round trips', ({ open }) => {
  const closing: (() => Promise<void> | void)[] = [];
  let databaseUrl = '';
  let service: Context & { stop(): Promise<void> };
  /** What was sent together, flight by flight, from the begin of each transaction. */
  const transactions: string[][][] = [];
  const current = new WeakMap<MysqlConnection, string[][]>();

  beforeAll(async () => {
    const made = await open('praxis_trips');
    databaseUrl = made.url;
    service = await startService('product', databaseUrl);
    closing.push(service.stop, made.drop);
  }, 120_000);
  beforeEach(() => {
    const { begin, ask: send } = MysqlConnection.prototype;
    // What a new connection is asked and told before is no part of the write.
    vi.spyOn(MysqlConnection.prototype, 'begin').mockImplementation(function (this: MysqlConnection, texts) {
      const flights: string[][] = [];
      transactions.push(flights);
      current.set(this, flights);
      begin.call(this, texts);
    });
    vi.spyOn(MysqlConnection.prototype, 'ask').mockImplementation(function (this: MysqlConnection, commands, landed) {
      current.get(this)?.push(commands.map(({ sql }) => sql.trim()));
      send.call(this, commands, landed);
    });
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(async () => {
    for (const close of closing) await close();
  }, 60_000);

  const pathOf = (group: string): string => service.resource(group).path;
  const send = async (method: 'POST' | 'PATCH', path: string, body: Json): Promise<Json> => {
    const answer = await service.call(method, path, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Json;
  };
  const make = async (group: string, body: Json): Promise<string> =>
    String((await send('POST', pathOf(group), body))['id']);
  /** How many it takes, the commit among them. */
  const counting = async <T>(write: () => Promise<T>): Promise<{ result: T; count: number }> => {
    transactions.length = 0;
    const result = await write();
    // What the connection is asked behind that is of others.
    const committed = transactions
      .map((all) => all.slice(0, all.findIndex((flight) => flight.join() === 'commit') + 1))
      .filter(({ length }) => length > 0);
    expect(committed).toHaveLength(1);
    return { result, count: committed.flat().length };
  };

  test('statements that are asked for together are on their way before the first is answered', async () => {
    const url = new URL(databaseUrl);
    const proxy = await createProxy(url.hostname, Number(url.port || 3306));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    url.searchParams.set('pipeline', 'on');
    const database = await openDatabase(url.href);
    try {
      const ask = () =>
        database.transact((session) =>
          Promise.all(['one', 'two', 'three'].map((word, index) => session.all(`select ? as ${word}`, [index]))),
        );
      expect(await ask()).toEqual([[[0]], [[1]], [[2]]]);
      // Nothing reaches the server before all three executions are there: who waits for an answer waits for ever.
      let held: Buffer[] = [];
      const execute = 0x17;
      proxy.set((data, server) => {
        held.push(data);
        const count = packetsIn(Buffer.concat(held)).filter((packet) => packet[4] === execute).length;
        if (count % 3 !== 0) return;
        server.write(Buffer.concat(held));
        held = [];
      });
      expect(await ask()).toEqual([[[0]], [[1]], [[2]]]);
    } finally {
      proxy.set();
      await database.close();
      await proxy.stop();
    }
  });

  test('what stands behind a statement that ends the transaction is taken back with it', async () => {
    const [first, second] = [await openDatabase(databaseUrl), await openDatabase(databaseUrl)];
    try {
      await first.script(['create table meeting (id integer primary key, total integer)']);
      await first.run('insert into meeting values (1, 0), (2, 0), (3, 0)', []);
      const raise = 'update meeting set total = total + 1 where id = ?';
      const { promise: bothHold, resolve: hold } = Promise.withResolvers<void>();
      let holding = 0;
      const crossing = (database: typeof first, own: number, other: number) =>
        database.transact(async (session) => {
          await session.run(raise, [own]);
          holding += 1;
          if (holding === 2) hold();
          await bothHold;
          // One of the two loses here; its third statement is on its way already.
          await Promise.all([session.run(raise, [other]), session.run(raise, [3])]);
        });
      const outcomes = await Promise.allSettled([crossing(first, 1, 2), crossing(second, 2, 1)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await first.all('select id, total from meeting order by id', [])).toEqual([
        [1, 1],
        [2, 1],
        [3, 1],
      ]);
    } finally {
      await first.script(['drop table if exists meeting']);
      await first.close();
      await second.close();
    }
  });

  test('a connection on which a transaction has run commits single statements again', async () => {
    const url = new URL(databaseUrl);
    url.searchParams.set('connectionLimit', '1');
    const [database, other] = [await openDatabase(url.href), await openDatabase(databaseUrl)];
    try {
      await database.script(['create table single (id integer primary key)']);
      await database.transact((session) => session.run('insert into single values (1)', []));
      await database.run('insert into single values (2)', []);
      expect(await other.all('select id from single order by id', [])).toEqual([[1], [2]]);
    } finally {
      await other.script(['drop table if exists single']);
      await database.close();
      await other.close();
    }
  });

  test('the writes of every day take so many, and no more', async () => {
    const counts: Record<string, readonly number[]> = {};
    for (const { group, create, update } of await everydayWrites(make)) {
      const made = await counting(() => make(group, create));
      const changed = await counting(() => send('PATCH', `${pathOf(group)}/${made.result}`, update));
      counts[group] = [made.count, changed.count];
    }
    expect(counts).toEqual({
      'project-member': [4, 4],
      task: [5, 3],
      'time-entry': [4, 5],
      allocation: [8, 7],
      'expense-item': [4, 4],
      invoice: [6, 5],
      payment: [5, 8],
    });
  }, 120_000);

  test('an invoice of ten lines and forty sources takes six', async () => {
    const ids = await everydayRecords(make);
    const invoiceItemId = await make('invoice-item', { name: 'Billed' });
    const item = { date: '2026-02-02', description: 'Item', fee: 1, projectId: ids.project, invoiceItemId };
    const lines: Json[] = [];
    for (let line = 0; line < 10; line += 1) {
      const sources: Json[] = [];
      for (let n = 0; n < 4; n += 1)
        sources.push({ typeId: 'project_service_item', id: await make('project-service-item', item) });
      lines.push({ amount: 4, taxable: false, projectId: ids.project, sources });
    }
    const { count } = await counting(() => make('invoice', { clientId: ids.client, lines }));
    expect(count).toBe(6);
  }, 120_000);
});
