// Large transactions of an embedded database. At commit all changed pages would go to the log, and from there into the file, in
// one turn; with a hundred thousand rows that blocks others. So pages spill to the log while the transaction runs (a small
// cache), and the checkpoint runs in a thread of its own.
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Bound } from '../schema/cells.ts';

/** Minimum number of changed rows, and of characters bound for them, that make a transaction a large one. */
const manyRows = 2000;
const manyCharacters = 4 * 1024 * 1024;
const smallCache = 'pragma cache_size = -4096';
export const usualCache = 'pragma cache_size = -32768';
/** Pages of the log, from which on a commit brings it into the file. */
const usualPages = 1000;

/** Brings the log into the file, as far as nobody reads what was there before; makes no file where there is none. */
const checkpoint = `
const { workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(new URL(workerData));
database.exec('pragma wal_checkpoint(passive)');
database.close();
`;

export class LargeTransactions {
  readonly #raw: DatabaseSync;
  readonly #file: string;
  #rows = 0;
  #characters = 0;
  #isLarge = false;
  #working: Promise<void> | undefined;

  constructor(raw: DatabaseSync, path: string) {
    this.#raw = raw;
    const file = pathToFileURL(path);
    file.searchParams.set('mode', 'rw');
    this.#file = file.href;
  }

  /** Counts the rows that a statement has changed, and the length of its values. */
  note(rows: number, values: readonly Bound[]): void {
    if (this.#isLarge) return;
    this.#rows += rows;
    for (const value of values) if (typeof value === 'string') this.#characters += value.length;
    if (this.#rows < manyRows && this.#characters < manyCharacters) return;
    this.#isLarge = true;
    this.#raw.exec(`${smallCache}; pragma wal_autocheckpoint = 0`);
  }

  /** To be called behind each transaction. */
  over(): void {
    this.#rows = 0;
    this.#characters = 0;
    if (!this.#isLarge) return;
    this.#isLarge = false;
    this.#raw.exec(usualCache);
    const working = (this.#working ?? Promise.resolve())
      .then(() => this.#checkpoint())
      .then(() => {
        if (this.#working !== working) return;
        this.#working = undefined;
        if (!this.#isLarge) this.#raw.exec(`pragma wal_autocheckpoint = ${usualPages}`);
      });
    this.#working = working;
  }

  /** Nothing is under way any more. */
  async done(): Promise<void> {
    await this.#working;
  }

  /** What cannot be brought into the file now is so by the next commit. A process ends behind it: who closes waits for it. */
  #checkpoint(): Promise<void> {
    return new Promise((resolve) => {
      const worker = new Worker(checkpoint, { eval: true, workerData: this.#file });
      worker.once('error', () => {});
      worker.once('exit', () => resolve());
    });
  }
}
