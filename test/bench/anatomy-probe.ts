// Loaded before a service whose requests are taken apart: counts what it does from one message to the next. V8 counts calls, its
// hooks promises; statements are counted where they leave for the driver of SQLite or for the socket of a server. Bytes are what
// the heap grows by between collections: calls must not be counted then, for V8 compiles otherwise when it counts them.
import { Session } from 'node:inspector';
import { Socket } from 'node:net';
import { StatementSync } from 'node:sqlite';
import { GCProfiler, getHeapStatistics, promiseHooks, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Counted, CountedFunction, ProbeMessage, Weighed } from './anatomy-types.ts';

// What is allocated between two collections is what the heap has grown by, whatever of it is garbage.
setFlagsFromString('--expose-gc');
setFlagsFromString('--min-semi-space-size=128');
setFlagsFromString('--max-semi-space-size=128');
const collectGarbage: unknown = runInNewContext('gc');
const heapNow = (): number => getHeapStatistics().used_heap_size;

const session = new Session();
session.connect();
/** Commands of the profiler call back before they return. */
function post<T>(method: string, params: object = {}): T {
  let found: unknown;
  session.post(method, params, (error, result: unknown) => {
    if (error !== null) throw error;
    found = result;
  });
  return found as T;
}

let statements = 0;
let trips = 0;
let promises = 0;

for (const name of ['all', 'get', 'run', 'iterate'] as const) {
  const original = StatementSync.prototype[name] as (...values: unknown[]) => unknown;
  Object.assign(StatementSync.prototype, {
    [name](this: StatementSync, ...values: unknown[]): unknown {
      statements += 1;
      return original.apply(this, values);
    },
  });
}

const serverPort = Number(new URL(process.env['DATABASE_URL'] ?? 'none:').port || 3306);
const query = 0x03;
const execute = 0x17;
const frames = /^(?:start transaction|begin|commit|rollback)/i;
const sockets = new Set<Socket>();
/** How much had been read when a statement was last sent: what is sent without an answer between is one trip. */
let readBefore = 0;

function countPacket(socket: Socket, packet: Uint8Array): void {
  // One that goes on with a long statement has a number behind 0.
  if (packet[3] !== 0 || (packet[4] !== query && packet[4] !== execute)) return;
  const text = packet[4] === query ? Buffer.from(packet.subarray(5, 40)).toString('latin1') : '';
  if (!frames.test(text)) statements += 1;
  const read = sockets
    .add(socket)
    .values()
    .reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  if (read !== readBefore) trips += 1;
  readBefore = read;
}

/** Packets of the protocol begin with their length, of three bytes, and a number. */
function countPackets(socket: Socket, bytes: Uint8Array): void {
  const heads = 4;
  for (let at = 0; at + heads < bytes.length; ) {
    const length = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    countPacket(socket, bytes.subarray(at, at + heads + length));
    at += heads + length;
  }
}

const write = Socket.prototype.write as (...values: unknown[]) => boolean;
Object.assign(Socket.prototype, {
  write(this: Socket, ...values: unknown[]): boolean {
    const [bytes] = values;
    if (this.remotePort === serverPort && bytes instanceof Uint8Array) countPackets(this, bytes);
    return write.apply(this, values);
  },
});

let stopCounting = (): void => {};
let profiler: GCProfiler | undefined;
let heapBefore = 0;
let usageBefore = process.cpuUsage();

function beginCounting(): void {
  post('Profiler.enable');
  // Of functions alone: counting blocks as well would find the same calls, and compile everything again.
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const stop = promiseHooks.onInit(() => {
    promises += 1;
  });
  stopCounting = () => stop();
  [statements, trips, promises] = [0, 0, 0];
  post('Profiler.takePreciseCoverage');
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

function endCounting(): Counted {
  const { result } = post<Coverage>('Profiler.takePreciseCoverage');
  const counted = { statements, trips, promises };
  stopCounting();
  post('Profiler.stopPreciseCoverage');
  post('Profiler.disable');
  const calls = result
    .filter(({ url }) => url !== import.meta.url)
    .flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName: name, ranges: [range] }): CountedFunction[] =>
        range === undefined || range.count === 0 ? [] : [{ url, name, offset: range.startOffset, count: range.count }],
      ),
    );
  return { ...counted, calls };
}

function beginWeighing(): void {
  if (typeof collectGarbage === 'function') collectGarbage();
  profiler = new GCProfiler();
  profiler.start();
  heapBefore = heapNow();
  usageBefore = process.cpuUsage();
}

function endWeighing(): Weighed {
  const { user, system } = process.cpuUsage(usageBefore);
  const end = heapNow();
  let [bytes, last] = [0, heapBefore];
  for (const { beforeGC, afterGC } of profiler?.stop().statistics ?? []) {
    bytes += beforeGC.heapStatistics.usedHeapSize - last;
    last = afterGC.heapStatistics.usedHeapSize;
  }
  return { bytes: bytes + end - last, cpuMs: (user + system) / 1000 };
}

const acts: Readonly<Record<ProbeMessage, () => unknown>> = { beginCounting, endCounting, beginWeighing, endWeighing };
process.on('message', (message: ProbeMessage) => process.send?.(acts[message]() ?? {}));
// Or the service would not end.
process.channel?.unref();
