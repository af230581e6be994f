// Puts a workspace back as an export has it: rows as they were, with their ids, without effects, defaults, locks and transitions. It
// is what proves an export: behind it nothing differs from what formulas give.
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Resource } from '../../registry/model/model.ts';
import { noteRestore } from '../../storage/counters.ts';
import type { SchemaRevision } from '../../storage/rows/schema-revision.ts';
import type { Database, Session } from '../../storage/schema/session.ts';
import { isStored } from '../../storage/schema/tables.ts';
import { danglingKey, emptyTables, giveNumbers } from '../../storage/whole-tables.ts';
import { timeOfId } from '../../values/id.ts';
import type { JsonObject } from '../../values/json.ts';
import { byCaller, type Creation } from '../changes/change.ts';
import type { Groups } from '../plan/groups.ts';
import { valuesOfRecord } from './record-values.ts';

interface Restoring {
  readonly groups: Groups;
  readonly database: Database;
  readonly schema: SchemaRevision;
  /** The records of a group, in the order of the export; undefined where it has none of the group. */
  readonly recordsOf: (group: string) => AsyncIterable<JsonObject> | undefined;
  /** Told of each portion. */
  readonly onRecords?: (group: string, count: number) => void;
}

/** Records that are written in one go. */
const portion = 200;

/**
 * Replaces all records in one transaction, and notes that more is to follow: figures that the export does not show are not computed
 * yet. @returns how many there are. @throws ConfigurationFault for a record that cannot be, or that names another which is not there
 */
export async function restoreRecords({ groups, database, schema, recordsOf, onRecords }: Restoring): Promise<number> {
  const resources = [...groups.registry.resources.values()].filter(isStored);
  const restore = async (session: Session): Promise<number> => {
    await emptyTables(session, groups.registry, database.dialect);
    let total = 0;
    for (const resource of resources) {
      const records = recordsOf(resource.name);
      if (records === undefined) continue;
      const count = await restoreGroup({ groups, session, resource }, records, onRecords);
      if (resource.rules.some(({ use }) => use === 'sequence')) await giveNumbers(session, resource.name, count);
      total += count;
    }
    const dangling = await danglingKey(session, groups.registry, database.dialect);
    if (dangling !== undefined)
      throw new ConfigurationFault(
        `The export is not whole: ${dangling.table}.${dangling.column} names a record that is not there.`,
      );
    await noteRestore(session, database.dialect);
    return total;
  };
  return database.replace((session) => schema.guard(session, restore));
}

interface Place {
  readonly groups: Groups;
  readonly session: Session;
  readonly resource: Resource;
}

async function restoreGroup(
  { groups, session, resource }: Place,
  records: AsyncIterable<JsonObject>,
  onRecords: Restoring['onRecords'],
): Promise<number> {
  let count = 0;
  let waiting: Creation[] = [];
  const write = async (): Promise<void> => {
    const creations = waiting;
    waiting = [];
    await groups.writer.carryOut(session, creations, { noteStopped: () => {} });
    count += creations.length;
    onRecords?.(resource.name, count);
  };
  for await (const record of records) {
    const after = valuesOfRecord(resource, record);
    const id = String(after['id']);
    // Lists go by the time of making, which is read out of ids.
    if (timeOfId(id) !== after['createdAt'] && resource.setup.length === 0 && timeOfId(id) === undefined)
      throw new ConfigurationFault(`A ${resource.title} has the id '${id}', which is none.`);
    waiting.push({ kind: 'create', group: resource.name, id, after, cause: byCaller });
    if (waiting.length >= portion) await write();
  }
  if (waiting.length > 0) await write();
  return count;
}
