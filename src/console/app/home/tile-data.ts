// Loads the data of tiles in few requests: what the service adds up, or one page.
import { list, summary } from '../service/api.ts';
import type { FieldModel, GroupModel } from '../service/model.ts';
import { sumsOf } from '../views/picture/asked-sums.ts';
import {
  dayAt,
  dayNumber,
  firstDay,
  lastDay,
  monthAfter,
  monthOf,
  monthsBetween,
  today,
} from '../views/picture/days.ts';
import { type Panel, panelsFrom } from '../views/picture/sums.ts';
import { daysOf, rangeFilters, type Span } from '../views/shape/shapes.ts';

export interface ChartData {
  readonly slots: readonly string[];
  readonly panels: readonly Panel[];
}

/** Twelve months until today, or until the last day that there is: two sums that the service adds up. */
export async function chartData(group: GroupModel, measure: FieldModel): Promise<ChartData | undefined> {
  const [day] = daysOf(group);
  const names = day && rangeFilters(group, day);
  if (day === undefined || names === undefined) return undefined;
  const until = new URLSearchParams({ max: day.name, [names.to]: today() });
  const [newest] = (await summary(group.path, until)).results;
  const end = newest?.max?.[day.name];
  if (typeof end !== 'string') return undefined;
  const last = monthOf(end);
  const slots = monthsBetween(monthAfter(last, -11), last);
  const filters = new URLSearchParams({ [names.from]: firstDay(slots[0] ?? last), [names.to]: lastDay(last) });
  const question = { group, day, measure, split: undefined, slots, slotOf: monthOf };
  const { entries } = await sumsOf(question, { filters, part: 'month', parts: [filters] });
  return { slots, panels: panelsFrom(question, entries) };
}

export interface StateCount {
  readonly state: string;
  readonly count: number;
}

/** How many records are in each state. */
export async function stateCounts(group: GroupModel, field: FieldModel): Promise<readonly StateCount[]> {
  const { results } = await summary(group.path, new URLSearchParams({ by: field.name }));
  const counts = new Map(results.map(({ by, count }) => [by[field.name], count]));
  return (field.values ?? []).map((state) => ({ state, count: counts.get(state) ?? 0 }));
}

/** So many records of what lasts now are read. */
const mostNow = 100;

/** Days around today, and what lasts into them. */
export async function nowData(group: GroupModel, { start, end }: Span) {
  const now = dayNumber(today());
  const around = { from: now - 14, to: now + 76 };
  const [starts, ends] = [rangeFilters(group, start), rangeFilters(group, end)];
  const query = new URLSearchParams();
  if (starts !== undefined && start.unset === 'never') query.set(starts.to, dayAt(around.to));
  if (ends !== undefined && end.unset === 'never') query.set(ends.from, dayAt(around.from));
  query.set('limit', String(mostNow));
  const { results: records, hasMore } = await list(group.path, query);
  return { around, records, isWhole: !hasMore };
}

/** The newest records. */
export const newestOf = (group: GroupModel, count: number) =>
  list(group.path, new URLSearchParams({ limit: String(count) }));
