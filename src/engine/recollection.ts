// What a transaction has read and not written since: the rules of one write, and of several writes in a row, ask the same
// again and again (the project of a time entry, the workspace, whether the member is on the team).
import type { Found, PlacedLists } from '../behaviours/rule.ts';
import type { Values } from '../registry/model.ts';

/** Answers of one kind, by group and by what was asked of it. Shared: not to be changed. */
class Shelf<T> {
  readonly #groups = new Map<string, Map<string, Promise<T>>>();

  /** What is known of a group, by question. */
  of(group: string): ReadonlyMap<string, Promise<T>> {
    return this.#groups.get(group) ?? new Map();
  }

  put(group: string, question: string, answer: Promise<T>): void {
    const answers = this.#groups.get(group) ?? new Map<string, Promise<T>>();
    this.#groups.set(group, answers.set(question, answer));
  }

  /** What was read before, or what `read` gives now. */
  recall(group: string, question: string, read: () => Promise<T>): Promise<T> {
    const known = this.of(group).get(question);
    if (known !== undefined) return known;
    const answer = read();
    this.put(group, question, answer);
    return answer;
  }

  forget(group?: string, question?: string): void {
    if (group === undefined) this.#groups.clear();
    else if (question === undefined) this.#groups.delete(group);
    else this.#groups.get(group)?.delete(question);
  }
}

/** A list that was read without limit or bounds. */
export interface WholeList {
  readonly where: Readonly<Values>;
  readonly records: readonly Values[];
}

export class Recollection {
  /** What is guarded already, as group and id: it stays so until the transaction ends. */
  readonly guarded = new Set<string>();
  /** What others may not change until the transaction ends, though they may hold it as well. */
  readonly held = new Set<string>();
  /** Records without their lists, by id. */
  readonly records = new Shelf<Values | undefined>();
  readonly lists = new Shelf<readonly Values[]>();
  readonly existences = new Shelf<boolean>();
  readonly wholeLists = new Shelf<WholeList>();
  /** What asks of formulas have found, by where they look and what for. */
  readonly found = new Shelf<readonly Found[]>();
  /** Lists of records, by their keys and the record's id. */
  readonly inside = new Shelf<PlacedLists>();

  /** After a write to one record of a group, or to many; without a group, to any. A single record has the id '' too. */
  forget(group?: string, id?: string): void {
    for (const shelf of [this.lists, this.existences, this.wholeLists, this.found, this.inside]) shelf.forget(group);
    for (const each of id === undefined ? [undefined] : [id, '']) this.records.forget(group, each);
  }
}
