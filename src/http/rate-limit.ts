// How much one token may ask, counted by each process for itself: a limit that holds for several together would cost every
// request a question to something that they share.
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { problems } from '../problems.ts';
import type { Caller } from '../request/intent.ts';
import type { HttpContext } from './context.ts';

/** So many requests in so many seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Counts a request, whatever becomes of it. @throws Problem 429 (as a rejection) */
export type Admit = (ctx: HttpContext, caller: Caller) => Promise<void>;

/**
 * Makes the step that counts the requests of each token and refuses those beyond the limit. What is left is told with every
 * answer (draft-ietf-httpapi-ratelimit-headers-10), when the count begins anew as well. It holds a number for each token
 * that has asked within the time of the limit: unknown tokens do not come here, so that callers cannot fill the memory.
 */
export function createRateLimit({ requests, seconds }: RateLimit): Admit {
  const limiter = new RateLimiterMemory({ points: requests, duration: seconds });
  const policy = `"default";q=${requests};w=${seconds}`;
  return async ({ res }, { tokenId }) => {
    const { isRefused, left } = await count(limiter, tokenId);
    const resetSeconds = Math.max(1, Math.ceil(left.msBeforeNext / 1000));
    res.setHeader('RateLimit-Policy', policy);
    res.setHeader('RateLimit', `"default";r=${left.remainingPoints};t=${resetSeconds}`);
    if (isRefused) throw problems.rateExceeded(resetSeconds);
  };
}

/** A count beyond the limit comes as a rejection, which is no error. */
const count = (limiter: RateLimiterMemory, key: string): Promise<{ isRefused: boolean; left: RateLimiterRes }> =>
  limiter.consume(key).then(
    (left) => ({ isRefused: false, left }),
    (left: RateLimiterRes) => ({ isRefused: true, left }),
  );
