// How many other records one write may change: those that go along or are let go of, and those whose figures look at what
// it changes. It is told before they are touched.
import { type Problem, problems } from '../problems.ts';
import type { Resource } from '../registry/model.ts';
import { pluralTitle } from '../registry/naming.ts';

const usually = 100_000;

/** They go along or are let go of, or what is kept of them is computed again. */
type Why = 'along' | 'kept';
type Done = 'created' | 'changed' | 'deleted';

export class WriteBound {
  readonly #most: number;
  /** Those that go along or are let go of, and those whose figures are computed again. */
  readonly #taken = { along: 0, kept: 0 };
  /** What the caller writes. */
  #subject: { readonly title: string; readonly done: Done } | undefined;

  constructor(most: number = usually) {
    this.#most = most;
  }

  /** Of a write and what follows from it, the first says what the caller writes. */
  begin({ title }: Pick<Resource, 'title'>, done: Done): void {
    this.#subject ??= { title, done };
  }

  /** How many more there may be. */
  left(why: Why): number {
    return this.#most - this.#taken[why];
  }

  /** @throws Problem where there cannot be so many more of a group */
  check(why: Why, resource: Pick<Resource, 'title' | 'path'>, count: number): void {
    if (count > this.left(why)) throw this.#tooMany(resource);
  }

  /** Counts so many. @throws Problem where they are too many */
  take(why: Why, resource: Pick<Resource, 'title' | 'path'>, count: number): void {
    this.check(why, resource, count);
    this.#taken[why] += count;
  }

  #tooMany({ title, path }: Pick<Resource, 'title' | 'path'>): Problem {
    const subject = this.#subject ?? { title, done: 'changed' };
    return problems.tooMany(subject.title, pluralTitle(path), subject.done);
  }
}
