// A line before something that serves a few at a time: first come, first served, as long as it is still wanted.
//
// A burst is waited for; a line that stands for long means that more comes than can be served, and then waiting helps
// nobody: those who could not be served soon are refused soon, and all others are served in time.
import { problems } from '../problems.ts';
import { CallerGone, type Patience } from './patience.ts';

/** One who stands in a line. */
export interface Waiting {
  /** Without one: work of the service's own, which goes before and is never refused for its age. */
  readonly patience: Patience | undefined;
  /** @param error a Problem, or CallerGone. */
  refuse(error: Error): void;
}

/** A line as it is seen from outside. */
export interface Queue {
  readonly length: number;
  /** How long the one has waited that has waited longest; 0 where nobody waits. */
  readonly oldestMs: number;
}

/** How long a request may wait while the line has been standing for less than that. */
const burstMs = 4000;
/** And how long when it has been standing for longer. */
const standingMs = 1000;
/** More are refused at once, so that a line cannot grow without end. */
const longest = 10_000;
const lookEveryMs = 50;
/** Refusals in one turn of the event loop: each is an answer that is written. */
const refusedATurn = 40;

export class Line<T extends Waiting> implements Queue {
  /** Each with the moment at which it came. */
  readonly #own = new Map<T, number>();
  readonly #requests = new Set<T>();
  readonly #dismissed: { readonly waiting: T; readonly reason: Error }[] = [];
  #standsSince = 0;
  #timer: NodeJS.Timeout | undefined;

  get length(): number {
    return this.#own.size + this.#requests.size;
  }

  get oldestMs(): number {
    const [own = Infinity] = this.#own.values();
    const [request] = this.#requests;
    const since = Math.min(own, request?.patience?.since ?? Infinity);
    return since === Infinity ? 0 : performance.now() - since;
  }

  /** Goes to the end of the line; refused at once when it is too long. */
  join(waiting: T): void {
    if (this.length >= longest) {
      waiting.refuse(problems.overloaded());
      return;
    }
    if (this.length === 0) this.#standsSince = performance.now();
    if (waiting.patience === undefined) this.#own.set(waiting, performance.now());
    else this.#requests.add(waiting);
    this.#look();
  }

  /** Takes out the first who is still to be served; those before who are not, are refused. */
  next(): T | undefined {
    for (const waiting of this.#own.keys()) {
      this.#own.delete(waiting);
      return waiting;
    }
    for (const waiting of this.#requests) {
      this.#requests.delete(waiting);
      const reason = this.#unwanted(waiting);
      if (reason === undefined) return waiting;
      this.#dismiss(waiting, reason);
    }
    return undefined;
  }

  /** Sends everybody away: what they wait for does not come. */
  refuseAll(reason: () => Error): void {
    for (const waiting of [...this.#own.keys(), ...this.#requests]) this.#dismiss(waiting, reason());
    this.#own.clear();
    this.#requests.clear();
  }

  /** Refuses in turn: many who are told at once would hold up all who are served. */
  #dismiss(waiting: T, reason: Error): void {
    if (this.#dismissed.push({ waiting, reason }) === 1) setImmediate(this.#refuse);
  }

  readonly #refuse = (): void => {
    for (const { waiting, reason } of this.#dismissed.splice(0, refusedATurn)) waiting.refuse(reason);
    if (this.#dismissed.length > 0) setImmediate(this.#refuse);
  };

  #unwanted({ patience }: T): Error | undefined {
    if (patience === undefined) return undefined;
    if (patience.isGone()) return new CallerGone();
    const now = performance.now();
    const allowedMs = now - this.#standsSince > burstMs ? standingMs : burstMs;
    return now - patience.since > allowedMs ? problems.overloaded() : undefined;
  }

  /** Whoever waits too long is told so then, not when the line gets there: it may not move at all. */
  #look(): void {
    if (this.#timer !== undefined || this.#requests.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // In the order in which they came: behind the first who may still wait, all may.
      for (const waiting of this.#requests) {
        const reason = this.#unwanted(waiting);
        if (reason === undefined) break;
        this.#requests.delete(waiting);
        this.#dismiss(waiting, reason);
      }
      this.#look();
    }, lookEveryMs);
    this.#timer.unref();
  }
}
