// The query parameters that the filters of a descriptor give, as `endpoints` will name them.
import type { JSONPath } from 'jsonc-parser';
import { keyOf } from './field-names.ts';
import type { FilterFamily } from './model.ts';
import { type RawDescriptor, type RawField, shapeOf } from './vocabulary.ts';

/** Ends of the parameters that one filter gives. */
export const filterEnds = {
  exact: [''],
  text: ['', 'Contains', 'StartsWith', 'EndsWith'],
  range: ['', 'After', 'OnAfter', 'Before', 'OnBefore'],
} as const satisfies Record<FilterFamily, readonly string[]>;

interface FilterNames {
  /** Of the field. */
  readonly path: JSONPath;
  /** The field as a reader knows it: `tags`, `lines[].project`. */
  readonly label: string;
  readonly names: readonly string[];
}

/** All filters of a descriptor with their parameters, in the order of the fields. */
export function parameterNames(raw: RawDescriptor): FilterNames[] {
  return Object.entries(raw.properties).flatMap(([name, field]) => {
    if (field === true) return [];
    const path = ['properties', name];
    if (shapeOf(field) !== 'objects') {
      const key = keyOf(name, field);
      return namesOf(field, shapeOf(field) === 'references' ? key.replace(/s$/, '') : key, { path, label: name });
    }
    return Object.entries(field.items?.properties ?? {}).flatMap(([inside, item]) =>
      namesOf(item, itemName(inside, item), {
        path: [...path, 'items', 'properties', inside],
        label: `${name}[].${inside}`,
      }),
    );
  });
}

/** An item's own `id` is named after the group that it refers to. */
function itemName(name: string, item: RawField): string {
  const key = keyOf(name, item);
  if (key !== 'id' || item.reference === undefined) return key;
  return `${item.reference.replaceAll(/-([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())}Id`;
}

function namesOf(field: RawField, base: string, place: Omit<FilterNames, 'names'>): FilterNames[] {
  if (field.filter === undefined) return [];
  return [{ ...place, names: filterEnds[field.filter].map((end) => `${base}${end}`) }];
}
