// Which fields of a group stand in its grid, and how wide: those that matter first, by their shape alone.

import { isNumeric, labelOf } from '../format.ts';
import { keep, kept } from '../kept.ts';
import type { FieldModel, GroupModel } from '../model.ts';

export interface Column {
  /** Undefined for the name by which the record is shown. */
  readonly field: FieldModel | undefined;
  /** Name of the field; `_name` for the name. */
  readonly key: string;
  readonly label: string;
  readonly width: number;
  readonly isNumeric: boolean;
}

interface Choices {
  readonly columns?: readonly string[];
  readonly widths?: Readonly<Record<string, number>>;
}

export const nameKey = '_name';
const most = 9;
export const leastWidth = 64;

const widths: Readonly<Record<string, number>> = {
  text: 200,
  enum: 128,
  date: 118,
  dateTime: 168,
  decimal: 128,
  integer: 92,
  boolean: 92,
  reference: 190,
  references: 200,
  list: 200,
  objects: 96,
};

/** Whether a field can stand in a grid at all. */
const isShown = ({ shown, name }: FieldModel): boolean => shown && name !== 'id';

/** How much a field matters to who looks through many records; the higher the more. */
function weightOf({ shownAs, filters, fields }: GroupModel, field: FieldModel): number {
  const inName = shownAs.some((part) => part.kind === 'value' && part.paths.includes(field.name));
  // The name says it already.
  if (inName) return 0;
  const isFiltered = filters.some(({ path }) => path === field.name) ? 20 : 0;
  const own = field.required ? 6 : 0;
  switch (field.kind) {
    case 'enum':
      return (field.transitions === undefined ? 50 : 95) + isFiltered;
    case 'reference':
      return 60 + isFiltered + own;
    case 'date':
      return 55 + isFiltered + own;
    case 'decimal':
      return (
        (field.currency === undefined ? 40 : 58) + (field.figure === undefined ? 0 : 12 + sumsUp(fields, field)) + own
      );
    case 'integer':
      return 38 + own;
    case 'boolean':
      return 22 + isFiltered;
    case 'text':
      return field.format === 'currency' ? 4 : (field.maxLength ?? 0) > 1000 ? 6 : 20 + isFiltered + own;
    case 'dateTime':
      return 3;
    default:
      return 5;
  }
}

/** A total stands behind what it adds up: the later, the more it tells. */
const sumsUp = (fields: readonly FieldModel[], field: FieldModel): number =>
  (10 * fields.indexOf(field)) / fields.length;

const placeOf = ({ name }: GroupModel): string => `columns.${name}`;

/** All columns that there may be, in the order of the record, the name first. */
export const allColumns = (group: GroupModel): readonly Column[] => {
  const given = kept<Choices>(placeOf(group))?.widths ?? {};
  const names: readonly Column[] = [
    { field: undefined, key: nameKey, label: group.title, width: given[nameKey] ?? 240, isNumeric: false },
  ];
  return [
    ...names,
    ...group.fields.filter(isShown).map((field) => ({
      field,
      key: field.name,
      label: labelOf(field),
      width: given[field.name] ?? Math.max(widths[field.kind] ?? 140, labelOf(field).length * 7.4 + 34),
      isNumeric: isNumeric(field),
    })),
  ];
};

/** The keys of the columns that are shown, in their order. @param asked Those of the address, where it says some. */
export function shownKeys(group: GroupModel, asked: string | null): readonly string[] {
  const chosen = asked?.split(',') ?? kept<Choices>(placeOf(group))?.columns;
  const known = new Set(allColumns(group).map(({ key }) => key));
  if (chosen !== undefined) return [nameKey, ...chosen.filter((key) => key !== nameKey && known.has(key))];
  const ranked = group.fields
    .filter(isShown)
    .map((field, index) => ({ field, index, weight: weightOf(group, field) }))
    .filter(({ weight }) => weight >= 20)
    .toSorted((a, b) => b.weight - a.weight || a.index - b.index)
    .slice(0, most)
    .map(({ field }) => field.name);
  return [nameKey, ...ranked];
}

export function keepColumns(group: GroupModel, columns: readonly string[] | undefined): void {
  const { columns: _before, ...rest } = kept<Choices>(placeOf(group)) ?? {};
  keep(placeOf(group), columns === undefined ? rest : { ...rest, columns });
}

export function keepWidth(group: GroupModel, key: string, width: number): void {
  const before = kept<Choices>(placeOf(group)) ?? {};
  keep(placeOf(group), { ...before, widths: { ...before.widths, [key]: Math.round(width) } });
}
