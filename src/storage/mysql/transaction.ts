// One transaction on a MySQL server. Statements that are asked for in one go are pipelined: a write takes as many round trips as
// it has to wait for answers before it knows what to ask next.
import type { QueryResult } from 'mysql2';
import { CommitError, TransactionLostError } from '../schema/error-kinds.ts';
import type { CommandOptions, Session } from '../schema/session.ts';
import { type Answer, type Command, type MysqlConnection, nothing, settle, toCount, toRows } from './connection.ts';
import { faultOf } from './errors.ts';
import type { ConnectionPool } from './pool.ts';
import type { TransactionTexts } from './server.ts';

/** What ends a transaction: nothing of it holds any more, whatever the server says of what was sent behind. */
const isEnd = (error: unknown): boolean => {
  const { kind } = faultOf(error);
  return kind === 'retry' || kind === 'away';
};

class Transaction {
  readonly #link: MysqlConnection;
  #waiting: Command[] = [];
  #isFlying = false;
  /** Told when nothing is under way any more. */
  #landed: (() => void) | undefined;
  #isOver = false;
  #broken: Error | undefined;

  constructor(link: MysqlConnection) {
    this.#link = link;
  }

  readonly session: Session = {
    all: (sql, values) => this.#ask({ sql, values }, toRows),
    // Not all that has no values can be prepared: savepoints cannot.
    run: (sql, values) => this.#ask(values.length === 0 ? { sql } : { sql, values }, toCount),
  };

  #ask<T>(command: Command, read: (result: QueryResult) => T): Promise<T> {
    if (this.#isOver)
      return Promise.reject(new Error('The transaction is over; its session must not be used any more.'));
    return new Promise((resolve, reject) => {
      const done: Answer = (error, result) => {
        if (error && this.#broken === undefined && isEnd(error)) this.#broken = error;
        const stopped = this.#broken ?? error;
        if (stopped) reject(stopped);
        else settle({ resolve, reject }, () => read(result));
      };
      this.#waiting.push({ ...command, done });
      if (this.#isFlying) return;
      this.#isFlying = true;
      this.#wait();
    });
  }

  /** Until all is asked for that can be without an answer: behind all microtasks, which a tick is only where it is asked for in one. */
  #wait(): void {
    queueMicrotask(() => process.nextTick(this.#fly));
  }

  /** Sends what waits, until nothing does. */
  readonly #fly = (): void => {
    const flight = this.#waiting;
    this.#waiting = [];
    const [last] = flight.slice(-1);
    if (last === undefined) {
      this.#isFlying = false;
      this.#landed?.();
      return;
    }
    const broken = this.#broken;
    if (broken !== undefined) {
      for (const { done } of flight) done?.(broken, nothing);
      this.#wait();
      return;
    }
    this.#link.ask(flight, () => this.#wait());
  };

  /** Ends the session after the statements still under way. @returns the error that ended the transaction, if any. */
  async end(): Promise<unknown> {
    if (this.#isFlying)
      await new Promise<void>((resolve) => {
        this.#landed = resolve;
      });
    this.#isOver = true;
    return this.#broken;
  }
}

interface Transacting<T> {
  readonly source: ConnectionPool;
  readonly texts: TransactionTexts;
  readonly work: (session: Session) => Promise<T>;
  readonly terms: CommandOptions | undefined;
}

/**
 * One attempt of a transaction.
 * @throws CommitError when nobody knows what became of it; TransactionLostError when the server has ended it on its own
 */
export const transactOn = async <T>({ source, texts, work, terms }: Transacting<T>): Promise<T> => {
  const link = source.takeReady(terms) ?? (await source.take(terms));
  link.begin(texts);
  const transaction = new Transaction(link);
  let result: T;
  try {
    result = await work(transaction.session);
    const broken = await transaction.end();
    if (broken !== undefined) throw broken;
    await prove(link, texts);
  } catch (error) {
    await transaction.end();
    const reason = await reasonOf(link, texts, error);
    await takeBack(source, link, reason);
    throw reason;
  }
  try {
    await link.text('commit');
  } catch (error) {
    await takeBack(source, link, error);
    throw new CommitError(error);
  }
  source.give(link);
  return result;
};

const takeBack = async (source: ConnectionPool, link: MysqlConnection, error: unknown): Promise<void> => {
  try {
    await link.text('rollback');
    source.give(link, error);
  } catch {
    source.drop(link);
  }
};

/** @throws TransactionLostError */
const prove = async (link: MysqlConnection, { proof }: TransactionTexts): Promise<void> => {
  if (proof === undefined) return;
  try {
    await link.text(proof);
  } catch (error) {
    throw isGone(error) ? new TransactionLostError(error) : error;
  }
};

const savepointIsGone = 1305;
const isGone = (error: unknown): boolean =>
  error instanceof Error && 'errno' in error && error.errno === savepointIsGone;

/** What failed in a transaction that was lost may have failed for that alone. @returns why it failed */
const reasonOf = async (link: MysqlConnection, texts: TransactionTexts, error: unknown): Promise<unknown> => {
  if (error instanceof TransactionLostError || isEnd(error)) return error;
  try {
    await prove(link, texts);
    return error;
  } catch (lost) {
    return lost instanceof TransactionLostError ? lost : error;
  }
};
