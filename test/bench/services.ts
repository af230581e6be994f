// The processes that are measured: started on free ports, watched while they run, ended by their own process ids.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Accepted by every service here. */
export const token = 'bench-0f3b6d1c9a7e4582d0';

export interface ServiceOptions {
  readonly name: string;
  /** What Node runs: `['src/cli.ts', 'serve']`. */
  readonly command: readonly string[];
  readonly databaseUrl: string;
  /** Where its log goes. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What is loaded before it and looks into it, which costs it a little: `heap.ts` or `anatomy-probe.ts`. */
  readonly probe?: 'heap' | 'anatomy-probe' | undefined;
}

export interface Running {
  readonly name: string;
  readonly pid: number | undefined;
  /** `http://127.0.0.1:40123` */
  readonly address: string;
  /** From the start of the process until `/readyz` answered 200. */
  readonly startMs: number;
  /** Time of both kinds that the process has used; undefined where the system does not tell. */
  cpuMs(): number | undefined;
  /** Resident memory; undefined where the system does not tell. */
  residentMib(): number | undefined;
  /** What is left once garbage is collected, in its heap and outside of it (`external`); with the probe `heap` alone. */
  memory(): Promise<{ readonly heapMib: number; readonly outsideMib: number }>;
  /** What its probe answers. */
  probed(message: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

const longestStartMs = 300_000;
const ticksASecond = 100;

export const praxis = ['src/cli.ts', 'serve'] as const;
export const handwritten = ['test/bench/handwritten.ts'] as const;
export const handwrittenWrites = ['test/bench/handwritten-writes.ts'] as const;

/** Starts a service and waits until it is ready. @throws Error with the end of its log when it is not. */
export async function start({ name, command, databaseUrl, folder, env, probe }: ServiceOptions): Promise<Running> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const logFile = join(folder, `${name.replaceAll(/\W+/g, '-')}.log`);
  const log = openSync(logFile, 'a');
  const settings = { NODE_ENV: 'production', PORT: String(port), DATABASE_URL: databaseUrl, ACCESS_TOKEN: token };
  const startedAt = performance.now();
  const watch = probe === undefined ? [] : ['--import', `./test/bench/${probe}.ts`];
  const child = spawn(process.execPath, [...watch, ...command], {
    env: { PATH: process.env.PATH, ...settings, ...env },
    stdio: ['ignore', log, log, ...(probe === undefined ? [] : (['ipc'] as const))],
  });
  closeSync(log);
  running.add(child);
  child.once('exit', () => running.delete(child));
  while (!(await isReady(address))) {
    const isGone = child.exitCode !== null || child.signalCode !== null;
    if (isGone || performance.now() - startedAt > longestStartMs) {
      await end(child);
      throw new Error(`${name} did not start:\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
    }
    await delay(4);
  }
  return {
    name,
    pid: child.pid,
    address,
    startMs: performance.now() - startedAt,
    cpuMs: () => cpuMs(child.pid),
    residentMib: () => mibOf(child.pid, 'VmRSS'),
    memory: () => memoryOf(child),
    probed: (message) => probed(child, message),
    stop: () => end(child),
  };
}

const running = new Set<ChildProcess>();

/** Ends every process that was started here and still runs. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(end));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await exited;
  clearTimeout(timer);
}

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/readyz`)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** proc(5): user and system time are fields 14 and 15, counted behind the name, which may hold spaces. */
function cpuMs(pid: number | undefined): number | undefined {
  const fields = readProc(pid, 'stat')?.split(') ').at(-1)?.split(' ');
  return fields && ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksASecond;
}

/**
 * Memory of a process: all that is resident, or without the pages of files that it looks into, which the system takes away as it
 * likes. Undefined where the process is over, or the system does not tell.
 */
export function mibOf(pid: number | undefined, line: 'VmRSS' | 'RssAnon'): number | undefined {
  const kib = new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(readProc(pid, 'status') ?? '')?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}

async function memoryOf(child: ChildProcess): ReturnType<Running['memory']> {
  const { heapUsed, external } = (await probed(child, 'memory')) as { heapUsed: number; external: number };
  return { heapMib: heapUsed / 1024 ** 2, outsideMib: external / 1024 ** 2 };
}

async function probed(child: ChildProcess, message: unknown): Promise<unknown> {
  const answered = once(child, 'message');
  child.send(message as object);
  const [answer] = await answered;
  return answer;
}

function readProc(pid: number | undefined, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** One request with a token. */
export async function ask(
  address: string,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown }> {
  // What Node's own client would ask for is compressed; the services by hand compress nothing.
  const plain = { 'Accept-Encoding': 'identity' };
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...plain, ...init.headers };
  const response = await fetch(`${address}/api${path}`, { ...init, headers });
  return { status: response.status, body: await response.json() };
}

/** How a database is called in what is printed. */
export const kindOf = (databaseUrl: string): string => (databaseUrl.startsWith('sqlite:') ? 'SQLite' : 'MariaDB');
