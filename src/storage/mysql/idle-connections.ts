// Connections that nobody uses at the moment, ready to be taken without a promise: mysql2's own pool lends them once, and lets
// whoever takes one wait for the next turn of the loop.
import type { MysqlConnection } from './connection.ts';

const closedAfterMs = 30_000;
const lookEveryMs = 1000;

export class IdleConnections {
  /** The last used one last. */
  readonly #all: { readonly link: MysqlConnection; readonly since: number }[] = [];
  readonly #timer = setInterval(() => this.#closeOld(), lookEveryMs).unref();

  /** The one that `take` gives. */
  get next(): MysqlConnection | undefined {
    return this.#all.at(-1)?.link;
  }

  take(): MysqlConnection | undefined {
    return this.#all.pop()?.link;
  }

  put(link: MysqlConnection): void {
    this.#all.push({ link, since: performance.now() });
  }

  /** Of one that was closed, whether it is here or not. */
  forget(closed: MysqlConnection): void {
    const place = this.#all.findIndex(({ link }) => link === closed);
    if (place >= 0) this.#all.splice(place, 1);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #closeOld(): void {
    const longAgo = performance.now() - closedAfterMs;
    while (this.#all[0] !== undefined && this.#all[0].since < longAgo) this.#all.shift()?.link.connection.destroy();
  }
}
