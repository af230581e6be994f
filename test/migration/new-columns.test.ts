// A new column with a value for the rows that are there: no server copies the table for it.
import { expect, onTestFinished, test } from 'vitest';
import { mysqlEditor } from '../../src/migration/editors/mysql-editor.ts';
import type { SchemaColumn } from '../../src/migration/plan/schema.ts';
import type { FillValue, Step } from '../../src/migration/plan/steps.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { describeOnServers } from '../support/databases/databases.ts';

const columns: readonly (readonly [column: SchemaColumn, fill: FillValue, cell: unknown])[] = [
  [{ name: 'short', type: 'text(40)' }, "it's \\ here", "it's \\ here"],
  [{ name: 'long', type: 'text(5000)' }, "it's \\ here", "it's \\ here"],
  [{ name: 'huge', type: 'text(50000)' }, '', ''],
  [{ name: 'maybe', type: 'text(5000)', nullable: true }, 'so', 'so'],
  [{ name: 'list', type: 'json' }, '[]', '[]'],
  [{ name: 'folded', type: 'folded(40)', madeFrom: 'short' }, '', ''],
  [{ name: 'word', type: 'word(10)' }, 'new', 'new'],
  [{ name: 'whole', type: 'integer' }, 7, 7],
  [{ name: 'exact', type: 'decimal(10,2)' }, '1.5', '1.50'],
  [{ name: 'yes', type: 'boolean' }, true, 1],
  [{ name: 'day', type: 'date' }, '2026-01-02', '2026-01-02'],
];

describeOnServers('a new column with a value', ({ open }) => {
  test('is made at once, for rows that are there and for those of a service that does not know it', async () => {
    const made = await open('praxis_columns');
    const database = await openDatabase(made.url);
    onTestFinished(async () => {
      await database.close();
      await made.drop();
    });
    const { dialect } = database;
    await database.script(['create table t (id int primary key)', 'insert into t values (1), (2)']);
    for (const [column, fill, cell] of columns) {
      const step: Step = { do: 'addColumn', table: 't', column, fill };
      const statements = mysqlEditor.statements(step, { tables: [] }, { dialect });
      await database.restructure(async (session) => {
        for (const { sql, forms } of statements) {
          const [best] = forms;
          expect(best?.name ?? 'instant', sql).toBe('instant');
          await session.run(best === undefined ? sql : best.of(sql), []);
        }
        await session.run('insert into t (id) values (3)', []);
        const cells = await session.all(`select ${dialect.quote(column.name)} from t order by id`, []);
        await session.run('delete from t where id = 3', []);
        expect(cells.map(([found]) => (found instanceof Uint8Array ? Buffer.from(found).toString() : found))).toEqual([
          cell,
          cell,
          cell,
        ]);
      });
    }
  });
});
