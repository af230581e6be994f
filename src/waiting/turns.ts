// Turns of the event loop: work that could hold it for long gives way to what has come meanwhile.
import { Line, type Queue } from './line.ts';
import type { Patience } from './patience.ts';

/** How long the work of one turn may take before the loop looks at sockets and timers again. */
const turnMs = 8;

let turn = -1;
let startedAt = 0;

/** Whether this turn has lasted long enough. The first to ask in a turn begins it. */
export function isTurnOver(): boolean {
  // Asking which turn it is costs a tenth of a microsecond, an immediate that would tell costs the loop a turn.
  const { loopCount } = performance.nodeTiming.uvMetricsInfo;
  if (loopCount === turn) return performance.now() - startedAt > turnMs;
  turn = loopCount;
  startedAt = performance.now();
  return false;
}

/** Resolves in the next turn, when sockets have been looked at. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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
      setImmediate(this.#step);
    });
  }

  readonly #step = (): void => {
    if (isTurnOver()) {
      setImmediate(this.#step);
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
