// Commands of one connection that are written to its socket together: the server carries them out in their order and answers
// in it, so that all of them take one round trip. mysql2 by itself sends a command when the one before it is answered.
import type { PoolConnection } from 'mysql2';

/** All clients of the server together keep more prepared statements than it takes. */
const tooManyPrepared = 1461;

/** A command of mysql2: it is started without a packet, and then fed those of its answer. */
interface Command {
  /** @returns whether it is over. */
  execute(packet: unknown, wire: Wire): boolean;
  onResult?: ((error: (Error & { readonly errno?: number }) | null, result?: unknown) => void) | undefined;
}

/** A connection, as its commands see it. */
interface Wire {
  addCommand(command: Command): Command;
  /** Number of the packet that comes next: 1 where an answer begins. */
  sequenceId: number;
  /** Sends a packet. A connection that compresses has another one. */
  write: (packet: Buffer) => void;
}

/** A statement of a flight. */
export interface Departure {
  /** Asks the connection for it. */
  readonly send: () => void;
  /** Asks for it as a text, where the server keeps no more prepared statements. */
  readonly sendAsText: () => void;
}

/** Sends statements together. Each is carried out whether or not those before it have failed. */
export function sendTogether(connection: PoolConnection, departures: readonly Departure[]): void {
  const wire = connection as unknown as Wire; // what `execute` of its base class works with, which its types leave out
  // A connection that is closed refuses commands by a method of its own.
  if (Object.hasOwn(wire, 'addCommand')) for (const { send } of departures) send();
  else wire.addCommand(new Flight(wire, departures));
}

/** The commands that a call gives to a connection, which does not learn of them. */
function commandsOf(wire: Wire, ask: () => void): readonly Command[] {
  const commands: Command[] = [];
  wire.addCommand = (command) => {
    commands.push(command);
    return command;
  };
  try {
    ask();
  } finally {
    Reflect.deleteProperty(wire, 'addCommand');
  }
  return commands;
}

/** All packets that are sent meanwhile as one piece: a system call for each, or a list of them, takes several times as long. */
function writeTogether(wire: Wire, send: () => void): void {
  const { write } = wire;
  const isOwn = Object.hasOwn(wire, 'write');
  const packets: Buffer[] = [];
  wire.write = (packet) => void packets.push(packet);
  try {
    send();
  } finally {
    if (isOwn) wire.write = write;
    else Reflect.deleteProperty(wire, 'write');
  }
  if (packets.length > 0) wire.write(Buffer.concat(packets));
}

/** Two rounds: what is not prepared yet is prepared, then all is carried out. The first takes no time where nothing is new. */
class Flight implements Command {
  readonly #rounds: Command[][];
  /** Those that are sent, in the order of their answers. */
  readonly #sent: Command[] = [];

  constructor(wire: Wire, departures: readonly Departure[]) {
    const preparations: Command[] = [];
    const executions: Command[] = [];
    for (const { send, sendAsText } of departures) {
      const commands = commandsOf(wire, send);
      const place = executions.length;
      const [preparation] = commands.slice(0, -1);
      executions.push(...commands.slice(-1));
      if (preparation === undefined) continue;
      preparations.push(preparation);
      const { onResult } = preparation;
      preparation.onResult = (error, result) => {
        // The server refuses to keep one more, not to run it: as text it goes through.
        if (error?.errno === tooManyPrepared) executions.splice(place, 1, ...commandsOf(wire, sendAsText));
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
