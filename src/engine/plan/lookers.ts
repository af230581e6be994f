// How conditions of all groups look for records of each group: decided once, so that who looks, and who writes what is found, lock
// the same rows.

import type { CommonName } from '../../formulas/analyse/lookups.ts';
import { lookupsOf } from '../../formulas/analyse/lookups.ts';
import type { Registry } from '../../registry/model/model.ts';
import { comparedBy, judgedIn } from './judged.ts';
import type { LockKind } from './lock-kinds.ts';
import { lookingKind } from './lock-kinds.ts';

/** One way in which records of a group are looked for. */
export interface FoundBy {
  /** What they and who looks have in common: the first that is there counts. */
  readonly names: readonly CommonName[];
  /** Whether something else than names finds them as well. */
  readonly hasOthers: boolean;
  /** Whether it is asked whether there is any at all. */
  readonly isAny: boolean;
  /** Without whose change an update needs no lock. */
  readonly keys: ReadonlySet<string>;
  readonly kind: LockKind;
  /** Groups whose writes look. */
  readonly by: ReadonlySet<string>;
  /**
   * Whether nobody but the settings asks for them, and only whether there is any: who has not read the settings, which is done
   * under lock, comes before or after.
   */
  readonly isOfSettings: boolean;
}

/** By the group of the records that are looked for. */
export function foundByIn({ resources, workspace }: Registry): ReadonlyMap<string, readonly FoundBy[]> {
  const found = new Map<string, Map<string, FoundBy>>();
  for (const resource of resources.values()) {
    const own = { resource, comparedBy: comparedBy(resource) };
    for (const { tree, on, made } of judgedIn(resource))
      for (const { group, names, hasOthers, keys, isAny, isWide } of lookupsOf(tree)) {
        if (names.length === 0 && group !== resource.name && !isAny && !isWide) continue;
        const target = names[0]?.target;
        const looking = on.map((operation) =>
          lookingKind({ own, other: group, operation, made, target, isAny: isAny || isWide }),
        );
        const kind = looking.includes('shared') ? 'counter' : 'shared';
        const byNames = found.get(group) ?? new Map<string, FoundBy>();
        const key = JSON.stringify([names, hasOthers, isAny]);
        const known = byNames.get(key);
        found.set(
          group,
          byNames.set(key, {
            names,
            hasOthers,
            isAny,
            keys: new Set([...(known?.keys ?? []), ...keys]),
            kind: known?.kind === 'counter' ? 'counter' : kind,
            by: new Set([...(known?.by ?? []), resource.name]),
            isOfSettings: isAny && resource.name === workspace?.name && known?.isOfSettings !== false,
          }),
        );
      }
  }
  return new Map([...found].map(([group, byNames]) => [group, [...byNames.values()]]));
}
