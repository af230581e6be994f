// Idempotency: the response to a request with a key is stored, and replayed when the key comes again.
import { setTimeout as delay } from 'node:timers/promises';
import { ByteBudget } from '../admission/byte-budget.ts';
import { problems } from '../problems.ts';
import type { Outcome, RequestKey } from '../request/intent.ts';
import { findResponse, KeyRunning, KeyTaken } from '../storage/idempotency-keys.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';

/** How long one waits for another request with the same key. */
const waitMs = 1000;
/** How often a key is asked for again whose request was rolled back meanwhile. */
const tries = 10;
/** Maximum length of a caller's stored responses in 24 hours, in bytes. Later bodies are not stored. */
const maxStoredBytes = 256 * 1024 * 1024;

/** The requests of this process that are under way, by their keys. */
export class Idempotency {
  readonly #unit: UnitOfWork;
  readonly #running = new Map<string, Promise<unknown>>();

  readonly #budget: ByteBudget;

  constructor(unit: UnitOfWork, maxBytes = maxStoredBytes) {
    this.#unit = unit;
    this.#budget = new ByteBudget(maxBytes);
  }

  /** Returns the key, which says whether the body of the response is stored. */
  withBudget(key: RequestKey): RequestKey {
    return { ...key, omitsBody: this.#budget.isUsedUp(key.owner) };
  }

  /**
   * Does a write, or tells what it has answered before.
   * @param write Claims the key in its transaction, and keeps its answer there.
   * @throws Problem of the write; 409 if the key is still in use or the response is not stored, 422 if the key was used for
   *   another request
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
        const outcome = await work;
        this.#count(key, outcome);
        return outcome;
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

  #count({ owner, omitsBody }: RequestKey, { body, isUnwritten }: Outcome): void {
    if (body !== undefined && omitsBody !== true && isUnwritten !== true)
      this.#budget.add(owner, Buffer.byteLength(body));
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
    const { status, body, etag, put, isMinimal, isBodyOmitted } = answer;
    if (isBodyOmitted === true) throw problems.responseNotStored();
    return { status: status === 204 ? 204 : 200, body, etag, put, isMinimal, isReplayed: true };
  }
}
