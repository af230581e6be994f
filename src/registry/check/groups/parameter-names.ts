// The names of the query parameters that the filters of a descriptor produce, as `endpoints` names them.
import type { JSONPath } from 'jsonc-parser';
import { keyOf } from '../../model/field-names.ts';
import type { Kind } from '../../model/kind-name.ts';
import { kindOf, kinds } from '../../model/kinds.ts';
import type { FilterFamily } from '../../model/model.ts';
import { type RawDescriptor, type RawField, shapeOf } from '../../model/vocabulary.ts';

/** Ends of the parameters that one filter gives. Of ranges, what is said of days and moments is not said of numbers. */
export const filterEnds = {
  exact: [''],
  text: ['', 'Contains', 'StartsWith', 'EndsWith'],
  range: ['', 'After', 'OnAfter', 'Before', 'OnBefore'],
  numbers: ['', 'Above', 'AtLeast', 'Below', 'AtMost'],
} as const satisfies Record<FilterFamily | 'numbers', readonly string[]>;

/** Which of them a filter has on a field of that kind. */
export const endsOf = (filter: FilterFamily, kind: Kind): keyof typeof filterEnds =>
  filter === 'range' && kinds[kind].isNumber ? 'numbers' : filter;

/** `dueOn` and `Before` give `dueOnBefore`; of moments `modifiedAt` gives `modifiedBefore`. */
export const parameterName = (base: string, end: string, kind: Kind): string =>
  `${kind === 'dateTime' && end !== '' ? base.replace(/(?<=[a-z0-9])At$/, '') : base}${end}`;

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
  const kind = kindOf(field);
  if (field.filter === undefined || kind === undefined) return [];
  const ends = filterEnds[endsOf(field.filter, kind)];
  return [{ ...place, names: ends.map((end) => parameterName(base, end, kind)) }];
}
