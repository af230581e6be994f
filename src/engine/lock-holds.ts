// What locks, and deletes, that look for other records need against writes at once: whoever makes a record name one that is
// locked while such a record is there, keeps that one as it is before anything of it is read. Several may do so at the same
// time; who wants to change it comes after them, and finds what they have written. A delete that asks what a record it names
// says keeps that one, too: else both would go by what the other is about to change.
import { commonNamesIn } from '../behaviours/collection-guards.ts';
import { type Guarded, guardedBy } from '../behaviours/rule.ts';
import { backwards, type Spot } from '../formulas/backwards.ts';
import { looksOf } from '../formulas/looks.ts';
import type { Condition, Registry, Resource, RuleUse, Values } from '../registry/model.ts';
import type { Draft } from './draft.ts';
import { idsAt, isById } from './figure-guards.ts';
import { sameValue } from './same-value.ts';

/** Values of a record that name records whose locks look for it. */
export interface LockSpot {
  readonly spot: Spot;
  /** The group of those that they name. */
  readonly target: string;
  /** Keys whose change counts, besides the first naming. */
  readonly keys?: readonly string[];
}

/** By the group of the records that are looked for. What is looked for without a name for it, everybody may write. */
export function lockSpotsIn({ resources }: Registry): ReadonlyMap<string, readonly LockSpot[]> {
  const spots = new Map<string, LockSpot[]>();
  const add = (group: string, found: readonly LockSpot[]): void => {
    if (found.length > 0) spots.set(group, [...(spots.get(group) ?? []), ...found]);
  };
  for (const { name: target, lockedFields, rules } of resources.values()) {
    const watches = lockedFields.flatMap(({ when }) => backwards(when.tree, []).watches);
    for (const { group, ways, isFound } of watches) {
      const named = isFound ? ways.filter((way) => way.length === 1).flatMap((way) => way.filter(isById)) : [];
      const found = named.flatMap(({ pairs: [first] }) => (first === undefined ? [] : [{ spot: first.from, target }]));
      add(group, found);
    }
    // A delete that looks for others guards what it and they both name.
    for (const condition of conditionsOfDelete(rules))
      for (const { group, lists, up, key, target: named, keys } of commonNamesIn(condition.tree, target))
        add(group, [{ spot: { lists, up, key }, target: named, keys }]);
  }
  return spots;
}

const conditionsOfDelete = (rules: Resource['rules']): readonly Condition[] =>
  rules.filter(isOfDelete).flatMap(({ conditions }) => Object.values(conditions));

const isOfDelete = ({ arguments: { on } }: RuleUse): boolean => [on].flat().includes('delete');

/**
 * What this write is the first to name with this record: what the record has named before is locked by it as it is. Of a
 * delete, what it goes by.
 */
export function heldForLocks({ group, before, values, operation }: Draft): readonly Guarded[] {
  if (operation === 'delete') return askedByDelete(group.resource, values);
  return group.lockSpots.flatMap(({ spot, target, keys }) => {
    const isFoundAnew = keys?.some((key) => !sameValue(before?.[key], values[key])) === true;
    const known = new Set(before === undefined || isFoundAnew ? [] : idsAt(before, spot));
    const ids = new Set(idsAt(values, spot)).difference(known);
    return ids.size === 0 ? [] : [{ group: target, ids: [...ids] }];
  });
}

/** The records that a record names of which its delete asks more than whether they are there. */
const askedByDelete = ({ rules, byName }: Resource, values: Readonly<Values>): readonly Guarded[] =>
  conditionsOfDelete(rules).flatMap(({ tree }) =>
    [...looksOf(tree).paths].flatMap((path) => guardedBy(byName.get(path.split('.')[0] ?? ''), values)),
  );
