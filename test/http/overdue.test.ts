// Work that is over its time: nothing of it is done, and its caller is told so.
import { expect, onTestFinished, test } from 'vitest';
import { problems } from '../../src/problems.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts';
import { onEachDatabase } from '../support/service/seen.ts';
import { serveOn } from '../support/service/serve-on.ts';

onEachDatabase('work that is over its time', (open) => {
  const operations = Array.from({ length: 1000 }, (_value, n) => ({
    method: 'POST',
    path: '/genres',
    body: { name: `Late ${n}` },
  }));

  test('leaves nothing of a batch', async () => {
    const { url, close } = await open();
    onTestFinished(close);
    const ask = await serveOn(await openDatabase(url));
    // A thousand take longer than this on any machine.
    const askInHaste = await serveOn(await openDatabase(url), { workTimeoutMs: 5 });
    const { status, text } = await askInHaste('POST', '/batch', { operations });
    expect([status, text]).toEqual([
      503,
      '{"status":503,"message":"The service took too long, and nothing was done."}',
    ]);
    expect((await ask('GET', '/genres?limit=100')).text).not.toContain('Late');
    expect((await ask('POST', '/genres', { name: 'In time' })).status).toBe(200);
  });

  test('is not begun, whatever kind of write it is', async () => {
    const { url, close } = await open();
    onTestFinished(close);
    const database = await openDatabase(url);
    onTestFinished(() => database.close());
    await database.run('create table leaf (id integer primary key)', []);
    const statement = { sql: 'insert into leaf values (1)', values: [] };
    const units = createUnitOfWork(database, { deadlineMs: 1000 });
    for (const [until, count] of [
      [performance.now() - 1, 0],
      [performance.now() + 60_000, 1],
    ] as const)
      for (const write of [
        (unit: UnitOfWork) => unit.write(statement.sql, []),
        (unit: UnitOfWork) => unit.transact((session) => session.run(statement.sql, [])),
        (unit: UnitOfWork) => unit.direct.together?.({ write: statement, reads: [] }),
      ]) {
        const done = units.attend('write', { since: 0, until, isDisconnected: () => false }, async (unit) =>
          write(unit),
        );
        if (count === 0) await expect(done).rejects.toThrow(problems.overdue().message);
        else await done;
        expect(await database.run('delete from leaf', [])).toBe(count);
      }
  });
});
