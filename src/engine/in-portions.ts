// Batches too large for one transaction: operations that stand each for itself are committed in portions of a short time.
import type { NoteLongWay } from '../metrics/units-of-work.ts';
import { Problem, problems } from '../problems.ts';
import type { Caller, Failure, Intent, Outcome, RequestOptions } from '../request/intent.ts';
import type { ConstraintFault } from '../storage/schema/error-kinds.ts';
import type { Session } from '../storage/schema/session.ts';
import { ConstraintError } from '../storage/unit-of-work.ts';
import {
  type Accomplished,
  executeBatch,
  OptimisticPassFailed,
  type Plan,
  type Result,
  resultOfProblem,
  writeResults,
} from './batch-request.ts';
import type { Change } from './changes/change.ts';
import type { WriteLog } from './log/write-log.ts';
import type { Operations } from './operations.ts';
import { Attempt } from './transaction/constraints.ts';
import type { Stopped } from './transaction/stopped.ts';

/** How often a portion is tried again when a record that it refers to comes or goes meanwhile. */
const lookAgain = 3;
/** For how long operations go on joining a portion, and how many do in any case: few are one write, however slow the machine. */
const portionMs = 50;
const leastOfPortion = 20;

/** What a transaction has done, and what it answers. */
export interface Done<T> {
  readonly changes: readonly Change[];
  readonly outcome: T;
}

/** Where portions are carried out. */
export interface Ground {
  readonly operations: Operations;
  readonly noteLongWay: NoteLongWay;
  /** The database as a session outside of any transaction. */
  readonly direct: Session;
  /** A write that is a transaction. */
  transact(
    attempt: Attempt,
    options: RequestOptions,
    write: (session: Session, log: WriteLog | undefined) => Promise<Done<Outcome>>,
  ): Promise<Outcome>;
  /** Says in the caller's words what a key has stopped. @throws Problem */
  tellStopped(session: Session, intent: Intent, stopped: Stopped): Promise<void>;
}

/** Who asks for several operations, and with which preconditions and preferences. */
export interface Asker {
  readonly caller: Caller;
  readonly options: RequestOptions;
}

/** Several operations as they are asked for. */
interface Asked extends Asker {
  readonly ground: Ground;
  readonly plan: Plan;
  /** Whether each has an answer of its own, whatever becomes of the others. */
  readonly isApart: boolean;
}

/** The operations of one transaction. */
interface Portion {
  /** Answers to those before them. */
  readonly earlier: readonly Result[];
  /** What the last try has come to, before it was committed. */
  reached: Accomplished;
}

/**
 * Carries all operations out, one portion after the other where each stands for itself and no key is to tell of them.
 * @throws Problem of the first that is refused, where all are; what stops the first portion; KeyTaken, KeyRunning
 */
export async function carryOutAll(ground: Ground, plan: Plan, { caller, options }: Asker): Promise<Outcome> {
  const isApart = !plan.isAtomic && options.key === undefined && options.isTrial !== true;
  let results: readonly Result[] = [];
  do {
    const portion: Portion = { earlier: results, reached: { results, changes: [] } };
    try {
      const outcome = await carryOutPortion({ ground, plan, caller, options, isApart }, portion);
      if (outcome?.body !== undefined) return outcome;
    } catch (error) {
      // Nothing is done.
      if (results.length === 0) throw error;
      return unfinished(portion, plan, error);
    }
    const { failure } = portion.reached;
    results = portion.reached.results;
    if (failure !== undefined) return answerOf(filledUp(results, plan, problems.notReached()), failure);
  } while (results.length < plan.count);
  return answerOf(results);
}

/** The answers to all where a portion has come to nothing, or nobody knows to what. Those before it are done, and their answers owed. */
function unfinished({ earlier, reached }: Portion, plan: Plan, error: unknown): Promise<Outcome> {
  const upTo = (count: number): Pick<Plan, 'count' | 'problemFormat'> => ({ ...plan, count });
  if (!(error instanceof Problem)) {
    const failed = filledUp(earlier, upTo(earlier.length + 1), problems.unforeseen());
    return answerOf(filledUp(failed, plan, problems.notReached()), { error });
  }
  if (error.code !== 'outcome-unknown') return answerOf(filledUp(earlier, plan, error));
  const unknown = filledUp(earlier, upTo(reached.results.length), error);
  return answerOf(filledUp(unknown, plan, problems.notReached()));
}

const answerOf = async (results: readonly Result[], failure?: Failure): Promise<Outcome> => ({
  status: 200,
  body: await writeResults(results),
  failure,
});

/** As many answers as there are to be: those that are missing tell of a problem. */
const filledUp = (
  results: readonly Result[],
  { count, problemFormat }: Pick<Plan, 'count' | 'problemFormat'>,
  problem: Problem,
): readonly Result[] => [
  ...results,
  ...new Array<Result>(count - results.length).fill(resultOfProblem(problem, { problemFormat })),
];

/** @returns the response if it is stored under a key. Otherwise later portions can be part of it. */
async function carryOutPortion(
  { ground, plan, caller, options, isApart }: Asked,
  portion: Portion,
): Promise<Outcome | undefined> {
  const { operations, direct } = ground;
  const attempt = new Attempt();
  const tell = (within: Session, intent: Intent, fault: ConstraintFault) =>
    ground.tellStopped(within, intent, { fault, attempt });
  let isStepwise = plan.isReading;
  for (let look = 1; ; look += 1) {
    const carryOut = async (session: Session, log?: WriteLog): Promise<Done<Outcome>> => {
      const until = isApart && !plan.isReading ? performance.now() + portionMs : Number.POSITIVE_INFINITY;
      const isOver = (done: number) => done >= leastOfPortion && performance.now() > until;
      const actingMember = await operations.actingMember(session, caller.memberId);
      const of = { operations, session, actingMember, attempt, plan, earlier: portion.earlier, isApart, log };
      portion.reached = await executeBatch({ ...of, isStepwise, tell, isOver });
      const { results, changes } = portion.reached;
      const body = options.key && (await writeResults(results));
      const isUnwritten = !results.some(({ status }, index) => status < 300 && plan.writes[index] === true);
      return { changes, outcome: { status: 200, body, isMinimal: options.isMinimal, isUnwritten } };
    };
    try {
      if (!plan.isReading || options.key !== undefined) return await ground.transact(attempt, options, carryOut);
      await carryOut(direct);
      return undefined;
    } catch (error) {
      if (!(error instanceof OptimisticPassFailed) && !(error instanceof ConstraintError)) throw error;
      // A record that was there when it was looked at and is gone now: look again.
      if (isStepwise && look > lookAgain) throw problems.overloaded();
      if (!isStepwise) ground.noteLongWay('secondPass', { operations: plan.count, err: error });
      isStepwise = true;
    }
  }
}
