// Kinds of locks, which of them those take who look for records by what these have in common, and the rows that stand for records
// which name nothing together.
import type { WriteOperation } from '../../facts/context.ts';
import type { Registry, Resource } from '../../registry/model/model.ts';
import { stateTableName } from '../../storage/counters.ts';

/**
 * `counter`: a column of the row is raised, which conflicts with all others on every node of a cluster. `shared`: several may
 * hold the row at the same time, and nobody changes it.
 */
export type LockKind = 'counter' | 'shared';

/** How a record is locked while it is read: `own` where the write will change it. */
export type ReadLock = 'own' | 'shared';

interface Looking {
  /** Who looks. */
  readonly own: { readonly resource: Pick<Resource, 'name'>; readonly comparedBy: ReadonlySet<string> };
  readonly other: string;
  readonly operation: WriteOperation;
  readonly made: string | undefined;
  /** The group of what those have in common that are looked for. */
  readonly target: string | undefined;
  /** Whether any of them counts. */
  readonly isAny: boolean;
}

/**
 * How who looks at records locks what they have in common. Either those who look shut out those who write such records, who only
 * hold it then; or they hold it, and those who write shut them out. The first where those who look shut each other out there anyway,
 * of deletes, which are seldom, and where any record counts; else the second: what is looked for (who is on a project) changes less often than one looks.
 */
export const lookingKind = ({ own, other, operation, made, target, isAny }: Looking): LockKind =>
  isAny || other === own.resource.name || other === made || operation === 'delete' || own.comparedBy.has(target ?? '')
    ? 'counter'
    : 'shared';

/**
 * The rows that stand for records which name nothing together: under which names, among those of groups, they are locked. A table
 * of the service's own has its place among them too. Settings that are made only under a condition may be there as well, and who
 * changes them locks nothing else.
 */
export function commonRowsOf({ workspace }: Pick<Registry, 'workspace'>): readonly string[] {
  if (workspace === undefined) return [stateTableName];
  const isSure = workspace.setup.some((record) => record['$when'] === undefined);
  return isSure ? [workspace.name] : [stateTableName, workspace.name];
}
