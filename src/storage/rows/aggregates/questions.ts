// Groups questions for aggregates into statements. Questions of one shape differ only in values, so they share a statement.
import type { Bound } from '../../schema/cells.ts';
import { paddedCount } from '../../statements/query.ts';
import { isExact } from '../levels.ts';
import type { Prepared } from './prepared.ts';
import { emptyStep, type StepQuestions, toSteps } from './steps.ts';

/** Kind of the answer: a record, a value, or a value that is added to those of other questions. */
type Kind = 'record' | 'value' | 'step';

/** Maximum number of questions in a statement if they differ only in one id; otherwise by kind, and of one shape. */
const maxValues = 1000;
const maxQuestions: Readonly<Record<Kind, { readonly inAll: number; readonly ofShape: number }>> = {
  record: { inAll: 50, ofShape: 50 },
  value: { inAll: 50, ofShape: 50 },
  // A page has up to 100 records. The first step of each chain has its own shape.
  step: { inAll: 200, ofShape: 100 },
};

/** Questions of one statement. */
export interface StatementAsks {
  /** Questions of one shape each. */
  readonly blocks: readonly (readonly Prepared[])[];
  /** Index of the only value in which they differ; undefined if the statement is a union. */
  readonly varying: number | undefined;
}

interface Statements {
  readonly parts: readonly StatementAsks[];
  /** Steps whose values are added up. */
  readonly chains: StepQuestions['chains'];
}

/** Groups questions into few statements: those that differ in one id by that id, all others as unions. */
export function statementsFor(open: readonly Prepared[]): Statements {
  const parts: StatementAsks[] = [];
  const chains: StepQuestions['chains'][number][] = [];
  const rest: Prepared[] = [];
  for (const asks of Map.groupBy(open, ({ shape }) => shape).values()) {
    const varying = varyingIn(asks);
    if (varying === undefined) {
      const stepped = toSteps(asks);
      chains.push(...stepped.chains);
      rest.push(...stepped.questions);
    } else for (const some of toChunks(asks, maxValues)) parts.push({ blocks: [some], varying });
  }
  const stepped = new Set(chains.map(([first]) => first?.question.tally));
  // Those that give a record have its columns, and all others one value.
  const getKind = (one: Prepared): Kind =>
    isRecord(one) ? 'record' : stepped.has(one.question.tally) ? 'step' : 'value';
  const unions = [...Map.groupBy(rest, getKind)].flatMap(([kind, asks]) => toUnions(kind, asks));
  return { parts: [...parts, ...unions], chains };
}

function toUnions(kind: Kind, asks: readonly Prepared[]): readonly StatementAsks[] {
  const { inAll, ofShape } = maxQuestions[kind];
  const parts: (readonly Prepared[])[][] = [];
  let size = 0;
  for (const alike of Map.groupBy(asks, ({ shape }) => shape).values())
    for (const block of toChunks(alike, ofShape)) {
      const more = paddedCount(block.length);
      const last = parts.at(-1);
      if (last === undefined || size + more > inAll) {
        parts.push([block]);
        size = more;
      } else {
        last.push(block);
        size += more;
      }
    }
  return parts.map((blocks) => ({ blocks, varying: undefined }));
}

function toChunks(asks: readonly Prepared[], most: number): readonly (readonly Prepared[])[] {
  const chunks: (readonly Prepared[])[] = [];
  for (let start = 0; start < asks.length; start += most) chunks.push(asks.slice(start, start + most));
  return chunks;
}

/** Repeats the last question up to a round number, so that statements differ little in length. It pads steps with questions that find no record. */
export function padQuestions(asks: readonly Prepared[]): readonly Prepared[] {
  const last = asks.at(-1);
  const filler = last?.isStep === true ? emptyStep(last) : last;
  return Array.from({ length: paddedCount(asks.length) }, (_value, place) => asks[place] ?? filler).filter(
    (one) => one !== undefined,
  );
}

export const isRecord = ({ question: { tally } }: Pick<Prepared, 'question'>): boolean =>
  tally.take === 'first' || tally.take === 'last';

/** Finds the index of the only id in which questions differ. */
function varyingIn(asks: readonly Prepared[]): number | undefined {
  const [first, second] = asks;
  if (first === undefined || second === undefined) return undefined;
  const { most, except } = first.question;
  if (isRecord(first) || most !== undefined) return undefined;
  const isSame = asks.every(
    ({ givenCells, question }) =>
      givenCells.every((value, index) => value === first.givenCells[index]) &&
      question.except.every((id, index) => id === except[index]),
  );
  const differing = first.cells.flatMap((cell, index) =>
    asks.some(({ cells }) => !isSameCell(cells[index], cell)) ? [index] : [],
  );
  const [varying, ...others] = differing;
  const spot = varying === undefined ? undefined : first.spots[varying];
  return isSame && others.length === 0 && spot !== undefined && isExact(spot) && spot.columns.length === 1
    ? varying
    : undefined;
}

const isSameCell = (one: Bound | undefined, other: Bound): boolean =>
  one === other || (one instanceof Uint8Array && other instanceof Uint8Array && Buffer.compare(one, other) === 0);

/** Returns the first cell of the row that answers a question: its id or its position, as a text. */
export const getQuestionKey = ({ cells }: Prepared, place: number, varying: number | undefined): string =>
  varying === undefined ? String(place) : String(cells[varying]);
