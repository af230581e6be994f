// The queue before the writing connection. A commit waits for the disk, so that what is acknowledged survives a loss of power;
// units of work that wait together share one (group commit).
import { setTimeout as delay } from 'node:timers/promises';
import { yieldIfDue, yieldToLoop } from '../../admission/event-loop.ts';
import type { QueueStats } from '../../admission/queue.ts';
import { CommitError } from '../schema/error-kinds.ts';
import type { Session } from '../schema/session.ts';
import { type Connection, inSession } from './connection.ts';
import { faultOf } from './errors.ts';
import type { LargeTransactions } from './large-transactions.ts';

type Work<T> = (session: Session) => T | Promise<T>;

/** How long units of work may go on joining a commit. */
const sharedMs = 10;
/** How long one try waits for the lock of another process; `unit-of-work.ts` tries again. */
const lockMs = 250;
const lockPauseMs = 15;

interface Job {
  /** Changes the connection itself, so that nothing may share its transaction. */
  readonly isExclusive: boolean;
  readonly since: number;
  /** Does the work, in the open transaction where it shares one; never rejects. @returns whether it is done, so that it counts once that is committed. */
  perform(): Promise<boolean>;
  /** Tells the outcome of `perform`. */
  settle(): void;
  refuse(error: unknown): void;
}

const rollback = ({ raw }: Connection): void => {
  if (raw.isTransaction) raw.exec('rollback');
};

/** A deferred `begin` would fail with 517 when another process wrote between our first read and our first write. */
const begin = async ({ raw }: Connection): Promise<void> => {
  const end = performance.now() + lockMs;
  for (;;) {
    try {
      return raw.exec('begin immediate');
    } catch (error) {
      if (faultOf(error).kind !== 'retry' || performance.now() > end) throw error;
      // Not in the driver, which would hold up everybody.
      await delay(Math.random() * lockPauseMs);
    }
  }
};

/** @throws CommitError when nobody knows what became of it */
const commit = (writer: Connection): void => {
  try {
    writer.raw.exec('commit');
  } catch (error) {
    if (!writer.raw.isTransaction) throw new CommitError(error);
    // Still in the transaction: it is surely not done, and taken back now.
    rollback(writer);
    throw error;
  }
};

/** One unit of work as a transaction of its own. */
const transactAlone = async <T>(writer: Connection, work: Work<T>): Promise<T> => {
  await begin(writer);
  let result: T;
  try {
    result = await inSession(writer, work);
  } catch (error) {
    rollback(writer);
    throw error;
  }
  commit(writer);
  return result;
};

/** A job of some work, whose outcome it tells when that counts. */
const jobOf = <T>(work: () => T | Promise<T>, isExclusive: boolean, tell: PromiseWithResolvers<T>): Job => {
  let settle = (): void => {};
  return {
    isExclusive,
    since: performance.now(),
    refuse: tell.reject,
    settle: () => settle(),
    perform: async () => {
      try {
        const value = await work();
        settle = () => tell.resolve(value);
        return true;
      } catch (error) {
        settle = () => tell.reject(error);
        return false;
      }
    },
  };
};

/** Everything that is written, in the order in which it comes. */
export class WriteQueue {
  readonly #writer: Connection;
  readonly #large: LargeTransactions | undefined;
  readonly #line: Job[] = [];
  #isRunning = false;

  /** @param large Told when a transaction is over. */
  constructor(writer: Connection, large?: LargeTransactions) {
    this.#writer = writer;
    this.#large = large;
  }

  get queue(): QueueStats {
    const [first] = this.#line;
    return { length: this.#line.length, oldestMs: first === undefined ? 0 : performance.now() - first.since };
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** All of `work` or nothing. It may run several times. */
  transact<T>(work: Work<T>): Promise<T> {
    return this.#queue(() => this.#inSavepoint(work));
  }

  /** One statement, which is all or nothing by itself. */
  single<T>(work: () => T): Promise<T> {
    return this.#queue(work);
  }

  /** Work that begins and ends its transactions itself with what it is handed, while nothing else runs. */
  alone<T>(work: (transact: <R>(work: Work<R>) => Promise<R>) => Promise<T>): Promise<T> {
    return this.#queue(() => work((part) => transactAlone(this.#writer, part)), true);
  }

  #queue<T>(work: () => T | Promise<T>, isExclusive = false): Promise<T> {
    const tell = Promise.withResolvers<T>();
    this.#line.push(jobOf(work, isExclusive, tell));
    if (!this.#isRunning) {
      this.#isRunning = true;
      void this.#runAll();
    }
    return tell.promise;
  }

  async #runAll(): Promise<void> {
    for (;;) {
      // Requests that come in this turn share the commit, and reads go in between.
      await yieldToLoop();
      const job = this.#line.shift();
      if (job === undefined) break;
      if (job.isExclusive) await job.perform().then(job.settle);
      else await this.#runTogether(job);
      this.#large?.over();
    }
    this.#isRunning = false;
  }

  async #runTogether(first: Job): Promise<void> {
    try {
      await begin(this.#writer);
    } catch (error) {
      first.refuse(error);
      return;
    }
    const { done, failed } = await this.#performJoined(first);
    try {
      if (!this.#writer.raw.isTransaction)
        throw new Error('The transaction that these units of work shared has been ended.');
      // A large commit also takes long.
      await yieldIfDue();
      commit(this.#writer);
      for (const each of done) each.settle();
    } catch (error) {
      if (error instanceof CommitError || done.length + failed.length === 1)
        for (const each of done) each.refuse(error);
      else await this.#runApart(done);
    }
    // What had failed has changed nothing, whatever became of the others.
    for (const each of failed) each.settle();
  }

  /** Performs a job, and those that come in time to share its commit. */
  async #performJoined(first: Job): Promise<{ readonly done: readonly Job[]; readonly failed: readonly Job[] }> {
    const done: Job[] = [];
    const failed: Job[] = [];
    const until = performance.now() + sharedMs;
    let job: Job | undefined = first;
    while (job !== undefined) {
      if (await job.perform()) done.push(job);
      else failed.push(job);
      const mayJoin =
        this.#writer.raw.isTransaction && performance.now() < until && this.#line[0]?.isExclusive === false;
      job = mayJoin ? this.#line.shift() : undefined;
    }
    return { done, failed };
  }

  /** One of them has spoilt it for the others: each again, by itself. */
  async #runApart(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      try {
        await begin(this.#writer);
        if (await job.perform()) commit(this.#writer);
        else rollback(this.#writer);
        job.settle();
      } catch (error) {
        rollback(this.#writer);
        job.refuse(error);
      }
    }
  }

  /** A part of the shared transaction, which can be taken back by itself. */
  async #inSavepoint<T>(work: Work<T>): Promise<T> {
    const { raw } = this.#writer;
    raw.exec('savepoint unit');
    try {
      const result = await inSession(this.#writer, work);
      raw.exec('release unit');
      return result;
    } catch (error) {
      if (raw.isTransaction) raw.exec('rollback to unit; release unit');
      throw error;
    }
  }
}
