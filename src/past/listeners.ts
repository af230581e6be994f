// Callers that wait for the next entry, with a maximum per caller and per process.
import { problems } from '../problems.ts';

const maxPerCaller = 20;
const maxInAll = 500;

export class Listeners {
  readonly #countByCaller = new Map<string, number>();
  #inAll = 0;

  /** Number of open streams and waits. */
  get count(): number {
    return this.#inAll;
  }

  /** Admits a stream or a wait of a caller. @returns the function that ends it @throws Problem 429, 503 */
  enter(limitKey: string): () => void {
    const callerCount = this.#countByCaller.get(limitKey) ?? 0;
    if (callerCount >= maxPerCaller) throw problems.tooManyListeners();
    if (this.#inAll >= maxInAll) throw problems.overloaded();
    this.#countByCaller.set(limitKey, callerCount + 1);
    this.#inAll += 1;
    return () => {
      this.#inAll -= 1;
      const remaining = (this.#countByCaller.get(limitKey) ?? 1) - 1;
      if (remaining > 0) this.#countByCaller.set(limitKey, remaining);
      else this.#countByCaller.delete(limitKey);
    };
  }
}
