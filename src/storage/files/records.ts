// Records of uploaded files: which name which, and since when none names one.
import type { Field, Registry } from '../../registry/model/model.ts';
import { toDatabaseTime } from '../../values/date.ts';
import type { ColumnType } from '../schema/column-types.ts';
import type { Database } from '../schema/session.ts';
import { type Column, type Table, tableName, tablesOf } from '../schema/tables.ts';
import { createTables, hasTable } from '../statements/ddl.ts';
import { partTable, type Statements } from './parts.ts';

const column = (name: string, type: ColumnType): Column => ({ name, type, nullable: false });

const idleTable: Table = {
  name: 'praxis_file_idle',
  group: '',
  columns: [column('file_id', { kind: 'id' }), column('since', { kind: 'dateTime' })],
  primaryKey: ['file_id'],
  indexes: [{ name: 'praxis_file_idle_since', columns: ['since'], unique: false }],
  foreignKeys: [],
};

/** Makes the tables unless they are there; looks first, because DDL stops every node of a cluster for a moment. */
export async function prepareFiles(database: Database): Promise<void> {
  for (const table of [partTable, idleTable])
    if (!(await hasTable(database, table.name))) await database.script(createTables([table], [], database.dialect));
}

/** A file as its record has it. */
export interface FileRow {
  readonly id: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
}

/** The record of a file; undefined where there is none. */
export async function findFile(unit: Statements, id: string): Promise<FileRow | undefined> {
  const [row] = await unit.read('select file_name, content_type, size, sha256 from file where id = ?', [id]);
  if (row === undefined) return undefined;
  const [fileName, contentType, size, sha256] = row;
  return {
    ...{ id, fileName: String(fileName), contentType: String(contentType) },
    ...{ size: Number(size), sha256: String(sha256) },
  };
}

/** Digests of all files and their lengths, each once, some hundred at a time. */
export async function* digestsOfFiles(
  unit: Pick<Statements, 'read'>,
): AsyncGenerator<{ readonly sha256: string; readonly size: number }, void, undefined> {
  const sql = 'select sha256, max(size) from file where sha256 > ? group by sha256 order by sha256 limit 500';
  for (let last = ''; ; ) {
    const rows = await unit.read(sql, [last]);
    for (const [sha256, size] of rows) yield { sha256: String(sha256), size: Number(size) };
    if (rows.length === 0) return;
    last = String(rows.at(-1)?.[0]);
  }
}

/** Whether a record has this digest. */
export const isDigestNamed = async (unit: Statements, sha256: string): Promise<boolean> =>
  (await unit.read('select 1 from file where sha256 = ? limit 1', [sha256])).length > 0;

/** Where files are named: a table of a group, and its column. */
export interface Place {
  readonly group: string;
  readonly table: string;
  readonly column: string;
  /** The field whose list the table keeps, or one of its items'; undefined for the table of the records. */
  readonly list: Field | undefined;
}

export function placesOf(registry: Registry): readonly Place[] {
  const files = tableName(registry.files?.name ?? '');
  return tablesOf(registry).flatMap(({ name, group, list, foreignKeys }) =>
    foreignKeys
      .filter(({ target }) => target === files)
      .map(({ column: key }) => ({ group, table: name, column: key, list })),
  );
}

const databaseTime = (date: Date): string => toDatabaseTime(date.toISOString());

/** Notes since when no record names a file, and forgets that of those which are named again. */
export async function noteIdleFiles(
  unit: Statements,
  registry: Registry,
  { ignore, now }: { readonly ignore: string; readonly now: Date },
): Promise<void> {
  const named = placesOf(registry).map(
    ({ table, column: name }, place) => `exists (select 1 from ${table} as t${place} where t${place}.${name} = f.id)`,
  );
  const isNamed = named.join(' or ');
  // Read first: a statement that does both would lock what it reads.
  const idle = await unit.read(
    `select f.id from file as f where not (${isNamed}) and f.id not in (select i.file_id from praxis_file_idle as i)`,
    [],
  );
  const note = `${ignore} into praxis_file_idle (file_id, since) values (?, ?)`;
  for (const [id] of idle) await unit.write(note, [String(id), databaseTime(now)]);
  const again = await unit.read(
    `select i.file_id from praxis_file_idle as i left join file as f on f.id = i.file_id where f.id is null or ${isNamed}`,
    [],
  );
  for (const [id] of again) await unit.write('delete from praxis_file_idle where file_id = ?', [String(id)]);
}

/** Files that no record has named since before then, some at a time. */
export async function filesIdleSince(unit: Statements, before: Date): Promise<string[]> {
  const sql = 'select file_id from praxis_file_idle where since < ? order by since limit 200';
  return (await unit.read(sql, [databaseTime(before)])).map(([id]) => String(id));
}
