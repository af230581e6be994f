// Records → sums by month or by day, of each value of what they are split by. Amounts of one currency at a time.
import { Adder } from 'd3-array';
import { viewMessages } from '../../messages/views.ts';
import type { Shown } from '../../service/api.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { inUnit, type Key, keyOf, unitOf } from './values.ts';

export interface Series {
  /** Undefined for all that are left. */
  readonly key: Key | undefined;
  readonly text: string;
  /** One for each slot. */
  readonly values: readonly number[];
}

/** All amounts of one currency. */
export interface Panel {
  readonly unit: string;
  readonly series: readonly Series[];
  readonly totals: readonly number[];
}

export interface Question {
  readonly group: GroupModel;
  readonly day: FieldModel;
  /** Records are counted where there is none. */
  readonly measure: FieldModel | undefined;
  readonly split: FieldModel | undefined;
  /** What the days are put together to, in order: months, or the days themselves. */
  readonly slots: readonly string[];
  readonly slotOf: (day: string) => string;
}

/** More values than colours can be told apart are put together. */
const mostSeries = 8;

interface Sums {
  readonly key: Key;
  readonly adders: Map<string, Adder>;
}

export const all: Key = { id: '', text: viewMessages.all };

/** What is added up: one record's number, or what the service has added up already. */
export interface Entry {
  readonly unit: string;
  readonly slot: string;
  readonly key: Key;
  /** In the unit of the picture: times in hours. */
  readonly value: number;
}

/** Panels of records with the largest sums first; none where no record has the number. */
export function panelsOf(question: Question, records: readonly Shown[]): readonly Panel[] {
  const { group, day, measure, split, slotOf } = question;
  return panelsFrom(
    question,
    records.flatMap((record): Entry[] => {
      const [on, value] = [record[day.name], measure === undefined ? 1 : record[measure.name]];
      if (typeof on !== 'string' || typeof value !== 'number') return [];
      const unit = measure === undefined ? '' : unitOf(group, measure, record);
      // Its currency is being asked for.
      if (unit === undefined) return [];
      const key = split === undefined ? all : keyOf(split, record);
      return [{ unit, slot: slotOf(on), key, value: measure === undefined ? value : inUnit(measure, value) }];
    }),
  );
}

/** Panels of what is added up, with the largest sums first. */
export function panelsFrom(question: Question, entries: readonly Entry[]): readonly Panel[] {
  const seen = new Set(question.slots);
  const units = new Map<string, Map<string, Sums>>();
  for (const { unit, slot, key, value } of entries) {
    if (!seen.has(slot)) continue;
    const sums = units.get(unit) ?? new Map<string, Sums>();
    units.set(unit, sums);
    const own = sums.get(key.id) ?? { key, adders: new Map<string, Adder>() };
    sums.set(key.id, own);
    own.adders.set(slot, (own.adders.get(slot) ?? new Adder()).add(value));
  }
  return [...units]
    .map(([unit, sums]) => panelOf(unit, [...sums.values()], question))
    .toSorted((a, b) => weigh(b.totals) - weigh(a.totals));
}

const weigh = (values: readonly number[]): number => values.reduce((sum, value) => sum + Math.abs(value), 0);

function panelOf(unit: string, sums: readonly Sums[], { slots, split }: Question): Panel {
  const series = sums
    .map(({ key, adders }) => ({ key, text: key.text, values: slots.map((slot) => Number(adders.get(slot) ?? 0)) }))
    .toSorted((a, b) => orderOf(split, a.key) - orderOf(split, b.key) || weigh(b.values) - weigh(a.values));
  const totals = sumOf(slots, series);
  if (series.length <= mostSeries) return { unit, series, totals };
  const byWeight = series.toSorted((a, b) => weigh(b.values) - weigh(a.values));
  const kept = new Set(byWeight.slice(0, mostSeries - 1));
  const rest = series.filter((one) => !kept.has(one));
  const others = { key: undefined, text: viewMessages.others(rest.length), values: sumOf(slots, rest) };
  return { unit, series: [...series.filter((one) => kept.has(one)), others], totals };
}

/** Words of a closed set stand in its order. */
const orderOf = (split: FieldModel | undefined, { id }: Key): number => split?.values?.indexOf(id) ?? 0;

const sumOf = (slots: readonly string[], series: readonly Pick<Series, 'values'>[]): readonly number[] =>
  slots.map((_, index) => {
    const adder = new Adder();
    for (const { values } of series) adder.add(values[index] ?? 0);
    return Number(adder);
  });

/** Each slot with all before it. */
export function addedUp({ unit, series, totals }: Panel): Panel {
  const run = (values: readonly number[]): readonly number[] => {
    const adder = new Adder();
    return values.map((value) => Number(adder.add(value)));
  };
  return { unit, series: series.map((one) => ({ ...one, values: run(one.values) })), totals: run(totals) };
}

/** The name of a colour: that of its place; what is left over has none of its own. */
export const colourOf = ({ key }: Series, place: number): string => (key === undefined ? 'rest' : String(place));
