// Loads the records of a view through the public list, page by page, up to a limit that is shown. Many records are
// loaded in parts (a month each), so that every complete part is right.
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type ApiProblem, asProblem, list, pageSize, type Shown } from '../../service/api.ts';

/** So many records are read before one is asked. */
export const bound = 10_000;
const atOnce = 3;
/** Pictures are drawn anew at most so often while records come in. */
const restMs = 120;

interface Part {
  readonly query: string;
  readonly records: Shown[];
  isWhole: boolean;
  isMigrating: boolean;
}

export class Reading {
  readonly #path: string;
  readonly #parts: readonly Part[];
  readonly #ends = new AbortController();
  #most: number;
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Rises with every change. */
  readonly version = signal(0);
  readonly problem = signal<ApiProblem | undefined>(undefined);

  /** @param queries Of the parts, those that matter most first. */
  constructor(path: string, queries: readonly string[], most: number) {
    this.#path = path;
    // The order of a list is no matter of a picture.
    const plain = (query: string): string => {
      const next = new URLSearchParams(query);
      next.delete('sort');
      return next.toString();
    };
    this.#parts = queries.map(plain).map((query) => ({ query, records: [], isWhole: false, isMigrating: false }));
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether all there is has been read. */
  get isWhole(): boolean {
    return this.#parts.every((part) => part.isWhole);
  }

  /** Whether it stopped at the bound. */
  get isCut(): boolean {
    return !this.isWhole && !this.isMigrating && this.problem.value === undefined && this.#count >= this.#most;
  }

  get isMigrating(): boolean {
    return this.#parts.some((part) => part.isMigrating);
  }

  /** Records of the part of a query, and whether they are all of it. */
  part(index: number): { readonly records: readonly Shown[]; readonly isWhole: boolean } {
    return this.#parts[index] ?? { records: [], isWhole: false };
  }

  records(): readonly Shown[] {
    return this.#parts.flatMap(({ records }) => records);
  }

  start(): void {
    for (let lane = 0; lane < atOnce; lane += 1) void this.#run();
  }

  /** Reads on, behind the bound, or after a problem. */
  further(): void {
    if (this.#count >= this.#most) this.#most += bound;
    this.problem.value = undefined;
    this.start();
  }

  stop(): void {
    this.#ends.abort();
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    for (;;) {
      const part = this.#parts.find(({ isWhole, isMigrating }) => !isWhole && !isMigrating);
      if (part === undefined || this.#isOver()) return this.#tell();
      part.isMigrating = true;
      await this.#readPart(part);
      part.isMigrating = false;
      this.#tell();
    }
  }

  #isOver = (): boolean => this.#count >= this.#most || this.#ends.signal.aborted || this.problem.value !== undefined;

  async #readPart(part: Part): Promise<void> {
    while (!part.isWhole && !this.#isOver()) {
      const query = new URLSearchParams(part.query);
      query.set('limit', String(pageSize));
      const last = part.records.at(-1)?.id;
      if (last !== undefined) query.set('startingAfter', last);
      try {
        const { results, hasMore } = await list(this.#path, query, this.#ends.signal);
        part.records.push(...results);
        this.#count += results.length;
        part.isWhole = !hasMore;
      } catch (error) {
        if (this.#ends.signal.aborted) return;
        this.problem.value = asProblem(error);
        return;
      }
      this.#timer ??= setTimeout(() => this.#tell(), restMs);
    }
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#ends.signal.aborted) this.version.value += 1;
  }
}

/** Reads while it is shown. @param queries See `Reading`; read anew where they differ. */
export function useReading(path: string, queries: readonly string[], most = bound): Reading {
  const key = `${path} ${queries.join(' ')}`;
  const reading = useMemo(() => new Reading(path, queries, most), [key]);
  useEffect(() => {
    reading.start();
    return () => reading.stop();
  }, [reading]);
  // Who reads signals while it is drawn is drawn anew when they change.
  reading.version.value;
  reading.problem.value;
  return reading;
}
