// A process that runs cases on services of its own, as it is asked: loading all sources takes longer than most answers.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { areas } from '../cases/areas.ts';
import { type Runner, runCase, startRunner } from '../cases/run.ts';
import { Watch } from '../cases/watch.ts';
import { mutants } from './switch.ts';

/** All cases in their order, or some of them under one mutant until so many fail. */
export type Question =
  | { readonly kind: 'cover'; readonly isReversed: boolean }
  | { readonly kind: 'try'; readonly mutant: number; readonly cases: readonly number[]; readonly wanted: number };

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
    const start = performance.now();
    const fine = await isFine(index, runner, watch);
    found[index] = { passed: [...mutants.passed], ms: performance.now() - start, isFine: fine };
  }
  await runner.close();
  return { kind: 'covered', loading, starting, cases: found };
}

interface Failure {
  readonly index: number | 'start';
  readonly ms: number;
}

/** The first of these cases that fail on a new service. @param wanted so many of them */
async function failuresOf(chosen: readonly number[], wanted: number): Promise<Failure[]> {
  const watch = new Watch();
  const start = performance.now();
  const runner = await startRunner('sqlite::memory:', watch).catch(() => undefined);
  if (runner === undefined) return [{ index: 'start', ms: performance.now() - start }];
  const failures: Failure[] = [];
  try {
    for (const index of chosen) {
      const from = performance.now();
      if (!(await isFine(index, runner, watch))) failures.push({ index, ms: performance.now() - from });
      if (failures.length === wanted) break;
    }
    return failures;
  } finally {
    await runner.close();
  }
}

async function attempt(mutant: number, chosen: readonly number[], wanted: number): Promise<Answer> {
  mutants.acting = new Set([mutant]);
  const failed = await failuresOf(chosen, wanted);
  mutants.acting = new Set();
  if (failed.length === 0) return { kind: 'tried', by: [], isSound: true };
  // What earlier mutants have left behind in this process must not count.
  const numbers = failed.flatMap(({ index }) => (index === 'start' ? [] : [index]));
  const isSound = (await failuresOf(numbers, 1)).length === 0;
  const by = failed.map(({ index, ms }) => ({
    test: index === 'start' ? 'the start' : (cases[index]?.says ?? ''),
    ms: Math.round(ms),
  }));
  return { kind: 'tried', by, isSound };
}

// Whoever asks has gone: nobody else would end this process while a service runs in it.
process.on('disconnect', () => process.exit());
process.on('message', async (question: Question) => {
  const answer =
    question.kind === 'cover' ? cover(question.isReversed) : attempt(question.mutant, question.cases, question.wanted);
  process.send?.(await answer);
});
