// How far the log of changes goes: its name, its first position, its head; and how it begins, ends and begins anew.
import { ConfigurationFault } from '../../configuration-fault.ts';
import { newId } from '../../values/id.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Database, Session } from '../schema/session.ts';
import { hasTable } from '../statements/ddl.ts';
import { appendEntries } from './append.ts';
import type { EntryCause, EntryData, NewEntry, Renaming } from './entry.ts';
import { entryTable, hasLog, logTable, logTables, renamingRecord } from './tables.ts';

/** Where a log begins and ends. */
export interface LogState {
  /** Cursors of another log have another one. */
  readonly name: string;
  /** The position of the first entry that is kept, or will be. */
  readonly first: number;
  /** The last position that was given. */
  readonly head: number;
  /** When it began. */
  readonly beganAt: string;
}

const headOf = ({ hasOneWriter }: Dialect): string =>
  hasOneWriter ? `(select coalesce(max(id), l.first_position - 1) from ${entryTable})` : 'l.head';

/** Reads where the log begins and ends. */
export async function readState(session: Pick<Session, 'all'>, dialect: Dialect): Promise<LogState> {
  const text = `select l.name, l.first_position, ${headOf(dialect)}, l.began_at from ${logTable} l where l.id = 1`;
  const [row] = await session.all(text, []);
  if (row === undefined) throw new Error(`${logTable} has no row`);
  const [name, first, head, beganAt] = row;
  return { name: String(name), first: Number(first), head: Number(head), beganAt: String(beganAt) };
}

/** Whether a database has a log that is written. */
export async function isLogOn(database: Database): Promise<boolean> {
  if (!(await hasLog(database))) return false;
  const [[isOn] = []] = await database.all(`select is_on from ${logTable} where id = 1`, []);
  return Number(isOn) === 1;
}

interface Preparing {
  readonly isOn: boolean;
  /** Whether tables are made in a database of a server that holds records. */
  readonly mayMake: boolean;
}

/**
 * Brings the log to where it is switched on or off.
 * @returns whether its tables were made
 * @throws ConfigurationFault where its tables are to be made by a migration
 */
export async function prepareLog(database: Database, { isOn, mayMake }: Preparing): Promise<boolean> {
  const isThere = await hasLog(database);
  if (!isThere && !isOn) return false;
  const { dialect } = database;
  if (!isThere) {
    if (!dialect.isEmbedded && !mayMake && (await hasTable(database, 'praxis_setup')))
      throw new ConfigurationFault(
        'The log of changes is switched on (CHANGES), and the database has no tables for it. Run: praxis migrate apply.',
      );
    await makeLog(database);
    return true;
  }
  if ((await isLogOn(database)) === isOn) return false;
  await database.transact(async (session) => {
    const turned = await session.run(`update ${logTable} set is_on = ? where id = 1 and is_on <> ?`, [
      isOn ? 1 : 0,
      isOn ? 1 : 0,
    ]);
    // What was written meanwhile is in no entry.
    if (isOn && turned === 1) await appendReset(session, dialect, { group: '', cause: { kind: 'switch' } });
  });
  return false;
}

/** Makes the tables. */
const makeLog = (database: Database): Promise<void> => database.script(logTables(database.dialect));

interface Reset {
  /** '' for all groups. */
  readonly group: string;
  readonly cause: EntryCause;
}

/** Tells readers to read records anew, because they have changed in another way than by writes. */
export const appendReset = (session: Session, dialect: Dialect, { group, cause }: Reset): Promise<void> =>
  appendOwn(session, dialect, { operation: 'reset', group, record: '', cause, more: {} });

/** Keeps what a migration calls otherwise, so that older entries are read by the names of today. */
export const appendRenaming = (
  session: Session,
  dialect: Dialect,
  { renaming, cause }: { readonly renaming: Renaming; readonly cause: EntryCause },
): Promise<void> =>
  appendOwn(session, dialect, { operation: 'rename', group: '', record: renamingRecord, cause, more: { renaming } });

interface OwnEntry extends Pick<NewEntry, 'operation' | 'group' | 'record'> {
  readonly cause: EntryCause;
  /** What its data hold besides. */
  readonly more: object;
}

/** An entry of the service itself, about no record. */
async function appendOwn(session: Session, dialect: Dialect, { cause, more, ...entry }: OwnEntry): Promise<void> {
  const data: EntryData = { changes: {}, cause, name: null, by: null, request: null, trace: null };
  await appendEntries(session, dialect, [
    {
      ...{ ...entry, write: newId(), part: 1, step: null, version: null, at: new Date().toISOString() },
      ...{ undoes: null, cause: cause.kind, data: JSON.stringify({ ...data, ...more }) },
    },
  ]);
}
