// Catches the commands that mysql2 makes and the packets that it writes, for its types and exports leave them out.
import type { PoolConnection, QueryError } from 'mysql2';

/** A command of mysql2: it is started without a packet, and then fed those of its answer. */
export interface Command {
  /** @returns whether it is over. */
  execute(packet: unknown, wire: Wire): boolean;
  /** What it does with the next packet: it returns what is done with the one behind that. */
  next?: State | null | undefined;
  onResult?: ((error: QueryError | null, result?: unknown) => void) | undefined;
}

type State = (packet: unknown, wire: Wire) => State | null | undefined;

/** A connection, as its commands see it. */
export interface Wire {
  addCommand(command: object): unknown;
  /** Number of the packet that comes next: 1 where an answer begins. */
  sequenceId: number;
  /** Sends a packet. A connection that compresses has another one. */
  write(packet: Buffer): void;
  /** Those that wait for their turn. */
  readonly _commands: { unshift(command: object): unknown };
  /** Its prepared statements. */
  readonly _statements: { get(key: string): unknown };
}

/** What is caught while a call runs, instead of being done. */
let commands: Command[] | undefined;
let packets: Buffer[] | undefined;
const taps = new WeakMap<object, Wire['addCommand']>();

/**
 * A connection whose commands and packets can be caught. It stays so: one that got and lost methods with each flight would be
 * several times as slow at every packet.
 * @returns undefined where it is closed: such a one refuses commands by a method of its own
 */
export function tap(connection: PoolConnection): Wire | undefined {
  const wire = connection as unknown as Wire; // what `execute` of its base class works with, which its types leave out
  const known = taps.get(wire);
  if (known !== undefined) return wire.addCommand === known ? wire : undefined;
  if (Object.hasOwn(wire, 'addCommand')) return undefined;
  const { addCommand, write } = wire;
  wire.addCommand = (command) => {
    if (commands === undefined) return addCommand.call(wire, command);
    commands.push(command as Command);
    return command;
  };
  wire.write = (packet) => {
    if (packets === undefined) write.call(wire, packet);
    else packets.push(packet);
  };
  taps.set(wire, wire.addCommand);
  return wire;
}

/** The commands that a call gives to a connection that is tapped, which does not learn of them. */
export function commandsOf(ask: () => void): readonly Command[] {
  const caught: Command[] = [];
  const before = commands;
  commands = caught;
  try {
    ask();
  } finally {
    commands = before;
  }
  return caught;
}

/** All packets that are sent meanwhile as one piece: a system call for each, or a list of them, takes several times as long. */
export function writeTogether(wire: Wire, start: () => void): void {
  const caught: Buffer[] = [];
  packets = caught;
  try {
    start();
  } finally {
    packets = undefined;
  }
  if (caught.length > 0) wire.write(Buffer.concat(caught));
}
