// Verifies the records of a group: compares each maintained computed field and each computed state with its formula, and each
// derived column with the value that it copies.
import { yieldIfDue } from '../../admission/event-loop.ts';
import { ReadFacts } from '../../facts/read-facts.ts';
import { evaluateGiven } from '../../formulas/evaluate/evaluate.ts';
import { Problem } from '../../problems.ts';
import type { Values } from '../../registry/model/model.ts';
import { DerivedColumns, type WrongCopy } from '../../storage/rows/derived-columns.ts';
import type { Session } from '../../storage/schema/session.ts';
import { ConstraintError } from '../../storage/unit-of-work.ts';
import { copyOf } from '../changes/copy-values.ts';
import { Draft } from '../draft/draft.ts';
import { knowBefore, type Stretch, stretchesOf } from '../figures/along.ts';
import { computeFigures } from '../figures/compute-figure.ts';
import { followStates } from '../figures/states.ts';
import { causeOf } from '../log/entries.ts';
import { type Origin, ownOrigin, type WriteLog } from '../log/write-log.ts';
import type { FigureField, Line } from '../plan/figures.ts';
import type { Group, Groups } from '../plan/groups.ts';
import type { Scope } from '../transaction/scope.ts';
import { repairRecord } from '../upkeep/maintain.ts';
import { perform } from '../write/write.ts';
import { type Difference, listDifferences } from './difference.ts';

/** Number of records that are read together. */
const chunkSize = 200;

interface ComputeOptions {
  /** Records with their lists. */
  readonly records: readonly Readonly<Values>[];
  /** All of the group by default. */
  readonly figures?: readonly FigureField[];
}

/** Transaction that writes to the change log. */
type LoggedTransaction = <T>(
  origin: Origin,
  work: (session: Session, log: WriteLog | undefined) => Promise<T>,
) => Promise<T>;

export interface VerifyContext {
  readonly groups: Groups;
  readonly direct: Session;
  readonly createScope: (session: Session, log?: WriteLog) => Scope;
  readonly transact: LoggedTransaction;
}

/** Collaborators of the verification of one group. */
interface GroupContext extends VerifyContext {
  readonly group: Group;
  readonly derivedColumns: DerivedColumns;
}

export interface VerifyOptions {
  readonly repair: boolean;
  /** Called after each chunk with its number of records. */
  readonly onRecords?: ((count: number) => void) | undefined;
}

/** Logs changes of the verified record itself as repairs; changes that follow from them keep their own cause. */
const repairOrigin: Origin = {
  ...ownOrigin,
  toCause: (cause, { group, id }) =>
    'of' in cause && cause.of.group === group && cause.of.id === id
      ? { kind: 'repair' }
      : causeOf(cause, { group, id }),
};

/** Compares the records of a group with their formulas and copies, in memory that does not grow with the group. */
export async function* verifyGroup(
  verifyContext: VerifyContext,
  name: string,
  options: VerifyOptions,
): AsyncGenerator<Difference> {
  const { groups } = verifyContext;
  const group = groups.get(name);
  const derivedColumns = new DerivedColumns(group.resource, groups.dialect, groups.statements);
  const context: GroupContext = { ...verifyContext, group, derivedColumns };
  if (group.resource.computed !== undefined) return;
  if (hasMaintainedFields(group)) yield* verifyInOrder(context, options);
  else if (!derivedColumns.isEmpty)
    for await (const { records } of stretchesOf(group.rows, context.direct, { line: undefined, size: chunkSize })) {
      yield* verifyCopies(context, records.map(getId), options);
      options.onRecords?.(records.length);
      await yieldIfDue();
    }
}

const getId = ({ id }: Readonly<Values>): string => String(id);

const hasMaintainedFields = ({ figures, states }: Group): boolean =>
  states.length > 0 || figures.some(({ figure }) => figure.taken === 'always');

/** Verifies a group once for each sequence of its records; the first pass compares derived columns as well. */
async function* verifyInOrder(context: GroupContext, { repair, onRecords }: VerifyOptions): AsyncGenerator<Difference> {
  const { group, direct } = context;
  const { lines } = group;
  const reportedIds = new Set<string>();
  for (const [pass, line] of (lines.length === 0 ? [undefined] : lines).entries())
    for await (const stretch of stretchesOf(group.rows, direct, { line, size: chunkSize })) {
      if (pass === 0) yield* verifyCopies(context, stretch.records.map(getId), { repair });
      // A concurrent write can make a record seem wrong: each is computed again under a lock.
      for (const id of await listWrongIds(context, stretch, line)) {
        if (reportedIds.has(id)) continue;
        if (lines.length > 1) reportedIds.add(id);
        yield* await verifyRecord(context, id, repair);
      }
      if (pass === 0) onRecords?.(stretch.records.length);
      await yieldIfDue();
    }
}

/** @param line Sequence of the stretch; computed fields that only follow another sequence are left out */
async function listWrongIds(
  { group, direct, createScope }: GroupContext,
  stretch: Stretch,
  line: Line | undefined,
): Promise<ReadonlySet<string>> {
  const scope = createScope(direct);
  if (line !== undefined) await knowBefore(scope, line, stretch);
  const records = await scope.records.wholeMany(group.resource.name, stretch.records.map(getId));
  const figuresOfOtherLines = group.lines.flatMap((other) => (other === line ? [] : other.figures));
  const figures = group.figures.filter(
    (each) => line?.figures.includes(each) === true || !figuresOfOtherLines.includes(each),
  );
  return new Set((await findDifferences(scope, group, { records, figures })).map(({ id }) => id));
}

/** Computes the maintained fields and the states of records from scratch. */
async function findDifferences(
  scope: Scope,
  group: Group,
  { records, figures = group.figures }: ComputeOptions,
): Promise<readonly Difference[]> {
  const drafts = records.map(
    (before) =>
      new Draft({
        ...{ scope, group, operation: 'update', before },
        ...{ values: copyOf(before), input: { values: {} } },
      }),
  );
  const facts = new ReadFacts({ records: scope.records, today: () => scope.reached(), evaluator: evaluateGiven });
  for (const figure of figures) if (figure.figure.taken === 'always') await computeFigures(drafts, figure, facts);
  const differences: Difference[] = [];
  for (const draft of drafts) {
    await followStates(draft, { old: draft.before });
    const name = { group: group.resource.name, id: getId(draft.values) };
    differences.push(...listDifferences(name, draft.before ?? {}, draft.values));
  }
  return differences;
}

/** Compares a record again under a lock. @returns differences, with the reason if a repair failed */
async function verifyRecord(context: GroupContext, id: string, repair: boolean): Promise<readonly Difference[]> {
  try {
    return await verifyLocked(context, id, repair);
  } catch (error) {
    if (!repair || !(error instanceof Problem) || error.status >= 500) throw error;
    const { message, errors = [message] } = error;
    return (await verifyLocked(context, id, false)).map((each) => ({ ...each, stays: errors.join('; ') }));
  }
}

function verifyLocked(
  { group, createScope, transact }: GroupContext,
  id: string,
  repair: boolean,
): Promise<readonly Difference[]> {
  return transact(repairOrigin, async (session, log) => {
    const scope = createScope(session, log);
    const record = await scope.records.locked(group.resource.name, id);
    if (record === undefined) return [];
    const differences = await findDifferences(scope, group, { records: [record] });
    if (repair && differences.length > 0) {
      await perform(scope, () => repairRecord(scope, { group: group.resource.name, id }));
      await scope.done();
    }
    return differences;
  });
}

// --- Derived columns

/** Compares the derived columns of records. Each wrong one is read again under a lock, because of concurrent writes. */
async function* verifyCopies(
  context: GroupContext,
  ids: readonly string[],
  { repair }: Pick<VerifyOptions, 'repair'>,
): AsyncGenerator<Difference> {
  const wrongCopies = await context.derivedColumns.findWrong(context.direct, ids);
  for (const id of new Set(wrongCopies.map((copy) => copy.id))) yield* await verifyCopiesLocked(context, id, repair);
}

async function verifyCopiesLocked(context: GroupContext, id: string, repair: boolean): Promise<readonly Difference[]> {
  const { group, createScope, transact, derivedColumns } = context;
  const repairAll = (mayRepair: boolean): Promise<readonly Difference[]> =>
    transact(repairOrigin, async (session) => {
      await createScope(session).records.locked(group.resource.name, id);
      const wrongCopies = await derivedColumns.findWrong(session, [id]);
      if (mayRepair) for (const copy of wrongCopies) await copy.repair(session);
      return wrongCopies.map((copy) => toDifference(group, copy));
    });
  try {
    return await repairAll(repair);
  } catch (error) {
    if (!repair || !(error instanceof ConstraintError)) throw error;
    return (await repairAll(false)).map((each) => ({ ...each, stays: 'another record has the same unique key' }));
  }
}

const toDifference = ({ resource }: Group, { id, path, column, stored, right }: WrongCopy): Difference => ({
  ...{ group: resource.name, id, place: path },
  ...{ column, stored: stored, right },
});
