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
/** Maximum number of default columns, without the name. */
const maxColumns = 9;
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

/** Returns the rank of a field as a column. A computed text, reference or switch repeats another record and ranks lower. */
function weightOf({ filters }: GroupModel, field: FieldModel, sort: Sort): number {
  const isFiltered = filters.some(({ path }) => path === field.name);
  const isRepeated = isComputed(field) && sort !== 'number' && sort !== 'amount';
  return (
    basis[sort] +
    (field.required ? 3 : 0) +
    (isFiltered ? 2 : 0) +
    (field.unset === 'never' ? 1 : 0) -
    (isRepeated ? 3 : 0)
  );
}

const isComputed = ({ figure }: FieldModel): boolean => figure !== undefined;

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
  return [nameKey, ...defaultNames(group)];
}

interface Candidate {
  readonly name: string;
  /** Position in the record. */
  readonly index: number;
  readonly sort: Sort;
  readonly weight: number;
}

/**
 * Returns the fields that are columns if the descriptor has no `shows`. Computed fields take the places that the others
 * leave free, the first ones of the record first: adding one at the end never replaces or moves a column.
 */
function defaultNames(group: GroupModel): readonly string[] {
  const shown = group.fields.filter((field) => isShown(field) && !isInName(group, field));
  const candidates = (fields: readonly FieldModel[]): readonly Candidate[] =>
    fields.flatMap((field, index) => {
      const sort = sortOf(field);
      const weight = sort === undefined ? 0 : weightOf(group, field, sort);
      return sort === undefined || weight < leastWeight ? [] : [{ name: field.name, index, sort, weight }];
    });
  const sent = candidates(shown.filter((field) => !isComputed(field))).toSorted(
    (one, other) => other.weight - one.weight || inColumnOrder(one, other),
  );
  const sentColumns = firstOfEachSort(sent).slice(0, maxColumns).toSorted(inColumnOrder);
  const computed = firstOfEachSort(candidates(shown.filter(isComputed)));
  return [...sentColumns, ...computed.slice(0, maxColumns - sentColumns.length)].map(({ name }) => name);
}

const firstOfEachSort = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter(
    ({ sort }, index) => candidates.slice(0, index).filter((one) => one.sort === sort).length < mostOf[sort],
  );

const inColumnOrder = (one: Candidate, other: Candidate): number =>
  sorts.indexOf(one.sort) - sorts.indexOf(other.sort) || one.index - other.index;

export function keepColumns(group: GroupModel, columns: readonly string[] | undefined): void {
  const { columns: _before, ...rest } = kept<Choices>(placeOf(group)) ?? {};
  keep(placeOf(group), columns === undefined ? rest : { ...rest, columns });
}

export function keepWidth(group: GroupModel, key: string, width: number): void {
  const before = kept<Choices>(placeOf(group)) ?? {};
  keep(placeOf(group), { ...before, widths: { ...before.widths, [key]: Math.round(width) } });
}
