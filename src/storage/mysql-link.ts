// One connection to a MySQL server while somebody uses it: prepared statements, and a deadline on every command, because
// mysql2's own leaves the command running on a pooled connection.
import { Socket } from 'node:net';
import type { PoolConnection, QueryResult } from 'mysql2';
import { bindMysql } from './bind.ts';
import { DeadlineError, faultOf } from './faults.ts';
import type { Pulse } from './mysql-pulse.ts';
import type { Bound, Row } from './session.ts';

/** All clients of the server together keep more prepared statements than it takes. */
const tooManyPrepared = 1461;

type Answer<R> = (error: Error | null, result: R) => void;

/** Cuts the connection now. mysql2 alone only says goodbye, and a dead peer never answers that. */
export const cut = (connection: PoolConnection): void => {
  connection.destroy();
  if ('stream' in connection && connection.stream instanceof Socket) connection.stream.destroy();
};

export const toRows = (result: QueryResult): Row[] => {
  if (!Array.isArray(result)) throw new TypeError('The statement returns no rows; use run.');
  return result as unknown as Row[]; // arrays by rowsAsArray; its cells are text, numbers, bytes and null by the pool's options
};

export const toCount = (result: QueryResult): number => {
  if (!('affectedRows' in result)) throw new TypeError('The statement returns rows; use all.');
  return result.affectedRows; // matched rows: mysql2 sets the flag FOUND_ROWS
};

export class Link {
  readonly connection: PoolConnection;
  readonly #deadlineMs: number;
  readonly #pulse: Pick<Pulse, 'sent' | 'over'>;

  /** @param deadlineMs of each command; `Infinity` for none. */
  constructor(connection: PoolConnection, deadlineMs: number, pulse: Pick<Pulse, 'sent' | 'over'>) {
    this.connection = connection;
    this.#deadlineMs = deadlineMs;
    this.#pulse = pulse;
  }

  text(sql: string): Promise<QueryResult> {
    return this.#command((answer) => this.connection.query({ sql, rowsAsArray: true }, answer));
  }

  async execute(sql: string, values: readonly Bound[]): Promise<QueryResult> {
    const bound = bindMysql(values);
    try {
      return await this.#command((answer) => this.connection.execute(sql, bound, answer));
    } catch (error) {
      if (!(error instanceof Error && 'errno' in error && error.errno === tooManyPrepared)) throw error;
      // The server refuses to keep one more, not to run it: as text it goes through.
      return this.#command((answer) => this.connection.query({ sql, values: bound, rowsAsArray: true }, answer));
    }
  }

  /** Without an answer in time the connection is cut and the command rejects with a DeadlineError. */
  #command(send: (answer: Answer<QueryResult>) => void): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = (error: Error | null, result?: QueryResult): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        this.#pulse.over(error === null || faultOf(error).kind !== 'away');
        if (result === undefined) reject(error);
        else resolve(result);
      };
      const expire = (): void => {
        if (isOver) return;
        cut(this.connection);
        end(new DeadlineError(this.#deadlineMs));
      };
      // Where the loop was held up, the answer may be there already: sockets are looked at before the time is over.
      const timer = Number.isFinite(this.#deadlineMs)
        ? setTimeout(() => setImmediate(expire), this.#deadlineMs)
        : undefined;
      this.#pulse.sent();
      // Drivers hand on null or undefined where all is well.
      send((error, result) => (error ? end(error) : end(null, result)));
    });
  }
}
