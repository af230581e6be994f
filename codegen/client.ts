// What every generated client runs on: one call with its repeats, its time and its errors. It stands alone, on `fetch` and
// nothing else, so that it runs in Node, browsers, Deno and Bun, and can be copied into a file that is generated elsewhere.

export interface PraxisOptions {
  /** Where the API is: `https://api.example.com/api`, or `/api` in a page of the same origin. */
  readonly baseUrl: string;
  /** An access token, or what gives one: asked before each request, so that it may change. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long a call may take in all, its repeats and the pauses between them included; 30 seconds by default; `Infinity` for no end. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a request is sent again; 2 by default, 0 for never. A read: after 429, 502, 503, 504 and lost connections. A
   * write: when it was not done for certain (429, a 503 of the service itself, no connection), a delete also otherwise.
   */
  readonly maxRetries?: number | undefined;
  /** Instead of the global one: to watch requests, or to pass a proxy. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Answer>) | undefined;
}

/** What of a `Response` is looked at. */
type Answer = Pick<Response, 'ok' | 'status' | 'headers' | 'text'>;

/** Of one call. */
export interface CallOptions {
  /** Ends the call; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's own. */
  readonly timeoutMs?: number | undefined;
}

/** The service answered that it did not do what was asked. The message is the service's own. */
export class PraxisError extends Error {
  override readonly name = 'PraxisError';
  /** Of HTTP: 400, 404, 409 … */
  readonly status: number;
  /** What is wrong with a body, one text a problem; empty for other errors. */
  readonly errors: readonly string[];
  /** Under which the service has logged the request. */
  readonly requestId: string | undefined;
  /** `clients.create` */
  readonly operation: string;
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfter: number | undefined;
  /** Whether this was a write that may have been done all the same. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, facts: Omit<PraxisError, 'name' | 'message' | 'stack' | 'cause'>) {
    super(message);
    this.status = facts.status;
    this.errors = facts.errors;
    this.requestId = facts.requestId;
    this.operation = facts.operation;
    this.retryAfter = facts.retryAfter;
    this.outcomeUnknown = facts.outcomeUnknown;
  }
}

class Unanswered extends Error {
  /** `clients.create` */
  readonly operation: string;
  /** Whether this was a write that may have been done all the same. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, facts: { operation: string; outcomeUnknown: boolean; cause?: unknown }) {
    super(`${facts.operation}: ${message}`, facts.cause === undefined ? {} : { cause: facts.cause });
    this.operation = facts.operation;
    this.outcomeUnknown = facts.outcomeUnknown;
  }
}

/** There was no connection, or it was lost before the answer was complete. What `fetch` said is the cause. */
export class PraxisConnectionError extends Unanswered {
  override readonly name = 'PraxisConnectionError';
}

/** The call took longer than it may. */
export class PraxisTimeoutError extends Unanswered {
  override readonly name = 'PraxisTimeoutError';
}

/** What is undefined is left out. */
type Chosen<Query> = { readonly [Name in keyof Query]?: Query[Name] | undefined };

export interface Lists<Item, Query> {
  /** One page, newest first. */
  list(query?: Chosen<Query>, options?: CallOptions): Promise<{ results: Item[]; hasMore: boolean }>;
  /** Every record that passes, newest first: page after page, each read when it is needed; `limit` (100) is the size of a page. */
  all(query?: Chosen<Omit<Query, 'endingBefore'>>, options?: CallOptions): AsyncGenerator<Item, void, undefined>;
}
export interface Gets<Item> {
  get(id: string, options?: CallOptions): Promise<Item>;
}
export interface Creates<Item, Body> {
  create(body: Body, options?: CallOptions): Promise<Item>;
}
export interface Updates<Item, Body> {
  /** Changes the fields that are in the body and no others. */
  update(id: string, body: Body, options?: CallOptions): Promise<Item>;
}
export interface Deletes {
  delete(id: string, options?: CallOptions): Promise<void>;
}
/** Of groups that are one record, as the next two. */
export interface GetsSingle<Item> {
  get(options?: CallOptions): Promise<Item>;
}
/** Of groups whose one record is computed of what is asked. @public Not every folder of descriptors has such a group. */
export interface Asks<Item, Query> {
  get(query?: Chosen<Query>, options?: CallOptions): Promise<Item>;
}
export interface UpdatesSingle<Item, Body> {
  update(body: Body, options?: CallOptions): Promise<Item>;
}

/** What a generated client knows of a group. */
export interface Group {
  readonly path: string;
  readonly operations: readonly ('list' | 'get' | 'create' | 'update' | 'delete')[];
  /** There is one record, without an id; `asked`: its `get` takes a query. */
  readonly single?: 'kept' | 'asked';
}

/**
 * Makes a client of a table of groups.
 * @throws TypeError for a `baseUrl` that is none, RangeError for a time or a number of repeats that cannot be.
 */
export function connect<Client>(groups: Readonly<Record<string, Group>>, options: PraxisOptions): Client {
  const { baseUrl, timeoutMs = 30_000, maxRetries = 2 } = options;
  checkBase(baseUrl);
  checkTime(timeoutMs);
  if (!(maxRetries >= 0)) throw new RangeError(`maxRetries must be 0 or more, not ${maxRetries}.`);
  const base = baseUrl.replace(/\/+$/, '');
  const headers = Object.fromEntries(new Headers({ accept: 'application/json', ...options.headers }));
  const settings: Settings = { ...options, maxRetries, timeoutMs, headers };
  const send: Send = (request) => answerTo({ ...request, path: `${base}${request.path}` }, settings);
  const entries = Object.entries(groups).map(([name, group]) => [name, operationsOf(name, group, send)]);
  // The type and the table are generated from one list of endpoints.
  return Object.freeze(Object.fromEntries(entries)) as Client;
}

function checkBase(baseUrl: string): void {
  try {
    // Pages may give a path; elsewhere a path is no address.
    new Request(baseUrl);
  } catch (cause) {
    throw new TypeError(`baseUrl must be an address such as http://127.0.0.1:3000/api, not '${baseUrl}'.`, { cause });
  }
}

function checkTime(timeoutMs: number): void {
  if (!(timeoutMs > 0)) throw new RangeError(`timeoutMs must be above 0, not ${timeoutMs}.`);
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Query = Readonly<Record<string, unknown>>;

interface Outgoing {
  readonly operation: string;
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
  readonly options: CallOptions | undefined;
}
type Send = (request: Outgoing) => Promise<unknown>;
type RecordPage = { readonly results: readonly { readonly id: string }[]; readonly hasMore: boolean };

/** The functions of one group, as far as the group offers them. */
function operationsOf(name: string, group: Group, send: Send): unknown {
  const { path, operations, single } = group;
  const to = (id: string): string => {
    // An address ends at "..", and the one of a list is not that of a record.
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`${name}: '${id}' is no id of a record.`);
    return `${path}/${encodeURIComponent(id)}`;
  };
  const get = (address: string, options?: CallOptions): Promise<unknown> =>
    send({ operation: `${name}.get`, method: 'GET', path: address, options });
  const update = (address: string, body: unknown, options?: CallOptions): Promise<unknown> =>
    send({ operation: `${name}.update`, method: 'PATCH', path: address, body, options });
  const list = (query: Query = {}, options?: CallOptions): Promise<unknown> =>
    send({ operation: `${name}.list`, method: 'GET', path: `${path}${queryText(query)}`, options });
  const all = {
    list: { list, all: (query?: Query, options?: CallOptions) => walk(list, query, options) },
    get: {
      kept: { get: (options?: CallOptions) => get(path, options) },
      asked: { get: (query: Query = {}, options?: CallOptions) => get(`${path}${queryText(query)}`, options) },
      many: { get: async (id: string, options?: CallOptions) => get(to(id), options) },
    }[single ?? 'many'],
    create: {
      create: (body: unknown, options?: CallOptions) =>
        send({ operation: `${name}.create`, method: 'POST', path, body, options }),
    },
    update: {
      update: single
        ? (body: unknown, options?: CallOptions) => update(path, body, options)
        : async (id: string, body: unknown, options?: CallOptions) => update(to(id), body, options),
    },
    delete: {
      delete: async (id: string, options?: CallOptions) =>
        send({ operation: `${name}.delete`, method: 'DELETE', path: to(id), options }),
    },
  };
  return Object.freeze(Object.assign({}, ...operations.map((operation) => all[operation])));
}

/** `?limit=5&name=x`; what is undefined is left out. */
function queryText(query: Query): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) pairs.append(name, String(value));
  const text = String(pairs);
  return text === '' ? '' : `?${text}`;
}

async function* walk(
  list: (query: Query, options?: CallOptions) => Promise<unknown>,
  query: Query = {},
  options?: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  let cursor: Query = {};
  for (;;) {
    // Lists answer with pages, of records that have an id.
    const { results, hasMore } = (await list({ limit: 100, ...query, ...cursor }, options)) as RecordPage;
    yield* results;
    const last = results.at(-1);
    if (!hasMore || last === undefined) return;
    cursor = { startingAfter: last.id };
  }
}

interface Settings extends PraxisOptions {
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What one call knows of itself, over all its attempts. */
interface Call extends Outgoing {
  readonly settings: Settings;
  /** Aborted by the caller, or when the time is up; none where neither can be. */
  readonly signal: AbortSignal | undefined;
  /** The service may have done a write of which it could not say so. */
  outcomeUnknown: boolean;
}

/** Sends a request until it is answered or must not be repeated. @returns the body of the answer */
async function answerTo(request: Outgoing, settings: Settings): Promise<unknown> {
  const { options } = request;
  const timeoutMs = options?.timeoutMs ?? settings.timeoutMs;
  checkTime(timeoutMs);
  const outer = options?.signal;
  outer?.throwIfAborted();
  const control = outer === undefined && timeoutMs === Number.POSITIVE_INFINITY ? undefined : new AbortController();
  const call: Call = { ...request, settings, signal: control?.signal, outcomeUnknown: false };
  const endsAt = Date.now() + timeoutMs;
  const stop = (): void => control?.abort(outer?.reason);
  outer?.addEventListener('abort', stop, { once: true });
  const timer = startTimer(timeoutMs, () =>
    control?.abort(new PraxisTimeoutError(`there was no answer within ${timeoutMs} ms.`, call)),
  );
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        return await sendOnce(call);
      } catch (error) {
        const pauseMs = pauseAfter(error, attempt);
        const isLast = attempt >= settings.maxRetries || Date.now() + pauseMs >= endsAt;
        if (isLast || !mayRepeat(error, call)) throw error;
        await pause(pauseMs, control?.signal);
      }
    }
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', stop);
  }
}

/** One attempt. @throws PraxisError, PraxisConnectionError, or the reason of the signal */
async function sendOnce(call: Call): Promise<unknown> {
  const { settings, signal, operation, method, path, body } = call;
  const wasUnknown = call.outcomeUnknown;
  const token = typeof settings.token === 'function' ? await until(settings.token(), signal) : settings.token;
  const headers: Record<string, string> = { ...settings.headers };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  // A redirect would turn a POST into a GET.
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (signal !== undefined) init.signal = signal;
  if (body !== undefined) init.body = JSON.stringify(body);
  call.outcomeUnknown = method !== 'GET';
  let response: Answer;
  let text: string;
  try {
    response = await until((settings.fetch ?? globalThis.fetch)(path, init), signal);
    text = await until(response.text(), signal);
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    if (wasNeverSent(cause)) call.outcomeUnknown = wasUnknown;
    const { outcomeUnknown } = call;
    throw new PraxisConnectionError('there was no answer.', { operation, outcomeUnknown, cause });
  }
  const answer = jsonOf(text);
  if (response.ok && (text === '' || answer !== undefined)) return answer;
  call.outcomeUnknown = wasUnknown || (method !== 'GET' && leavesOutcomeOpen(response, answer));
  // Deleted by an attempt whose answer was lost.
  if (method === 'DELETE' && response.status === 404 && wasUnknown) return undefined;
  throw toError(call, response, answer);
}

function jsonOf(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body of every problem of the service. */
interface Problem {
  readonly status: number;
  readonly message: string;
  readonly errors?: readonly string[];
}

const isProblem = (answer: unknown): answer is Problem =>
  typeof answer === 'object' &&
  answer !== null &&
  'message' in answer &&
  typeof answer.message === 'string' &&
  'status' in answer &&
  typeof answer.status === 'number';

function toError({ operation, outcomeUnknown }: Call, response: Answer, answer: unknown): PraxisError {
  const { status, headers } = response;
  const problem = isProblem(answer) ? answer : undefined;
  return new PraxisError(problem?.message ?? `${operation}: the answer with status ${status} is not one of Praxis.`, {
    status,
    errors: problem?.errors ?? [],
    requestId: headers.get('x-request-id') ?? undefined,
    operation,
    retryAfter: secondsOf(headers.get('retry-after')),
    outcomeUnknown,
  });
}

/** Whether a write may have been done: the service says so, or what stands before it answers in its place. */
function leavesOutcomeOpen({ status, ok }: Answer, answer: unknown): boolean {
  if (status === 503) return !isProblem(answer) || answer.message.includes('outcome of the request is unknown');
  return ok || status === 502 || status === 504;
}

/** `Retry-After` (RFC 9110, 10.2.3): seconds, or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Failures of `fetch` in Node, Deno and Bun before anything was sent; browsers do not tell. */
const unsentCodes: ReadonlySet<unknown> = new Set(
  'ECONNREFUSED ConnectionRefused ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT'.split(' '),
);

function wasNeverSent(error: unknown): boolean {
  const inner = error instanceof Error ? error.cause : undefined;
  return [error, inner].some((each) => each instanceof Error && 'code' in each && unsentCodes.has(each.code));
}

/**
 * Whether to send once more what failed for the moment. Not what may have been done: a create would make two records, an
 * update undo what others have changed since. A record cannot be deleted twice.
 */
function mayRepeat(error: unknown, { method, outcomeUnknown }: Call): boolean {
  const isOfTheMoment =
    error instanceof PraxisConnectionError ||
    (error instanceof PraxisError && [429, 502, 503, 504].includes(error.status));
  return isOfTheMoment && (!outcomeUnknown || method === 'DELETE');
}

/** Milliseconds: what the service asks for, and on top up to 0.25 s, 0.5 s, 1 s … 8 s by chance, so that callers do not come back together. */
function pauseAfter(error: unknown, attempt: number): number {
  const asked = error instanceof PraxisError ? (error.retryAfter ?? 0) : 0;
  return asked * 1000 + Math.random() * Math.min(8000, 250 * 2 ** attempt);
}

/** Timers count no further than 24 days: a longer call has no end of its own. */
const startTimer = (ms: number, act: () => void): ReturnType<typeof setTimeout> | undefined =>
  ms < 2 ** 31 ? setTimeout(act, ms) : undefined;

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return until(slept, signal).finally(() => clearTimeout(timer));
}

/** The value, unless the signal comes first: not every `fetch` and no function that gives tokens listens to one. */
function until<T>(value: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return Promise.resolve(value);
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}
