// Which fields all callers are shown who are shown a record at all: what types and documents may count on.
import { type Roles, shows } from './model.ts';

/** Tells whether every rule that shows records of a group shows one of its fields. */
export function shownToAll({ byName }: Roles): (group: string, field: string) => boolean {
  const rules = [...byName.values()].flatMap((role) => role.rules);
  const byGroup = Map.groupBy(
    rules.filter(({ effect }) => effect === 'allow'),
    ({ group }) => group,
  );
  return (group, field) => byGroup.get(group)?.every((rule) => shows(rule, field)) !== false;
}
