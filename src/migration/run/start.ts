// The schema check at the start of the service: does the database fit the descriptors, and if not, may it be changed now?
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Registry } from '../../registry/model/model.ts';
import { prepareState } from '../../storage/counters.ts';
import { isMigrating, readRevision } from '../../storage/rows/schema-revision.ts';
import type { Database } from '../../storage/schema/session.ts';
import { classOf, classWords, isAddition } from '../editors/changes.ts';
import { compareLive, readLive } from '../editors/live.ts';
import { lastSchema, type Migration, readMigrations } from '../files/folder.ts';
import { diffSchemas } from '../plan/diff.ts';
import { type Origins, originsOf } from '../plan/origins.ts';
import { isSameSchema, type Schema, schemaOf } from '../plan/schema.ts';
import { applyStep } from '../plan/steps.ts';
import { stepWords } from '../plan/words.ts';
import { fileReports } from './apply.ts';
import { baselineOf } from './baseline.ts';
import type { FigureFiller } from './figures.ts';
import {
  type DoneStep,
  noteFingerprint,
  prepareHistory,
  readDone,
  readFingerprint,
  readMark,
  readSchema,
  type SchemaMark,
} from './history.ts';
import { patiently, withLock } from './lock.ts';
import { noteFiles, type PlannedStep, pendingSteps, runSteps } from './run.ts';

export interface StartOptions {
  readonly database: Database;
  readonly registry: Registry;
  /** Folder of migrations, where there is one. */
  readonly folder: string | undefined;
  /** Whether a server database that holds records may be added to. An embedded one always may. */
  readonly applyAdditions: boolean;
  /**
   * Whether somebody is at work on the descriptors (`praxis dev`): what a database can do without, such as a bound that is
   * lower or a group that is gone, is left to a migration, and does not stop the service.
   */
  readonly isTrial?: boolean | undefined;
  /** Who computes figures that are new, or have another formula. */
  readonly figures?: FigureFiller | undefined;
  /** A line for each step that is done. */
  readonly onStep?: (words: string) => void;
}

/**
 * Brings a database to what the descriptors ask, as far as that only adds. With nothing to do: two short statements.
 * @returns the revision of its schema. @throws ConfigurationFault that says what to run
 */
export async function bringUp(options: StartOptions): Promise<number> {
  const { database, registry } = options;
  const wanted = schemaOf(registry);
  const { state, revision } = await currency(database, wanted);
  if (state === 'current') return revision;
  await prepareHistory(database);
  return withLock(database, async (lock) => {
    // Another process may have been quicker.
    if (await isCurrent(database, wanted)) return readRevision(database);
    const migrations = options.folder === undefined ? [] : readMigrations(options.folder);
    const isWritten = isSameSchema(lastSchema(migrations), wanted);
    if (options.folder !== undefined && options.isTrial !== true) refuseAhead(migrations, await readDone(database));
    const known = await readSchema(database);
    // One that is taken on, or made, has been looked at.
    if (known !== undefined) await refuseOthers(database, known);
    const recorded = known ?? (await baselineOf({ database, lock, wanted, migrations }));
    if (!isSameSchema(recorded, wanted)) {
      const origins = originsOf(registry);
      const planned = await planOf({
        ...{ recorded, wanted, migrations, origins, database },
        isWritten: isWritten && options.isTrial !== true,
      });
      const steps = options.isTrial === true ? withoutLater(planned, recorded, database) : planned;
      await refuseUnasked({ steps, recorded, isWritten }, options);
      const consent = { allowDrop: false, allowRebuild: false };
      await runSteps(steps, recorded, { ...options, lock, consent });
    } else await refuseUnfinished(database);
    await noteFiles(database, isWritten && options.isTrial !== true ? migrations : []);
    return readRevision(database);
  });
}

/** How a database fits the descriptors. */
interface Currency {
  /** `marked`: it was brought to them, and its catalogue looks different now, or a migration is under way. */
  readonly state: 'current' | 'marked' | 'other';
  readonly revision: number;
}

/** What is known of a database at a glance. One that somebody changes at the moment may be marked before it is done. */
async function currency(database: Database, wanted: Schema): Promise<Currency> {
  const unfit: Currency = { state: 'other', revision: Number.NaN };
  try {
    const mark = await readMark(database);
    if (mark === undefined || !isSameSchema(mark.hash, wanted)) return unfit;
    const { fingerprint, revision } = mark;
    const isUnchanged = fingerprint === (await readFingerprint(database, database.dialect));
    return { state: isUnchanged && isRevisionSettled(revision) ? 'current' : 'marked', revision };
  } catch {
    return unfit; // there is no history yet; what else is wrong shows when it is made
  }
}

const isRevisionSettled = (revision: number): boolean => !Number.isNaN(revision) && !isMigrating(revision);

/** @throws ConfigurationFault if a newer version has applied migrations that this one does not have */
function refuseAhead(migrations: readonly Migration[], done: readonly DoneStep[]): void {
  // Without migration files, only the descriptors define the tables.
  if (migrations.length === 0) return;
  const missing = fileReports(migrations, done).flatMap(({ name, state }) => (state === 'missing' ? [name] : []));
  if (missing.length > 0)
    throw new ConfigurationFault(
      `The database is newer than this version, which has no migration ${missing.join(', ')}. Start the newer version.`,
    );
}

/** @throws ConfigurationFault if another process has begun a migration and not finished it */
async function refuseUnfinished(database: Database): Promise<void> {
  if (isMigrating(await readRevision(database)))
    throw new ConfigurationFault('A migration was started but not finished. Run "praxis migrate apply".');
}

/**
 * Whether a database was brought to a schema, and nobody has changed it by hand since. To be asked under the lock.
 * @throws ConfigurationFault where somebody has
 */
async function isCurrent(database: Database, wanted: Schema): Promise<boolean> {
  const { state } = await currency(database, wanted);
  if (state !== 'marked') return state === 'current';
  await refuseUnfinished(database);
  await refuseOthers(database, wanted);
  await patiently(() => database.transact((session) => noteFingerprint(session, database.dialect)));
  return true;
}

/** Reports whether a database fits the descriptors, and no migration is under way. Writes nothing. */
export const isBroughtUp = async (database: Database, registry: Registry): Promise<boolean> =>
  (await findFittingMark(database, registry)) !== undefined;

/** Reads the revision of a database that fits the descriptors. @returns undefined if it does not */
export async function findFittingRevision(database: Database, registry: Registry): Promise<number | undefined> {
  if (!(await isBroughtUp(database, registry))) return undefined;
  // A database of an earlier version has no revision yet.
  await patiently(() => prepareState(database));
  return (await findFittingMark(database, registry))?.revision;
}

async function findFittingMark(database: Database, registry: Registry): Promise<SchemaMark | undefined> {
  try {
    const mark = await readMark(database);
    const isFit = mark !== undefined && isSameSchema(mark.hash, schemaOf(registry)) && !isMigrating(mark.revision);
    return isFit ? mark : undefined;
  } catch {
    return undefined; // there is no history
  }
}

/** @throws ConfigurationFault when tables were changed by other means */
async function refuseOthers(database: Database, schema: Schema): Promise<void> {
  const drift = compareLive(schema, await readLive(database, database.dialect), database.dialect);
  if (drift.length > 0)
    throw new ConfigurationFault(
      `The database does not match the descriptors: ${drift.map(({ text }) => text).join('; ')}. It was changed by other means than a migration; run "praxis migrate status".`,
    );
}

interface PlanOptions {
  readonly recorded: Schema;
  readonly wanted: Schema;
  readonly migrations: readonly Migration[];
  readonly isWritten: boolean;
  readonly origins: Origins;
  readonly database: Database;
}

/** The steps of files where they lead to the descriptors, else those that lead there directly. */
async function planOf({
  recorded,
  wanted,
  migrations,
  isWritten,
  origins,
  database,
}: PlanOptions): Promise<readonly PlannedStep[]> {
  if (isWritten) {
    const done = await readDone(database);
    const isSound = fileReports(migrations, done).every(({ state }) => state !== 'edited');
    const pending = isSound ? pendingSteps(migrations, done) : [];
    if (pending.length > 0) return pending;
  }
  return diffSchemas(recorded, wanted, { origins }).map((step) => ({ step, place: undefined }));
}

/** The steps that a database cannot do without. */
function withoutLater(steps: readonly PlannedStep[], recorded: Schema, { dialect }: Database): readonly PlannedStep[] {
  let now = recorded;
  return steps.filter(({ step }) => {
    const canWait =
      step.do === 'dropTable' ||
      step.do === 'changeLimits' ||
      (step.do === 'changeColumn' && classOf(step, now, dialect) === 'metadata');
    now = applyStep(now, step);
    return !canWait;
  });
}

interface StartPlan {
  readonly steps: readonly PlannedStep[];
  readonly recorded: Schema;
  /** Whether the migrations lead to the descriptors. */
  readonly isWritten: boolean;
}

/** @throws ConfigurationFault unless all steps only add, and may be done without being asked for */
async function refuseUnasked(
  { steps, recorded, isWritten }: StartPlan,
  { database, applyAdditions }: StartOptions,
): Promise<void> {
  const { dialect } = database;
  let now = recorded;
  let areAdditions = true;
  const words: string[] = [];
  for (const { step } of steps) {
    words.push(`  ${stepWords(step)} (${classWords[classOf(step, now, dialect)]})`);
    if (!isAddition(step, now, dialect)) areAdditions = false;
    if (
      step.do === 'addColumn' &&
      step.column.nullable !== true &&
      step.column.madeFrom === undefined &&
      step.fill === undefined
    )
      areAdditions &&= await isEmpty(database, step.table);
    now = applyStep(now, step);
  }
  if (areAdditions && (dialect.isEmbedded || applyAdditions)) return;
  const commands = `${isWritten ? '' : '"praxis migrate generate", then '}"praxis migrate apply"`;
  const setting = areAdditions ? ' Or set APPLY_ADDITIONS=true, because these steps are additive.' : '';
  throw new ConfigurationFault(
    `The database does not match the descriptors. Required steps:\n${words.join('\n')}\nRun ${commands}.${setting}`,
  );
}

async function isEmpty(database: Database, table: string): Promise<boolean> {
  return (await database.all(`select 1 from ${database.dialect.quote(table)} limit 1`, [])).length === 0;
}
