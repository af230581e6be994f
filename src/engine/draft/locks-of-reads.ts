// Shared locks on what formulas read while they judge a write. A record read by id is read under lock; of records found by a
// query, the row that they all name is locked first. Whoever writes such a record locks the same row (`locks-for-lookers.ts`).

import type { Keeping } from '../../facts/context.ts';
import type { JoinEdge } from '../../formulas/analyse/reverse-paths.ts';
import { type Wanted, wantedText } from '../../formulas/evaluate/facts.ts';
import type { Collection } from '../../formulas/language/tree.ts';
import type { Field, Resource, Values } from '../../registry/model/model.ts';
import type { Guarded } from '../../rules/support/rule.ts';
import { sameValue } from '../changes/same-value.ts';
import { lookingKind } from '../plan/lock-kinds.ts';
import { fieldAt, isById } from '../plan/predicate-locks.ts';
import type { Draft } from './draft.ts';
import { hasAt } from './locks-for-figures.ts';

/**
 * @param made The group whose records an effect makes or changes, where it is one that looks.
 * @returns undefined where there is one writer: nobody changes anything meanwhile
 */
export function keepingOf(draft: Draft, made?: string): Keeping | undefined {
  const { scope, group, operation, values } = draft;
  if (scope.groups.dialect.hasOneWriter) return undefined;
  const { name: own } = group.resource;
  /** What has been asked for, under lock since then. */
  const seen = new Set<string>();
  const kept = new Map<string, Set<string>>();
  const isItself = (other: string, id: string): boolean => other === own && (id === values['id'] || id === '');
  return {
    kept,
    record: (other, id) => {
      const ofGroup = kept.get(other) ?? new Set();
      kept.set(other, ofGroup);
      if (ofGroup.has(id)) return;
      ofGroup.add(id);
      if (isItself(other, id)) return;
      scope.keep({ group: other, id }, { lock: isMaintained(draft, other, id) ? 'own' : 'shared', isAsked: true });
    },
    collection: ({ group: other, lists }, wanted) => {
      const question = `${other}.${lists.join('.')} ${wantedText(wanted)}`;
      if (seen.has(question)) return;
      seen.add(question);
      const isAny = wanted.length === 0;
      const name = nameIn(scope.groups.get(other).resource, lists, wanted) ?? commonRow({ own, other, isAny });
      // Whoever changes the settings has locked the row that stands for all.
      const target = name?.group ?? scope.records.workspaceGroup() ?? '';
      if (name === undefined || name.ids.every((id) => isItself(target, id))) return;
      const kind = lookingKind({ own: group, other, operation, made, target: name.group, isAny });
      if (scope.want(kind, [name])) scope.forgetFound(other);
    },
  };
}

/** The first reference by which records are looked for: what all that are found have in common. */
function nameIn(
  { name: group, fields }: Resource,
  lists: Collection['lists'],
  wanted: readonly Wanted[],
): Guarded | undefined {
  for (const { key, up, group: said, value } of wanted) {
    if (typeof value !== 'string') continue;
    const around = lists.slice(0, lists.length - up);
    if (key === 'id' && around.length === 0) return { group, ids: [value] };
    const target = targetOf(fieldAt(fields, around, key)) ?? said;
    if (target !== undefined) return { group: target, ids: [value] };
  }
  return undefined;
}

/** What has nothing in common goes by the common row, within a group and where any record counts. */
const commonRow = ({ own, other, isAny }: Record<'own' | 'other', string> & { isAny: boolean }): Guarded | undefined =>
  isAny || other === own ? { group: undefined, ids: [''] } : undefined;

const targetOf = (field: Field | undefined): string | undefined =>
  field?.kind === 'reference' || field?.kind === 'references' ? field.target : undefined;

/**
 * Whether this write brings figures of a record up to date, so that it will change it: two that both hold it, and then both want
 * to change it, would wait for each other.
 */
export function isMaintained({ scope, group, before, values, operation }: Draft, other: string, id: string): boolean {
  for (const { group: owner, watch } of scope.groups.dependentsOf(group.resource.name)) {
    if (owner !== other || !watch.isFound) continue;
    if (!watch.ways.some((way) => isNamedOn(way, id, [values, before]))) continue;
    if (operation !== 'update' || [...watch.keys].some((key) => !sameValue(before?.[key], values[key]))) return true;
  }
  return false;
}

/** Whether a way leads from a state of the record to the record with this id, and ends there. */
const isNamedOn = (
  [link, ...more]: readonly JoinEdge[],
  id: string,
  states: readonly (Readonly<Values> | undefined)[],
): boolean => {
  const [pair] = link?.pairs ?? [];
  if (link === undefined || pair === undefined || more.length > 0 || !isById(link)) return false;
  return states.some((state) => state !== undefined && hasAt(state, pair.from, id));
};
