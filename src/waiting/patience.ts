// For whom something waits, and since when: what lines go by, wherever they stand.

/** One who waits. Work of the service's own has no patience: it goes before, and waits as long as it must. */
export interface Patience {
  /** Since when, by `performance.now()`. */
  readonly since: number;
  /** Whether the caller has left, so that nobody wants the result any more. */
  isGone(): boolean;
}

/** The caller has left: there is nobody to answer, and nothing to report. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}
