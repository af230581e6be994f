// The clock of a history: the time at which its records are made.
import { newIdAt, type TimeSource } from '../values/id.ts';
import { Random } from './plan/random.ts';

/** A clock that is set, and ids that are the same each time. It never goes back, but for `rewind`. */
export class History implements TimeSource {
  readonly #seed: number;
  #now: number;
  #made = 0;

  constructor(seed: number, start: number) {
    this.#seed = seed;
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** Sets the clock; one that is past it already ticks on by a millisecond. */
  moveTo(ms: number): void {
    this.#now = Math.max(ms, this.#now + 1);
  }

  newId(): string {
    this.#made += 1;
    // A stream of its own for each id: where one is made twice (a transaction runs again), it comes out the same.
    const random = new Random(this.#seed ^ Math.imul(this.#made, 0x9e3779b1)).bytes(new Uint8Array(16));
    return newIdAt(this.#now, this.#made, random);
  }

  /** Where it is now, for `rewind`. */
  mark(): { readonly now: number; readonly made: number } {
    return { now: this.#now, made: this.#made };
  }

  rewind({ now, made }: { readonly now: number; readonly made: number }): void {
    this.#now = now;
    this.#made = made;
  }
}
