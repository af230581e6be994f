// A process that runs cases on services of its own, as it is asked: loading all sources takes longer than most answers.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { areas } from '../cases/areas.ts';
import { type Runner, runCase, startRunner } from '../cases/run.ts';
import { Watch } from '../cases/watch.ts';
import { mutants } from './switch.ts';

/** All cases in their order, or some of them under one mutant until one fails. */
export type Question =
  | { readonly kind: 'cover'; readonly isReversed: boolean }
  | { readonly kind: 'try'; readonly mutant: number; readonly cases: readonly number[] };

export type Answer =
  | {
      readonly kind: 'covered';
      /** Passed while the sources were loaded, and until the first case. */
      readonly loading: readonly number[];
      readonly starting: readonly number[];
      readonly cases: readonly { readonly passed: readonly number[]; readonly ms: number; readonly isFine: boolean }[];
    }
  /** `by` is what failed, if anything; not sound where it fails without the mutant too. */
  | { readonly kind: 'tried'; readonly by: string | undefined; readonly isSound: boolean };

// Matchers such as `expect.toSatisfy` ask for the test file, of which only a worker of Vitest knows.
expect.setState({ testPath: import.meta.filename });

const caseLimitMs = 5000;
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

/** The first of these cases that fails on a new service. */
async function firstFailure(chosen: readonly number[]): Promise<number | 'start' | undefined> {
  const watch = new Watch();
  const runner = await startRunner('sqlite::memory:', watch).catch(() => undefined);
  if (runner === undefined) return 'start';
  try {
    for (const index of chosen) if (!(await isFine(index, runner, watch))) return index;
    return undefined;
  } finally {
    await runner.close();
  }
}

async function attempt(mutant: number, chosen: readonly number[]): Promise<Answer> {
  mutants.acting = new Set([mutant]);
  const failed = await firstFailure(chosen);
  mutants.acting = new Set();
  if (failed === undefined) return { kind: 'tried', by: undefined, isSound: true };
  // What earlier mutants have left behind in this process must not count.
  const isSound = (await firstFailure(failed === 'start' ? [] : [failed])) === undefined;
  return { kind: 'tried', by: failed === 'start' ? 'the start' : cases[failed]?.says, isSound };
}

// Whoever asks has gone: nobody else would end this process while a service runs in it.
process.on('disconnect', () => process.exit());
process.on('message', async (question: Question) => {
  const answer = question.kind === 'cover' ? cover(question.isReversed) : attempt(question.mutant, question.cases);
  process.send?.(await answer);
});
