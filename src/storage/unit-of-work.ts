// The unit of work: the one place that runs statements for requests, and that knows the three outcomes of a write: done,
// not done, unknown.

import { setTimeout as delay } from 'node:timers/promises';
import { type RequestDeadline, type Timings, waitFor } from '../admission/deadline.ts';
import { SharedExclusiveLock } from '../admission/exclusive-lock.ts';
import { Semaphore } from '../admission/semaphore.ts';
import { UnitTally } from '../metrics/units-of-work.ts';
import { Problem, problems } from '../problems.ts';
import { faultOf } from './errors.ts';
import { SchemaRevision } from './rows/schema-revision.ts';
import type { Bound, Row } from './schema/cells.ts';
import { CommitError, type ConstraintFault, type Fault, isConstraint } from './schema/error-kinds.ts';
import type { CommandOptions, Database, Found, Purpose, Session, Together } from './schema/session.ts';
import { WriteStatus } from './write-status.ts';

/** What takes long, and reads one moment. Each kind has places of its own, so that slow readers of one hold up none of the other. */
type Snapshot = 'summary' | 'export';
/** Of each kind, of one process. */
const snapshotsAtOnce = 2;
const tries = 10;
const firstPauseMs = 10;
const longestPauseMs = 400;

/** A unique or foreign key stopped the write; the layers above know which field and which words that means. */
export class ConstraintError extends Error {
  readonly fault: ConstraintFault;

  constructor(fault: ConstraintFault, cause: unknown) {
    super(fault.kind === 'unique' ? `Not unique: ${String(fault.key)}.` : `Foreign key: ${fault.kind}.`, { cause });
    this.name = 'ConstraintError';
    this.fault = fault;
  }
}

export interface UnitOfWork {
  /** The same statements, each by itself, as a session that no transaction is in. */
  readonly direct: Session;
  /** A statement outside of a transaction that returns rows; tried again when its connection turned out dead. */
  read(sql: string, values: readonly Bound[]): Promise<Row[]>;
  /** A statement that is a transaction of its own. @returns the number of rows its condition matched. */
  write(sql: string, values: readonly Bound[]): Promise<number>;
  /** All of `work` or nothing. `work` may run several times: it must change nothing outside of the session. */
  transact<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs a transaction that writes records. @throws Problem "service-outdated" if the database is ahead */
  transactRecords<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Reads of one moment, for what takes long: they take no place among readers, and have two of their own for each kind.
   * @throws Problem "overloaded" when they have waited too long for one
   */
  snapshot<T>(
    kind: Snapshot,
    deadline: RequestDeadline | undefined,
    work: (session: Pick<Session, 'all'>) => Promise<T>,
  ): Promise<T>;
  /**
   * What a request does, statements and units of work: begun when its turn comes, or as soon as there is a place.
   * @param work is handed the unit to use, which notes the time that goes to the database where the deadline has an account
   * @throws Problem "overloaded" when it has waited too long, ClientDisconnected when nobody waits any more; nothing is done then.
   */
  attend<T>(
    purpose: Purpose,
    deadline: RequestDeadline | undefined,
    work: (unit: UnitOfWork) => Promise<T>,
  ): Promise<T>;
  /** What has become of all units so far. */
  readonly tally: UnitTally;
  /** Whether anything can be written, as far as is known. */
  readonly standing: WriteStatus;
  /** The revision of the schema that this process works with. */
  readonly schema: SchemaRevision;
}

export interface UnitOptions {
  /** No further try begins after this time; a command has the deadline of the driver besides. */
  readonly deadlineMs: number;
  readonly logger?: Record<'debug' | 'warn', (details: object, message: string) => void>;
}

/** A transaction that has met others so often tries alone: of this process, no other runs meanwhile. */
const triesAmongOthers = 3;

type UnitKind = keyof UnitTally['times'];
/** Why a unit runs again. */
type Retry = 'conflict' | 'reconnect';

/** An attempt of a unit that has failed. */
interface Attempted {
  readonly unit: UnitKind;
  readonly attempt: number;
  /** When the first one began, by `performance.now()`. */
  readonly started: number;
  readonly hasReconnected: boolean;
}

/** Full jitter: losers of one conflict must not meet again. */
const pauseMs = (attempt: number): number => Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);

/** Whether surely nothing was done: a unit commits by its COMMIT, or by the one statement that it is. */
const isNotDone = (unit: UnitKind, fault: Fault, error: unknown): boolean => {
  if (fault.kind === 'away' && fault.notDone) return true;
  return unit === 'read' || (unit === 'transaction' && !(error instanceof CommitError));
};

const overdue = (): Promise<never> => Promise.reject(problems.overdue());
const outdated = (): Promise<never> => Promise.reject(problems.serviceOutdated());

const withCause = (problem: Problem, cause: unknown): Problem => Object.assign(problem, { cause });

/**
 * Runs units on a database. Conflicts (deadlock, lock wait, failed certification, lock of another process) run the whole
 * unit again, at most 10 times within the deadline, from the fourth time on alone among those of this process; a dead connection is replaced once where nothing was done.
 * @throws ConstraintError for unique and foreign keys; Problem "database-away", "database-full", "database-read-only" or
 *   "database-replaced" when the write is surely not done,
 *   "overloaded" when it has met others too often, and "outcome-unknown" when nobody knows, each with the
 *   driver's error as its cause where there is one; a Problem thrown by `work` as it is; other errors of the
 *   driver as they are.
 */
export const createUnitOfWork = (database: Database, { deadlineMs, logger }: UnitOptions): UnitOfWork => {
  const terms: CommandOptions = { deadlineMs: database.deadlineMs };
  const gate = new SharedExclusiveLock();
  const tally = new UnitTally(gate.queue, logger);
  const schema = new SchemaRevision(database);
  const standing = new WriteStatus(database, schema);
  /** Waits until a failed attempt may be made again. @returns why it may. @throws what the unit fails with where it may not */
  const pauseAfter = async (error: unknown, { unit, attempt, started, hasReconnected }: Attempted): Promise<Retry> => {
    if (error instanceof Problem) throw error;
    const fault = faultOf(error);
    if (isConstraint(fault)) throw new ConstraintError(fault, error);

    if (fault.kind === 'retry') {
      const pause = pauseMs(attempt);
      if (attempt < tries && performance.now() - started + pause < deadlineMs) {
        tally.noteRetry('conflict', { err: error, unit, attempt });
        await delay(pause);
        return 'conflict';
      }
      logger?.warn({ err: error, unit, attempt }, 'gave up after conflicts');
      throw withCause(fault.isLocked === true ? problems.databaseAway() : problems.overloaded(), error);
    }

    if (fault.kind !== 'away' && !(error instanceof CommitError)) {
      // A column that was renamed, or a value that another formula would have given: the migration is the reason.
      if (await schema.look()) throw withCause(problems.serviceOutdated(), error);
      throw error;
    }
    const notDone = isNotDone(unit, fault, error);
    if (notDone && fault.kind === 'away' && fault.reconnect && !hasReconnected) {
      tally.noteRetry('reconnect', { err: error, unit, attempt });
      return 'reconnect';
    }
    logger?.warn({ err: error, unit, attempt }, notDone ? 'database away' : 'outcome of a write unknown');
    if (!notDone) tally.unknownOutcomes += 1;
    throw withCause(notDone ? standing.refusal(unit, error) : problems.outcomeUnknown(), error);
  };
  const snapshots = { summary: new Semaphore(snapshotsAtOnce), export: new Semaphore(snapshotsAtOnce) };
  const parts: UnitParts = { database, terms, gate, tally, standing, schema, snapshots, pauseAfter };
  return new Unit(parts, {});
};

/** What all units on a database share. */
interface UnitParts {
  readonly database: Database;
  readonly terms: CommandOptions;
  readonly gate: SharedExclusiveLock;
  readonly tally: UnitTally;
  readonly standing: WriteStatus;
  readonly schema: SchemaRevision;
  readonly snapshots: Readonly<Record<Snapshot, Semaphore>>;
  readonly pauseAfter: (error: unknown, attempted: Attempted) => Promise<Retry>;
}

/** The unit of one request, or that of all that is no request's. One object, for each request has one. */
class Unit implements UnitOfWork, Session {
  readonly #parts: UnitParts;
  /** Learns how long it takes in all. */
  readonly #timings: Timings | undefined;
  readonly #until: number;

  constructor(parts: UnitParts, { timings, until }: Pick<RequestDeadline, 'timings' | 'until'>) {
    this.#parts = parts;
    this.#timings = timings;
    this.#until = until ?? Number.POSITIVE_INFINITY;
  }

  get direct(): Session {
    return this;
  }

  get tally(): UnitTally {
    return this.#parts.tally;
  }

  get standing(): WriteStatus {
    return this.#parts.standing;
  }

  get schema(): SchemaRevision {
    return this.#parts.schema;
  }

  get schemaRevision(): number | undefined {
    return this.#parts.schema.own;
  }

  read(sql: string, values: readonly Bound[]): Promise<Row[]> {
    return this.all(sql, values);
  }

  write(sql: string, values: readonly Bound[]): Promise<number> {
    return this.run(sql, values);
  }

  all(sql: string, values: readonly Bound[]): Promise<Row[]> {
    const { database, terms, schema } = this.#parts;
    if (schema.isMoved(sql)) return outdated();
    return this.#perform('read', () => database.all(sql, values, terms));
  }

  run(sql: string, values: readonly Bound[]): Promise<number> {
    const { database, terms } = this.#parts;
    return this.#perform('write', () =>
      performance.now() > this.#until ? overdue() : database.run(sql, values, terms),
    );
  }

  together(statements: Together): Promise<Found> {
    const { database, terms, schema } = this.#parts;
    const { together } = database;
    if (statements.reads.some(({ sql }) => schema.isMoved(sql))) return outdated();
    if (together === undefined) return this.#oneByOne(statements);
    if (statements.write === undefined) return this.#perform('read', () => together(statements, terms));
    return this.#perform('write', () => (performance.now() > this.#until ? overdue() : together(statements, terms)));
  }

  /** A unit each. What is written is done then: a database that goes away must not say that nothing was. */
  async #oneByOne({ write, reads }: Together): Promise<Found> {
    const count = write === undefined ? 0 : await this.run(write.sql, write.values);
    try {
      const rows: Row[][] = [];
      for (const { sql, values } of reads) rows.push(await this.all(sql, values));
      return { count, rows };
    } catch (error) {
      const isUnknown = write !== undefined && error instanceof Problem && error.code === 'database-away';
      throw isUnknown ? withCause(problems.outcomeUnknown(), error) : error;
    }
  }

  transact<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { database, terms, gate } = this.#parts;
    return this.#perform('transaction', (attempt) =>
      gate.run(attempt > triesAmongOthers, () => database.transact(this.#inTime(work), terms)),
    );
  }

  transactRecords<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { schema } = this.#parts;
    if (schema.isOutdated) return outdated();
    return this.transact((session) => schema.guard(session, work));
  }

  attend<T>(
    purpose: Purpose,
    deadline: RequestDeadline | undefined,
    work: (unit: UnitOfWork) => Promise<T>,
  ): Promise<T> {
    const places = this.#parts.database.semaphores[purpose];
    // Not awaited where there is a free place: a turn of the microtasks on each request.
    const wait = places.acquire(deadline);
    if (wait !== undefined) return waitFor(wait, deadline ?? {}).then(() => this.#attended(places, deadline, work));
    return this.#attended(places, deadline, work);
  }

  /** The work of one that has its place, which it gives back. */
  #attended<T>(
    places: Semaphore,
    deadline: RequestDeadline | undefined,
    work: (unit: UnitOfWork) => Promise<T>,
  ): Promise<T> {
    let working: Promise<T>;
    try {
      working = work(new Unit(this.#parts, deadline ?? {}));
    } catch (error) {
      working = Promise.reject(error);
    }
    return working.then(
      (result) => {
        places.release();
        return result;
      },
      (error: unknown) => {
        places.release();
        throw error;
      },
    );
  }

  /** The same work of a transaction, in time: past it, the next statement or the commit is refused, so that all is rolled back. */
  #inTime<T>(work: (session: Session) => Promise<T>): (session: Session) => Promise<T> {
    return async (session) => {
      const isOver = (): boolean => performance.now() > this.#until;
      const result = await work({
        all: (sql, values) => (isOver() ? overdue() : session.all(sql, values)),
        run: (sql, values) => (isOver() ? overdue() : session.run(sql, values)),
      });
      return isOver() ? overdue() : result;
    };
  }

  async snapshot<T>(
    kind: Snapshot,
    deadline: RequestDeadline | undefined,
    work: (session: Pick<Session, 'all'>) => Promise<T>,
  ): Promise<T> {
    const { database, schema } = this.#parts;
    const places = this.#parts.snapshots[kind];
    const wait = places.acquire(deadline);
    if (wait !== undefined) await waitFor(wait, deadline ?? {});
    try {
      const read = ({ all }: Pick<Session, 'all'>): Promise<T> =>
        work({ all: (sql, values) => (schema.isMoved(sql) ? outdated() : all(sql, values)) });
      return await new Unit(this.#parts, deadline ?? {}).#perform('read', () => database.snapshot(read));
    } finally {
      places.release();
    }
  }

  #perform<T>(unit: UnitKind, attemptOnce: (attempt: number) => Promise<T>): Promise<T> {
    const started = performance.now();
    this.#timings?.beginUnit();
    return attemptOnce(1).then(
      (result) => {
        this.#end(unit, started);
        return result;
      },
      (error: unknown) => this.#tryAgain({ unit, started, attemptOnce, error }).finally(() => this.#end(unit, started)),
    );
  }

  #end(unit: UnitKind, started: number): void {
    this.#timings?.endUnit();
    this.#parts.tally.times[unit].note(performance.now() - started);
  }

  /** What the first attempt has failed with decides whether there is another one. */
  async #tryAgain<T>({ unit, started, attemptOnce, error }: FailedOnce<T>): Promise<T> {
    let hasReconnected = false;
    let failed = error;
    for (let attempt = 1; ; attempt += 1) {
      const why = await this.#parts.pauseAfter(failed, { unit, attempt, started, hasReconnected });
      hasReconnected ||= why === 'reconnect';
      try {
        return await attemptOnce(attempt + 1);
      } catch (next) {
        failed = next;
      }
    }
  }
}

interface FailedOnce<T> {
  readonly unit: UnitKind;
  readonly started: number;
  readonly attemptOnce: (attempt: number) => Promise<T>;
  readonly error: unknown;
}
