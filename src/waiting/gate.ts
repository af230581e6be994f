// Many at once, or one alone: whoever has met others too often goes by itself, and the others wait for it.

import type { Queue } from './line.ts';

/** Lets work of this process run side by side, or alone. */
export class Gate {
  #running = 0;
  #isAlone = false;
  readonly #waiting: { readonly alone: boolean; readonly since: number; readonly go: () => void }[] = [];

  get queue(): Queue {
    const [first] = this.#waiting;
    return { length: this.#waiting.length, oldestMs: first === undefined ? 0 : performance.now() - first.since };
  }

  /** @param alone Whether nothing else may run meanwhile. Whoever comes later waits behind it. */
  async pass<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#isFree(alone))
      await new Promise<void>((go) => {
        this.#waiting.push({ alone, since: performance.now(), go });
      });
    else this.#enter(alone);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#isAlone = false;
      this.#admit();
    }
  }

  #isFree(alone: boolean): boolean {
    return alone ? this.#running === 0 : !this.#isAlone;
  }

  #enter(alone: boolean): void {
    this.#running += 1;
    this.#isAlone = alone;
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#isFree(next.alone); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#enter(next.alone);
      next.go();
    }
  }
}
