// Steps: counts and sums of one collection that differ only in a bound, such as the ranks of the records of a page. Each reads
// only the records between its bound and the one before, so that all of them together read no record twice.
import type { TallyStep } from '../../../formulas/analyse/tally.ts';
import { comparing } from '../../../formulas/language/function-row.ts';
import { exactly } from '../../../values/decimal.ts';
import type { Prepared } from './prepared.ts';

/** Questions in the order of their bounds: each counts all records of the one before it. */
type Chain = readonly Prepared[];

/** Questions for statements, and the chains whose values are to be added up. */
export interface StepQuestions {
  readonly questions: readonly Prepared[];
  readonly chains: readonly Chain[];
}

/** Turns questions of one shape that differ only in a bound into steps. Other questions stay unchanged. */
export function toSteps(questions: readonly Prepared[]): StepQuestions {
  const chains = [...Map.groupBy(questions, chainKey)].flatMap(([key, chain]) =>
    key === undefined || chain.length < 2 ? [] : [chain.toSorted(byBound)],
  );
  const previous = new Map(chains.flatMap((chain) => chain.map((one, place) => [one, chain[place - 1]] as const)));
  const toQuestion = (one: Prepared): Prepared => (previous.has(one) ? stepAfter(one, previous.get(one)) : one);
  return { chains, questions: questions.map(toQuestion) };
}

/** Adds to the value of each step those of the steps before it. @param values values of the questions, by index */
export function addSteps(chains: readonly Chain[], values: { value: string | null }[]): void {
  for (const chain of chains) {
    let total = '0';
    for (const { index } of chain) {
      const step = values[index];
      if (step === undefined) continue;
      total = exactly['+'](total, step.value ?? '0');
      step.value = total;
    }
  }
}

/** Returns a question that finds no record, for padding. */
export const emptyStep = (one: Prepared): Prepared => ({
  ...one,
  index: -1,
  givenCells: one.givenCells.map((value, index) => (index === getStep(one)?.bound ? null : value)),
  ...(one.previous !== undefined && { previous: null }),
});

/** Returns the bound in which a question may differ from others; undefined if no SQL reads the records between two bounds. */
const getStep = ({ question: { tally, most }, sql }: Prepared): TallyStep | undefined =>
  most === undefined && sql.between !== undefined ? tally.step : undefined;

const getBound = ({ question: { given } }: Prepared, { bound }: TallyStep): string | null => {
  const value = given[bound];
  return typeof value === 'string' ? value : null;
};

/** Returns all of a question except its bound, as a text; undefined if the question has no bound. */
function chainKey(one: Prepared): string | undefined {
  const step = getStep(one);
  if (step === undefined || getBound(one, step) === null) return undefined;
  const { shape, question } = one;
  const keys = question.wanted.map(({ value }) => value);
  return JSON.stringify([shape, keys, question.given.toSpliced(step.bound, 1), question.except]);
}

/** Orders questions by the number of their records, the least first. */
function byBound(one: Prepared, other: Prepared): number {
  const step = getStep(one);
  if (step === undefined) return 0;
  const type = one.question.tally.given[step.bound];
  const order = type === undefined ? 0 : comparing(type)(getBound(one, step) ?? '', getBound(other, step) ?? '');
  return step.grows ? order : -order;
}

function stepAfter(one: Prepared, previous: Prepared | undefined): Prepared {
  const step = getStep(one);
  if (previous === undefined || step === undefined) return { ...one, isStep: true };
  return { ...one, isStep: true, previous: previous.givenCells[step.bound] ?? null, shape: `${one.shape}:step` };
}
