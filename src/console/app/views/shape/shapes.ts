// Which views a group allows: by its fields, filters and rules, never by its name.

import type { Shown } from '../../service/api.ts';
import { can, type FieldModel, fieldOf, type GroupModel, groups } from '../../service/model.ts';
import { isNumeric } from '../../values/format.ts';
import { isState } from '../../values/tone.ts';

/** Two dates that belong together. */
export interface Span {
  readonly start: FieldModel;
  readonly end: FieldModel;
}

const isSeen = ({ shown }: FieldModel): boolean => shown;

/** The dates of a group, those that every record has and that can be asked for first. */
export function daysOf(group: GroupModel): readonly FieldModel[] {
  const rank = (field: FieldModel): number =>
    (field.unset === 'never' ? 0 : 1) + (rangeFilters(group, field) === undefined ? 2 : 0);
  return group.fields.filter((field) => isSeen(field) && field.kind === 'date').toSorted((a, b) => rank(a) - rank(b));
}

/**
 * From when to when records last: what a rule keeps in order; else the only two dates, where the service makes the second
 * (a period that lasts until the next begins).
 */
export function spansOf(group: GroupModel): readonly Span[] {
  const told = group.ranges.flatMap(({ from, to }) => {
    const [start, end] = [fieldOf(group, from), fieldOf(group, to)];
    return start?.shown === true && end?.shown === true ? [{ start, end }] : [];
  });
  if (told.length > 0 || !can(group, 'list')) return told;
  const dates = group.fields.filter((field) => isSeen(field) && field.kind === 'date');
  const [start, end] = dates;
  const isPair = dates.length === 2 && start?.onCreate === true && end?.figure !== undefined && !end.onCreate;
  return isPair && start !== undefined && end !== undefined ? [{ start, end }] : [];
}

/** Whole numbers without a limit are places and counters, as a rule; those that can be added up say how large they can be. */
const isBounded = ({ maximum }: FieldModel): boolean => maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
/** Fractions, rates of exchange. */
const finest = 2;

function addsUp(field: FieldModel): boolean {
  if (!isSeen(field)) return false;
  if (field.kind === 'integer') return isBounded(field);
  if (field.kind !== 'decimal' || field.unset !== 'never') return false;
  return field.currency !== undefined || (field.scale ?? 0) <= finest;
}

/**
 * Numbers whose sum says something. An amount that need not be there is often one per unit (a rate): it counts where the
 * group has no other number, and a day of its own.
 */
export function measuresOf(group: GroupModel): readonly FieldModel[] {
  const sure = group.fields.filter(addsUp);
  if (sure.length > 0) return sure;
  const [day] = daysOf(group);
  if (day === undefined || day.unset !== 'never' || rangeFilters(group, day) === undefined) return [];
  return group.fields.filter((field) => isSeen(field) && field.kind === 'decimal' && field.currency !== undefined);
}

/** The number that tells most: an amount, and of these what stands for several others. */
export function firstMeasure(group: GroupModel): FieldModel | undefined {
  const weight = (field: FieldModel): number =>
    (field.currency === undefined ? 0 : 4) + (field.figure === undefined ? 0 : 2) + (isSummary(group, field) ? 3 : 0);
  return measuresOf(group).toSorted((a, b) => weight(b) - weight(a))[0];
}

/** The shortest name of several that share a word is the one for the whole: total, among totalTax and totalDiscount. */
const isSummary = ({ fields }: GroupModel, { name }: FieldModel): boolean =>
  fields.some((other) => other.name !== name && isNumeric(other) && other.name.startsWith(name));

/** What records can be told apart by, what a list can be asked by first. */
export function splitsOf(group: GroupModel): readonly FieldModel[] {
  const fits = (field: FieldModel): boolean =>
    isSeen(field) && (field.kind === 'reference' || (field.kind === 'enum' && (field.values?.length ?? 0) > 1));
  const rank = (field: FieldModel): number => (equalsFilter(group, field.name) === undefined ? 1 : 0);
  return group.fields.filter(fits).toSorted((a, b) => rank(a) - rank(b));
}

/** Rows of a timeline: by a record that these belong to. */
export const lanesOf = (group: GroupModel): readonly FieldModel[] =>
  splitsOf(group).toSorted((a, b) => Number(a.kind !== 'reference') - Number(b.kind !== 'reference'));

/** The state that callers may change, and what follows on what. */
export const stateOf = (group: GroupModel): FieldModel | undefined =>
  can(group, 'update')
    ? group.fields.find(
        ({ kind, shown, onUpdate, transitions }) => kind === 'enum' && shown && onUpdate && transitions !== undefined,
      )
    : undefined;

/** Whether the records of a group have an order that people know: a place, or how far something is. */
const isOrdered = ({ fields }: GroupModel): boolean =>
  fields.some((field) => field.shown && (isPlace(field) || (isState(field) && isRatioIn(fields))));
const isPlace = ({ kind, name }: FieldModel): boolean =>
  kind === 'integer' && /^(?:position|place|order|rank)$/.test(name);
const isRatioIn = (fields: readonly FieldModel[]): boolean =>
  fields.some(({ kind, maximum }) => kind === 'decimal' && maximum === 1);

/** A record of an ordered group that callers may change: the stage of a pipeline. */
export const stageOf = (group: GroupModel): FieldModel | undefined =>
  can(group, 'update')
    ? group.fields.find((field) => {
        const target = field.kind === 'reference' ? groups().named(field.target ?? '') : undefined;
        const isChosen = field.shown && field.onUpdate && field.unset === 'never';
        return (
          isChosen &&
          target !== undefined &&
          can(target, 'list') &&
          isOrdered(target) &&
          equalsFilter(group, field.name) !== undefined
        );
      })
    : undefined;

/** Stages from the first to the last: those that are open before those that are over, then by their place, or how far they are. */
export function inOrder({ fields }: GroupModel, stages: readonly Shown[]): readonly Shown[] {
  const state = fields.find(isState);
  const place = fields.find(isPlace) ?? fields.find(({ kind, maximum }) => kind === 'decimal' && maximum === 1);
  const rank = (record: Shown): readonly [number, number] => [
    state?.values?.indexOf(String(record[state.name])) ?? 0,
    place === undefined ? 0 : Number(record[place.name] ?? 0),
  ];
  // Lists begin with the newest.
  return stages.toReversed().toSorted((a, b) => {
    const [[one, first], [other, second]] = [rank(a), rank(b)];
    return one - other || first - second;
  });
}

/** A day on which something is measured, which is not the end of a span. */
export function calendarDay(group: GroupModel): FieldModel | undefined {
  const ends = new Set(spansOf(group).flatMap(({ start, end }) => [start.name, end.name]));
  return measuresOf(group).length === 0
    ? undefined
    : daysOf(group).find(
        (field) => field.unset === 'never' && rangeFilters(group, field) !== undefined && !ends.has(field.name),
      );
}

/** Names of the parameters that narrow a list to days; both, or undefined. */
export function rangeFilters(
  { filters }: GroupModel,
  { name }: FieldModel,
): { readonly from: string; readonly to: string } | undefined {
  const named = (comparison: string): string | undefined =>
    filters.find((filter) => filter.path === name && filter.comparison === comparison)?.name;
  const [from, to] = [named('onAfter'), named('onBefore')];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** The parameter that narrows a list to one value of a field. */
export const equalsFilter = ({ filters }: GroupModel, path: string): string | undefined =>
  filters.find((filter) => filter.path === path && (filter.comparison === 'equals' || filter.comparison === 'holds'))
    ?.name;
