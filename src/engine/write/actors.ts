// Members who may no longer act, or sign in, after a write: their tokens and sessions end with it.
import type { Condition, Values } from '../../registry/model/model.ts';
import type { Session } from '../../storage/schema/session.ts';
import type { Change } from '../changes/change.ts';
import type { Groups } from '../plan/groups.ts';

/** Ids of acting records whose tokens or sessions end with a write. */
export interface EndedActors {
  /** They are no more. */
  readonly gone: readonly string[];
  /** They may act no longer; those that are no more are among them. */
  readonly ended: readonly string[];
  /** They may sign in no longer, or act no longer. */
  readonly out: readonly string[];
}

const nobody: EndedActors = { gone: [], ended: [], out: [] };

/**
 * The acting records that are deleted by these changes, or no longer fulfil `mayAct` or the condition of `signIn` since they have
 * changed a field at which it looks. Reads the rows of the latter as the transaction has written them.
 */
export async function endedActors(groups: Groups, session: Session, changes: readonly Change[]): Promise<EndedActors> {
  const { actors } = groups.registry;
  const own = changes.filter(({ group }) => group === actors);
  if (actors === undefined || own.length === 0) return nobody;
  const { resource, rows } = groups.get(actors);
  const gone = own.filter(({ kind }) => kind === 'delete').map(({ id }) => id);
  const records = new Map<string, Values>();
  /** Those that no longer fulfil a condition. */
  const without = async (condition: Condition | undefined): Promise<string[]> => {
    const looksAt = (key: string): boolean => condition?.keys.includes(key) === true;
    const changed = own.filter((change) => change.kind === 'update' && change.keys.some(looksAt)).map(({ id }) => id);
    const unread = [...new Set(changed)].filter((id) => !records.has(id));
    if (unread.length > 0) for (const [id, record] of await rows.records(session, unread)) records.set(id, record);
    return changed.filter((id) => {
      const record = records.get(id);
      return record !== undefined && condition?.test(record) === false;
    });
  };
  const ended = [...gone, ...(await without(resource.mayAct))];
  return { gone, ended, out: [...new Set([...ended, ...(await without(resource.signIn?.when))])] };
}
