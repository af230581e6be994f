// The clock of a workspace: looks each second whether its day is over, and has one process go from day to day until it has caught up.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { Days, type Refused } from '../engine/day/days.ts';
import type { Engine } from '../engine/engine.ts';
import type { Groups } from '../engine/plan/groups.ts';
import type { WorkspaceSettings } from '../engine/transaction/workspace.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { type DayState, takeLease } from '../storage/workspace-day.ts';
import { daysBetween } from '../values/date.ts';

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

/** What is told of the day. */
export interface DaySight {
  /** The date that was reached; undefined before anybody has asked. */
  readonly reached: string | undefined;
  /** Days that are not over though they should be. */
  readonly behind: number;
  /** Effects, and records, that this process has left out of days because they were refused. */
  readonly refused: number;
}

export class Clock {
  readonly #parts: ClockParts;
  readonly #days: Days;
  readonly #name = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isStopping = false;
  #state: DayState | undefined;
  #refused = 0;
  #isFailing = false;
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
    if ((await this.#read()).day !== undefined) return;
    await this.#days.first();
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

  get sight(): DaySight {
    const { day, isBusy = false } = this.#state ?? {};
    const ahead = day === undefined ? 0 : daysBetween(day, this.#parts.book.today());
    return { reached: day, behind: Math.max(0, ahead) + Number(isBusy), refused: this.#refused };
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
    return state;
  }

  /** A day never goes back: where the workspace's own is an earlier one, it waits. */
  #isBehind({ day, isBusy }: DayState): boolean {
    return day !== undefined && (isBusy || day < this.#parts.book.today());
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
      this.#parts.logger?.warn({ err: error }, 'the day cannot be passed now; tried again each second');
    this.#isFailing = error !== undefined;
  }

  #tellRefused(refused: Refused): void {
    this.#refused += 1;
    this.#parts.logger?.warn(refused, 'left out of the day, because it was refused');
  }
}
