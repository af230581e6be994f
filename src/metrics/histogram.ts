// Histogram of durations with fixed buckets, cheap enough for every request: nothing is looked up by a text.

/** Upper bounds of the buckets, in seconds: from a read that is in memory to the longest that a request may take. */
export const bounds = Object.freeze([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]);
const boundsMs = Object.freeze(bounds.map((seconds) => seconds * 1000));

export class Histogram {
  /** How many fell into each bucket and none before it; the last is for those beyond all bounds. */
  readonly #counts: number[] = Array.from({ length: boundsMs.length + 1 }, () => 0);
  count = 0;
  sumMs = 0;

  note(ms: number): void {
    let bucket = 0;
    while (ms > (boundsMs[bucket] ?? Infinity)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.count += 1;
    this.sumMs += ms;
  }

  /** For each bound, how many took no longer. */
  upTo(): readonly number[] {
    let sum = 0;
    return this.#counts.slice(0, -1).map((count) => {
      sum += count;
      return sum;
    });
  }
}
