// Semaphore: at most so many at once, the others wait in an admission queue.

import type { Problem } from '../problems.ts';
import type { RequestDeadline } from './deadline.ts';
import { AdmissionQueue, type QueueEntry, type QueueStats } from './queue.ts';

interface Entrant extends QueueEntry {
  begin(): void;
}

export class Semaphore {
  readonly count: number;
  readonly #queue = new AdmissionQueue<Entrant>();
  #free: number;

  constructor(count: number) {
    this.count = count;
    this.#free = count;
  }

  /** How many are held. */
  get held(): number {
    return this.count - this.#free;
  }

  get queue(): QueueStats {
    return this.#queue;
  }

  /**
   * @returns undefined when one is free, which is then held; else a promise of it
   * @param problem Creates the problem if the wait is too long.
   * @throws Problem "overloaded", ClientDisconnected, or what `refuseAll` is given (as rejections)
   */
  acquire(deadline?: RequestDeadline, problem?: () => Problem): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => this.#queue.enqueue({ deadline, problem, begin: resolve, refuse: reject }));
  }

  /** @returns whether one was free, which is then held. */
  tryAcquire(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Hands it to the next in the queue, if there is one. */
  release(): void {
    // Where one is free nobody waits.
    if (this.#free > 0) {
      this.#free += 1;
      return;
    }
    const next = this.#queue.dequeue();
    if (next === undefined) this.#free += 1;
    else next.begin();
  }

  refuseAll(reason: () => Error): void {
    this.#queue.refuseAll(reason);
  }
}
