// Puts a workspace back as `praxis export --all` has written it, and looks whether it is right.
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { backfillFigures } from '../../engine/backfill.ts';
import { restoreRecords } from '../../engine/restore/restore.ts';
import { copyFiles } from '../../files/copy.ts';
import type { FileStore } from '../../files/store.ts';
import type { Field, Registry } from '../../registry/model/model.ts';
import { endRestore, isRestoreOpen } from '../../storage/counters.ts';
import type { JsonObject } from '../../values/json.ts';
import { verifyRecords } from '../verify.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

export interface RestoreSource {
  /** Where the bytes of its files are, if it has any. */
  readonly files: FileStore;
  /** Names of the groups that there are. */
  readonly groups: readonly string[];
  readonly recordsOf: (group: string) => AsyncIterable<JsonObject> | undefined;
}

/**
 * Into a workspace that has no records but those of its set-up, which are replaced, or those of a restore that has died: then all
 * begins anew. Behind it nothing differs from what formulas give.
 * @returns how many records there are
 * @throws ConfigurationFault where there are others, or the export does not fit; then no record is changed
 */
export async function restoreWorkspace(
  config: Config,
  { groups, files, recordsOf }: RestoreSource,
  onRecords: (group: string, count: number) => void,
): Promise<number> {
  const workspace = await openWorkspace(config);
  let records: number;
  try {
    const unknown = groups.filter((name) => !workspace.registry.resources.has(name));
    if (unknown.length > 0) throw new ConfigurationFault(`The export contains unknown groups: ${unknown.join(', ')}.`);
    const { groups: own, database, unit } = workspace;
    if (!(await isRestoreOpen(database))) await refuseFilled(workspace);
    records = await restoreRecords({ groups: own, database, schema: unit.schema, recordsOf, onRecords });
    if (workspace.files !== undefined) await copyFiles(unit, files, workspace.files);
    await backfillFigures({ groups: own, unit, fields: hiddenFigures(own.registry), portion: async () => {} });
    await endRestore(database);
  } finally {
    await workspace.close();
  }
  const { left } = await verifyRecords(config, { groups: [], repair: false, onDifference: () => {}, onRecords });
  if (left > 0) throw new ConfigurationFault(`${left} values differ from their formulas; run "praxis verify".`);
  return records;
}

/** What an export does not show, and is always true. */
const hiddenFigures = ({ resources }: Registry): ReadonlySet<Field> =>
  new Set(
    [...resources.values()].flatMap(({ fields }) =>
      fields.filter(({ shown, stored, figure }) => !shown && stored && figure?.taken === 'always'),
    ),
  );

/** Only set-up may have been here: no group holds more than it makes. */
async function refuseFilled({ engine, registry }: Workspace): Promise<void> {
  for (const { name, path, setup, singleton, computed } of registry.resources.values()) {
    if (singleton || computed !== undefined) continue;
    const found = await engine.together((batch) => batch.list(name, {}, setup.length + 1));
    if (found.length > setup.length)
      throw new ConfigurationFault(
        `The workspace already contains records (see ${path}); set DATABASE_URL to a new database.`,
      );
  }
}
