// Loads the data of tiles in few requests: within a limit of pages, and only complete data is shown.
import { list, pageSize, type Shown } from '../service/api.ts';
import type { FieldModel, GroupModel } from '../service/model.ts';
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
import { daysOf, equalsFilter, rangeFilters, type Span } from '../views/shape/shapes.ts';

/** Pages that a tile reads at most for a year, and for a month of days. */
const yearPages = 3;
const monthPages = 10;
const days = 31;

interface Read {
  readonly records: readonly Shown[];
  readonly isWhole: boolean;
}

async function read(path: string, query: URLSearchParams, pages: number): Promise<Read> {
  const records: Shown[] = [];
  const next = new URLSearchParams(query);
  next.set('limit', String(pageSize));
  for (let page = 0; page < pages; page += 1) {
    const { results, hasMore } = await list(path, next);
    records.push(...results);
    if (!hasMore) return { records, isWhole: true };
    next.set('startingAfter', String(results.at(-1)?.id));
  }
  return { records, isWhole: false };
}

export interface ChartData {
  readonly day: FieldModel;
  readonly records: readonly Shown[];
  readonly slots: readonly string[];
  readonly slotOf: (day: string) => string;
  /** Months, or days where there are too many records in a year. */
  readonly isByDay: boolean;
}

/** Twelve months until today, or until the newest record; days where these are more than can be read for it. */
export async function chartData(group: GroupModel): Promise<ChartData | undefined> {
  const [day] = daysOf(group);
  const names = day && rangeFilters(group, day);
  if (day === undefined || names === undefined) return undefined;
  const newest = await read(group.path, new URLSearchParams(), 1);
  const dates = newest.records.map((record) => String(record[day.name])).toSorted();
  const end = dates.findLast((date) => date <= today()) ?? dates[0];
  if (end === undefined) return undefined;
  const within = async (from: string, to: string, pages: number): Promise<Read> =>
    newest.isWhole ? newest : read(group.path, new URLSearchParams({ [names.from]: from, [names.to]: to }), pages);
  const last = monthOf(end);
  const months = monthsBetween(monthAfter(last, -11), last);
  const year = await within(firstDay(months[0] ?? last), lastDay(last), yearPages);
  if (year.isWhole) return { day, records: year.records, slots: months, slotOf: monthOf, isByDay: false };
  const from = dayNumber(end) - days + 1;
  const month = await within(dayAt(from), end, monthPages);
  if (!month.isWhole) return undefined;
  const slots = Array.from({ length: days }, (_, index) => dayAt(from + index));
  return { day, records: month.records, slots, slotOf: (text) => text, isByDay: true };
}

export interface StateCount {
  readonly state: string;
  readonly count: number;
  readonly isMore: boolean;
}

/** How many records are in each state, counted up to a page. */
export async function stateCounts(group: GroupModel, field: FieldModel): Promise<readonly StateCount[] | undefined> {
  const name = equalsFilter(group, field.name);
  if (name === undefined) return undefined;
  return Promise.all(
    (field.values ?? []).map(async (state) => {
      const { records, isWhole } = await read(group.path, new URLSearchParams({ [name]: state }), 1);
      return { state, count: records.length, isMore: !isWhole };
    }),
  );
}

/** Days around today, and what lasts into them. */
export async function nowData(group: GroupModel, { start, end }: Span) {
  const now = dayNumber(today());
  const around = { from: now - 14, to: now + 76 };
  const [starts, ends] = [rangeFilters(group, start), rangeFilters(group, end)];
  const query = new URLSearchParams();
  if (starts !== undefined && start.unset === 'never') query.set(starts.to, dayAt(around.to));
  if (ends !== undefined && end.unset === 'never') query.set(ends.from, dayAt(around.from));
  return { around, ...(await read(group.path, query, 2)) };
}

/** The newest records. */
export const newestOf = (group: GroupModel, count: number) =>
  list(group.path, new URLSearchParams({ limit: String(count) }));
