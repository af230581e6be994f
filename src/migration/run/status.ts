// The command `migrate status`: how descriptors, migrations and database fit together. Changes nothing.
import type { Registry } from '../../registry/model/model.ts';
import type { Database } from '../../storage/schema/session.ts';
import { compareLive, type Drift, readLive } from '../editors/live.ts';
import { lastSchema, type Migration } from '../files/folder.ts';
import { diffSchemas } from '../plan/diff.ts';
import { originsOf } from '../plan/origins.ts';
import { isSameSchema, schemaOf } from '../plan/schema.ts';
import { stepWords } from '../plan/words.ts';
import { type FileReport, fileReports } from './apply.ts';
import { hasHistory, readDone, readSchema } from './history.ts';

/**
 * `new`: nothing is set up. `current`: nothing is to be done. `unwritten`: the descriptors ask for more than the migrations
 * say. `pending`: migrations are to be applied. `drifted`: files or tables were changed that should not have been.
 */
export type StatusCode = 'new' | 'current' | 'unwritten' | 'pending' | 'drifted';

export interface Status {
  readonly state: StatusCode;
  readonly files: readonly FileReport[];
  /** What the descriptors ask beyond the migrations, in words. */
  readonly unwritten: readonly string[];
  /** What the database lacks of the schema that it was brought to. */
  readonly drift: readonly Drift[];
}

/** Looks at all three. */
export async function statusOf(
  database: Database,
  registry: Registry,
  migrations: readonly Migration[],
): Promise<Status> {
  const isKept = await hasHistory(database);
  const done = isKept ? await readDone(database) : [];
  const recorded = isKept ? await readSchema(database) : undefined;
  const live = await readLive(database, database.dialect);
  const wanted = schemaOf(registry);
  const files = fileReports(migrations, done);
  const unwritten = diffSchemas(lastSchema(migrations), wanted, { origins: originsOf(registry) }).map(stepWords);
  const isNew = recorded === undefined && wanted.tables.every(({ name }) => !live.has(name));
  const drift = isNew ? [] : compareLive(recorded ?? wanted, live, database.dialect);
  const isWrong = drift.length > 0 || files.some(({ state }) => state === 'edited' || state === 'missing');
  const isPending = files.some(({ state }) => state === 'pending' || state === 'partly');
  const state = isNew
    ? 'new'
    : isWrong
      ? 'drifted'
      : isPending
        ? 'pending'
        : unwritten.length > 0 || (recorded !== undefined && !isSameSchema(recorded, wanted))
          ? 'unwritten'
          : 'current';
  return { state, files, unwritten, drift };
}
