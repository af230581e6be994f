// How a page of a list is found that is sorted by a field: by the filters alone, as `plan.ts` does for the order of making.
//
// The index of the field has the order of the list. It is the page by itself where nothing but the field is filtered. Else two
// sorts of ways race: along that index, looking at what it passes; and through all that another filter leads to, keeping the
// foremost. Which is shorter depends on how many there are, and where.
import type { FilterParameter } from '../../endpoints/routes/endpoint.ts';
import type { Field } from '../../registry/model/model.ts';
import type { ColumnType } from '../schema/column-types.ts';
import { columnsOf, comparedColumn, listIndex } from '../schema/tables.ts';
import { isKey, type Plan, planPage, type Span, type Walk } from './plan.ts';
import type { View } from './view.ts';

/** How a page is found for one set of filters and one field. */
export interface SortedPlan {
  readonly filters: readonly FilterParameter[];
  /** The index that has the order of the list, and its first column; the others are the time of making and the id. */
  readonly index: string;
  readonly column: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
  /** Filters that bound the values of that column. */
  readonly own: readonly FilterParameter[];
  /** All others. */
  readonly others: readonly FilterParameter[];
  /** Where a filter asks for one record, that is the only way. */
  readonly isOfOne: boolean;
  readonly walks: readonly Walk[];
  readonly spans: readonly Span[];
}

/** Plans the sorted pages of a group for a set of filters. */
export function planSorted(view: View, filters: readonly FilterParameter[], field: Field): SortedPlan {
  const { name: column, type } = comparedColumn(field);
  const own = filters.filter((filter) => isOwn(filter, field));
  const others = filters.filter((filter) => !own.includes(filter));
  const { direct, walks, spans } = others.length === 0 ? none : planPage(view, others);
  return {
    filters,
    index: listIndex(view.table, column),
    column,
    type,
    isNullable: columnsOf(field).some(({ nullable }) => nullable),
    own,
    others,
    isOfOne: others.some((filter) => isKey(view, filter)),
    walks: (direct === undefined ? walks : [direct]).filter(({ filter, seen }) => (filter ?? seen) !== undefined),
    spans,
  };
}

const none: Pick<Plan, 'direct' | 'walks' | 'spans'> = { direct: undefined, walks: [], spans: [] };

/** Whether a filter says from which value to which the list goes. Parts and ends of texts, and texts with their case, do not. */
function isOwn({ field, list, comparison }: FilterParameter, sorted: Field): boolean {
  if (field !== sorted || list !== undefined || comparison === 'sees') return false;
  if (field.kind === 'text') return comparison === 'foldedEquals' || comparison === 'foldedStartsWith';
  return true;
}
