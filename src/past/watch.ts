// One look at the log for all who wait for its next entry: at once after a commit of this process, else twice a second.

import { readState } from '../storage/log/state.ts';
import type { Dialect } from '../storage/schema/dialect.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { givePositions } from './positions.ts';

const lookEveryMs = 500;
/** Of 2,000 rows each. */
const passesAtOnce = 10;

/** Why somebody is woken: there is an entry, its time is over, or the service ends. */
export type Wake = 'entry' | 'time' | 'end';

interface Waiting {
  readonly behind: number;
  readonly wake: (why: Wake) => void;
}

export class LogWatch {
  readonly #unit: UnitOfWork;
  readonly #dialect: Dialect;
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isAskedAgain = false;
  /** Whether something was committed since it was looked last. */
  #isStale = true;
  /** The last position that was seen. */
  #head = 0;
  #isOver = false;

  constructor(unit: UnitOfWork, dialect: Dialect) {
    this.#unit = unit;
    this.#dialect = dialect;
  }

  /** Whether the service ends: nobody begins to wait then. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** A write of this process is committed. */
  readonly committed = (): void => {
    this.#isStale = true;
    if (this.#waiting.size > 0) this.#look();
  };

  /** Waits until there is an entry behind a position. @param stop Aborted when nobody waits any more. */
  wait(behind: number, ms: number, stop?: AbortSignal): Promise<Wake> {
    if (this.#isOver || stop?.aborted === true) return Promise.resolve('end');
    if (this.#head > behind) return Promise.resolve('entry');
    return new Promise((resolve) => {
      const wake = (why: Wake): void => {
        clearTimeout(timer);
        stop?.removeEventListener('abort', left);
        this.#waiting.delete(waiting);
        if (this.#waiting.size === 0) this.#rest();
        resolve(why);
      };
      const left = (): void => wake('end');
      const timer = setTimeout(() => wake('time'), ms);
      const waiting = { behind, wake };
      stop?.addEventListener('abort', left);
      this.#waiting.add(waiting);
      // Where others wait already, somebody looks soon: many who wait cost no more than one.
      if (this.#timer === undefined || this.#isStale) this.#look();
      this.#timer ??= setInterval(() => this.#look(), lookEveryMs);
    });
  }

  /** Wakes all, for good. */
  end(): void {
    this.#isOver = true;
    for (const { wake } of [...this.#waiting]) wake('end');
  }

  /** Resolves when nothing is looked for any more, so that the database can be closed. */
  async done(): Promise<void> {
    this.end();
    await this.#looking;
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    if (this.#looking !== undefined) {
      this.#isAskedAgain = true;
      return;
    }
    this.#looking = this.#lookOnce().finally(() => {
      this.#looking = undefined;
      if (!this.#isAskedAgain) return;
      this.#isAskedAgain = false;
      if (this.#waiting.size > 0) this.#look();
    });
  }

  /** What cannot be read now is the next time. */
  async #lookOnce(): Promise<void> {
    this.#isStale = false;
    try {
      await givePositions(this.#unit, this.#dialect, passesAtOnce);
      const { head } = await readState(this.#unit.direct, this.#dialect);
      this.#head = head;
      for (const { behind, wake } of [...this.#waiting]) if (head > behind) wake('entry');
    } catch {
      // The next look tells.
    }
  }
}
