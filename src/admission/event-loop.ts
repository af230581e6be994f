// Yielding to the event loop: work that could hold it for long lets sockets and timers have their turn.

import type { RequestDeadline } from './deadline.ts';
import { AdmissionQueue, type QueueStats } from './queue.ts';

/** How long the work of one turn may take before the loop looks at sockets and timers again. */
const turnMs = 8;

/**
 * For how many turns work may be put off while connections come in. A turn accepts one of them, however many wait: were each
 * turn as long as work may take, the hundredth would wait for a second. More than are answered by the work of a turn.
 */
const turnsOfArrivals = 64;

let turn = -1;
let startedAt = 0;
let connectedIn = -1;

// Asking which turn it is costs a tenth of a microsecond, an immediate that would tell costs the loop a turn.
const currentTurn = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;

/** To be told of each new connection: in its turn, no more is begun than must be. */
export function noteConnection(): void {
  connectedIn = currentTurn();
}

/** Whether this turn of the loop has lasted long enough. The first to ask in a turn begins it. */
export function shouldYield(): boolean {
  const current = currentTurn();
  if (current === turn) return performance.now() - startedAt > turnMs;
  turn = current;
  startedAt = performance.now();
  return false;
}

/** Begins in the next turn, after the sockets; later while connections come in. */
function inNextTurn(begin: () => void): void {
  let left = turnsOfArrivals;
  const look = (): void => {
    left -= 1;
    if (connectedIn === currentTurn() && left > 0) setImmediate(look);
    else begin();
  };
  setImmediate(look);
}

/** Resolves in the next turn, after the sockets; later while connections come in. */
export const yieldToLoop = (): Promise<void> => new Promise(inNextTurn);

/** For work that could take long to await now and then: yields when this turn has lasted long enough. */
export const yieldIfDue = (): Promise<void> | undefined => (shouldYield() ? yieldToLoop() : undefined);

/** After so many others are let on. */
const mostInOneGo = 500;

/** Does something with each of these: at once where they are few, else so that others are let on. */
export function inTurns<T>(items: readonly T[], act: (item: T) => void): Promise<void> | undefined {
  if (items.length >= mostInOneGo) return actInTurns(items, act);
  for (const item of items) act(item);
  return undefined;
}

async function actInTurns<T>(items: readonly T[], act: (item: T) => void): Promise<void> {
  for (const [place, item] of items.entries()) {
    if (place % mostInOneGo === mostInOneGo - 1) await yieldIfDue();
    act(item);
  }
}

interface Entrant {
  readonly deadline: RequestDeadline;
  begin(): void;
  refuse(error: Error): void;
}

/** Admits requests one after the other, as many in a turn of the loop as there is time for. */
export class TurnQueue {
  readonly #queue = new AdmissionQueue<Entrant>();
  #isRunning = false;

  get queue(): QueueStats {
    return this.#queue;
  }

  /**
   * @returns undefined when the request may go on at once, as is the rule; else a promise of its turn
   * @throws Problem "overloaded", ClientDisconnected (as rejections)
   */
  enter(deadline: RequestDeadline): Promise<void> | undefined {
    if (!this.#isRunning && !shouldYield()) return undefined;
    return new Promise((resolve, reject) => {
      this.#queue.enqueue({ deadline, begin: resolve, refuse: reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      inNextTurn(this.#admitFirst);
    });
  }

  readonly #admitNext = (): void => {
    if (shouldYield()) inNextTurn(this.#admitFirst);
    else this.#admitFirst();
  };

  /** Admits one request in each turn, even if long work that goes on from turn to turn has used up the time of this one. */
  readonly #admitFirst = (): void => {
    const next = this.#queue.dequeue();
    if (next === undefined) {
      this.#isRunning = false;
      return;
    }
    next.begin();
    // Ticks come after all microtasks: what was admitted has done by then all that it can without waiting.
    queueMicrotask(() => process.nextTick(this.#admitNext));
  };
}
