// What records are in use by, for who is refused to delete them: a statement for each reference that restricts, and none where
// nothing is refused.
import type { Users } from '../../problems.ts';
import type { Referrer } from '../../registry/model/model.ts';
import { nameInFull } from '../changes/change.ts';
import type { Group } from '../plan/groups.ts';
import type { Scope } from '../transaction/scope.ts';
import { restricting } from './make-way.ts';

/** So many records of a group are counted. */
const most = 10_000;

interface Held {
  readonly group: Group;
  readonly ids: readonly string[];
  /** A reference that is known to hold them back. */
  readonly heldBy: Referrer;
}

/**
 * How many records of each group refer to any of these and stay, the groups in the order of their paths.
 * @returns undefined where all that refer to them would go along: they hold each other
 */
export async function usersOf(scope: Scope, { group, ids, heldBy }: Held): Promise<readonly Users[] | undefined> {
  const holders = new Map<string, Set<string>>();
  // Of what the caller does not see, it is told that there is any.
  let isUnlisted = false;
  for (const referrer of scope.groups.registry.referrers.get(group.resource.name) ?? []) {
    if (referrer.field.onDelete !== 'restrict' && referrer !== heldBy) continue;
    const { name, path } = referrer.resource;
    if (scope.judge?.lists(name) === false) {
      isUnlisted ||= (await restricting(scope, referrer, { ids, limit: 1 })).length > 0;
      continue;
    }
    const known = holders.get(path) ?? new Set();
    holders.set(path, known);
    for (const { holder } of await restricting(scope, referrer, { ids, limit: most + 1 }))
      if (!scope.beingDeleted.has(nameInFull({ group: name, id: holder }))) known.add(holder);
  }
  const told: Users[] = [...holders]
    .filter(([, { size }]) => size > 0)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, { size }]) => ({
      group: path.slice(1),
      count: Math.min(size, most),
      ...(size > most && { countIsLowerBound: true as const }),
    }));
  if (isUnlisted) return [...told, { group: null }];
  return told.length === 0 ? undefined : told;
}
