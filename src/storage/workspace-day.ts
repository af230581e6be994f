// The workspace's day: the date that was reached, the records that it still concerns, and which process passes it. Kept where
// something hangs on the day.

import type { Bound, Row } from './schema/cells.ts';
import { decode, encode } from './schema/columns.ts';
import type { Dialect } from './schema/dialect.ts';
import type { Database, Session } from './schema/session.ts';
import type { Table } from './schema/tables.ts';
import { createTables, hasTable } from './statements/ddl.ts';

/** A row each: the day, the day of which records are left and whether any are, the process that passes days, the allowed day. */
const dayTable: Table = {
  name: 'praxis_day',
  group: '',
  columns: [
    { name: 'name', type: { kind: 'word', length: 40 }, nullable: false },
    { name: 'value', type: { kind: 'word', length: 64 }, nullable: false },
    { name: 'revision', type: { kind: 'integer' }, nullable: false },
  ],
  primaryKey: ['name'],
  indexes: [],
  foreignKeys: [],
};

const leftTable: Table = {
  name: 'praxis_day_left',
  group: '',
  columns: [
    { name: 'group_name', type: { kind: 'word', length: 100 }, nullable: false },
    { name: 'record_id', type: { kind: 'id' }, nullable: false },
    { name: 'day', type: { kind: 'word', length: 10 }, nullable: false },
  ],
  primaryKey: ['group_name', 'record_id'],
  indexes: [],
  foreignKeys: [],
};

/** How far days have been passed. */
export interface DayState {
  /** The date that was reached; undefined where nobody has asked yet. */
  readonly day: string | undefined;
  /** Whether it still concerns records. */
  readonly isBusy: boolean;
  /** Which process passes days, '' for none, and a number that rises while it does. */
  readonly holder: string;
  readonly beat: number;
  /** The date up to which an operator lets the workspace go on, whatever the clocks say; undefined if none was given. */
  readonly allowed?: string | undefined;
  /** Time of the database server in milliseconds since 1970; undefined for an embedded database. */
  readonly serverMs?: number | undefined;
}

/** Records of a group. */
export interface LeftRecords {
  readonly group: string;
  readonly ids: readonly string[];
}

const rowsAtOnce = 500;
const id = { kind: 'id' } as const;

/** Makes the tables, unless they are there; looks first, because DDL stops every node of a cluster for a moment. */
export async function prepareDay(database: Database): Promise<void> {
  const { dialect } = database;
  if (await hasTable(database, leftTable.name)) return;
  // The table that is looked for comes last: a start that dies in between is done again.
  await database.script([
    ...createTables([dayTable], [], dialect),
    `${dialect.insertIgnore} into praxis_day (name, value, revision) values ('left', '', 0), ('lease', '', 0)`,
    ...createTables([leftTable], [], dialect),
  ]);
}

interface KeptDay {
  readonly dialect: Dialect;
  /** The date with which a workspace begins. */
  readonly dateNow: () => Promise<string>;
}

/** The date that was reached, which stays so until the transaction ends; a workspace without one begins with its own. */
export async function keptDay(session: Session, { dialect, dateNow }: KeptDay): Promise<string> {
  const read = async (): Promise<string | undefined> => {
    const [row] = await session.all(`select value from praxis_day where name = 'day' ${dialect.forShare}`, []);
    return row && String(row[0]);
  };
  const known = await read();
  if (known !== undefined) return known;
  const first = await dateNow();
  await session.run(`${dialect.insertIgnore} into praxis_day (name, value, revision) values ('day', ?, 0)`, [first]);
  return (await read()) ?? first;
}

export async function readDay(session: Session, { serverMs }: Pick<Dialect, 'serverMs'>): Promise<DayState> {
  const rows = await session.all(`select name, value, revision, ${serverMs} from praxis_day`, []);
  const of = (name: string): Row => rows.find(([each]) => each === name) ?? [];
  const [, day] = of('day');
  const [, , isLeft] = of('left');
  const [, holder, beat] = of('lease');
  const [, allowed] = of('allowed');
  const [[, , , server = null] = []] = rows;
  return {
    day: day === undefined ? undefined : String(day),
    isBusy: Number(isLeft) === 1,
    holder: String(holder),
    beat: Number(beat),
    allowed: allowed === undefined ? undefined : String(allowed),
    serverMs: server === null ? undefined : Number(server),
  };
}

/**
 * Locks the day, which waits for all who have seen it, and lets the next one begin.
 * @returns false where another one was reached meanwhile, or the last one still concerns records
 */
export async function beginDay(
  session: Session,
  { from, to, dialect }: { readonly from: string; readonly to: string; readonly dialect: Dialect },
): Promise<boolean> {
  const [row] = await session.all(`select value from praxis_day where name = 'day' ${dialect.forUpdate}`, []);
  if (row?.[0] !== from) return false;
  const left = await session.all('select 1 from praxis_day_left limit 1', []);
  if (left.length > 0) return false;
  await session.run("update praxis_day set value = ? where name = 'day'", [to]);
  await session.run("update praxis_day set value = ?, revision = 1 where name = 'left'", [to]);
  return true;
}

/** Notes records that a day concerns, each once. */
export async function leaveForDay(
  session: Session,
  { group, ids, day, dialect }: LeftRecords & { readonly day: string; readonly dialect: Dialect },
): Promise<void> {
  const { insertIgnore } = dialect;
  const statements: { sql: string; values: Bound[] }[] = [];
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    const some = ids.slice(start, start + rowsAtOnce);
    const rows = some.map(() => '(?, ?, ?)').join(', ');
    const values = some.flatMap((each) => [group, encode(each, id, dialect), day]);
    statements.push({
      sql: `${insertIgnore} into praxis_day_left (group_name, record_id, day) values ${rows}`,
      values,
    });
  }
  for (const { sql, values } of statements) await session.run(sql, values);
}

/** Records that a day still concerns, of one group, in the order of their ids; undefined where there are none. */
export async function leftOfDay(
  session: Session,
  { day, most, dialect }: { readonly day: string; readonly most: number; readonly dialect: Dialect },
): Promise<LeftRecords | undefined> {
  const rows = await session.all(
    `select group_name, record_id from praxis_day_left where day = ? order by group_name, record_id limit ${most}`,
    [day],
  );
  const [[group] = []] = rows;
  if (group === undefined || group === null) return undefined;
  const ids = rows.filter(([each]) => each === group).map(([, each]) => String(decode(each, id, dialect)));
  return { group: String(group), ids };
}

/** Takes a record out of those that a day concerns. @returns whether it was among them, so that it is this transaction's */
export async function claimForDay(
  session: Session,
  { group, ids: [one = ''], day, dialect }: LeftRecords & { readonly day: string; readonly dialect: Dialect },
): Promise<boolean> {
  const sql = 'delete from praxis_day_left where group_name = ? and record_id = ? and day = ?';
  return (await session.run(sql, [group, encode(one, id, dialect), day])) === 1;
}

/** Notes that a day concerns nobody any more. */
export const endDay = (session: Session, day: string): Promise<number> =>
  session.run("update praxis_day set revision = 0 where name = 'left' and value = ?", [day]);

/** Lets the workspace go on up to a date, also beyond the clock of the database server. */
export async function allowDay(session: Session, day: string, { insertIgnore }: Dialect): Promise<void> {
  await session.run(`${insertIgnore} into praxis_day (name, value, revision) values ('allowed', ?, 0)`, [day]);
  await session.run("update praxis_day set value = ? where name = 'allowed'", [day]);
}

/** Takes the lease from who has it, or keeps it. @param seen What is known of it. @returns whether it was so still */
export async function takeLease(
  session: Session,
  { holder, seen }: { readonly holder: string; readonly seen: Pick<DayState, 'holder' | 'beat'> },
): Promise<boolean> {
  const sql =
    "update praxis_day set value = ?, revision = revision + 1 where name = 'lease' and value = ? and revision = ?";
  return (await session.run(sql, [holder, seen.holder, seen.beat])) === 1;
}
