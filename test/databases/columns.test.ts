// The columns that tables are made of, and how many statements lists of ids need.
import { expect, test } from 'vitest';
import { mariaDbDialect, mysqlDialect } from '../../src/storage/mysql/dialect.ts';
import { foreignKeyName, listIndexOf, tablesOf } from '../../src/storage/schema/tables.ts';
import { paddedCount } from '../../src/storage/statements/query.ts';
import { registryOf } from '../support/service/praxis.ts';

test.each([
  [1, 'varchar(1)'],
  [255, 'varchar(255)'],
  [256, 'text'],
  // Four bytes a character: 65,532 of the 65,535 that a text takes.
  [16_383, 'text'],
  [16_384, 'mediumtext'],
])('a text of %i characters at most is %s on MySQL and MariaDB', (length, type) => {
  for (const [dialect, collation] of [
    [mysqlDialect, 'utf8mb4_0900_bin'],
    [mariaDbDialect, 'utf8mb4_nopad_bin'],
  ] as const)
    expect(dialect.columns.text.sqlType({ kind: 'text', length })).toBe(
      `${type} character set utf8mb4 collate ${collation}`,
    );
});

test('an object always says whether it is there; what is in it may be null', () => {
  const bill = tablesOf(registryOf('rules')).find(({ name }) => name === 'bill');
  const columns = bill?.columns.filter(({ name }) => name.startsWith('budget')) ?? [];
  expect(columns.map(({ name, nullable }) => [name, nullable])).toEqual([
    ['budget', false],
    ['budget_small', true],
    ['budget_large', true],
    ['budget_things', true],
  ]);
});

test.each([
  [1, 1],
  [16, 16],
  [17, 20],
  [90, 90],
  [91, 100],
  [100, 100],
  [101, 200],
  [1000, 1000],
])('%i ids are asked for as %i, so that few statements serve all numbers', (count, padded) => {
  expect(paddedCount(count)).toBe(padded);
});

test('fields that lists are narrowed by have their values in the order of the list, each by itself', () => {
  const book = registryOf('test').resources.get('book');
  const fields = (book?.fields ?? []).filter(({ stored }) => stored);
  const found = fields.filter((field) => book && listIndexOf(book, field) === `book__${field.column}_list`);
  const narrowing = 'number code statusId moodId notice pages isPaperback isCounted publishedOn boughtOn isbn';
  expect(found.map(({ key }) => key).join(' ')).toBe(`${narrowing} genreId shelfId labelId donorId`);
});

test('names that would be too long for a database are cut, and stay apart', () => {
  const nameOf = (end: string): string => foreignKeyName('t'.repeat(50), `column_with_a_name_of_its_own_${end}`);
  expect(foreignKeyName('t'.repeat(49), 'own_column')).toBe(`${'t'.repeat(49)}__own_column_fk`);
  const names = ['a', 'b', 'ab', 'ba'].map(nameOf);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name.length).toBeLessThanOrEqual(64);
});
