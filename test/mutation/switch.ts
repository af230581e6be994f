// What the mutated sources ask at run time: whether a slip is to be made. It notes each that was asked for.
interface Switch {
  /** The mutants that act now. */
  acting: ReadonlySet<number>;
  /** Those whose place the program has passed. */
  readonly passed: Set<number>;
}

const place = globalThis as typeof globalThis & { praxisMutants?: Switch };
const { MUTANTS_ACTING: acting = '' } = process.env;

place.praxisMutants ??= { acting: new Set(acting.split(',').filter(Boolean).map(Number)), passed: new Set() };
/** One for the process, however often this module is loaded. */
export const mutants = place.praxisMutants;

/** Whether the mutant of this number acts. */
export function acts(number: number): boolean {
  mutants.passed.add(number);
  return mutants.acting.has(number);
}
