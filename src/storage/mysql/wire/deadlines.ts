// Deadlines of commands, watched by one timer: to start and to stop one for each command takes longer than the rest of its way.

const lookEveryMs = 20;
let timer: NodeJS.Timeout | undefined;
let newest: CommandDeadline | undefined;

/**
 * The deadline of a command under way. They are links of a list and not items of a set: the tables of a set that is added to all
 * the time keep each other, and what was in them, until all memory is looked through.
 */
export class CommandDeadline {
  readonly #expiresAt: number;
  readonly #expire: () => void;
  #older: CommandDeadline | undefined;
  #newer: CommandDeadline | undefined;

  /**
   * Watches a command until `forget`.
   * @param expiresAt By `performance.now()`; it is passed by 20 ms at most.
   * @param expire Called once the time is over; more than once where it does not forget.
   */
  constructor(expiresAt: number, expire: () => void) {
    this.#expiresAt = expiresAt;
    this.#expire = expire;
    this.#older = newest;
    if (newest !== undefined) newest.#newer = this;
    newest = this;
    timer ??= setInterval(CommandDeadline.#look, lookEveryMs);
  }

  /** To be called when the command is over, once. */
  forget(): void {
    const [older, newer] = [this.#older, this.#newer];
    if (older !== undefined) older.#newer = newer;
    if (newer !== undefined) newer.#older = older;
    else newest = older;
    this.#older = undefined;
    this.#newer = undefined;
  }

  static readonly #look = (): void => {
    if (newest === undefined) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const now = performance.now();
    // Where the loop was held up, the answer may be there already: sockets are looked at before the time is over.
    for (let each: CommandDeadline | undefined = newest; each !== undefined; each = each.#older)
      if (now >= each.#expiresAt) setImmediate(each.#expire);
  };
}
