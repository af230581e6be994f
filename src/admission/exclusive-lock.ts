// Shared or exclusive, within this process: a transaction that has met too many conflicts is repeated alone.
import type { QueueStats } from './queue.ts';

export class SharedExclusiveLock {
  #running = 0;
  #isExclusive = false;
  readonly #waiting: { readonly alone: boolean; readonly since: number; readonly go: () => void }[] = [];

  get queue(): QueueStats {
    const [first] = this.#waiting;
    return { length: this.#waiting.length, oldestMs: first === undefined ? 0 : performance.now() - first.since };
  }

  /** @param alone Exclusive: nothing else runs meanwhile, and what comes later waits behind it. */
  async run<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#isFree(alone))
      await new Promise<void>((go) => {
        this.#waiting.push({ alone, since: performance.now(), go });
      });
    else this.#enter(alone);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#isExclusive = false;
      this.#admit();
    }
  }

  #isFree(alone: boolean): boolean {
    return alone ? this.#running === 0 : !this.#isExclusive;
  }

  #enter(alone: boolean): void {
    this.#running += 1;
    this.#isExclusive = alone;
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#isFree(next.alone); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#enter(next.alone);
      next.go();
    }
  }
}
