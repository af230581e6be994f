// One connection to an embedded database: statements that are prepared once, and the session of a transaction on it.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { shouldYield, yieldToLoop } from '../../admission/event-loop.ts';
import type { Bound, Row } from '../schema/cells.ts';
import { LruCache } from '../schema/lru-cache.ts';
import type { Session } from '../schema/session.ts';
import { bindSqlite } from './bind.ts';

// Of one connection: more than are in use of a large registry. One holds some 15 KiB and takes up to 0.5 ms to prepare.
const statementLimit = 1000;

export interface Connection {
  readonly raw: DatabaseSync;
  all(sql: string, values: readonly Bound[]): Row[];
  run(sql: string, values: readonly Bound[]): number;
  /** How many statements are kept. */
  readonly prepared: number;
}

interface ConnectionOptions {
  /** Called after each statement that writes, with the number of rows that it has changed and its values. */
  readonly noteChanges?: (rows: number, values: readonly Bound[]) => void;
  /** Instead of the usual number of statements. */
  readonly kept?: number;
}

export const toConnection = (
  raw: DatabaseSync,
  { noteChanges, kept = statementLimit }: ConnectionOptions = {},
): Connection => {
  const statements = new LruCache<StatementSync>(kept);
  const prepare = (sql: string): StatementSync => {
    const made = raw.prepare(sql);
    made.setReturnArrays(true);
    return made;
  };
  const statement = (sql: string): StatementSync => statements.get(sql, () => prepare(sql));
  return {
    raw,
    get prepared() {
      return statements.size;
    },
    all(sql, values) {
      const rows: unknown[] = statement(sql).all(...bindSqlite(values));
      return rows as Row[]; // arrays by setReturnArrays; cells are what SQLite has, bigint being off
    },
    run(sql, values) {
      const changes = Number(statement(sql).run(...bindSqlite(values)).changes);
      noteChanges?.(changes, values);
      return changes;
    },
  };
};

/** Lets the statements of a transaction run in their order, as many in a turn of the event loop as there is time for. */
class StatementTurns {
  /** Called when the statement may run. */
  readonly #queue: (() => void)[] = [];
  #isRunning = false;

  /** @returns undefined if the statement may run now; otherwise a promise of its turn */
  enter(): Promise<void> | undefined {
    if (!this.#isRunning && !shouldYield()) return undefined;
    return new Promise((resolve) => {
      this.#queue.push(resolve);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = 0; next < this.#queue.length; ) {
      await yieldToLoop();
      // One in each turn at least, even if others have used up its time.
      do {
        this.#queue[next]?.();
        next += 1;
        // The statement runs before the next one is taken.
        await undefined;
      } while (next < this.#queue.length && !shouldYield());
    }
    this.#queue.length = 0;
    this.#isRunning = false;
  }
}

/**
 * The session of one unit of work. Some failures end the transaction: what follows must not run outside of it. Long work
 * gives way: nobody but its own connection sees a transaction that is open.
 */
const createTransaction = (connection: Connection) => {
  let isOver = false;
  let broken: unknown;
  const turns = new StatementTurns();
  const guarded = async <T>(job: () => T): Promise<T> => {
    const wait = turns.enter();
    if (wait !== undefined) await wait;
    if (isOver) throw new Error('The transaction is over; its session must not be used any more.');
    if (broken !== undefined) throw broken;
    try {
      return job();
    } catch (error) {
      if (!connection.raw.isTransaction) broken = error;
      throw error;
    }
  };
  const session: Session = {
    all: (sql, values) => guarded(() => connection.all(sql, values)),
    run: (sql, values) => guarded(() => connection.run(sql, values)),
  };
  /** Ends the session. @returns the error that ended the transaction before its time, if any. */
  const end = (): unknown => {
    isOver = true;
    return broken;
  };
  return { session, end };
};

/** Does work in a session that ends with it. @throws what `work` throws, or what has ended the transaction before its time */
export const inSession = async <T>(connection: Connection, work: (session: Session) => T | Promise<T>): Promise<T> => {
  const { session, end } = createTransaction(connection);
  try {
    const result = await work(session);
    const broken = end();
    if (broken !== undefined) throw broken;
    return result;
  } finally {
    end();
  }
};
