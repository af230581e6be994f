// What is in the tables themselves: all rows, to see that nothing has changed, and the columns that are made from others.

import { readLive } from '../../../src/migration/editors/live.ts';
import { typeOf } from '../../../src/migration/plan/column-type.ts';
import type { Schema } from '../../../src/migration/plan/schema.ts';
import type { Cell } from '../../../src/storage/schema/cells.ts';
import { encode } from '../../../src/storage/schema/columns.ts';
import type { Database } from '../../../src/storage/schema/session.ts';
import { fold, keyHash } from '../../../src/values/fold.ts';

const plain = (cell: Cell | undefined): unknown =>
  cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell;

/** All rows of all tables but the service's own; the columns of each in the order of their names. */
export async function contentsOf(database: Database): Promise<Record<string, unknown>> {
  const live = await readLive(database, database.dialect);
  const contents: Record<string, unknown> = {};
  for (const [table, { columns, primaryKey }] of live) {
    if (/^(?:praxis|sqlite)_/.test(table)) continue;
    const q = (name: string): string => database.dialect.quote(name);
    const names = [...columns.keys()].sort();
    const rows = await database.all(
      `select ${names.map(q).join(', ')} from ${q(table)} order by ${primaryKey.map(q).join(', ')}`,
      [],
    );
    contents[table] = { names, rows: rows.map((row) => row.map((cell) => String(plain(cell)))) };
  }
  return contents;
}

/** Rows whose folded or hashed form is not that of their text. */
export async function strayForms(database: Database, schema: Schema): Promise<readonly string[]> {
  const { dialect } = database;
  const strays: string[] = [];
  for (const table of schema.tables) {
    for (const column of table.columns) {
      if (column.madeFrom === undefined) continue;
      const [from, to] = [column.madeFrom, column.name].map((name) => dialect.quote(name));
      const type = typeOf(column);
      for (const [text, made] of await database.all(`select ${from}, ${to} from ${dialect.quote(table.name)}`, [])) {
        const form =
          text === null
            ? null
            : type.kind === 'key'
              ? keyHash(String(text))
              : encode(fold(String(text)), type, dialect);
        const isSame = form === null ? made === null : String(plain(made)) === String(plain(form as Cell));
        if (!isSame) strays.push(`${table.name}.${column.name} of ${JSON.stringify(text)} is ${String(plain(made))}`);
      }
    }
  }
  return strays;
}
