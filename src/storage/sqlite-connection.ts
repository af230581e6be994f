// One connection to an embedded database: statements that are prepared once, and the session of a transaction on it.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isTurnOver, nextTurn } from '../waiting/turns.ts';
import { bindSqlite } from './bind.ts';
import type { Bound, Row, Session } from './session.ts';

// More than the statements of a large registry; a statement costs a few KiB and 9 µs to prepare.
const statementLimit = 2000;

export interface Connection {
  readonly raw: DatabaseSync;
  all(sql: string, values: readonly Bound[]): Row[];
  run(sql: string, values: readonly Bound[]): number;
}

export const toConnection = (raw: DatabaseSync): Connection => {
  const statements = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const kept = statements.get(sql);
    if (kept !== undefined) return kept;
    const made = raw.prepare(sql);
    made.setReturnArrays(true);
    if (statements.size >= statementLimit) {
      const [oldest] = statements.keys();
      if (oldest !== undefined) statements.delete(oldest);
    }
    statements.set(sql, made);
    return made;
  };
  return {
    raw,
    all(sql, values) {
      const rows: unknown[] = statement(sql).all(...bindSqlite(values));
      return rows as Row[]; // arrays by setReturnArrays; cells are what SQLite has, bigint being off
    },
    run: (sql, values) => Number(statement(sql).run(...bindSqlite(values)).changes),
  };
};

/**
 * The session of one unit of work. Some failures end the transaction: what follows must not run outside of it. Long work
 * gives way: nobody but its own connection sees a transaction that is open.
 */
export const createTransaction = (connection: Connection) => {
  let isOver = false;
  let broken: unknown;
  const guarded = async <T>(job: () => T): Promise<T> => {
    if (isTurnOver()) await nextTurn();
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
