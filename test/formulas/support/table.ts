// A table of rentals, in a database of its own: formulas over one row, asked of an engine.

import { sql } from 'kysely';
import type { Tree } from '../../../src/formulas/language/tree.ts';
import { scalarKindOf, scalarRow } from '../../../src/registry/model/kinds.ts';
import type { Value, Values } from '../../../src/registry/model/model.ts';
import { formulaSql } from '../../../src/storage/formulas/formula-sql.ts';
import type { ColumnsOf } from '../../../src/storage/formulas/parts.ts';
import type { ColumnType } from '../../../src/storage/schema/column-types.ts';
import { columnTypeOf, decode, encode, isHeld, isReadAsText } from '../../../src/storage/schema/columns.ts';
import { compile } from '../../../src/storage/schema/compiler.ts';
import type { Database } from '../../../src/storage/schema/session.ts';
import { words } from '../../../src/storage/schema/sql.ts';
import { createTable } from '../../../src/storage/statements/ddl.ts';
import { plainFields } from './descriptors.ts';

const columns: ReadonlyMap<string, ColumnType> = new Map(
  Object.entries(plainFields).map(([key, raw]) => {
    const kind = scalarKindOf(raw);
    if (kind === undefined) throw new Error(`${key} is no plain value`);
    return [key, columnTypeOf(scalarRow(kind).of(raw))];
  }),
);

/** As what formulas of these types are read; of a number that is always null nothing is known. */
const columnKinds: Readonly<Record<string, ColumnType['kind']>> = {
  bool: 'boolean',
  date: 'date',
  instant: 'dateTime',
};

const columnsOf: ColumnsOf = (key) => {
  const type = columns.get(key);
  return type && { sql: sql.ref(`t.${key}`), type };
};

/** A number as text, as formulas give them; all else as it is read. */
const asGiven = (value: Value): unknown => (typeof value === 'number' ? String(value) : value);

export class RentalTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async make(): Promise<void> {
    const table = {
      name: 'rental',
      group: 'rental',
      columns: [
        { name: 'place', type: { kind: 'integer' }, nullable: false },
        ...[...columns].map(([name, type]) => ({ name, type, nullable: true })),
      ],
      primaryKey: ['place'],
      indexes: [],
      foreignKeys: [],
    } as const;
    await this.#database.script(createTable(table, this.#database.dialect));
  }

  /** Stores rows by their places. */
  async insert(rows: readonly Readonly<Values>[]): Promise<void> {
    const { dialect } = this.#database;
    const names = ['place', ...columns.keys()].map(dialect.quote);
    const text = `insert into ${dialect.quote('rental')} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
    await this.#database.transact(async (session) => {
      for (const [place, row] of rows.entries())
        await session.run(text, [place, ...[...columns].map(([key, type]) => encode(row[key], type, dialect))]);
    });
  }

  /** What a formula gives of each row, or of that at one place; undefined where SQL cannot say it. */
  async answers(tree: Tree, place?: number): Promise<unknown[] | undefined> {
    const { dialect } = this.#database;
    const said = formulaSql(tree, columnsOf, dialect);
    if (said === undefined) return undefined;
    if (said.type.kind !== (columnKinds[tree.type.kind] ?? said.type.kind))
      throw new Error(`${tree.type.kind} is read as ${said.type.kind}`);
    const cell = isReadAsText(said.type, dialect) ? sql`cast(${said.sql} as text)` : said.sql;
    const where = place === undefined ? words('') : words(`where t.place = ${place}`);
    const statement = compile(sql`select ${cell} from ${sql.table('rental')} as t ${where} order by t.place`, dialect);
    const rows = await this.#database.all(statement.sql, []);
    return rows.map(([found]) => {
      const given = asGiven(decode(found, said.type, dialect));
      // What is said of the digits of a number is what a server keeps of it.
      if (typeof given === 'string' && !isHeld(given.replace(/^(-?)0\./, '$1.'), said.type))
        throw new Error(`${given} has more digits than ${JSON.stringify(said.type)}`);
      return given;
    });
  }
}
