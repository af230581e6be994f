// A page of a list that is sorted by a field. Its places are the value, the time of making and the id; nothing is less than
// every value. Where no other field is filtered, one statement along the index of the field is the page, and one before it
// looks up where it begins. Else the ways that lead to it take steps in turn, all as long, each longer than the one before:
// what is read is a few times what the shortest way reads, whichever that is.

import { yieldToLoop } from '../../admission/event-loop.ts';
import type { Bound, Cell, Row } from '../../storage/schema/cells.ts';
import type { Statement } from '../../storage/schema/compiler.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { PageQueries } from '../../storage/statements/page-sql.ts';
import type { Span, Walk } from '../../storage/statements/plan.ts';
import type { SortedPlan } from '../../storage/statements/sorted-plan.ts';
import type { Behind, Direction, IndexRange, SortedQueries } from '../../storage/statements/sorted-sql.ts';
import { exactly } from '../../values/decimal.ts';
import { compareStrings } from '../../values/format.ts';
import { rowsAt } from './range-scan.ts';

/** Entries that each way reads at first, for each record that is wanted. */
const firstStepEach = 5;
/** How much longer each step is than the one before. */
const growth = 3;

/** A place in the list. */
interface SortPosition {
  readonly value: Cell;
  readonly created: Cell;
  readonly id: string;
}

/** What a sorted page is about. */
export interface SortedCourse extends Direction {
  readonly pages: PageQueries;
  readonly sorted: SortedQueries;
  readonly plan: SortedPlan;
  readonly dialect: Dialect;
  /** The record behind which it begins, in the direction of reading. */
  readonly cursorId: string | undefined;
  readonly values: Readonly<Record<string, Bound>>;
  /** How many records are wanted. */
  readonly limit: number;
  ask(statement: Statement, values: Readonly<Record<string, Bound>>): Promise<Row[]>;
}

/** Finds the rows of a page, in the direction of reading; undefined where there is no record behind which it could begin. */
export async function sortedRows(course: SortedCourse): Promise<readonly Row[] | undefined> {
  const { plan, sorted, cursorId, values, ask } = course;
  if (cursorId === undefined) return rowsBehind(course, undefined, [atTheEnd(plan)]);
  const [found] = await ask(sorted.place(plan), { ...values, cursorId });
  if (found === undefined) return undefined;
  const [value = null, created = null, lower, upper] = found;
  const within = { lower: Number(lower) === 1, upper: Number(upper) === 1 };
  return rowsBehind(course, { value, created, id: cursorId }, partsBehind(course, value, within));
}

const atTheEnd = ({ own }: SortedPlan): IndexRange => ({ of: own.length === 0 ? 'all' : 'values', isBehind: false });

interface Within {
  readonly lower: boolean;
  readonly upper: boolean;
}

/** The stretches of the index that lie behind a value. Bounds leave out what has none. */
function partsBehind({ plan, isDescending }: SortedCourse, value: Cell, within: Within): IndexRange[] {
  const { own, isNullable } = plan;
  const isBounded = own.length > 0;
  if (value === null) {
    const nulls: IndexRange[] = isBounded ? [] : [{ of: 'nulls', isBehind: true }];
    return isDescending ? nulls : [...nulls, { of: 'values', isBehind: false }];
  }
  const [begins, ends] = isDescending ? [within.upper, within.lower] : [within.lower, within.upper];
  // The record has left the list on one side of it, or on the other.
  if (!begins) return [{ of: 'values', isBehind: false }];
  if (!ends) return [];
  const rest: IndexRange[] = isDescending && isNullable && !isBounded ? [{ of: 'nulls', isBehind: false }] : [];
  return [{ of: 'values', isBehind: true }, ...rest];
}

async function rowsBehind(
  course: SortedCourse,
  place: SortPosition | undefined,
  parts: readonly IndexRange[],
): Promise<readonly Row[]> {
  const { plan, sorted, values, ask, limit } = course;
  if (plan.others.length > 0) return race(course, place, parts);
  const rows: Row[] = [];
  for (const part of parts) {
    if (rows.length >= limit) break;
    const bound = { ...values, ...boundOf(place), limit: limit - rows.length };
    rows.push(...(await ask(sorted.direct(plan, part, course), bound)));
  }
  return rows;
}

const boundOf = (place: SortPosition | undefined): Record<string, Bound> =>
  place === undefined ? {} : { placeValue: place.value, cursorTime: place.created, cursorId: place.id };

/** A way to the page. */
interface Way {
  /** Reads so many entries more. @returns the rows of the page when it is found */
  step(entries: number): Promise<readonly Row[] | undefined>;
}

async function race(
  course: SortedCourse,
  place: SortPosition | undefined,
  parts: readonly IndexRange[],
): Promise<readonly Row[]> {
  const { plan, limit, dialect } = course;
  const ways: Way[] = [
    ...(plan.isOfOne ? [] : [new AlongIndex(course, place, parts)]),
    ...[...plan.walks, ...plan.spans].map((way) => new ThroughAll(course, place, way)),
  ];
  for (let entries = firstStepEach * limit; ; entries = Math.min(growth * entries, dialect.entriesAtOnce)) {
    for (const way of ways) {
      const rows = await way.step(entries);
      if (rows !== undefined) return rows;
      await yieldToLoop();
    }
  }
}

/** Along the index that has the order of the list, looking at what it passes. */
class AlongIndex implements Way {
  readonly #course: SortedCourse;
  readonly #found = new Map<string, Row>();
  #place: SortPosition | undefined;
  #parts: readonly IndexRange[];

  constructor(course: SortedCourse, place: SortPosition | undefined, parts: readonly IndexRange[]) {
    this.#course = course;
    this.#place = place;
    this.#parts = parts;
  }

  async step(entries: number): Promise<readonly Row[] | undefined> {
    const { plan, sorted, values, ask, limit } = this.#course;
    const [part, ...rest] = this.#parts;
    const missing = limit - this.#found.size;
    if (part === undefined || missing <= 0) return [...this.#found.values()];
    const bound = { ...values, ...boundOf(this.#place), entries, last: entries, limit: missing };
    const rows = await ask(sorted.walk(plan, part, this.#course), bound);
    for (const row of rows) if (Number(row.at(-2)) === 1) this.#found.set(String(row[0]), row);
    const last = rows.at(-1);
    if (this.#found.size >= limit) return [...this.#found.values()];
    if (last === undefined || Number(last.at(-1)) < entries) {
      this.#parts = rest;
      return rest.length === 0 ? [...this.#found.values()] : undefined;
    }
    const value = last.at(-3) ?? null;
    this.#place = { value, created: last.at(-4) ?? null, id: String(last[0]) };
    const all = { lower: true, upper: true };
    this.#parts = part.of === 'all' ? partsBehind(this.#course, value, all) : [{ ...part, isBehind: true }, ...rest];
    return undefined;
  }
}

/** Through all that a filter leads to, keeping the foremost. */
class ThroughAll implements Way {
  readonly #course: SortedCourse;
  readonly #way: Walk | Span;
  readonly #behind: Behind;
  readonly #place: Readonly<Record<string, Bound>>;
  #foremost: SortPosition[] = [];
  #at: Readonly<Record<string, Bound>> | undefined;

  constructor(course: SortedCourse, place: SortPosition | undefined, way: Walk | Span) {
    this.#course = course;
    this.#way = way;
    this.#behind = place === undefined ? 'nothing' : place.value === null ? 'null' : 'value';
    this.#place = boundOf(place);
  }

  async step(entries: number): Promise<readonly Row[] | undefined> {
    const { plan, sorted, pages, ask, limit, isDescending, values: given } = this.#course;
    const values = { ...given, ...this.#place };
    const direction = { isDescending, behind: this.#behind, goesOn: this.#at !== undefined };
    // The last entry comes besides.
    const steps = { entries, last: entries, limit: limit + 1 };
    const rows = await ask(sorted.collect(plan, this.#way, direction), { ...values, ...this.#at, ...steps });
    this.#add(
      rows
        .filter((row) => Number(row[3]) === 1)
        .map(([id, created = null, value = null]) => ({ id: String(id), created, value })),
    );
    const last = rows.find((row) => Number(row[4]) === entries);
    if (last === undefined) return rowsAt({ ask, queries: pages, plan: this.#plan, values }, this.#foremost);
    this.#at = { atId: last[0] ?? null, atTime: last[1] ?? null, atValue: last[5] ?? null };
    return undefined;
  }

  /** The rows are asked for by their ids, whatever they are sorted by. */
  get #plan() {
    return { filters: this.#course.plan.filters };
  }

  #add(places: readonly SortPosition[]): void {
    const { limit, plan, isDescending } = this.#course;
    const sign = isDescending ? -1 : 1;
    const all = new Map([...this.#foremost, ...places].map((place) => [place.id, place]));
    this.#foremost = [...all.values()].sort((a, b) => sign * compare(a, b, plan)).slice(0, limit);
  }
}

/** As both databases do. */
function compare(a: SortPosition, b: SortPosition, { type }: SortedPlan): number {
  const [one, other] = [a.value, b.value];
  if (one === null || other === null) {
    if (one !== other) return one === null ? -1 : 1;
  } else {
    const isNumber = type.kind === 'integer' || type.kind === 'decimal';
    const order = isNumber ? exactly.compare(String(one), String(other)) : compareStrings(String(one), String(other));
    if (order !== 0) return order;
  }
  return compareStrings(`${String(a.created)} ${a.id}`, `${String(b.created)} ${b.id}`);
}

/** By code points, which is the order of UTF-8. */
