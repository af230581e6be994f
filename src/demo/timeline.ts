// What happens, in the order of time. Areas put events in; each week they are taken out, and carried out.

import { mondayOf } from './calendar.ts';
import { type Body, Planned, type Records } from './records.ts';

/** Carried out at its time. It may run again with its transaction, so all that is left to chance is chosen before. */
export interface Event {
  readonly at: number;
  readonly act: (records: Records) => Promise<void>;
}

/** A body that may name records which are made by then. */
type LateBody = Body | (() => Body);
const bodyOf = (body: LateBody): Body => (typeof body === 'function' ? body() : body);

export class Timeline {
  readonly #weeks = new Map<string, Event[]>();

  add(at: number, act: Event['act']): void {
    const week = mondayOf(new Date(at).toISOString().slice(0, 10));
    const events = this.#weeks.get(week) ?? [];
    this.#weeks.set(week, events);
    events.push({ at, act });
  }

  /** Plans a record. */
  make(at: number, group: string, body: LateBody, by?: Planned): Planned {
    const planned = new Planned();
    this.add(at, async (records) => {
      planned.id = (await records.make(group, bodyOf(body), by?.id)).id;
    });
    return planned;
  }

  change(at: number, group: string, record: Planned, body: LateBody, by?: Planned): void {
    this.add(at, (records) => records.change(group, record.id, bodyOf(body), by?.id));
  }

  /** Plans to look up a record that is made by another one. */
  find(at: number, group: string, where: () => Readonly<Record<string, string>>): Planned {
    const planned = new Planned();
    this.add(at, async (records) => {
      planned.id = (await records.find(group, where())).id;
    });
    return planned;
  }

  /** Takes out the events of a week, in order; those of one time as they were put in. */
  take(monday: string): Event[] {
    const events = this.#weeks.get(monday) ?? [];
    this.#weeks.delete(monday);
    return events.sort((a, b) => a.at - b.at);
  }
}
