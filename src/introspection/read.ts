// Reads the tables of a foreign database as plain data. Writes nothing.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationFault } from '../configuration-fault.ts';
import { fileOf, openDatabase } from '../storage/database.ts';
import type { Bound, Row } from '../storage/schema/cells.ts';
import type { DialectName } from '../storage/schema/dialect.ts';

export interface ForeignColumn {
  readonly name: string;
  /** As the database writes it, in lower case: `varchar(255)`, `enum('a','b')`, `decimal(10,2) unsigned`. */
  readonly type: string;
  readonly nullable: boolean;
  /** The literal that stands for a missing value, as the database writes it. */
  readonly default: string | undefined;
  readonly comment: string;
}

export interface ForeignReference {
  readonly columns: readonly string[];
  readonly target: string;
  readonly onDelete: 'restrict' | 'cascade' | 'clear';
}

export interface ForeignTable {
  readonly name: string;
  readonly columns: readonly ForeignColumn[];
  readonly primaryKey: readonly string[];
  readonly unique: readonly (readonly string[])[];
  /** Columns that an index begins with. */
  readonly indexed: ReadonlySet<string>;
  readonly references: readonly ForeignReference[];
}

type Read = (sql: string, values: readonly Bound[]) => Promise<readonly Row[]>;

/**
 * Every table of a database but the service's own, by name.
 * @throws ConfigurationFault when there is no such database
 */
export async function readTables(url: string): Promise<ForeignTable[]> {
  const path = fileOf(url);
  if (path === undefined) {
    const database = await openDatabase(url);
    try {
      return await readers[database.dialect.name]((sql, values) => database.all(sql, values));
    } finally {
      await database.close();
    }
  }
  if (!existsSync(path)) throw new ConfigurationFault(`There is no file ${path}.`);
  let file: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(path, { readOnly: true, returnArrays: true });
    file = opened;
    return await readers.sqlite(async (sql, values) => opened.prepare(sql).all(...values) as unknown as Row[]);
  } catch (error) {
    throw new ConfigurationFault(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, error);
  } finally {
    file?.close();
  }
}

const actions: Readonly<Record<string, ForeignReference['onDelete']>> = { CASCADE: 'cascade', 'SET NULL': 'clear' };
const actionOf = (rule: unknown): ForeignReference['onDelete'] => actions[String(rule)] ?? 'restrict';

const text = (value: unknown): string => (value instanceof Uint8Array ? Buffer.from(value).toString() : String(value));
const isOwn = (table: string): boolean => table.startsWith('praxis_') || table.startsWith('sqlite_');

async function readSqlite(read: Read): Promise<ForeignTable[]> {
  const names = await read(`select name from sqlite_master where type = 'table' order by name`, []);
  const tables: ForeignTable[] = [];
  for (const name of names.map(([value]) => text(value)).filter((value) => !isOwn(value))) {
    const columns = await read('select name, type, "notnull", dflt_value, pk from pragma_table_info(?)', [name]);
    const indexes = await read(
      `select l.name, l."unique", i.name from pragma_index_list(?) as l join pragma_index_info(l.name) as i
       where l.partial = 0 order by l.seq, i.seqno`,
      [name],
    );
    const keys = await read(
      'select id, "from", "table", on_delete from pragma_foreign_key_list(?) order by id desc, seq',
      [name],
    );
    const inKey = columns.filter(([, , , , place]) => Number(place) > 0).sort((a, b) => Number(a[4]) - Number(b[4]));
    tables.push({
      name,
      columns: columns.map(([column, type, isNeeded, literal, place]) => ({
        name: text(column),
        type: text(type).toLowerCase(),
        nullable: Number(isNeeded) === 0 && Number(place) === 0,
        default: literal === null ? undefined : text(literal),
        comment: '',
      })),
      primaryKey: inKey.map(([column]) => text(column)),
      ...indexesOf(indexes),
      references: referencesOf(keys),
    });
  }
  return tables;
}

async function readMysql(read: Read): Promise<ForeignTable[]> {
  const columns = await read(
    `select c.table_name, c.column_name, c.column_type, c.is_nullable = 'YES', c.column_default, c.column_comment
     from information_schema.columns as c join information_schema.tables as t
       on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
     where c.table_schema = database() order by c.table_name, c.ordinal_position`,
    [],
  );
  const indexes = await read(
    `select table_name, index_name, non_unique = 0, column_name from information_schema.statistics
     where table_schema = database() order by table_name, index_name, seq_in_index`,
    [],
  );
  const keys = await read(
    `select k.table_name, k.constraint_name, k.column_name, k.referenced_table_name, r.delete_rule
     from information_schema.key_column_usage as k join information_schema.referential_constraints as r
       on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
     where k.table_schema = database() order by k.table_name, k.constraint_name, k.ordinal_position`,
    [],
  );
  const of = (rows: readonly Row[], table: string): Row[] =>
    rows.filter(([name]) => text(name) === table).map((row) => row.slice(1));
  const names = [...new Set(columns.map(([name]) => text(name)))].filter((name) => !isOwn(name));
  return names.map((name) => {
    const inTable = of(indexes, name);
    return {
      name,
      columns: of(columns, name).map(([column, type, nullable, literal, comment]) => ({
        name: text(column),
        type: text(type).toLowerCase(),
        nullable: Number(nullable) === 1,
        default: literal === null || text(literal) === 'NULL' ? undefined : text(literal),
        comment: text(comment ?? ''),
      })),
      primaryKey: inTable.filter(([index]) => text(index) === 'PRIMARY').map(([, , column]) => text(column)),
      ...indexesOf(inTable.filter(([index]) => text(index) !== 'PRIMARY')),
      references: referencesOf(of(keys, name)),
    };
  });
}

const readers: Readonly<Record<DialectName, (read: Read) => Promise<ForeignTable[]>>> = {
  sqlite: readSqlite,
  mysql: readMysql,
};

/** Rows of [index, is unique, column]. */
function indexesOf(rows: readonly Row[]): Pick<ForeignTable, 'unique' | 'indexed'> {
  const byIndex = [...Map.groupBy(rows, ([index]) => text(index)).values()];
  return {
    unique: byIndex
      .filter(([first]) => Number(first?.[1]) === 1)
      .map((columns) => columns.map(([, , column]) => text(column))),
    indexed: new Set(byIndex.map(([first]) => text(first?.[2] ?? ''))),
  };
}

/** Rows of [constraint, column, target, delete rule]. */
function referencesOf(rows: readonly Row[]): ForeignReference[] {
  return [...Map.groupBy(rows, ([key]) => text(key)).values()].map((columns) => ({
    columns: columns.map(([, column]) => text(column)),
    target: text(columns[0]?.[2] ?? ''),
    onDelete: actionOf(columns[0]?.[3]),
  }));
}
