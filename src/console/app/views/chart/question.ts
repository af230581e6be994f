// What a chart shows: chosen in the address, else by the shape of the group.
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { chosen } from '../picture/choice.ts';
import { firstDay, isMonth, lastDay, monthAfter, monthOf, monthsBetween, today } from '../picture/days.ts';
import type { Question } from '../picture/sums.ts';
import { daysOf, firstMeasure, measuresOf, rangeFilters, splitsOf } from '../shape/shapes.ts';

export const spans = ['6', '12', '24', '36'] as const;
/** A chart has no more months, whatever is asked. */
const mostMonths = 60;

export interface Asked extends Question {
  readonly months: readonly string[];
  /** Whether each month has those before it, too. */
  readonly isRunning: boolean;
  readonly span: string;
  /** Whether the months are those that the filters say. */
  readonly isFiltered: boolean;
}

const named = (fields: readonly FieldModel[], name: string | null): FieldModel | undefined =>
  fields.find((field) => field.name === name);

/** @throws never: what the address says and does not fit is left out */
export function askedOf(group: GroupModel, filters: URLSearchParams): Asked | undefined {
  const days = daysOf(group);
  const day = named(days, chosen('day')) ?? days[0];
  if (day === undefined) return undefined;
  const of = chosen('of');
  const measure = of === 'count' ? undefined : (named(measuresOf(group), of) ?? firstMeasure(group));
  const span = spans.find((one) => one === chosen('span')) ?? '12';
  const told = monthsOfFilters(group, day, filters);
  const to = chosen('to');
  const last = isMonth(to) ? to : monthOf(today());
  const months = told ?? monthsBetween(monthAfter(last, 1 - Number(span)), last);
  return {
    group,
    day,
    measure,
    split: named(splitsOf(group), chosen('by')),
    isRunning: chosen('run') === '1',
    span,
    isFiltered: told !== undefined,
    months,
    slots: months,
    slotOf: monthOf,
  };
}

/** The months that the filters speak of, where they speak of this day. */
function monthsOfFilters(group: GroupModel, day: FieldModel, filters: URLSearchParams): readonly string[] | undefined {
  const names = rangeFilters(group, day);
  const [from, to] = [filters.get(names?.from ?? ''), filters.get(names?.to ?? '')].map((text) =>
    isMonth(text?.slice(0, 7) ?? null) ? text?.slice(0, 7) : undefined,
  );
  if (from === undefined && to === undefined) return undefined;
  const now = monthOf(today());
  const last = to ?? (from !== undefined && from > now ? monthAfter(from, 11) : now);
  return monthsBetween(from ?? monthAfter(last, -11), last).slice(-mostMonths);
}

/** The days of a month that the filters leave. */
export function narrowed(
  { group, day, months }: Pick<Asked, 'group' | 'day' | 'months'>,
  filters: URLSearchParams,
  [first, last]: readonly [number, number],
): URLSearchParams | undefined {
  const names = rangeFilters(group, day);
  const [from, to] = [months[first], months[last]];
  if (names === undefined || from === undefined || to === undefined) return undefined;
  const next = new URLSearchParams(filters);
  const [given, until] = [filters.get(names.from), filters.get(names.to)];
  next.set(names.from, given !== null && given > firstDay(from) ? given : firstDay(from));
  next.set(names.to, until !== null && until < lastDay(to) ? until : lastDay(to));
  return next;
}

/** The lists that the chart reads: a month each, the latest first; one where the list cannot be narrowed to days. */
export function queriesOf(asked: Asked, filters: URLSearchParams): readonly string[] {
  const months = asked.months.map((_, index) => narrowed(asked, filters, [index, index]));
  return months.some((query) => query === undefined)
    ? [filters.toString()]
    : months.map((query) => String(query)).reverse();
}
