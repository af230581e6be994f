// The deadline of a transaction: past it, the next statement or the commit is refused, so that the work is surely rolled back.
import { problems } from '../problems.ts';
import type { Session } from './schema/session.ts';

export class TimeLimit {
  readonly #until: number;

  /** @param until By `performance.now()`. */
  constructor(until = Number.POSITIVE_INFINITY) {
    this.#until = until;
  }

  /** A rejection with Problem "overdue" where the time is over. */
  passed(): Promise<never> | undefined {
    return performance.now() > this.#until ? Promise.reject(problems.overdue()) : undefined;
  }

  /** The same work of a transaction, in time. */
  within<T>(work: (session: Session) => Promise<T>): (session: Session) => Promise<T> {
    return async (session) => {
      const result = await work({
        all: (sql, values) => this.passed() ?? session.all(sql, values),
        run: (sql, values) => this.passed() ?? session.run(sql, values),
      });
      await this.passed();
      return result;
    };
  }
}
