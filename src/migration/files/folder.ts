// The migration folder: files in the order of their numbers, each replayed on the schema that those before it lead to.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical, emptySchema, type Schema, withoutStates } from '../plan/schema.ts';
import { applyStep, type Step, StepFault } from '../plan/steps.ts';
import { MigrationFaults, readSteps } from './read-file.ts';
import { migrationText } from './write-file.ts';

export interface Migration {
  /** `0002_phone` */
  readonly name: string;
  readonly file: string;
  readonly steps: readonly Step[];
  /** Of the steps alone: comments and layout may change. */
  readonly checksum: string;
  readonly before: Schema;
  readonly after: Schema;
}

const extension = '.jsonc';

/** Reads a folder; one that is not there has no migrations. @throws MigrationFaults with every fault of the first wrong file */
export function readMigrations(folder: string): readonly Migration[] {
  const migrations: Migration[] = [];
  let before: Schema = emptySchema;
  for (const [index, entry] of entriesOf(folder).entries()) {
    const file = join(folder, entry);
    const number = Number(/^(\d{4})_[a-z0-9]+(?:[-_][a-z0-9]+)*\.jsonc$/.exec(entry)?.[1] ?? Number.NaN);
    if (Number.isNaN(number))
      throw new MigrationFaults([
        `${file}: must be called like "0002_add-phone.jsonc": four digits, "_", small letters`,
      ]);
    if (number !== index + 1)
      throw new MigrationFaults([
        `${file}: ${number <= index ? 'its number is used twice' : `number ${numbered(index + 1)} is missing before it`}; migrations are numbered from 0001 without gaps`,
      ]);
    const migration = readMigration(file, entry.slice(0, -extension.length), before);
    migrations.push(migration);
    before = migration.after;
  }
  return migrations;
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((entry) => entry.endsWith(extension) || entry.endsWith('.json'))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function readMigration(file: string, name: string, before: Schema): Migration {
  const { steps, hasStates, placeOf } = readSteps(file, readFileSync(file, 'utf8'));
  let after = before === emptySchema && !hasStates ? withoutStates(before) : before;
  for (const [index, step] of steps.entries()) {
    try {
      after = applyStep(after, step);
    } catch (error) {
      if (error instanceof StepFault) throw new MigrationFaults([`${placeOf(index)}: ${error.message}`]);
      throw error;
    }
  }
  return { name, file, steps, checksum: checksumOf(steps), before, after };
}

/** What tells one list of steps, or one step, from another. */
export const checksumOf = (steps: unknown): string =>
  createHash('sha256').update(canonical(steps)).digest('hex').slice(0, 40);

/** The schema that the migrations of a folder lead to. */
export const lastSchema = (migrations: readonly Migration[]): Schema => migrations.at(-1)?.after ?? emptySchema;

export interface NewMigration {
  /** Small letters, digits and hyphens; its number comes before it. */
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Writes the migration that comes after others. @returns the file's path */
export function writeMigration(
  folder: string,
  migrations: readonly Migration[],
  { name, steps }: NewMigration,
): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${numbered(migrations.length + 1)}_${name}${extension}`);
  // Never over another one, which somebody else may have just made.
  writeFileSync(file, migrationText(steps, lastSchema(migrations)), { flag: 'wx' });
  return file;
}

const numbered = (number: number): string => String(number).padStart(4, '0');
