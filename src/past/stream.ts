// The feed as server-sent events: entries as they come, with cursors as the ids of events, so that a browser that was cut off
// goes on where it was.
import { cursorOf } from './cursor.ts';
import { beginFeed, readOn } from './feed.ts';
import type { LogGround, LogReader, ShownEntry } from './page.ts';
import type { FeedRequest } from './parameters.ts';

/** How long a stream does what. */
export interface StreamTimes {
  /** Until the next sign of life. */
  readonly commentMs: number;
  /** Until the next cursor, where entries were passed over. */
  readonly cursorMs: number;
  /** Until it is looked whether its reader still may read. */
  readonly checkMs: number;
  /** Until it ends, so that no reader stays at one process for ever. */
  readonly longestMs: number;
}

const usual: StreamTimes = { commentMs: 15_000, cursorMs: 10_000, checkMs: 1000, longestMs: 60 * 60 * 1000 };

const entriesAtOnce = 100;

interface Listening {
  /** The key that streams are counted by. */
  readonly limitKey: string;
  /** Who reads, as it may at this moment; undefined where it may not any more. */
  readonly reader: () => Promise<LogReader | undefined>;
  /** Aborted when nobody listens any more. */
  readonly stop: AbortSignal;
  readonly times?: Partial<StreamTimes> | undefined;
}

/**
 * Tells entries behind the cursor of a request, until its reader leaves, may not read any more, or the service ends.
 * @throws Problem 410, 429, 503, before its first part
 */
export async function* streamFeed(
  ground: LogGround,
  request: FeedRequest,
  listening: Listening,
): AsyncGenerator<string> {
  const { limitKey, reader, stop } = listening;
  const times = { ...usual, ...listening.times };
  const leave = ground.listeners.enter(limitKey);
  const over = new AbortController();
  const check = setInterval(() => {
    // What cannot be told now is asked again.
    void reader().then(
      (found) => found === undefined && over.abort(),
      () => {},
    );
  }, times.checkMs);
  try {
    const end = AbortSignal.any([stop, over.signal]);
    const { position, state } = await beginFeed(ground, request);
    yield* follow(ground, request, { from: position, reader, end, times, cursor: (at) => cursorOf(state, at) });
  } finally {
    clearInterval(check);
    leave();
  }
}

interface Followed {
  readonly from: number;
  readonly reader: Listening['reader'];
  readonly end: AbortSignal;
  readonly times: StreamTimes;
  readonly cursor: (position: number) => string;
}

async function* follow(
  ground: LogGround,
  request: FeedRequest,
  { from, reader, end, times, cursor }: Followed,
): AsyncGenerator<string> {
  const eventOf = ({ entry, json }: ShownEntry) =>
    `id: ${cursor(entry.position ?? 0)}\nevent: change\ndata: ${json}\n\n`;
  const begun = performance.now();
  const overAt = begun + times.longestMs;
  let commentAt = begun + times.commentMs;
  let cursorAt = begun + times.cursorMs;
  let position = from;
  let told = from;
  // Readers of events begin again so soon.
  let greeting = 'retry: 1000\n\n';
  for (;;) {
    // Judged by what its reader may see now, not by what it might when the stream began.
    const who = await reader();
    if (who === undefined || end.aborted) return;
    const page = await readOn(ground, { ...request, limit: entriesAtOnce }, { position, reader: who });
    position = page.position;
    const events = greeting + page.entries.map(eventOf).join('');
    greeting = '';
    if (events !== '') yield events;
    told = page.entries.at(-1)?.entry.position ?? told;
    const now = performance.now();
    if (now >= overAt) return;
    if (now >= commentAt) {
      yield ':\n\n';
      commentAt = now + times.commentMs;
    }
    if (now >= cursorAt) {
      if (position > told) yield `id: ${cursor(position)}\nevent: cursor\ndata: ${cursor(position)}\n\n`;
      told = position;
      cursorAt = now + times.cursorMs;
    }
    if (page.hasMore) continue;
    const next = Math.max(0, Math.min(overAt, commentAt, cursorAt) - performance.now());
    if ((await ground.watch.wait(position, next, end)) === 'end') return;
  }
}
