// Copies of an embedded database, without the command that makes them (`backup.test.ts`).
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { backUpSqlite } from '../../src/storage/sqlite/backup.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
/** A database with these tables, and two rows in the first. */
function make(name: string, tables = ['praxis_schema', 'praxis_state', 'praxis_token']): string {
  const database = new DatabaseSync(at(name));
  database.exec('pragma journal_mode = wal');
  for (const table of tables) database.exec(`create table ${table} (n integer primary key) strict`);
  database.exec(`insert into ${tables[0]} values (1), (2)`);
  // Open until the test has ended: what it holds is in its log yet.
  onTestFinished(() => database.close());
  return at(name);
}
const rowsIn = (file: string): unknown => {
  const database = new DatabaseSync(file, { readOnly: true });
  const found = database.prepare('select count(*) as n from praxis_schema').get();
  database.close();
  return found?.['n'];
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'praxis-copies-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

test('a copy is one file, for its owner alone, with all that was committed', async () => {
  const bytes = await backUpSqlite(make('x.sqlite'), at('copy'));
  const { size, mode } = statSync(at('copy'));
  expect([bytes, (mode & 0o777).toString(8), rowsIn(at('copy'))]).toEqual([size, '600', 2]);
  expect(readdirSync(folder).filter((name) => !name.startsWith('x.sqlite'))).toEqual(['copy']);
});

test('a file that is there stays as it is, also where it comes meanwhile', async () => {
  const path = make('x.sqlite');
  const fault = `${at('copy')} already exists; nothing was written.`;
  const meanwhile = backUpSqlite(path, at('copy'));
  writeFileSync(at('copy'), 'another');
  await expect(meanwhile).rejects.toThrow(fault);
  await expect(backUpSqlite(path, at('copy'))).rejects.toThrow(fault);
  expect(readFileSync(at('copy'), 'utf8')).toBe('another');
  expect(readdirSync(folder).filter((name) => !name.startsWith('x.sqlite'))).toEqual(['copy']);
});

test('what is no workspace is not copied, and nothing is left', async () => {
  const other = make('other.sqlite', ['t']);
  await expect(backUpSqlite(other, at('copy'))).rejects.toThrow(
    `There is no workspace in '${other}'; set DATABASE_URL.`,
  );
  await expect(backUpSqlite(at('none'), at('copy'))).rejects.toThrow(
    `There is no database '${at('none')}'; set DATABASE_URL.`,
  );
  const nowhere = join(at('no'), 'copy');
  await expect(backUpSqlite(other, nowhere)).rejects.toThrow(`Cannot back up '${other}' to '${nowhere}': ENOENT`);
  expect(readdirSync(folder).filter((name) => !name.startsWith('other.sqlite'))).toEqual([]);
});

test('a copy in which a record refers to nothing is none', async () => {
  const path = make('x.sqlite');
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec(
    'create table item (owner integer references praxis_schema (n)) strict; insert into item values (1), (9)',
  );
  database.close();
  await expect(backUpSqlite(path, at('copy'))).rejects.toThrow(
    `The database '${path}' is damaged: a record of item refers to one of praxis_schema that is not there.`,
  );
  expect(readdirSync(folder).filter((name) => !name.startsWith('x.sqlite'))).toEqual([]);
});
