// Units of work by outcome, and how often they were repeated.
import type { QueueStats } from '../admission/queue.ts';
import { Histogram } from './histogram.ts';

export class UnitTally {
  readonly times = { read: new Histogram(), write: new Histogram(), transaction: new Histogram() };
  /** Tries after the first, by what the one before came to. */
  readonly retries = { conflict: 0, reconnect: 0 };
  unknownOutcomes = 0;
  /** Those that wait for one that runs alone, or to be alone. */
  readonly queue: QueueStats;

  constructor(queue: QueueStats) {
    this.queue = queue;
  }
}
