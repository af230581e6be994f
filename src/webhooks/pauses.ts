// When a message that was not taken is sent again.

/** The pauses between tries, the last again and again, until a time is over. Milliseconds. */
export interface Pauses {
  readonly pausesMs: readonly number[];
  readonly untilMs: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

export const usualPauses: Pauses = {
  pausesMs: [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 3 * hour, 6 * hour],
  untilMs: 72 * hour,
};

/** Many that were refused at once do not come back at once. */
const jitter = 0.2;
const longestAskedFor = 6 * hour;

interface Refused {
  /** How often it was tried, this time included. */
  readonly attempts: number;
  /** When it was tried first, and now; milliseconds since 1970. */
  readonly since: number;
  readonly now: number;
  /** The receiver's `Retry-After`. */
  readonly retryAfter: string | undefined;
}

/** When to try again, in milliseconds since 1970; undefined where the time is over. */
export function nextTry(
  { pausesMs, untilMs }: Pauses,
  { attempts, since, now, retryAfter }: Refused,
): number | undefined {
  const pause = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? 0;
  const asked = askedPause(retryAfter, now);
  const next = now + (asked ?? pause * (1 - jitter + 2 * jitter * Math.random()));
  return next - since > untilMs ? undefined : Math.ceil(next);
}

/** Seconds, or a date (RFC 9110 section 10.2.3). */
function askedPause(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - now;
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, longestAskedFor) : undefined;
}
