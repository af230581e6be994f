// A process that runs cases on services of its own, as it is asked: loading all sources takes longer than most answers.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { areas } from '../cases/areas.ts';
import { type Runner, runCase, startRunner } from '../cases/run.ts';
import { Watch } from '../cases/watch.ts';
import { cpuMs } from './spent.ts';
import { mutants } from './switch.ts';

/** All cases in their order, or some of them under one mutant until so many fail. */
export type Question = { readonly kind: 'cover'; readonly isReversed: boolean } | ({ readonly kind: 'try' } & Trial);

/** A mutant, and the cases to try it on. */
export interface Trial {
  readonly mutant: number;
  readonly cases: readonly number[];
  /** So many that fail are enough. */
  readonly wanted: number;
  /** Whether it may act only while a service starts, or when a case comes first. */
  readonly needsStart: boolean;
}

/** What notices a mutant, and how long that takes. */
export interface Killer {
  readonly test: string;
  readonly ms: number;
}

export type Answer =
  | {
      readonly kind: 'covered';
      /** Passed while the sources were loaded, and until the first case. */
      readonly loading: readonly number[];
      readonly starting: readonly number[];
      readonly cases: readonly { readonly passed: readonly number[]; readonly ms: number; readonly isFine: boolean }[];
    }
  /** `by` is what failed; not sound where that fails without the mutant too. */
  | { readonly kind: 'tried'; readonly by: readonly Killer[]; readonly isSound: boolean };

// Matchers such as `expect.toSatisfy` ask for the test file, of which only a worker of Vitest knows.
expect.setState({ testPath: import.meta.filename });

/** By the clock: what hangs takes so long, and what others keep waiting must not be taken for it. */
const caseLimitMs = 60_000;
const cases = Object.values(areas).flat();
const loading = [...mutants.passed];

async function isFine(index: number, runner: Runner, watch: Watch): Promise<boolean> {
  const one = cases[index];
  if (one === undefined) throw new Error(`there is no case ${index}`);
  const stop = new AbortController();
  const limit = delay(caseLimitMs, false, { signal: stop.signal }).catch(() => false);
  const run = runCase(one, runner, watch).then(
    () => true,
    () => false,
  );
  const result = await Promise.race([run, limit]);
  stop.abort();
  return result;
}

async function cover(isReversed: boolean): Promise<Answer> {
  mutants.passed.clear();
  const watch = new Watch();
  const runner = await startRunner('sqlite::memory:', watch);
  const starting = [...mutants.passed];
  const found = cases.map(() => ({ passed: [] as number[], ms: 0, isFine: false }));
  const order = [...cases.keys()];
  for (const index of isReversed ? order.reverse() : order) {
    mutants.passed.clear();
    const from = cpuMs();
    const fine = await isFine(index, runner, watch);
    found[index] = { passed: [...mutants.passed], ms: cpuMs() - from, isFine: fine };
  }
  await runner.close();
  return { kind: 'covered', loading, starting, cases: found };
}

interface Failure {
  readonly index: number | 'start';
  readonly ms: number;
}

interface Service {
  readonly runner: Runner;
  readonly watch: Watch;
  /** Cases that have run on it. */
  ran: number;
}

/** So many cases leave so many records that a new service is the cheaper one. */
const mostOnOne = 3000;
/** One on which mutants follow each other: most of what a trial takes is to start a service. */
let shared: Service | undefined;

async function startService(): Promise<Service> {
  const watch = new Watch();
  return { runner: await startRunner('sqlite::memory:', watch), watch, ran: 0 };
}

async function theShared(): Promise<Service> {
  if (shared !== undefined && shared.ran > mostOnOne) await dropShared();
  shared ??= await startService();
  return shared;
}

async function dropShared(): Promise<void> {
  const dropped = shared;
  shared = undefined;
  await dropped?.runner.close();
}

/** The first of these cases that fail. @param wanted so many of them */
async function failuresOn(service: Service, chosen: readonly number[], wanted: number): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const index of chosen) {
    const from = cpuMs();
    service.ran += 1;
    if (!(await isFine(index, service.runner, service.watch))) failures.push({ index, ms: cpuMs() - from });
    if (failures.length === wanted) break;
  }
  return failures;
}

async function under<T>(mutant: number, work: () => Promise<T>): Promise<T> {
  mutants.acting = new Set([mutant]);
  try {
    return await work();
  } finally {
    mutants.acting = new Set();
  }
}

const indexesOf = (failures: readonly Failure[]): number[] =>
  failures.flatMap(({ index }) => (index === 'start' ? [] : [index]));

/** On a service that starts under the mutant. */
async function failuresOnNew({ mutant, cases: chosen, wanted }: Trial): Promise<Failure[]> {
  return under(mutant, async () => {
    const from = cpuMs();
    const service = await startService().catch(() => undefined);
    if (service === undefined) return [{ index: 'start', ms: cpuMs() - from }];
    try {
      return await failuresOn(service, chosen, wanted);
    } finally {
      await service.runner.close();
    }
  });
}

/** @returns undefined where the service that mutants share is no longer sound: what fails there fails without a mutant too. */
async function failuresOnShared({ mutant, cases: chosen, wanted }: Trial): Promise<Failure[] | undefined> {
  const service = await theShared();
  const failures = await under(mutant, () => failuresOn(service, chosen, wanted));
  const failed = indexesOf(failures);
  const isSound = (await failuresOn(service, failed, 1)).length === 0;
  const again = isSound ? await under(mutant, () => failuresOn(service, failed, failed.length)) : [];
  if (again.length === failed.length) return failures;
  await dropShared();
  return undefined;
}

async function attempt(trial: Trial): Promise<Answer> {
  const byShared = trial.needsStart ? undefined : await failuresOnShared(trial);
  if (byShared !== undefined) return { kind: 'tried', by: killersIn(byShared), isSound: true };
  const failures = await failuresOnNew(trial);
  return { kind: 'tried', by: killersIn(failures), isSound: failures.length === 0 || (await isWell(failures)) };
}

/** Whether all of it is well without a mutant: what earlier ones have left behind in this process must not count. */
async function isWell(failures: readonly Failure[]): Promise<boolean> {
  const chosen = indexesOf(failures);
  if (chosen.length > 0 && (await failuresOn(await theShared(), chosen, 1)).length === 0) return true;
  await dropShared();
  return (await failuresOn(await theShared(), chosen, 1)).length === 0;
}

const killersIn = (failures: readonly Failure[]): Killer[] =>
  failures.map(({ index, ms }) => ({
    test: index === 'start' ? 'the start' : (cases[index]?.says ?? ''),
    ms,
  }));

// Whoever asks has gone: nobody else would end this process while a service runs in it.
process.on('disconnect', () => process.exit());
process.on('message', async (question: Question) => {
  process.send?.(await (question.kind === 'cover' ? cover(question.isReversed) : attempt(question)));
});
