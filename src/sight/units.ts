// What became of the units of work of one process.
import type { Queue } from '../waiting/line.ts';
import { Times } from './times.ts';

export class UnitTally {
  readonly times = { read: new Times(), write: new Times(), transaction: new Times() };
  /** Tries after the first, by what the one before came to. */
  readonly retries = { conflict: 0, reconnect: 0 };
  unknownOutcomes = 0;
  /** Those that wait for one that runs alone, or to be alone. */
  readonly queue: Queue;

  constructor(queue: Queue) {
    this.queue = queue;
  }
}
