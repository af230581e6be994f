// Counts wrong tokens by address, to slow down guessing. A right token passes from any address: behind a proxy all
// callers share one.
import { type Problem, problems } from '../../problems.ts';

/** So many an address and minute are answered 401. */
const most = 20;
const minuteMs = 60_000;

export class WrongTokens {
  /** Of this minute alone, so that those who come from many addresses cannot fill the memory. */
  readonly #counts = new Map<string, number>();
  #since = Number.NEGATIVE_INFINITY;

  /** Counts a wrong token. @param now by `performance.now()` @returns what to answer: 401; 429 beyond the limit */
  refusalOf(address: string, now: number): Problem {
    if (now - this.#since >= minuteMs) {
      this.#counts.clear();
      this.#since = now;
    }
    const count = (this.#counts.get(address) ?? 0) + 1;
    this.#counts.set(address, count);
    return count > most
      ? problems.rateExceeded(Math.ceil((this.#since + minuteMs - now) / 1000))
      : problems.tokenInvalid();
  }
}
