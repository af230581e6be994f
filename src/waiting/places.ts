// So many at once and no more, and a line before them.
import { Line, type Queue, type Waiting } from './line.ts';
import type { Patience } from './patience.ts';

interface Entrant extends Waiting {
  begin(): void;
}

export class Places {
  readonly count: number;
  readonly #line = new Line<Entrant>();
  #free: number;

  constructor(count: number) {
    this.count = count;
    this.#free = count;
  }

  /** How many are taken. */
  get taken(): number {
    return this.count - this.#free;
  }

  get queue(): Queue {
    return this.#line;
  }

  /**
   * @returns undefined where there is a free one, which is taken at once; else a promise of the moment.
   * @throws Problem "overloaded", CallerGone, or what `refuseAll` is given (as rejections)
   */
  take(patience?: Patience): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => this.#line.join({ patience, begin: resolve, refuse: reject }));
  }

  /** Gives back what was taken: to the next in line, if there is one. */
  give(): void {
    const next = this.#line.next();
    if (next === undefined) this.#free += 1;
    else next.begin();
  }

  refuseAll(reason: () => Error): void {
    this.#line.refuseAll(reason);
  }
}
