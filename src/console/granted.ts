// Narrows a group to what is granted: operations and fields that no rule allows are not offered.
import type { FieldModel, GroupModel } from './model.ts';

/** Of each operation whether it is granted: of all records, of some, of none; what is not named is as the group has it. */
export interface Allowed {
  readonly operations: Readonly<Record<string, 'all' | 'some' | 'no'>>;
  /** Names of fields that are not shown. */
  readonly hidden: readonly string[];
  /** Names in bodies of fields that are not to be sent. */
  readonly kept: readonly string[];
}

/** A group with what is granted of it. */
export function narrowed(group: GroupModel, { operations, hidden, kept }: Allowed): GroupModel {
  const isGranted = (name: string): boolean => operations[name] !== 'no';
  const isShown = (name: string): boolean => !hidden.includes(name);
  // What was is shown of groups alone of which everything is.
  const isPast = operations['history'] === undefined || operations['history'] === 'all';
  const { isLogged, ...rest } = group;
  return {
    ...rest,
    operations: group.operations.filter(isGranted),
    partly: group.operations.filter((name) => operations[name] === 'some'),
    fields: group.fields.flatMap((field) => narrowedField(field, { isShown, kept })),
    filters: group.filters.filter(({ path }) => isShown(path.split('[')[0] ?? path)),
    sorts: group.sorts.filter((sort) => isShown(sort.replace(/^-/, ''))),
    ...(isLogged && isPast && operations['get'] !== 'some' && hidden.length === 0 && { isLogged }),
  };
}

function narrowedField(
  field: FieldModel,
  { isShown, kept }: { readonly isShown: (name: string) => boolean; readonly kept: readonly string[] },
): readonly FieldModel[] {
  const isKept = kept.includes(field.key);
  const [shown, onCreate, onUpdate] = [field.shown && isShown(field.name), field.onCreate, field.onUpdate];
  const left = { ...field, shown, onCreate: onCreate && !isKept, onUpdate: onUpdate && !isKept };
  return left.shown || left.onCreate || left.onUpdate || field.isParameter === true ? [left] : [];
}
