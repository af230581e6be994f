// The present schema of a database: from the history, or, where there is none, read from its catalogue. An empty database gets
// all tables at once; one made before there was a history is adopted when it fits.
import { isDeepStrictEqual } from 'node:util';
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Database, Session } from '../../storage/schema/session.ts';
import { createTables, foreignKeySql } from '../../storage/statements/ddl.ts';
import { compareLive, type Live, readLive } from '../editors/live.ts';
import { checksumOf, type Migration } from '../files/folder.ts';
import { adaptStep } from '../plan/adapt.ts';
import { columnIn, isSameSchema, type Schema, storageTable, withoutStates } from '../plan/schema.ts';
import type { Step } from '../plan/steps.ts';
import {
  forgetSetUp,
  isSetUpBegun,
  noteDone,
  noteFingerprint,
  noteSchema,
  noteSetUp,
  readDone,
  readSchema,
} from './history.ts';
import { type Lock, patiently } from './lock.ts';

export interface BaselineOptions {
  readonly database: Database;
  readonly lock: Lock;
  /** What an empty database gets. */
  readonly wanted: Schema;
  readonly migrations: readonly Migration[];
  readonly onStatement?: () => void | Promise<void>;
}

/** @returns the schema of the database, which has been noted. @throws ConfigurationFault when it fits nothing that is known */
export async function baselineOf(options: BaselineOptions): Promise<Schema> {
  const { database, wanted, migrations } = options;
  const recorded = await readSchema(database);
  if (recorded !== undefined) return recorded;
  const live = await readLive(database, database.dialect);
  const known = wanted.tables.filter(({ name }) => live.has(name));
  if (known.length === 0 || isSetUpBegun(await readDone(database))) return setUpTables(options, live);
  const target = database.dialect;
  const candidates = [wanted, ...migrations.toReversed().map(({ after }) => after), { ...wanted, tables: known }];
  const found = candidates.find(
    ({ tables }) => tables.length > 0 && compareLive({ tables }, live, target).length === 0,
  );
  if (found === undefined) {
    const drift = compareLive(wanted, live, target).map(({ text }) => text);
    throw new ConfigurationFault(
      `The database does not match the descriptors: ${drift.join('; ')}. It was created before migrations were recorded; change the tables (alter table), or set DATABASE_URL to a new database.`,
    );
  }
  await patiently(() => database.transact((session) => note(session, found, options)));
  return found;
}

async function setUpTables(options: BaselineOptions, live: Live): Promise<Schema> {
  const { database, lock, wanted, onStatement } = options;
  const there = wanted.tables.filter(({ name }) => live.has(name));
  const [wrong] = compareLive({ tables: there }, live, database.dialect).filter(
    ({ code }) => code !== 'foreign-key-missing',
  );
  if (wrong !== undefined)
    throw new ConfigurationFault(
      `The database cannot be set up: ${wrong.text}. Set DATABASE_URL to an empty database.`,
    );
  const missing = wanted.tables.filter(({ name }) => !live.has(name)).map(storageTable);
  const statements = [...createTables(missing, live.keys(), database.dialect), ...lateKeys(wanted, live, options)];
  const { hasTransactionalDdl } = database.dialect;
  if (!hasTransactionalDdl) await patiently(() => database.transact((session) => noteSetUp(session, database.dialect)));
  await patiently(() =>
    database.restructure(async (session) => {
      await lock.renew(session);
      for (const sql of statements) {
        await session.run(sql, []);
        if (!hasTransactionalDdl) await onStatement?.();
      }
      if (hasTransactionalDdl) await note(session, wanted, options);
    }),
  );
  if (!hasTransactionalDdl) await patiently(() => database.transact((session) => note(session, wanted, options)));
  return wanted;
}

/** Keys between groups that refer to each other, of tables that were made before a set-up was interrupted. */
function lateKeys(wanted: Schema, live: Live, { database }: BaselineOptions): string[] {
  const { dialect } = database;
  if (dialect.hasTransactionalDdl) return [];
  return wanted.tables.flatMap((table) => {
    const found = live.get(table.name);
    if (found === undefined) return [];
    const keys = storageTable(table).foreignKeys.filter(({ column }) => !found.foreignKeys.has(column));
    return keys.map((key) => `alter table ${dialect.quote(table.name)} add ${foreignKeySql(key, dialect)}`);
  });
}

/** Notes a schema, and the migrations that lead to it. */
async function note(session: Session, schema: Schema, { database, migrations }: BaselineOptions): Promise<void> {
  const { dialect } = database;
  await noteSchema(session, schema);
  const here = migrations.findLastIndex(({ after }) => isSameSchema(after, schema));
  const last = here >= 0 ? here : migrations.findLastIndex(({ after }) => isWithin(after, schema));
  for (const [place, { name, checksum, steps }] of migrations.entries()) {
    // Those that lead here; and of a database that is ahead of its migrations, those that have nothing left to do.
    if (place > last && !steps.every((step) => isMet(step, schema))) break;
    for (const [index, step] of steps.entries())
      await noteDone(session, dialect, { name, step: index + 1, checksum: checksumOf(step) });
    await noteDone(session, dialect, { name, step: 0, checksum });
  }
  await forgetSetUp(session);
  await noteFingerprint(session, dialect);
}

/** Whether a schema has all of another one, as it is there, and only more besides. */
const isWithin = (part: Schema, whole: Schema): boolean => {
  const { tables } = part.hasStates === true ? whole : withoutStates(whole);
  return part.tables.every(({ name, columns }) => {
    const table = tables.find((other) => other.name === name);
    return columns.every((column) => table?.columns.some((other) => isDeepStrictEqual(other, column)));
  });
};

/** Whether a schema has what a step makes. */
const isMet = (step: Step, schema: Schema): boolean =>
  step.do === 'addForeignKey'
    ? columnIn(schema, step)?.references === step.references
    : step.do === 'computeColumn'
      ? columnIn(schema, step) !== undefined
      : adaptStep(step, schema).length === 0;
