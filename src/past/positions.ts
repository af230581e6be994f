// Gives entries their positions: after the commit, to rows that are visible already, so that no reader ever passes one by.
import { faultOf } from '../storage/errors.ts';
import { entryTable, logTable } from '../storage/log/tables.ts';
import type { Bound, Row } from '../storage/schema/cells.ts';
import type { Dialect } from '../storage/schema/dialect.ts';
import type { Session } from '../storage/schema/session.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';

/** Rows that one pass takes, and what is left of writes of which some are among them. */
const rowsAtOnce = 2000;
const idsAtOnce = 512;

const isAnyWaiting = `select 1 from ${entryTable} where position is null limit 1`;

/**
 * Gives positions to what was committed until now, in passes.
 * @param passes How many, at the most.
 * @returns whether any were given; not where somebody else does it
 */
export async function givePositions(unit: UnitOfWork, dialect: Dialect, passes = 1): Promise<boolean> {
  if (dialect.hasOneWriter) return false;
  let isGiven = false;
  for (let pass = 0; pass < passes; pass += 1) {
    // An idle log costs this.
    if ((await unit.read(isAnyWaiting, [])).length === 0) return isGiven;
    const given = await unit.transact((session) => give(session, dialect));
    if (given === 0) return isGiven;
    isGiven = true;
    if (given < rowsAtOnce) return true;
  }
  return isGiven;
}

/** @returns how many it has given: none where somebody else does it at this moment. */
async function give(session: Session, dialect: Dialect): Promise<number> {
  const head = await lockHead(session, dialect);
  if (head === undefined) return 0;
  // A plain select: it sees what is committed, and waits for nobody.
  const rows = await session.all(
    `select id, write_id from ${entryTable} where position is null order by id limit ${rowsAtOnce}`,
    [],
  );
  if (rows.length === 0) return 0;
  const all = rows.length < rowsAtOnce ? rows : [...rows, ...(await restOf(session, rows))];
  const writes = new Map<string, Set<number>>();
  for (const [id, write] of all) {
    const ids = writes.get(String(write));
    if (ids === undefined) writes.set(String(write), new Set([Number(id)]));
    else ids.add(Number(id));
  }
  // In the order of their first ids; what has seen another write comes behind it.
  const ordered = [...writes.values()].flatMap((ids) => [...ids].sort((one, other) => one - other));
  for (let start = 0; start < ordered.length; start += idsAtOnce)
    await setPositions(session, ordered.slice(start, start + idsAtOnce), head + start);
  await session.run(`update ${logTable} set head = ? where id = 1`, [head + ordered.length]);
  return rows.length;
}

/** @returns the last position that was given; undefined where somebody else holds it. */
async function lockHead(session: Session, { forUpdateNow }: Dialect): Promise<number | undefined> {
  try {
    const [row] = await session.all(`select head from ${logTable} where id = 1 ${forUpdateNow}`, []);
    return Number(row?.[0]);
  } catch (error) {
    if (faultOf(error).kind !== 'retry') throw error;
    return undefined;
  }
}

/** Rows behind the limit of writes whose first rows are before it: a write comes as a whole. */
async function restOf(session: Session, rows: readonly Row[]): Promise<readonly Row[]> {
  const writes = [...new Set(rows.map(([, write]) => String(write)))];
  const rest: Row[] = [];
  for (let start = 0; start < writes.length; start += idsAtOnce) {
    const some = writes.slice(start, start + idsAtOnce);
    const places = some.map(() => '?').join(', ');
    rest.push(...(await session.all(`select id, write_id from ${entryTable} where write_id in (${places})`, some)));
  }
  return rest;
}

/** By primary key alone: anything else would wait for rows of transactions that are still open. */
async function setPositions(session: Session, ids: readonly number[], before: number): Promise<void> {
  const bound: Bound[] = [];
  for (const [index, id] of ids.entries()) bound.push(id, before + index + 1);
  // In few lengths, so that texts of statements stay few: the last one stands again where there are no more.
  const count = 2 ** Math.ceil(Math.log2(ids.length));
  const padding = Array.from({ length: count - ids.length }, () => ids.length - 1);
  for (const index of padding) bound.push(ids[index] ?? 0, before + index + 1);
  const cases = Array.from({ length: count }, () => 'when ? then ?').join(' ');
  const places = Array.from({ length: count }, () => '?').join(', ');
  const named = [...ids, ...padding.map((index) => ids[index] ?? 0)];
  await session.run(`update ${entryTable} set position = case id ${cases} end where id in (${places})`, [
    ...bound,
    ...named,
  ]);
}
