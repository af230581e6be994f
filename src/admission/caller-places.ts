// Places for each caller: a caller runs a limited number of tasks at once. Its other tasks wait, those of other callers do not.
import type { Problem } from '../problems.ts';
import { type RequestDeadline, waitFor } from './deadline.ts';
import { Semaphore } from './semaphore.ts';

interface CallerTasks {
  readonly semaphore: Semaphore;
  /** Number of tasks that run or wait. */
  count: number;
}

export class CallerPlaces {
  readonly #maxPerCaller: number;
  readonly #refuse: () => Problem;
  readonly #tasksByCaller = new Map<string, CallerTasks>();

  /** @param refuse Creates the problem of work that waited for too long. */
  constructor(maxPerCaller: number, refuse: () => Problem) {
    this.#maxPerCaller = maxPerCaller;
    this.#refuse = refuse;
  }

  /** Runs work when a place of its caller is free. @throws Problem of `refuse`, ClientDisconnected */
  async run<T>(caller: string, deadline: RequestDeadline, work: () => Promise<T>): Promise<T> {
    const places = this.#tasksByCaller.get(caller) ?? { semaphore: new Semaphore(this.#maxPerCaller), count: 0 };
    this.#tasksByCaller.set(caller, places);
    places.count += 1;
    try {
      const wait = places.semaphore.acquire(deadline, this.#refuse);
      if (wait !== undefined) await waitFor(wait, deadline);
      try {
        return await work();
      } finally {
        places.semaphore.release();
      }
    } finally {
      places.count -= 1;
      if (places.count === 0) this.#tasksByCaller.delete(caller);
    }
  }
}
