// Ways to a page along indexes that have the order of the list.
import type { Walk } from '../storage/plan.ts';
import type { Bound, Cell, Row } from '../storage/session.ts';
import { type Course, type Extent, timeOf, type Way } from './race-way.ts';

/** How far all walks have come together: what one has passed, no other has to look at again. */
export class ListFront {
  readonly course: Course;
  readonly found = new Map<string, Row>();
  #start: Course['start'];
  #values: Readonly<Record<string, Bound>>;
  #time: number | undefined;
  /** Milliseconds of the list that have been passed. */
  passedMs = 0;

  constructor(course: Course) {
    this.course = course;
    this.#start = course.start;
    this.#values = course.values;
    this.#time = course.start === 'first' ? undefined : timeOf(course.values['cursorTime'] as Cell);
  }

  get missing(): number {
    return this.course.limit - this.found.size;
  }

  /** The next entries of a walk. */
  read(walk: Walk, entries: number): Promise<Row[]> {
    const { queries, plan, ask } = this.course;
    const steps = { entries, last: entries, limit: this.missing };
    return ask(queries.walk(plan, walk, this.#start), { ...this.#values, ...steps });
  }

  /** Goes on to an entry. @returns how many milliseconds of the list that is. */
  moveTo(id: Cell, created: Cell): number {
    const time = timeOf(created);
    const passed = Math.max(1, Math.abs((this.#time ?? time) - time));
    this.#time = time;
    this.passedMs += passed;
    this.#start = this.course.start === 'before' ? 'before' : 'after';
    this.#values = { ...this.course.values, cursorTime: created, cursorId: id };
    return passed;
  }

  /** How many milliseconds of the list are probably to be passed until the page is full. */
  leftMs([from, to]: readonly [number, number]): number {
    const end = this.course.start === 'before' ? to : from;
    const rest = Math.abs((this.#time ?? end) - end);
    return this.found.size === 0 ? rest : Math.min(rest, (this.passedMs / this.found.size) * this.missing);
  }
}

/** Along an index that has the order of the list, looking at what it passes. */
export class WalkWay implements Way {
  readonly #walk: Walk;
  readonly #front: ListFront;
  /** Entries for each millisecond of the list, where it walked last. */
  #density = Number.POSITIVE_INFINITY;

  constructor(walk: Walk, front: ListFront) {
    this.#walk = walk;
    this.#front = front;
  }

  async step(entries: number): Promise<readonly Row[] | undefined> {
    const front = this.#front;
    const wanted = front.missing;
    const rows = await front.read(this.#walk, entries);
    for (const row of rows) if (Number(row.at(-2)) === 1) front.found.set(String(row[0]), row);
    const last = rows.at(-1);
    const read = Number(last?.at(-1) ?? 0);
    const isThrough = rows.length < wanted && read < entries;
    if (front.missing <= 0 || isThrough || last === undefined) return [...front.found.values()];
    this.#density = read / front.moveTo(last[0] ?? null, last.at(-3) ?? null);
    return undefined;
  }

  left({ list }: Extent): number {
    return this.#density * this.#front.leftMs(list);
  }
}
