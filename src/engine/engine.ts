// Carries out requests: an intent in, an outcome out. Takes the shortest way that keeps every promise: a single statement where
// one does, else a transaction.

import type { RequestDeadline } from '../admission/deadline.ts';
import { textsOf } from '../facts/record-values.ts';
import { problems } from '../problems.ts';
import type { BodyInput, Intent, Outcome, RequestOptions } from '../request/intent.ts';
import type { SummaryIntent } from '../request/long-reads/summary.ts';
import { claimKey, storeResponse } from '../storage/idempotency-keys.ts';
import type { Session } from '../storage/schema/session.ts';
import { ConstraintError, type UnitOfWork } from '../storage/unit-of-work.ts';
import type { Plan } from './batch-request.ts';
import { BulkWriter } from './bulk-write.ts';
import type { Change } from './changes/change.ts';
import { type Asker, carryOutAll, type Done, type Ground, type Stopped } from './in-portions.ts';
import { type ChangeLog, type Origin, ownOrigin, type WriteLog } from './log/write-log.ts';
import { type Moment, momentOf, readingAlone } from './moment.ts';
import { Operations, onceDone } from './operations.ts';
import { isPlainUpdate, type PlainCreate, PlainWrites } from './plain-writes.ts';
import type { Group, Groups } from './plan/groups.ts';
import { isSingleRow } from './plan/single-statement.ts';
import { summarise } from './summary/summary.ts';
import { TakenBack } from './taken-back.ts';
import { Attempt, UniqueKeys } from './transaction/constraints.ts';
import { referenceFaults } from './transaction/references.ts';
import type { Scope } from './transaction/scope.ts';
import { zoneIn } from './transaction/workspace.ts';
import { carryOutUndo, type ReadUndone, type Undoing } from './undo.ts';
import { type Difference, type Logged, verifyGroup } from './verify.ts';
import { createRecord, perform, updateRecord } from './write/write.ts';

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

  /** Does what a caller wants. @throws Problem; KeyTaken, KeyRunning where its key was used before */
  execute(intent: Intent): Promise<Outcome> {
    const { endpoint, body = nothing, options = {} } = intent;
    const { resource, operation } = endpoint;
    if (resource.computed !== undefined || operation === 'list' || operation === 'get')
      return this.#operations.read(this.#direct, intent);
    const group = this.#groups.get(resource.name);
    return this.#translate(intent, (attempt) => {
      // What leaves an entry in the log is more than a statement.
      if (options.key === undefined && options.isTrial !== true && this.#options.log?.isOf(resource.name) !== true) {
        if (operation === 'create') {
          const plain = this.#shared.plain.create(group, intent);
          if (plain !== undefined) return this.#createPlainly(group, plain, { intent, attempt });
          if (isSingleRow(group, body.values)) return this.#createSingly(group, intent, attempt);
        }
        if (operation === 'update' && isPlainUpdate(group, intent)) return this.#updatePlainly(group, intent, attempt);
      }
      return this.#transact(attempt, options, async (session, log) => {
        const actingMember = await this.#operations.actingMember(session, intent.caller.memberId);
        const stage = { session, actingMember, attempt, log };
        const { scope, outcome, done } = await this.#operations.write(stage, intent);
        await done;
        return { changes: scope.changes, outcome };
      });
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
        await this.#takeAgain(session, attempt);
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
  summarise(intent: SummaryIntent, deadline: RequestDeadline | undefined): Promise<Outcome> {
    const groups = this.#groups;
    return this.#options.unit.snapshot('summary', deadline, async (session) => {
      const { records } = this.#scope(readingAlone(session));
      const zone = async () => zoneIn(groups.registry.workspace, await records.workspace());
      const body = await summarise({ groups, session, zone, mostRows: this.#options.summaryRows }, intent);
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
    return carryOutAll(ground, plan, asker);
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
      const outcome = known ?? (await onceDone(() => this.#operations.find(session, group, String(values['id']))));
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
      if (key !== undefined)
        await storeResponse(session, key, { ...done.outcome, body: done.outcome.body?.toString() });
      return done;
    }).catch((error: unknown) => {
      if (error instanceof TakenBack) return error.outcome as Outcome;
      throw error;
    });
  }

  /** A transaction with what it leaves in the log of changes; all locks of `work` are taken when it is done. */
  async #logged<T>(origin: Origin, work: (session: Session, log: WriteLog | undefined) => Promise<T>): Promise<T> {
    const { log: changeLog } = this.#options;
    if (changeLog === undefined) return this.#unit.transact((session) => work(session, undefined));
    const { result, hasEntries } = await this.#unit.transact(async (session) => {
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
      await this.#takeAgain(session, attempt);
      const done = await write(session, log);
      return { ...done, afterwards: await this.#options.changing?.(session, done.changes) };
    });
    const { workspace } = this.#groups.registry;
    if (changes.some(({ group }) => group === workspace?.name)) await this.#options.workspaceChanged();
    await afterwards?.();
    return outcome;
  }

  #takeAgain(session: Session, { locks }: Attempt): Promise<void> {
    return locks.takeAgain(session, this.#groups);
  }

  /** A create that nothing but its body decides on: one statement, with the reading of the answer where that shows other records. */
  async #createPlainly(
    group: Group,
    { change, statement, outcome }: PlainCreate,
    { intent, attempt }: { readonly intent: Intent; readonly attempt: Attempt },
  ): Promise<Outcome> {
    try {
      if (outcome !== undefined) {
        await this.#direct.run(statement.sql, statement.values);
        return outcome;
      }
      const { shown } = await this.#operations.writeAndRead(this.#direct, { group, id: change.id, write: statement });
      if (shown !== undefined) return shown;
    } catch (error) {
      attempt.noteStopped(change);
      throw error;
    }
    // Deleted before it was read, with what it belongs to: as if it had come after.
    return this.#createSingly(group, intent, attempt);
  }

  /** One statement and the reading of the answer, together; of an empty body, the reading alone. */
  async #updatePlainly(group: Group, intent: Intent, attempt: Attempt): Promise<Outcome> {
    const { id, idAsSent, body = nothing } = intent;
    const keys = Object.keys(body.values).sort();
    const read = () => this.#operations.get(this.#direct, group, { id, idAsSent });
    if (keys.length === 0) return read();
    const { change, statement } = this.#shared.plain.update(group, intent, keys);
    if (statement === undefined) return read();
    try {
      // Nothing was written where there is no such record, or one that is so already: the reading tells.
      const { shown } = await this.#operations.writeAndRead(this.#direct, { group, id, write: statement });
      if (shown !== undefined) return shown;
    } catch (error) {
      attempt.noteStopped(change);
      throw error;
    }
    throw problems.recordUnknown(idAsSent);
  }

  /**
   * Computes from scratch what is always true of a group's records, in bounded memory.
   * @param repair Whether to put right what is not.
   * @param onRecords Told after each page how many records it had.
   */
  verify(name: string, repair: boolean, onRecords?: (count: number) => void): AsyncGenerator<Difference> {
    const scope = (session: Session, log?: WriteLog) => this.#scope(session, log);
    const logged: Logged = (origin, work) => this.#logged(origin, work);
    return verifyGroup({ group: this.#groups.get(name), direct: this.#direct, scope, logged }, repair, onRecords);
  }

  /** Lets somebody look at the records as they are kept. */
  inspect<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    return work(this.#scope(this.#direct));
  }

  /**
   * Turns a feature of the workspace on or off, as the service itself: read and written in one transaction, so that no
   * other change of the features is lost. @returns false where no record holds the workspace's settings.
   */
  async switchFeature(name: string, isOn: boolean): Promise<boolean> {
    const { workspace } = this.#groups.registry;
    const { features } = workspace ?? {};
    if (workspace === undefined || features === undefined) return false;
    const group = this.#groups.get(workspace.name);
    return this.#inTransaction(new Attempt(), async (session, log) => {
      const settings = await group.rows.find(session, '', { lock: 'own' });
      const others = textsOf(settings ?? {}, features).filter((feature) => feature !== name);
      const scope = this.#scope(session, log);
      const body: BodyInput = { values: { [features]: isOn ? [...others, name] : others } };
      await perform(scope, () => updateRecord(scope, { group, id: '', input: body }));
      await scope.done();
      return { changes: scope.changes, outcome: true };
    });
  }

  /** @throws Problem 409 where a unique key has stopped a write. */
  async #tellTaken(session: Session, { fault, attempt }: Stopped): Promise<void> {
    const named = this.#shared.keys.find(fault);
    if (named === undefined) return;
    const { resource, word } = await attempt.firstTaken(session, named, this.#groups);
    throw problems.keyTaken(resource.title, word);
  }

  /** Says in the caller's words what a key of the database has stopped. @throws Problem, unless it has become possible since */
  async #tellStopped(session: Session, intent: Intent, stopped: Stopped): Promise<void> {
    const { endpoint, upsert, body = upsert?.forCreate() ?? nothing } = intent;
    if (upsert !== undefined && stopped.attempt.hasStoppedCreation && (await this.#isThere(session, intent))) return;
    // 400 before 409: a key may be taken while a reference leads nowhere.
    const faults = await referenceFaults({
      existing: (name, ids) => this.#groups.get(name).rows.existing(session, ids),
      titleOf: (name) => this.#groups.get(name).resource.title,
      resource: endpoint.resource,
      values: body.values,
      isChosen: (key) => Object.hasOwn(body.values, key),
    });
    if (faults.length > 0)
      throw problems.bodyInvalid(faults.map(({ place, title }) => `'${place}' does not refer to an existing ${title}`));
    await this.#tellTaken(session, stopped);
  }

  /** Whether somebody else has made the record meanwhile that a write by a key was to make: then it is changed. */
  async #isThere(session: Session, { endpoint, upsert }: Intent): Promise<boolean> {
    const { rows } = this.#groups.get(endpoint.resource.name);
    return upsert !== undefined && rows.exists(session, upsert.where);
  }

  async #translate<T>(intent: Intent, work: (attempt: Attempt) => Promise<T>): Promise<T> {
    const attempt = new Attempt();
    for (let look = 1; ; look++) {
      try {
        return await work(attempt);
      } catch (error) {
        if (!(error instanceof ConstraintError)) throw error;
        await this.#tellStopped(this.#direct, intent, { fault: error.fault, attempt });
        // A record that was there when it was looked at and is gone now, or came while another was deleted: look again.
        if (error.fault.kind === 'unique' && intent.upsert === undefined) throw error;
        if (look === lookAgain) throw problems.overloaded();
      }
    }
  }
}
