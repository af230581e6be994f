// A cache with least-recently-used eviction. Its keys come partly from callers (sets of filters and fields), so it must be
// bounded.

/** Keeps so many of what was asked for last. */
export class LruCache<T> {
  readonly #limit: number;
  /** In the order in which they were asked for, as a `Map` keeps it. */
  readonly #known = new Map<string, T>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#known.size;
  }

  /** What is kept for the key, or what `make` makes now. */
  get(key: string, make: () => T): T {
    let value = this.#known.get(key);
    if (value === undefined && !this.#known.has(key)) {
      value = make();
      const [oldest] = this.#known.keys();
      if (this.#known.size >= this.#limit && oldest !== undefined) this.#known.delete(oldest);
    } else {
      // As long as half of the places are free, nobody asks who was last.
      if (this.#known.size * 2 < this.#limit) return value as T;
      this.#known.delete(key);
    }
    this.#known.set(key, value as T);
    return value as T;
  }
}
