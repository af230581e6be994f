// A seeded random number generator. Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for
// choosing names and hours, and ten lines need no package.
import { unreachable } from '../../unreachable.ts';

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws Error for an empty list. */
  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.next() * list.length)];
    if (picked === undefined) unreachable('nothing to pick from');
    return picked;
  }

  /** At most so many, none twice, in the order of the list. */
  some<T>(list: readonly T[], count: number): T[] {
    let wanted = Math.min(count, list.length);
    return list.filter((_item, index) => {
      const isTaken = this.next() < wanted / (list.length - index);
      if (isTaken) wanted -= 1;
      return isTaken;
    });
  }

  /** Fills bytes, as makers of ids ask for. */
  bytes(target: Uint8Array): Uint8Array {
    for (let at = 0; at < target.length; at += 1) target[at] = Math.floor(this.next() * 256);
    return target;
  }
}
