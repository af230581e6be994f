// Chance that is the same every time: all of a domain and of its history follows from a seed and a number.

export class Random {
  #state: number;

  constructor(seed: number, place: number) {
    this.#state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca6b)) >>> 0;
    for (let turn = 0; turn < 4; turn += 1) this.#next();
  }

  /** Mulberry32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** From 0 to `most`. */
  upTo(most: number): number {
    return this.#next() % (most + 1);
  }

  /** True so many times of a hundred. */
  chance(percent: number): boolean {
    return this.upTo(99) < percent;
  }

  one<T>(from: readonly T[]): T {
    const found = from[this.upTo(from.length - 1)];
    if (found === undefined) throw new Error('nothing to choose from');
    return found;
  }

  some<T>(most: number, make: (place: number) => T): T[] {
    return Array.from({ length: this.upTo(most) }, (_value, place) => make(place));
  }
}
