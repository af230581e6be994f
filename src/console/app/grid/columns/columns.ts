// Chooses the columns of a group's grid and their widths, by the shape of its fields.

import { keep, kept } from '../../browser/kept.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { isNumeric, labelOf } from '../../values/format.ts';
import { isState } from '../../values/tone.ts';

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
/** What may be left open and cannot be searched by is left to be switched on. */
const leastWeight = 4;
export const leastWidth = 64;
const narrowName = 150;

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

/** What fields there are to who looks through many records, in the order in which their columns stand. */
const sorts = ['state', 'reference', 'text', 'word', 'date', 'amount', 'number', 'ratio', 'switch'] as const;
type Sort = (typeof sorts)[number];

/** So many columns of each at most. */
const mostOf: Readonly<Record<Sort, number>> = {
  state: 2,
  reference: 3,
  text: 2,
  word: 2,
  date: 2,
  switch: 1,
  number: 2,
  ratio: 1,
  amount: 3,
};

/** A part of something: of a total one would know more. */
const isRatio = ({ kind, shownIn, maximum, name }: FieldModel): boolean =>
  kind === 'decimal' && (shownIn === 'percent' || maximum === 1 || /Ratio$/.test(name));

function sortOf(field: FieldModel): Sort | undefined {
  const { kind, currency, format, maxLength = 0 } = field;
  if (isRatio(field)) return 'ratio';
  switch (kind) {
    case 'enum':
      return isState(field) ? 'state' : 'word';
    case 'reference':
      return 'reference';
    case 'date':
      return 'date';
    case 'boolean':
      return 'switch';
    case 'integer':
      return 'number';
    case 'decimal':
      return currency === undefined ? 'number' : 'amount';
    case 'text':
      return format === 'currency' || maxLength > 1000 ? undefined : 'text';
    default:
      return undefined;
  }
}

/** How much one of each tells. */
const basis: Readonly<Record<Sort, number>> = {
  state: 20,
  amount: 7,
  date: 6,
  number: 6,
  ratio: 0,
  reference: 5,
  word: 5,
  text: 2,
  switch: 1,
};

/** How much a field matters. What the service puts there matters more of a number than of anything else. */
function weightOf({ filters, fields }: GroupModel, field: FieldModel, sort: Sort): number {
  const isFiltered = filters.some(({ path }) => path === field.name);
  const made = sort === 'number' || sort === 'amount' ? 2 + sumsUp(fields, field) : -3;
  return (
    basis[sort] +
    (field.required ? 3 : 0) +
    (isFiltered ? 2 : 0) +
    (field.unset === 'never' ? 1 : 0) +
    (field.figure === undefined ? 0 : made)
  );
}

/** A total stands behind what it adds up: the later, the more it tells. */
const sumsUp = (fields: readonly FieldModel[], field: FieldModel): number =>
  (3 * fields.indexOf(field)) / fields.length;

/** The name says it already. */
const isInName = ({ shownAs }: GroupModel, { name }: FieldModel): boolean =>
  shownAs.some((part) => part.kind === 'value' && part.paths.some((path) => path.split('.')[0] === name));

/** Whether the name of a record is this field and no more. */
const isWholeName = ({ shownAs }: GroupModel, name: string): boolean =>
  shownAs.length === 1 && shownAs[0]?.kind === 'value' && shownAs[0].paths.join() === name;

/** Names of the fields that a list is asked for: those of its columns, and what their values are told with. */
export function askedFields(group: GroupModel, keys: readonly string[]): readonly string[] {
  const columns = group.fields.filter(({ name }) => keys.includes(name));
  const paths = [
    ...group.shownAs.flatMap((part) => (part.kind === 'value' ? part.paths : [])),
    ...columns.flatMap(({ name, currency }) => (currency === undefined ? [name] : [name, currency])),
  ];
  const roots = new Set(paths.map((path) => path.split('.')[0] ?? path));
  return group.fields.filter(({ name, shown }) => shown && roots.has(name)).map(({ name }) => name);
}

const placeOf = ({ name }: GroupModel): string => `columns.${name}`;

/** All columns that there may be, in the order of the record, the name first. */
export const allColumns = (group: GroupModel): readonly Column[] => {
  const given = kept<Choices>(placeOf(group))?.widths ?? {};
  const names: readonly Column[] = [
    { field: undefined, key: nameKey, label: group.title, width: given[nameKey] ?? 260, isNumeric: false },
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

/** What the name's column can give, so that all columns are seen at once: it is the widest, and most names are short. */
export function fitted(columns: readonly Column[], seen: number): readonly Column[] {
  const excess = columns.reduce((sum, { width }) => sum + width, 0) - seen;
  const [name, ...others] = columns;
  if (name?.key !== nameKey || excess <= 0 || name.width - excess < narrowName) return columns;
  return [{ ...name, width: name.width - excess }, ...others];
}

/** The keys of the columns that are shown, in their order. @param asked Those of the address, where it says some. */
export function shownKeys(group: GroupModel, asked: string | null): readonly string[] {
  const chosen = asked?.split(',') ?? kept<Choices>(placeOf(group))?.columns;
  const known = new Set(allColumns(group).map(({ key }) => key));
  const told = chosen ?? group.shows?.filter((name) => !isWholeName(group, name));
  if (told !== undefined) return [nameKey, ...told.filter((key) => key !== nameKey && known.has(key))];
  const ranked = group.fields
    .filter((field) => isShown(field) && !isInName(group, field))
    .flatMap((field, index) => {
      const sort = sortOf(field);
      return sort === undefined ? [] : [{ field, index, sort, weight: weightOf(group, field, sort) }];
    })
    .filter(({ weight }) => weight >= leastWeight);
  const chosenOf = (sort: Sort) =>
    ranked
      .filter((one) => one.sort === sort)
      .toSorted((one, other) => other.weight - one.weight || one.index - other.index)
      .slice(0, mostOf[sort]);
  const picked = sorts.flatMap(chosenOf);
  // Where there are too many, what matters least of all is left out; those of a sort stand in the order of the record.
  const held = new Set(
    picked.length <= most ? picked : picked.toSorted((one, other) => other.weight - one.weight).slice(0, most),
  );
  return [
    nameKey,
    ...sorts.flatMap((sort) =>
      [...held]
        .filter((one) => one.sort === sort)
        .toSorted((one, other) => one.index - other.index)
        .map(({ field }) => field.name),
    ),
  ];
}

export function keepColumns(group: GroupModel, columns: readonly string[] | undefined): void {
  const { columns: _before, ...rest } = kept<Choices>(placeOf(group)) ?? {};
  keep(placeOf(group), columns === undefined ? rest : { ...rest, columns });
}

export function keepWidth(group: GroupModel, key: string, width: number): void {
  const before = kept<Choices>(placeOf(group)) ?? {};
  keep(placeOf(group), { ...before, widths: { ...before.widths, [key]: Math.round(width) } });
}
