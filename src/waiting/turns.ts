// Turns of the event loop: work that could hold it for long gives way to what has come meanwhile.
import { Line, type Queue } from './line.ts';
import type { Patience } from './patience.ts';

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

/** Whether this turn has lasted long enough. The first to ask in a turn begins it. */
export function isTurnOver(): boolean {
  const current = currentTurn();
  if (current === turn) return performance.now() - startedAt > turnMs;
  turn = current;
  startedAt = performance.now();
  return false;
}

/** Begins in the next turn, when sockets have been looked at; later while connections come in. */
function inNextTurn(begin: () => void): void {
  let left = turnsOfArrivals;
  const look = (): void => {
    left -= 1;
    if (connectedIn === currentTurn() && left > 0) setImmediate(look);
    else begin();
  };
  setImmediate(look);
}

/** Resolves in the next turn, when sockets have been looked at; later while connections come in. */
export const nextTurn = (): Promise<void> => new Promise(inNextTurn);

/** To be awaited now and then by work that could take long: others go on meanwhile where this turn has lasted long enough. */
export async function giveWay(): Promise<void> {
  if (isTurnOver()) await nextTurn();
}

interface Entrant {
  readonly patience: Patience;
  begin(): void;
  refuse(error: Error): void;
}

/** A door that lets callers in one after the other, as many in a turn as it has time for. */
export class Turnstile {
  readonly #line = new Line<Entrant>();
  #isRunning = false;

  get queue(): Queue {
    return this.#line;
  }

  /**
   * @returns undefined when the caller may go on at once, as is the rule; else a promise of the moment.
   * @throws Problem "overloaded", CallerGone (as rejections)
   */
  enter(patience: Patience): Promise<void> | undefined {
    if (!this.#isRunning && !isTurnOver()) return undefined;
    return new Promise((resolve, reject) => {
      this.#line.join({ patience, begin: resolve, refuse: reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      inNextTurn(this.#step);
    });
  }

  readonly #step = (): void => {
    if (isTurnOver()) {
      inNextTurn(this.#step);
      return;
    }
    const next = this.#line.next();
    if (next === undefined) {
      this.#isRunning = false;
      return;
    }
    next.begin();
    // Ticks come after all microtasks: what was let in has done by then what it can without waiting.
    queueMicrotask(() => process.nextTick(this.#step));
  };
}
