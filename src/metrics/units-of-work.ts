// Units of work by outcome, and how often they took the long way.
import type { QueueStats } from '../admission/queue.ts';
import { Histogram } from './histogram.ts';

/** `secondPass`: a batch that was rolled back and repeated with care; `longPage`: a page that took many statements. */
export type LongWay = 'secondPass' | 'longPage';

/** Notes that something took the long way. @param details What a log line tells of it. */
export type NoteLongWay = (what: LongWay, details: object) => void;

const words: Readonly<Record<LongWay, string>> = {
  secondPass: 'batch repeated step by step',
  longPage: 'page took many statements',
};

/** Where debug lines go. */
interface DebugLog {
  debug(details: object, message: string): void;
}

export class UnitTally {
  readonly times = { read: new Histogram(), write: new Histogram(), transaction: new Histogram() };
  /** Tries after the first, by what the one before came to. */
  readonly retries = { conflict: 0, reconnect: 0 };
  readonly longWays: Record<LongWay, number> = { secondPass: 0, longPage: 0 };
  unknownOutcomes = 0;
  /** Those that wait for one that runs alone, or to be alone. */
  readonly queue: QueueStats;
  readonly #log: DebugLog | undefined;

  constructor(queue: QueueStats, log?: DebugLog) {
    this.queue = queue;
    this.#log = log;
  }

  /** Notes that a unit is run again. */
  noteRetry(cause: keyof UnitTally['retries'], details: object): void {
    this.retries[cause] += 1;
    this.#log?.debug(details, cause === 'conflict' ? 'retry after a conflict' : 'retry on another connection');
  }

  readonly noteLongWay: NoteLongWay = (what, details) => {
    this.longWays[what] += 1;
    this.#log?.debug(details, words[what]);
  };
}
