// Reads entries of the log of changes: a stretch of positions, what became of one record, and all of one write.
import { yieldIfDue } from '../../admission/event-loop.ts';
import type { Bound, Row } from '../schema/cells.ts';
import { decode, encode } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Session } from '../schema/session.ts';
import type { CauseKind, EntryData, EntryOperation, KeptEntry, KeptRenaming, Renaming } from './entry.ts';
import { entryTable, positionColumn, renamingRecord } from './tables.ts';

type Reading = Pick<Session, 'all'>;

/** Which entries of a stretch are wanted; all where nothing is said. */
export interface StretchFilter {
  /** Names of groups at any time; resets of all groups pass, too. */
  readonly groups?: readonly string[] | undefined;
  readonly record?: string | undefined;
  readonly operations?: readonly EntryOperation[] | undefined;
  readonly causes?: readonly CauseKind[] | undefined;
  /** Both included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

interface Stretch extends StretchFilter {
  /** Behind this position, up to that one. */
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
  /** The newest first. */
  readonly isBack?: boolean | undefined;
}

const dateTime = { kind: 'dateTime' } as const;

const columns = (dialect: Dialect): string =>
  [
    'id',
    positionColumn(dialect),
    'write_id',
    'part',
    'step',
    'group_name',
    'record_id',
    'version',
    'operation',
    'at',
    'data',
  ]
    .map((name) => dialect.quote(name))
    .join(', ');

const toEntry =
  (dialect: Dialect) =>
  (row: Row): KeptEntry => {
    const [id, position, write, part, step, group, record, version, operation, at, data] = row;
    return {
      id: Number(id),
      position: position === null || position === undefined ? null : Number(position),
      write: String(write),
      part: Number(part),
      step: step === null || step === undefined ? null : Number(step),
      group: String(group),
      record: String(record),
      version: version === null || version === undefined ? null : Number(version),
      operation: String(operation) as EntryOperation,
      at: String(decode(at, dateTime, dialect)),
      data: JSON.parse(String(data)) as EntryData,
      length: String(data).length,
    };
  };

const placesFor = (values: readonly unknown[]): string => `(${values.map(() => '?').join(', ')})`;

/** Entries in the order of their commits, or the other way round. */
export async function readStretch(
  session: Reading,
  dialect: Dialect,
  { after, upTo, limit, isBack, groups, record, operations, causes, since, until }: Stretch,
): Promise<readonly KeptEntry[]> {
  const position = positionColumn(dialect);
  const where = [`${position} > ?`, `${position} <= ?`];
  const bound: Bound[] = [after, upTo];
  const narrow = (text: string, ...values: readonly Bound[]): void => {
    where.push(text);
    bound.push(...values);
  };
  if (groups !== undefined) narrow(`group_name in ${placesFor(['', ...groups])}`, '', ...groups);
  if (record !== undefined) narrow('(record_id = ? or record_id = ?)', record, '');
  if (operations !== undefined) narrow(`operation in ${placesFor(operations)}`, ...operations);
  if (causes !== undefined) narrow(`cause in ${placesFor(causes)}`, ...causes);
  if (since !== undefined) narrow(`${dialect.quote('at')} >= ?`, encode(since, dateTime, dialect));
  if (until !== undefined) narrow(`${dialect.quote('at')} <= ?`, encode(until, dateTime, dialect));
  await yieldIfDue();
  const text = `select ${columns(dialect)} from ${entryTable} where ${where.join(' and ')} order by ${position}${isBack === true ? ' desc' : ''} limit ${limit}`;
  return (await session.all(text, bound)).map(toEntry(dialect));
}

interface RecordStretch {
  /** Names of its group at any time. */
  readonly groups: readonly string[];
  readonly record: string;
  /** Entries older than this one, or newer: the nearest to it. */
  readonly than?: { readonly id: number; readonly isNewer: boolean } | undefined;
  readonly withFigures: boolean;
  readonly limit: number;
}

/** What became of a record, newest first: within a record the ids of entries are in the order of its versions. */
export async function readRecordEntries(
  session: Reading,
  dialect: Dialect,
  { groups, record, than, withFigures, limit }: RecordStretch,
): Promise<readonly KeptEntry[]> {
  const isNewer = than?.isNewer === true;
  const where = [`group_name in ${placesFor(groups)}`, 'record_id = ?'];
  const bound: Bound[] = [...groups, record];
  if (than !== undefined) {
    where.push(`id ${isNewer ? '>' : '<'} ?`);
    bound.push(than.id);
  }
  if (!withFigures) where.push("cause <> 'figure'");
  const order = isNewer ? 'asc' : 'desc';
  const text = `select ${columns(dialect)} from ${entryTable} where ${where.join(' and ')} order by id ${order} limit ${limit}`;
  const found = (await session.all(text, bound)).map(toEntry(dialect));
  return isNewer ? found.toReversed() : found;
}

/** A part of the entries of a write. */
interface WriteStretch {
  readonly write: string;
  /** Part of the write after which they begin, or before which if `isBack`; undefined: from the first. */
  readonly place?: number | undefined;
  readonly isBack?: boolean;
  readonly limit: number;
}

/** Reads entries of a write that are kept, in order, or in the reverse order if `isBack`. */
export async function readWrite(
  session: Reading,
  dialect: Dialect,
  { write, place = 0, isBack = false, limit }: WriteStretch,
): Promise<readonly KeptEntry[]> {
  const [than, order] = isBack ? ['<', 'desc'] : ['>', 'asc'];
  await yieldIfDue();
  const text = `select ${columns(dialect)} from ${entryTable} where write_id = ? and part ${than} ? order by part ${order} limit ${limit}`;
  return (await session.all(text, [write, place])).map(toEntry(dialect));
}

/** Finds the part of a write that an entry is. */
export async function findPart(session: Reading, write: string, entry: number): Promise<number | undefined> {
  const [row] = await session.all(`select part from ${entryTable} where id = ? and write_id = ?`, [entry, write]);
  return row && Number(row[0]);
}

/** Numbers of entries that are read without a pause: at first, and at most. */
const entriesAtFirst = 20;
const maxEntriesAtOnce = 200;
/** Approximate length of the entries that are read without a pause, in UTF-16 units. */
const charactersAtOnce = 512 * 1024;

/** Returns how many entries to read next, by the length of those that were read last: one may have 256 KiB. */
export function countAtOnce(last: readonly KeptEntry[] | undefined): number {
  if (last === undefined || last.length === 0) return entriesAtFirst;
  const characters = last.reduce((sum, { length }) => sum + length, 0);
  return Math.max(1, Math.min(maxEntriesAtOnce, Math.floor((last.length * charactersAtOnce) / characters)));
}

/** Reads all entries of a write that are kept, in order, in chunks. */
export async function* readWholeWrite(
  session: Reading,
  dialect: Dialect,
  write: string,
): AsyncGenerator<readonly KeptEntry[], void, undefined> {
  let place = 0;
  for (let limit = countAtOnce(undefined); ; ) {
    const entries = await readWrite(session, dialect, { write, place, limit });
    yield entries;
    if (entries.length < limit) return;
    place = entries.at(-1)?.part ?? place;
    limit = countAtOnce(entries);
  }
}

/** Some records of a group. */
interface OfRecords {
  /** Names of the group at any time. */
  readonly groups: readonly string[];
  /** One at least. */
  readonly records: readonly string[];
}

/** The entries by which records have gone, the last of each last. */
export async function readDeletes(
  session: Reading,
  dialect: Dialect,
  { groups, records }: OfRecords,
): Promise<readonly KeptEntry[]> {
  const where = `group_name in ${placesFor(groups)} and record_id in ${placesFor(records)} and operation = 'delete'`;
  const text = `select ${columns(dialect)} from ${entryTable} where ${where} order by id`;
  return (await session.all(text, [...groups, ...records])).map(toEntry(dialect));
}

interface Later extends OfRecords {
  /** The first of them, and the one before which they are to be; undefined: up to the last. */
  readonly from: number;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Entries of records from one on, the last one first. */
export async function readLater(
  session: Reading,
  dialect: Dialect,
  { groups, records, from, before, limit }: Later,
): Promise<readonly KeptEntry[]> {
  const until = before === undefined ? '' : ' and id < ?';
  const where = `group_name in ${placesFor(groups)} and record_id in ${placesFor(records)} and id >= ?${until}`;
  const text = `select ${columns(dialect)} from ${entryTable} where ${where} order by id desc limit ${limit}`;
  const bound = [...groups, ...records, from, ...(before === undefined ? [] : [before])];
  return (await session.all(text, bound)).map(toEntry(dialect));
}

/** What migrations have called otherwise since the first entry that is kept, oldest first. */
export async function readRenamings(session: Reading): Promise<readonly KeptRenaming[]> {
  const text = `select id, data from ${entryTable} where group_name = '' and record_id = ? order by id`;
  return (await session.all(text, [renamingRecord])).map(([id, data]) => {
    const { renaming } = JSON.parse(String(data)) as { readonly renaming: Renaming }; // as `appendRenaming` writes it
    return { id: Number(id), renaming };
  });
}

/**
 * Whether a migration has called anything otherwise behind an entry.
 * @returns the position of the first of that, null where it has none yet; undefined where there is nothing
 */
export async function findRenaming(
  session: Reading,
  dialect: Dialect,
  { behind }: { readonly behind: number },
): Promise<number | null | undefined> {
  const text = `select count(*), min(${positionColumn(dialect)}) from ${entryTable} where group_name = '' and record_id = ? and id > ?`;
  const [[count, position = null] = []] = await session.all(text, [renamingRecord, behind]);
  if (Number(count) === 0) return undefined;
  return position === null ? null : Number(position);
}

/** How many entries each of these writes has. */
export async function countParts(session: Reading, writes: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const named = [...new Set(writes)];
  if (named.length === 0) return new Map();
  const text = `select write_id, max(part) from ${entryTable} where write_id in ${placesFor(named)} group by write_id`;
  return new Map((await session.all(text, named)).map(([write, count]) => [String(write), Number(count)]));
}

const mostCounted = 100_000;

/** How many entries have no position yet; 100,000 at the most. */
export async function countUnordered(session: Reading, { hasOneWriter }: Dialect): Promise<number> {
  if (hasOneWriter) return 0;
  const some = `select 1 from ${entryTable} where position is null limit ${mostCounted}`;
  const [row] = await session.all(`select count(*) from (${some}) as waiting`, []);
  return Number(row?.[0] ?? 0);
}

/** How long entries are, in letters, by the last ones; 0 where there are none. */
export async function meanLength(session: Reading): Promise<number> {
  const some = `select data from ${entryTable} order by id desc limit 1000`;
  const [row] = await session.all(`select avg(length(data)) from (${some}) as newest`, []);
  return Number(row?.[0] ?? 0);
}

/** Whether a write was undone. */
export async function isUndone(session: Reading, write: string): Promise<boolean> {
  return (await session.all(`select 1 from ${entryTable} where undoes = ?`, [write])).length > 0;
}

/** The time of the first entry that is kept; undefined where there is none. */
export async function firstTime(session: Reading, dialect: Dialect): Promise<string | undefined> {
  const [row] = await session.all(`select ${dialect.quote('at')} from ${entryTable} order by id limit 1`, []);
  return row && String(decode(row[0], dateTime, dialect));
}
