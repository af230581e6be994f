// Which fields all callers are shown who are shown a record at all: what types and documents may count on.
import type { Roles } from './model.ts';

/** Tells whether every rule that shows records of a group shows one of its fields. */
export function shownToAll({ byName }: Roles): (group: string, field: string) => boolean {
  const rules = [...byName.values()].flatMap((role) => role.rules);
  const byGroup = new Map<string, readonly ReadonlySet<string>[]>();
  for (const { group, effect, shows } of rules)
    if (effect === 'allow' && shows !== undefined) byGroup.set(group, [...(byGroup.get(group) ?? []), shows]);
  return (group, field) => byGroup.get(group)?.every((shown) => shown.has(field)) !== false;
}
