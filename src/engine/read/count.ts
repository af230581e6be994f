// How many records pass the filters of a list, counted as far as that is worth.
import { yieldToLoop } from '../../admission/event-loop.ts';
import type { UsedFilter } from '../../request/intent.ts';
import type { Bound } from '../../storage/schema/cells.ts';
import { bind, type Statement } from '../../storage/schema/compiler.ts';
import { isKey } from '../../storage/statements/plan.ts';
import { wayOf } from '../../storage/statements/slice-sql.ts';
import type { Reading } from './read-lists.ts';
import { narrowingBy } from './seen-first.ts';

/** Counted exactly up to here. */
export const mostCounted = 10_000;

/**
 * Counts records: one statement where the filters lead along one index, else one after the other, each over so many entries as one
 * may read while others wait. @returns at most `mostCounted` + 1
 */
export async function countRecords(
  { session, group, dialect, seen }: Reading,
  used: readonly UsedFilter[],
): Promise<number> {
  const { pages, counts, view } = group.queries;
  const narrowing = await narrowingBy(
    {
      ...{ queries: group.queries, dialect },
      ask: (statement, bound) => session.all(statement.sql, bind(statement, { ...seen, ...bound })),
    },
    used,
  );
  if (narrowing.isNothing) return 0;
  const { filters } = narrowing;
  const plan = pages.plan(filters);
  const way = wayOf(plan);
  const { direct } = plan;
  const isOfIndex =
    filters.length === 0 ||
    (direct !== undefined && direct.seen === undefined && !filters.some((filter) => isKey(view, filter)));
  const entries = isOfIndex ? mostCounted + 1 : dialect.entriesAtOnce;
  const values: Record<string, Bound> = {
    ...{ ...seen, ...narrowing.values },
    ...{ entries: BigInt(entries), passed: BigInt(entries - 1) },
  };
  const ask = async (statement: Statement) => {
    const [row = []] = await session.all(statement.sql, bind(statement, values));
    return row;
  };
  let count = 0;
  for (let isBehind = false; ; isBehind = true) {
    const [read, passed] = await ask(counts.next(plan, way, isBehind));
    count += Number(passed);
    if (Number(read) < entries || count > mostCounted) return Math.min(count, mostCounted + 1);
    const [fromTime = null, fromId = null, fromValue = null] = await ask(counts.end(plan, way, isBehind));
    Object.assign(values, { fromTime, fromId, fromValue });
    await yieldToLoop();
  }
}
