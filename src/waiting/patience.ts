// For whom something waits, and since when: what lines go by, wherever they stand.

/** One who waits. Work of the service's own has no patience: it goes before, and waits as long as it must. */
export interface Patience {
  /** Since when, by `performance.now()`. */
  readonly since: number;
  /** Until when its work may go on, by `performance.now()`; for ever without it. */
  readonly until?: number;
  /** Whether the caller has left, so that nobody wants the result any more. */
  isGone(): boolean;
  /** What it has waited for so far, where anybody wants to know. */
  readonly spent?: Spent;
}

/** What the time of one request went to, in milliseconds. */
export class Spent {
  /** In lines, before it began. */
  waitedMs = 0;
  /** In units of work on the database, from the asking to the outcome; those that run side by side count once. */
  databaseMs = 0;
  /** Until its answer was made; 0 before that. */
  totalMs = 0;
  #running = 0;
  #since = 0;

  beginUnit(): void {
    if (this.#running === 0) this.#since = performance.now();
    this.#running += 1;
  }

  endUnit(): void {
    this.#running -= 1;
    if (this.#running === 0) this.databaseMs += performance.now() - this.#since;
  }
}

/** Waits for a place in a line, and notes how long that took. */
export async function waitFor(place: Promise<void>, { spent }: Pick<Patience, 'spent'>): Promise<void> {
  const from = performance.now();
  try {
    await place;
  } finally {
    if (spent !== undefined) spent.waitedMs += performance.now() - from;
  }
}

/** The caller has left: there is nobody to answer, and nothing to report. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}
