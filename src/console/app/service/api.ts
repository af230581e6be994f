// The public API, called with the viewer's token: the console can do nothing that a caller cannot.
import { signOut, token } from './session.ts';

/** A record as the API shows it. */
export type Shown = Readonly<Record<string, unknown>> & { readonly id?: string };

export interface ListPage {
  readonly results: readonly Shown[];
  readonly hasMore: boolean;
}

/** A record and its version. */
export interface Tagged {
  readonly record: Shown;
  /** With its quotes. */
  readonly etag: string | undefined;
}

/** What a delete would do: how many records, by the path of their group without its slash. */
export interface DeleteTrial {
  readonly deletes: Readonly<Record<string, number>>;
  readonly clears: Readonly<Record<string, number>>;
}

/** The service did not do what was asked, or was not reached (status 0). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly errors: readonly string[];

  constructor(status: number, message: string, errors: readonly string[] = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

interface Asked {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: URLSearchParams | undefined;
  readonly body?: string;
  readonly ifMatch?: string | undefined;
  readonly isTrial?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Instead of that of the session. */
  readonly token?: string;
  /** A create with one is done once, however often it is sent. */
  readonly key?: string;
}

interface Answer {
  readonly body: unknown;
  readonly etag: string | undefined;
}

export const base = '/api';

const isProblem = (body: unknown): body is { message: string; errors?: readonly string[] } =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';

/** What stands between us and the service may answer with a page of its own. */
function jsonIn(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws ApiProblem; DOMException where the signal has ended it */
async function ask(path: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', query, body, ifMatch, isTrial, signal, key } = asked;
  const headers: Record<string, string> = { Authorization: `Bearer ${asked.token ?? token.value ?? ''}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (ifMatch !== undefined) headers['If-Match'] = ifMatch;
  if (isTrial === true) headers['Prefer'] = 'tx=rollback';
  if (key !== undefined) headers['Idempotency-Key'] = key;
  const question = query === undefined || query.size === 0 ? '' : `?${query}`;
  const init: RequestInit = { method, headers, cache: 'no-store' };
  if (body !== undefined) init.body = body;
  if (signal !== undefined) init.signal = signal;
  const response = await fetch(`${base}${path}${question}`, init).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiProblem(0, 'The service cannot be reached.');
  });
  const found = jsonIn(await response.text());
  if (response.ok && (found !== undefined || response.status === 204))
    return { body: found, etag: response.headers.get('ETag') ?? undefined };
  const { message, errors = [] } = isProblem(found)
    ? found
    : { message: `The service cannot be reached (${response.status}).` };
  // A token that is revoked while somebody works.
  if (response.status === 401 && asked.token === undefined) signOut(message);
  throw new ApiProblem(response.status, message, errors);
}

const tagged = ({ body, etag }: Answer): Tagged => ({ record: body as Shown, etag });

/** The largest page that there is. */
export const pageSize = 100;

/** A page of a group. @param path Of the group: `/clients`. */
export const list = async (path: string, query: URLSearchParams, signal?: AbortSignal): Promise<ListPage> =>
  (await ask(path, { query, signal })).body as ListPage;

const recordPath = (path: string, id: string | undefined): string =>
  id === undefined ? path : `${path}/${encodeURIComponent(id)}`;

/** One record; without an id the one of its group. */
export const get = async (path: string, id: string | undefined, query?: URLSearchParams): Promise<Tagged> =>
  tagged(await ask(recordPath(path, id), { query }));

/** @param key The same for the same record, so that it is made once. */
export const create = async (path: string, body: string, key: string): Promise<Tagged> =>
  tagged(await ask(path, { method: 'POST', body, key }));

interface Change {
  readonly body: string;
  /** The version that was seen. */
  readonly ifMatch: string | undefined;
}

export const update = async (path: string, id: string | undefined, { body, ifMatch }: Change): Promise<Tagged> =>
  tagged(await ask(recordPath(path, id), { method: 'PATCH', body, ifMatch }));

/** What a delete would do, and does not. */
export const tryDelete = async (path: string, id: string, ifMatch: string | undefined): Promise<DeleteTrial> =>
  (await ask(recordPath(path, id), { method: 'DELETE', isTrial: true, ifMatch })).body as DeleteTrial;

export const remove = async (path: string, id: string, ifMatch: string | undefined): Promise<void> => {
  await ask(recordPath(path, id), { method: 'DELETE', ifMatch });
};

/** Where a value comes from: what formulas say of it, and the records behind it. */
export const explain = async (path: string, { id, field, depth }: { id: string; field: string; depth: number }) =>
  (
    await ask(`/explain${path}/${encodeURIComponent(id)}/${encodeURIComponent(field)}`, {
      query: new URLSearchParams({ depth: String(depth) }),
    })
  ).body;

/** Sends what needs no token, to a path beside the API. @throws ApiProblem */
export async function postOpen(path: string, body: string): Promise<unknown> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, cache: 'no-store' } as const;
  const response = await fetch(path, init).catch(() => {
    throw new ApiProblem(0, 'The service cannot be reached.');
  });
  const found = jsonIn(await response.text());
  if (response.ok && found !== undefined) return found;
  const { message, errors } = isProblem(found)
    ? found
    : { message: `The service cannot be reached (${response.status}).` };
  throw new ApiProblem(response.status, message, errors);
}

/** Ends the session that a token is of, wherever it is known. What is no session, or over, stays as it is. */
export async function endSession(given: string): Promise<void> {
  await ask('/sign-out', { method: 'POST', token: given }).catch(() => undefined);
}

/** Whether the API takes a token. @throws ApiProblem 401; 0 where it is not reached */
export async function tryToken(given: string, path: string): Promise<void> {
  await ask(path, { token: given, query: new URLSearchParams() }).catch((error: unknown) => {
    // Whatever else it answers, it knows who asks.
    if (error instanceof ApiProblem && error.status !== 401 && error.status !== 0) return;
    throw error;
  });
}
