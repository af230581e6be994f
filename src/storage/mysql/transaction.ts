// One transaction on a MySQL server. Statements that are asked for in one go are pipelined: a write takes as many round trips as
// it has to wait for answers before it knows what to ask next.
import type { QueryResult } from 'mysql2';
import { CommitError, TransactionLostError } from '../schema/error-kinds.ts';
import type { CommandOptions, Session } from '../schema/session.ts';
import { type Command, type MysqlConnection, toCount, toRows } from './connection.ts';
import { faultOf } from './errors.ts';
import type { ConnectionPool } from './pool.ts';
import type { TransactionTexts } from './server.ts';

/** A statement that waits for the next flight. */
interface Waiting {
  readonly command: Command;
  readonly answer: PromiseWithResolvers<QueryResult>;
}

/** What ends a transaction: nothing of it holds any more, whatever the server says of what was sent behind. */
const isEnd = (error: unknown): boolean => {
  const { kind } = faultOf(error);
  return kind === 'retry' || kind === 'away';
};

class Transaction {
  readonly #link: MysqlConnection;
  #waiting: Waiting[] = [];
  #flight: Promise<void> | undefined;
  #isOver = false;
  #broken: unknown;

  constructor(link: MysqlConnection) {
    this.#link = link;
  }

  get session(): Session {
    return {
      all: async (sql, values) => toRows(await this.#ask({ sql, values })),
      // Not all that has no values can be prepared: savepoints cannot.
      run: async (sql, values) => toCount(await this.#ask(values.length === 0 ? { sql } : { sql, values })),
    };
  }

  #ask(command: Command): Promise<QueryResult> {
    if (this.#isOver)
      return Promise.reject(new Error('The transaction is over; its session must not be used any more.'));
    const answer = Promise.withResolvers<QueryResult>();
    this.#waiting.push({ command, answer });
    this.#flight ??= this.#fly();
    return answer.promise;
  }

  /** Sends what waits, until nothing does. */
  async #fly(): Promise<void> {
    for (;;) {
      await turnOfMicrotasks();
      const flight = this.#waiting;
      this.#waiting = [];
      if (flight.length === 0) break;
      await this.#send(flight);
    }
    this.#flight = undefined;
  }

  async #send(flight: readonly Waiting[]): Promise<void> {
    const answers = this.#broken === undefined ? this.#link.sendTogether(flight.map(({ command }) => command)) : [];
    for (const [index, { answer }] of flight.entries()) {
      try {
        const result = await answers[index];
        if (this.#broken !== undefined || result === undefined) answer.reject(this.#broken);
        else answer.resolve(result);
      } catch (error) {
        if (this.#broken === undefined && isEnd(error)) this.#broken = error;
        answer.reject(this.#broken ?? error);
      }
    }
  }

  /** Ends the session after the statements still under way. @returns the error that ended the transaction, if any. */
  async end(): Promise<unknown> {
    await this.#flight;
    this.#isOver = true;
    return this.#broken;
  }
}

/** When all is asked for that can be without an answer. */
const turnOfMicrotasks = (): Promise<void> =>
  new Promise((resolve) => {
    // Behind all microtasks only where it is called from one.
    queueMicrotask(() => process.nextTick(resolve));
  });

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
