// Evaluates virtual fields (taken at read): each formula over all records of a page at once, and the records that it shows.
import { ReadFacts } from '../../facts/read-facts.ts';
import { isRecord } from '../../facts/record-values.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Known, RecordValue } from '../../formulas/language/value.ts';
import type { Field, Value } from '../../registry/model/model.ts';
import type { Bound, Row } from '../../storage/schema/cells.ts';
import { bind } from '../../storage/schema/compiler.ts';
import { paddedCount } from '../../storage/statements/query.ts';
import type { FigureView } from '../../storage/statements/view.ts';
import { unreachable } from '../../unreachable.ts';
import type { Group, GroupFigure, GroupRecords } from '../plan/groups.ts';
import { idsIn, type Shown, textOf } from './figure-text.ts';
import type { Reading } from './read-lists.ts';

/** JSON of each figure by the ids of the records, in the order of the view. */
export type Figures = readonly ReadonlyMap<string, string>[];

export const noFigures: Figures = [];

/** Ids that one statement asks for at most. */
const idsAtOnce = 500;

/** Takes what is taken when records are read. @param rows Theirs. */
export async function readFigures(reading: Reading, rows: readonly Row[]): Promise<Figures> {
  const { group } = reading;
  if (group.readFigures.length === 0 || rows.length === 0) return noFigures;
  const records = reading.records();
  const facts = new ReadFacts({ records, today: () => Promise.resolve(reading.today()) });
  const selves = rows.map((row) => selfOf(group, row));
  const figures: ReadonlyMap<string, string>[] = [];
  for (const figure of group.readFigures) figures.push(await taken(reading, figure, { facts, selves }));
  return figures;
}

/** The record of a row as formulas stand on it. Its lists are read where one looks at them. */
function selfOf({ resource, rows, queries }: Group, row: Row): RecordValue {
  const values = rows.recordIn(row, queries.view.own);
  return {
    ...recordValue(values),
    stored: { group: resource.name, id: String(values['id']), lists: [], places: [] },
  };
}

interface Around {
  readonly facts: ReadFacts;
  readonly selves: readonly RecordValue[];
}

async function taken(
  reading: Reading,
  { view, records }: GroupFigure,
  { facts, selves }: Around,
): Promise<ReadonlyMap<string, string>> {
  const { field, inside } = view;
  const { figure } = field;
  if (figure === undefined) unreachable(`${field.name} has no formula`);
  const places = selves.flatMap((self) => placeIn(self, inside));
  const judged = await facts.evaluateAll(
    figure.tree,
    places.map(({ self }) => self),
  );
  const shown = await shownRecords(
    reading,
    records,
    judged.map(({ value }) => value),
  );
  return new Map(places.map(({ id }, index) => [id, textOf(field, judged[index]?.value ?? null, shown)]));
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
    const values: Record<string, Bound> = {};
    for (let place = 0; place < padded; place++) values[`owner${place}`] = some[place] ?? some[0] ?? '';
    for (const row of await reading.session.all(statement.sql, bind(statement, values)))
      texts.set(String(row[0]), write(row, []));
  }
  return texts;
}
