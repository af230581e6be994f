// The log of changes: what became of a record, what one write did, what is new, and undo.
import type { EntryShown } from '../../../past/entry-json.ts';
import { ask } from './api.ts';

interface HistoryPage {
  readonly results: readonly EntryShown[];
  readonly hasMore: boolean;
  /** On the last page: whether it begins with the making of the record. */
  readonly isComplete: boolean;
}

/** @param id Undefined for the one record of its group. */
export async function historyOf(path: string, id: string | undefined, query: URLSearchParams): Promise<HistoryPage> {
  const place = id === undefined ? path : `${path}/${encodeURIComponent(id)}`;
  return (await ask(`/history${place}`, { query })).body as HistoryPage;
}

interface WritePage {
  readonly results: readonly EntryShown[];
  readonly hasMore: boolean;
}

/** Reads a page of the entries of a write, in order. @param after The entry after which it begins */
export async function readWritePage(write: string, after: EntryShown | undefined): Promise<WritePage> {
  const query = new URLSearchParams({ limit: '100' });
  if (after?.entry !== undefined) query.set('startingAfter', after.entry);
  return (await ask(`/writes/${write}`, { query })).body as WritePage;
}

/** Takes back what a write did; a trial only tells whether that can be. @throws ApiProblem 409 */
export async function undo(write: string, options: { readonly isTrial?: boolean; readonly key?: string }) {
  await ask(`/writes/${write}/undo`, { method: 'POST', ...options });
}

interface FeedPage {
  readonly results: readonly EntryShown[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

export const feed = async (query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<FeedPage> =>
  (await ask('/changes', { query: new URLSearchParams(query), signal })).body as FeedPage;
