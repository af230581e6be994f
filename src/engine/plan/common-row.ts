// What is locked for records that name nothing together: the row of the workspace's settings; where set-up may have made none, a
// row of the service's own.
import type { Registry } from '../../registry/model.ts';
import type { RowLock } from '../../storage/row-reader.ts';
import type { Session } from '../../storage/session.ts';
import { lockCounter, raiseCounter, stateTableName } from '../../storage/state.ts';
import type { Groups } from '../groups.ts';

/**
 * Under which names, among those of groups, it is locked. A table of the service's own has its place among them too. Settings that
 * are made only under a condition may be there as well, and who changes them locks nothing else.
 */
export function commonRowsOf({ workspace }: Pick<Registry, 'workspace'>): readonly string[] {
  if (workspace === undefined) return [stateTableName];
  const isSure = workspace.setup.some((record) => record['$when'] === undefined);
  return isSure ? [workspace.name] : [stateTableName, workspace.name];
}

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
