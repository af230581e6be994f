// The feed: entries in the order of their commits, from a cursor on or back. Positions have no gaps, so that a page looks at so many
// entries at the most, however few of them its reader wants.
import { problems } from '../problems.ts';
import type { KeptEntry } from '../storage/log/entry.ts';
import { countAtOnce, findRenaming, readStretch, type StretchFilter } from '../storage/log/read-log.ts';
import { type LogState, readState } from '../storage/log/state.ts';
import { cursorOf, isBeyond, positionIn, type ReadCursor } from './cursor.ts';
import { type LogGround, type LogReader, maxPageBytes, type ShownEntry, shownEntries } from './page.ts';
import type { FeedRequest, Following } from './parameters.ts';
import { givePositions } from './positions.ts';
import { noteBeyond } from './renewal.ts';

/** Entries that one statement looks at, and those that one page does. */
const stretch = 10_000;
const lookedAtOnce = 100_000;
/** Of 2,000 rows each: as far as a page needs. */
const passesAPage = 3;

/** A part of the feed. */
export interface FeedPage {
  readonly entries: readonly ShownEntry[];
  /** Behind the last entry that was looked at; before it, where its reader goes back. */
  readonly position: number;
  readonly state: LogState;
  readonly hasMore: boolean;
}

interface Patience {
  readonly reader: LogReader;
  /** The same after a while: who reads may see less by then, or nothing (undefined). */
  readonly readerNow: () => Promise<LogReader | undefined>;
  /** The key that waits are counted by. */
  readonly limitKey: string;
  /** Aborted when nobody waits any more. */
  readonly stop?: AbortSignal | undefined;
}

/** Reads a page; an empty one is waited for, as long as is asked. @throws Problem 410; 429, 503 where too many wait */
export async function readFeed(
  ground: LogGround,
  request: FeedRequest,
  { reader: readerAtFirst, readerNow, limitKey, stop }: Patience,
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
      leave ??= ground.listeners.enter(limitKey);
      const why = await ground.watch.wait(position, leftMs, stop);
      const now = why === 'entry' ? await readerNow() : undefined;
      if (now === undefined) return page;
      reader = now;
    }
  } finally {
    leave?.();
  }
}

/** Finds the position behind which a reader begins, or before which, where it goes back. @throws Problem 410 */
export async function beginFeed(
  ground: LogGround,
  { after, before }: Pick<FeedRequest, 'after' | 'before'>,
): Promise<{ readonly position: number; readonly state: LogState }> {
  const { unit, dialect } = ground;
  await givePositions(unit, dialect, passesAPage);
  const place = before ?? after;
  if (place === undefined || place === 'now') {
    const state = await readState(unit.direct, dialect);
    return { position: place === undefined ? state.first - 1 : state.head, state };
  }
  const state = await stateFor(ground, place);
  if (isBeyond(state, place)) await noteBeyond(unit, dialect);
  return { position: positionIn(state, before === undefined ? 'after' : 'before', place), state };
}

/** Where the log begins and ends, for who has come to a position of it. */
export async function stateFor({ unit, dialect }: LogGround, place: ReadCursor): Promise<LogState> {
  const state = await readState(unit.direct, dialect);
  // A node of a cluster may not have heard of what another one has told; a transaction waits until it has.
  return isBeyond(state, place) ? unit.transact((session) => readState(session, dialect)) : state;
}

/**
 * Whether a migration has called anything otherwise since this process began: it does not know the names of what comes behind that,
 * and must not pass it over.
 * @returns as `findRenaming`
 */
export const renamedSince = ({ unit, dialect, names }: LogGround): Promise<number | null | undefined> =>
  findRenaming(unit.direct, dialect, { behind: names.lastRenaming });

/** From where to where one statement looks, and where its reader is then. */
interface Way {
  readonly span: (at: number, state: LogState) => { readonly after: number; readonly upTo: number };
  readonly past: (entry: number) => number;
  readonly end: (span: { readonly after: number; readonly upTo: number }) => number;
  readonly isOver: (at: number, state: LogState) => boolean;
}

const onward: Way = {
  span: (at, { head }) => ({ after: at, upTo: Math.min(head, at + stretch) }),
  past: (entry) => entry,
  end: ({ upTo }) => upTo,
  isOver: (at, { head }) => at >= head,
};
const backward: Way = {
  span: (at, { first }) => ({ after: Math.max(first - 1, at - stretch), upTo: at }),
  past: (entry) => entry - 1,
  end: ({ after }) => after,
  isOver: (at, { first }) => at < first,
};

/**
 * Reads on behind a position that is known to be one, or back from it.
 * @throws Problem 503 where all that is left was written behind a migration of which this process does not know
 */
export async function readOn(
  ground: LogGround,
  request: Following & Pick<FeedRequest, 'limit' | 'before'>,
  { position: from, reader }: { readonly position: number; readonly reader: LogReader },
): Promise<FeedPage> {
  const { unit, dialect } = ground;
  const isBack = request.before !== undefined;
  const way = isBack ? backward : onward;
  const state = await readState(unit.direct, dialect);
  const renamedAt = (await renamedSince(ground)) ?? Number.POSITIVE_INFINITY;
  if (from >= renamedAt - 1) throw problems.serviceOutdated();
  const known = { ...state, head: Math.min(state.head, renamedAt - 1) };
  const filter = filterOf(ground, request);
  const entries: ShownEntry[] = [];
  let position = from;
  let bytes = 0;
  let atOnce = countAtOnce(undefined);
  while (!way.isOver(position, known) && Math.abs(position - from) < lookedAtOnce && entries.length < request.limit) {
    const span = way.span(position, known);
    const limit = Math.min(request.limit - entries.length, atOnce);
    const found = await readStretch(unit.direct, dialect, { ...filter, ...span, limit, isBack });
    atOnce = countAtOnce(found);
    const wanted = ground.names.ofEntries(found).filter(isWanted(request));
    const shown = await shownEntries(ground, wanted, { reader, placeWord: 'position' });
    for (const one of shown) {
      if (request.operations?.includes(one.operation) === false) continue;
      bytes += Buffer.byteLength(one.json);
      if (bytes > maxPageBytes && entries.length > 0) return { entries, position, state, hasMore: true };
      entries.push(one);
      position = way.past(one.entry.position ?? position);
    }
    const last = found.at(-1)?.position ?? undefined;
    position = found.length < limit || last === undefined ? way.end(span) : way.past(last);
  }
  return { entries, position, state, hasMore: !way.isOver(position, state) };
}

/** The entry at a position, as a reader is shown it by now; none where it is not. */
export async function entriesAt(
  ground: LogGround,
  position: number,
  reader: LogReader,
): Promise<readonly ShownEntry[]> {
  const { unit, dialect } = ground;
  const found = await readStretch(unit.direct, dialect, { after: position - 1, upTo: position, limit: 1 });
  return shownEntries(ground, ground.names.ofEntries(found), { reader, placeWord: 'position' });
}

/** What is not told in the words of the table: who wrote, and which of the groups that had a name one after the other. */
const isWanted =
  ({ member, groups }: Following) =>
  ({ group, data }: KeptEntry): boolean =>
    (member === undefined || data.by?.member === member) &&
    (group === '' || groups === undefined || groups.some(({ name }) => name === group));

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
