// Carries out requests: an intent in, an outcome out. Takes the shortest way that keeps every promise: a single statement where
// one does, else a transaction.

import type { RequestDeadline } from '../admission/deadline.ts';
import { problems } from '../problems.ts';
import type { BodyInput, Caller, Intent, Outcome, RequestKey, RequestOptions } from '../request/intent.ts';
import type { SummaryIntent } from '../request/long-reads/summary.ts';
import type { Watching } from '../rules/support/watching.ts';
import { claimKey, releaseKey, storeResponse } from '../storage/idempotency-keys.ts';
import type { Session } from '../storage/schema/session.ts';
import { ConstraintError, type UnitOfWork } from '../storage/unit-of-work.ts';
import type { Plan } from './batch-request.ts';
import { BulkWriter } from './bulk-write.ts';
import type { Change, RecordName } from './changes/change.ts';
import type { Eyes } from './explain/eyes.ts';
import { eyesOf } from './explain/eyes-of.ts';
import { type Asker, carryOutAll, type Done, type Ground } from './in-portions.ts';
import { type ChangeLog, type Origin, ownOrigin, type WriteLog } from './log/write-log.ts';
import { type Moment, momentOf, readingAlone } from './moment.ts';
import { Operations, onceDone } from './operations.ts';
import {
  createPlainly,
  isPlainUpdate,
  PlainWrites,
  plainWriteOf,
  updateGranted,
  updatePlainly,
} from './plain-writes.ts';
import type { Group, Groups } from './plan/groups.ts';
import { isSingleRow } from './plan/single-statement.ts';
import type { Sights } from './sight/caller-sight.ts';
import { checkReplay } from './sight/replays.ts';
import { summarise } from './summary/summary.ts';
import { switchFeature } from './switch-feature.ts';
import { TakenBack } from './taken-back.ts';
import { Attempt, UniqueKeys } from './transaction/constraints.ts';
import type { Scope } from './transaction/scope.ts';
import { type Stopped, tellStopped, tellTaken } from './transaction/stopped.ts';
import { zoneIn } from './transaction/workspace.ts';
import { carryOutUndo, type ReadUndone, type Undoing } from './undo.ts';
import type { VerifyContext } from './verify/verify.ts';
import { createRecord, perform } from './write/write.ts';

interface EngineOptions {
  readonly groups: Groups;
  readonly unit: UnitOfWork;
  /** The date in the workspace's time zone, as far as this process knows it; for what is read, never for what is kept. */
  readonly today: () => string;
  /** How many other records a write may change. */
  readonly recordsPerWrite?: number | undefined;
  /** How many records a summary may look at. */
  readonly summaryRows?: number | undefined;
  /** The log of changes, where it is switched on. */
  readonly log?: ChangeLog | undefined;
  /** Called after the workspace's settings have changed, before the answer. */
  readonly workspaceChanged: () => Promise<void>;
  /**
   * Told what a write has changed, within its transaction.
   * @returns what is to be done when it is committed, before the answer
   */
  readonly changing?: (session: Session, changes: readonly Change[]) => Promise<(() => Promise<void>) | undefined>;
}

/** How often a write is tried again when a record that it refers to comes or goes meanwhile. */
const lookAgain = 3;
const nothing: BodyInput = { values: {} };

type Asked = { readonly caller: Caller; readonly deadline: RequestDeadline | undefined };

/** What does not hang on the unit of work. */
interface Shared {
  readonly operations: Operations;
  readonly keys: UniqueKeys;
  readonly plain: PlainWrites;
}

/** Of one request: how it reaches the database, and who asks. */
interface For {
  readonly unit?: UnitOfWork | undefined;
  readonly origin?: Origin | undefined;
}

const storeOrRelease = (session: Session, key: RequestKey, outcome: Outcome): Promise<void> =>
  outcome.isUnwritten === true
    ? releaseKey(session, key)
    : storeResponse(session, key, { ...outcome, body: outcome.body?.toString() });

const sharedOf = (options: EngineOptions, operations = new Operations(options)): Shared => ({
  operations,
  keys: new UniqueKeys(options.groups.registry),
  plain: new PlainWrites(options.groups, operations.answers),
});

export class Engine {
  readonly #options: EngineOptions;
  readonly #shared: Shared;
  readonly #unit: UnitOfWork;
  readonly #groups: Groups;
  readonly #operations: Operations;
  /** The database as a session outside of any transaction: every statement stands for itself. */
  readonly #direct: Session;
  /** Who asks for what it writes. */
  readonly #origin: Origin;

  constructor(
    options: EngineOptions,
    shared: Shared = sharedOf(options),
    { unit = options.unit, origin = ownOrigin }: For = {},
  ) {
    this.#options = options;
    this.#origin = origin;
    this.#unit = unit;
    this.#shared = shared;
    this.#groups = options.groups;
    this.#operations = shared.operations;
    this.#direct = unit.direct;
  }

  /** The same engine on another unit of work: that of one request, which knows for whom it works. */
  on(unit: UnitOfWork, origin?: Origin): Engine {
    return new Engine(this.#options, this.#shared, { unit, origin });
  }

  /** What callers with rights see. */
  get sights(): Sights {
    return this.#operations.reads.sights;
  }

  /** Reads what a caller wants, on the unit of its request. @throws Problem (as a rejection, too) */
  read(unit: UnitOfWork, intent: Intent): Promise<Outcome> {
    return this.#operations.reads.read(unit.direct, intent);
  }

  /** Does what a caller wants, before whoever looks on. @throws Problem; KeyTaken, KeyRunning where its key was used before */
  execute(intent: Intent, watching?: Watching): Promise<Outcome> {
    const { endpoint, body = nothing, options = {} } = intent;
    const { resource, operation } = endpoint;
    if (resource.computed !== undefined || operation === 'list' || operation === 'get')
      return this.#operations.reads.read(this.#direct, intent);
    const group = this.#groups.get(resource.name);
    return this.#translate(intent, (attempt) => {
      const isWhole = options.key !== undefined || options.isTrial === true || watching !== undefined;
      if (!isWhole && this.#operations.isJudged(intent)) {
        const granted = this.#updateGranted(group, intent, attempt);
        return granted === undefined
          ? this.#inStages(intent, { attempt, watching })
          : granted.then((outcome) => outcome ?? this.#inStages(intent, { attempt, watching }));
      }
      if (!isWhole && this.#options.log?.isOf(resource.name) === true) {
        // What leaves an entry in the log is more than a statement.
        const plainly = plainWriteOf(this.#plainContext, group, intent);
        if (plainly !== undefined) return this.#inTransaction(attempt, plainly(attempt));
      } else if (!isWhole) {
        if (operation === 'create') {
          const plain = this.#shared.plain.create(group, intent, this.#direct.schemaRevision);
          if (plain !== undefined)
            return createPlainly(this.#plainContext, group, {
              ...{ plain, attempt, direct: this.#direct },
              createAgain: () => this.#createSingly(group, intent, attempt),
            });
          if (isSingleRow(group, body.values)) return this.#createSingly(group, intent, attempt);
        }
        if (operation === 'update' && isPlainUpdate(group, intent))
          return updatePlainly(this.#plainContext, group, { intent, attempt, direct: this.#direct });
      }
      return this.#inStages(intent, { attempt, watching });
    });
  }

  get #plainContext() {
    return { ...this.#shared, writer: this.#groups.writer };
  }

  /** A write as a transaction, with all stages. */
  #inStages(
    intent: Intent,
    { attempt, watching }: { readonly attempt: Attempt; readonly watching: Watching | undefined },
  ): Promise<Outcome> {
    return this.#transact(attempt, intent.options ?? {}, async (session, log) => {
      const stage = { session, ...(await this.#operations.open(session, intent)), attempt, log, watching };
      const { scope, outcome, done } = await this.#operations.write(stage, intent);
      await done;
      return { changes: scope.changes, outcome };
    });
  }

  /**
   * Several writes as one transaction: all of them or none. `work` may run several times.
   * @throws Problem of the first write that is refused; ConstraintError where a key refers to nothing.
   */
  async together<T>(work: (batch: BulkWriter) => Promise<T>): Promise<T> {
    const attempt = new Attempt();
    const { today, recordsPerWrite } = this.#options;
    const shared = { groups: this.#groups, today, recordsPerWrite, attempt };
    try {
      return await this.#logged(this.#origin, async (session, log) => {
        await attempt.locks.takeAgain(session, this.#groups);
        return work(new BulkWriter({ ...shared, session, log }));
      });
    } catch (error) {
      if (error instanceof ConstraintError) await this.#tellTaken(this.#direct, { fault: error.fault, attempt });
      throw error;
    }
  }

  /** A write of the service itself, as a transaction with all that hangs on what it changes. */
  transact<T>(write: (session: Session, attempt: Attempt, log?: WriteLog) => Promise<Done<T>>): Promise<T> {
    const attempt = new Attempt();
    return this.#inTransaction(attempt, (session, log) => write(session, attempt, log));
  }

  /**
   * Takes back what the caller of another write changed.
   * @param read Reads that write, within the transaction. @throws Problem
   */
  undo(undoing: Undoing, read: ReadUndone): Promise<Outcome> {
    const attempt = new Attempt();
    return carryOutUndo(undoing, read, {
      operations: this.#operations,
      attempt,
      transact: (write) => this.#transact(attempt, undoing.options, write),
      tellTaken: (fault) => this.#tellTaken(this.#direct, { fault, attempt }),
    });
  }

  /** What the records of a group come to, as one moment has them. @throws Problem */
  summarise(intent: SummaryIntent, { caller, deadline }: Asked): Promise<Outcome> {
    const groups = this.#groups;
    const viewer = this.#operations.reads.viewer(caller);
    return this.#options.unit.snapshot('summary', deadline, async (session) => {
      const { records } = this.#scope(readingAlone(session));
      const zone = async () => zoneIn(groups.registry.workspace, await records.workspace());
      const body = await summarise({ groups, session, zone, viewer, mostRows: this.#options.summaryRows }, intent);
      return { status: 200, body };
    });
  }

  /** Lets somebody write down records as one moment has them; an error of it ends the reading. @throws Problem */
  atMoment<T>(deadline: RequestDeadline | undefined, write: (moment: Moment) => Promise<T>): Promise<T> {
    const { unit, groups } = this.#options;
    return unit.snapshot('export', deadline, (session) => write(momentOf(this.#operations, groups, session)));
  }

  /**
   * Several operations of a caller: in one transaction, or, where each stands for itself and no key is to tell of them, in
   * portions. @throws Problem of the first that is refused, where all are; KeyTaken, KeyRunning where the key was used before
   */
  executeAll(plan: Plan, asker: Asker): Promise<Outcome> {
    const ground: Ground = {
      operations: this.#operations,
      direct: this.#direct,
      noteLongWay: this.#unit.tally.noteLongWay,
      transact: (attempt, options, write) => this.#transact(attempt, options, write),
      tellStopped: (session, intent, stopped) => this.#tellStopped(session, intent, stopped),
    };
    const { isMinimal } = asker.options;
    return carryOutAll(ground, plan, asker).then((outcome) => ({ ...outcome, isMinimal }));
  }

  #scope(session: Session, log?: WriteLog): Scope {
    return this.#operations.scope({ session, actingMember: null, log });
  }

  /** A create that is one statement by itself. */
  async #createSingly(group: Group, { body = nothing, caller, options }: Intent, attempt: Attempt): Promise<Outcome> {
    const session = this.#direct;
    for (let look = 1; look <= lookAgain; look++) {
      const actingMember = await this.#operations.actingMember(session, caller.memberId);
      const scope = this.#operations.scope({ session, actingMember, attempt });
      const values = await perform(scope, () => createRecord(scope, { group, input: body }));
      await scope.done();
      const known = this.#operations.answerOfNew(group, values, options?.isMinimal);
      const outcome =
        known ?? (await onceDone(() => this.#operations.reads.find(session, group, String(values['id']))));
      if (outcome !== undefined) return outcome;
      // Deleted before it was read, with what it belongs to: as if it had come after.
    }
    throw problems.overloaded();
  }

  /**
   * A write that is a transaction. What it has changed in the workspace's settings holds before it is answered.
   */
  async #transact(
    attempt: Attempt,
    options: RequestOptions,
    write: (session: Session, log: WriteLog | undefined) => Promise<Done<Outcome>>,
  ): Promise<Outcome> {
    const { key } = options;
    const isTrial = options.isTrial === true;
    return this.#inTransaction(attempt, async (session, log) => {
      if (key !== undefined && !isTrial) await claimKey(session, key);
      const done = await write(session, log);
      if (isTrial) throw new TakenBack(done.outcome);
      if (key !== undefined) await storeOrRelease(session, key, done.outcome);
      return done;
    }).catch((error: unknown) => {
      if (error instanceof TakenBack) return error.outcome as Outcome;
      throw error;
    });
  }

  /** A transaction with what it leaves in the log of changes; all locks of `work` are taken when it is done. */
  async #logged<T>(origin: Origin, work: (session: Session, log: WriteLog | undefined) => Promise<T>): Promise<T> {
    const { log: changeLog } = this.#options;
    if (changeLog === undefined) return this.#unit.transactRecords((session) => work(session, undefined));
    const { result, hasEntries } = await this.#unit.transactRecords(async (session) => {
      const log = changeLog.begin(origin);
      const done = await work(session, log);
      await log.keep(session);
      return { result: done, hasEntries: log.hasEntries };
    });
    if (hasEntries) changeLog.parts.committed();
    return result;
  }

  async #inTransaction<T>(
    attempt: Attempt,
    write: (session: Session, log: WriteLog | undefined) => Promise<Done<T>>,
  ): Promise<T> {
    const { changes, outcome, afterwards } = await this.#logged(this.#origin, async (session, log) => {
      await attempt.locks.takeAgain(session, this.#groups);
      const done = await write(session, log);
      return { ...done, afterwards: await this.#options.changing?.(session, done.changes) };
    });
    const { workspace } = this.#groups.registry;
    if (changes.some(({ group }) => group === workspace?.name)) await this.#options.workspaceChanged();
    await afterwards?.();
    return outcome;
  }

  /** @returns undefined, immediately or later, if the stages of a write must decide */
  #updateGranted(group: Group, intent: Intent, attempt: Attempt): Promise<Outcome | undefined> | undefined {
    const isLogged = this.#options.log?.isOf(group.resource.name) === true;
    return updateGranted(this.#plainContext, group, {
      ...{ intent, attempt, direct: this.#direct },
      transact: isLogged ? (run) => this.#inTransaction(attempt, run) : undefined,
    });
  }

  /** Collaborators of verifications. */
  get verifyContext(): VerifyContext {
    const createScope = (session: Session, log?: WriteLog): Scope => this.#scope(session, log);
    return { groups: this.#groups, direct: this.#direct, createScope, transact: this.#logged.bind(this) };
  }

  /** Lets somebody look at the records as they are kept. */
  inspect<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    return work(this.#scope(this.#direct));
  }

  /** The same of one record for a caller, with what the caller sees of it. @returns undefined where the caller gets no such record */
  async inspectAs<T>(
    caller: Caller,
    named: RecordName,
    work: (scope: Scope, eyes: Eyes | undefined) => Promise<T>,
  ): Promise<T | undefined> {
    const found = await eyesOf(this.#operations.reads, { caller, session: this.#direct, groups: this.#groups }, named);
    return found && this.inspect((scope) => work(scope, found.eyes));
  }

  /** Turns a feature of the workspace on or off, as the service itself. @returns false where no record holds its settings */
  switchFeature(name: string, isOn: boolean): Promise<boolean> {
    const { workspace } = this.#groups.registry;
    if (workspace?.features === undefined) return Promise.resolve(false);
    const group = this.#groups.get(workspace.name);
    const { features } = workspace;
    return this.#inTransaction(new Attempt(), (session, log) =>
      switchFeature(this.#scope(session, log), { group, features, name, isOn }),
    );
  }

  /** @throws Problem 403 where a kept answer is not to be told again to its caller */
  checkReplay(intent: Pick<Intent, 'caller' | 'endpoint'>, outcome: Outcome): Promise<void> {
    return checkReplay({ reads: this.#operations.reads, session: this.#direct, groups: this.#groups }, intent, outcome);
  }

  #tellTaken(session: Session, stopped: Stopped): Promise<void> {
    return tellTaken({ groups: this.#groups, keys: this.#shared.keys }, session, stopped);
  }

  #tellStopped(session: Session, intent: Intent, stopped: Stopped): Promise<void> {
    return tellStopped({ groups: this.#groups, keys: this.#shared.keys }, session, { intent, stopped });
  }

  #translate<T>(intent: Intent, work: (attempt: Attempt) => Promise<T>): Promise<T> {
    const attempt = new Attempt();
    const tellOrRepeat = async (error: unknown, looks: number): Promise<T> => {
      if (!(error instanceof ConstraintError)) throw error;
      await this.#tellStopped(this.#direct, intent, { fault: error.fault, attempt });
      // A record that was there when it was looked at and is gone now, or came while another was deleted: look again.
      if (error.fault.kind === 'unique' && intent.upsert === undefined) throw error;
      if (looks === lookAgain) throw problems.overloaded();
      return work(attempt).catch((next: unknown) => tellOrRepeat(next, looks + 1));
    };
    return work(attempt).catch((error: unknown) => tellOrRepeat(error, 1));
  }
}
