// Limits on guessing passwords. Counts failed attempts to sign in by name, by address, by both, and of the whole process, in memory:
// each process counts separately.
import { problems } from '../problems.ts';

const minuteMs = 60_000;
/** How long failures count, from the first one on. */
const windowMs = 15 * minuteMs;
/** Maximum number of failures within the window; the next attempt is refused, right or wrong. */
const maxFailures = { pair: 5, name: 50, address: 100 };
/** Maximum number of failures of the process in a minute. It exceeds those of one address, so that no single caller stops the others. */
const maxFailuresAMinute = 120;
/** Maximum number of undecided attempts of callers without a success: it bounds the hashes that parallel guesses cost. */
const maxUndecided = 64;
/** Maximum number of names, addresses and pairs stored as trusted; the oldest is dropped. */
const maxTrusted = 10_000;

interface Failures {
  count: number;
  /** Milliseconds since 1970, of the first. */
  readonly since: number;
}

/** An attempt that was admitted. It counts as a failure until one of these is called. */
export interface Attempt {
  succeed(): void;
  fail(): void;
  /** Ends an attempt that was neither right nor wrong, because the service could not decide. */
  cancel(): void;
}

/** A name, an address or a pair of both, as a key of the counts. */
interface Limit {
  readonly key: string;
  readonly max: number;
}

export class Attempts {
  readonly #now: () => number;
  readonly #failures = new Map<string, Failures>();
  readonly #undecidedByKey = new Map<string, number>();
  /** Keys whose last attempt succeeded, the oldest first. */
  readonly #trusted = new Set<string>();
  #undecided = 0;
  #sweptAt = 0;
  #minute: Failures = { count: 0, since: 0 };

  /** @param now Milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Admits an attempt. Names that no member has count like all others.
   * @param name The same for every spelling of it; undefined if the caller sends none
   * @throws Problem 429
   */
  begin(name: string | undefined, address: string): Attempt {
    const now = this.#now();
    const byAddress = { key: `address ${address}`, max: maxFailures.address };
    const byName = name === undefined ? undefined : { key: `name ${name}`, max: maxFailures.name };
    const byPair = name === undefined ? undefined : { key: `pair ${name} ${address}`, max: maxFailures.pair };
    const limits = [byPair, byName, byAddress].filter((limit) => limit !== undefined);
    // Failures elsewhere, also those from a shared address, do not stop a caller who has just proved to be right.
    const isNameTrusted = [byPair, byName].some((limit) => limit !== undefined && this.#trusted.has(limit.key));
    const isTrusted = isNameTrusted || this.#trusted.has(byAddress.key);
    for (const limit of limits) if (limit !== byAddress || !isNameTrusted) this.#refuseBeyond(limit, now);
    if (!isTrusted) this.#refuseBeyondProcess(now);
    this.#sweep(now);
    return this.#admit(
      limits.map(({ key }) => key),
      isTrusted,
    );
  }

  /** @throws Problem 429 */
  #refuseBeyond({ key, max }: Limit, now: number): void {
    const { count, since } = this.#failuresBy(key, now);
    if (count >= max) throw refusal(since + windowMs - now);
    // Undecided attempts count before they are decided: parallel guesses gain nothing.
    if (count + (this.#undecidedByKey.get(key) ?? 0) >= max) throw refusal(0);
  }

  /** @throws Problem 429 */
  #refuseBeyondProcess(now: number): void {
    if (isOver(this.#minute, now, minuteMs)) this.#minute = { count: 0, since: now };
    if (this.#minute.count >= maxFailuresAMinute) throw refusal(this.#minute.since + minuteMs - now);
    if (this.#undecided >= maxUndecided) throw refusal(0);
  }

  #admit(keys: readonly string[], isTrusted: boolean): Attempt {
    const slots = isTrusted ? 0 : 1;
    this.#undecided += slots;
    for (const key of keys) this.#undecidedByKey.set(key, (this.#undecidedByKey.get(key) ?? 0) + 1);
    let isOpen = true;
    const end = (then: () => void): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#undecided -= slots;
      for (const key of keys) {
        const remaining = (this.#undecidedByKey.get(key) ?? 1) - 1;
        if (remaining > 0) this.#undecidedByKey.set(key, remaining);
        else this.#undecidedByKey.delete(key);
      }
      then();
    };
    return {
      succeed: () => end(() => this.#trust(keys)),
      fail: () => end(() => this.#count(keys)),
      cancel: () => end(() => undefined),
    };
  }

  #trust(keys: readonly string[]): void {
    for (const key of keys) {
      this.#trusted.delete(key);
      this.#trusted.add(key);
      if (key.startsWith('pair ')) this.#failures.delete(key);
    }
    for (const oldest of this.#trusted) {
      if (this.#trusted.size <= maxTrusted) return;
      this.#trusted.delete(oldest);
    }
  }

  #count(keys: readonly string[]): void {
    const now = this.#now();
    if (isOver(this.#minute, now, minuteMs)) this.#minute = { count: 0, since: now };
    this.#minute.count += 1;
    for (const key of keys) {
      this.#trusted.delete(key);
      const failures = this.#failuresBy(key, now);
      failures.count += 1;
      this.#failures.set(key, failures);
    }
  }

  #failuresBy(key: string, now: number): Failures {
    const failures = this.#failures.get(key);
    return failures === undefined || isOver(failures, now, windowMs) ? { count: 0, since: now } : failures;
  }

  /** Deletes expired counts. At most those of two windows remain, and the failures in a minute bound these. */
  #sweep(now: number): void {
    if (now >= this.#sweptAt && now - this.#sweptAt < windowMs) return;
    this.#sweptAt = now;
    for (const [key, failures] of this.#failures) if (isOver(failures, now, windowMs)) this.#failures.delete(key);
  }
}

/** Reports whether the time of a count has passed; a clock that was set back ends it at once. */
const isOver = ({ since }: Failures, now: number, ms: number): boolean => now < since || now - since >= ms;

const refusal = (ms: number) => problems.tooManyAttempts(Math.max(1, Math.ceil(ms / 1000)));
