// The client of every HTTP test. It knows the headers that we send, and holds what is accepted and what is answered
// against the OpenAPI document: one more, or one less, fails the test that asked for it.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'vitest';
import { conflictsOf } from '../../../src/endpoints/routes/conflicts.ts';
import { type Endpoint, endpointsOf } from '../../../src/endpoints/routes/endpoint.ts';
import type { Registry } from '../../../src/registry/model/model.ts';
import { Contract } from './contract.ts';

export type Json = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed; undefined where there is none. */
  readonly body: unknown;
  readonly text: string;
}

/** Sends one request. `allow5xx` is for tests that expect one. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  options?: { readonly headers?: Readonly<Record<string, string>>; readonly allow5xx?: boolean },
) => Promise<Answer>;

/** Headers on every answer, and what they must be. */
const always: Readonly<Record<string, RegExp>> = {
  'x-request-id': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'x-content-type-options': /^nosniff$/,
  'cache-control': /^no-store$/,
  date: /GMT$/,
};
const jsonHeaders: Readonly<Record<string, RegExp>> = {
  'content-type': /^application\/json; charset=utf-8$/,
  'content-length': /^\d+$/,
};
/** Node's own, which say how long the connection is kept, and what a service tells of its times outside of production. */
const ofConnection = new Set(['connection', 'keep-alive', 'server-timing']);
const byStatus: Readonly<Record<number, Readonly<Record<string, RegExp>>>> = {
  204: {},
  401: { 'www-authenticate': /^Bearer/ },
  405: { allow: /^[A-Z, ]+$/ },
  415: { accept: /^application\/json$/, 'accept-encoding': /^identity$/ },
  503: { 'retry-after': /^1$/ },
};

/** One record has a tag, with its version unless it is computed; a page, a batch and an explanation have none. */
const ofOthers = ['hasMore', 'results', 'says'];
const ofRecord = { etag: /^"(?:\d+-)?[\w-]{16}"$/ };

function checkHeaders(line: string, { status, headers, body }: Answer): void {
  const [method] = line.split(' ');
  const options = method === 'OPTIONS' ? { allow: /^[A-Z, ]+$/ } : {};
  // What the body of a HEAD would have been, only the header tells.
  const isOfRecord = method === 'HEAD' ? 'etag' in headers : !(isObject(body) && ofOthers.some((key) => key in body));
  const record = status === 200 && isOfRecord ? ofRecord : {};
  const outcome = method === 'PUT' && status === 200 ? { 'praxis-outcome': /^(created|updated|unchanged)$/ } : {};
  const wanted = {
    ...outcome,
    ...always,
    ...(status === 204 ? {} : jsonHeaders),
    ...byStatus[status],
    // Of an error, and of those among the results of a batch, there are two formats.
    ...(status >= 400 || line === 'POST /batch' ? { vary: /^Accept$/ } : {}),
    ...record,
    ...options,
  };
  const found = Object.keys(headers).filter((name) => !ofConnection.has(name));
  expect(found.toSorted(), 'names of the headers').toEqual(Object.keys(wanted).toSorted());
  for (const [name, pattern] of Object.entries(wanted)) expect(String(headers[name]), name).toMatch(pattern);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkProblem({ status, body, text }: Answer): void {
  if (!isObject(body)) throw new Error(`no problem: ${text}`);
  const { errors, usedBy } = body;
  expect(Object.keys(body), text).toEqual([
    'status',
    'message',
    ...(errors === undefined ? [] : ['errors']),
    ...(usedBy === undefined ? [] : ['usedBy']),
  ]);
  if (usedBy !== undefined) {
    expect(body['message']).toMatch(/ is in use and cannot be deleted\.$/);
    expect(usedBy).toEqual(expect.arrayContaining([{ group: expect.any(String), count: expect.any(Number) }]));
  }
  expect(body['status']).toBe(status);
  expect(body['message']).toMatch(/[.?]$/);
  if (errors === undefined) return;
  expect(status).toBe(400);
  const texts = Array.isArray(errors) ? errors : [];
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.length).toBeLessThanOrEqual(50);
  for (const each of texts) expect(each).toMatch(/^'.*' (is|must|does|cannot) /s);
}

const isAt = ({ resource }: Endpoint, path: string): boolean => path.split(/[/?]/)[1] === resource.path.slice(1);

function checkBody(answer: Answer): void {
  const { status, text } = answer;
  if (status === 204) expect(text).toBe('');
  if (status < 400) return;
  expect(text).not.toMatch(innerWords);
  checkProblem(answer);
}

/** Words of the inside that no answer may show. */
const innerWords = /\b(select|insert into|sqlite|mysql|mariadb|constraint|node_modules|\.ts:\d+)\b/i;

const contracts = new WeakMap<Registry, Contract>();

function contractOf(registry: Registry): Contract {
  const contract = contracts.get(registry) ?? new Contract(registry);
  contracts.set(registry, contract);
  return contract;
}

interface ClientOptions {
  /** `http://127.0.0.1:3000/api` */
  readonly address: string;
  readonly token: string;
  readonly registry: Registry;
  /** What the service has logged, for the message of a failure. */
  readonly log: () => string;
}

/** Makes the client of a service. */
export function createClient({ address, token, registry, log }: ClientOptions): Call & { close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const contract = contractOf(registry);
  const endpoints = endpointsOf(registry);

  /** A conflict is one of those that the document shows. */
  function checkConflict(method: string, path: string, { body }: Answer): void {
    const endpoint = endpoints.find((each) => each.method === method && isAt(each, path));
    const shown = endpoint === undefined ? [] : conflictsOf(endpoint, registry).map(({ message }) => message);
    expect(shown, `${method} ${path}`).toContain(isObject(body) ? body['message'] : undefined);
  }

  const call: Call = async (method, path, body, options = {}) => {
    const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      ...options.headers,
    };
    const answer = await new Promise<Answer>((resolve, reject) => {
      const outgoing = request(`${address}${path}`, { method, headers, agent }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const parsed: unknown = text === '' ? undefined : JSON.parse(text);
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: parsed, text });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(bytes);
    });
    if (answer.status >= 500 && options.allow5xx !== true)
      expect.fail(
        `${method} ${path} ${bytes?.toString().slice(0, 2000) ?? ''} answers ${answer.status} ${answer.text}\n${log()}`,
      );
    checkHeaders(`${method} ${path}`, answer);
    if (method !== 'HEAD') checkBody(answer);
    if (answer.status === 409) checkConflict(method, path, answer);
    const sent = bytes?.toString();
    const faults = contract.faultsOf({ ...answer, method, path, sent });
    if (faults.length > 0)
      expect.fail(
        `${method} ${path} is not as the document says: ${faults.join('; ')}\nsent: ${sent}\nanswer: ${answer.text}`,
      );
    return answer;
  };
  return Object.assign(call, { close: () => agent.destroy() });
}
