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
import type { FilterParameter } from '../../endpoints/routes/endpoint.ts';
import { kinds } from '../../registry/model/kinds.ts';
import type { Field } from '../../registry/model/model.ts';
import type { ColumnType } from '../schema/column-types.ts';
import { param, type Sql } from '../schema/sql.ts';
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
  readonly seen?: readonly SeenWay[];
}

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

/** Ids that are read first, of which each is a way; beyond, every record is asked for what it is. */
export const mostFirst = 50;
/** The value of one of them. */
export const firstValue = (place: number): string => `#first${place}`;

/** The ways to what a caller sees. @param first How many ids were read first; undefined: too many */
function seenWalk(view: View, first: number | undefined): Walk | undefined {
  const { ways = [] } = view.sight?.ways ?? {};
  if (ways.length === 0 || (first === undefined && ways.some(({ isReadFirst }) => isReadFirst))) return undefined;
  const seen = ways.flatMap(({ column, index, value, isReadFirst }): readonly SeenWay[] =>
    isReadFirst
      ? Array.from({ length: first ?? 0 }, (_value, place) => ({ column, index, value: param(firstValue(place)) }))
      : [{ column, index, value }],
  );
  if (seen.length === 0 || seen.length > mostFirst) return undefined;
  return { index: seen[0]?.index ?? orderIndex(view.table), filter: undefined, holder: undefined, seen };
}

/** Plans the pages of a group for a set of filters. */
export function planPage(view: View, filters: readonly FilterParameter[], first?: number): Plan {
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
  const seen = filters.some(({ comparison }) => comparison === 'sees') ? seenWalk(view, first) : undefined;
  const isExact = seen !== undefined && view.sight?.ways?.isExact === true && seen.seen?.length === 1;
  const isAllSeen = isExact && filters.length === 1 && filter.shows?.length === 0;
  const others = found.length > 0 || seen !== undefined ? found : [isSearch ? search : whole];
  return {
    filters,
    direct: isDirect ? only : isAllSeen ? seen : undefined,
    walks: seen === undefined ? others : [seen, ...others],
    spans: spansOf(view, filters),
    whole,
  };
}

/** Whether a filter asks for the one record with a key. */
export const isKey = ({ resource, shownElsewhere }: View, { field, comparison }: FilterParameter): boolean =>
  comparison === 'equals' && !shownElsewhere.has(field) && keyTexts(resource).has(field);

/** Enums and switches have few values, so that each is likely to be common. */
const rank = ({ filter }: Walk): number => (filter !== undefined && kinds[filter.field.kind].isCoarse ? 1 : 0);

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
