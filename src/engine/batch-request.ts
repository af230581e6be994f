// Batch requests: several operations in one transaction. First pass: optimistic, pipelined. If an operation fails, everything is
// rolled back and repeated with care, each operation with a result of its own.

import { shouldYield, yieldIfDue, yieldToLoop } from '../admission/event-loop.ts';
import { ReadCache } from '../facts/read-cache.ts';
import { Problem, type ProblemFormat, problemJson, problems } from '../problems.ts';
import type { Failure, Intent, Outcome, PutOutcome, RequestOptions } from '../request/intent.ts';
import { faultOf } from '../storage/errors.ts';
import { type ConstraintFault, isConstraint } from '../storage/schema/error-kinds.ts';
import type { Session } from '../storage/schema/session.ts';
import type { Change, Creation } from './changes/change.ts';
import type { WriteLog } from './log/write-log.ts';
import type { Operations, Written } from './operations.ts';
import type { Attempt } from './transaction/constraints.ts';

/** The answer to one operation. */
export interface Result {
  readonly status: number;
  /** JSON; undefined where there is none. */
  readonly body: string | undefined;
  readonly etag: string | undefined;
  /** What a write by a unique key has done. */
  readonly put?: PutOutcome | undefined;
  /** The id, where the answer is that alone. */
  readonly id?: string | undefined;
}

/** What is to be done, as it becomes known. */
export interface Plan {
  readonly problemFormat: ProblemFormat;
  readonly count: number;
  readonly isAtomic: boolean;
  /** Whether nothing is written. */
  readonly isReading: boolean;
  /** Whether each operation writes, in their order. */
  readonly writes: readonly boolean[];
  /** Counts the length of the response so far. @throws Problem 429, 503 if too many bytes are in memory */
  readonly hold?: ((responseBytes: number) => void) | undefined;
  /** @param results Of the operations before it. @throws Problem where the operation is none */
  intentOf(index: number, results: readonly Result[]): Intent;
}

/** Something has gone wrong while nobody watched what. */
export class OptimisticPassFailed extends Error {}

interface BatchOptions {
  readonly operations: Operations;
  readonly session: Session;
  readonly actingMember: string | null;
  readonly attempt: Attempt;
  readonly plan: Plan;
  /** Of the operations that are done already: those behind them are carried out. */
  readonly earlier: readonly Result[];
  /** Whether to end behind so many operations, and leave the others for another transaction. */
  readonly isOver: (done: number) => boolean;
  /** Whether each has an answer of its own, whatever becomes of the others: also one that has failed. */
  readonly isApart: boolean;
  /** Whether to wait for the rows of each operation before the next, and to take back one that is refused. */
  readonly isStepwise: boolean;
  /** The log of changes of the transaction, where there is one. */
  readonly log: WriteLog | undefined;
  /** Says in the caller's words what a key has stopped. @throws Problem */
  readonly tell: (session: Session, intent: Intent, fault: ConstraintFault) => Promise<void>;
}

export interface Accomplished {
  readonly results: readonly Result[];
  readonly changes: readonly Change[];
  /** Why the last operation has failed, as nobody had foreseen: those behind it are not done. */
  readonly failure?: Failure | undefined;
}

/** Longest answer to all operations, in bytes of UTF-8. */
const longestAnswer = 8 * 1024 * 1024;

/** @throws OptimisticPassFailed; Problem of the operation that was refused, where all are */
export async function executeBatch(options: BatchOptions): Promise<Accomplished> {
  const { plan, isStepwise, earlier } = options;
  const results = [...earlier];
  const written = new Rows(options);
  let known = new ReadCache();
  let bytes = earlier.reduce((sum, { body = '' }) => sum + Buffer.byteLength(body), 0);
  for (let index = earlier.length; index < plan.count; index += 1) {
    if (options.isOver(index - earlier.length)) break;
    if (shouldYield()) await yieldToLoop();
    if (options.log !== undefined) options.log.step = index + 1;
    const step = { intentOf: () => plan.intentOf(index, results), index, known, written };
    const { result, isRefused, failure }: Carried =
      plan.isAtomic || !isStepwise ? { result: await oneOfAll(options, step) } : await byItself(options, step);
    // What a refused operation has read was perhaps its own.
    if (isRefused === true) known = new ReadCache();
    results.push(result);
    bytes += Buffer.byteLength(result.body ?? '');
    if (bytes > longestAnswer) throw problems.answerTooLarge();
    plan.hold?.(bytes);
    if (failure !== undefined) return { results, changes: written.changes, failure };
  }
  await settled(options, written);
  return { results, changes: written.changes };
}

/** An operation that was carried out, or taken back by itself. */
interface Carried {
  readonly result: Result;
  readonly isRefused?: boolean;
  readonly failure?: Failure;
}

interface Step {
  readonly index: number;
  readonly intentOf: () => Intent;
  readonly known: ReadCache;
  readonly written: Rows;
}

/** The rows of the operations so far: asked for, or to be made together as soon as something else comes. */
class Rows {
  /** Whoever asks something of it finds what is to be made: also who only judges. */
  readonly session: Session;
  readonly #options: Pick<BatchOptions, 'operations' | 'session'>;
  readonly #changes: Change[] = [];
  readonly #asked: Promise<void>[] = [];
  #creations: Creation[] = [];
  #actingMember: string | null;

  constructor(options: Pick<BatchOptions, 'operations' | 'session' | 'actingMember'>) {
    this.#options = options;
    const { session, actingMember } = options;
    this.#actingMember = actingMember;
    this.session = {
      all: (sql, values) => {
        this.#launch();
        return session.all(sql, values);
      },
      run: (sql, values) => {
        this.#launch();
        return session.run(sql, values);
      },
    };
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** Nobody acts any more where an operation has deleted the member. */
  get actingMember(): string | null {
    return this.#actingMember;
  }

  willMake(creation: Creation): void {
    this.#creations.push(creation);
    this.#changes.push(creation);
  }

  add({ scope, done }: Written): void {
    this.#changes.push(...scope.changes);
    this.#asked.push(done);
    const { actors } = scope.groups.registry;
    const member = this.#actingMember;
    if (actors !== undefined && member !== null && scope.isGone(actors, member)) this.#actingMember = null;
  }

  /** Asks for what is still to be made: what is asked of the rows from here on finds it. */
  #launch(): void {
    if (this.#creations.length === 0) return;
    const { operations, session } = this.#options;
    const made = operations.make(session, this.#creations);
    made.catch(() => {});
    this.#asked.push(made);
    this.#creations = [];
  }

  /** @throws what has stopped one of them */
  async done(): Promise<void> {
    this.#launch();
    for (const each of this.#asked.splice(0)) await each;
  }
}

/** What was not waited for. @throws OptimisticPassFailed where one of them has to be found that was stopped */
async function settled({ isStepwise, isApart }: BatchOptions, written: Rows): Promise<void> {
  try {
    await written.done();
  } catch (error) {
    const isOfOne = constraintOf(error) !== undefined || (isApart && isFailure(error));
    throw !isStepwise && isOfOne ? new OptimisticPassFailed('One was stopped.') : error;
  }
}

/** An operation of which all hang. */
async function oneOfAll(options: BatchOptions, step: Step): Promise<Result> {
  const { plan, isApart, isStepwise, session, tell } = options;
  let intent: Intent | undefined;
  try {
    intent = step.intentOf();
    return await carryOut(options, step, intent);
  } catch (error) {
    // What came before may not have come about, and this one may be refused for that alone.
    await settled(options, step.written);
    const isOfOne = isRefusal(error) || constraintOf(error) !== undefined || (isApart && isFailure(error));
    if (!isStepwise && (!plan.isAtomic || constraintOf(error) !== undefined))
      throw isOfOne ? new OptimisticPassFailed('One was refused.') : error;
    const refusal = await refusalOf(error, intent, (fault, of) => tell(session, of, fault));
    throw refusal === undefined ? error : problems.operationRefused(step.index + 1, refusal);
  }
}

/** An operation that is taken back by itself where it is refused. */
async function byItself(options: BatchOptions, step: Step): Promise<Carried> {
  const { session, tell, isApart, log } = options;
  const mark = log?.mark() ?? 0;
  let intent: Intent | undefined;
  let hasBegun = false;
  try {
    intent = step.intentOf();
    hasBegun = intent.endpoint.method !== 'GET';
    if (hasBegun) await session.run('savepoint operation', []);
    const result = await carryOut(options, step, intent);
    if (hasBegun) await session.run('release savepoint operation', []);
    return { result };
  } catch (error) {
    const isFailed = isApart && isFailure(error);
    if (!isFailed && !isRefusal(error) && constraintOf(error) === undefined) throw error;
    if (hasBegun) await session.run('rollback to savepoint operation', []);
    log?.backTo(mark);
    if (isFailed) return { result: resultOfProblem(problems.unforeseen(), options.plan), failure: { error } };
    const refusal = await refusalOf(error, intent, (fault, of) => tell(session, of, fault));
    if (refusal === undefined) throw error;
    return { result: resultOfProblem(refusal, options.plan), isRefused: true };
  }
}

async function carryOut(options: BatchOptions, { known, written }: Step, intent: Intent): Promise<Result> {
  const { operations, attempt, isStepwise, log } = options;
  const { session, actingMember } = written;
  const stage = { session, actingMember, attempt, known, log };
  const judged = isStepwise ? undefined : await operations.judge(stage, intent);
  if (judged !== undefined) {
    if ('creation' in judged) written.willMake(judged.creation);
    else written.add(judged);
    return resultOf(judged.outcome, intent.options);
  }
  if (intent.endpoint.method === 'GET') return resultOf(await operations.reads.read(session, intent));
  const done = await operations.write(stage, intent);
  if (isStepwise) await done.done;
  written.add(done);
  return resultOf(done.outcome, intent.options);
}

/** @param options Of the operation. */
function resultOf({ status, body, etag, put }: Outcome, options?: RequestOptions): Result {
  const text = body?.toString();
  const id = options?.isMinimal === true && status === 200 ? /^\{"id":"([^"]*)"\}$/.exec(text ?? '')?.[1] : undefined;
  return { status, body: text, etag, ...(put !== undefined && { put }), ...(id !== undefined && { id }) };
}

export const resultOfProblem = (problem: Problem, { problemFormat }: Pick<Plan, 'problemFormat'>): Result => ({
  status: problem.status,
  body: problemJson(problem, problemFormat),
  etag: undefined,
});

const isRefusal = (error: unknown): error is Problem => error instanceof Problem && error.status < 500;

function constraintOf(error: unknown): ConstraintFault | undefined {
  const fault = faultOf(error);
  return isConstraint(fault) ? fault : undefined;
}

/** Whether something has gone wrong with an operation that nobody has foreseen, and that the transaction has outlived. */
function isFailure(error: unknown): boolean {
  const { kind } = faultOf(error);
  return !(error instanceof Problem) && (kind === 'unknown' || kind === 'range');
}

/** Why an operation was refused, in the caller's words; undefined for what is no refusal, or may hold the next time. */
async function refusalOf(
  error: unknown,
  intent: Intent | undefined,
  tell: (fault: ConstraintFault, intent: Intent) => Promise<void>,
): Promise<Problem | undefined> {
  if (isRefusal(error)) return error;
  const fault = constraintOf(error);
  if (fault === undefined || intent === undefined) return undefined;
  try {
    await tell(fault, intent);
    return undefined;
  } catch (told) {
    if (isRefusal(told)) return told;
    throw told;
  }
}

/** Length of the text that is encoded without a pause, in UTF-16 units. */
const maxEncodedAtOnce = 256 * 1024;

/** Returns `{"results":[{"status":200,"body":{…},"etag":"…"}]}`; long ones as bytes, which are encoded in steps. */
export async function writeResults(results: readonly Result[]): Promise<string | Buffer> {
  const parts: Buffer[] = [];
  let text = '{"results":[';
  for (const [index, result] of results.entries()) {
    if (text.length > maxEncodedAtOnce) {
      parts.push(Buffer.from(text));
      text = '';
      await yieldIfDue();
    }
    text += index === 0 ? resultJson(result) : `,${resultJson(result)}`;
  }
  text += ']}';
  return parts.length === 0 ? text : Buffer.concat([...parts, Buffer.from(text)]);
}

function resultJson({ status, body = 'null', etag, put, id }: Result): string {
  const done = put === undefined ? '' : `,"outcome":"${put}"`;
  if (id !== undefined) return `{"status":${status},"id":"${id}"${done}}`;
  const tag = etag === undefined ? '' : `,"etag":${JSON.stringify(etag)}`;
  return `{"status":${status},"body":${body}${tag}${done}}`;
}
