// Evaluates virtual fields (taken at read): each formula over all records of a page at once, and the records that it shows.
import { ReadFacts } from '../../facts/read-facts.ts';
import { isRecord } from '../../facts/record-values.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Known, RecordValue } from '../../formulas/language/value.ts';
import type { Field, Value } from '../../registry/model/model.ts';
import type { Bound, Row } from '../../storage/schema/cells.ts';
import { bind } from '../../storage/schema/compiler.ts';
import { paddedCount } from '../../storage/statements/query.ts';
import type { FigureView, View } from '../../storage/statements/view.ts';
import { unreachable } from '../../unreachable.ts';
import type { Soon } from '../../values/soon.ts';
import type { Group, GroupFigure, GroupRecords } from '../plan/groups.ts';
import { idsIn, type Shown, textOf } from './figure-text.ts';
import type { Reading } from './read-lists.ts';

/** JSON of each figure by the ids of the records, in the order of the view. */
export type Figures = readonly ReadonlyMap<string, string>[];

export const noFigures: Figures = [];

/** Ids that one statement asks for at most. */
const idsAtOnce = 500;

/** A figure that was taken for some records, and what it shows of others. */
export interface TakenFigure<Figure extends GroupFigure = GroupFigure> {
  readonly figure: Figure;
  /** By the ids of the records. */
  readonly values: ReadonlyMap<string, Known>;
  readonly shown: Shown;
}

/** Takes what is taken when records are read. @param rows Theirs. */
export function readFigures(reading: Reading, rows: readonly Row[]): Soon<Figures> {
  const { readFigures: figures, queries } = reading.group;
  if (figures.length === 0) return noFigures;
  return takeFigures(reading, { figures, view: queries.view }, rows).then((found) =>
    found.map((taken) => figureTexts(taken, taken.shown)),
  );
}

/** What a view's figures are taken of. */
interface Taking<Figure> {
  readonly figures: readonly Figure[];
  readonly view: View;
}

/** Takes figures of some records, and reads the records that they show. */
export async function takeFigures<Figure extends GroupFigure>(
  reading: Reading,
  { figures, view }: Taking<Figure>,
  rows: readonly Row[],
): Promise<readonly TakenFigure<Figure>[]> {
  if (figures.length === 0 || rows.length === 0) return [];
  const records = reading.records();
  const facts = new ReadFacts({ records, today: () => Promise.resolve(reading.today()) });
  const selves = rows.map((row) => selfOf(reading.group, view, row));
  const found: TakenFigure<Figure>[] = [];
  for (const figure of figures) found.push(await taken(reading, figure, { facts, selves }));
  return found;
}

/** JSON of a figure by the ids of the records. */
export const figureTexts = ({ figure, values }: TakenFigure, shown: Shown): ReadonlyMap<string, string> =>
  new Map([...values].map(([id, value]) => [id, textOf(figure.view.field, value, shown)]));

/** The record of a row as formulas stand on it. Its lists are read where one looks at them. */
function selfOf({ resource, rows }: Group, view: View, row: Row): RecordValue {
  const values = rows.recordIn(row, view.own);
  return {
    ...recordValue(values),
    stored: { group: resource.name, id: String(values['id']), lists: [], places: [] },
  };
}

interface Around {
  readonly facts: ReadFacts;
  readonly selves: readonly RecordValue[];
}

async function taken<Figure extends GroupFigure>(
  reading: Reading,
  figure: Figure,
  { facts, selves }: Around,
): Promise<TakenFigure<Figure>> {
  const { view, records } = figure;
  const { field, inside } = view;
  if (field.figure === undefined) unreachable(`${field.name} has no formula`);
  const places = selves.flatMap((self) => placeIn(self, inside));
  const judged = await facts.evaluateAll(
    field.figure.tree,
    places.map(({ self }) => self),
  );
  const shown = await shownRecords(
    reading,
    records,
    judged.map(({ value }) => value),
  );
  return { figure, shown, values: new Map(places.map(({ id }, index) => [id, judged[index]?.value ?? null])) };
}

interface FigureOwner {
  readonly id: string;
  readonly self: RecordValue;
}

/** An object that is not there has nothing in it. */
function placeIn(self: RecordValue, inside: FigureView['inside']): readonly FigureOwner[] {
  const id = self.id ?? '';
  if (inside === undefined) return [{ id, self }];
  const values = self.values[inside] as Value;
  return isRecord(values) ? [{ id, self: { values, id: undefined, owner: self, place: 0 } }] : [];
}

/** Reads those that values name; one statement for each field that refers to any. */
async function shownRecords(
  reading: Reading,
  records: readonly GroupRecords[],
  values: readonly Known[],
): Promise<Shown> {
  const shown = new Map<Field, ReadonlyMap<string, string>>();
  for (const each of records) {
    const { field } = each.view;
    const ids = new Set(values.flatMap((value) => idsIn(value, field)));
    shown.set(field, await readRecords(reading, each, [...ids]));
  }
  return shown;
}

async function readRecords(
  reading: Reading,
  { view, write }: GroupRecords,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const some = ids.slice(first, first + idsAtOnce);
    const padded = paddedCount(some.length);
    const statement = reading.group.queries.list(view, padded, false);
    const values: Record<string, Bound> = { ...reading.seen };
    for (let place = 0; place < padded; place++) values[`owner${place}`] = some[place] ?? some[0] ?? '';
    for (const row of await reading.session.all(statement.sql, bind(statement, values)))
      texts.set(String(row[0]), write(row, []));
  }
  return texts;
}
