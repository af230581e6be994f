// Tables to DDL, for each dialect.

import type { ColumnType } from '../schema/column-types.ts';
import { columnSql } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Database } from '../schema/session.ts';
import type { Column, ForeignKey, Index, Table } from '../schema/tables.ts';
import { sequenceTable } from '../schema/tables.ts';

const quotedList = (names: readonly string[], { quote }: Dialect): string => names.map(quote).join(', ');

/**
 * Makes tables with their keys and indexes. A foreign key to a table that comes later (two groups may refer to each
 * other) follows when all are there, unless the engine asks for that table only when the key is used.
 * @param existing names of the tables that are there already.
 */
export function createTables(tables: readonly Table[], existing: Iterable<string>, dialect: Dialect): string[] {
  const made = new Set(existing);
  const later: string[] = [];
  const statements = tables.flatMap((table) => {
    made.add(table.name);
    const isNow = (key: ForeignKey): boolean => !dialect.keysNeedTarget || made.has(key.target);
    for (const key of table.foreignKeys) {
      if (!isNow(key)) later.push(`alter table ${dialect.quote(table.name)} add ${foreignKeySql(key, dialect)}`);
    }
    return createTable({ ...table, foreignKeys: table.foreignKeys.filter(isNow) }, dialect);
  });
  return [...statements, ...later];
}

/** `constraint … foreign key …`, as a table or an `alter table` has it. */
export const foreignKeySql = ({ name, column, target }: ForeignKey, { quote }: Dialect): string =>
  `constraint ${quote(name)} foreign key (${quote(column)}) references ${quote(target)} (${quote('id')})`;

/** A column's line in `create table` or `add column`: its name, type and whether it takes null. */
export const columnLine = ({ name, type, nullable }: Column, dialect: Dialect): string =>
  `${dialect.quote(name)} ${columnSql(type, dialect)}${nullable ? '' : ' not null'}`;

/** A column more in a table that is there. */
export const addColumn = (table: string, column: Column, dialect: Dialect): string =>
  `alter table ${dialect.quote(table)} add column ${columnLine(column, dialect)}`;

/** One table: with all its indexes, which some engines take as statements of their own. */
export function createTable(table: Table, dialect: Dialect): string[] {
  const parts = [
    ...table.columns.map((column) => columnLine(column, dialect)),
    `primary key (${quotedList(table.primaryKey, dialect)})`,
    ...(dialect.indexesWithTable ? table.indexes.map((index) => indexLine(index, dialect)) : []),
    ...table.foreignKeys.map((key) => foreignKeySql(key, dialect)),
  ];
  const create = `create table if not exists ${dialect.quote(table.name)} (\n  ${parts.join(',\n  ')}\n) ${dialect.tableOptions}`;
  return dialect.indexesWithTable
    ? [create]
    : [create, ...table.indexes.map((index) => createIndex(table.name, index, dialect))];
}

/** An index as a part of `create table` and `alter table … add`. */
export const indexLine = (index: Index, dialect: Dialect): string =>
  `${index.unique ? 'unique ' : ''}key ${dialect.quote(index.name)} (${quotedList(index.columns, dialect)})`;

/** An index as a statement of its own. */
export const createIndex = (table: string, index: Index, dialect: Dialect): string =>
  `create ${index.unique ? 'unique ' : ''}index if not exists ${dialect.quote(index.name)} on ${dialect.quote(table)} (${quotedList(index.columns, dialect)})`;

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

/** Which tables a database has of these names. */
export async function tablesAmong(database: Database, names: readonly string[]): Promise<string[]> {
  return (await database.all(database.dialect.tablesAmong(names), [])).map(([name]) => String(name));
}

/** Whether a database has a table. */
export const hasTable = async (database: Database, name: string): Promise<boolean> =>
  (await tablesAmong(database, [name])).length > 0;
