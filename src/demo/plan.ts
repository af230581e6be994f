// What all areas of the plan share: the span, chance, the events so far, and the records that others refer to by name.
import type { Span } from './calendar.ts';
import { timeAt } from './calendar.ts';
import type { Random } from './random.ts';
import type { Body, Planned } from './records.ts';
import type { Timeline } from './timeline.ts';

export class Plan {
  readonly span: Span;
  readonly random: Random;
  readonly timeline: Timeline;
  /** Main currency of the workspace. */
  readonly currency: string;
  readonly #named = new Map<string, Planned>();

  constructor(options: Pick<Plan, 'span' | 'random' | 'timeline' | 'currency'>) {
    this.span = options.span;
    this.random = options.random;
    this.timeline = options.timeline;
    this.currency = options.currency;
  }

  /** When the firm sets its workspace up: before all that refers to it. */
  get opening(): number {
    return timeAt(this.span.first, 5);
  }

  /** Whether a day is in the history. */
  covers(date: string): boolean {
    return date >= this.span.first && date <= this.span.last;
  }

  /** A moment of a day's office hours; in the opening, where the day is before the history. */
  during(date: string): number {
    return date < this.span.first
      ? timeAt(this.span.first, 6, this.random.between(0, 59), this.random.between(0, 59))
      : timeAt(date, this.random.between(7, 15), this.random.between(0, 59), this.random.between(0, 59));
  }

  /** Plans a record of the opening that others find by its name. */
  open(group: string, name: string, body: Body | (() => Body) = {}): Planned {
    const planned = this.timeline.make(this.opening, group, () => ({
      name,
      ...(typeof body === 'function' ? body() : body),
    }));
    this.#named.set(`${group}/${name}`, planned);
    return planned;
  }

  /** Records that set-up has made, by name. */
  known(group: string, ...names: readonly string[]): void {
    for (const name of names)
      this.#named.set(
        `${group}/${name}`,
        this.timeline.find(this.opening, group, () => ({ name })),
      );
  }

  /** A record that set-up has made, and what it is called here. */
  knownAs(group: string, name: string, where: Readonly<Record<string, string>>): void {
    this.#named.set(
      `${group}/${name}`,
      this.timeline.find(this.opening, group, () => where),
    );
  }

  /** @throws Error for a name that is not planned. */
  the(group: string, name: string): Planned {
    const planned = this.#named.get(`${group}/${name}`);
    if (planned === undefined) throw new Error(`the plan has no ${group} "${name}"`);
    return planned;
  }

  id(group: string, name: string): string {
    return this.the(group, name).id;
  }
}

/** Amounts of money, in whole cents. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100;
