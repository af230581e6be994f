// A trial: its answer is known, and nothing of it is to stay.

/** Takes back a transaction whose answer is known. */
export class TakenBack<T> extends Error {
  readonly outcome: T;

  constructor(outcome: T) {
    super('This was a trial.');
    this.outcome = outcome;
  }
}
