// `praxis migrate`. Never prompts: a refusal names the flag that allows the step.
import { existsSync } from 'node:fs';
import { figuresOf } from '../../app/figures.ts';
import { registryOf, rulesOf } from '../../app/registry.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { lastSchema, type Migration, readMigrations, writeMigration } from '../../migration/files/folder.ts';
import { nameOf, planMigration } from '../../migration/files/generate.ts';
import { areAdditive } from '../../migration/plan/additive.ts';
import { applyStep, type Step } from '../../migration/plan/steps.ts';
import { stepWords } from '../../migration/plan/words.ts';
import { applyMigrations } from '../../migration/run/apply.ts';
import { recordedIn } from '../../migration/run/history.ts';
import { patiently } from '../../migration/run/lock.ts';
import { startedSteps } from '../../migration/run/started.ts';
import { type Status, type StatusCode, statusOf } from '../../migration/run/status.ts';
import type { Registry } from '../../registry/model/model.ts';
import { fileOf, glance, memoryUrl, openDatabase } from '../../storage/database.ts';
import { prepareLog } from '../../storage/log/state.ts';
import type { Database } from '../../storage/schema/session.ts';
import { counted } from '../output/counted.ts';
import { type Progress, paceText, progressOn } from '../output/progress.ts';
import { type JsonFlag, print, printJson, tell } from '../output/terminal.ts';
import { whileUnavailable } from './wait.ts';

export interface GenerateFlags extends JsonFlag {
  readonly allowDrop?: boolean;
  readonly fill: readonly string[];
  readonly check?: boolean;
}

/** Writes the next migration, or with `check` only reports whether one is needed. @throws ConfigurationFault */
export function generate(config: Config, name: string | undefined, flags: GenerateFlags): void {
  const { allowDrop, fill, check, json } = flags;
  const registry = registryOf(config);
  const migrations = readMigrations(config.migrations);
  const options = { allowDrop: allowDrop === true || check === true, fill };
  // What the files say is the same on every machine, so that a check does not look further.
  const started = check === true ? [] : startedIn(config, registry, migrations);
  const planned = planMigration(registry, started.reduce(applyStep, lastSchema(migrations)), options);
  const steps = [...started, ...planned];
  const words = steps.map(stepWords);
  const isAdditive = areAdditive(steps, lastSchema(migrations));
  if (steps.length === 0) {
    tell(flags, { steps: [], file: null }, 'The migrations match the descriptors; no migration is needed.');
    return;
  }
  const older = isAdditive ? additive : notAdditive;
  if (check === true) {
    if (json === true) printJson({ steps: words, file: null, isAdditive });
    throw new ConfigurationFault(
      `The migrations do not match the descriptors:\n${lines(words)}\n${older}\nRun "praxis migrate generate".`,
    );
  }
  const named = readName(name ?? nameOf(steps, migrations.length + 1));
  const file = writeMigration(config.migrations, migrations, { name: named, steps });
  const shown = lines(words.slice(0, shownSteps));
  const more = words.length > shownSteps ? `\n  and ${words.length - shownSteps} more` : '';
  const next = `Written: ${file}. Review it, then run "praxis migrate apply".`;
  const before =
    started.length === 0
      ? ''
      : `A start of the service has already run the first ${counted(started.length, 'step')} on this database.\n`;
  tell(flags, { steps: words, file, isAdditive }, `${shown}${more}\n${before}${older}\n${next}`);
}

/** What a start has made of the database and no file says; nothing where that cannot be read. */
function startedIn(config: Config, registry: Registry, migrations: readonly Migration[]): readonly Step[] {
  try {
    const found = glance(config.databaseUrl, (all, dialect) => {
      const recorded = recordedIn(all);
      return recorded && startedSteps(registry, migrations, { ...recorded, dialect });
    });
    return found ?? [];
  } catch {
    return []; // there is no history, or no database behind this file: `apply` tells
  }
}

const shownSteps = 20;
/** Where standard error is a file, such as the log of a deployment. */
const progressLineMs = 10_000;
const additive = 'Additive: it can be applied while older processes run.';
const notAdditive = 'Not additive: older processes refuse writes after it starts.';
const logMade = 'creates the tables of the log of changes';

export interface ApplyFlags extends JsonFlag {
  readonly allowDrop?: boolean;
  readonly allowRebuild?: boolean;
  readonly allowLoss?: boolean;
}

/** Runs what is pending. @throws ConfigurationFault for what is refused */
export async function apply(config: Config, flags: ApplyFlags): Promise<void> {
  const migrations = readMigrations(config.migrations);
  if (migrations.length === 0)
    throw new ConfigurationFault(`'${config.migrations}' contains no migrations; run "praxis migrate generate".`);
  const progress = progressOn(process.stderr, progressLineMs);
  const waiting = { command: 'praxis migrate apply', onWait: progress.clear };
  // Begun again, it goes on after the steps that are done.
  const doneSteps: string[] = [];
  await whileUnavailable(config, waiting, (onProgress) =>
    applyOnce(config, flags, { migrations, progress, onProgress, doneSteps }),
  ).finally(progress.end);
}

interface Applying {
  readonly migrations: readonly Migration[];
  readonly progress: Progress;
  /** Called when a step begins, or is further. */
  readonly onProgress: () => void;
  /** Steps in words, with those of earlier attempts. */
  readonly doneSteps: string[];
}

async function applyOnce(
  config: Config,
  flags: ApplyFlags,
  { migrations, progress, onProgress, doneSteps }: Applying,
): Promise<void> {
  // The last step of an earlier attempt was interrupted.
  doneSteps.pop();
  const before = doneSteps.length;
  await withDatabase(config, async (database) => {
    let idle = 0;
    let since = performance.now();
    let lastDoneRows = 0;
    const { steps, isNew } = await applyMigrations({
      database,
      migrations,
      consent: {
        allowDrop: flags.allowDrop === true,
        allowRebuild: flags.allowRebuild === true,
        allowLoss: flags.allowLoss,
      },
      // The descriptors are of no concern to migrations that compute no figure.
      figures: (schema) => figuresOf(registryOf(config), database, rulesOf(config))(schema),
      onStep: (words) => {
        progress.clear();
        since = performance.now();
        if (doneSteps.length > before) onProgress();
        doneSteps.push(words);
        if (flags.json !== true) print(`  ${words}`);
      },
      onProgress: ({ doneRows, totalRows }) => {
        onProgress();
        // Values are computed a second time, without older processes.
        if (doneRows < lastDoneRows) since = performance.now();
        lastDoneRows = doneRows;
        progress.show(`    ${paceText(doneRows, totalRows, performance.now() - since)}`);
      },
      onIdle: () => {
        idle += 1;
      },
    });
    progress.clear();
    // What the service keeps beside the records follows no file: the tables of the log, where it is switched on.
    const hasNewLog =
      config.changes !== undefined && (await patiently(() => prepareLog(database, { isOn: true, mayMake: true })));
    if (hasNewLog) {
      doneSteps.push(logMade);
      if (flags.json !== true) print(`  ${logMade}`);
    }
    const startedText = idle === 0 ? '' : `, ${idle} already done by a start of the service`;
    const count = before + steps - idle;
    const text =
      before + steps === 0 ? 'No migrations are pending.' : `Applied ${counted(count, 'step')}${startedText}.`;
    tell(
      flags,
      { isNew, done: doneSteps, doneBefore: idle },
      isNew ? 'Created all tables in the empty database.' : text,
    );
  });
}

/** Prints how descriptors, migrations and database fit together. @returns whether they agree */
export async function status(config: Config, flags: JsonFlag): Promise<boolean> {
  const registry = registryOf(config);
  const migrations = readMigrations(config.migrations);
  const look = (database: Database): Promise<Status> => statusOf(database, registry, migrations);
  // Who only looks makes no file.
  const file = fileOf(config.databaseUrl);
  const found =
    file === undefined || existsSync(file)
      ? await whileUnavailable(config, { command: 'praxis migrate status' }, () => withDatabase(config, look))
      : await using(memoryUrl, look);
  tell(flags, found, statusText(found));
  return found.state === 'current';
}

const sentences: Record<StatusCode, string> = {
  new: 'The database is empty. Start the service, or run "praxis migrate apply".',
  current: 'Descriptors, migrations and database agree.',
  unwritten: 'The descriptors differ from the migrations. Run "praxis migrate generate".',
  pending: 'Migrations are pending. Run "praxis migrate apply".',
  drifted: 'A migration file or the database was changed by other means. Undo the changes below.',
};

function statusText({ state, files, unwritten, drift }: Status): string {
  const widest = Math.max(0, ...files.map(({ name }) => name.length));
  return [
    ...files.map(({ name, state: word, steps, done, isAdditive }) => {
      const kind = word === 'pending' && isAdditive ? ' (additive)' : '';
      const count = word === 'partly' ? ` (${done} of ${steps} steps)` : kind;
      return `${name.padEnd(widest)}  ${word}${count}`;
    }),
    ...(unwritten.length === 0 ? [] : ['In the descriptors, but not in a migration:', lines(unwritten)]),
    ...(drift.length === 0 ? [] : ['Changed in the database by other means:', lines(drift.map(({ text }) => text))]),
    sentences[state],
  ].join('\n');
}

const lines = (texts: readonly string[]): string => texts.map((text) => `  ${text}`).join('\n');

async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  if (config.databaseUrl === memoryUrl)
    throw new ConfigurationFault(`A database in memory (${memoryUrl}) ends with this command; set DATABASE_URL.`);
  return using(config.databaseUrl, work);
}

async function using<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

function readName(text: string): string {
  if (/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(text) && text.length <= 60) return text;
  throw new ConfigurationFault(`'${text}' is not a name of a migration; use lower-case letters, digits and hyphens.`);
}
