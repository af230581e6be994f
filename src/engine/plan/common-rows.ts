// The rows that stand for records which name nothing together.
import type { Registry } from '../../registry/model/model.ts';
import { stateTableName } from '../../storage/counters.ts';

/**
 * Under which names, among those of groups, it is locked. A table of the service's own has its place among them too. Settings that
 * are made only under a condition may be there as well, and who changes them locks nothing else.
 */
export function commonRowsOf({ workspace }: Pick<Registry, 'workspace'>): readonly string[] {
  if (workspace === undefined) return [stateTableName];
  const isSure = workspace.setup.some((record) => record['$when'] === undefined);
  return isSure ? [workspace.name] : [stateTableName, workspace.name];
}
