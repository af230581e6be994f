// Follows the feed of changes for all that is shown: one long request at a time, while somebody looks.

import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { EntryShown } from '../../../past/entry-json.ts';
import { ApiProblem } from './api.ts';
import { feed } from './log.ts';
import { groups } from './model.ts';
import { token } from './session.ts';

/** Told of new entries; of nothing that is known where all is to be read anew. */
type Listener = (entries: readonly EntryShown[] | undefined) => void;

/** By the names of groups; `*` for all of them. */
const listeners = new Map<string, Set<Listener>>();
const everything = '*';
/** So long a request waits for news. */
const waitSeconds = 25;
/** What is written one after the other is told together. */
const restMs = 1000;
const afterFailureMs = 15_000;

/** Behind which the next news come; asked for once, and then told by each page. */
let cursor: Promise<string> | undefined;
let running: AbortController | undefined;
/** What the running request asks for. */
let askedGroups = '';
let isRefused = false;

/** Whether news come by themselves; where they do not, who shows something looks again from time to time. */
export const isFollowing = signal(false);

/** Calls back with what becomes of records of a group (of all groups: undefined) while the component is shown. */
export function useFollowed(name: string | undefined, tell: Listener): void {
  const now = useRef(tell);
  now.current = tell;
  useEffect(() => {
    if (!groups().isFollowed || (name !== undefined && groups().named(name)?.isLogged !== true)) return;
    const key = name ?? everything;
    const listener: Listener = (entries) => now.current(entries);
    listeners.set(key, (listeners.get(key) ?? new Set()).add(listener));
    begin();
    return () => {
      const others = listeners.get(key);
      others?.delete(listener);
      if (others?.size === 0) listeners.delete(key);
      begin();
    };
  }, [name]);
}

let beginning: ReturnType<typeof setTimeout> | undefined;

/** Begins, or goes on with what is listened for now. What is shown one after the other is begun once. */
function begin(): void {
  clearTimeout(beginning);
  beginning = setTimeout(() => {
    const names = listeners.has(everything) ? everything : [...listeners.keys()].toSorted().join(',');
    const isWanted = names !== '' && !document.hidden && !isRefused && token.value !== undefined;
    if (isWanted && running !== undefined && names === askedGroups) return;
    running?.abort();
    running = isWanted ? new AbortController() : undefined;
    askedGroups = names;
    if (running !== undefined) void run(running.signal, names);
  }, 50);
}

/** To be called before anything is read that is followed: what is written from then on is news. */
export function expectNews(): void {
  if (groups().isFollowed) place().catch(() => undefined);
}

function place(): Promise<string> {
  cursor ??= feed({ after: 'now' }).then(
    (page) => page.cursor,
    (error: unknown) => {
      cursor = undefined;
      throw error;
    },
  );
  return cursor;
}

async function run(stop: AbortSignal, names: string): Promise<void> {
  const asked = { limit: '200', wait: String(waitSeconds), ...(names !== everything && { group: names }) };
  while (!stop.aborted) {
    try {
      const after = await place();
      isFollowing.value = true;
      const page = await feed({ after, ...asked }, stop);
      cursor = Promise.resolve(page.cursor);
      if (page.results.length === 0) continue;
      tell(page.results);
      await pause(restMs);
    } catch (error) {
      if (stop.aborted) return;
      isFollowing.value = false;
      const status = error instanceof ApiProblem ? error.status : 0;
      if (status === 403 || status === 404) {
        isRefused = true;
        return;
      }
      if (status === 410) {
        cursor = undefined;
        tell(undefined);
      }
      await pause(afterFailureMs);
    }
  }
}

function tell(entries: readonly EntryShown[] | undefined): void {
  const isForAll = entries === undefined || entries.some(({ operation }) => operation === 'reset');
  for (const [name, those] of listeners) {
    const theirs = name === everything ? entries : entries?.filter(({ group }) => group === name);
    if (!isForAll && theirs?.length === 0) continue;
    for (const listener of those) listener(isForAll ? undefined : theirs);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

document.addEventListener('visibilitychange', begin);
// Who signs in anew may see what another might not.
effect(() => {
  token.value;
  isRefused = false;
  isFollowing.value = false;
  begin();
});
