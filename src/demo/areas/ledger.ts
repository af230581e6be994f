// Unbilled work and expenses: billing takes them out, month by month.

import type { InvoiceLinesItemSourcesItemTypeId } from '../../../codegen/generated/client.ts';
import { cents } from '../plan/plan.ts';
import type { Planned } from '../plan/planned.ts';
import type { Staff } from './people.ts';
import type { Task } from './project-team.ts';
import type { Job } from './projects.ts';

/** A record that a line bills. */
export interface Source {
  readonly typeId: InvoiceLinesItemSourcesItemTypeId;
  readonly record: Planned;
}

export interface Worked {
  readonly record: Planned;
  readonly job: Job;
  readonly date: string;
  readonly minutes: number;
  readonly rate: number;
  /** Role, or name of the member. */
  readonly what: string;
}

/** An amount that is to be billed as it stands. */
export interface Charge {
  readonly source: Source;
  readonly job: Job;
  readonly date: string;
  readonly description: string;
  readonly amount: number;
  readonly invoiceItem: 'Service' | 'Expense' | 'Product' | 'Prepayment' | 'Other';
}

export class Ledger {
  readonly #worked = new Map<Job, Worked[]>();
  readonly #charges = new Map<Job, Charge[]>();
  readonly #advances = new Map<Job, { readonly record: Planned; left: number }>();
  readonly #counts = new Map<string, number>();
  readonly #minutes = new Map<Task, Map<Staff, number>>();

  /** Counts, from 1: what becomes of a thing goes by its place, so that each fate comes up in every firm. */
  place(thing: 'advance' | 'invoice' | 'journey' | 'open journey' | 'timesheet'): number {
    const place = (this.#counts.get(thing) ?? 0) + 1;
    this.#counts.set(thing, place);
    return place;
  }

  /** Whether the caps of a task leave room for more minutes of somebody. */
  hasRoom(task: Task, staff: Staff, minutes: number): boolean {
    const { most, assigned } = task;
    const booked = this.#minutes.get(task) ?? new Map<Staff, number>();
    const total = [...booked.values()].reduce((sum, each) => sum + each, minutes);
    if (most !== undefined && total > most * 60) return false;
    return assigned?.staff !== staff || (booked.get(staff) ?? 0) + minutes <= assigned.most * 60;
  }

  /** Counts minutes that somebody writes on a task. */
  book(task: Task, staff: Staff, minutes: number): void {
    const booked = this.#minutes.get(task) ?? new Map<Staff, number>();
    this.#minutes.set(task, booked.set(staff, (booked.get(staff) ?? 0) + minutes));
  }

  work(worked: Worked): void {
    put(this.#worked, worked);
  }

  charge(charge: Charge): void {
    put(this.#charges, charge);
  }

  /** An advance is billed: later bills of the job may use it up. */
  advance(job: Job, record: Planned, amount: number): void {
    this.#advances.set(job, { record, left: amount });
  }

  /** Takes from a job's advance what is left of it, at most so much. */
  useAdvance(job: Job, most: number): { readonly record: Planned; readonly amount: number } | undefined {
    const advance = this.#advances.get(job);
    const amount = cents(Math.min(advance?.left ?? 0, most));
    if (advance === undefined || amount <= 0) return undefined;
    advance.left = cents(advance.left - amount);
    return { record: advance.record, amount };
  }

  /** Takes out what was worked on a job up to a day. */
  takeWork(job: Job, last: string): Worked[] {
    return take(this.#worked, job, last);
  }

  takeCharges(job: Job, last: string): Charge[] {
    return take(this.#charges, job, last);
  }
}

interface Dated {
  readonly job: Job;
  readonly date: string;
}

function put<T extends Dated>(lists: Map<Job, T[]>, item: T): void {
  const list = lists.get(item.job);
  if (list === undefined) lists.set(item.job, [item]);
  else list.push(item);
}

function take<T extends Dated>(lists: Map<Job, T[]>, job: Job, last: string): T[] {
  const list = lists.get(job) ?? [];
  lists.set(
    job,
    list.filter(({ date }) => date > last),
  );
  return list.filter(({ date }) => date <= last);
}
