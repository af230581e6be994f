// Statements that a connection has carried out before are not described anew: what is known of them must be right whatever
// happens to tables, to the statements that a connection keeps, and to the connection.
import { once } from 'node:events';
import { createPool, type PoolConnection } from 'mysql2';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bindMysql } from '../../src/storage/mysql/wire/bind.ts';
import { columnCaches, offerColumnCache } from '../../src/storage/mysql/wire/column-cache.ts';
import { allowPipelining, sendPipelined } from '../../src/storage/mysql/wire/pipeline.ts';
import type { Bound } from '../../src/storage/schema/cells.ts';
import { describeOnServers } from '../support/databases/databases.ts';

type Outcome = readonly unknown[][] | { readonly affectedRows: number } | { readonly errno: number | undefined };
type Statement = readonly [sql: string, ...values: Bound[]];

const keptStatements = 8;

describeOnServers('statements that are carried out again', ({ name, open }) => {
  const connect = async (areColumnsKept: boolean): Promise<PoolConnection> => {
    const { url, drop } = await open('praxis_prepared');
    const options = { rowsAsArray: true, dateStrings: true, supportBigNumbers: true, connectionLimit: 2 };
    const pool = createPool({ uri: url, ...options, maxPreparedStatements: keptStatements });
    onTestFinished(async () => {
      await new Promise((resolve) => pool.end(resolve));
      await drop();
    });
    const connection = await new Promise<PoolConnection>((resolve, reject) => {
      pool.getConnection((error, made) => (error ? reject(error) : resolve(made)));
      if (areColumnsKept) offerColumnCache(pool);
    });
    expect(columnCaches.has(connection)).toBe(areColumnsKept && name === 'MariaDB');
    connection.on('error', () => {});
    return connection;
  };

  describe.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('pipelined: %s, columns told once: %s', (isPipelined, areColumnsKept) => {
    const start = async () => {
      const connection = await connect(areColumnsKept);
      if (isPipelined) allowPipelining(connection);
      /** All at once; errors by their number. */
      const ask = (...statements: readonly Statement[]): Promise<Outcome[]> => {
        const answers = statements.map(() => Promise.withResolvers<Outcome>());
        const commands = statements.map(([sql, ...values]) => ({
          sql,
          values: values.length === 0 && /^(?:create|alter)/.test(sql) ? undefined : bindMysql(values),
        }));
        sendPipelined(connection, commands, {
          note: (nth, error, result) => answers[nth]?.resolve(error ? { errno: error.errno } : (result as Outcome)),
        });
        return Promise.all(answers.map(({ promise }) => promise));
      };
      await ask(['create table t (id int primary key, a int, b varchar(9) character set utf8mb4)']);
      await ask(['insert into t values (1, 2, ?), (2, null, null)', 'ä']);
      return { connection, ask };
    };

    test('are right after their columns have become others', async () => {
      const { ask } = await start();
      const all: Statement = ['select * from t where id >= ? order by id', 0];
      const one: Statement = ['select b from t where id = ?', 1];
      const again = async () => {
        const [first, second] = [await ask(all, one), await ask(all, one)];
        expect(second).toEqual(first);
        return first;
      };
      const letter = [['ä']];
      expect(await again()).toEqual([[[1, 2, 'ä'], [2, null, null]], letter]); // biome-ignore format: a row each
      await ask(['alter table t modify a varchar(5)']);
      expect(await again()).toEqual([[[1, '2', 'ä'], [2, null, null]], letter]); // biome-ignore format: a row each
      await ask(['alter table t modify a bigint unsigned, add c datetime']);
      await ask(['update t set a = ?, c = ? where id = 1', '18446744073709551615', '2026-02-28 12:00:00']);
      const large = '18446744073709551615';
      expect(await again()).toEqual([[[1, large, 'ä', '2026-02-28 12:00:00'], [2, null, null, null]], letter]); // biome-ignore format: a row each
      await ask(['alter table t drop a, drop c, modify b varbinary(9)']);
      expect(await again()).toEqual([[[1, Buffer.from('ä')], [2, null]], [[Buffer.from('ä')]]]); // biome-ignore format: a row each
      await ask(['alter table t modify b varchar(9) character set latin1']);
      await ask(['update t set b = ? where id = 1', 'ü']);
      expect(await again()).toEqual([[[1, 'ü'], [2, null]], [['ü']]]); // biome-ignore format: a row each
    });

    test('are answered with their columns once, where the server can leave them out', async () => {
      const { connection, ask } = await start();
      const one: Statement = ['select id as a_column_with_a_long_name, a, b from t where id = ?', 1];
      const { stream } = connection as unknown as { readonly stream: { readonly bytesRead: number } };
      const bytesOf = async (): Promise<number> => {
        const before = stream.bytesRead;
        expect(await ask(one)).toEqual([[[1, 2, 'ä']]]);
        return stream.bytesRead - before;
      };
      const [first, second] = [await bytesOf(), await bytesOf()];
      expect(second).toBeLessThan(first);
      if (columnCaches.has(connection)) expect(second).toBeLessThan(60);
      else expect(second).toBeGreaterThan(150);
    });

    test('answer each for itself where one of them fails', async () => {
      const { ask } = await start();
      const insert = (id: number): Statement => ['insert into t values (?, ?, null)', id, id];
      const count: Statement = ['select count(*) from t where id > ?', 0];
      const taken = { errno: 1062 };
      const done = expect.objectContaining({ affectedRows: 1 });
      expect(await ask(insert(3), insert(1), count)).toEqual([done, taken, [[3]]]);
      expect(await ask(insert(4), insert(4), count, insert(1), count)).toEqual([done, taken, [[4]], taken, [[4]]]);
      const several: Statement = ['select (select id from t where id > ?), 1', 0];
      for (const _again of [1, 2]) expect(await ask(several, count)).toEqual([{ errno: 1242 }, [[4]]]);
      const late: Statement = [
        'select id, (select id from t i where i.id >= t.id) from t where id >= ? order by id',
        4,
      ];
      expect(await ask(late, late)).toEqual([[[4, 4]], [[4, 4]]]);
      expect(await ask([late[0], 3], count)).toEqual([{ errno: 1242 }, [[4]]]);
    });

    test('are right past the bound of the statements that a connection keeps', async () => {
      const { ask } = await start();
      const numbers = Array.from({ length: keptStatements * 2 + 1 }, (_value, n) => n);
      const statements = numbers.map((n): Statement => [`select a, ${n} from t where id = ?`, 1]);
      for (const _again of [1, 2, 3]) expect(await ask(...statements)).toEqual(numbers.map((n) => [[2, n]]));
      for (const some of [statements.slice(0, 5), statements.slice(3, 9)])
        for (const _again of [1, 2]) expect(await ask(...some)).toHaveLength(some.length);
    });

    test('are prepared anew where the server has them no longer', async () => {
      const { connection, ask } = await start();
      const one: Statement = ['select a from t where id = ?', 1];
      for (const _again of [1, 2]) expect(await ask(one)).toEqual([[[2]]]);
      await new Promise<void>((resolve) => {
        connection.prepare(one[0], (_error, statement) => {
          statement.close();
          resolve();
        });
      });
      expect(await ask(one)).toEqual([{ errno: 1243 }]);
      expect(await ask(one, one)).toEqual([[[2]], [[2]]]);
    });

    test('fail all where the connection is lost', async () => {
      const { connection, ask } = await start();
      const one: Statement = ['select a, sleep(?) from t where id = 1', 0];
      for (const _again of [1, 2]) expect(await ask(one)).toEqual([[[2, 0]]]);
      const answers = ask([one[0], 1], one, one);
      const lost = once(connection, 'error');
      const { stream } = connection as unknown as { readonly stream: { destroy(): void } };
      setTimeout(() => stream.destroy(), 100);
      await lost;
      const none = { errno: undefined };
      expect(await answers).toEqual([none, none, none]);
      expect(await ask(one)).toEqual([none]);
    });
  });
});
