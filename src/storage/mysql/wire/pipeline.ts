// Pipelining: commands of one connection are written to its socket together, and the server answers them in order, so that they
// take one round trip. mysql2 by itself waits for each answer, and so do connections that `pipelining.ts` does not allow it.
import type { PoolConnection, QueryError, QueryResult } from 'mysql2';
import { type BoundStatement, type Execution, executionOf, forgetUnusable, prepare } from './prepared.ts';
import { type Command, commandsOf, tap, type Wire, writeTogether } from './tap.ts';

/** All clients of the server together keep more prepared statements than it takes. */
const tooManyPrepared = 1461;

/** A statement of a flight; without values it goes as a text. */
export interface Departure {
  readonly sql: string;
  readonly values?: BoundStatement['values'] | undefined;
}
/** Told what the statement at each place of a flight has come to. */
export interface Observer {
  note(place: number, error: QueryError | null, result: QueryResult | undefined): void;
}

const together = new WeakSet<object>();

/** Lets commands of a connection be under way together. */
export function allowPipelining(connection: PoolConnection): void {
  together.add(connection);
}

/**
 * Sends statements together, or each when the one before it is answered where they may not be under way together. Each is
 * carried out whether or not those before it have failed.
 */
export function sendPipelined(connection: PoolConnection, departures: readonly Departure[], observer: Observer): void {
  const wire = tap(connection);
  const flight = { connection, departures, observer, first: 0 };
  if (wire === undefined) {
    // It is closed, and says so itself.
    for (const [place, { sql }] of departures.entries())
      connection.query(sql, (error) => observer.note(place, error, undefined));
  } else if (departures.length === 1 || together.has(wire)) {
    send(wire, flight);
  } else {
    for (const [first, departure] of departures.entries()) send(wire, { ...flight, departures: [departure], first });
  }
}

interface Flight {
  readonly connection: PoolConnection;
  readonly departures: readonly Departure[];
  readonly observer: Observer;
  /** The place of the first of them. */
  readonly first: number;
}

/** What is not prepared yet is prepared before all of them: two rounds, the first of which is left out where nothing is new. */
function send(wire: Wire, { connection, departures, observer, first }: Flight): void {
  const commands: (Command | undefined)[] = [];
  const preparations: Command[] = [];
  for (const [place, { sql, values }] of departures.entries()) {
    const answer = (error: QueryError | null, result?: QueryResult): void => {
      if (error) forgetUnusable(connection, sql, error);
      observer.note(first + place, error, result);
    };
    const asText = () =>
      commandsOf(() => connection.query<QueryResult>({ sql, ...(values && { values }), rowsAsArray: true }, answer))[0];
    const execution = values === undefined ? undefined : executionOf(wire, { sql, values }, answer);
    commands.push(execution ?? asText());
    if (execution === undefined || execution.statement !== undefined) continue;
    const prepared = (error: QueryError | null, statement: Execution['statement']): void => {
      execution.statement = statement;
      if (error === null) return;
      // The server refuses to keep one more, not to run it: as text it goes through.
      const isRunnable = error.errno === tooManyPrepared;
      commands[place] = isRunnable ? asText() : undefined;
      if (!isRunnable) answer(error);
    };
    preparations.push(prepare(connection, sql, prepared));
  }
  if (preparations.length === 0) {
    for (const command of launched(wire, commands)) wire.addCommand(command);
    return;
  }
  for (const command of launched(wire, preparations)) wire.addCommand(command);
  wire.addCommand({
    execute: () => {
      // Ahead of what closes statements for which there was no room any more: they may be among these.
      for (const command of launched(wire, commands).toReversed()) wire._commands.unshift(command);
      return true;
    },
    // The connection is lost: nobody answers any more.
    onResult: (error: QueryError | null) => {
      for (const place of departures.keys()) observer.note(first + place, error, undefined);
    },
  });
}

/** Commands as the connection is to have them: begun already where they are several, so that all are under way. */
function launched(wire: Wire, commands: readonly (Command | undefined)[]): readonly Command[] {
  const [first] = commands;
  // One is one piece already.
  if (commands.length === 1) return first === undefined ? [] : [first];
  const begun: Command[] = [];
  writeTogether(wire, () => {
    for (const command of commands) if (command?.execute(undefined, wire) === false) begun.push(command);
  });
  for (const command of begun) {
    const { next } = command;
    // The connection begins it when its turn comes, which is when its answer comes.
    command.next = (packet) => {
      if (packet !== undefined) return next?.call(command, packet, wire);
      wire.sequenceId = 1;
      return command.next;
    };
  }
  return begun;
}
