// Scans of a range of values, whose index does not have the order of the list.

import type { Bound, Cell, Row } from '../../storage/schema/cells.ts';
import { isBackwards } from '../../storage/statements/filter-sql.ts';
import { daysAtOnce, headsAtOnce } from '../../storage/statements/page-sql.ts';
import type { Plan, Span } from '../../storage/statements/plan.ts';
import { paddedCount } from '../../storage/statements/query.ts';
import { type Course, type Extent, timeOf, type Way } from './race-way.ts';

const dayMs = 86_400_000;
const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A record's place in the list. */
interface ListPosition {
  readonly id: string;
  readonly created: string;
}

/** The first places of the page among those that it is shown. */
class Foremost {
  #places: ListPosition[] = [];
  readonly #limit: number;
  readonly #sign: 1 | -1;

  constructor({ limit, start }: Course) {
    this.#limit = limit;
    this.#sign = isBackwards(start) ? 1 : -1;
  }

  get places(): readonly ListPosition[] {
    return this.#places;
  }

  add(places: readonly ListPosition[]): void {
    const all = new Map([...this.#places, ...places].map((place) => [place.id, place]));
    this.#places = [...all.values()].sort((a, b) => this.compare(a, b)).slice(0, this.#limit);
  }

  /** Both databases give times as texts that sort as they follow each other. */
  compare(a: ListPosition, b: ListPosition): number {
    const [one, other] = a.created === b.created ? [a.id, b.id] : [a.created, b.created];
    return one === other ? 0 : one < other ? -this.#sign : this.#sign;
  }

  /** Whether the page is full, and nothing at or behind a time has a place on it. */
  isAheadOf(created: string): boolean {
    const last = this.#places[this.#limit - 1];
    return last !== undefined && last.created !== created && this.compare(last, { id: '', created }) < 0;
  }
}

/** The rows of a page by their places; a record that has changed meanwhile is left out. */
export async function rowsAt(
  { ask, queries, plan, values }: Pick<Course, 'ask' | 'queries' | 'values'> & { readonly plan: Pick<Plan, 'filters'> },
  places: readonly Pick<ListPosition, 'id'>[],
): Promise<Row[]> {
  if (places.length === 0) return [];
  const count = paddedCount(places.length);
  const ids: Record<string, Bound> = {};
  for (let n = 0; n < count; n += 1) ids[`id${n}`] = (places[n] ?? places[0])?.id ?? null;
  const rows = new Map<string, Row>(
    (await ask(queries.rows(plan, count), { ...values, ...ids })).map((row) => [String(row[0]), row]),
  );
  return places.map(({ id }) => rows.get(id)).filter((row) => row !== undefined);
}

/** The first and last day of a span that may have records, in milliseconds. */
function reachOf({ filters, column }: Span, { values }: Course, extent: Extent): readonly [number, number] | undefined {
  const reach = extent.days.get(column);
  if (reach === undefined) return undefined;
  let [from, to] = reach;
  for (const { name, comparison } of filters) {
    const bound = timeOf(values[name] as Cell);
    if (comparison === 'after') from = Math.max(from, bound + dayMs);
    else if (comparison === 'onAfter') from = Math.max(from, bound);
    else to = Math.min(to, comparison === 'before' ? bound - dayMs : bound);
  }
  return [from, to];
}

/** What is left when so much was read for that share. Where the share is unknown, it may be half. */
const leftOf = (read: number, share: number | undefined): number =>
  share === undefined ? read : (read * (1 - share)) / share;

/** Through all entries of a span, keeping the foremost: for spans that hold few. */
export class CollectWay implements Way {
  readonly #course: Course;
  readonly #span: Span;
  readonly #foremost: Foremost;
  #behind: Record<string, Bound> | undefined;
  #read = 0;

  constructor(course: Course, span: Span) {
    this.#course = course;
    this.#span = span;
    this.#foremost = new Foremost(course);
  }

  async step(entries: number): Promise<readonly Row[] | undefined> {
    const { queries, plan, ask, values, limit, start } = this.#course;
    const statement = queries.collect(plan, this.#span, { start, goesOn: this.#behind !== undefined });
    // The last entry comes besides.
    const steps = { entries, last: entries, limit: limit + 1 };
    const rows = await ask(statement, { ...values, ...this.#behind, ...steps });
    const places = rows.filter((row) => Number(row[3]) === 1);
    this.#foremost.add(places.map(([id, created]) => ({ id: String(id), created: String(created) })));
    const last = rows.find((row) => Number(row[4]) === entries);
    if (last === undefined) return rowsAt(this.#course, this.#foremost.places);
    const [atId = null, atTime = null, atValue = null] = last;
    this.#behind = { atId, atTime, atValue };
    this.#read += entries;
    return undefined;
  }

  left(extent: Extent): number {
    const reach = reachOf(this.#span, this.#course, extent);
    if (reach === undefined || this.#behind === undefined) return leftOf(this.#read, undefined);
    const [from, to] = reach;
    const share = (timeOf(this.#behind['atValue'] as Cell) - from) / (to - from);
    return leftOf(this.#read, share > 0 && share <= 1 ? share : undefined);
  }
}

/**
 * From day to day of a span, looking only at the first record of each, and then into the few days whose first records are
 * foremost: for wide spans that lie far behind in the list.
 */
export class DaysWay implements Way {
  readonly #course: Course;
  readonly #span: Span;
  readonly #heads: { readonly day: string; readonly created: string }[] = [];
  /** The next day to look at, in milliseconds. */
  #next: number | undefined;

  constructor(course: Course, span: Span) {
    this.#course = course;
    this.#span = span;
  }

  async step(entries: number, extent: Extent): Promise<readonly Row[] | undefined> {
    const { queries, plan, ask, values, start } = this.#course;
    const [from, to] = reachOf(this.#span, this.#course, extent) ?? [0, -1];
    let next = this.#next ?? from;
    for (let left = entries; left > 0 && next <= to; left -= headsAtOnce) {
      const days = Array.from({ length: headsAtOnce }, (_value, n) => next + n * dayMs)
        .filter((day) => day <= to)
        .map(toDay);
      const bound = Object.fromEntries(
        Array.from({ length: headsAtOnce }, (_value, n) => [`day${n}`, days[n] ?? null]),
      );
      const [heads = []] = await ask(queries.heads(plan, this.#span, start), { ...values, ...bound });
      for (const [n, day] of days.entries())
        if (heads[n] !== null) this.#heads.push({ day, created: String(heads[n]) });
      next += headsAtOnce * dayMs;
    }
    this.#next = next;
    return next > to ? this.#merge() : undefined;
  }

  /** Reads days in the order of their first records, until no other can have a place on the page. */
  async #merge(): Promise<readonly Row[]> {
    const { queries, plan, ask, values, limit, start } = this.#course;
    const foremost = new Foremost(this.#course);
    const heads = this.#heads.toSorted((a, b) => foremost.compare({ id: '', ...a }, { id: '', ...b }));
    for (let next = 0; next < heads.length; ) {
      const [head] = heads.slice(next);
      if (head === undefined || foremost.isAheadOf(head.created)) break;
      // The first is often enough: records of one day tend to be made together.
      const some = heads.slice(next, next + (next === 0 ? 1 : daysAtOnce));
      const days = Object.fromEntries(
        Array.from({ length: daysAtOnce }, (_value, n) => [`day${n}`, some[n]?.day ?? null]),
      );
      const rows = await ask(queries.days(plan, this.#span, start), { ...values, ...days, limit });
      foremost.add(rows.map(([id, created]) => ({ id: String(id), created: String(created) })));
      next += some.length;
    }
    return rowsAt(this.#course, foremost.places);
  }

  left(extent: Extent): number {
    const [from, to] = reachOf(this.#span, this.#course, extent) ?? [0, 0];
    return (to - (this.#next ?? from)) / dayMs;
  }
}
