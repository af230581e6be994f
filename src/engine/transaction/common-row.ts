// Locks the rows that stand for records which name nothing together: the workspace's settings, or a counter of the service.
import { lockCounter, raiseCounter, stateTableName } from '../../storage/counters.ts';
import type { RowLock } from '../../storage/rows/row-reader.ts';
import type { Session } from '../../storage/schema/session.ts';
import type { Groups } from '../plan/groups.ts';

interface Rows {
  /** A group, or the name of the common row. */
  readonly group: string;
  readonly ids: readonly string[];
}

export const raiseRows = ({ writer }: Groups, session: Session, { group, ids }: Rows): Promise<void> =>
  group === stateTableName ? raiseCounter(session, 'records') : writer.guard(session, group, ids);

export function lockRows(groups: Groups, session: Session, rows: Rows & { readonly lock: RowLock }): Promise<void> {
  const { group, ids, lock } = rows;
  const { forUpdate, forShare } = groups.dialect;
  return group === stateTableName
    ? lockCounter(session, 'records', lock === 'own' ? forUpdate : forShare)
    : groups.get(group).rows.lock(session, ids, lock);
}
