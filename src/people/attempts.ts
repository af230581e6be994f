// Counts attempts to sign in, to slow down guessing: by name and address, by name, by address, and of the process as a
// whole, which bounds the memory too. Each process counts for itself.
import { problems } from '../problems.ts';

const minuteMs = 60_000;
/** How long failures count, from the first of them on. */
const windowMs = 15 * minuteMs;
/** So many failures within that time; the next attempt is refused, right or wrong. */
const mostByBoth = 5;
const mostByName = 50;
const mostByAddress = 100;
/** So many attempts a minute in all. */
const mostAMinute = 20;

interface Count {
  failures: number;
  /** Milliseconds since 1970, of the first. */
  readonly since: number;
}

/** An attempt that was let in, and counts as a failure until it is known to be none. */
export interface Attempt {
  /** It was right, or nobody knows: it counts no more. */
  release(): void;
  /** The name is its owner's: what was wrong from here is forgotten. */
  succeed(): void;
}

export class Attempts {
  readonly #now: () => number;
  readonly #counts = new Map<string, Count>();
  #sweptAt = 0;
  #minute: Count = { failures: 0, since: 0 };

  /** @param now Milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Lets an attempt in, or not. Names that there are not count like all others.
   * @param name The same for all ways of writing it; undefined where there is none
   * @throws Problem 429
   */
  begin(name: string | undefined, address: string): Attempt {
    const now = this.#now();
    const both = `${name} ${address}`;
    const limits: [key: string, most: number][] = [[`address ${address}`, mostByAddress]];
    if (name !== undefined) limits.push([`both ${both}`, mostByBoth], [`name ${name}`, mostByName]);
    for (const [key, most] of limits) {
      const { failures, since } = this.#count(key, now);
      if (failures >= most) throw refusal(since + windowMs - now);
    }
    if (isOver(this.#minute, now, minuteMs)) this.#minute = { failures: 0, since: now };
    if (this.#minute.failures >= mostAMinute) throw refusal(this.#minute.since + minuteMs - now);
    this.#minute.failures += 1;
    this.#sweep(now);
    const counts = limits.map(([key]) => {
      const count = this.#count(key, now);
      // Counted before it is known: who asks many times at once is no better off.
      count.failures += 1;
      this.#counts.set(key, count);
      return count;
    });
    let isOpen = true;
    const release = (): void => {
      if (isOpen) for (const count of counts) count.failures -= 1;
      isOpen = false;
    };
    return {
      release,
      succeed: () => {
        release();
        this.#counts.delete(`both ${both}`);
      },
    };
  }

  #count(key: string, now: number): Count {
    const known = this.#counts.get(key);
    return known === undefined || isOver(known, now, windowMs) ? { failures: 0, since: now } : known;
  }

  /** As many stay as the attempts of two windows, which are bounded by those of a minute. */
  #sweep(now: number): void {
    if (now >= this.#sweptAt && now - this.#sweptAt < windowMs) return;
    this.#sweptAt = now;
    for (const [key, count] of this.#counts) if (isOver(count, now, windowMs)) this.#counts.delete(key);
  }
}

/** A clock that was set back holds nobody up. */
const isOver = ({ since }: Count, now: number, ms: number): boolean => now < since || now - since >= ms;

const refusal = (ms: number) => problems.tooManyAttempts(Math.max(1, Math.ceil(ms / 1000)));
