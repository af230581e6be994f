// Forgets entries that were kept long enough, from the first on, so that what is left has no gap.

import { entryTable, logTable, positionColumn } from '../storage/log/tables.ts';
import { encode } from '../storage/schema/columns.ts';
import type { Dialect } from '../storage/schema/dialect.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { givePositions } from './positions.ts';

const sweptAtOnce = 1000;
const passesAtOnce = 100;

/**
 * Removes entries older than a moment. Safe beside others that do the same.
 * @param before ISO 8601, UTC
 * @returns how many were removed
 */
export async function sweepLog(unit: UnitOfWork, dialect: Dialect, before: string): Promise<number> {
  const position = positionColumn(dialect);
  const time = encode(before, { kind: 'dateTime' }, dialect);
  const at = dialect.quote('at');
  const isAnyOld = `select 1 from ${entryTable} where ${at} < ? limit 1`;
  let removed = 0;
  while ((await unit.read(isAnyOld, [time])).length > 0) {
    // What has no position cannot be told to be before the first one.
    await givePositions(unit, dialect, passesAtOnce);
    const oldest = `select id, ${position}, case when ${at} < ? then 1 else 0 end from ${entryTable} where ${position} > 0 order by ${position} limit ${sweptAtOnce}`;
    const rows = await unit.read(oldest, [time]);
    const end = rows.findIndex(([, , isOld]) => Number(isOld) !== 1);
    const gone = end < 0 ? rows : rows.slice(0, end);
    const last = gone.at(-1);
    if (last === undefined) return removed;
    const ids = gone.map(([id]) => Number(id));
    await unit.transact(async (session) => {
      const next = Number(last[1]) + 1;
      await session.run(`update ${logTable} set first_position = ? where id = 1 and first_position < ?`, [next, next]);
      await session.run(`delete from ${entryTable} where id in (${ids.map(() => '?').join(', ')})`, ids);
    });
    removed += ids.length;
  }
  return removed;
}
