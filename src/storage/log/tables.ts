// The tables of the log of changes: one row for what one write did to one record, and one row that tells how far it goes.
import { randomBytes } from 'node:crypto';
import { columnSql, encode } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Database } from '../schema/session.ts';
import type { Column, Index } from '../schema/tables.ts';
import { columnLine, createIndex, hasTable, indexLine } from '../statements/ddl.ts';

export const entryTable = 'praxis_change';
export const logTable = 'praxis_log';
/** Stands in the place of a record where a migration has left what it calls otherwise. */
export const renamingRecord = 'rename';

const id = { kind: 'id' } as const;
const integer = { kind: 'integer' } as const;
const word = (length: number) => ({ kind: 'word', length }) as const;
const column = (name: string, type: Column['type'], nullable = false): Column => ({ name, type, nullable });

/** What is bound for an entry, in this order. */
export const entryColumns: readonly Column[] = [
  column('write_id', id),
  column('part', integer),
  column('step', integer, true),
  column('group_name', word(64)),
  column('record_id', word(36)),
  column('version', integer, true),
  column('operation', word(10)),
  column('cause', word(10)),
  column('at', { kind: 'dateTime' }),
  column('undoes', id, true),
  column('data', { kind: 'json' }),
];

const indexes: readonly Index[] = [
  { name: 'praxis_change__record', columns: ['group_name', 'record_id', 'id'], unique: false },
  { name: 'praxis_change__write', columns: ['write_id', 'part'], unique: false },
  { name: 'praxis_change__at', columns: ['at'], unique: false },
  { name: 'praxis_change__undoes', columns: ['undoes'], unique: true },
];
const positionIndex: Index = { name: 'praxis_change__position', columns: ['position'], unique: true };

/**
 * The column that puts entries in the order of their commits. Where one writes at a time, that is the order in which they are made;
 * elsewhere it is given to rows that are visible already (`positions.ts`).
 */
export const positionColumn = ({ hasOneWriter }: Dialect): string => (hasOneWriter ? 'id' : 'position');

/** Makes the tables, empty, and the row of a log that begins. */
export function logTables(dialect: Dialect): readonly string[] {
  const { quote, indexesWithTable, hasOneWriter } = dialect;
  const all = hasOneWriter ? indexes : [...indexes, positionIndex];
  const lines = [
    `${quote('id')} ${dialect.risingKey}`,
    ...(hasOneWriter ? [] : [columnLine(column('position', integer, true), dialect)]),
    ...entryColumns.map((each) => columnLine(each, dialect)),
    ...(indexesWithTable ? all.map((index) => indexLine(index, dialect)) : []),
  ];
  const bodies = [
    columnLine(column('id', integer), dialect),
    columnLine(column('name', word(40)), dialect),
    columnLine(column('first_position', integer), dialect),
    columnLine(column('head', integer), dialect),
    columnLine(column('is_on', { kind: 'boolean' }), dialect),
    `${quote('began_at')} ${columnSql({ kind: 'dateTime' }, dialect)} not null`,
    `primary key (${quote('id')})`,
  ];
  return [
    `create table if not exists ${quote(entryTable)} (\n  ${lines.join(',\n  ')}\n) ${dialect.tableOptions}`,
    ...(indexesWithTable ? [] : all.map((index) => createIndex(entryTable, index, dialect))),
    `create table if not exists ${quote(logTable)} (\n  ${bodies.join(',\n  ')}\n) ${dialect.tableOptions}`,
    `${dialect.insertIgnore} into ${logTable} (id, name, first_position, head, is_on, began_at) values (1, '${newLogName()}', 1, 0, 1, '${String(encode(new Date().toISOString(), { kind: 'dateTime' }, dialect))}')`,
  ];
}

/** Of one log: cursors of another one do not lead into it. */
export const newLogName = (): string => randomBytes(6).toString('hex');

/** Whether a database has a log. */
export const hasLog = (database: Database): Promise<boolean> => hasTable(database, logTable);
