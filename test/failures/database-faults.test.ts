import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ClientDisconnected } from '../../src/admission/deadline.ts';
import { Problem } from '../../src/problems.ts';
import { openMysql } from '../../src/storage/mysql/mysql.ts';
import { clusterTransaction } from '../../src/storage/mysql/server.ts';
import { CommitError, DeadlineError } from '../../src/storage/schema/error-kinds.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts';
import { describeOnServers } from '../support/databases/databases.ts';
import { caught, tables } from '../support/databases/grounds.ts';
import { asksFor, createProxy } from '../support/databases/proxy.ts';

/** How long is waited for what the server sees by and by. */
const patience = { timeout: 10_000 };

/** A point that nobody passes before so many have come to it; who comes later passes at once. */
function meeting(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let came = 0;
  return () => {
    came += 1;
    if (came === count) resolve();
    return promise;
  };
}

/** Names and numbers that MySQL has of its own. */
const owns = {
  MariaDB: { settings: ['tx_isolation', 'max_statement_time', 1.35], outOfTime: 1969 },
  MySQL: { settings: ['transaction_isolation', 'max_execution_time', 1350], outOfTime: 3024 },
} as const;

describeOnServers('a server under faults', ({ name, open }) => {
  const own = owns[name === 'MySQL' ? 'MySQL' : 'MariaDB'];
  let made: Awaited<ReturnType<typeof open>>;
  let database: Database;
  let unit: UnitOfWork;
  let proxy: Awaited<ReturnType<typeof createProxy>>;

  const kill = async (what: string, id: unknown): Promise<void> => {
    const connection = await createConnection(made.url);
    await connection.query(`kill ${what} ${String(id)}`);
    await connection.end();
  };

  beforeAll(async () => {
    made = await open('praxis_drv');
    const url = new URL(made.url);
    proxy = await createProxy(url.hostname, Number(url.port || 3306));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    url.searchParams.set('pipeline', 'on');
    url.searchParams.set('connectionLimit', '2');
    database = await openMysql(url, { deadlineMs: 1500 });
    await database.script(tables.mysql);
    await database.run("insert into owner values ('a', 'Ann', 1), ('b', 'Bob', 2)", []);
    unit = createUnitOfWork(database, { deadlineMs: 10_000 });
  }, 60_000);

  beforeEach(async () => {
    proxy.set();
    await unit.write("update owner set total = 1 where id = 'a'", []);
  });

  afterAll(async () => {
    await database.close();
    await proxy.stop();
    await made.drop();
  });

  const total = async (): Promise<unknown> => (await unit.read("select total from owner where id = 'a'", []))[0]?.[0];

  it('sets strict mode, UTC and read committed on every connection, without a round trip per command', async () => {
    const [isolation, limit, limitOfOurs] = own.settings;
    const settings = `select @@session.sql_mode, @@session.time_zone, @@session.${isolation}, @@session.${limit}`;
    const read = () => database.transact((session) => session.all(settings, []));
    for (const [row] of await Promise.all([read(), read()])) {
      expect(row?.[0]).toContain('STRICT_ALL_TABLES');
      expect(row?.slice(1)).toEqual(['+00:00', 'READ-COMMITTED', limitOfOurs]);
    }
    const prepared = () => unit.read("show session status like 'Com_set_option'", []);
    const before = await prepared();
    for (let n = 0; n < 10; n += 1) await total();
    expect(await prepared()).toEqual(before);
  });

  it('reads dates and long integers as text', async () => {
    const sql =
      "select cast('2026-02-28' as date), cast('2026-02-28 10:11:12.34' as datetime(3)), 9007199254740993, 1.50";
    expect(await unit.read(sql, [])).toEqual([['2026-02-28', '2026-02-28 10:11:12.340', '9007199254740993', '1.50']]);
  });

  it('reads again on a fresh connection when its own was killed', async () => {
    const [row] = await unit.read('select connection_id()', []);
    await kill('connection', row?.[0]);
    expect(await total()).toBe(1);
    let isCut = false;
    proxy.set((data, server, client) => {
      if (!isCut && data.includes('1 = 1')) {
        isCut = true;
        client.destroy();
      } else server.write(data);
    });
    expect(await unit.read('select count(*) from owner where 1 = 1', [])).toEqual([[2]]);
    expect(isCut).toBe(true);
  });

  it('does not know the outcome of a write whose connection was lost', async () => {
    proxy.set((data, server, client) => {
      server.write(data);
      if (data.includes('total = 50')) setTimeout(() => client.destroy(), 0);
    });
    const blocked = unit.write("update owner set total = 50 + sleep(0.3) where id = 'a'", []);
    expect(await caught(blocked)).toMatchObject({ code: 'outcome-unknown', status: 503 });
  });

  it('does not know the outcome when the connection is lost at COMMIT', async () => {
    proxy.set((data, server, client) => {
      server.write(data);
      if (asksFor(data, 'commit')) client.destroy();
    });
    let runs = 0;
    const error = await caught(
      unit.transact(async (session) => {
        runs += 1;
        await session.run("update owner set total = 60 where id = 'a'", []);
      }),
    );
    expect(error).toMatchObject({ code: 'outcome-unknown', cause: expect.any(CommitError) });
    expect(runs).toBe(1);
  });

  it('begins again what the server has taken back without a word, and keeps nothing of what came after', async () => {
    const node = await openMysql(new URL(made.url), {
      // Any server can be asked for a proof.
      transaction: { ...clusterTransaction, enter: 'set autocommit = 0', leave: 'set autocommit = 1' },
    });
    try {
      const units = createUnitOfWork(node, { deadlineMs: 10_000 });
      const refused = new Problem('record-in-use', 'Not in a transaction that is whole.');
      for (const isRefused of [false, true]) {
        let runs = 0;
        await units.transact(async (session) => {
          runs += 1;
          await session.run("insert into owner values ('c', 'Cid', 1)", []);
          if (runs === 1) await session.run('rollback', []);
          await session.run("update owner set total = total + 1 where id = 'a'", []);
          if (isRefused && runs === 1) throw refused;
        });
        expect(runs).toBe(2);
        expect(await unit.read('select id, total from owner order by id', [])).toEqual([
          ['a', isRefused ? 3 : 2],
          ['b', 2],
          ['c', 1],
        ]);
        // By itself again, as single statements are.
        await units.write("delete from owner where id = 'c'", []);
        expect(await unit.read("select count(*) from owner where id = 'c'", [])).toEqual([[0]]);
      }
      let runs = 0;
      const work = units.transact(async (session) => {
        runs += 1;
        await session.run("update owner set total = 70 where id = 'a'", []);
        throw refused;
      });
      expect(await caught(work)).toBe(refused);
      expect([runs, await total()]).toEqual([1, 3]);
    } finally {
      await node.close();
    }
  });

  it('runs a transaction again whose connection died before COMMIT, once', async () => {
    let runs = 0;
    await unit.transact(async (session) => {
      runs += 1;
      const [row] = await session.all('select connection_id()', []);
      if (runs === 1) await kill('connection', row?.[0]);
      await session.run("update owner set total = total + 1 where id = 'a'", []);
    });
    expect(runs).toBe(2);
    expect(await total()).toBe(2);
    const always = unit.transact(async (session) => {
      const [row] = await session.all('select connection_id()', []);
      await kill('connection', row?.[0]);
      await session.run("update owner set total = 99 where id = 'a'", []);
    });
    expect(await caught(always)).toMatchObject({ code: 'database-away' });
    expect(await total()).toBe(2);
  });

  it('runs the losing transaction of a deadlock again, whole', async () => {
    let runs = 0;
    const bothHold = meeting(2);
    const both = (first: string, second: string) =>
      unit.transact(async (session) => {
        runs += 1;
        await session.run('update owner set total = total + 1 where id = ?', [first]);
        await bothHold();
        await session.run('update owner set total = total + 1 where id = ?', [second]);
      });
    await unit.write('update owner set total = 0', []);
    await Promise.all([both('a', 'b'), both('b', 'a')]);
    expect(runs).toBeGreaterThan(2);
    expect(await unit.read('select total from owner order by id', [])).toEqual([[2], [2]]);
  });

  it('never lets a command run outside the transaction that a deadlock has ended', async () => {
    let hasLost = false;
    let attempts = 0;
    const bothHold = meeting(2);
    const careless = (first: string, second: string) =>
      unit.transact(async (session) => {
        attempts += 1;
        await session.run('update owner set total = total + 1 where id = ?', [first]);
        await bothHold();
        const clash = session.run('update owner set total = total + 1 where id = ?', [second]).catch(() => {
          hasLost = true;
        });
        await Promise.all([
          clash,
          session.run('update owner set total = total + 100 where id = ?', [first]).catch(() => {}),
        ]);
      });
    await unit.write('update owner set total = 0', []);
    await Promise.all([careless('a', 'b'), careless('b', 'a')]);
    expect(hasLost).toBe(true);
    expect(attempts).toBeGreaterThan(2);
    expect(await unit.read('select total from owner order by id', [])).toEqual([[102], [102]]);
  });

  it('lets the server end a slow statement, and keeps the connection', async () => {
    const before = await unit.read('select connection_id()', []);
    const slow = await caught(
      unit.read(
        `select count(*) from ${Array(4)
          .fill('information_schema.columns')
          .map((table, n) => `${table} t${n}`)
          .join(' join ')}`,
        [],
      ),
    );
    expect(slow).toMatchObject({ code: 'database-away', cause: { errno: own.outOfTime } });
    expect(await unit.read('select connection_id()', [])).toEqual(before);
  });

  it('cuts a silent connection at the deadline and works on at once', async () => {
    let isSilent = true;
    let unanswered = 0;
    proxy.set((data, server) => {
      if (isSilent && data.includes('owner')) unanswered += 1;
      else server.write(data);
    });
    const [read, write, transaction] = await Promise.all([
      caught(unit.read("select total from owner where id in ('a')", [])),
      caught(unit.write("update owner set total = 70 where id in ('a')", [])),
      caught(unit.transact((session) => session.run("update owner set total = 80 where id in ('a')", []))),
    ]);
    // None is sent again.
    expect(unanswered).toBe(3);
    expect(read).toMatchObject({ code: 'database-away', cause: new DeadlineError(database.deadlineMs) });
    expect([write, transaction].map((error) => error instanceof Problem)).toEqual([true, true]);
    isSilent = false;
    expect(await total()).toBe(1);
  });

  it('ends at the server what is over its deadline: it keeps nobody waiting, and nothing of it is done later', async () => {
    const url = new URL(made.url);
    url.searchParams.set('connectionLimit', '1');
    url.searchParams.set('deadlineMs', '500');
    const direct = await openMysql(url);
    const hurried = createUnitOfWork(direct, { deadlineMs: 2000 });
    const [holder, watcher] = await Promise.all([createConnection(made.url), createConnection(made.url)]);
    // Without them the server would give up by itself: for another reason than a lock it may not.
    const patient = `set session innodb_lock_wait_timeout = 60, ${own.settings[1]} = 0`;
    const makePatient = () => hurried.transact((session) => session.run(patient, []));
    const waiting = "update owner set total = 60 where id = 'a'";
    const rows = () => unit.read('select id, total from owner order by id', []);
    const before = await rows();
    const underWay = async (): Promise<number> => {
      const [rows] = await watcher.query<RowDataPacket[]>(
        'select info from information_schema.processlist where db = database() and info = ?',
        [waiting],
      );
      return rows.length;
    };
    try {
      await holder.query('start transaction');
      await holder.query("update owner set total = 2 where id = 'a'");

      await makePatient();
      const transaction = hurried.transact(async (session) => {
        await session.run("update owner set total = 61 where id = 'b'", []);
        return session.run(waiting, []);
      });
      const lost = caught(transaction);
      await vi.waitFor(async () => expect(await underWay()).toBe(1), { ...patience, interval: 20 });
      expect(await lost).toMatchObject({ code: 'database-away', cause: expect.any(DeadlineError) });
      await vi.waitFor(async () => expect(await underWay()).toBe(0), patience);
      // What it had locked is free: nobody waits for it.
      await watcher.query("select total from owner where id = 'b' for update");

      await makePatient();
      const unknown = await caught(hurried.write(waiting, []));
      expect(unknown).toMatchObject({ code: 'outcome-unknown', cause: expect.any(DeadlineError) });
      await vi.waitFor(async () => expect(await underWay()).toBe(0), patience);

      await holder.query('rollback');
      await delay(100);
      expect(await rows()).toEqual(before);
    } finally {
      await Promise.all([holder.end(), watcher.end(), direct.close()]);
    }
  });

  it('begins nothing for whom there is no place in time, nor for whom has left', async () => {
    const held = () =>
      unit.attend('write', undefined, () =>
        unit.transact(async (session) => {
          await session.all('select 1', []);
          await delay(300);
        }),
      );
    const holders = [held(), held()];
    const write = () => unit.write("update owner set total = 90 where id = 'a'", []);
    const late = { since: performance.now() - 60_000, isDisconnected: () => false };
    const gone = { since: performance.now(), isDisconnected: () => true };
    expect(await caught(unit.attend('write', late, write))).toMatchObject({ code: 'overloaded', status: 503 });
    expect(await caught(unit.attend('write', gone, write))).toBeInstanceOf(ClientDisconnected);
    await Promise.all(holders);
    expect(await total()).toBe(1);
    const other = { since: performance.now(), isDisconnected: () => false };
    expect(await unit.attend('write', other, write)).toBe(1);
  });

  it('says that a server that refuses did nothing, and recovers by itself', async () => {
    await proxy.stop();
    await delay(50); // until the client has seen it; a write sent before that is of unknown outcome
    const all = [unit.read('select 1', []), unit.write('update owner set total = 2', []), unit.transact(async () => 1)];
    for (const error of await Promise.all(all.map(caught))) {
      expect(error).toMatchObject({ code: 'database-away' });
      // At once, not when a deadline was over.
      expect((error as Error).cause).not.toBeInstanceOf(DeadlineError);
    }
    await proxy.start();
    expect(await total()).toBe(1);
  });
});
