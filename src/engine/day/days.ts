// Passes days: each record that the begin of a day concerns is brought up to it, and what hangs on the day is done, once.
//
// A day begins in one transaction, which notes whom it concerns. Each of these is then taken out of what is noted and written in one
// transaction, so that a process may end anywhere, and several may work at once.

import { ReadFacts } from '../../facts/read-facts.ts';
import { Problem } from '../../problems.ts';
import type { Effect, Values } from '../../registry/model/model.ts';
import type { Session } from '../../storage/schema/session.ts';
import { ConstraintError, type UnitOfWork } from '../../storage/unit-of-work.ts';
import {
  beginDay,
  claimForDay,
  type DayState,
  endDay,
  keptDay,
  type LeftRecords,
  leaveForDay,
  leftOfDay,
  readDay,
} from '../../storage/workspace-day.ts';
import { addDays, earlierDate } from '../../values/date.ts';
import type { Change } from '../changes/change.ts';
import { copyOf } from '../changes/copy-values.ts';
import { Draft } from '../draft/draft.ts';
import { computeFigures } from '../figures/compute-figure.ts';
import type { WriteLog } from '../log/write-log.ts';
import type { Group, Groups } from '../plan/groups.ts';
import { effectOfDay } from '../rules/effects.ts';
import type { Attempt } from '../transaction/constraints.ts';
import { Scope } from '../transaction/scope.ts';
import { moveToDay } from '../upkeep/maintain.ts';
import { effectsOf, perform } from '../write/write.ts';
import { concernedBy } from './concerned-records.ts';

/** Records that are brought up to a day together, where nothing else hangs on it. */
const portionSize = 100;

/** What was left out of a day, and why. */
export interface Refused {
  readonly group: string;
  readonly id: string;
  readonly day: string;
  /** `make reminder`; undefined where the record itself could not be brought up to the day. */
  readonly effect: string | undefined;
  readonly reason: string;
}

/** What a transaction has changed, and what it comes to. */
interface Written<T> {
  readonly changes: readonly Change[];
  readonly outcome: T;
}

export interface DaysOptions {
  readonly groups: Groups;
  readonly unit: UnitOfWork;
  /** Runs a write as a transaction, and tells who must know what it has changed. */
  readonly transact: <T>(
    write: (session: Session, attempt: Attempt, log: WriteLog | undefined) => Promise<Written<T>>,
  ) => Promise<T>;
  readonly onRefused: (refused: Refused) => void;
}

export class Days {
  readonly #options: DaysOptions;

  constructor(options: DaysOptions) {
    this.#options = options;
  }

  /** How far days have been passed. */
  state(): Promise<DayState> {
    return readDay(this.#options.unit.direct, this.#options.groups.dialect);
  }

  /** Starts the days of a workspace that has none. @param latest Date that it does not exceed. @returns the stored day */
  first(latest: string): Promise<string> {
    const { dialect } = this.#options.groups;
    const dateNow = async (session: Session): Promise<string> => {
      return earlierDate(await this.#scope(session).today(), latest);
    };
    return this.#options.unit.transact((session) => keptDay(session, { dialect, dateNow: () => dateNow(session) }));
  }

  /**
   * Lets the day after one begin, and notes whom it concerns.
   * @returns false where that day has begun already, or the one before it is not over
   */
  begin(from: string): Promise<boolean> {
    const { groups, unit } = this.#options;
    const { dialect, registry } = groups;
    const day = addDays(from, 1);
    return unit.transactRecords(async (session) => {
      if (!(await beginDay(session, { from, to: day, dialect }))) return false;
      for (const resource of registry.resources.values())
        for await (const ids of concernedBy(session, { resource, day, dialect }))
          await leaveForDay(session, { group: resource.name, ids, day, dialect });
      return true;
    });
  }

  /** Brings some of the records that a day concerns up to it. @returns how many; 0 where the day is over */
  async pass(day: string): Promise<number> {
    const { groups, unit } = this.#options;
    const left = await leftOfDay(unit.direct, { day, most: portionSize, dialect: groups.dialect });
    if (left === undefined) {
      await endDay(unit.direct, day);
      return 0;
    }
    // The group may be gone since the day has begun.
    const group = groups.registry.resources.has(left.group) ? groups.get(left.group) : undefined;
    if (group === undefined || !(await this.#passTogether(group, left.ids, day)))
      for (const id of left.ids) await this.#passOne({ group: left.group, ids: [id] }, group, day);
    return left.ids.length;
  }

  #scope(
    session: Session,
    day?: string,
    { attempt, log }: { attempt?: Attempt; log?: WriteLog | undefined } = {},
  ): Scope {
    return new Scope({
      groups: this.#options.groups,
      session,
      actingMember: null,
      effectsOf,
      day,
      log,
      ...(attempt && { attempt }),
    });
  }

  /** @returns whether that was possible: not where more hangs on the day than figures and states */
  async #passTogether(group: Group, ids: readonly string[], day: string): Promise<boolean> {
    const { effects, name } = group.resource;
    if (effects.some(({ on }) => on.has('day') || on.has('becomes'))) return false;
    try {
      await this.#write(day, async (scope) => {
        const own: string[] = [];
        for (const id of ids) if (await this.#claim(scope.session, { group: name, ids: [id] }, day)) own.push(id);
        await moveToDay(scope, name, own);
      });
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  }

  /** Each effect that is refused is left out, and the others are tried again. */
  async #passOne(record: LeftRecords, group: Group | undefined, day: string): Promise<void> {
    const effects = (group?.resource.effects ?? []).filter(({ on }) => on.has('day'));
    const out = new Set<Effect>();
    let isMoved = group !== undefined;
    for (;;) {
      let tried: Effect | undefined;
      try {
        await this.#write(day, async (scope) => {
          tried = undefined;
          if (!(await this.#claim(scope.session, record, day)) || group === undefined || !isMoved) return;
          const wanted = effects.filter((effect) => !out.has(effect));
          await passRecord({ scope, group, id: record.ids[0] ?? '', day }, wanted, (effect) => {
            tried = effect;
          });
        });
        return;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (tried === undefined) isMoved = false;
        else out.add(tried);
        const effect = tried && wordsOf(tried);
        this.#options.onRefused({ group: record.group, id: record.ids[0] ?? '', day, effect, reason: reasonOf(error) });
      }
    }
  }

  #claim(session: Session, record: LeftRecords, day: string): Promise<boolean> {
    return claimForDay(session, { ...record, day, dialect: this.#options.groups.dialect });
  }

  #write(day: string, work: (scope: Scope) => Promise<void>): Promise<null> {
    return this.#options.transact(async (session, attempt, log) => {
      const scope = this.#scope(session, day, { attempt, log });
      await perform(scope, () => work(scope));
      await scope.done();
      return { changes: scope.changes, outcome: null };
    });
  }
}

interface Passing {
  readonly scope: Scope;
  readonly group: Group;
  readonly id: string;
  readonly day: string;
}

/** Brings a record up to a day, then does what hangs on that. Each effect sees what those before it have done. */
async function passRecord(
  { scope, group, id, day }: Passing,
  effects: readonly Effect[],
  onEffect: (effect: Effect) => void,
): Promise<void> {
  const { name } = group.resource;
  const [stored] = effects.length === 0 ? [] : await scope.records.lockedMany(name, [id]);
  const before = stored && (await asOnDayBefore({ scope, group, id, day }, stored));
  await moveToDay(scope, name, [id]);
  if (before === undefined) return;
  for (const effect of effects) {
    if (scope.isGone(name, id)) return;
    onEffect(effect);
    const values = copyOf({ ...stored, ...scope.wantedOf({ group: name, id })?.after });
    await effectOfDay(new Draft({ scope, group, operation: 'update', before, values, input: { values: {} } }), effect);
  }
}

/** A record as it was the day before: somebody may have written it since this day has begun, and so brought it up to it. */
async function asOnDayBefore({ scope, group, day }: Passing, stored: Readonly<Values>): Promise<Readonly<Values>> {
  const draft = new Draft({
    scope,
    group,
    operation: 'update',
    before: stored,
    values: copyOf(stored),
    input: { values: {} },
  });
  const yesterday = Promise.resolve(addDays(day, -1));
  const facts = new ReadFacts({ records: scope.records, today: () => yesterday });
  for (const figure of group.figures)
    if (group.moves.has(figure.inside[0] ?? figure.field.key) && figure.figure.taken === 'always')
      await computeFigures([draft], figure, facts);
  return draft.values;
}

const isRefusal = (error: unknown): error is Problem | ConstraintError =>
  error instanceof ConstraintError || (error instanceof Problem && error.status < 500);

const reasonOf = (error: Problem | ConstraintError): string =>
  error instanceof Problem ? (error.errors ?? [error.message]).join('; ') : error.message;

const wordsOf = (effect: Effect): string => `${effect.kind} ${effect.kind === 'make' ? effect.group : effect.source}`;
