// Tables → statements that make them, for each database.
import { type ColumnType, columnSql } from './columns.ts';
import { sequenceTable } from './sequence.ts';
import type { Database, DialectName } from './session.ts';
import type { ForeignKey, Index, Table } from './tables.ts';

interface Target {
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
const quoted = (name: string, dialect: DialectName): string => (dialect === 'sqlite' ? `"${name}"` : `\`${name}\``);

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

const foreignKeySql = (key: ForeignKey, dialect: DialectName): string =>
  `constraint ${quoted(key.name, dialect)} foreign key (${quoted(key.column, dialect)}) references ${quoted(key.target, dialect)} (${quoted('id', dialect)})`;

function createTable(table: Table, target: Target): string[] {
  const { dialect } = target;
  const name = (word: string): string => quoted(word, dialect);
  const names = (list: readonly string[]): string => list.map(name).join(', ');
  const parts = [
    ...table.columns.map(
      ({ name: column, type, nullable }) =>
        `${name(column)} ${columnSql(type, dialect, target.collation)}${nullable ? '' : ' not null'}`,
    ),
    `primary key (${names(table.primaryKey)})`,
    ...(dialect === 'mysql'
      ? table.indexes.map(
          (index) => `${index.unique ? 'unique ' : ''}key ${name(index.name)} (${names(index.columns)})`,
        )
      : []),
    ...table.foreignKeys.map((key) => foreignKeySql(key, dialect)),
  ];
  const end =
    dialect === 'sqlite'
      ? 'strict'
      : `engine=InnoDB row_format=dynamic default character set utf8mb4 collate ${target.collation}`;
  const create = `create table if not exists ${name(table.name)} (\n  ${parts.join(',\n  ')}\n) ${end}`;
  return dialect === 'sqlite'
    ? [create, ...table.indexes.map((index) => createIndex(table, index, dialect))]
    : [create];
}

const createIndex = (table: Table, index: Index, dialect: DialectName): string =>
  `create ${index.unique ? 'unique ' : ''}index if not exists ${quoted(index.name, dialect)} on ${quoted(table.name, dialect)} (${index.columns.map((column) => quoted(column, dialect)).join(', ')})`;

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

/** Tables of a database → their columns → whether an insert must bring a value (neither null nor a default). */
export type ExistingTables = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

/** What a database has. */
export async function existingTables(database: Database): Promise<ExistingTables> {
  const rows = await database.all(
    database.dialect === 'sqlite'
      ? `select m.name, c.name, c."notnull" = 1 and c.dflt_value is null
         from sqlite_master as m join pragma_table_info(m.name) as c where m.type = 'table'`
      : `select table_name, column_name, is_nullable = 'NO' and column_default is null and extra = ''
         from information_schema.columns where table_schema = database()`,
    [],
  );
  const tables = new Map<string, Map<string, boolean>>();
  for (const [table, column, isNeeded] of rows) {
    const columns = tables.get(String(table)) ?? new Map<string, boolean>();
    tables.set(String(table), columns.set(String(column), Number(isNeeded) === 1));
  }
  return tables;
}
