// What all areas share: the time span, the random numbers, the events so far, and records by name.
import type { Praxis } from '../../../codegen/generated/client.ts';
import { unreachable } from '../../unreachable.ts';
import type { Span } from './calendar.ts';
import { timeAt } from './calendar.ts';
import { Planned } from './planned.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

/** What all these groups have in common. */
interface NamedLists {
  list(query: { limit: number }): Promise<{ results: readonly { id: string; name: string | null }[] }>;
}

export class Plan {
  readonly span: Span;
  readonly random: Random;
  readonly timeline: Timeline;
  /** Main currency of the workspace. */
  readonly currency: string;
  /** Whether its people hold the roles that say who may do what. */
  readonly hasRoles: boolean;
  readonly #named = new Map<string, Planned>();

  constructor(options: Pick<Plan, 'span' | 'random' | 'timeline' | 'currency' | 'hasRoles'>) {
    this.span = options.span;
    this.random = options.random;
    this.timeline = options.timeline;
    this.currency = options.currency;
    this.hasRoles = options.hasRoles;
  }

  /** When the firm sets its workspace up: before all that refers to it. */
  get opening(): number {
    return timeAt(this.span.first, [5]);
  }

  /** Whether a day is in the history. */
  covers(date: string): boolean {
    return date >= this.span.first && date <= this.span.last;
  }

  /** A moment of a day's office hours; in the opening, where the day is before the history. */
  during(date: string): number {
    return date < this.span.first
      ? timeAt(this.span.first, [6, this.random.between(0, 59), this.random.between(0, 59)])
      : timeAt(date, [this.random.between(7, 15), this.random.between(0, 59), this.random.between(0, 59)]);
  }

  /** Plans a record of the opening that others find by its name. */
  open<Name extends string>(
    group: keyof Praxis,
    name: Name,
    act: (praxis: Praxis, name: Name) => Promise<{ readonly id: string }>,
  ): Planned {
    const planned = this.timeline.make(this.opening, (praxis) => act(praxis, name));
    this.#named.set(`${group}/${name}`, planned);
    return planned;
  }

  /** Records that set-up has made, by name. */
  known(group: SetUp, ...names: readonly string[]): void {
    const planned = new Map(names.map((name) => [name, new Planned()]));
    for (const [name, record] of planned) this.#named.set(`${group}/${name}`, record);
    this.timeline.add(this.opening, async (praxis) => {
      const setUp: NamedLists = praxis[group];
      const { results } = await setUp.list({ limit: 100 });
      for (const [name, record] of planned) record.id = theOne(results, (found) => found.name === name).id;
    });
  }

  /** @throws Error for a name that is not planned. */
  the(group: keyof Praxis, name: string): Planned {
    const planned = this.#named.get(`${group}/${name}`);
    if (planned === undefined) unreachable(`the plan has no ${group} "${name}"`);
    return planned;
  }

  id(group: keyof Praxis, name: string): string {
    return this.the(group, name).id;
  }
}

/** Groups of which set-up makes records that have a name. */
type SetUp =
  | 'companyTypes'
  | 'expenseCategories'
  | 'holidaySchedules'
  | 'holidays'
  | 'invoiceItems'
  | 'opportunityLeadSources'
  | 'opportunityStages'
  | 'opportunityTypes'
  | 'paymentMethods'
  | 'paymentTerms'
  | 'pipelineActivityTypes'
  | 'securityRoles'
  | 'taskCategories'
  | 'timeOffTypes'
  | 'workspaceRoles';

/** @throws Error when there is none. */
export function theOne<T>(records: readonly T[], isIt: (record: T) => boolean = () => true): T {
  const found = records.find(isIt);
  if (found === undefined) throw new Error('a record that must be there is not');
  return found;
}

/** Amounts of money, in whole cents. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100;
