// What a run has found, by kinds: the first of each kind whole, the others counted.

export interface Finding {
  /** What those that are alike have in common. */
  readonly kind: string;
  /** The whole of it, for people. */
  readonly details: () => string | Promise<string>;
}

export class Findings {
  readonly #counts = new Map<string, number>();
  readonly #onFirst: (kind: string, details: string) => void;

  /** @param onFirst Told of the first finding of each kind. */
  constructor(onFirst: (kind: string, details: string) => void) {
    this.#onFirst = onFirst;
  }

  async add({ kind, details }: Finding): Promise<void> {
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, count + 1);
    if (count === 0) this.#onFirst(kind, await details());
  }

  /** Kinds with how often each was found, most often first. */
  get counts(): readonly (readonly [kind: string, count: number])[] {
    return [...this.#counts].toSorted(([, one], [, other]) => other - one);
  }
}
