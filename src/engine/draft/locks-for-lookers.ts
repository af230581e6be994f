// The other side of `locks-of-reads.ts`: whoever creates, moves, changes or deletes a record that a condition of another may look
// for locks the row that both name.

import type { CommonName } from '../../formulas/analyse/lookups.ts';
import type { Resource, Values } from '../../registry/model/model.ts';
import type { Guarded } from '../../rules/support/rule.ts';
import { sameValue } from '../changes/same-value.ts';
import type { LockKind } from '../plan/lock-kinds.ts';
import type { FoundBy } from '../plan/lookers.ts';
import { fieldAt } from '../plan/predicate-locks.ts';
import type { Draft } from './draft.ts';
import { idsAt, idsByKind } from './locks-for-figures.ts';
import { isMaintained } from './locks-of-reads.ts';

/**
 * Wants what this write locks because others may look for its record, as far as it is known by now: the counters of what those
 * hold. What they lock as a whole is held at the end (`holdForLookers`), when this write has locked what it looks at itself: who
 * held it first, and then had to lock it as a whole, would wait for others that do the same.
 */
export function wantForLookers(draft: Draft): void {
  const { scope, group, operation } = draft;
  // The first one ever is made by the settings as they are when others find that there is one.
  if (operation === 'create' && group.foundBy.some(({ isAny }) => isAny)) scope.keepSettings();
  for (const { kind, name, rows, isWritten: isKeyed } of namedFor(draft))
    if (kind === 'counter') scope.want(kind, rows);
    // Keys of the database lock what is named since now; until then nothing of it is read without a lock.
    else if (isKeyed && name !== undefined)
      for (const { group = '', ids } of rows)
        for (const id of ids)
          scope.keep({ group, id }, { lock: isMaintained(draft, group, id) ? 'own' : 'shared', isAsked: false });
}

/** Holds what others lock as a whole who may look for the record of this write, before it is written. */
export function holdForLookers(draft: Draft): void {
  for (const { kind, rows, isWritten: isKeyed } of namedFor(draft))
    if (kind === 'shared' && !isKeyed)
      for (const { group, ids } of rows) {
        const open = ids.filter((id) => group === undefined || !isMaintained(draft, group, id));
        draft.scope.want(kind, [{ group, ids: open }]);
      }
}

interface Locking extends Named {
  /** Whether what names the rows is written by this write. */
  readonly isWritten: boolean;
}

function* namedFor(draft: Draft): Generator<Locking> {
  const { scope, group, before, values, operation } = draft;
  // What looks at nothing itself comes before or after, whatever others have seen.
  if (group.isSelfContained || scope.groups.dialect.hasOneWriter) return;
  for (const each of operation === 'update' ? draft.changed.foundBy : group.foundBy) {
    if (each.isOfSettings) continue;
    const now = namedBy(group.resource, each, values);
    yield { ...now, isWritten: now.name !== undefined && isWritten(draft, now.name) };
    if (before === undefined || before === values) continue;
    const old = namedBy(group.resource, each, before);
    yield { ...old, isWritten: false };
  }
}

const isWritten = ({ before, values, operation }: Draft, { lists: [list], key }: CommonName): boolean =>
  operation === 'create' || (operation === 'update' && !sameValue(before?.[list ?? key], values[list ?? key]));

/** The rows that a state of a record has in common with those who look for it. */
interface Named {
  readonly kind: LockKind;
  readonly name?: CommonName;
  readonly rows: readonly Guarded[];
}

function namedBy(resource: Resource, { names, hasOthers, kind }: FoundBy, state: Readonly<Values>): Named {
  for (const name of names) {
    const { lists, key } = name;
    // The row of the record itself is locked by whoever changes it.
    if (lists.length === 0 && key === 'id') return { kind, rows: [] };
    // What nothing has given a value yet is asked for again when it has one.
    if (state[lists[0] ?? key] === undefined) return { kind, rows: [] };
    const rows = rowsAt(resource, name, state);
    if (rows.length > 0) return { kind: name.isOwn === true ? 'shared' : kind, name, rows };
  }
  return { kind, rows: hasOthers || names.length === 0 ? [{ group: undefined, ids: [''] }] : [] };
}

function rowsAt({ fields }: Resource, { lists, key, target }: CommonName, state: Readonly<Values>): readonly Guarded[] {
  if (target !== undefined) {
    const ids = [...new Set(idsAt(state, { lists, up: 0, key }))];
    return ids.length === 0 ? [] : [{ group: target, ids }];
  }
  const field = fieldAt(fields, lists, key);
  if (field?.kind !== 'choice') return [];
  const found = idsByKind(state, { lists, up: 0, key }, field.by);
  return field.branches.flatMap(({ value, reference }) => {
    const ids = found.get(value);
    return ids === undefined ? [] : [{ group: reference.target, ids: [...ids] }];
  });
}
