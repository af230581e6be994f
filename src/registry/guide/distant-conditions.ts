// Distant conditions: conditions of rules that read a field of another group. A write of that group can break them, because it
// does not evaluate them.
import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import type { Registry, Resource, RuleUse } from '../model/model.ts';

/** A condition that writes of other groups can break. */
export interface DistantCondition {
  readonly group: string;
  /** `lines.amount`: the field that the condition is about; '' if it is about the record. */
  readonly field: string;
  /** The formula on one line. */
  readonly source: string;
  /** Fields of other groups that the condition reads and that callers can update: `room.isOpen`. */
  readonly reads: readonly string[];
}

/** Lists the distant conditions of all groups, but those that are about one operation, or about changes of fields. */
export const listDistantConditions = (registry: Registry): readonly DistantCondition[] =>
  [...registry.resources.values()].flatMap((resource) =>
    resource.rules.flatMap((use) => toDistantCondition(registry, resource, use)),
  );

function toDistantCondition(registry: Registry, resource: Resource, use: RuleUse): readonly DistantCondition[] {
  const { that } = use.conditions;
  const { list, inner, field, on, changed, answers } = use.arguments;
  if (that === undefined || on !== undefined || changed !== undefined || answers === 'cannotChange') return [];
  const { reads, beyond } = dependenciesOf(that.tree);
  // A condition that reads the previous record, the body or the caller is about a write.
  if (beyond.some(({ what, words }) => what === 'known' && namesOfWrites.has(words))) return [];
  const names = reads.flatMap(({ shape, key }) => {
    const group = registry.resources.get(shape.group);
    const changing = group?.byKey.get(shape.objectKey ?? shape.lists[0] ?? key);
    if (group === undefined || group === resource || changing?.onUpdate !== true) return [];
    return [`${group.name}.${changing.name}`];
  });
  if (names.length === 0) return [];
  const place = [list, inner, field].filter((part) => part !== undefined).join('.');
  const source = that.source.replaceAll(/\s+/g, ' ');
  return [{ group: resource.name, field: place, source, reads: [...new Set(names)] }];
}

const namesOfWrites: ReadonlySet<string> = new Set(['old', 'before', 'sent', 'actor', 'me']);
