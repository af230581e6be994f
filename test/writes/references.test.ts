// A reference that leads nowhere is refused by the database itself, whatever else is null in its row.
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Value } from '../../src/registry/model/model.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { faultOf } from '../../src/storage/errors.ts';
import type { Bound } from '../../src/storage/schema/cells.ts';
import type { ColumnType } from '../../src/storage/schema/column-types.ts';
import { encode } from '../../src/storage/schema/columns.ts';
import type { Dialect } from '../../src/storage/schema/dialect.ts';
import type { Session } from '../../src/storage/schema/session.ts';
import { type Table, tablesOf } from '../../src/storage/schema/tables.ts';
import { createTables } from '../../src/storage/statements/ddl.ts';
import { databases } from '../support/databases/databases.ts';
import { caught } from '../support/databases/grounds.ts';
import { type Folder, folders, registryOf } from '../support/service/praxis.ts';

/** The one record that each group has. */
const there = randomUUID();

function anyOf(type: ColumnType): NonNullable<Value> {
  switch (type.kind) {
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'decimal':
      return '0';
    case 'date':
      return '2026-01-01';
    case 'dateTime':
      return '2026-01-01T00:00:00.000Z';
    case 'json':
      return [];
    default:
      return '';
  }
}

/** Inserts the row of a table: null is what may be, and references lead to the record that each group has. */
const insert = (session: Session, table: Table, dialect: Dialect): Promise<number> => {
  const ids = new Set(['id', ...table.foreignKeys.map(({ column }) => column)]);
  const cells = table.columns.map(({ name, type, nullable }): Bound => {
    if (nullable) return null;
    return ids.has(name) ? there : encode(anyOf(type), type, dialect);
  });
  const names = table.columns.map(({ name }) => dialect.quote(name)).join(', ');
  const marks = cells.map(() => '?').join(', ');
  return session.run(`insert into ${dialect.quote(table.name)} (${names}) values (${marks})`, cells);
};

describe.each(databases)('references on $name', ({ isThere, open }) => {
  test.skipIf(!isThere).each(Object.keys(folders) as Folder[])(
    'are refused where they lead nowhere, in every table of %s',
    { timeout: 300_000 },
    async (folder) => {
      const made = await open('praxis_references');
      const database = await openDatabase(made.url);
      onTestFinished(async () => {
        await database.close();
        await made.drop();
      }, 60_000);
      const { dialect } = database;
      const tables = tablesOf(registryOf(folder));
      await database.script(createTables(tables, [], dialect));
      // While references are not looked at.
      await database.restructure(async (session) => {
        for (const table of tables) await insert(session, table, dialect);
      });
      const taken: string[] = [];
      for (const table of tables)
        for (const { column } of table.foreignKeys) {
          const sql = `update ${dialect.quote(table.name)} set ${dialect.quote(column)} = ?`;
          const error = await caught(
            database.transact(async (session) => {
              await session.run(sql, [randomUUID()]);
              throw new Error('It was taken.');
            }),
          );
          if (!faultOf(error).kind.startsWith('foreignKey')) taken.push(`${table.name}.${column}: ${String(error)}`);
        }
      expect(taken).toEqual([]);
    },
  );
});
