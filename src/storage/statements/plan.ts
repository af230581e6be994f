// Which index finds a page: the one place that decides it, by the filters alone; no statistics of a database are asked.
//
// A filter is of one of three sorts, by the index that there is for it:
//   walk: its index holds the records with one value in the order of the list (references, enums, exact values, links);
//   span: its index holds those of many values, one value after the other, each in the order of the list (days, moments,
//         numbers and beginnings of texts; bounds of one column make one span);
//   test: no index leads to it (parts and ends of texts, values that stand in another record).
// One walk alone is the page: it is read along its index, from the cursor on, and nothing is passed over. Everything else
// depends on values: which of two filters is the rarer, whether what a span covers lies at the beginning of the list or at
// its end. There the ways that lead to the page race in small steps (`engine/read/index-race.ts`); without a walk, the list's own
// order is one of them.
import { sql } from 'kysely';
import type { FilterParameter } from '../../endpoints/routes/endpoint.ts';
import { kinds } from '../../registry/model/kinds.ts';
import type { Field } from '../../registry/model/model.ts';
import type { Bound, Cell } from '../schema/cells.ts';
import type { ColumnType } from '../schema/column-types.ts';
import { param, type Sql, words } from '../schema/sql.ts';
import {
  comparedColumn,
  foldedColumn,
  itemsIndex,
  keyColumn,
  keyTexts,
  linksIndex,
  listIndex,
  listTableName,
  orderIndex,
  searchIndex,
  targetColumn,
  uniqueIndex,
} from '../schema/tables.ts';
import type { View } from './view.ts';

/** A table of a list, and the column of its items that a filter compares. */
export interface Holder {
  readonly table: string;
  readonly column: string;
}

/** An index along which records come in the order of the list. */
export interface Walk {
  readonly index: string;
  /** What all of them pass; undefined where the walk goes over the whole list. */
  readonly filter: FilterParameter | undefined;
  /** Where the index is that of a list, and leads to the records that own it. */
  readonly holder: Holder | undefined;
  /** Instead of one index those that lead to what the caller sees, put together. */
  readonly seen?: SeenWays;
}

export interface SeenWays {
  readonly ways: readonly SeenWay[];
  /** Whether no record is on two of them. */
  readonly areApart: boolean;
}

/** How rows of several ways are put together: a record may be seen for several reasons. */
export const together = (areApart: boolean): string => (areApart ? ' union all ' : ' union ');

/** Records whose column has a value. */
interface SeenWay {
  readonly column: string;
  /** Undefined for ids. */
  readonly index: string | undefined;
  readonly value: Sql;
}

/** An index that holds the records of one value after the other, from one bound to another. */
export interface Span {
  readonly index: string;
  readonly column: string;
  readonly type: ColumnType;
  readonly filters: readonly FilterParameter[];
  /** Days can be told apart and counted; all else cannot. */
  readonly ofDays: boolean;
  /** Where no filter says: whether the records without a value, or all others. */
  readonly isUnset?: boolean;
}

/** How a page is found for one set of filters. */
export interface Plan {
  readonly filters: readonly FilterParameter[];
  /** Where one statement along one index does it, whatever the values are. */
  readonly direct: Walk | undefined;
  /** Else the ways that race; those that are likely to be the shortest first. */
  readonly walks: readonly Walk[];
  readonly spans: readonly Span[];
  /** How all records are read. */
  readonly whole: Walk;
}

/** Ids that are read first: of more, every record is asked for what makes it seen. */
export const mostFirst = 1000;
/** Of so few each is a way; of more, every record is asked whether its id is among them. */
export const mostWays = 50;
/** The value of one of them. */
const firstValue = (place: number): string => `#first${place}`;

/** The values of ids that were read first, as many as a statement has places for. */
export const firstValues = (ids: readonly Cell[], count: number): Readonly<Record<string, Bound>> =>
  Object.fromEntries(
    // What has no id leads nowhere: null is equal to nothing.
    Array.from({ length: count }, (_value, place) => [firstValue(place), ids[place] ?? null]),
  );

const firstParams = (count: number): readonly Sql[] =>
  Array.from({ length: count }, (_value, place) => param(firstValue(place)));

/** The ways to what a caller sees. @param first How many ids were read first; undefined: too many */
function seenWalk(view: View, first: number | undefined): Walk | undefined {
  const { ways = [] } = view.sight?.ways ?? {};
  if (first === undefined && ways.some(({ isReadFirst }) => isReadFirst)) return undefined;
  const seen = ways.flatMap(({ isReadFirst, value, ...way }): readonly SeenWay[] =>
    (isReadFirst ? firstParams(first ?? 0) : [value]).map((each) => ({ ...way, value: each })),
  );
  if (seen.length === 0 || seen.length > mostWays) return undefined;
  // Ids that are read first are each another one.
  const areApart = seen.length === 1 || ways.length === 1;
  const index = seen[0]?.index ?? orderIndex(view.table);
  return { index, filter: undefined, holder: undefined, seen: { ways: seen, areApart } };
}

/** True of all records to which the ids lead that were read first, or anything else that makes them seen. */
export function ledTo({ sight }: View, first: number): Sql {
  const ways = (sight?.ways?.ways ?? []).flatMap(({ column, value, isReadFirst }): readonly Sql[] => {
    const own = sql.ref(`t.${column}`);
    if (!isReadFirst) return [sql`${own} = ${value}`];
    return first === 0 ? [] : [sql`${own} in (${sql.join(firstParams(first))})`];
  });
  const [only, ...others] = ways;
  if (only === undefined) return words('1 = 0');
  return others.length === 0 ? only : sql`(${sql.join([...ways], words(' or '))})`;
}

/** Whether every record is seen to which the ways to what a caller sees lead. */
export const isLedTo = ({ sight }: View, { shows = [] }: Pick<FilterParameter, 'shows'>): boolean =>
  sight?.ways?.isExact === true && shows.length === 0;

/** Plans the pages of a group for a set of filters. */
export function planPage(view: View, filters: readonly FilterParameter[]): Plan {
  const [filter] = filters;
  const whole: Walk = { index: orderIndex(view.table), filter: undefined, holder: undefined };
  if (filter === undefined) return { filters, direct: whole, walks: [], spans: [], whole };
  const key = filters.find((filter) => isKey(view, filter));
  if (key !== undefined) {
    const index = uniqueIndex(view.table, [keyColumn(key.field.column)]);
    return { filters, direct: { index, filter: key, holder: undefined }, walks: [], spans: [], whole };
  }
  const found = filters.flatMap((each) => walkOf(view, each) ?? []).toSorted((a, b) => rank(a) - rank(b));
  const [only] = found;
  // The items of one record may hold a value many times.
  const isDirect = only !== undefined && filters.length === 1 && filter.list === undefined;
  const search = { ...whole, index: searchIndex(view.table, foldedColumn(filter.field.column)) };
  const isSearch = filter.field.filter === 'text' && filters.every(({ field }) => field === filter.field);
  const sees = filters.find(({ comparison }) => comparison === 'sees');
  const seen = sees && seenWalk(view, sees.first);
  const allSeen = sees !== undefined && filters.length === 1 && isLedTo(view, sees) ? seen : undefined;
  const [way, ...furtherWays] = allSeen?.seen?.ways ?? [];
  // What is seen is what the index of one column holds of one value.
  const ofOne: Walk | undefined =
    way?.index !== undefined && furtherWays.length === 0 && sees?.first === undefined
      ? { index: way.index, filter, holder: undefined }
      : undefined;
  const others = found.length > 0 || seen !== undefined ? found : [isSearch ? search : whole];
  return {
    filters,
    direct: isDirect ? only : (ofOne ?? allSeen),
    walks: seen === undefined ? others : [seen, ...others],
    spans: spansOf(view, filters),
    whole,
  };
}

/** Whether a filter asks for the one record with a key. */
export const isKey = ({ resource, shownElsewhere }: View, { field, comparison }: FilterParameter): boolean =>
  comparison === 'equals' && !shownElsewhere.has(field) && keyTexts(resource).has(field);

/** Enums and switches have few values, so that each is likely to be common. */
export const isCoarse = ({ filter }: Walk): boolean => filter !== undefined && kinds[filter.field.kind].isCoarse;
const rank = (walk: Walk): number => (isCoarse(walk) ? 1 : 0);

/** Where a filter on a list looks. */
export function holderOf({ resource }: View, { field, list }: FilterParameter): Holder | undefined {
  if (field.kind === 'references' && list === undefined)
    return { table: listTableName(resource, field), column: targetColumn };
  return list === undefined ? undefined : { table: listTableName(resource, list), column: field.column };
}

function walkOf(view: View, filter: FilterParameter): Walk | undefined {
  const { field, comparison } = filter;
  const holder = holderOf(view, filter);
  if (holder !== undefined) {
    if (field.kind === 'references') return { index: linksIndex(holder.table), filter, holder };
    return field.kind === 'reference' ? { index: itemsIndex(holder.table, holder.column), filter, holder } : undefined;
  }
  if (view.shownElsewhere.has(field) || !field.stored) return undefined;
  if (comparison === 'equals') return { index: listIndex(view.table, field.column), filter, holder };
  if (comparison === 'foldedEquals')
    return { index: listIndex(view.table, foldedColumn(field.column)), filter, holder };
  return undefined;
}

const bounds: ReadonlySet<FilterParameter['comparison']> = new Set(['after', 'onAfter', 'before', 'onBefore']);

function spansOf(view: View, filters: readonly FilterParameter[]): Span[] {
  const byField = Map.groupBy(filters.filter(isSpan), ({ field }) => field);
  return [...byField].flatMap(([field, own]): Span[] => {
    if (view.shownElsewhere.has(field) || !field.stored) return [];
    const { name: column, type } = comparedColumn(field);
    return [{ index: listIndex(view.table, column), column, type, filters: own, ofDays: field.kind === 'date' }];
  });
}

const isSpan = ({
  comparison,
}: {
  readonly field: Field;
  readonly comparison: FilterParameter['comparison'];
}): boolean => comparison === 'foldedStartsWith' || bounds.has(comparison);
