// One connection to a MySQL server while somebody uses it: prepared statements, and a deadline on every command, because
// mysql2's own leaves the command running on a pooled connection.
import { Socket } from 'node:net';
import type { PoolConnection, QueryResult } from 'mysql2';
import { unreachable } from '../../unreachable.ts';
import type { Bound, Row } from '../schema/cells.ts';
import { DeadlineError } from '../schema/error-kinds.ts';
import { faultOf } from './errors.ts';
import type { HealthCheck } from './health-check.ts';
import type { SessionName } from './kill-session.ts';
import type { TransactionTexts } from './server.ts';
import { bindMysql } from './wire/bind.ts';
import { CommandDeadline } from './wire/deadlines.ts';
import { type PipelinedCommand, sendPipelined } from './wire/pipeline.ts';

type Answer<R> = (error: Error | null, result: R) => void;

/** Cuts the connection now. mysql2 alone only says goodbye, and a dead peer never answers that. */
export const cut = (connection: PoolConnection): void => {
  connection.destroy();
  streamOf(connection)?.destroy();
};

/** What the types of mysql2 leave out. */
export const streamOf = (connection: PoolConnection): Socket | undefined =>
  'stream' in connection && connection.stream instanceof Socket ? connection.stream : undefined;

/** Undefined where it is closed. */
export const nameOf = (connection: PoolConnection): SessionName | undefined => {
  const localPort = streamOf(connection)?.localPort;
  return localPort === undefined ? undefined : { threadId: connection.threadId, localPort };
};

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

/** Who hears of commands, and of those that are given up. */
type Observer = Pick<HealthCheck, 'sent' | 'over' | 'timedOut'>;

const none: readonly Command[] = [];

export class MysqlConnection {
  readonly connection: PoolConnection;
  /** The limit of time that its session has, once that is set. */
  limitMs: number | undefined;
  /** Of each command; `Infinity` for none. */
  #deadlineMs = Number.POSITIVE_INFINITY;
  readonly #health: Observer;
  /** Of a transaction. */
  #texts: TransactionTexts | undefined;
  #hasBegun = false;
  /** What makes statements commit by themselves again, where they do not. */
  #leave: string | undefined;

  constructor(connection: PoolConnection, health: Observer) {
    this.connection = connection;
    this.#health = health;
  }

  /** Of its next use. @param deadlineMs of each command; `Infinity` for none. */
  renew(deadlineMs: number): void {
    this.#deadlineMs = deadlineMs;
    this.#texts = undefined;
    this.#hasBegun = false;
  }

  /**
   * From here on nothing commits by itself, also where an error of the server ends the transaction: what is behind that
   * statement in a flight then begins another one, which is taken back.
   */
  begin(texts: TransactionTexts): void {
    this.#texts = texts;
  }

  text(sql: string): Promise<QueryResult> {
    return this.send({ sql });
  }

  execute(sql: string, values: readonly Bound[]): Promise<QueryResult> {
    return this.send({ sql, values });
  }

  send(command: Command): Promise<QueryResult> {
    const [answer] = this.sendTogether([command]);
    if (answer === undefined) unreachable('nothing was sent');
    return answer;
  }

  /** Sends commands in one round trip, the first of them first. Each is carried out whether or not those before it have failed. */
  sendTogether(commands: readonly Command[]): readonly Promise<QueryResult>[] {
    const ahead = this.#ahead();
    const departures: PipelinedCommand[] = [];
    const answers = [...ahead, ...commands].map(({ sql, values }) =>
      this.#answered((answer) => departures.push({ sql, values: values && bindMysql(values), answer })),
    );
    sendPipelined(this.connection, departures);
    // What goes ahead cannot fail where what is behind it succeeds.
    for (const answer of answers) answer.catch(() => {});
    return ahead.length === 0 ? answers : answers.slice(ahead.length);
  }

  /** What goes ahead: where the connection was used in the other way before, and where a transaction begins. */
  #ahead(): readonly Command[] {
    const texts = this.#texts;
    const leave = this.#leave;
    this.#leave = texts?.leave;
    if (texts === undefined) return leave === undefined ? none : [{ sql: leave }];
    const begin = this.#hasBegun ? none : texts.begin.map((sql) => ({ sql }));
    this.#hasBegun = true;
    return leave === undefined ? [{ sql: texts.enter }, ...begin] : begin;
  }

  /** Without an answer in time the connection is cut, here and at the server, and the command rejects with a DeadlineError. */
  #answered(send: (answer: Answer<QueryResult>) => void): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = (error: Error | null, result?: QueryResult): void => {
        if (isOver) return;
        isOver = true;
        deadline?.forget();
        this.#health.over(error === null || faultOf(error).kind !== 'away');
        if (result === undefined) reject(error);
        else resolve(result);
      };
      const expire = (): void => {
        if (isOver) return;
        const name = nameOf(this.connection);
        cut(this.connection);
        end(new DeadlineError(this.#deadlineMs));
        if (name !== undefined) this.#health.timedOut(name);
      };
      const deadline = Number.isFinite(this.#deadlineMs)
        ? new CommandDeadline(performance.now() + this.#deadlineMs, expire)
        : undefined;
      this.#health.sent();
      // Drivers hand on null or undefined where all is well.
      send((error, result) => (error ? end(error) : end(null, result)));
    });
  }
}
