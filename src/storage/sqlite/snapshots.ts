// Connections that each see one moment, that of their first read. To open one reads the whole schema, which takes longer than many
// a summary: some are kept for who comes next.
import type { DatabaseSync } from 'node:sqlite';
import type { Session } from '../schema/session.ts';
import { type Connection, toConnection } from './connection.ts';
import { logBytes } from './file.ts';

/** While a moment is read, the log of writes grows: so far. */
const mostLogBytes = 4 * 1024 ** 3;
/** Connections that are kept while nobody reads, each with up to 8 MiB of the file. */
const mostIdle = 2;
/** Of one connection: few shapes of summaries come again and again. */
const statementsKept = 100;

export class Snapshots {
  readonly #path: string;
  readonly #open: () => DatabaseSync;
  readonly #idle: Connection[] = [];
  #isClosed = false;

  constructor(path: string, open: () => DatabaseSync) {
    this.#path = path;
    this.#open = open;
  }

  /** Reads what one moment has. @throws what `work` throws */
  async read<T>(work: (session: Pick<Session, 'all'>) => Promise<T>): Promise<T> {
    const connection = this.#idle.pop() ?? toConnection(this.#open(), { kept: statementsKept });
    try {
      connection.raw.exec('begin');
      return await work({
        all: async (sql, values) => {
          if (logBytes(this.#path) > mostLogBytes)
            throw new Error('The log of the database has grown too long meanwhile.');
          return connection.all(sql, values);
        },
      });
    } finally {
      this.#release(connection);
    }
  }

  #release(connection: Connection): void {
    const { raw } = connection;
    if (raw.isTransaction) raw.exec('rollback');
    if (this.#isClosed || this.#idle.length === mostIdle) raw.close();
    else this.#idle.push(connection);
  }

  /** Who still reads goes on to the end. */
  close(): void {
    this.#isClosed = true;
    for (const { raw } of this.#idle.splice(0)) raw.close();
  }
}
