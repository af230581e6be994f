// The clock of a workspace: looks each second whether its day is over, and has one process go from day to day until it has caught up.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { Days, type Refused } from '../engine/day/days.ts';
import { SteadyClock } from '../engine/day/steady-clock.ts';
import type { Engine } from '../engine/engine.ts';
import type { Groups } from '../engine/plan/groups.ts';
import type { WorkspaceSettings } from '../engine/transaction/workspace.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { allowDay, type DayState, takeLease } from '../storage/workspace-day.ts';
import { addDays, daysBetween, earlierDate } from '../values/date.ts';

/** How many days the workspace may be beyond the clock of the database server. A time zone may be a day ahead of it. */
const maxDaysAhead = 1;
/** How often a process looks at the day: a clock that was set is noticed within 5 seconds. */
const lookEveryMs = 1000;
/** A process that holds the lease and has not moved for so long has ended, by the clock of whoever waits for it. */
const leaseMs = 5000;

interface ClockParts {
  readonly groups: Groups;
  readonly unit: UnitOfWork;
  readonly engine: Pick<Engine, 'transact'>;
  readonly book: WorkspaceSettings;
  readonly logger: Logger | undefined;
}

/** How far the workspace's day is. */
export interface DayReport {
  /** The date that was reached; undefined before anybody has asked. */
  readonly reached: string | undefined;
  /** Days that are not over though they should be. */
  readonly behind: number;
  /** Days by which the clock of this process, or the stored day, is beyond the date that the workspace may reach. */
  readonly ahead: number;
  /** Effects, and records, that this process has left out of days because they were refused. */
  readonly refused: number;
}

export class Clock {
  readonly #parts: ClockParts;
  readonly #days: Days;
  readonly #name = randomUUID();
  readonly #steady = new SteadyClock();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isStopping = false;
  #state: DayState | undefined;
  #refused = 0;
  #isFailing = false;
  #isAheadReported = false;
  /** Who was seen with the lease, and since when it has not moved. */
  #seen = { holder: '', beat: -1, sinceMs: 0 };

  constructor(parts: ClockParts) {
    this.#parts = parts;
    const { groups, unit, engine } = parts;
    const onRefused = (refused: Refused): void => this.#tellRefused(refused);
    this.#days = new Days({ groups, unit, transact: (write) => engine.transact(write), onRefused });
  }

  /** A workspace that has no day yet begins with its own. */
  async begin(): Promise<void> {
    const state = await this.#read();
    if (state.day !== undefined) return;
    await this.#days.first(this.#latestDay(state));
    await this.#read();
  }

  /** Looks at the day from now on. */
  start(): void {
    this.#timer = setInterval(() => void this.look(), lookEveryMs);
    this.#timer.unref();
  }

  /** Ends after the portion that it is at; another process goes on. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#looking;
  }

  /** Lets the workspace reach a date, whatever the clocks say. */
  allow(date: string): Promise<void> {
    const { unit, groups } = this.#parts;
    return allowDay(unit.direct, date, groups.dialect);
  }

  get report(): DayReport {
    const state = this.#state;
    if (state === undefined) return { reached: undefined, behind: 0, ahead: 0, refused: this.#refused };
    const { day, isBusy } = state;
    const daysLeft = day === undefined ? 0 : Math.max(0, daysBetween(day, this.#goal(state)));
    return { reached: day, behind: daysLeft + Number(isBusy), ahead: this.#daysAhead(state), refused: this.#refused };
  }

  /** The latest date that the workspace may reach: one day beyond the reference clock, or further if an operator allowed it. */
  #latestDay({ serverMs, allowed = '' }: DayState): string {
    const clockLimit = addDays(this.#parts.book.dateAt(new Date(serverMs ?? this.#steady.nowMs())), maxDaysAhead);
    return earlierDate(allowed, clockLimit) === allowed ? clockLimit : allowed;
  }

  /** The date that the workspace is to reach. */
  #goal(state: DayState): string {
    return earlierDate(this.#parts.book.today(), this.#latestDay(state));
  }

  #daysAhead(state: DayState): number {
    const latest = this.#latestDay(state);
    return Math.max(0, ...[this.#parts.book.today(), state.day ?? latest].map((day) => daysBetween(latest, day)));
  }

  /** Looks at the day once, and goes on to that of the workspace where this process has the lease. What fails is tried again. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .then(
        () => this.#tellFailing(undefined),
        (error: unknown) => this.#tellFailing(error),
      )
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** Goes on to the day of the workspace, whoever else does: for a command that nobody serves beside. */
  async catchUp(): Promise<void> {
    await this.#read();
    await this.#goOn(async () => {});
  }

  async #look(): Promise<void> {
    const state = await this.#read();
    // A process that knows the present descriptors passes the days.
    if (this.#parts.unit.schema.isOutdated) return;
    if (!this.#isBehind(state) || !(await this.#takeLease(state))) return;
    const keep = async (): Promise<void> => {
      const seen = await this.#read();
      if (!(await this.#takeLease(seen))) throw new Error('another process has taken over');
    };
    try {
      await this.#goOn(keep);
    } finally {
      const { holder, beat } = await this.#days.state();
      if (holder === this.#name) await takeLease(this.#parts.unit.direct, { holder: '', seen: { holder, beat } });
    }
  }

  async #goOn(keep: () => Promise<void>): Promise<void> {
    for (let state = this.#state; state !== undefined && this.#isBehind(state); state = this.#state) {
      const { day, isBusy } = state;
      if (day === undefined) return;
      if (!isBusy) await this.#days.begin(day);
      else while (!this.#isStopping && (await this.#days.pass(day)) > 0) await keep();
      if (this.#isStopping) return;
      await this.#read();
    }
  }

  async #read(): Promise<DayState> {
    const state = await this.#days.state();
    this.#state = state;
    this.#reportAhead(state);
    return state;
  }

  /** Warns once, until the clocks agree again. */
  #reportAhead(state: DayState): void {
    const ahead = this.#daysAhead(state);
    if (ahead > 0 && !this.#isAheadReported)
      this.#parts.logger?.warn(
        { ahead, today: this.#parts.book.today(), latest: this.#latestDay(state), reached: state.day },
        'clock is ahead of the database server; correct it, or run "praxis day allow <date>"',
      );
    this.#isAheadReported = ahead > 0;
  }

  /** A day never goes back: if the workspace's own date is earlier, it waits. */
  #isBehind(state: DayState): boolean {
    return state.day !== undefined && (state.isBusy || state.day < this.#goal(state));
  }

  /** @returns whether this process passes days now */
  async #takeLease({ holder, beat }: DayState): Promise<boolean> {
    const now = performance.now();
    if (holder !== this.#seen.holder || beat !== this.#seen.beat) this.#seen = { holder, beat, sinceMs: now };
    const isFree = holder === '' || holder === this.#name || now - this.#seen.sinceMs >= leaseMs;
    return isFree && takeLease(this.#parts.unit.direct, { holder: this.#name, seen: { holder, beat } });
  }

  /** Once, until it goes on again: it is tried each second. */
  #tellFailing(error: unknown): void {
    if (error !== undefined && !this.#isFailing)
      this.#parts.logger?.warn({ err: error }, 'failed to advance the day; retrying each second');
    this.#isFailing = error !== undefined;
  }

  #tellRefused(refused: Refused): void {
    this.#refused += 1;
    this.#parts.logger?.warn(refused, 'effect of a day skipped because it was refused');
  }
}
