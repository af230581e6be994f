// Idempotency: the response to a request with a key is stored, and replayed when the key comes again.
import { setTimeout as delay } from 'node:timers/promises';
import { problems } from '../problems.ts';
import type { Outcome, RequestKey } from '../request/intent.ts';
import { findResponse, KeyRunning, KeyTaken } from '../storage/idempotency-keys.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';

/** How long one waits for another request with the same key. */
const waitMs = 1000;
/** How often a key is asked for again whose request was rolled back meanwhile. */
const tries = 10;

/** The requests of this process that are under way, by their keys. */
export class Idempotency {
  readonly #unit: UnitOfWork;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  /**
   * Does a write, or tells what it has answered before.
   * @param write Claims the key in its transaction, and keeps its answer there.
   * @throws Problem of the write; 409 where the key is still in use, 422 where it was used for another request
   */
  async answer(key: RequestKey, write: () => Promise<Outcome>): Promise<Outcome> {
    const name = `${key.tokenId} ${key.key}`;
    const deadline = performance.now() + waitMs;
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      for (let other = this.#running.get(name); other !== undefined; other = this.#running.get(name))
        await this.#waitFor(other, deadline);
      const work = write();
      this.#running.set(name, work);
      try {
        return await work;
      } catch (error) {
        if (error instanceof KeyRunning) throw problems.keyInUse();
        if (!(error instanceof KeyTaken)) throw error;
      } finally {
        this.#running.delete(name);
      }
      const known = await this.#known(key);
      if (known !== undefined) return known;
    }
    throw problems.overloaded();
  }

  async #waitFor(other: Promise<unknown>, deadline: number): Promise<void> {
    const left = deadline - performance.now();
    const stop = new AbortController();
    const over = delay(Math.max(0, left), 'over', { signal: stop.signal }).catch(() => undefined);
    const first = await Promise.race([Promise.allSettled([other]), over]);
    stop.abort();
    if (first === 'over') throw problems.keyInUse();
  }

  async #known(key: RequestKey): Promise<Outcome | undefined> {
    const answer = await findResponse(this.#unit, key);
    if (answer === undefined) return undefined;
    if (!Buffer.from(answer.fingerprint).equals(key.fingerprint)) throw problems.keyOfAnother();
    const { status, body, etag, put, isMinimal } = answer;
    return { status: status === 204 ? 204 : 200, body, etag, put, isMinimal, isReplayed: true };
  }
}
