// Migration history, in tables of the database: which steps of which migration were applied, and the schema that they led to.

import { prepareState } from '../../storage/counters.ts';
import type { Row } from '../../storage/schema/cells.ts';
import type { ColumnType } from '../../storage/schema/column-types.ts';
import { encode } from '../../storage/schema/columns.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Database, Session } from '../../storage/schema/session.ts';
import type { Column, Table } from '../../storage/schema/tables.ts';
import { sequenceTable } from '../../storage/schema/tables.ts';
import { createTable, serviceTables, tablesAmong } from '../../storage/statements/ddl.ts';
import { editorOf } from '../editors/editors.ts';
import { canonical, type Schema, schemaHash } from '../plan/schema.ts';
import { patiently } from './lock.ts';

const portionLetters = 1_000_000;

const word = (length: number): ColumnType => ({ kind: 'word', length });
const column = (name: string, type: ColumnType): Column => ({ name, type, nullable: false });
const historyTable = (name: string, primaryKey: string[], columns: Column[]): Table => ({
  name,
  group: '',
  columns,
  primaryKey,
  indexes: [],
  foreignKeys: [],
});

/** `step` 0 is the whole file. */
const historyTables: readonly Table[] = [
  ...serviceTables,
  historyTable(
    'praxis_migration',
    ['name', 'step'],
    [
      column('name', word(191)),
      column('step', { kind: 'integer' }),
      column('checksum', word(64)),
      column('done_at', { kind: 'dateTime' }),
    ],
  ),
  historyTable(
    'praxis_schema',
    ['part'],
    [
      column('part', { kind: 'integer' }),
      column('hash', word(64)),
      column('fingerprint', word(64)),
      column('body', { kind: 'json' }),
    ],
  ),
  historyTable(
    'praxis_lock',
    ['name'],
    [column('name', word(64)), column('holder', word(191)), column('ends_at', { kind: 'integer' })],
  ),
];

const historyNames = historyTables.map(({ name }) => name);

/** Makes the tables of the history where they are missing; safe for several processes at once. */
export async function prepareHistory(database: Database): Promise<void> {
  await patiently(() => prepareState(database));
  if (await hasHistory(database)) return;
  const { dialect } = database;
  const statements = historyTables.flatMap((table) => createTable(table, dialect));
  await patiently(() =>
    database.script([
      ...statements,
      `${dialect.insertIgnore} into praxis_lock (name, holder, ends_at) values ('migration', '', 0)`,
    ]),
  );
}

/** Whether a database has a history at all. */
export const hasHistory = async (database: Database): Promise<boolean> =>
  (await tablesAmong(database, historyNames)).length === historyNames.length;

/** A step that has been done. */
export interface DoneStep {
  readonly name: string;
  readonly step: number;
  readonly checksum: string;
}

const selectDone = 'select name, step, checksum from praxis_migration order by name, step';
const selectSchema = 'select body from praxis_schema order by part';

export const readDone = async (session: Pick<Session, 'all'>): Promise<readonly DoneStep[]> =>
  doneIn(await session.all(selectDone, []));

const doneIn = (rows: readonly Row[]): readonly DoneStep[] =>
  rows.map(([name, step, checksum]) => ({ name: String(name), step: Number(step), checksum: String(checksum) }));

/** What a database knows of its own schema. */
export interface Recorded {
  readonly schema: Schema;
  readonly done: readonly DoneStep[];
}

/** Reads it at once; undefined where nothing was noted. @throws where there is no history */
export function recordedIn(all: (sql: string) => readonly Row[]): Recorded | undefined {
  const schema = schemaIn(all(selectSchema));
  return schema && { schema, done: doneIn(all(selectDone)) };
}

/** Notes that a step, or with number 0 a whole file, has been done. Once more does no harm. */
export async function noteDone(session: Session, dialect: Dialect, { name, step, checksum }: DoneStep): Promise<void> {
  const doneAt = encode(new Date().toISOString(), { kind: 'dateTime' }, dialect);
  const replace = 'replace into praxis_migration (name, step, checksum, done_at) values (?, ?, ?, ?)';
  await session.run(replace, [name, step, checksum, doneAt]);
}

/** The schema that a database was brought to. */
export interface SchemaMark {
  readonly hash: string;
  /** Fingerprint of the catalogue at that time. */
  readonly fingerprint: string;
  /** See `schema-revision.ts`. NaN if the database has none yet. */
  readonly revision: number;
}

export async function readMark(session: Pick<Session, 'all'>): Promise<SchemaMark | undefined> {
  const revision = "(select revision from praxis_state where name = 'schema')";
  const [row] = await session.all(`select hash, fingerprint, ${revision} from praxis_schema where part = 0`, []);
  return row && { hash: String(row[0]), fingerprint: String(row[1]), revision: Number(row[2] ?? Number.NaN) };
}

export const readSchema = async (session: Pick<Session, 'all'>): Promise<Schema | undefined> =>
  schemaIn(await session.all(selectSchema, []));

function schemaIn(rows: readonly Row[]): Schema | undefined {
  if (rows.length === 0) return undefined;
  return JSON.parse(rows.map(([body]) => String(body)).join('')) as Schema; // written by `noteSchema`
}

/** Notes the schema that a database has been brought to. */
export async function noteSchema(session: Session, schema: Schema): Promise<void> {
  const text = canonical(schema);
  await session.run('delete from praxis_schema', []);
  // In parts, because a packet of MySQL has its limits.
  for (let part = 0; part === 0 || part * portionLetters < text.length; part++) {
    const body = text.slice(part * portionLetters, (part + 1) * portionLetters);
    const insert = "insert into praxis_schema (part, hash, fingerprint, body) values (?, ?, '', ?)";
    await session.run(insert, [part, schemaHash(schema), body]);
  }
}

/** Notes what the catalogue looks like, so that a start sees whether somebody has changed it by hand. */
export const noteFingerprint = async (session: Session, dialect: Dialect): Promise<void> =>
  void (await session.run('update praxis_schema set fingerprint = ?', [await readFingerprint(session, dialect)]));

export async function readFingerprint(session: Pick<Session, 'all'>, dialect: Dialect): Promise<string> {
  return (await session.all(editorOf(dialect).catalogue.fingerprint, [])).map(([cell]) => String(cell)).join('');
}

/** The mark of a set-up that has begun; what it has made before it was interrupted is taken up. */
const setUpMark: DoneStep = { name: '0000_set-up', step: 0, checksum: 'begun' };

export const isSetUpBegun = (done: readonly DoneStep[]): boolean => done.some(({ name }) => name === setUpMark.name);
export const noteSetUp = (session: Session, dialect: Dialect): Promise<void> => noteDone(session, dialect, setUpMark);
export const forgetSetUp = async (session: Session): Promise<void> =>
  void (await session.run('delete from praxis_migration where name = ?', [setUpMark.name]));

const byGroup = ['praxis_setup', sequenceTable] as const;

/** What the service keeps of a group beside its records follows it to its new name. Once more does no harm. */
export async function renameGroup(session: Session, from: string, to: string): Promise<void> {
  for (const table of byGroup) {
    const names = await session.all(`select name from ${table} where name in (?, ?)`, [from, to]);
    if (names.length === 1 && names[0]?.[0] === from)
      await session.run(`update ${table} set name = ? where name = ?`, [to, from]);
  }
}

/** A group that comes again later begins anew. */
export async function forgetGroup(session: Session, name: string): Promise<void> {
  for (const table of byGroup) await session.run(`delete from ${table} where name = ?`, [name]);
}
