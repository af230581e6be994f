// Admission queue: first in, first out, in front of something that serves a few requests at a time.
//
// Short queues absorb bursts. A queue that has stood for 4 s is overload: the limit of waiting drops from 4 s to 1 s, and requests
// beyond it get 503, so that all others are served in time.
import { type Problem, problems } from '../problems.ts';
import { ClientDisconnected, type RequestDeadline } from './deadline.ts';

/** What waits in a queue. */
export interface QueueEntry {
  /** Undefined for the service's own work, which goes first and never times out. */
  readonly deadline: RequestDeadline | undefined;
  /** Creates the problem of an entry that waited for too long; by default "overloaded". */
  readonly problem?: (() => Problem) | undefined;
  /** @param error a Problem, or ClientDisconnected. */
  refuse(error: Error): void;
}

/** What metrics tell of a queue. */
export interface QueueStats {
  readonly length: number;
  /** How long the oldest entry has waited; 0 when empty. */
  readonly oldestMs: number;
}

/** How long a request may wait in a queue that has stood for less than that. */
const burstMs = 4000;
/** And in one that has stood for longer. */
const standingMs = 1000;
/** More entries are refused at once, which bounds the memory. */
const mostEntries = 10_000;
const checkEveryMs = 50;
/** Refusals in one turn of the event loop: each writes a response. */
const refusedATurn = 40;

const refusal = ({ problem = problems.overloaded }: QueueEntry): Problem => problem();

export class AdmissionQueue<T extends QueueEntry> implements QueueStats {
  /** The service's own work, each with the time when it came. */
  readonly #own = new Map<T, number>();
  readonly #requests = new Set<T>();
  readonly #refused: { readonly entry: T; readonly reason: Error }[] = [];
  #standingSince = 0;
  #timer: NodeJS.Timeout | undefined;

  get length(): number {
    return this.#own.size + this.#requests.size;
  }

  get oldestMs(): number {
    const [own = Infinity] = this.#own.values();
    const [request] = this.#requests;
    const since = Math.min(own, request?.deadline?.since ?? Infinity);
    return since === Infinity ? 0 : performance.now() - since;
  }

  /** Refuses at once when the queue is full. */
  enqueue(entry: T): void {
    if (this.length >= mostEntries) {
      entry.refuse(refusal(entry));
      return;
    }
    if (this.length === 0) this.#standingSince = performance.now();
    if (entry.deadline === undefined) this.#own.set(entry, performance.now());
    else this.#requests.add(entry);
    this.#watchClock();
  }

  /** Takes the first entry that may still be served, and refuses those before it. */
  dequeue(): T | undefined {
    for (const entry of this.#own.keys()) {
      this.#own.delete(entry);
      return entry;
    }
    for (const entry of this.#requests) {
      this.#requests.delete(entry);
      const reason = this.#reasonToRefuse(entry);
      if (reason === undefined) return entry;
      this.#refuseSoon(entry, reason);
    }
    return undefined;
  }

  /** Refuses everything: what is waited for does not come. */
  refuseAll(reason: () => Error): void {
    for (const entry of [...this.#own.keys(), ...this.#requests]) this.#refuseSoon(entry, reason());
    this.#own.clear();
    this.#requests.clear();
  }

  /** Refuses a few in a turn: many at once would delay everything that is being served. */
  #refuseSoon(entry: T, reason: Error): void {
    if (this.#refused.push({ entry, reason }) === 1) setImmediate(this.#refuse);
  }

  readonly #refuse = (): void => {
    for (const { entry, reason } of this.#refused.splice(0, refusedATurn)) entry.refuse(reason);
    if (this.#refused.length > 0) setImmediate(this.#refuse);
  };

  #reasonToRefuse(entry: T): Error | undefined {
    const { deadline } = entry;
    if (deadline === undefined) return undefined;
    if (deadline.isDisconnected()) return new ClientDisconnected();
    const now = performance.now();
    const allowedMs = now - this.#standingSince > burstMs ? standingMs : burstMs;
    return now - deadline.since > allowedMs ? refusal(entry) : undefined;
  }

  /** Times out by the clock and not when the queue gets there: it may not move at all. */
  #watchClock(): void {
    if (this.#timer !== undefined || this.#requests.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // In the order of arrival: behind the first that may still wait, all may.
      for (const entry of this.#requests) {
        const reason = this.#reasonToRefuse(entry);
        if (reason === undefined) break;
        this.#requests.delete(entry);
        this.#refuseSoon(entry, reason);
      }
      this.#watchClock();
    }, checkEveryMs);
    this.#timer.unref();
  }
}
