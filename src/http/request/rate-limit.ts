// The rate limit of a token, or of all sessions of a member. Each process counts separately: a shared limit would cost every request a
// round trip.

import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { fieldFault } from '../../problems/field-fault.ts';
import { problems } from '../../problems.ts';
import { type Caller, limitKey } from '../../request/intent.ts';
import type { HttpContext } from './context.ts';

/** So many requests in so many seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Counts what a token asks. */
export interface Admit {
  /** Counts a request, whatever becomes of it. @throws Problem 429 (as a rejection) */
  request(ctx: HttpContext, caller: Caller): Promise<void>;
  /**
   * Counts the operations of a request, itself included, where all of them fit.
   * @throws Problem 429; 400 for more than ever fit (as rejections)
   */
  operations(ctx: HttpContext, caller: Caller, count: number): Promise<void>;
}

/**
 * Makes the step that counts the requests of each token and refuses those beyond the limit. What is left is told with every
 * answer (draft-ietf-httpapi-ratelimit-headers-10), when the count begins anew as well. It holds a number for each token
 * that has asked within the time of the limit: unknown tokens do not come here, so that callers cannot fill the memory.
 */
export function createRateLimit({ requests, seconds }: RateLimit): Admit {
  const limiter = new RateLimiterMemory({ points: requests, duration: seconds });
  const policy = `"default";q=${requests};w=${seconds}`;
  function tell({ res }: HttpContext, { isRefused, left }: Counted): void {
    const resetSeconds = Math.max(1, Math.ceil(left.msBeforeNext / 1000));
    res.setHeader('RateLimit-Policy', policy);
    res.setHeader('RateLimit', `"default";r=${left.remainingPoints};t=${resetSeconds}`);
    if (isRefused) throw problems.rateExceeded(resetSeconds);
  }
  return {
    request: async (ctx, caller) => tell(ctx, await count(limiter, limitKey(caller), 1)),
    operations: async (ctx, caller, operations) => {
      if (operations > requests)
        throw problems.bodyInvalid([
          fieldFault(
            'operations',
            `must be at most ${requests} items, as many as may be asked at a time`,
            'invalid-items',
          ),
        ]);
      // One is counted already, with the request.
      const more = operations - 1;
      if (more < 1) return;
      const key = limitKey(caller);
      const left = await limiter.get(key);
      // What does not fit takes nothing from what does.
      if (left !== null && left.remainingPoints < more) tell(ctx, { isRefused: true, left });
      else tell(ctx, await count(limiter, key, more));
    },
  };
}

interface Counted {
  readonly isRefused: boolean;
  readonly left: RateLimiterRes;
}

/** A count beyond the limit comes as a rejection, which is no error. */
const count = (limiter: RateLimiterMemory, key: string, points: number): Promise<Counted> =>
  limiter.consume(key, points).then(
    (left) => ({ isRefused: false, left }),
    (left: RateLimiterRes) => ({ isRefused: true, left }),
  );
