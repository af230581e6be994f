// Refuses missing required fields.

import { isUnset } from '../../facts/record-values.ts';
import type { Field, Figure } from '../../registry/model/model.ts';
import { isOverOne } from '../../rules/support/over-references.ts';
import type { Draft } from '../draft/draft.ts';
import { isNeverUnset } from '../plan/default-order.ts';

/** Refuses what is missing in the record as it will be. */
export function checkRequired(draft: Draft): void {
  for (const field of draft.group.lackable)
    if (isLacking(draft, field)) draft.refuse(field.key, 'is required', 'required');
}

/** Whether anything is missing. What turns out to be wrong besides may be why: then less is. */
export const lacksAny = (draft: Draft): boolean => draft.group.lackable.some((field) => isLacking(draft, field));

/**
 * Whether the references must be looked up before more is judged, whatever is missing: one that is not kept has no foreign key to
 * watch over it. What goes with the write cannot be named by what its effects write.
 */
export const doubtsReferences = (draft: Draft): boolean =>
  (draft.isEffect && draft.scope.beingDeleted.size > 0) ||
  draft.group.passingReferences.some(({ key }) => draft.sent.has(key) && !isUnset(draft.values[key]));

function isLacking(draft: Draft, field: Field): boolean {
  const { key, requiredWhen } = field;
  const { values } = draft;
  if (!isUnset(values[key])) return false;
  if (!draft.isSound(key)) return false;
  if (field.figure !== undefined && !isTypedIn(draft, field.figure)) return false;
  const isNeeded = requiredWhen !== undefined && draft.isSound(...requiredWhen.keys) && requiredWhen.test(values);
  return isNeeded || (isNeverUnset(field) && draft.isSound(...fillersOf(draft, field)));
}

/** Whether the record alone tells that a figure is not computed, so that it is a field as any other. */
function isTypedIn(draft: Draft, { when }: Figure): boolean {
  if (when === undefined || !isOverOne(when.tree) || !draft.isSound(...when.keys)) return false;
  const { byKey } = draft.group.resource;
  return when.keys.every((key) => byKey.get(key)?.figure === undefined) && !when.test(draft.values);
}

/** Keys that a missing value would have come from. Where one of them is wrong, that alone is what the caller must mend. */
function fillersOf({ group }: Draft, field: Field): string[] {
  const { resource } = group;
  const paths = field.defaultFrom.flatMap((source) => {
    if (source.kind === 'formula') return source.figure.keys;
    return source.kind === 'path' ? [source.path.split('.')[0] ?? ''] : [];
  });
  const uses = resource.rules.map((use) => Object.values(use.arguments).flat().map(String));
  const words = uses.filter((named) => named.includes(field.name) || named.includes(field.key)).flat();
  const keys = [...paths, ...words].flatMap(
    (word) => (resource.byName.get(word) ?? resource.byKey.get(word))?.key ?? [],
  );
  return keys.filter((key) => key !== field.key);
}
