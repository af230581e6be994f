import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { problems } from '../../src/problems.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { faultOf } from '../../src/storage/errors.ts';
import { mariaDbDialect, mysqlDialect } from '../../src/storage/mysql/dialect.ts';
import type { Database, Session } from '../../src/storage/schema/session.ts';
import { sqliteDialect } from '../../src/storage/sqlite/dialect.ts';
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts';
import {
  caught,
  faultsOf,
  type Ground,
  grounds,
  onMemory,
  onSqliteFile,
  tables,
} from '../support/databases/grounds.ts';

describe.each(grounds)('%s', (name, open) => {
  let ground: Ground;
  let database: Database;
  let unit: UnitOfWork;

  beforeAll(async () => {
    ground = await open();
    ({ database, unit } = ground);
    await database.script(tables[database.dialect.name]);
  }, 60_000);

  afterAll(() => ground.close());

  beforeEach(async () => {
    await database.run('delete from item', []);
    await database.run('delete from owner', []);
    await database.run("insert into owner values ('a', 'Ann', 1), ('b', 'Bob', 2)", []);
  });

  it('says what server it is', () => {
    expect(database.server).toMatch(/^(sqlite|mariadb|mysql|tidb) \d+\.\d+\.\d+$/);
    const [make = ''] = database.server.split(' ');
    expect(name).toContain(make);
    expect(database.dialect).toBe({ mariadb: mariaDbDialect, mysql: mysqlDialect }[make] ?? sqliteDialect);
  });

  it('gives rows as arrays in the order of the columns, equal names included', async () => {
    const rows = await unit.read('select total, id, total, name from owner where total >= ? order by id', [1]);
    expect(rows).toEqual([
      [1, 'a', 1, 'Ann'],
      [2, 'b', 2, 'Bob'],
    ]);
  });

  it('counts the rows matched, changed or not', async () => {
    expect(await unit.write('update owner set total = 1 where total = ?', [1])).toBe(1);
    expect(await unit.write("update owner set name = name where id in ('a', 'b', 'c')", [])).toBe(2);
    expect(await unit.write('delete from owner where id = ?', ['zz'])).toBe(0);
  });

  it('reads one moment, and the next reader a later one, whatever became of the one before', async () => {
    const read = async ({ all }: Pick<Session, 'all'>): Promise<number> =>
      Number((await all('select sum(total) from owner', []))[0]?.[0]);
    const readAround = (write: () => Promise<unknown>): Promise<readonly number[]> =>
      database.snapshot(async (session) => {
        const before = await read(session);
        await write();
        return [before, await read(session)];
      });
    // What is in memory has one connection, and no moment.
    const isOfOne = name !== 'sqlite memory';
    const raised = () => unit.write("update owner set total = total + 10 where id = 'a'", []);
    expect(await readAround(raised)).toEqual([3, isOfOne ? 3 : 13]);
    await expect(
      readAround(async () => {
        await raised();
        throw new Error('no more');
      }),
    ).rejects.toThrow('no more');
    await expect(database.snapshot(({ all }) => all('select nothing from owner', []))).rejects.toThrow();
    const both = await Promise.all([readAround(raised), database.snapshot(read)]);
    expect(both.flat()).toEqual([23, isOfOne ? 23 : 33, expect.any(Number)]);
    expect(await database.snapshot(read)).toBe(33);
  });

  it('brings back text, bytes, null and integers as they were', async () => {
    const bytes = new Uint8Array([0, 255, 39, 92]);
    await unit.write('insert into item values (?, ?, ?)', ["'\\ – 😀", null, bytes]);
    const [row] = await unit.read('select id, owner, bytes from item', []);
    expect(row?.[0]).toBe("'\\ – 😀");
    expect(row?.[1]).toBeNull();
    expect(new Uint8Array(row?.[2] as Uint8Array)).toEqual(bytes);
    await unit.write('update owner set name = ?, total = ? where id = ?', [3, 2n ** 31n - 1n, 'a']);
    expect(await unit.read("select name, total from owner where id = 'a'", [])).toEqual([['3', 2 ** 31 - 1]]);
    expect(await unit.read('select id from owner order by id limit ?', [1])).toEqual([['a']]);
  });

  it.each([[undefined], [true], [{ id: 1 }], [new Date()], [['a']], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    'refuses to bind %s',
    async (value) => {
      const wrong = [value] as unknown as string[];
      expect(await caught(unit.read('select ?', wrong))).toBeInstanceOf(TypeError);
      expect(await caught(unit.write('delete from item where id = ?', wrong))).toBeInstanceOf(TypeError);
      expect(await caught(unit.transact((session) => session.all('select ?', wrong)))).toBeInstanceOf(TypeError);
    },
  );

  it('names the unique key that is taken', async () => {
    const isSqlite = database.dialect.name === 'sqlite';
    const insert = 'insert into owner values (?, ?, 0)';
    expect(await faultsOf(unit.write(insert, ['a', 'Other']))).toEqual({
      kind: 'unique',
      key: isSqlite ? ['owner.id'] : 'PRIMARY',
    });
    const named = { kind: 'unique', key: isSqlite ? ['owner.name'] : 'owner_name' };
    expect(await faultsOf(unit.write(insert, ['c', 'Ann']))).toEqual(named);
    await database.run(insert, ['d', "for key 'x'"]);
    expect(await faultsOf(unit.transact((session) => session.run(insert, ['e', "for key 'x'"])))).toEqual(named);
  });

  it('tells a missing row from a used one where the engine does', async () => {
    const isSqlite = database.dialect.name === 'sqlite';
    expect(await faultsOf(unit.write("insert into item values ('i', 'zz', null)", []))).toEqual({
      kind: isSqlite ? 'foreignKey' : 'foreignKeyMissing',
    });
    await unit.write("insert into item values ('i', 'a', null)", []);
    expect(await faultsOf(unit.write("delete from owner where id = 'a'", []))).toEqual({
      kind: isSqlite ? 'foreignKey' : 'foreignKeyUsed',
    });
  });

  it('refuses values that do not fit', async () => {
    const wrong = database.dialect.name === 'sqlite' ? 'text' : 3_000_000_000;
    expect(faultOf(await caught(unit.write('update owner set total = ?', [wrong])))).toEqual({ kind: 'range' });
    expect(faultOf(await caught(unit.write('update owner set name = ?', [null])))).toEqual({ kind: 'range' });
    expect(faultOf(await caught(unit.write('update owner set total = ?', [10n ** 30n])))).toEqual({ kind: 'range' });
  });

  it('commits all or nothing, and passes a Problem through', async () => {
    const thrown = problems.uuidMalformed('x');
    const work = async (session: Session): Promise<never> => {
      await session.run("update owner set total = 99 where id = 'a'", []);
      throw thrown;
    };
    expect(await caught(unit.transact(work))).toBe(thrown);
    expect(await unit.read('select total from owner order by id', [])).toEqual([[1], [2]]);
    const result = await unit.transact(async (session) => {
      await session.run("update owner set total = 5 where id = 'a'", []);
      return session.all("select total from owner where id = 'a'", []);
    });
    expect(result).toEqual([[5]]);
    expect(await unit.read("select total from owner where id = 'a'", [])).toEqual([[5]]);
  });

  it('lets a transaction go on after a taken key', async () => {
    await unit.transact(async (session) => {
      const error = await caught(session.run("insert into owner values ('a', 'x', 0)", []));
      expect(faultOf(error).kind).toBe('unique');
      await session.run("insert into owner values ('c', 'Cy', 3)", []);
    });
    expect(await unit.read('select count(*) from owner', [])).toEqual([[3]]);
  });

  it('refuses the session of a transaction that is over', async () => {
    const leaked = await unit.transact(async (session) => session);
    await expect(leaked.run('update owner set total = 7', [])).rejects.toThrow('The transaction is over');
    expect(await unit.read('select total from owner order by id', [])).toEqual([[1], [2]]);
  });

  // A database in memory has one connection, which others wait for: a test of its own says so.
  if (name !== 'sqlite memory')
    it('does not show the rows of an open transaction', async () => {
      const find = () => unit.read("select id from owner where id = 'c'", []);
      await unit.transact(async (session) => {
        await session.run("insert into owner values ('c', 'Cy', 3)", []);
        await delay(5);
        expect(await find()).toEqual([]);
      });
      expect(await find()).toEqual([['c']]);
    });

  it('loses none of 1000 increments of interleaved transactions', async () => {
    const forUpdate = database.dialect.name === 'mysql' ? ' for update' : '';
    const increment = (session: Session) =>
      session.all(`select total from owner where id = 'a'${forUpdate}`, []).then(async ([row]) => {
        await Promise.resolve();
        return session.run("update owner set total = ? where id = 'a'", [Number(row?.[0]) + 1]);
      });
    const clients = Array.from({ length: 50 }, async () => {
      for (let round = 0; round < 20; round += 1) await unit.transact(increment);
    });
    await Promise.all(clients);
    expect(await unit.read("select total from owner where id = 'a'", [])).toEqual([[1001]]);
  }, 60_000);

  it('runs a script of several statements', async () => {
    await database.script(['create table s1 (id integer)', 'create table s2 (id integer)', 'drop table s1']);
    expect(await unit.read('select count(*) from s2', [])).toEqual([[0]]);
    await expect(database.script(['drop table s2', 'not sql'])).rejects.toThrow();
    if (database.dialect.name === 'sqlite') expect(await unit.read('select count(*) from s2', [])).toEqual([[0]]);
  });
});

describe('sqlite', () => {
  it('lets a read wait for the open transaction where there is one connection only', async () => {
    const { database, unit, close } = await onMemory();
    await database.script(['create table t (n integer) strict']);
    const transaction = unit.transact(async (session) => {
      await session.run('insert into t values (1)', []);
      await delay(5);
    });
    expect(await unit.read('select n from t', [])).toEqual([[1]]);
    await transaction;
    await close();
  });

  it('writes in one transaction what comes at once', async () => {
    const { database, close } = await onSqliteFile();
    await database.script(['create table t (n integer) strict']);
    const count = () => database.all('select count(*) from t', []);
    const write = database.run('insert into t values (1)', []);
    // Those who read do not see it before all of it is there.
    const [seen] = await Promise.all([database.transact(count), write]);
    expect([seen, await count()]).toEqual([[[0]], [[1]]]);
    await close();
  });

  it('rebuilds a table that others refer to, and keeps the rows of these', async () => {
    const { database, close } = await onMemory();
    await database.script([
      'create table owner (id text primary key) strict',
      'create table item (owner text references owner (id) on delete cascade) strict',
      "insert into owner values ('a'), ('b')",
      "insert into item values ('a')",
    ]);
    const rebuild = (kept: string) =>
      database.restructure(async (session) => {
        await session.run('create table new_owner (id text primary key, name text) strict', []);
        await session.run(`insert into new_owner (id) select id from owner where id = '${kept}'`, []);
        await session.run('drop table owner', []);
        await session.run('alter table new_owner rename to owner', []);
      });
    await expect(rebuild('b')).rejects.toThrow("The change breaks a foreign key of the table 'item'.");
    await rebuild('a');
    expect(await database.all('select owner.id, owner.name from item join owner on id = owner', [])).toEqual([
      ['a', null],
    ]);
    await expect(database.run("insert into item values ('b')", [])).rejects.toThrow('FOREIGN KEY');
    await close();
  });

  it('is in WAL mode, enforces foreign keys and is not written by the reading connection', async () => {
    const ground = await onSqliteFile();
    expect(await ground.database.all('pragma journal_mode', [])).toEqual([['wal']]);
    const inside = await ground.database.transact((session) => session.all('pragma foreign_keys', []));
    expect(inside).toEqual([[1]]);
    await ground.database.script(['create table t (n integer) strict']);
    await expect(ground.database.all('insert into t values (1) returning n', [])).rejects.toThrow('readonly');
    await ground.close();
  });

  it('opens a file that another process is just making, as soon as that has let go of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'praxis-drv-'));
    const path = join(folder, 'x.sqlite');
    const other = new DatabaseSync(path);
    other.exec('create table t (n integer); begin immediate; insert into t values (1)');
    const [database] = await Promise.all([openDatabase(`sqlite:${path}`), delay(20).then(() => other.exec('commit'))]);
    expect(await database.all('select n from t', [])).toEqual([[1]]);
    await database.close();
    other.close();
    rmSync(folder, { recursive: true });
  });

  it('makes files and folders that only their owner can read, and leaves those alone that are there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'praxis-drv-'));
    chmodSync(folder, 0o755);
    const modeOf = (path: string): string => (statSync(join(folder, path)).mode & 0o777).toString(8);
    const open = async (path: string): Promise<() => Promise<void>> => {
      const database = await openDatabase(`sqlite:${join(folder, path)}`);
      await database.script(['create table if not exists t (n integer) strict']);
      return () => database.close();
    };
    const close = await open('a/b/x.sqlite');
    const files = ['x.sqlite', 'x.sqlite-wal', 'x.sqlite-shm'].map((name) => `a/b/${name}`);
    expect(files.map(modeOf)).toEqual(['600', '600', '600']);
    expect(['a/b', 'a', '.'].map(modeOf)).toEqual(['700', '700', '755']);
    await close();
    chmodSync(join(folder, 'a/b/x.sqlite'), 0o640);
    await (await open('a/b/x.sqlite'))();
    expect(modeOf('a/b/x.sqlite')).toBe('640');
    rmSync(folder, { recursive: true });
  });

  it('throws on an integer that JavaScript cannot hold', async () => {
    const { unit, close } = await onMemory();
    await expect(unit.read('select 9007199254740993', [])).rejects.toThrow();
    expect(await unit.read('select cast(9007199254740993 as text)', [])).toEqual([['9007199254740993']]);
    await close();
  });

  it('waits for the lock of another process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'praxis-drv-'));
    const url = `sqlite:${join(folder, 'x.sqlite')}`;
    const [one, two] = await Promise.all([openDatabase(url), openDatabase(url)]);
    await one.script(['create table t (n integer) strict']);
    const unit = createUnitOfWork(two, { deadlineMs: 5000 });
    const held = one.transact(async (session) => {
      await session.run('insert into t values (1)', []);
      await delay(400);
    });
    await unit.write('insert into t values (2)', []);
    await held;
    expect(await unit.read('select n from t order by n', [])).toEqual([[1], [2]]);

    const long = one.transact(async (session) => {
      await session.run('insert into t values (3)', []);
      await delay(1500);
    });
    const hasty = createUnitOfWork(two, { deadlineMs: 300 });
    expect(await caught(hasty.transact((session) => session.run('insert into t values (4)', [])))).toMatchObject({
      code: 'database-away',
    });
    await long;
    await Promise.all([one.close(), two.close()]);
    rmSync(folder, { recursive: true });
  });

  it('holds the lock from its first read, so that nobody writes between that and its own write', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'praxis-drv-'));
    const url = `sqlite:${join(folder, 'x.sqlite')}`;
    const [one, two] = await Promise.all([openDatabase(url), openDatabase(url)]);
    await one.script(['create table t (n integer) strict', 'insert into t values (0)']);
    let runs = 0;
    const first = createUnitOfWork(one, { deadlineMs: 5000 }).transact(async (session) => {
      runs += 1;
      const [row] = await session.all('select n from t', []);
      await delay(20);
      await session.run('update t set n = ?', [Number(row?.[0]) + 1]);
    });
    await createUnitOfWork(two, { deadlineMs: 5000 }).write('update t set n = n + 10', []);
    await first;
    expect(runs).toBe(1);
    expect(await one.all('select n from t', [])).toEqual([[11]]);
    await Promise.all([one.close(), two.close()]);
    rmSync(folder, { recursive: true });
  });

  it('rebuilds a table that others refer to, and refuses a script that leaves a reference dangling', async () => {
    const { database, close } = await onMemory();
    await database.script([
      ...tables.sqlite,
      "insert into owner values ('a', 'Ann', 1)",
      "insert into item values ('i', 'a', null)",
    ]);
    await database.script([
      'create table new_owner (id text primary key, name text not null, total integer not null, more text) strict',
      'insert into new_owner select id, name, total, null from owner',
      'drop table owner',
      'alter table new_owner rename to owner',
    ]);
    await expect(database.script(['delete from owner'])).rejects.toThrow("foreign key of the table 'item'");
    expect(await faultsOf(createUnitOfWork(database, { deadlineMs: 1000 }).write('delete from owner', []))).toEqual({
      kind: 'foreignKey',
    });
    await close();
  });

  it('takes back a commit that a deferred foreign key stops', async () => {
    const { database, unit, close } = await onMemory();
    await database.script([
      'create table p (id text primary key) strict',
      'create table c (p text references p (id) deferrable initially deferred) strict',
    ]);
    const work = (session: Session) => session.run("insert into c values ('x')", []);
    expect(await faultsOf(unit.transact(work))).toEqual({ kind: 'foreignKey' });
    expect(await unit.read('select count(*) from c', [])).toEqual([[0]]);
    await close();
  });

  it('keeps working past the bound of its kept statements', async () => {
    const { unit, close } = await onMemory();
    for (let n = 0; n < 2100; n += 1) expect(await unit.read(`select ${n}`, [])).toEqual([[n]]);
    await close();
  });
});
