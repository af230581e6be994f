// Tables → statements that make them, for each database.
import { type ColumnType, columnSql } from './columns.ts';
import { sequenceTable } from './sequence.ts';
import type { Database, DialectName } from './session.ts';
import type { Column, ForeignKey, Index, Table } from './tables.ts';

export interface Target {
  readonly dialect: DialectName;
  /** The exact collation of a MySQL-compatible server. */
  readonly collation: string;
}

/** What DDL must know of an open database. */
export const ddlTarget = ({ dialect, isMariaDb }: Database): Target => ({
  dialect,
  collation: isMariaDb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin',
});

/** Names come from descriptors, whose checks leave letters, digits and underscores. */
export const quoted = (name: string, dialect: DialectName): string =>
  dialect === 'sqlite' ? `"${name}"` : `\`${name}\``;

const quotedList = (names: readonly string[], dialect: DialectName): string =>
  names.map((name) => quoted(name, dialect)).join(', ');

/**
 * Makes tables with their keys and indexes. A foreign key to a table that comes later (two groups may refer to each
 * other) follows when all are there; SQLite asks for a table only when it is used.
 * @param existing names of the tables that are there already.
 */
export function createTables(tables: readonly Table[], existing: Iterable<string>, target: Target): string[] {
  const made = new Set(existing);
  const later: string[] = [];
  const statements = tables.flatMap((table) => {
    made.add(table.name);
    const isNow = (key: ForeignKey): boolean => target.dialect === 'sqlite' || made.has(key.target);
    for (const key of table.foreignKeys) {
      if (!isNow(key))
        later.push(`alter table ${quoted(table.name, target.dialect)} add ${foreignKeySql(key, target.dialect)}`);
    }
    return createTable({ ...table, foreignKeys: table.foreignKeys.filter(isNow) }, target);
  });
  return [...statements, ...later];
}

/** `constraint … foreign key …`, as a table or an `alter table` has it. */
export const foreignKeySql = (key: ForeignKey, dialect: DialectName): string =>
  `constraint ${quoted(key.name, dialect)} foreign key (${quoted(key.column, dialect)}) references ${quoted(key.target, dialect)} (${quoted('id', dialect)})`;

/** A column's line in `create table` or `add column`: its name, type and whether it takes null. */
export const columnLine = ({ name, type, nullable }: Column, { dialect, collation }: Target): string =>
  `${quoted(name, dialect)} ${columnSql(type, dialect, collation)}${nullable ? '' : ' not null'}`;

/** One table: with all its indexes, which are statements of their own on SQLite. */
export function createTable(table: Table, target: Target): string[] {
  const { dialect } = target;
  const parts = [
    ...table.columns.map((column) => columnLine(column, target)),
    `primary key (${quotedList(table.primaryKey, dialect)})`,
    ...(dialect === 'mysql' ? table.indexes.map((index) => indexLine(index, dialect)) : []),
    ...table.foreignKeys.map((key) => foreignKeySql(key, dialect)),
  ];
  const end =
    dialect === 'sqlite'
      ? 'strict'
      : `engine=InnoDB row_format=dynamic default character set utf8mb4 collate ${target.collation}`;
  const create = `create table if not exists ${quoted(table.name, dialect)} (\n  ${parts.join(',\n  ')}\n) ${end}`;
  return dialect === 'sqlite' ? [create, ...table.indexes.map((index) => createIndex(table.name, index))] : [create];
}

/** An index as `create table` and `alter table … add` of MySQL have it. */
export const indexLine = (index: Index, dialect: DialectName): string =>
  `${index.unique ? 'unique ' : ''}key ${quoted(index.name, dialect)} (${quotedList(index.columns, dialect)})`;

/** An index of SQLite. */
export const createIndex = (table: string, index: Index): string =>
  `create ${index.unique ? 'unique ' : ''}index if not exists ${quoted(index.name, 'sqlite')} on ${quoted(table, 'sqlite')} (${quotedList(index.columns, 'sqlite')})`;

const word = (length: number): ColumnType => ({ kind: 'word', length });

/** The service's own tables: numbers given out, and groups whose first records have been made. */
export const serviceTables: readonly Table[] = [
  {
    name: sequenceTable,
    group: '',
    columns: [
      { name: 'name', type: word(191), nullable: false },
      { name: 'value', type: { kind: 'integer' }, nullable: false },
    ],
    primaryKey: ['name'],
    indexes: [],
    foreignKeys: [],
  },
  {
    name: 'praxis_setup',
    group: '',
    columns: [
      { name: 'name', type: word(191), nullable: false },
      { name: 'done_at', type: { kind: 'dateTime' }, nullable: false },
    ],
    primaryKey: ['name'],
    indexes: [],
    foreignKeys: [],
  },
];

/** Whether a database has a table. */
export async function hasTable(database: Database, name: string): Promise<boolean> {
  const catalogue =
    database.dialect === 'sqlite'
      ? "select 1 from sqlite_schema where type = 'table' and name = ?"
      : 'select 1 from information_schema.tables where table_schema = database() and table_name = ?';
  return (await database.all(catalogue, [name])).length > 0;
}
