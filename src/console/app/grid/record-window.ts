// The loaded part of a list: pages by cursor. Pages near the visible rows are held, of others only their cursors, so
// that memory does not grow with the list.
import { signal } from '@preact/signals';
import { ApiProblem, list, pageSize, type Shown } from '../service/api.ts';

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
const held = 24;

export class RecordWindow {
  readonly #path: string;
  readonly #filters: URLSearchParams;
  readonly #pages: PageOfRecords[] = [];
  readonly #loading = new Set<number>();
  readonly #ends = new AbortController();
  #isEnd = false;
  /** Rises with every change. */
  readonly version = signal(0);
  readonly problem = signal<ApiProblem | undefined>(undefined);

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
  get isLoading(): boolean {
    return this.#loading.size > 0;
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
    if (page === undefined) return;
    const { results, hasMore } = page;
    const [first, end] = [results.at(0)?.id, results.at(-1)?.id];
    if (first !== undefined && end !== undefined)
      this.#pages.push({ start, count: results.length, first, last: end, records: results });
    this.#isEnd = !hasMore;
    this.version.value += 1;
  }

  /** Reads a page again that was let go: the records before those of the page behind it. */
  async #reload(index: number): Promise<void> {
    const page = this.#pages[index];
    const [before, behind] = [this.#pages[index - 1], this.#pages[index + 1]];
    if (page === undefined) return;
    const cursor = behind !== undefined ? { endingBefore: behind.first } : before && { startingAfter: before.last };
    const found = await this.#read(index, { ...cursor, limit: String(page.count) });
    if (found === undefined) return;
    page.records = found.results;
    this.version.value += 1;
  }

  async #read(index: number, cursor: Readonly<Record<string, string>>) {
    if (this.#loading.has(index) || this.problem.value !== undefined) return undefined;
    this.#loading.add(index);
    const query = new URLSearchParams(this.#filters);
    for (const [name, value] of Object.entries({ limit: String(pageSize), ...cursor })) query.set(name, value);
    try {
      return await list(this.#path, query, this.#ends.signal);
    } catch (error) {
      if (this.#ends.signal.aborted) return undefined;
      this.problem.value = error instanceof ApiProblem ? error : new ApiProblem(0, String(error));
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
