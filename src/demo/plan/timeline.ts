// Events in order of time. Areas add them; each week they are taken out and executed.
import type { Praxis } from '../../../codegen/generated/client.ts';
import { mondayOf } from './calendar.ts';
import { Planned } from './planned.ts';

/** Carried out at its time. It may run again with its transaction, so all that is left to chance is chosen before. */
export interface Event {
  readonly at: number;
  readonly act: (praxis: Praxis) => Promise<unknown>;
  /** The member who does it. */
  readonly by: Planned | undefined;
}

export class Timeline {
  readonly #weeks = new Map<string, Event[]>();

  add(at: number, act: Event['act'], by?: Planned): void {
    const week = mondayOf(new Date(at).toISOString().slice(0, 10));
    const events = this.#weeks.get(week) ?? [];
    this.#weeks.set(week, events);
    events.push({ at, act, by });
  }

  /** Plans a record that is made then, or looked up. */
  make(at: number, act: (praxis: Praxis) => Promise<{ readonly id: string }>, by?: Planned): Planned {
    const planned = new Planned();
    this.add(
      at,
      async (praxis) => {
        planned.id = (await act(praxis)).id;
      },
      by,
    );
    return planned;
  }

  /** Takes out the events of a week, in order; those of one time as they were put in. */
  take(monday: string): Event[] {
    const events = this.#weeks.get(monday) ?? [];
    this.#weeks.delete(monday);
    return events.sort((a, b) => a.at - b.at);
  }
}
