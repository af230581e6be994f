// Changes that a write wants and that are not sent to the database yet.
import type { Change } from './change.ts';

export class PendingChanges {
  readonly #carryOut: (changes: readonly Change[]) => Promise<unknown>;
  readonly #all: Change[] = [];
  /** The last change of each record, by group and id. */
  readonly #last = new Map<string, Map<string, Change>>();
  #waiting: Change[] = [];
  /** Whose records wait, by group. */
  readonly #ids = new Map<string, Set<string>>();
  /** What is asked for and not known to be done. */
  #underWay: Promise<unknown>[] = [];

  constructor(carryOut: (changes: readonly Change[]) => Promise<unknown>) {
    this.#carryOut = carryOut;
  }

  /** All changes in their order, those that are carried out too. */
  get all(): readonly Change[] {
    return this.#all;
  }

  add(change: Change): void {
    const { group, id } = change;
    this.#all.push(change);
    this.#waiting.push(change);
    const last = this.#last.get(group);
    if (last === undefined) this.#last.set(group, new Map([[id, change]]));
    else last.set(id, change);
    const ids = this.#ids.get(group);
    if (ids === undefined) this.#ids.set(group, new Set([id]));
    else ids.add(id);
  }

  /** The last change of a record, whether it is carried out or not. */
  lastOf(group: string, id: string): Change | undefined {
    return this.#last.get(group)?.get(id);
  }

  /** Carries out what is not yet. */
  async flush(): Promise<void> {
    this.launch();
    await this.done();
  }

  /** Asks for what is not carried out yet, without waiting for it: what is asked of the rows from here on finds it done. */
  launch(): void {
    if (this.#waiting.length === 0) return;
    const changes = this.#waiting;
    this.#waiting = [];
    this.#ids.clear();
    this.follow(this.#carryOut(changes));
  }

  /** Keeps something that is under way in mind until `done` is asked for. */
  follow(work: Promise<unknown>): void {
    this.#underWay.push(work);
    // Whoever asks whether all is done learns of it.
    work.catch(() => {});
  }

  /** What was asked for is done. @throws what has stopped it, the first of several */
  async done(): Promise<void> {
    for (const work of this.#underWay.splice(0)) await work;
  }

  /** To be called before rows are asked for: what is wanted of these records, or of all of the group, is in them then. */
  settle(group: string, ids?: readonly string[]): void {
    const waiting = this.#ids.get(group);
    // A single record is asked for without its id.
    if (waiting !== undefined && (ids === undefined || ids.some((id) => id === '' || waiting.has(id)))) this.launch();
  }
}
