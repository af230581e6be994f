// Takes predicate locks for figures: a write that looks for records by what both name, or that creates or changes such records,
// bumps the version of the row that both name before either reads.

import type { ColumnPath } from '../../formulas/analyse/reverse-paths.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { itemsWithin } from '../../formulas/evaluate/record-items.ts';
import type { Values } from '../../registry/model/model.ts';
import { type Guarded, workspaceRow } from '../../rules/support/rule.ts';
import { sameValue } from '../changes/same-value.ts';
import type { Draft } from './draft.ts';

/** What this write guards for figures, as far as the body and the stored record tell. */
export function guardedForFigures({ scope, group, before, values, operation }: Draft): readonly Guarded[] {
  if (scope.groups.dialect.hasOneWriter) return [];
  const states = before === undefined || operation === 'delete' ? [values] : [before, values];
  return group.figureGuards.spots.flatMap(({ spot, target, keys }) => {
    const isConcerned = operation !== 'update' || [...keys].some((key) => !sameValue(before?.[key], values[key]));
    if (!isConcerned) return [];
    if (spot === undefined || target === undefined) return workspaceRow;
    return [{ group: target, ids: [...new Set(states.flatMap((state) => idsAt(state, spot)))] }];
  });
}

/** The ids that a record has at a spot. */
export function idsAt(values: Readonly<Values>, { lists, up, key, when }: ColumnPath): readonly string[] {
  return itemsWithin(recordValue(values), lists).flatMap((item) => {
    let here = item;
    for (let step = 0; step < up; step += 1) here = here.owner ?? here;
    if (when !== undefined && here.values[when.key] !== when.value) return [];
    const value = here.values[key];
    return typeof value === 'string'
      ? [value]
      : Array.isArray(value)
        ? value.filter((one) => typeof one === 'string')
        : [];
  });
}
