// Who waits for the next entry: so many of one token, and so many of one process.
import { problems } from '../problems.ts';

const mostOfOneToken = 20;
const mostOfAll = 500;

export class Listeners {
  readonly #byToken = new Map<string, number>();
  #all = 0;

  /** Streams and waits at this moment. */
  get count(): number {
    return this.#all;
  }

  /** Lets one more in. @returns what lets it go again. @throws Problem 429, 503 */
  enter(tokenId: string): () => void {
    const ofToken = this.#byToken.get(tokenId) ?? 0;
    if (ofToken >= mostOfOneToken) throw problems.tooManyListeners();
    if (this.#all >= mostOfAll) throw problems.overloaded();
    this.#byToken.set(tokenId, ofToken + 1);
    this.#all += 1;
    return () => {
      this.#all -= 1;
      const left = (this.#byToken.get(tokenId) ?? 1) - 1;
      if (left > 0) this.#byToken.set(tokenId, left);
      else this.#byToken.delete(tokenId);
    };
  }
}
