// The schema check at the start of the service: does the database fit the descriptors, and if not, may it be changed now?
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Registry } from '../../registry/model/model.ts';
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
import { noteFingerprint, prepareHistory, readDone, readFingerprint, readMark, readSchema } from './history.ts';
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
 * @throws ConfigurationFault that says what to run
 */
export async function bringUp(options: StartOptions): Promise<void> {
  const { database, registry } = options;
  const wanted = schemaOf(registry);
  if ((await currency(database, wanted)) === 'current') return;
  await prepareHistory(database);
  await withLock(database, async (lock) => {
    // Another process may have been quicker.
    if (await isCurrent(database, wanted)) return;
    const migrations = options.folder === undefined ? [] : readMigrations(options.folder);
    const isWritten = isSameSchema(lastSchema(migrations), wanted);
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
    }
    await noteFiles(database, isWritten && options.isTrial !== true ? migrations : []);
  });
}

/** What is known of a database at a glance. One that somebody changes at the moment may be marked before it is done. */
async function currency(database: Database, wanted: Schema): Promise<'current' | 'marked' | 'other'> {
  try {
    const mark = await readMark(database);
    if (mark === undefined || !isSameSchema(mark.hash, wanted)) return 'other';
    return mark.fingerprint === (await readFingerprint(database, database.dialect)) ? 'current' : 'marked';
  } catch {
    return 'other'; // there is no history yet; what else is wrong shows when it is made
  }
}

/**
 * Whether a database was brought to a schema, and nobody has changed it by hand since. To be asked under the lock.
 * @throws ConfigurationFault where somebody has
 */
async function isCurrent(database: Database, wanted: Schema): Promise<boolean> {
  const known = await currency(database, wanted);
  if (known !== 'marked') return known === 'current';
  await refuseOthers(database, wanted);
  await patiently(() => database.transact((session) => noteFingerprint(session, database.dialect)));
  return true;
}

/** Whether a database has been brought to what the descriptors ask. Nothing is written. */
export async function isBroughtUp(database: Database, registry: Registry): Promise<boolean> {
  try {
    const mark = await readMark(database);
    return mark !== undefined && isSameSchema(mark.hash, schemaOf(registry));
  } catch {
    return false; // there is no history
  }
}

/** @throws ConfigurationFault when tables were changed by other means */
async function refuseOthers(database: Database, schema: Schema): Promise<void> {
  const drift = compareLive(schema, await readLive(database, database.dialect), database.dialect);
  if (drift.length > 0)
    throw new ConfigurationFault(
      `The database does not fit the descriptors: ${drift.map(({ text }) => text).join('; ')}. Something else than a migration has changed it; see: praxis migrate status.`,
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
  const commands = `${isWritten ? '' : 'praxis migrate generate, then '}praxis migrate apply`;
  const setting = areAdditions ? ' Or set APPLY_ADDITIONS=true: these steps only add.' : '';
  throw new ConfigurationFault(
    `The database does not fit the descriptors. To be done:\n${words.join('\n')}\nRun: ${commands}.${setting}`,
  );
}

async function isEmpty(database: Database, table: string): Promise<boolean> {
  return (await database.all(`select 1 from ${database.dialect.quote(table)} limit 1`, [])).length === 0;
}
