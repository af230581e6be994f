// Reverse references: which groups refer to a group, also from lists and objects.
import type { Field, ReferenceField, ReferencesField, Registry, Resource } from '../../registry/model/model.ts';

/** One field that names records of another group. */
export interface Reference {
  readonly from: Resource;
  readonly to: Resource;
  /** As a record shows it: `lines[].project`. */
  readonly path: string;
  readonly field: ReferenceField | ReferencesField;
}

export interface References {
  /** References of a group, and those to it. By name; empty for unknown ones. */
  of(group: string): readonly Reference[];
  to(group: string): readonly Reference[];
}

/** A field with where it stands: `lines[].amount`. */
export interface PlacedField {
  readonly field: Field;
  readonly path: string;
  readonly depth: number;
}

/** All fields of a record, those of its lists and objects behind each. */
export function placedFields(fields: readonly Field[], above = '', depth = 0): PlacedField[] {
  return fields.flatMap((field) => {
    const path = `${above}${field.name}`;
    const inner = field.kind === 'objects' ? `${path}[].` : `${path}.`;
    return [{ field, path, depth }, ...('fields' in field ? placedFields(field.fields, inner, depth + 1) : [])];
  });
}

/** References that are read through other records (`from`, `via`) are left out: what they follow is there already. */
export function referencesOf(registry: Registry): References {
  const all = [...registry.resources.values()].flatMap((from) =>
    placedFields(from.fields).flatMap(({ field, path }): Reference[] => {
      const kept = field.kind === 'choice' ? field.branches.map(({ reference }) => reference) : [field];
      return kept.flatMap((one): Reference[] => {
        if ((one.kind !== 'reference' && one.kind !== 'references') || !one.stored) return [];
        const to = registry.resources.get(one.target);
        return to === undefined ? [] : [{ from, to, path, field: one }];
      });
    }),
  );
  const bySource = Map.groupBy(all, ({ from }) => from.name);
  const byTarget = Map.groupBy(all, ({ to }) => to.name);
  return { of: (group) => bySource.get(group) ?? [], to: (group) => byTarget.get(group) ?? [] };
}
