// Mutants against the cases of the specification, in a process that starts a service for each mutant.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Killer, Question, Trial } from './cases-process.ts';
import { endAfter } from './spent.ts';

/** So many of the cases that pass a mutant are tried, of these first those that pass little else. */
const mostCases = 120;
const mostClosest = 60;
/** Of processor time: what loops forever takes no more of it, and cases may take so many times what they take without a mutant. */
const startLimitMs = 10_000;
const patience = 5;
const coverLimitMs = 3_600_000;

type Covered = Extract<Answer, { kind: 'covered' }>;

class CasesProcess {
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns undefined where no answer comes: it has crashed, or hangs. */
  async ask(question: Question, limitMs: number): Promise<Answer | undefined> {
    this.#child ??= fork(join(this.#folder, 'test/mutation/cases-process.ts'), {
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const child = this.#child;
    const answered = new AbortController();
    const { signal } = answered;
    const stop = child.pid === undefined ? undefined : endAfter(limitMs, child.pid, () => child.kill('SIGKILL'));
    child.send(question);
    const answer = await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as Answer),
      once(child, 'exit', { signal }).then(() => undefined),
    ]).catch(() => undefined);
    answered.abort();
    stop?.();
    if (answer === undefined) this.end();
    return answer;
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

interface Trials {
  /** Which to try, in this order. */
  readonly mutants: readonly number[];
  readonly lanes: number;
  /** So many cases that notice a mutant are enough. */
  readonly wanted: number;
  /** A file that keeps what the cases pass. */
  readonly store: string | undefined;
}

/**
 * Tries mutants of a sandbox, in so many processes.
 * @param onTried Told what each died of: the first cases that noticed it
 * @returns those that some case passes, or the start of a service
 */
export async function tryCases(
  folder: string,
  { mutants, lanes, wanted, store }: Trials,
  onTried: (mutant: number, by: readonly Killer[]) => void,
): Promise<ReadonlySet<number>> {
  const reached = new Set<number>();
  if (mutants.length === 0) return reached;
  const runners = Array.from({ length: lanes }, () => new CasesProcess(folder));
  const [first, second] = [runners[0], runners.at(-1)] as [CasesProcess, CasesProcess];
  try {
    const { forward, backward } = await coverBoth(first, second, store);
    const plan = new CasePlan(forward, backward);
    await inLanes(mutants, runners, async (mutant, runner) => {
      const chosen = plan.casesFor(mutant);
      if (chosen !== undefined) reached.add(mutant);
      onTried(mutant, chosen === undefined ? [] : await tryOne(runner, { mutant, wanted, ...chosen }, plan));
    });
    return reached;
  } finally {
    for (const runner of runners) runner.end();
  }
}

/** Does all the work: each lane takes the next as soon as it is free. */
export async function inLanes<T, L>(
  work: readonly T[],
  lanes: readonly L[],
  carryOut: (one: T, lane: L) => Promise<void>,
): Promise<void> {
  const queue = work.values();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const one of queue) await carryOut(one, lane);
    }),
  );
}

interface BothWays {
  readonly forward: Covered;
  readonly backward: Covered;
}

/** @param store A file that keeps what they pass. */
async function coverBoth(first: CasesProcess, second: CasesProcess, store: string | undefined): Promise<BothWays> {
  if (store !== undefined && existsSync(store)) return JSON.parse(readFileSync(store, 'utf8')) as BothWays;
  const forwards = cover(first, false);
  if (first === second) await forwards;
  const [forward, backward] = await Promise.all([forwards, cover(second, true)]);
  if (store !== undefined) writeFileSync(store, JSON.stringify({ forward, backward } satisfies BothWays));
  return { forward, backward };
}

async function cover(runner: CasesProcess, isReversed: boolean): Promise<Covered> {
  const answer = await runner.ask({ kind: 'cover', isReversed }, coverLimitMs);
  if (answer?.kind !== 'covered')
    throw new Error('the cases do not run; see `npx vitest run test/whole/cases-sqlite.test.ts`');
  return answer;
}

async function tryOne(runner: CasesProcess, trial: Trial, plan: CasePlan): Promise<readonly Killer[]> {
  const limitMs = Math.round(startLimitMs + patience * plan.msOf(trial.cases));
  const question: Question = { kind: 'try', ...trial };
  const answer = await runner.ask(question, limitMs);
  if (answer?.kind === 'tried' && answer.isSound) return answer.by;
  // Once more in a new process, where nothing is left of other mutants.
  runner.end();
  const again = await runner.ask(question, limitMs);
  if (again?.kind === 'tried') return again.by;
  return [{ test: 'it hangs or crashes', ms: limitMs }];
}

/** Which cases to try a mutant on. */
class CasePlan {
  readonly #loading: ReadonlySet<number>;
  readonly #starting: ReadonlySet<number>;
  readonly #backward: readonly ReadonlySet<number>[];
  readonly #cases: readonly { readonly index: number; readonly passed: ReadonlySet<number>; readonly ms: number }[];

  constructor(forward: Covered, backward: Covered) {
    this.#loading = new Set(forward.loading);
    this.#starting = new Set(forward.starting);
    this.#backward = backward.cases.map(({ passed }) => new Set(passed));
    const all = forward.cases.map(({ passed, ms, isFine }, index) => ({ index, passed: new Set(passed), ms, isFine }));
    // Some are right only in their order; they take their turn when all cases run.
    this.#cases = all.filter(({ isFine, index }) => isFine && backward.cases[index]?.isFine === true);
  }

  msOf(cases: readonly number[]): number {
    const chosen = new Set(cases);
    return this.#cases.reduce((sum, { index, ms }) => sum + (chosen.has(index) ? ms : 0), 0);
  }

  /**
   * Cases in the order to try them: undefined where none passes the mutant, and where it is passed while the sources are
   * loaded, which is once a process.
   */
  casesFor(mutant: number): Pick<Trial, 'cases' | 'needsStart'> | undefined {
    const passing = this.#cases.filter(({ passed }) => passed.has(mutant));
    const backward = this.#cases.filter(({ index }) => this.#backward[index]?.has(mutant));
    const isAtStart = this.#starting.has(mutant);
    if (this.#loading.has(mutant) || (passing.length + backward.length === 0 && !isAtStart)) return undefined;
    // What only the first to come passes is kept for all who come after.
    const isOnce =
      passing.length !== backward.length || passing.some(({ index }, place) => index !== backward[place]?.index);
    const first = new Set([...passing, ...backward]);
    const others = isOnce || isAtStart ? this.#cases.filter((one) => !first.has(one)) : [];
    const closest = [...first].toSorted((a, b) => a.passed.size - b.passed.size).slice(0, mostClosest);
    for (const one of closest) first.delete(one);
    // Those that have passed it come before all that may.
    const chosen = [...closest, ...spread([...first], mostCases - closest.length)];
    const cases = [...chosen, ...spread(others, mostCases - chosen.length)].map(({ index }) => index);
    return { cases, needsStart: isOnce || isAtStart };
  }
}

/** So many of a list, from all its parts, and in an order that goes through all of it several times. */
function spread<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, list.length / most);
  const chosen = Array.from(
    { length: Math.min(most, list.length) },
    (_each, place) => list[Math.floor(place * step)] as T,
  );
  const turns = 8;
  return Array.from({ length: turns }, (_each, turn) => chosen.filter((_one, place) => place % turns === turn)).flat();
}
