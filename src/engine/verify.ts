// Verifies computed fields: compares every figure that is always true, and every automatic state, with what its formula gives.
import { ReadFacts } from '../facts/read-facts.ts';
import { evaluateGiven } from '../formulas/evaluate/evaluate.ts';
import { Problem } from '../problems.ts';
import type { Value, Values } from '../registry/model/model.ts';
import type { Session } from '../storage/schema/session.ts';
import type { RecordName } from './changes/change.ts';
import { copyOf } from './changes/copy-values.ts';
import { sameValue } from './changes/same-value.ts';
import { Draft } from './draft/draft.ts';
import { knowBefore, type Stretch, stretchesOf } from './figures/along.ts';
import { computeFigures } from './figures/compute-figure.ts';
import { followStates } from './figures/states.ts';
import { causeOf } from './log/entries.ts';
import { type Origin, ownOrigin, type WriteLog } from './log/write-log.ts';
import type { FigureField, Line } from './plan/figures.ts';
import type { Group } from './plan/groups.ts';
import type { Scope } from './transaction/scope.ts';
import { repairRecord } from './upkeep/maintain.ts';
import { perform } from './write/write.ts';

/** A value of a record that its formula does not give. */
export interface Difference extends RecordName {
  /** `amountPaid`, `budget.revenue`, `lines[0].amount` */
  readonly place: string;
  readonly kept: Value;
  readonly right: Value;
  /** Why it cannot be put right. */
  readonly stays?: string;
}

/** So many records are looked at together. */
const verifiedAtOnce = 200;

/** Whether a group keeps anything that can be verified. */
const isVerifiable = ({ figures, states }: Group): boolean =>
  states.length > 0 || figures.some(({ figure }) => figure.taken === 'always');

interface Compared {
  /** With their lists. */
  readonly records: readonly Readonly<Values>[];
  /** All of the group, if not said. */
  readonly figures?: readonly FigureField[];
}

/** Computes what is always true of these records from scratch. */
async function differencesIn(
  scope: Scope,
  group: Group,
  { records, figures = group.figures }: Compared,
): Promise<readonly Difference[]> {
  const drafts = records.map(
    (before) =>
      new Draft({
        scope,
        group,
        operation: 'update',
        before,
        values: copyOf(before),
        input: { values: {} },
      }),
  );
  const facts = new ReadFacts({ records: scope.records, today: () => scope.reached(), evaluator: evaluateGiven });
  for (const figure of figures) if (figure.figure.taken === 'always') await computeFigures(drafts, figure, facts);
  const found: Difference[] = [];
  for (const draft of drafts) {
    await followStates(draft, { old: draft.before });
    const name: RecordName = { group: group.resource.name, id: String(draft.values['id']) };
    found.push(...differences(name, draft.before ?? {}, draft.values));
  }
  return found;
}

function differences(name: RecordName, before: Readonly<Values>, after: Readonly<Values>): readonly Difference[] {
  return Object.keys(after).flatMap((key) =>
    within(name, key, { kept: before[key] ?? null, right: after[key] ?? null }),
  );
}

function within(
  name: RecordName,
  place: string,
  { kept, right }: Pick<Difference, 'kept' | 'right'>,
): readonly Difference[] {
  if (sameValue(kept, right)) return [];
  if (typeof kept !== 'object' || typeof right !== 'object' || kept === null || right === null)
    return [{ ...name, place, kept, right }];
  const isList = Array.isArray(kept);
  return [...new Set([...Object.keys(kept), ...Object.keys(right)])].flatMap((key) =>
    within(name, isList ? `${place}[${key}]` : `${place}.${key}`, {
      kept: (kept as Values)[key] ?? null,
      right: (right as Values)[key] ?? null,
    }),
  );
}

/** A transaction with what it leaves in the log of changes. */
export type Logged = <T>(
  origin: Origin,
  work: (session: Session, log: WriteLog | undefined) => Promise<T>,
) => Promise<T>;

/** Where a group is verified. */
export interface VerifyGround {
  readonly group: Group;
  readonly direct: Session;
  readonly scope: (session: Session, log?: WriteLog) => Scope;
  readonly logged: Logged;
}

/** What is put right of a record itself is a repair; what others hang on that follows as always. */
const repairOrigin: Origin = {
  ...ownOrigin,
  toCause: (cause, { group, id }) =>
    'of' in cause && cause.of.group === group && cause.of.id === id
      ? { kind: 'repair' }
      : causeOf(cause, { group, id }),
};

/**
 * Computes from scratch what is always true of a group's records, in bounded memory.
 * @param repair Whether to put right what is not.
 * @param onRecords Told after each page how many records it had.
 */
export async function* verifyGroup(
  ground: VerifyGround,
  repair: boolean,
  onRecords?: (count: number) => void,
): AsyncGenerator<Difference> {
  const { group, direct } = ground;
  if (group.resource.computed !== undefined || !isVerifiable(group)) return;
  const { lines } = group;
  const told = new Set<string>();
  for (const [pass, line] of (lines.length === 0 ? [undefined] : lines).entries())
    for await (const stretch of stretchesOf(group.rows, direct, { line, size: verifiedAtOnce })) {
      // What others change meanwhile may look wrong: each is looked at again, and nobody changes it then.
      for (const id of await differing(ground, stretch, line)) {
        if (told.has(id)) continue;
        if (lines.length > 1) told.add(id);
        yield* await verifyOne(ground, id, repair);
      }
      if (pass === 0) onRecords?.(stretch.records.length);
    }
}

/** @param line The order in which they stand: figures along others alone are looked at along these. */
async function differing(
  { group, direct, scope: scopeOf }: VerifyGround,
  stretch: Stretch,
  line: Line | undefined,
): Promise<ReadonlySet<string>> {
  const scope = scopeOf(direct);
  if (line !== undefined) await knowBefore(scope, line, stretch);
  const ids = stretch.records.map(({ id }) => String(id));
  const records = await scope.records.wholeMany(group.resource.name, ids);
  const others = group.lines.flatMap((other) => (other === line ? [] : other.figures));
  const figures = group.figures.filter((each) => line?.figures.includes(each) === true || !others.includes(each));
  return new Set((await differencesIn(scope, group, { records, figures })).map(({ id }) => id));
}

/** What cannot be put right is told with the reason, and stays. */
async function verifyOne(ground: VerifyGround, id: string, repair: boolean): Promise<readonly Difference[]> {
  try {
    return await lookAt(ground, id, repair);
  } catch (error) {
    if (!repair || !(error instanceof Problem) || error.status >= 500) throw error;
    const { message, errors = [message] } = error;
    return (await lookAt(ground, id, false)).map((each) => ({ ...each, stays: errors.join('; ') }));
  }
}

function lookAt(
  { group, scope: scopeOf, logged }: VerifyGround,
  id: string,
  repair: boolean,
): Promise<readonly Difference[]> {
  return logged(repairOrigin, async (session, log) => {
    const scope = scopeOf(session, log);
    const record = await scope.records.locked(group.resource.name, id);
    if (record === undefined) return [];
    const found = await differencesIn(scope, group, { records: [record] });
    if (repair && found.length > 0) {
      await perform(scope, () => repairRecord(scope, { group: group.resource.name, id }));
      await scope.done();
    }
    return found;
  });
}
