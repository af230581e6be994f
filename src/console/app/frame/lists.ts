// Lists by the words of what their filters take: `overdue invoices` → Invoices: overdue, `time entries last month`.
import { presets } from '../grid/filters/presets.ts';
import { can, type FilterModel, type GroupModel } from '../service/model.ts';
import { labelOf, wordsOf } from '../values/format.ts';
import { daysOf, rangeFilters } from '../views/shape/shapes.ts';

interface NarrowedList {
  /** `overdue`, `last month` */
  readonly words: string;
  readonly query: URLSearchParams;
}

const isEqual = ({ comparison, path }: FilterModel): boolean => comparison === 'equals' && !path.includes('[]');

/** The lists of a group that words lead to. */
export function narrowedLists(group: GroupModel): readonly NarrowedList[] {
  if (!can(group, 'list')) return [];
  const ofValues = group.filters
    .filter((filter) => isEqual(filter) && filter.values !== undefined)
    .flatMap(({ name, values = [] }) => values.map((value) => one(wordsOf(value), { [name]: value })));
  const ofTruths = group.filters
    .filter((filter) => isEqual(filter) && filter.kind === 'boolean')
    .map(({ name, path }) => one(labelOf({ name: path, kind: 'boolean' }), { [name]: 'true' }));
  return [...ofValues, ...ofTruths, ...ofDays(group)];
}

const one = (words: string, query: Record<string, string>): NarrowedList => ({
  words: words.charAt(0).toLowerCase() + words.slice(1),
  query: new URLSearchParams(query),
});

/** By the day that tells most of the group. */
function ofDays(group: GroupModel): readonly NarrowedList[] {
  const [day] = daysOf(group);
  const names = day && rangeFilters(group, day);
  if (day === undefined || names === undefined) return [];
  return presets().map(({ label, range: { from, to } }) =>
    one(label, { ...(from !== '' && { [names.from]: from }), ...(to !== '' && { [names.to]: to }) }),
  );
}
