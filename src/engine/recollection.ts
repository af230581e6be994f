// What a transaction has read and not written since: the rules of one write, and of several writes in a row, ask the same
// again and again (the project of a time entry, the workspace, whether the member is on the team).
import type { Values } from '../registry/model.ts';

/** Answers of one kind, by group and by what was asked of it. */
class Shelf<T> {
  readonly #groups = new Map<string, Map<string, Promise<T>>>();

  /** What was read before, or what `read` gives now. Shared: not to be changed. */
  recall(group: string, question: string, read: () => Promise<T>): Promise<T> {
    let answers = this.#groups.get(group);
    if (answers === undefined) {
      answers = new Map();
      this.#groups.set(group, answers);
    }
    let answer = answers.get(question);
    if (answer === undefined) {
      answer = read();
      answers.set(question, answer);
    }
    return answer;
  }

  forget(group: string | undefined): void {
    if (group === undefined) this.#groups.clear();
    else this.#groups.get(group)?.clear();
  }
}

export class Recollection {
  /** What is guarded already, as group and id: it stays so until the transaction ends. */
  readonly guarded = new Set<string>();
  /** Records without their lists, by id. */
  readonly records = new Shelf<Values | undefined>();
  readonly lists = new Shelf<readonly Values[]>();
  readonly existences = new Shelf<boolean>();

  /** After a write to a group; without one, to any. */
  forget(group?: string): void {
    for (const shelf of [this.records, this.lists, this.existences]) shelf.forget(group);
  }
}
