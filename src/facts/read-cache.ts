// Read cache of a transaction. Invalidated by group when a row of it is written.

import type { Values } from '../registry/model/model.ts';
import type { Soon } from '../values/soon.ts';
import { StoredFacts } from './pending-questions.ts';
import type { Found, PlacedLists } from './sources.ts';

/** An answer that is there. */
interface Answer<T> {
  readonly value: T;
}

/** Answers to several questions that are read together. */
class Batch<T> {
  readonly reading: Promise<ReadonlyMap<string, T>>;

  constructor(reading: Promise<ReadonlyMap<string, T>>) {
    this.reading = reading;
  }
}

/** Answers of one kind, by group and by what was asked of it. Shared: not to be changed. */
class Shelf<T> {
  readonly #groups = new Map<string, Map<string, Answer<T> | Promise<T> | Batch<T>>>();

  has(group: string, question: string): boolean {
    return this.#groups.get(group)?.has(question) === true;
  }

  /** The answer, or the promise of one that is on its way. */
  get(group: string, question: string): Promise<T> | Answer<T> | undefined {
    const known = this.#groups.get(group)?.get(question);
    // What it has not found has no answer among them, which is one of this shelf.
    return known instanceof Batch ? known.reading.then((answers) => answers.get(question) as T) : known;
  }

  /** The answer where nobody has to wait for it. */
  atHand(group: string, question: string): Answer<T> | undefined {
    const known = this.#groups.get(group)?.get(question);
    return isThere(known) ? known : undefined;
  }

  put(group: string, question: string, value: T): void {
    this.#answersOf(group).set(question, { value });
  }

  /** Whoever asks the same meanwhile waits for the same answer. */
  await(group: string, question: string, answer: Promise<T>): void {
    const answers = this.#answersOf(group);
    answers.set(question, answer);
    answer.then(
      (value) => {
        // What was forgotten meanwhile stays so.
        if (answers.get(question) === answer) answers.set(question, { value });
      },
      // Whoever asks learns of it.
      () => {},
    );
  }

  /** The same of several questions that are read together. @param next What is done when the answers are there */
  awaitAll<R>(
    group: string,
    {
      questions,
      next,
    }: { readonly questions: readonly string[]; readonly next: (answers: ReadonlyMap<string, T>) => Soon<R> },
    reading: Promise<ReadonlyMap<string, T>>,
  ): Promise<R> {
    const answers = this.#answersOf(group);
    const batch = new Batch(reading);
    for (const question of questions) answers.set(question, batch);
    return reading.then((found) => {
      for (const question of questions)
        if (answers.get(question) === batch) answers.set(question, { value: found.get(question) as T });
      return next(found);
    });
  }

  /** What was read before, or what `read` gives now. */
  recall(group: string, question: string, read: () => Soon<T>): Soon<T> {
    const known = this.get(group, question);
    if (known instanceof Promise) return known;
    if (known !== undefined) return known.value;
    const answer = read();
    if (answer instanceof Promise) this.await(group, question, answer);
    else this.put(group, question, answer);
    return answer;
  }

  #answersOf(group: string): Map<string, Answer<T> | Promise<T> | Batch<T>> {
    const answers = this.#groups.get(group) ?? new Map<string, Answer<T> | Promise<T> | Batch<T>>();
    this.#groups.set(group, answers);
    return answers;
  }

  forget(group?: string, question?: string): void {
    if (group === undefined) this.#groups.clear();
    else if (question === undefined) this.#groups.delete(group);
    else this.#groups.get(group)?.delete(question);
  }
}

const isThere = <T>(known: Answer<T> | Promise<T> | Batch<T> | undefined): known is Answer<T> =>
  known !== undefined && !(known instanceof Promise) && !(known instanceof Batch);

export class ReadCache {
  /** What is guarded already, as group and id: it stays so until the transaction ends. */
  readonly guarded = new Set<string>();
  /** What is locked, as group and id. */
  readonly locked = new Set<string>();
  /** What others may not change until the transaction ends, though they may hold it as well. */
  readonly held = new Set<string>();
  /** Records without their lists, by id. */
  readonly records = new Shelf<Values | undefined>();
  readonly lists = new Shelf<readonly Values[]>();
  readonly ids = new Shelf<readonly string[]>();
  readonly existences = new Shelf<boolean>();
  /** What formulas know of all of this. */
  readonly facts = new StoredFacts();
  /** What asks of formulas have found, by where they look and what for. */
  readonly found = new Shelf<readonly Found[]>();
  /** Lists of records, by their keys and the record's id. */
  readonly inside = new Shelf<PlacedLists>();

  /** What is known of a record by its id. */
  forgetRecord(group: string, id: string): void {
    this.records.forget(group, id);
    this.facts.forgetRecord(group, id);
  }

  /** What is known of those that were looked for among the records of a group. */
  forgetFound(group: string): void {
    for (const shelf of [this.lists, this.ids, this.existences, this.found]) shelf.forget(group);
    this.facts.found.forget(group);
    this.facts.wholes.forget(group);
  }

  /** After a write to one record of a group, or to many; without a group, to any. A single record has the id '' too. */
  forget(group?: string, id?: string): void {
    for (const shelf of [this.lists, this.ids, this.existences, this.found, this.inside]) shelf.forget(group);
    this.facts.forget(group);
    for (const each of id === undefined ? [undefined] : [id, '']) this.records.forget(group, each);
  }
}
