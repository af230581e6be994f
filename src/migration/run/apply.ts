// The command `migrate apply`: runs the steps of the files that the database has not applied yet.
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Database } from '../../storage/schema/session.ts';
import { checksumOf, lastSchema, type Migration } from '../files/folder.ts';
import { areAdditive } from '../plan/additive.ts';
import { baselineOf } from './baseline.ts';
import type { Consent } from './consent.ts';
import { type DoneStep, prepareHistory, readDone } from './history.ts';
import { withLock } from './lock.ts';
import { begunMigrations, startName } from './older-processes.ts';
import { noteFiles, pendingSteps, type RunOptions, runSteps } from './run.ts';

export interface ApplyOptions
  extends Pick<RunOptions, 'onStep' | 'onProgress' | 'onIdle' | 'onStatement' | 'figures' | 'noticeMs'> {
  readonly database: Database;
  readonly migrations: readonly Migration[];
  readonly consent: Consent;
}

/**
 * Brings a database to where the migrations lead.
 * @returns how many steps were run; an empty database gets all its tables at once, which is returned as 0 with `isNew`.
 * @throws ConfigurationFault for what is refused
 */
export async function applyMigrations(
  options: ApplyOptions,
): Promise<{ readonly steps: number; readonly isNew: boolean }> {
  const { database, migrations } = options;
  await prepareHistory(database);
  return withLock(database, async (lock) => {
    const before = await readDone(database);
    const recorded = await baselineOf({ ...options, lock, wanted: lastSchema(migrations) });
    const done = await readDone(database);
    refuseEdited(migrations, done);
    const steps = pendingSteps(migrations, done);
    await runSteps(steps, recorded, { ...options, lock });
    await noteFiles(database, migrations);
    return { steps: steps.length, isNew: before.length === 0 && done.length > 0 && steps.length === 0 };
  });
}

/** How a file and what the database has seen of it fit together. */
type FileState = 'applied' | 'pending' | 'partly' | 'edited' | 'missing';

export interface FileReport {
  readonly name: string;
  readonly state: FileState;
  readonly steps: number;
  readonly done: number;
  /** Whether older processes may write while it is applied, and after. */
  readonly isAdditive: boolean;
}

/** Tells of each file, and of those that were applied and are gone. */
export function fileReports(migrations: readonly Migration[], done: readonly DoneStep[]): readonly FileReport[] {
  const files = migrations.map(({ name, steps, checksum, before }): FileReport => {
    const own = done.filter((entry) => entry.name === name);
    const isEdited = own.some(
      ({ step, checksum: seen }) => seen !== (step === 0 ? checksum : checksumOf(steps[step - 1] ?? {})),
    );
    const isWhole = own.some(({ step }) => step === 0);
    const count = own.filter(({ step }) => step > 0).length;
    const state = isEdited ? 'edited' : isWhole ? 'applied' : count > 0 ? 'partly' : 'pending';
    return { name, state, steps: steps.length, done: count, isAdditive: areAdditive(steps, before) };
  });
  const known = new Set(migrations.map(({ name }) => name));
  const gone = new Set(done.map(({ name }) => name).filter((name) => !known.has(name) && !name.startsWith('0000')));
  const missing = [...gone].map((name): FileReport => {
    const count = done.filter((entry) => entry.name === name && entry.step > 0).length;
    return { name, state: 'missing', steps: count, done: count, isAdditive: false };
  });
  return [...files, ...missing];
}

function refuseEdited(migrations: readonly Migration[], done: readonly DoneStep[]): void {
  const wrong = fileReports(migrations, done).filter(({ state }) => state === 'edited' || state === 'missing');
  const names = new Set([...migrations.map(({ name }) => name), startName, ...wrong.map(({ name }) => name)]);
  const missingNames = begunMigrations(done).filter((name) => !names.has(name));
  const words = [
    ...wrong.map(({ name, state }) =>
      state === 'edited' ? `${name} has changed since it was applied` : `${name} was applied, but its file is missing`,
    ),
    ...missingNames.map((name) => `${name} was started, but its file is missing`),
  ];
  if (words.length === 0) return;
  throw new ConfigurationFault(`${words.join('; ')}. Restore the file, and make new changes in a new migration.`);
}
