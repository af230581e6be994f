// One connection to a MySQL server while somebody uses it: prepared statements, and a deadline on every command, because
// mysql2's own leaves the command running on a pooled connection.
import { Socket } from 'node:net';
import type { PoolConnection, QueryResult } from 'mysql2';
import type { Bound, Row } from '../schema/cells.ts';
import { DeadlineError } from '../schema/error-kinds.ts';
import { faultOf } from './errors.ts';
import type { HealthCheck } from './health-check.ts';
import type { SessionName } from './kill-session.ts';
import type { TransactionTexts } from './server.ts';
import { bindMysql } from './wire/bind.ts';
import { CommandDeadline } from './wire/deadlines.ts';
import { type PipelinedCommand, sendPipelined } from './wire/pipeline.ts';

/** What a command has come to. */
export type Answer = (error: Error | null, result: QueryResult) => void;

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

/** Settles a promise with what is made now, or with what is thrown instead. */
export function settle<T>(
  { resolve, reject }: { readonly resolve: (value: T) => void; readonly reject: (error: unknown) => void },
  make: () => T,
): void {
  try {
    resolve(make());
  } catch (error) {
    reject(error);
  }
}

/** A statement and what is bound to it; without values it goes as a text. */
export interface Command {
  readonly sql: string;
  readonly values?: readonly Bound[];
}

/** A command, and who learns once what it came to. */
export interface AskedCommand extends Command {
  readonly done: Answer;
}

/** Values as they are bound, or null where they cannot be: then the command is not sent. */
function boundOr(values: readonly Bound[], refuse: (fault: Error) => void): ReturnType<typeof bindMysql> | null {
  try {
    return bindMysql(values);
  } catch (fault) {
    refuse(fault as Error); // it throws nothing else
    return null;
  }
}

/** Who hears of commands, and of those that are given up. */
type Observer = Pick<HealthCheck, 'sent' | 'over' | 'timedOut'>;

const none: readonly Command[] = [];
export const nothing = [] as unknown as QueryResult; // beside an error nobody looks at it
/** What goes ahead cannot fail where what is behind it succeeds. */
const ignore: Answer = () => {};

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
    return new Promise((resolve, reject) => {
      this.ask([{ ...command, done: (error, result) => (error ? reject(error) : resolve(result)) }]);
    });
  }

  /** Sends commands in one round trip, the first of them first. Each is carried out whether or not those before it have failed. */
  ask(commands: readonly AskedCommand[]): void {
    const ahead = this.#ahead();
    const departures: PipelinedCommand[] = [];
    for (const { sql } of ahead) departures.push({ sql, values: undefined, answer: this.#answered(ignore) });
    for (const { sql, values, done } of commands) {
      const bound = values === undefined ? undefined : boundOr(values, (fault) => done(fault, nothing));
      if (bound !== null) departures.push({ sql, values: bound, answer: this.#answered(done) });
    }
    sendPipelined(this.connection, departures);
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

  /** Without an answer in time the connection is cut, here and at the server, and the command comes to a DeadlineError. */
  #answered(done: Answer): Answer {
    let isOver = false;
    const end: Answer = (error, result) => {
      if (isOver) return;
      isOver = true;
      deadline?.forget();
      // Drivers hand on null or undefined where all is well.
      this.#health.over(!error || faultOf(error).kind !== 'away');
      done(error, result);
    };
    const expire = (): void => {
      if (isOver) return;
      const name = nameOf(this.connection);
      cut(this.connection);
      end(new DeadlineError(this.#deadlineMs), nothing);
      if (name !== undefined) this.#health.timedOut(name);
    };
    const deadline = Number.isFinite(this.#deadlineMs)
      ? new CommandDeadline(performance.now() + this.#deadlineMs, expire)
      : undefined;
    this.#health.sent();
    return end;
  }
}
