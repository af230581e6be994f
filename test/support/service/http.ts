// A service without a database, and a client that can send what no client would.
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect } from 'vitest';
import { type Endpoint, endpointsOf } from '../../../src/endpoints/routes/endpoint.ts';
import { createHttp } from '../../../src/http/http.ts';
import type { EndpointRequest, Service } from '../../../src/http/request/service.ts';
import { type RunningServer, type ServerLimits, startServer } from '../../../src/http/server/server.ts';
import { ConnectionTally } from '../../../src/metrics/connections.ts';
import { RequestTally } from '../../../src/metrics/requests.ts';
import { problems } from '../../../src/problems.ts';
import { operations, type Resource } from '../../../src/registry/model/model.ts';
import type { Outcome } from '../../../src/request/intent.ts';
import { unreachable } from '../../../src/unreachable.ts';

export const token = 'canary-7f3a9c51e0b24d68';
export const id = '01890a5d-ac96-774b-bcce-b302099a8057';
/** Ids that make the fake service fail, or wait until `release` is called. */
export const failingId = '01890a5d-ac96-774b-bcce-00000000fa11';
export const slowId = '01890a5d-ac96-774b-bcce-000000005107';
export const largeId = '01890a5d-ac96-774b-bcce-00000000b166';
export const large = 30_000_000;

function group(name: string, part: Partial<Resource> = {}): [string, Resource] {
  const path = part.path ?? `/${name}s`;
  const empty = {
    fields: [],
    byKey: new Map(),
    byName: new Map(),
    unique: [],
    indexes: [],
    rules: [],
    effects: [],
    setup: [],
  };
  const texts = {
    name,
    path,
    file: '',
    title: name,
    description: '',
    area: '',
    shownAs: [],
    shows: undefined,
    views: undefined,
  };
  const open = {
    isWorkspace: false,
    feature: undefined,
    renamedFrom: undefined,
    computed: undefined,
    timeZone: undefined,
    features: undefined,
    singleton: false,
    ifMatch: false,
    isLogged: true,
    mayAct: undefined,
    signIn: undefined,
    lockedUpdate: undefined,
    lockedDelete: undefined,
    decisions: new Set<string>(),
    days: [],
    lockedFields: [],
    formulas: [],
  };
  return [name, { ...empty, ...texts, ...open, operations: new Set(operations), ...part }];
}

const endpoints = endpointsOf({
  resources: new Map([
    group('client'),
    group('tag', { operations: new Set(['list', 'get']) }),
    group('company', { path: '/companies', feature: { name: 'Pipeline', switch: 'pipeline' } }),
    group('settings', { path: '/workspace-settings', singleton: true, operations: new Set(['get', 'update']) }),
  ]),
  workspace: undefined,
  files: undefined,
  referrers: new Map(),
  actors: undefined,
  scopeOf: () => unreachable('these groups have no formulas'),
});

export interface Running extends RunningServer {
  readonly endpoints: readonly Endpoint[];
  readonly logs: string[];
  readonly connections: ConnectionTally;
  /** Requests for `slowId` now waiting. */
  readonly waiting: (() => void)[];
  /** Streams that have begun, and those of them that are over. */
  streams(): { readonly begun: number; readonly over: number };
  /** Parts of exports that were taken. */
  readonly sentParts: () => number;
  isReady: boolean;
}

type OwnTimes = 'workTimeoutMs' | 'exportStallMs' | 'exportLimitMs' | 'exportBytesPerS';

/** Two lines, or one and a failure, or none and a failure, or parts of 64 KiB without end. */
async function* partsOf(path: string, sent: () => void): AsyncGenerator<string> {
  for (; path === 'endless'; sent()) yield 'x'.repeat(65_536);
  if (path === 'refused') throw problems.overloaded();
  yield 'one\n';
  if (path === 'broken') throw new Error('the database has gone');
  yield 'two\n';
}

/** More than any buffer takes. */
async function* endlessly(streams: { begun: number; over: number }): AsyncGenerator<string> {
  streams.begun += 1;
  try {
    for (;;) yield `data: ${'x'.repeat(100_000)}\n\n`;
  } finally {
    streams.over += 1;
  }
}

export async function start({
  workTimeoutMs,
  exportStallMs,
  exportLimitMs,
  exportBytesPerS,
  ...limits
}: Partial<ServerLimits> & Partial<Record<OwnTimes, number>> = {}): Promise<Running> {
  let sentParts = 0;
  const logs: string[] = [];
  const waiting: (() => void)[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => logs.push(line) });

  async function answer({ endpoint, caller, id, query, readBody }: EndpointRequest): Promise<Outcome> {
    if (endpoint.hasId && !/^[0-9a-f-]{36}$/.test(id)) throw problems.uuidMalformed('id');
    const unknown = [...new URLSearchParams(query).keys()].find((name) => name !== 'limit');
    if (unknown !== undefined) throw problems.parameterUnknown(unknown);
    const body = endpoint.hasBody ? (await readBody()).json : undefined;
    if (id === failingId) {
      throw Object.assign(new Error(`boom ${token}`, { cause: new Error(token) }), { sql: token });
    }
    if (id === slowId) await new Promise<void>((resolve) => waiting.push(resolve));
    if (endpoint.operation === 'delete') return { status: 204, body: undefined };
    if (id === largeId) return { status: 200, body: Buffer.alloc(large, 97) };
    const seen = { operation: endpoint.operation, id, query, caller: caller.tokenId, body };
    return { status: 200, body: Buffer.from(JSON.stringify(seen)) };
  }

  const state = { isReady: true };
  const streams = { begun: 0, over: 0 };
  const service: Service = {
    endpoints,
    hasRoles: false,
    log: {
      methodsOf: ([first]) => (first === 'changes' ? ['GET'] : undefined),
      answer: async () => ({ status: 200, body: '{}' }),
      stream: () => endlessly(streams),
    },
    authenticate: (text) => (text === token ? { tokenId: 'T1', memberId: null } : undefined),
    isEnabled: (feature) => feature.switch !== 'pipeline',
    answer,
    answerBatch: async ({ readBody }) => ({ status: 200, body: JSON.stringify((await readBody()).json) }),
    explain: async ({ path, query }) => ({ status: 200, body: JSON.stringify({ path, query }) }),
    access: async ({ path, query }) => ({ status: 200, body: JSON.stringify({ path, query }) }),
    act: async (caller, memberId) => ({ ...caller, memberId }),
    summarise: async ({ path, query }) => ({ status: 200, body: JSON.stringify({ path, query }) }),
    export: ({ path }) => ({
      ...{ type: 'text/plain', fileName: path },
      send: (take) =>
        take(
          partsOf(path, () => (sentParts += 1)),
          undefined,
        ),
    }),
    isReady: async () => state.isReady,
    openApi: () => ({ body: Buffer.from('{"openapi":"3.1.0"}'), etag: '"v1"' }),
    page: () => undefined,
    movedPage: () => undefined,
    missingPage: () => undefined,
    signIn: undefined,
    tally: new RequestTally(endpoints),
    metrics: async () => ({ type: 'text/plain', body: '' }),
  };
  const app = createHttp(service, {
    logger,
    corsOrigins: ['https://app.example'],
    bodyLimitBytes: 1000,
    ...{ workTimeoutMs, exportStallMs, exportLimitMs, exportBytesPerS },
  });
  const connections = new ConnectionTally();
  const place = { host: '127.0.0.1', port: 0 };
  const server = await startServer({ listener: app.callback(), ...place, logger, limits, tally: connections });
  return Object.assign(state, server, {
    endpoints,
    logs,
    waiting,
    connections,
    sentParts: () => sentParts,
    streams: () => streams,
  });
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** All answers on one connection; bodies go by Content-Length, and none follows HEAD, 204 or 304. */
export function readReplies(text: string, isHead = false): Reply[] {
  const replies: Reply[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`no end of headers in ${JSON.stringify(rest.slice(0, 200))}`);
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':')[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const status = Number(first.split(' ')[1]);
    const length = isHead ? 0 : Number(headers['content-length'] ?? 0);
    replies.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return replies;
}

export interface Wire {
  readonly socket: Socket;
  /** All that came until the connection ended, one way or the other. */
  readonly ended: Promise<string>;
}

/** Opens a connection and sends text, bytes as Latin-1. */
export function wire(port: number, text = ''): Wire {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
  socket.write(text, 'latin1');
  return { socket, ended };
}

/** Sends one request with `Connection: close` and its headers as given; `Host` and a token unless they say otherwise. */
export async function ask(port: number, line: string, headers: readonly string[] = [], body = ''): Promise<Reply> {
  const has = (name: string): boolean => headers.some((header) => header.toLowerCase().startsWith(`${name}:`));
  const all = [
    ...(has('host') ? [] : ['Host: x']),
    ...(has('authorization') ? [] : [`Authorization: Bearer ${token}`]),
    ...(has('connection') ? [] : ['Connection: close']),
    ...(body === '' || has('content-length') || has('transfer-encoding') ? [] : [`Content-Length: ${body.length}`]),
    ...headers,
  ].filter((header) => !header.endsWith(': -'));
  const text = await wire(port, `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`).ended;
  const [reply] = readReplies(text, line.startsWith('HEAD '));
  if (reply === undefined) throw new Error(`no answer to ${line}`);
  return reply;
}

export const json = 'Content-Type: application/json';
export const host = 'Host: x\r\n';
export const bearer = `Authorization: Bearer ${token}\r\n`;

/** The whole shape of a failure: nothing else in the body, and the headers that every answer has. */
export function expectProblem(reply: Reply, status: number, message?: string): void {
  expect(reply.status, reply.body).toBe(status);
  const body = JSON.parse(reply.body);
  expect(Object.keys(body)).toEqual(['status', 'message']);
  expect(body.status).toBe(status);
  if (message !== undefined) expect(body.message).toBe(message);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.headers['x-content-type-options']).toBe('nosniff');
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
}
