// Which references of a record can be shown as the records behind them.
import type { Field, Resource } from '../../registry/model/model.ts';

/** Names of groups → groups. */
export type GroupsByName = ReadonlyMap<string, Resource>;

/** Whether callers can read the records of a group by themselves: what nobody can is not read by a detour. */
export const canBeRead = (group: Resource | undefined): group is Resource =>
  group !== undefined && (group.operations.has('get') || group.operations.has('list'));

/** The group whose records can stand in place of a shown reference, or of each in a list of them; undefined for other fields. */
export function groupBehind(field: Field, groups: GroupsByName): Resource | undefined {
  if (!field.shown || (field.kind !== 'reference' && field.kind !== 'references')) return undefined;
  const target = groups.get(field.target);
  return canBeRead(target) ? target : undefined;
}

/** The shown fields inside a field: those of an object, or of the items of a list. */
export const fieldsInside = (field: Field): readonly Field[] => ('fields' in field ? field.fields.filter(isShown) : []);

const isShown = ({ shown }: Field): boolean => shown;

/** Paths of the references that can be expanded, one deep: of the record, and of the items of its lists. */
export const expandablePaths = (record: Pick<Resource, 'fields'>, groups: GroupsByName): readonly string[] =>
  expandableReferences(record, groups).map(([path]) => path);

/** Returns these paths, each with the group that it leads to. */
export function expandableReferences(
  { fields }: Pick<Resource, 'fields'>,
  groups: GroupsByName,
): readonly (readonly [path: string, target: Resource])[] {
  return fields.filter(isShown).flatMap((field): readonly (readonly [string, Resource])[] => {
    const target = groupBehind(field, groups);
    if (target !== undefined) return [[field.name, target]];
    return expandableReferences({ fields: fieldsInside(field) }, groups).map(([path, group]) => [
      `${field.name}.${path}`,
      group,
    ]);
  });
}
