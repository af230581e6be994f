// Pipelining: commands of one connection are written to its socket together, and the server answers them in order, so that they
// take one round trip. mysql2 by itself waits for each answer, and so do connections that `pipelining.ts` does not allow it.
import type { PoolConnection, QueryError, QueryResult } from 'mysql2';
import { execute } from './prepared.ts';
import { type Command, commandsOf, tap, type Wire, writeTogether } from './tap.ts';

/** All clients of the server together keep more prepared statements than it takes. */
const tooManyPrepared = 1461;

/** A statement of a flight. */
export interface PipelinedCommand {
  readonly sql: string;
  /** Without them it goes as a text. */
  readonly values: (string | number | bigint | Buffer | null)[] | undefined;
  readonly answer: (error: QueryError | null, result: QueryResult) => void;
}

const together = new WeakSet<PoolConnection>();

/** Lets commands of a connection be under way together. */
export function allowPipelining(connection: PoolConnection): void {
  together.add(connection);
}

/**
 * Sends statements together, or each when the one before it is answered where they may not be under way together. Each is
 * carried out whether or not those before it have failed.
 */
export function sendPipelined(connection: PoolConnection, departures: readonly PipelinedCommand[]): void {
  // One by itself is one piece anyway.
  const tapped = departures.length > 1 && together.has(connection) ? tap(connection) : undefined;
  if (tapped === undefined) for (const departure of departures) send(connection, departure);
  else tapped.addCommand(new Flight(connection, departures));
}

function send(connection: PoolConnection, departure: PipelinedCommand): void {
  const { sql, values, answer } = departure;
  if (values === undefined) sendAsText(connection, departure);
  else
    execute(connection, { sql, values }, (error, result) => {
      // The server refuses to keep one more, not to run it: as text it goes through.
      if (error?.errno === tooManyPrepared) sendAsText(connection, departure);
      else answer(error, result);
    });
}

function sendAsText(connection: PoolConnection, { sql, values, answer }: PipelinedCommand): void {
  connection.query<QueryResult>({ sql, ...(values && { values }), rowsAsArray: true }, answer);
}

/** Two rounds: what is not prepared yet is prepared, then all is carried out. The first takes no time where nothing is new. */
class Flight implements Command {
  readonly #rounds: Command[][];
  /** Those that are sent, in the order of their answers. */
  readonly #sent: Command[] = [];

  constructor(connection: PoolConnection, departures: readonly PipelinedCommand[]) {
    const preparations: Command[] = [];
    const executions: Command[] = [];
    for (const departure of departures) {
      const asked = commandsOf(() => send(connection, departure));
      const place = executions.length;
      const [preparation] = asked.slice(0, -1);
      executions.push(...asked.slice(-1));
      if (preparation === undefined) continue;
      preparations.push(preparation);
      const { onResult } = preparation;
      preparation.onResult = (error, result) => {
        if (error?.errno === tooManyPrepared)
          executions.splice(place, 1, ...commandsOf(() => sendAsText(connection, departure)));
        else onResult?.(error, result);
      };
    }
    this.#rounds = [preparations, executions];
  }

  execute(packet: unknown, wire: Wire): boolean {
    const [current] = this.#sent;
    if (packet !== undefined && current?.execute(packet, wire) === true) this.#sent.shift();
    else if (current !== undefined) return false;
    while (this.#sent.length === 0) {
      const round = this.#rounds.shift();
      if (round === undefined) return true;
      const start = (): void => {
        for (const command of round) if (!command.execute(undefined, wire)) this.#sent.push(command);
      };
      // One is one piece already.
      if (round.length > 1) writeTogether(wire, start);
      else start();
    }
    // Each command has begun its own count, whether it had something to send or not.
    wire.sequenceId = 1;
    return false;
  }

  /** The connection is lost: nobody answers any more. */
  onResult(error: Error | null): void {
    for (const command of [...this.#sent, ...this.#rounds.flat()]) command.onResult?.(error);
  }
}
