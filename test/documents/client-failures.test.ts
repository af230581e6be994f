// What clients do when things go wrong: a server that misbehaves by a script, one step a request.
import { getEventListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../../codegen/client.ts';
import {
  AuthenticationError,
  ConflictError,
  createClient,
  ForbiddenError,
  NotFoundError,
  PraxisConnectionError,
  PraxisError,
  type PraxisOptions,
  PraxisTimeoutError,
  PreconditionError,
  RateLimitError,
  UnavailableError,
  ValidationError,
} from '../../codegen/generated/client.ts';
import { fieldFault } from '../../src/problems/field-fault.ts';
import { type Problem, problemJson, problems } from '../../src/problems.ts';
import { caught } from '../support/databases/grounds.ts';

type Step = (response: ServerResponse, request: IncomingMessage) => void;

let steps: Step[] = [];
let seen: IncomingMessage[] = [];
const server = createServer((request, response) => {
  seen.push(request);
  request.resume().on('end', () => (steps.shift() ?? answer(200, '{}'))(response, request));
});
let baseUrl = '';

beforeEach(async () => {
  steps = [];
  seen = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  // Without chance: no pause but what the service asks for.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const answer =
  (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Step =>
  (response) =>
    response.writeHead(status, headers).end(text);
const say = (problem: Problem, headers: Readonly<Record<string, string>> = {}): Step =>
  answer(problem.status, problemJson(problem, 'document'), headers);
const cut: Step = (response) => response.destroy();
const cutInside: Step = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"a":');
  setTimeout(() => response.destroy(), 20);
};
const silent: Step = () => {};
const stall: Step = (response) => void response.writeHead(200, { 'content-length': '100' }).write('{"a":');
const busy = say(problems.overloaded());
const unknown = say(problems.outcomeUnknown());

const client = (options: Partial<PraxisOptions> = {}) => createClient({ baseUrl, ...options });
const calls = {
  get: (options: Partial<PraxisOptions> = {}) => client(options).clients.get('x'),
  create: (options: Partial<PraxisOptions> = {}) => client(options).clients.create({ name: 'x' }),
  batch: (options: Partial<PraxisOptions> = {}) =>
    client(options).batch([{ method: 'POST', path: '/clients', body: { name: 'x' } }]),
  update: (options: Partial<PraxisOptions> = {}) => client(options).clients.update('x', { name: 'x' }),
  delete: (options: Partial<PraxisOptions> = {}) => client(options).clients.delete('x'),
} as const;
type Operation = keyof typeof calls;
const reads = ['get'] as const satisfies readonly Operation[];
const writes = ['create', 'batch', 'update', 'delete'] as const satisfies readonly Operation[];
const all = [...reads, ...writes];

describe('sends again', () => {
  test.each(all)('%s, after answers that nothing was done', async (operation) => {
    steps = [busy, say(problems.databaseAway())];
    await calls[operation]();
    expect(seen).toHaveLength(3);
    seen = [];
    steps = [answer(429, 'slow down')];
    await calls[operation]();
    expect(seen).toHaveLength(2);
  });

  test.each(all)('%s, when no connection was made', async (operation) => {
    await new Promise((resolve) => server.close(resolve));
    const fetched = vi.fn(globalThis.fetch);
    const error = await caught(calls[operation]({ fetch: fetched }));
    expect(error).toBeInstanceOf(PraxisConnectionError);
    expect(error).toMatchObject({
      outcomeUnknown: false,
      operation: operation === 'batch' ? 'batch' : `clients.${operation}`,
      cause: expect.any(TypeError),
    });
    expect(fetched).toHaveBeenCalledTimes(3);
  });

  test.each([
    ['a connection that is cut', cut],
    ['an answer that is cut', cutInside],
    ['a 502', answer(502, '<h1>Bad Gateway</h1>')],
    ['a 504', answer(504, '')],
    ['a 503 that is not of Praxis', answer(503, '')],
  ])('a read, after %s', async (_title, step) => {
    steps = [step, step, answer(200, '{"id":"x"}')];
    expect(await calls.get()).toEqual({ id: 'x' });
    expect(seen).toHaveLength(3);
  });

  test.each(['create', 'batch'] as const)('%s, whose outcome was unknown, under one key', async (operation) => {
    for (const step of [cut, cutInside, unknown, answer(502, ''), answer(503, '<h1>Service Unavailable</h1>')]) {
      seen = [];
      steps = [step, say(problems.keyInUse(), { 'retry-after': '1' }), answer(200, '{"id":"x"}')];
      await calls[operation]();
      expect(seen).toHaveLength(3);
      const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
      expect(keys.size).toBe(1);
      expect([...keys][0]).toMatch(/^[0-9a-f]{32}$/);
    }
    seen = [];
    await calls[operation]();
    await calls[operation]();
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  test('an update that has a key, whose outcome was unknown', async () => {
    steps = [cut, unknown];
    await client().clients.update('x', { name: 'x' }, { idempotencyKey: 'mine' });
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine', 'mine']);
  });

  test('a delete, whose outcome was unknown; that the record is gone then is what was asked', async () => {
    steps = [cut, unknown, say(problems.recordUnknown('x'))];
    expect(await calls.delete()).toBeUndefined();
    expect(seen).toHaveLength(3);
    steps = [busy, say(problems.recordUnknown('x'))];
    await expect(calls.delete()).rejects.toMatchObject({ status: 404, outcomeUnknown: false });
  });

  test('as often as it may, and tells the last answer', async () => {
    for (const maxRetries of [0, 1, 4]) {
      seen = [];
      steps = Array.from({ length: 6 }, () => busy);
      await expect(calls.get({ maxRetries })).rejects.toMatchObject({
        status: 503,
        message: 'The service is overloaded.',
      });
      expect(seen).toHaveLength(maxRetries + 1);
    }
  });

  test('after the time that the service asks for, in seconds or as a date', async () => {
    const inSeconds = Date.now();
    steps = [say(problems.overloaded(), { 'retry-after': '1' })];
    await calls.get();
    expect(Date.now() - inSeconds).toBeGreaterThanOrEqual(990);

    // A date of HTTP has whole seconds.
    const date = new Date(Math.ceil(Date.now() / 1000 + 1) * 1000);
    steps = [say(problems.overloaded(), { 'retry-after': date.toUTCString() })];
    await calls.get();
    expect(Date.now()).toBeGreaterThanOrEqual(date.getTime() - 10);
  });

  test('after pauses of chance, longer each time', async () => {
    vi.mocked(Math.random).mockReturnValue(0.999);
    steps = [busy, busy];
    const before = Date.now();
    await calls.get();
    expect(Date.now() - before).toBeGreaterThanOrEqual(740);
  });

  test('with the token of that moment', async () => {
    let count = 0;
    steps = [busy];
    await calls.get({ token: async () => `token-${++count}` });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });
});

describe('does not send again', () => {
  test.each([
    ['update', cutInside],
    ['update', answer(502, '')],
    ['update', answer(503, '<h1>Service Unavailable</h1>')],
    ['update', cut],
    ['update', unknown],
    ['update', answer(504, '')],
  ] as const)('%s, when it may have been done', async (operation, step) => {
    steps = [step];
    await expect(calls[operation]()).rejects.toMatchObject({ outcomeUnknown: true });
    expect(seen).toHaveLength(1);
  });

  test.each(all)('%s, after an answer that stays the same', async (operation) => {
    for (const problem of [
      problems.unforeseen(),
      problems.bodyInvalid([fieldFault('name', 'is required', 'required')]),
      problems.tokenInvalid(),
    ]) {
      seen = [];
      steps = [say(problem)];
      const error = await caught(calls[operation]());
      expect(error).toBeInstanceOf(PraxisError);
      expect(error).toMatchObject({
        status: problem.status,
        message: problem.message,
        errors: problem.errors ?? [],
        outcomeUnknown: false,
      });
      expect(seen).toHaveLength(1);
    }
  });

  test.each([
    [
      problems.bodyInvalid([
        fieldFault('name', 'is required', 'required'),
        fieldFault('limit', 'must be 5', 'invalid-value'),
      ]),
      ValidationError,
      "400 'name' is required; 'limit' must be 5",
    ],
    [problems.pathUnknown(), NotFoundError, '404 No such path.'],
    [problems.tokenMissing(), AuthenticationError, '401 Authentication is required.'],
    [problems.featureDisabled('billing'), ForbiddenError, "403 Feature 'billing' is not enabled."],
    [problems.readOnly('Client'), ConflictError, '409 The Client is read-only.'],
    [problems.keyOfAnother(), ConflictError, '422 The Idempotency-Key was used for another request.'],
    [problems.recordChanged(), PreconditionError, '412 The record has changed since it was read.'],
    [problems.ifMatchMissing(), PreconditionError, "428 Header 'If-Match' is required."],
    [problems.rateExceeded(1), RateLimitError, '429 Too many requests.'],
    [problems.databaseAway(), UnavailableError, '503 The database is not available.'],
    [problems.bodyTooLarge(), PraxisError, '413 The request body is too large.'],
    [problems.unforeseen(), PraxisError, '500 Something went wrong.'],
  ] as const)('%s is a class of its own, and tells what was asked and what is wrong', async (problem, Kind, text) => {
    steps = [say(problem)];
    const error = await caught(calls.create({ maxRetries: 0 }));
    if (!(error instanceof PraxisError)) throw error;
    expect(error).toBeInstanceOf(Kind);
    expect(error.name).toBe(Kind.name);
    expect(String(error)).toBe(`${Kind.name}: clients.create: ${text}`);
    expect(error.stack?.startsWith(`${String(error)}\n    at `)).toBe(true);
    expect(error.message).toBe(problem.message);
  });

  test('when the service asks for more time than there is', async () => {
    steps = [say(problems.overloaded(), { 'retry-after': '60' })];
    await expect(calls.get()).rejects.toMatchObject({ status: 503, retryAfter: 60 });
    expect(seen).toHaveLength(1);
  });
});

describe('time', () => {
  test.each([
    ['no answer', silent],
    ['half an answer', stall],
  ])('%s ends when the time is up', async (_title, step) => {
    for (const operation of all) {
      seen = [];
      steps = [step];
      const before = Date.now();
      const error = await caught(calls[operation]({ timeoutMs: 150 }));
      expect(error).toBeInstanceOf(PraxisTimeoutError);
      expect(error).toMatchObject({
        message: `${operation === 'batch' ? 'batch' : `clients.${operation}`}: there was no answer within 150 ms.`,
        operation: operation === 'batch' ? 'batch' : `clients.${operation}`,
        outcomeUnknown: operation !== 'get',
      });
      expect(Date.now() - before).toBeGreaterThanOrEqual(140);
      expect(seen).toHaveLength(1);
    }
  });

  test('is that of all attempts together, and a call can have its own', async () => {
    steps = [busy, silent];
    await expect(client().clients.get('x', { timeoutMs: 200 })).rejects.toThrow('within 200 ms');
    expect(seen).toHaveLength(2);
  });

  test('holds for what gives the token, and for a fetch that listens to nobody', async () => {
    const never = () => new Promise<never>(() => {});
    await expect(calls.create({ token: never, timeoutMs: 50 })).rejects.toMatchObject({ outcomeUnknown: false });
    await expect(calls.create({ fetch: never, timeoutMs: 50 })).rejects.toMatchObject({ outcomeUnknown: true });
    expect(seen).toHaveLength(0);
  });

  test('can be without end', async () => {
    expect(await client({ timeoutMs: Number.POSITIVE_INFINITY }).clients.list()).toEqual({});
  });
});

describe('a signal', () => {
  test('that is aborted already sends nothing', async () => {
    await expect(client().clients.get('x', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(seen).toHaveLength(0);
  });

  test.each([
    ['the answer is awaited', silent],
    ['the answer is read', stall],
    ['the next attempt is awaited', say(problems.overloaded(), { 'retry-after': '20' })],
  ])('ends the call while %s', async (_title, step) => {
    steps = [step];
    const control = new AbortController();
    const call = caught(client().clients.get('x', { signal: control.signal }));
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    const reason = new Error('the page was left');
    setTimeout(() => control.abort(reason), 50);
    expect(await call).toBe(reason);
    expect(seen).toHaveLength(1);
    expect(getEventListeners(control.signal, 'abort')).toHaveLength(0);
  });

  test('ends a walk', async () => {
    const page = answer(200, '{"results":[{"id":"a"}],"hasMore":true}');
    steps = [page, page, page];
    const control = new AbortController();
    const walked = async (): Promise<void> => {
      for await (const _client of client().clients.all({}, { signal: control.signal }))
        if (seen.length === 2) control.abort(new Error('enough'));
    };
    await expect(walked()).rejects.toThrow('enough');
    expect(seen.map(({ url }) => url)).toEqual(['/api/clients?limit=100', '/api/clients?limit=100&startingAfter=a']);
  });
});

describe('a request', () => {
  test('carries what the options say', async () => {
    await calls.create({ token: 'abc\n', headers: { 'X-Team': 'blue' } });
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer abc',
      accept: 'application/json, application/problem+json',
      'content-type': 'application/json',
      'x-team': 'blue',
    });
    await calls.get();
    expect(seen[1]?.headers).not.toHaveProperty('authorization');
    expect(seen[1]?.headers).not.toHaveProperty('content-type');
  });

  test('is of the record whose id is given', async () => {
    await client().clients.get('a/b?c#d e');
    expect(seen[0]?.url).toBe('/api/clients/a%2Fb%3Fc%23d%20e');
    for (const id of ['', '.', '..']) await expect(client().clients.delete(id)).rejects.toThrow(TypeError);
    expect(seen).toHaveLength(1);
  });

  test('of a computed record carries what is asked', async () => {
    const { rates } = connect<{ rates: { get(query: object): Promise<unknown> } }>(
      { rates: { group: 'sum', path: '/rates', operations: ['get'], single: 'asked' } },
      { baseUrl },
    );
    await rates.get({ date: '2026-02-02', from: undefined });
    expect(seen[0]?.url).toBe('/api/rates?date=2026-02-02');
  });

  test('does not follow to another address, where a create would become a read', async () => {
    steps = [answer(301, '', { location: `${baseUrl}/elsewhere` })];
    await expect(calls.create()).rejects.toMatchObject({ status: 301, outcomeUnknown: false });
    expect(seen).toHaveLength(1);
  });

  test('that something else answers is refused', async () => {
    steps = [answer(200, '<html>')];
    await expect(calls.get()).rejects.toThrow('the answer with status 200 is not one of Praxis.');
  });

  test('needs options that can be', () => {
    for (const wrong of ['', 'api', '/api', '127.0.0.1:3000/api', 'http://'])
      expect(() => createClient({ baseUrl: wrong }), wrong).toThrow(TypeError);
    for (const timeoutMs of [0, -1, Number.NaN]) expect(() => client({ timeoutMs })).toThrow(RangeError);
    expect(() => client({ maxRetries: -1 })).toThrow(RangeError);
  });
});
