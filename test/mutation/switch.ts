// What the mutated sources ask at run time: whether a slip is to be made. It notes each that was asked for.
import { appendFileSync } from 'node:fs';

interface Switch {
  /** The mutants that act now. */
  acting: ReadonlySet<number>;
  /** Those whose place the program has passed. */
  readonly passed: Set<number>;
}

const place = globalThis as typeof globalThis & { praxisMutants?: Switch };
const { MUTANTS_ACTING: acting = '', MUTANTS_RECORD: record, MUTANTS_FILE: file } = process.env;

place.praxisMutants ??= { acting: new Set(acting.split(',').filter(Boolean).map(Number)), passed: new Set() };
/** One for the process, however often this module is loaded. */
export const mutants = place.praxisMutants;

/** A process or a thread that a test has started may be killed at any time: what it passes is written down at once. */
const isOfTest = record !== undefined && file !== undefined && !('__vitest_worker__' in globalThis);

/** Whether the mutant of this number acts. */
export function acts(number: number): boolean {
  if (isOfTest && !mutants.passed.has(number))
    appendFileSync(record, `${JSON.stringify({ file, common: [number], ms: 0, tests: [] })}\n`);
  mutants.passed.add(number);
  return mutants.acting.has(number);
}
