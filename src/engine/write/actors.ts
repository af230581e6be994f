// Members who may no longer act after a write: their tokens end with it.
import type { Session } from '../../storage/schema/session.ts';
import type { Change } from '../changes/change.ts';
import type { Groups } from '../plan/groups.ts';

/**
 * Ids of the acting records that are deleted by these changes, or no longer fulfil `mayAct` since they have changed a field at
 * which it looks. Reads the rows of the latter as the transaction has written them.
 */
export async function endedActors(
  groups: Groups,
  session: Session,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const { actors } = groups.registry;
  const own = changes.filter(({ group }) => group === actors);
  if (actors === undefined || own.length === 0) return [];
  const { resource, rows } = groups.get(actors);
  const { mayAct } = resource;
  const gone = own.filter(({ kind }) => kind === 'delete').map(({ id }) => id);
  const looksAt = (key: string): boolean => mayAct?.keys.includes(key) === true;
  const changed = own.filter((change) => change.kind === 'update' && change.keys.some(looksAt)).map(({ id }) => id);
  if (mayAct === undefined || changed.length === 0) return gone;
  const records = await rows.records(session, [...new Set(changed)]);
  return [...gone, ...records.filter((record) => !mayAct.test(record)).map(({ id }) => String(id))];
}
