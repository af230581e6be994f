// Pages whose best index depends on the values of their filters (`storage/statements/plan.ts`): the candidate scans advance in
// turns, and the first that has the page wins.

import { yieldToLoop } from '../../admission/event-loop.ts';
import type { Row } from '../../storage/schema/cells.ts';
import { ListFront, WalkWay } from './ordered-scan.ts';
import { type Course, type Extent, timeOf, type Way } from './race-way.ts';
import { CollectWay, DaysWay } from './range-scan.ts';

/** Entries of an index that a way reads at first, and while others lead. */
const shortStep = 60;
/** What the first step reads for each record that is wanted. */
const firstStepEach = 5;
/** Texts are often found in one record of many: fewer steps of more entries. */
const searchStep = 1000;
/** How much longer each step of the leader is than the one before. */
const growth = 3;

/** Finds the rows of a page. */
export async function race(course: Course): Promise<readonly Row[]> {
  const { plan, dialect, limit } = course;
  const list = new ListFront(course);
  const ways: Way[] = [
    ...plan.walks.map((walk) => new WalkWay(walk, list)),
    ...plan.spans.map((span) => new CollectWay(course, span)),
    ...plan.spans
      .filter((span) => span.ofDays && span.filters.length === plan.filters.length)
      .map((span) => new DaysWay(course, span)),
  ];
  const isSearch =
    ways.length === 1 &&
    plan.walks[0]?.filter === undefined &&
    plan.filters.some(({ comparison }) => comparison !== 'sees');
  let entries = isSearch ? Math.max(searchStep, firstStepEach * limit) : firstStepEach * limit;
  const [first, ...rest] = ways;
  const atOnce = await first?.step(entries, nowhere);
  if (atOnce !== undefined) return atOnce;
  const extent = rest.length === 0 ? nowhere : await extentOf(course);
  for (const way of rest) {
    const found = await way.step(shortStep, extent);
    if (found !== undefined) return found;
  }
  for (;;) {
    entries = Math.min(growth * entries, dialect.entriesAtOnce);
    const [leader, ...others] = ways.toSorted((one, other) => one.left(extent) - other.left(extent));
    for (const way of [leader, ...others]) {
      await yieldToLoop();
      const found = await way?.step(way === leader ? entries : shortStep, extent);
      if (found !== undefined) return found;
    }
  }
}

const nowhere: Extent = { list: [0, 0], days: new Map() };

async function extentOf({ queries, plan, ask }: Course): Promise<Extent> {
  const [ends = []] = await ask(queries.extent(plan), {});
  const pairs = ends.map((end) => timeOf(end));
  const columns = plan.spans.filter(({ ofDays }) => ofDays).map(({ column }) => column);
  const pair = (place: number): readonly [number, number] => [pairs[2 * place] ?? 0, pairs[2 * place + 1] ?? 0];
  return { list: pair(0), days: new Map(columns.map((column, place) => [column, pair(place + 1)])) };
}
