// The limit of how many other records one write may change: by cascades, by cleared references, by maintenance of figures.
import { type Problem, problems } from '../../problems.ts';
import type { Resource } from '../../registry/model/model.ts';
import { pluralTitle } from '../../registry/model/naming.ts';

const usually = 100_000;

/** They go along or are let go of, or what is kept of them is computed again. */
type Why = 'along' | 'kept';
type Done = 'created' | 'changed' | 'deleted';
type Counted = Readonly<Record<Why, Map<string, Set<string>>>>;

const none = (): Counted => ({ along: new Map(), kept: new Map() });

export class WriteBound {
  readonly #most: number;
  /** Ids of those that are counted, by group. */
  readonly #counted: Counted;
  /** What the caller writes. */
  #subject: { readonly title: string; readonly done: Done } | undefined;

  constructor(most: number = usually, counted: Counted = none()) {
    this.#most = most;
    this.#counted = counted;
  }

  /** Of a write and what follows from it, the first says what the caller writes. */
  begin({ title }: Pick<Resource, 'title'>, done: Done): void {
    this.#subject ??= { title, done };
  }

  /** How many are looked for: where so many are found, they are too many. */
  get limit(): number {
    return this.#most + 1;
  }

  /** @throws Problem where there cannot be so many of a group */
  check(resource: Pick<Resource, 'title' | 'path'>, count: number): void {
    if (count > this.#most) throw this.#tooMany(resource);
  }

  /** Counts records of a group, each once. @throws Problem where they are too many */
  take(why: Why, resource: Pick<Resource, 'name' | 'title' | 'path'>, ids: Iterable<string>): void {
    const counted = this.#counted[why];
    const known = counted.get(resource.name) ?? new Set();
    counted.set(resource.name, known);
    for (const id of ids) known.add(id);
    let count = 0;
    for (const each of counted.values()) count += each.size;
    this.check(resource, count);
  }

  /** The same, to see what would be too much: what it counts is not counted here. */
  fork(): WriteBound {
    const copy = (counted: ReadonlyMap<string, ReadonlySet<string>>) =>
      new Map([...counted].map(([name, ids]) => [name, new Set(ids)]));
    const fork = new WriteBound(this.#most, { along: copy(this.#counted.along), kept: copy(this.#counted.kept) });
    fork.#subject = this.#subject;
    return fork;
  }

  #tooMany({ title, path }: Pick<Resource, 'title' | 'path'>): Problem {
    const subject = this.#subject ?? { title, done: 'changed' };
    return problems.tooMany(subject.title, pluralTitle(path), subject.done);
  }
}
