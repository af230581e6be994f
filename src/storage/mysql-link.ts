// One connection to a MySQL server while somebody uses it: prepared statements, and a deadline on every command, because
// mysql2's own leaves the command running on a pooled connection.
import { Socket } from 'node:net';
import type { PoolConnection, QueryResult } from 'mysql2';
import { bindMysql } from './bind.ts';
import { DeadlineError, faultOf } from './faults.ts';
import { type Departure, sendTogether } from './mysql-flight.ts';
import type { Pulse } from './mysql-pulse.ts';
import type { TransactionTexts } from './mysql-server.ts';
import type { Bound, Row } from './session.ts';

type Answer<R> = (error: Error | null, result: R) => void;

/** Cuts the connection now. mysql2 alone only says goodbye, and a dead peer never answers that. */
export const cut = (connection: PoolConnection): void => {
  connection.destroy();
  streamOf(connection)?.destroy();
};

/** What the types of mysql2 leave out. */
export const streamOf = (connection: PoolConnection): Socket | undefined =>
  'stream' in connection && connection.stream instanceof Socket ? connection.stream : undefined;

export const toRows = (result: QueryResult): Row[] => {
  if (!Array.isArray(result)) throw new TypeError('The statement returns no rows; use run.');
  return result as unknown as Row[]; // arrays by rowsAsArray; its cells are text, numbers, bytes and null by the pool's options
};

export const toCount = (result: QueryResult): number => {
  if (!('affectedRows' in result)) throw new TypeError('The statement returns rows; use all.');
  return result.affectedRows; // matched rows: mysql2 sets the flag FOUND_ROWS
};

/** A statement and what is bound to it; without values it goes as a text. */
export interface Command {
  readonly sql: string;
  readonly values?: readonly Bound[];
}

/** Connections on which a statement does not commit by itself, and the text that makes them so that it does. */
const transactional = new WeakMap<PoolConnection, string>();

export class Link {
  readonly connection: PoolConnection;
  readonly #deadlineMs: number;
  readonly #pulse: Pick<Pulse, 'sent' | 'over'>;
  /** Of a transaction. */
  #texts: TransactionTexts | undefined;
  #hasBegun = false;

  /** @param deadlineMs of each command; `Infinity` for none. */
  constructor(connection: PoolConnection, deadlineMs: number, pulse: Pick<Pulse, 'sent' | 'over'>) {
    this.connection = connection;
    this.#deadlineMs = deadlineMs;
    this.#pulse = pulse;
  }

  /**
   * From here on nothing commits by itself, also where an error of the server ends the transaction: what is behind that
   * statement in a flight then begins another one, which is taken back.
   */
  begin(texts: TransactionTexts): void {
    this.#texts = texts;
  }

  async text(sql: string): Promise<QueryResult> {
    return this.send({ sql });
  }

  async execute(sql: string, values: readonly Bound[]): Promise<QueryResult> {
    return this.send({ sql, values });
  }

  send(command: Command): Promise<QueryResult> {
    const [answer] = this.sendTogether([command]);
    if (answer === undefined) throw new Error('nothing was sent');
    return answer;
  }

  /** Sends commands in one round trip, the first of them first. Each is carried out whether or not those before it have failed. */
  sendTogether(commands: readonly Command[]): readonly Promise<QueryResult>[] {
    const departures: Departure[] = [];
    const answers = [...this.#ahead(), ...commands].map(({ sql, values }) =>
      this.#answered((answer) => departures.push({ sql, values: values && bindMysql(values), answer })),
    );
    sendTogether(this.connection, departures);
    // What goes ahead cannot fail where what is behind it succeeds.
    for (const answer of answers) answer.catch(() => {});
    return answers.slice(-commands.length);
  }

  /** What goes ahead: where the connection was used in the other way before, and where a transaction begins. */
  #ahead(): readonly Command[] {
    const { connection } = this;
    const texts = this.#texts;
    const leave = transactional.get(connection);
    if (texts === undefined) {
      transactional.delete(connection);
      return leave === undefined ? [] : [{ sql: leave }];
    }
    transactional.set(connection, texts.leave);
    const begin = this.#hasBegun ? [] : texts.begin;
    this.#hasBegun = true;
    return [...(leave === undefined ? [texts.enter] : []), ...begin].map((sql) => ({ sql }));
  }

  /** Without an answer in time the connection is cut and the command rejects with a DeadlineError. */
  #answered(send: (answer: Answer<QueryResult>) => void): Promise<QueryResult> {
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
