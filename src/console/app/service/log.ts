// The log of changes: what became of a record, what one write did, what is new, and undo.
import { ask } from './api.ts';

/** Why a record has changed. */
interface Cause {
  readonly kind: string;
  /** The record behind it. */
  readonly of?: { readonly group: string; readonly id: string };
  /** Of what is undone. */
  readonly write?: string;
  readonly day?: string;
}

/** Of one field, what it was and what it is; neither where the log keeps no values of it. */
export interface FieldChange {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly removed?: readonly string[] | { readonly field: string; readonly id: string };
}

/** What one write did to one record. */
export interface LogEntry {
  /** In a history its place there, in the feed its position. */
  readonly entry?: string;
  readonly position?: string;
  readonly write: string;
  readonly part: number;
  readonly parts: number;
  readonly at: string;
  readonly operation: string;
  /** Null, as the id and the name, where all records are to be read anew. */
  readonly group: string | null;
  readonly id: string | null;
  readonly name?: string | null;
  readonly changes?: Readonly<Record<string, FieldChange>> | null;
  readonly cause?: Cause;
  /** Fields that came by another cause than the entry. */
  readonly also?: Readonly<Record<string, string>>;
  readonly by?: {
    readonly member: { readonly id: string; readonly name?: string } | null;
    readonly token: { readonly name: string };
  } | null;
}

interface HistoryPage {
  readonly results: readonly LogEntry[];
  readonly hasMore: boolean;
  /** On the last page: whether it begins with the making of the record. */
  readonly isComplete: boolean;
}

/** @param id Undefined for the one record of its group. */
export async function historyOf(path: string, id: string | undefined, query: URLSearchParams): Promise<HistoryPage> {
  const place = id === undefined ? path : `${path}/${encodeURIComponent(id)}`;
  return (await ask(`/history${place}`, { query })).body as HistoryPage;
}

/** All that a write did, in order. */
export const entriesOf = async (write: string): Promise<readonly LogEntry[]> =>
  ((await ask(`/writes/${write}`)).body as { readonly results: readonly LogEntry[] }).results;

/** Takes back what a write did; a trial only tells whether that can be. @throws ApiProblem 409 */
export async function undo(write: string, options: { readonly isTrial?: boolean; readonly key?: string }) {
  await ask(`/writes/${write}/undo`, { method: 'POST', ...options });
}

interface FeedPage {
  readonly results: readonly LogEntry[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

export const feed = async (query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<FeedPage> =>
  (await ask('/changes', { query: new URLSearchParams(query), signal })).body as FeedPage;
