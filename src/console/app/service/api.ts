// The public API, called with the viewer's token: the console can do nothing that a caller cannot.

import { commonMessages } from '../messages/common.ts';
import { signOut, token } from './session.ts';

/** A record as the API shows it. */
export type Shown = Readonly<Record<string, unknown>> & { readonly id?: string };

export interface ListPage {
  readonly results: readonly Shown[];
  readonly hasMore: boolean;
  /** Where it was asked for: how many there are in all, and whether these are only those that were counted. */
  readonly count?: number;
  readonly countIsLowerBound?: true;
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

/** How many records of a group refer to one that cannot go. */
export interface Users {
  /** Path of the group without its slash. */
  readonly group: string;
  readonly count: number;
  readonly countIsLowerBound?: true;
}

/** The body of an answer that is not the one asked for. */
interface ProblemBody {
  readonly message: string;
  readonly errors?: readonly string[];
  readonly usedBy?: readonly Users[];
}

/** The service did not do what was asked, or was not reached (status 0). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly errors: readonly string[];
  /** Of a record that is in use. */
  readonly usedBy: readonly Users[];

  constructor(status: number, message: string, { errors = [], usedBy = [] }: Partial<ProblemBody> = {}) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.usedBy = usedBy;
  }
}

/** What was thrown, as people are told it. */
export const asProblem = (error: unknown): ApiProblem =>
  error instanceof ApiProblem ? error : new ApiProblem(0, String(error));

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
  /** Of what was asked for before. */
  readonly answer?: Promise<Response> | undefined;
}

interface Answer {
  readonly body: unknown;
  readonly etag: string | undefined;
}

export const base = '/api';

const isProblem = (body: unknown): body is ProblemBody =>
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
export async function ask(path: string, asked: Asked = {}): Promise<Answer> {
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
  const response = await (asked.answer ?? fetch(`${base}${path}${question}`, init)).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiProblem(0, commonMessages.serviceUnavailable);
  });
  const found = jsonIn(await response.text());
  if (response.ok && (found !== undefined || response.status === 204))
    return { body: found, etag: response.headers.get('ETag') ?? undefined };
  const problem = isProblem(found) ? found : { message: commonMessages.serviceUnavailableWith(response.status) };
  // A token that is revoked while somebody works.
  if (response.status === 401 && asked.token === undefined) signOut(problem.message);
  throw new ApiProblem(response.status, problem.message, problem);
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

/** All records of a list as one table or text. @throws ApiProblem, also where it ends before its end */
export const exported = (path: string, query: URLSearchParams): Promise<Blob> => bytesAt(`/export${path}?${query}`);

/** Keeps a file. @returns its id @throws ApiProblem */
export async function upload(file: File): Promise<string> {
  const headers = {
    Authorization: `Bearer ${token.value ?? ''}`,
    'Content-Type': file.type === '' ? 'application/octet-stream' : file.type,
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  };
  const response = await fetch(`${base}/files`, { method: 'POST', headers, body: file }).catch(() => {
    throw new ApiProblem(0, commonMessages.serviceUnavailable);
  });
  const kept = jsonIn(await response.text());
  if (response.ok) return String((kept as Shown).id);
  throw new ApiProblem(response.status, isProblem(kept) ? kept.message : String(response.status));
}

/** What is answered as it is, not as JSON. @param path Below the base. @throws ApiProblem, also where it ends before its end */
export async function bytesAt(path: string): Promise<Blob> {
  const broken = (): never => {
    throw new ApiProblem(0, commonMessages.serviceUnavailable);
  };
  const headers = { Authorization: `Bearer ${token.value ?? ''}` };
  const response = await fetch(`${base}${path}`, { headers, cache: 'no-store' }).catch(broken);
  if (response.ok) return response.blob().catch(broken);
  const problem = jsonIn(await response.text());
  throw new ApiProblem(response.status, isProblem(problem) ? problem.message : String(response.status));
}

/** One of several things that are asked for at once. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly ifMatch?: string;
}

export interface OperationResult {
  readonly status: number;
  readonly body: unknown;
  readonly etag?: string;
}

/** So many operations are sent in one batch. */
const portion = 100;

interface BatchOptions {
  /** Only told what would come of it. */
  readonly isTrial?: boolean;
  /** Under which it is done once, however often it is sent. */
  readonly key?: string;
  /** Told after each portion how many have been answered. */
  readonly onProgress?: (count: number) => void;
}

/** Does operations, each by itself, in batches one after the other. @returns their results, in their order */
export async function batch(operations: readonly Operation[], options: BatchOptions = {}): Promise<OperationResult[]> {
  const results: OperationResult[] = [];
  for (let from = 0; from < operations.length; from += portion) {
    const body = JSON.stringify({ operations: operations.slice(from, from + portion), atomic: false });
    const { isTrial, key } = options;
    const answer = await ask('/batch', {
      ...{ method: 'POST', body },
      ...(isTrial === true && { isTrial }),
      ...(key !== undefined && { key: `${key}-${from}` }),
    });
    results.push(...(answer.body as { results: OperationResult[] }).results);
    options.onProgress?.(results.length);
  }
  return results;
}

export const problemOf = ({ status, body }: OperationResult): ApiProblem | undefined =>
  status < 400
    ? undefined
    : new ApiProblem(status, isProblem(body) ? body.message : String(status), isProblem(body) ? body : {});

/** What records of a list come to: a row for each value of what they are grouped by. */
export interface SummaryRow {
  readonly by: Readonly<Record<string, unknown>>;
  readonly count: number;
  readonly sum?: Readonly<Record<string, number>>;
  readonly max?: Readonly<Record<string, unknown>>;
}

interface Summary {
  readonly results: readonly SummaryRow[];
  readonly hasMore: boolean;
}

export const summary = async (path: string, query: URLSearchParams, signal?: AbortSignal): Promise<Summary> =>
  (await ask(`/summary${path}`, { query, signal })).body as Summary;

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
    throw new ApiProblem(0, commonMessages.serviceUnavailable);
  });
  const found = jsonIn(await response.text());
  if (response.ok && found !== undefined) return found;
  const problem = isProblem(found) ? found : { message: commonMessages.serviceUnavailableWith(response.status) };
  throw new ApiProblem(response.status, problem.message, problem);
}

/** Ends the session that a token is of, wherever it is known. What is no session, or over, stays as it is. */
export async function endSession(given: string): Promise<void> {
  await ask('/sign-out', { method: 'POST', token: given }).catch(() => undefined);
}

/** Whether the API takes a token. @throws ApiProblem 401; 0 where it is not reached */
export async function tryToken(given: string): Promise<void> {
  await ask('/access', { token: given }).catch((error: unknown) => {
    // Whatever else it answers, it knows who asks.
    if (error instanceof ApiProblem && error.status !== 401 && error.status !== 0) return;
    throw error;
  });
}
