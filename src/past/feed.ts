// The feed: entries in the order of their commits, from a cursor on. Positions have no gaps, so that a page looks at so many
// entries at the most, however few of them its reader wants.
import type { KeptEntry } from '../storage/log/entry.ts';
import { readStretch, type StretchFilter } from '../storage/log/read-log.ts';
import { type LogState, readState } from '../storage/log/state.ts';
import { cursorOf, positionIn } from './cursor.ts';
import { type LogGround, type LogReader, type ShownEntry, shownEntries } from './page.ts';
import type { FeedRequest, Following } from './parameters.ts';
import { givePositions } from './positions.ts';

/** Entries that one statement looks at, and those that one page does. */
const stretch = 10_000;
const lookedAtOnce = 100_000;
const longestPage = 4 * 1024 * 1024;
/** Of 2,000 rows each: as far as a page needs. */
const passesAPage = 3;

/** A part of the feed. */
export interface FeedPage {
  readonly entries: readonly ShownEntry[];
  /** Behind the last entry that was looked at. */
  readonly position: number;
  readonly state: LogState;
  readonly hasMore: boolean;
}

interface Patience {
  readonly reader: LogReader;
  /** The same after a while: who reads may see less by then, or nothing (undefined). */
  readonly readerNow: () => Promise<LogReader | undefined>;
  readonly tokenId: string;
  /** Aborted when nobody waits any more. */
  readonly stop?: AbortSignal | undefined;
}

/** Reads a page; an empty one is waited for, as long as is asked. @throws Problem 410; 429, 503 where too many wait */
export async function readFeed(
  ground: LogGround,
  request: FeedRequest,
  { reader: readerAtFirst, readerNow, tokenId, stop }: Patience,
): Promise<FeedPage> {
  let reader = readerAtFirst;
  const until = performance.now() + request.waitMs;
  let { position } = await beginFeed(ground, request);
  let leave: (() => void) | undefined;
  try {
    for (;;) {
      const page = await readOn(ground, request, { position, reader });
      position = page.position;
      const leftMs = until - performance.now();
      if (page.entries.length > 0 || page.hasMore || leftMs <= 0) return page;
      leave ??= ground.listeners.enter(tokenId);
      const why = await ground.watch.wait(position, leftMs, stop);
      const now = why === 'entry' ? await readerNow() : undefined;
      if (now === undefined) return page;
      reader = now;
    }
  } finally {
    leave?.();
  }
}

/** Finds the position behind which a reader begins. @throws Problem 410 */
export async function beginFeed(
  { unit, dialect }: LogGround,
  { after }: Pick<FeedRequest, 'after'>,
): Promise<{ readonly position: number; readonly state: LogState }> {
  await givePositions(unit, dialect, passesAPage);
  const state = await readState(unit.direct, dialect);
  const position =
    after === undefined ? state.first - 1 : after === 'now' ? state.head : positionIn(state, 'after', after);
  return { position, state };
}

/** Reads on behind a position that is known to be one. */
export async function readOn(
  ground: LogGround,
  request: Following & Pick<FeedRequest, 'limit'>,
  { position: from, reader }: { readonly position: number; readonly reader: LogReader },
): Promise<FeedPage> {
  const { unit, dialect } = ground;
  const state = await readState(unit.direct, dialect);
  const filter = filterOf(ground, request);
  const entries: ShownEntry[] = [];
  let position = from;
  let bytes = 0;
  while (position < state.head && position - from < lookedAtOnce && entries.length < request.limit) {
    const upTo = Math.min(state.head, position + stretch);
    const limit = request.limit - entries.length;
    const found = await readStretch(unit.direct, dialect, { ...filter, after: position, upTo, limit });
    const shown = await shownEntries(ground, found.filter(isOfMember(request)), { reader, placeWord: 'position' });
    for (const one of shown) {
      if (request.operations?.includes(one.operation) === false) continue;
      bytes += one.json.length;
      if (bytes > longestPage && entries.length > 0) return { entries, position, state, hasMore: true };
      entries.push(one);
      position = one.entry.position ?? position;
    }
    position = found.length < limit ? upTo : (found.at(-1)?.position ?? upTo);
  }
  return { entries, position, state, hasMore: position < state.head };
}

/** The entry at a position, as a reader is shown it by now; none where it is not. */
export async function entriesAt(
  ground: LogGround,
  position: number,
  reader: LogReader,
): Promise<readonly ShownEntry[]> {
  const { unit, dialect } = ground;
  const found = await readStretch(unit.direct, dialect, { after: position - 1, upTo: position, limit: 1 });
  return shownEntries(ground, found, { reader, placeWord: 'position' });
}

const isOfMember =
  ({ member }: Following) =>
  ({ data }: KeptEntry): boolean =>
    member === undefined || data.by?.member === member;

function filterOf(
  { names }: LogGround,
  { groups, record, operations, causes, since, until }: Following,
): StretchFilter {
  const kept = operations?.filter((each) => each !== 'gone');
  return {
    ...{ record, causes, since, until },
    groups: groups?.flatMap((resource) => names.namesOf(resource)),
    // Any update may have taken its record out of sight.
    operations: kept === undefined || kept.length === operations?.length ? kept : undefined,
  };
}

/** `{"results": […], "cursor": "…", "hasMore": false}` */
export const feedJson = ({ entries, position, state, hasMore }: FeedPage): string =>
  `{"results":[${entries.map(({ json }) => json).join(',')}],"cursor":"${cursorOf(state, position)}","hasMore":${hasMore}}`;
