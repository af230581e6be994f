// Large transactions of the embedded database: what they have changed is not left to the one turn of their commit.
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Session } from '../../src/storage/schema/session.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';

const rows = 20_000;
const rowBytes = 500;

async function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'praxis-large-'));
  const path = join(folder, 'with space?#', 'x.sqlite');
  const database = await openSqlite(path);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= database.close();
    return closed;
  };
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });
  await database.run('create table leaf (id integer primary key, name text not null) strict', []);
  const insert = async (session: Session): Promise<void> => {
    for (let id = 0; id < rows; id += 1)
      await session.run('insert into leaf (name) values (?)', ['x'.repeat(rowBytes)]);
  };
  const settings = () =>
    database.transact(async ({ all }) => [
      await all('pragma wal_autocheckpoint', []),
      await all('pragma cache_size', []),
    ]);
  return { database, path, insert, settings, close };
}
const usual = [[[1000]], [[-32_768]]];
const size = (path: string): number => statSync(path).size;

test('go to the log while they run, and into the file beside what comes next', async () => {
  const { database, path, insert, settings } = await opened();
  const before = size(path);
  const ahead = await database.transact(async (session) => {
    await insert(session);
    return size(`${path}-wal`);
  });
  expect(ahead).toBeGreaterThan((rows * rowBytes) / 2);
  await expect.poll(() => size(path), { timeout: 10_000 }).toBeGreaterThan(before + rows * rowBytes);
  await expect.poll(settings, { timeout: 10_000 }).toEqual(usual);
});

test('leave nothing when they are taken back', async () => {
  const { database, insert, settings } = await opened();
  const failing = database.transact(async (session) => {
    await insert(session);
    throw new Error('not now');
  });
  await expect(failing).rejects.toThrow('not now');
  expect(await database.all('select count(*) from leaf', [])).toEqual([[0]]);
  await expect.poll(settings, { timeout: 10_000 }).toEqual(usual);
});

test('make no file where there is none any more', async () => {
  const { database, path, insert, close } = await opened();
  await database.transact(async (session) => {
    await insert(session);
    renameSync(path, `${path}.old`);
  });
  await close();
  expect(existsSync(path), readdirSync(join(path, '..')).join()).toBe(false);
});
