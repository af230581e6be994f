// Records in a line: each leads to others, as parts of parts do. How long the longest line is, and where it would lead back.

/** The records to which each of these leads. */
export type Step = (ids: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** So many records at most stand in a line, and so many are looked at for it. */
export const mostInLine = 50;
export const mostSteps = 1000;

/** What is reached from some records. */
export class Lines {
  readonly #next = new Map<string, readonly string[]>();
  readonly #step: Step;
  /** Whether it was given up. */
  isTooLong = false;

  private constructor(step: Step) {
    this.#step = step;
  }

  /** Follows all lines from some records to their ends, as far as anybody looks. */
  static async from(ids: readonly string[], step: Step): Promise<Lines> {
    const lines = new Lines(step);
    await lines.#follow(ids);
    return lines;
  }

  /** How many records were looked at. */
  get steps(): number {
    return this.#next.size;
  }

  /** Whether a record is reached from another one, or is it. */
  reaches(from: string, to: string): boolean {
    const seen = new Set([from]);
    for (const id of seen) {
      if (id === to) return true;
      for (const next of this.#next.get(id) ?? []) seen.add(next);
    }
    return false;
  }

  /** The number of records in the longest line from one of these, that one included. */
  longest(ids: readonly string[]): number {
    const known = new Map<string, number>();
    const lengthOf = (id: string): number => {
      const before = known.get(id);
      if (before !== undefined) return before;
      // What leads back has no end.
      known.set(id, Number.POSITIVE_INFINITY);
      const length = 1 + Math.max(0, ...(this.#next.get(id) ?? []).map(lengthOf));
      known.set(id, length);
      return length;
    };
    return Math.max(0, ...ids.map(lengthOf));
  }

  async #follow(ids: readonly string[]): Promise<void> {
    let open = [...new Set(ids)];
    for (let level = 0; open.length > 0; level += 1) {
      if (level > mostInLine || this.#next.size + open.length > mostSteps) {
        this.isTooLong = true;
        return;
      }
      const found = await this.#step(open);
      for (const id of open) this.#next.set(id, found.get(id) ?? []);
      open = [...new Set([...found.values()].flat())].filter((id) => !this.#next.has(id));
    }
  }
}
