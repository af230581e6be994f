// How records of each group are looked for by the conditions of all groups: decided once, so that who looks and who writes what is
// found lock the same.
import { lookupsOf } from '../../formulas/analyse/lookups.ts';
import type { Registry } from '../../registry/model.ts';
import type { FoundBy } from './found-by.ts';
import { comparedBy, judgedIn } from './judged.ts';
import { lookingKind } from './keeping.ts';

/** By the group of the records that are looked for. */
export function foundByIn({ resources }: Registry): ReadonlyMap<string, readonly FoundBy[]> {
  const found = new Map<string, Map<string, FoundBy>>();
  for (const resource of resources.values()) {
    const own = { resource, comparedBy: comparedBy(resource) };
    for (const { tree, on, made } of judgedIn(resource))
      for (const { group, names, hasOthers, keys, isAny } of lookupsOf(tree)) {
        if (names.length === 0 && group !== resource.name && !isAny) continue;
        const target = names[0]?.target;
        const looking = on.map((operation) => lookingKind({ own, other: group, operation, made, target, isAny }));
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
          }),
        );
      }
  }
  return new Map([...found].map(([group, byNames]) => [group, [...byNames.values()]]));
}
