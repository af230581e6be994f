// The loaded part of a list: pages by cursor. Pages near the visible rows are held, of others only their cursors, so
// that memory does not grow with the list.
import { signal } from '@preact/signals';
import { type ApiProblem, asProblem, list, type Shown } from '../../service/api.ts';

/** So many rows are read at a time: what a screen shows, so that the first stand there soon. */
const pageSize = 40;

interface PageOfRecords {
  /** Place of its first record in the list. */
  start: number;
  count: number;
  readonly first: string;
  readonly last: string;
  /** Undefined for what was let go. */
  records: readonly Shown[] | undefined;
}

/** So many pages are held. */
const held = 60;

export class RecordWindow {
  readonly #path: string;
  readonly #filters: URLSearchParams;
  readonly #pages: PageOfRecords[] = [];
  readonly #loading = new Set<number>();
  readonly #ends = new AbortController();
  #isEnd = false;
  #total: { readonly count: number; readonly isLeast: boolean } | undefined;
  /** Rises with every change. */
  readonly version = signal(0);
  readonly problem = signal<ApiProblem | undefined>(undefined);

  /** Whether records have come or gone since, so that places have moved. */
  readonly isStale = signal(false);

  /** @param path Of the group: `/clients`. */
  constructor(path: string, filters: URLSearchParams) {
    this.#path = path;
    this.#filters = filters;
  }

  /** How many records have been read, and whether these are all. */
  get count(): number {
    const last = this.#pages.at(-1);
    return last === undefined ? 0 : last.start + last.count;
  }
  get isEnd(): boolean {
    return this.#isEnd;
  }
  /** How many there are in all, as counted when they were first asked for. */
  get total(): { readonly count: number; readonly isLeast: boolean } | undefined {
    return this.#total;
  }

  at(index: number): Shown | undefined {
    const page = this.#pages[this.#pageAt(index)];
    return page?.records?.[index - page.start];
  }

  /** The records that are held, in their order. */
  loaded(): readonly Shown[] {
    return this.#pages.flatMap(({ records }) => records ?? []);
  }

  /** Reads what is wanted and not held, from one place to another; the next page where one comes to the end. */
  want(from: number, to: number): void {
    const [first, last] = [this.#pageAt(from), this.#pageAt(to)];
    for (let page = Math.max(first, 0); page <= last && page < this.#pages.length; page += 1)
      if (this.#pages[page]?.records === undefined) void this.#reload(page);
    if (!this.#isEnd && to >= this.count - 1) void this.#next();
    this.#letGo(first);
  }

  /** Asks again for what one sees; what others have changed stands there then. */
  async refresh(from: number, to: number): Promise<void> {
    const [first, last] = [Math.max(this.#pageAt(from), 0), this.#pageAt(to)];
    for (let index = first; index <= last && index < this.#pages.length; index += 1) {
      const page = this.#pages[index];
      if (page?.records === undefined) continue;
      const found = await this.#read(index, { ...this.#cursorOf(index), limit: String(page.count) }, true);
      if (found === undefined) return;
      const isSame =
        found.results.length === page.count &&
        found.results[0]?.id === page.first &&
        found.results.at(-1)?.id === page.last;
      if (!isSame) {
        this.isStale.value = true;
        return;
      }
      if (JSON.stringify(found.results) === JSON.stringify(page.records)) continue;
      page.records = found.results;
      this.version.value += 1;
    }
  }

  /** Reads all anew, from the first one. */
  restart(): void {
    this.#pages.length = 0;
    this.#isEnd = false;
    this.isStale.value = false;
    this.problem.value = undefined;
    void this.#next();
  }

  /** Takes over a record that has been written. */
  put(record: Shown): void {
    for (const page of this.#pages) {
      const index = page.records?.findIndex(({ id }) => id === record.id) ?? -1;
      if (page.records !== undefined && index >= 0) page.records = page.records.with(index, record);
    }
    this.version.value += 1;
  }

  /** Ends what is under way. */
  stop(): void {
    this.#ends.abort();
  }

  again(): void {
    this.problem.value = undefined;
    this.want(this.count, this.count);
  }

  async #next(): Promise<void> {
    const index = this.#pages.length;
    const start = this.count;
    const last = this.#pages.at(-1)?.last;
    const page = await this.#read(index, last === undefined ? {} : { startingAfter: last });
    // What was asked for before all was read anew is no matter any more.
    if (page === undefined || index !== this.#pages.length) return;
    const { results, hasMore } = page;
    // The rows come first, and how many there are behind them.
    if (hasMore && last === undefined) void this.#countAll();
    const [first, end] = [results.at(0)?.id, results.at(-1)?.id];
    if (first !== undefined && end !== undefined)
      this.#pages.push({ start, count: results.length, first, last: end, records: results });
    this.#isEnd = !hasMore;
    this.version.value += 1;
  }

  async #countAll(): Promise<void> {
    const query = new URLSearchParams(this.#filters);
    for (const [name, value] of Object.entries({ limit: '1', count: 'true', fields: 'id' })) query.set(name, value);
    // What is not counted is told as it is read.
    const found = await list(this.#path, query, this.#ends.signal).catch(() => undefined);
    if (found?.count === undefined) return;
    this.#total = { count: found.count, isLeast: found.countIsLowerBound === true };
    this.version.value += 1;
  }

  /** Reads a page again that was let go: the records before those of the page behind it. */
  async #reload(index: number): Promise<void> {
    const page = this.#pages[index];
    if (page === undefined) return;
    const found = await this.#read(index, { ...this.#cursorOf(index), limit: String(page.count) });
    if (found === undefined) return;
    page.records = found.results;
    this.version.value += 1;
  }

  #cursorOf(index: number): Readonly<Record<string, string>> {
    const [before, behind] = [this.#pages[index - 1], this.#pages[index + 1]];
    if (before !== undefined) return { startingAfter: before.last };
    return behind === undefined || index === 0 ? {} : { endingBefore: behind.first };
  }

  /** @param isQuiet Where nobody waits for it: what goes wrong is left for the next time. */
  async #read(index: number, cursor: Readonly<Record<string, string>>, isQuiet = false) {
    if (this.#loading.has(index) || this.problem.value !== undefined) return undefined;
    this.#loading.add(index);
    const query = new URLSearchParams(this.#filters);
    for (const [name, value] of Object.entries({ limit: String(pageSize), ...cursor })) query.set(name, value);
    try {
      return await list(this.#path, query, this.#ends.signal);
    } catch (error) {
      if (this.#ends.signal.aborted || isQuiet) return undefined;
      this.problem.value = asProblem(error);
      return undefined;
    } finally {
      this.#loading.delete(index);
    }
  }

  /** The page of a place; pages are of any length. */
  #pageAt(index: number): number {
    let [low, high] = [0, this.#pages.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const page = this.#pages[middle];
      if (page === undefined || page.start > index) high = middle - 1;
      else if (page.start + page.count <= index) low = middle + 1;
      else return middle;
    }
    return low;
  }

  /** Lets go of the pages that are far from where one looks. */
  #letGo(near: number): void {
    for (const [index, page] of this.#pages.entries()) if (Math.abs(index - near) > held / 2) page.records = undefined;
  }
}
