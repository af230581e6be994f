// Scans along an index that has the order of the list.

import type { Bound, Cell, Row } from '../../storage/schema/cells.ts';
import { isAtEnd, isBackwards } from '../../storage/statements/filter-sql.ts';
import type { Walk } from '../../storage/statements/plan.ts';
import { type Course, type Extent, timeOf, type Way } from './race-way.ts';

/** What a step reads at least for each record that is wanted. */
const leastEach = 5;

/** How far all walks have come together: what one has passed, no other has to look at again. */
export class ListFront {
  readonly course: Course;
  readonly found = new Map<string, Row>();
  #start: Course['start'];
  #values: Readonly<Record<string, Bound>>;
  #time: number | undefined;
  readonly #begin: number | undefined;
  /** Entries that all walks have read. */
  #entries = 0;

  constructor(course: Course) {
    this.course = course;
    this.#start = course.start;
    this.#values = course.values;
    this.#begin = isAtEnd(course.start) ? undefined : timeOf(course.values['cursorTime'] as Cell);
    this.#time = this.#begin;
  }

  get missing(): number {
    return this.course.limit - this.found.size;
  }

  /** The next entries of a walk: no more than would probably fill the page twice, as often as records have passed by now. */
  async read(walk: Walk, entries: number): Promise<{ readonly rows: Row[]; readonly asked: number }> {
    const { queries, plan, ask } = this.course;
    const { missing } = this;
    const enough = this.found.size === 0 ? entries : Math.ceil((2 * missing * this.#entries) / this.found.size);
    const asked = Math.min(entries, Math.max(enough, leastEach * missing));
    const steps = { entries: asked, last: asked, limit: missing };
    const rows = await ask(queries.walk(plan, walk, this.#start), { ...this.#values, ...steps });
    for (const row of rows) if (Number(row.at(-2)) === 1) this.found.set(String(row[0]), row);
    return { rows, asked };
  }

  /** Goes on to an entry, so many of the index behind the last. @returns from when to when in the list that is. */
  moveTo(id: Cell, created: Cell, entries: number): { readonly from: number | undefined; readonly to: number } {
    const from = this.#time;
    this.#time = timeOf(created);
    this.#entries += entries;
    this.#start = isBackwards(this.course.start) ? 'before' : 'after';
    this.#values = { ...this.course.values, cursorTime: created, cursorId: id };
    return { from, to: this.#time };
  }

  /** How many milliseconds of the list are probably to be passed until the page is full. */
  leftMs(list: Extent['list']): number {
    const isBack = isBackwards(this.course.start);
    const [begin, end] = isBack ? list : [list[1], list[0]];
    const rest = Math.abs((this.#time ?? end) - end);
    const passed = Math.abs((this.#time ?? end) - (this.#begin ?? begin));
    return this.found.size === 0 ? rest : Math.min(rest, (passed / this.found.size) * this.missing);
  }
}

/** Along an index that has the order of the list, looking at what it passes. */
export class WalkWay implements Way {
  readonly #walk: Walk;
  readonly #front: ListFront;
  /** Its last step: how many entries it had, from when to when. */
  #last: { readonly read: number; readonly from: number | undefined; readonly to: number } | undefined;

  constructor(walk: Walk, front: ListFront) {
    this.#walk = walk;
    this.#front = front;
  }

  async step(entries: number): Promise<readonly Row[] | undefined> {
    const front = this.#front;
    const wanted = front.missing;
    const { rows, asked } = await front.read(this.#walk, entries);
    const last = rows.at(-1);
    // Not the number of the last row: where items of one record hold a value twice, any of them may come last.
    const read = Math.max(0, ...rows.map((row) => Number(row.at(-1))));
    const isThrough = rows.length < wanted && read < asked;
    if (front.missing <= 0 || isThrough || last === undefined) return [...front.found.values()];
    this.#last = { read, ...front.moveTo(last[0] ?? null, last.at(-3) ?? null, read) };
    return undefined;
  }

  left({ list }: Extent): number {
    if (this.#last === undefined) return Number.POSITIVE_INFINITY;
    const { read, from = list[isBackwards(this.#front.course.start) ? 0 : 1], to } = this.#last;
    return (read / Math.max(1, Math.abs(from - to))) * this.#front.leftMs(list);
  }
}
