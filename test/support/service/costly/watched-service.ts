// A service in a process of its own, whose turns and memory are measured, and callers that speak to it over sockets.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TokenLimits } from '../../../../src/access/limits.ts';
import { openDatabase } from '../../../../src/storage/database.ts';
import { createToken } from '../../../../src/storage/tokens.ts';
import { createUnitOfWork } from '../../../../src/storage/unit-of-work.ts';
import { accessToken } from '../praxis.ts';
import type { Turns } from './turns-probe.ts';

const root = join(import.meta.dirname, '../../../..');
const probe = join(import.meta.dirname, 'turns-probe.ts');

/** One request; the body is sent as it is. */
export interface WatchedRequest {
  readonly method: string;
  /** Path below the base, with its query. */
  readonly path: string;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly token?: string | undefined;
}

interface WatchedReply {
  readonly status: number;
  readonly text: string;
}

export interface WatchedService {
  /** `http://127.0.0.1:40123` */
  readonly address: string;
  ask(request: WatchedRequest): Promise<WatchedReply>;
  /** Sends a request and reads nothing of its response. @param sentBytes Bytes of the body that are sent; undefined: all */
  askAndStall(request: WatchedRequest, sentBytes?: number): Socket;
  /** Creates a token with limits. */
  newToken(limits: TokenLimits): Promise<string>;
  /** Longest turn since the last call, and the reference. @param message `collect` collects garbage first */
  turns(message?: 'collect'): Promise<Turns>;
  /** Resident memory in MiB: now, and at most since the last call. */
  memory(): { readonly nowMib: number; readonly peakMib: number };
  stop(): Promise<void>;
}

/** Starts a service on the product's descriptors with a change log. @throws Error with its log if it does not start */
export async function startWatchedService(
  databaseUrl: string,
  ownSettings: Readonly<Record<string, string>> = {},
): Promise<WatchedService> {
  const settings = { NODE_ENV: 'production', PORT: '0', CHANGES: 'forever', LOG_LEVEL: 'info', ...ownSettings };
  const child = spawn(process.execPath, ['--import', probe, 'src/cli.ts', 'serve'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...settings, DATABASE_URL: databaseUrl, ACCESS_TOKEN: accessToken },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const address = await addressOf(child);
  const agent = new Agent({ keepAlive: true });
  return {
    address,
    ask: (asked) => ask(address, agent, asked),
    askAndStall: (asked, sentBytes) => askAndStall(address, asked, sentBytes),
    newToken: (limits) => newToken(databaseUrl, limits),
    turns: async (message) => {
      const answered = once(child, 'message');
      child.send(message ?? 'turns');
      const [turns] = (await answered) as [Turns];
      return turns;
    },
    memory: () => {
      const found = { nowMib: mibOf(child, 'VmRSS'), peakMib: mibOf(child, 'VmHWM') };
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
      return found;
    },
    stop: async () => {
      agent.destroy();
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Reads the address from the log. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = '';
    const read = (chunk: Buffer): void => {
      // Read to the end: a full pipe would hold the service.
      if (log.length < 100_000) log += chunk.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(log);
      if (found !== null) resolve(found[0]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`the service did not start:\n${log}`)));
  });
}

const headersOf = ({ body, headers, token = accessToken }: WatchedRequest): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  ...(body !== undefined && {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  }),
  ...headers,
});

const ask = (address: string, agent: Agent, asked: WatchedRequest): Promise<WatchedReply> =>
  new Promise((resolve, reject) => {
    const { method, path, body } = asked;
    const sent = request(`${address}/api${path}`, { method, agent, headers: headersOf(asked) }, (response) => {
      response
        .toArray()
        .then(
          (chunks) => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          reject,
        );
    });
    sent.once('error', reject).end(body);
  });

function askAndStall(address: string, asked: WatchedRequest, sentBytes?: number): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const { method, path, body = '' } = asked;
  const lines = Object.entries(headersOf(asked)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} /api${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`);
  socket.write(Buffer.from(body).subarray(0, sentBytes));
  return socket;
}

async function newToken(databaseUrl: string, limits: TokenLimits): Promise<string> {
  const database = await openDatabase(databaseUrl);
  try {
    const unit = createUnitOfWork(database, { deadlineMs: 10_000 });
    return (await createToken(unit, { name: 'test', limits })).token;
  } finally {
    await database.close();
  }
}

/** Resident memory, or the most that it was; `/proc` has both. */
function mibOf({ pid }: ChildProcess, line: 'VmRSS' | 'VmHWM'): number {
  const kib = new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1024;
}
