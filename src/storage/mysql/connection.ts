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
import { type Departure, sendPipelined } from './wire/pipeline.ts';

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
  /** Learns once what it came to. */
  readonly done?: Answer | undefined;
}

/** Learns when all commands of a flight are over: what each came to, and the first error. */
export type Landed = (results: readonly QueryResult[], failed: Error | undefined) => void;

/** Who hears of commands, and of those that are given up. */
type Observer = Pick<HealthCheck, 'sent' | 'over' | 'timedOut'>;

const none: readonly Command[] = [];
export const nothing = [] as unknown as QueryResult; // beside an error nobody looks at it
export class MysqlConnection {
  readonly connection: PoolConnection;
  /** The limit of time that its session has, once that is set. */
  limitMs: number | undefined;
  /** Of each command; `Infinity` for none. */
  deadlineMs = Number.POSITIVE_INFINITY;
  readonly health: Observer;
  /** Of a transaction. */
  #texts: TransactionTexts | undefined;
  #hasBegun = false;
  /** What makes statements commit by themselves again, where they do not. */
  #leave: string | undefined;

  constructor(connection: PoolConnection, health: Observer) {
    this.connection = connection;
    this.health = health;
  }

  /** Of its next use. @param deadlineMs of each command; `Infinity` for none. */
  renew(deadlineMs: number): void {
    this.deadlineMs = deadlineMs;
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
      this.ask([command], ([result = nothing], failed) => (failed ? reject(failed) : resolve(result)));
    });
  }

  /**
   * Sends commands in one round trip, the first of them first. Each is carried out whether or not those before it have failed;
   * none of them where one has a value that cannot be bound.
   */
  ask(commands: readonly Command[], landed: Landed): void {
    const departures: Departure[] = [];
    try {
      for (const { sql, values } of commands) departures.push({ sql, values: values && bindMysql(values) });
    } catch (fault) {
      // It throws nothing else.
      for (const { done } of commands) done?.(fault as Error, nothing);
      landed([], fault as Error);
      return;
    }
    const ahead = this.#ahead();
    for (const { sql } of ahead.toReversed()) departures.unshift({ sql });
    const flight = new Flight(this, { commands, landed, ahead: ahead.length });
    this.health.sent();
    sendPipelined(this.connection, departures, flight);
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
}

interface FlightOptions {
  readonly commands: readonly Command[];
  readonly landed: Landed;
  /** How many go ahead of them: what cannot fail where what is behind it succeeds. */
  readonly ahead: number;
}

/** Commands that are under way together, until the last of them is over. */
class Flight {
  readonly #link: MysqlConnection;
  readonly #commands: readonly Command[];
  readonly #landed: Landed;
  readonly #ahead: number;
  readonly #results: QueryResult[] = [];
  readonly #deadline: CommandDeadline | undefined;
  #left: number;
  #failed: Error | undefined;

  constructor(link: MysqlConnection, { commands, landed, ahead }: FlightOptions) {
    this.#link = link;
    this.#commands = commands;
    this.#landed = landed;
    this.#ahead = ahead;
    this.#left = commands.length;
    const { deadlineMs } = link;
    if (deadlineMs !== Number.POSITIVE_INFINITY)
      this.#deadline = new CommandDeadline(performance.now() + deadlineMs, () => this.#expire());
  }

  /** What the command at a place of the flight has come to. Drivers hand on null or undefined where all is well. */
  note(flown: number, error: Error | null | undefined, result: QueryResult | undefined): void {
    const place = flown - this.#ahead;
    const command = this.#commands[place];
    // It was given up.
    if (command === undefined || this.#results[place] !== undefined) return;
    this.#results[place] = result ?? nothing;
    if (error) this.#failed ??= error;
    this.#left -= 1;
    const isLast = this.#left === 0;
    if (isLast) {
      this.#deadline?.forget();
      this.#link.health.over(!error || faultOf(error).kind !== 'away');
    }
    command.done?.(error ?? null, result ?? nothing);
    if (isLast) this.#landed(this.#results, this.#failed);
  }

  /** Without an answer in time the connection is cut, here and at the server, and what is under way comes to a DeadlineError. */
  #expire(): void {
    if (this.#left === 0) return;
    const { connection, deadlineMs, health } = this.#link;
    const name = nameOf(connection);
    cut(connection);
    for (const place of this.#commands.keys()) this.note(place + this.#ahead, new DeadlineError(deadlineMs), nothing);
    if (name !== undefined) health.timedOut(name);
  }
}
