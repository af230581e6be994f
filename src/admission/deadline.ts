// Deadline and cancellation of a request, and where its time went.

/** Queues go by it. The service's own work has none: it goes first, and waits as long as it must. */
export interface RequestDeadline {
  /** When the request came, by `performance.now()`. */
  readonly since: number;
  /** When its work must end, by `performance.now()`; never without it. */
  readonly until?: number;
  /** Whether the client has gone, so that nobody wants the result. */
  isDisconnected(): boolean;
  /** Where its time goes is noted here, if anybody wants to know. */
  readonly timings?: Timings;
}

/** Where the time of one request went, in milliseconds. */
export class Timings {
  /** In queues. */
  waitedMs = 0;
  /** In units of work on the database, from request to outcome. Units that run at the same time count once. */
  databaseMs = 0;
  /** Until the response was ready; 0 before that. */
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

/** Waits for a turn in a queue, and notes how long that took. */
export async function waitFor(turn: Promise<void>, { timings }: Pick<RequestDeadline, 'timings'>): Promise<void> {
  const from = performance.now();
  try {
    await turn;
  } finally {
    if (timings !== undefined) timings.waitedMs += performance.now() - from;
  }
}

/** The client has gone: nobody to answer, nothing to report. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
}
