// Takes predicate locks for figures: a write that looks for records by what both name, or that creates or changes such records,
// bumps the version of the row that both name before either reads.

import { isRecord } from '../../facts/record-values.ts';
import type { ColumnPath } from '../../formulas/analyse/reverse-paths.ts';
import type { Values } from '../../registry/model/model.ts';
import { type Guarded, workspaceRow } from '../../rules/support/rule.ts';
import type { Draft } from './draft.ts';

/** What this write guards for figures, as far as the body and the stored record tell. */
export function guardedForFigures(draft: Draft): readonly Guarded[] {
  const { scope, group, before, values, operation } = draft;
  if (scope.groups.dialect.hasOneWriter || group.figureGuards.spots.length === 0) return [];
  const states = before === undefined || operation === 'delete' ? [values] : [before, values];
  const spots = operation === 'update' ? draft.changed.guardSpots : group.figureGuards.spots;
  return spots.flatMap(({ spot, target }) => {
    if (spot === undefined || target === undefined) return workspaceRow;
    return [{ group: target, ids: [...new Set(states.flatMap((state) => idsAt(state, spot)))] }];
  });
}

/** The ids that a record has at a spot. */
export function idsAt(values: Readonly<Values>, spot: ColumnPath): readonly string[] {
  const value = values[spot.key];
  if (spot.lists.length === 0 && spot.when === undefined && !Array.isArray(value))
    return typeof value === 'string' ? [value] : [];
  const ids: string[] = [];
  someAt([values], spot, (id) => {
    ids.push(id);
    return false;
  });
  return ids;
}

/** Those of one of several groups, by what the field beside them says of which. */
export function idsByKind(
  values: Readonly<Values>,
  spot: Omit<ColumnPath, 'when'>,
  by: string,
): ReadonlyMap<unknown, ReadonlySet<string>> {
  const found = new Map<unknown, Set<string>>();
  someAt([values], spot, (id, { [by]: kind }) => {
    found.set(kind, (found.get(kind) ?? new Set()).add(id));
    return false;
  });
  return found;
}

/** Whether a record has this id at a spot. */
export const hasAt = (values: Readonly<Values>, spot: ColumnPath, id: string): boolean =>
  someAt([values], spot, (one) => one === id);

/**
 * Whether something holds of an id at a spot. It is asked for each of many ids, and so makes nothing for each item.
 * @param around The item so far, behind all that it stands in.
 */
function someAt(
  around: Readonly<Values>[],
  spot: ColumnPath,
  holds: (id: string, holder: Readonly<Values>) => boolean,
): boolean {
  const { lists, up, key, when } = spot;
  const list = lists[around.length - 1];
  const item = around.at(-1);
  if (list !== undefined) {
    const items = item?.[list];
    if (!Array.isArray(items)) return false;
    for (const one of items) {
      if (!isRecord(one)) continue;
      around.push(one);
      const isSo = someAt(around, spot, holds);
      around.pop();
      if (isSo) return true;
    }
    return false;
  }
  const here = around[Math.max(0, around.length - 1 - up)];
  if (here === undefined || (when !== undefined && here[when.key] !== when.value)) return false;
  const value = here[key];
  if (typeof value === 'string') return holds(value, here);
  return Array.isArray(value) && value.some((one) => typeof one === 'string' && holds(one, here));
}
