// Records and items that were found in the database, as formulas see them.
import { recordValue } from '../formulas/evaluate/facts.ts';
import type { RecordValue } from '../formulas/language/value.ts';
import type { Values } from '../registry/model/model.ts';
import type { StoredFacts } from './pending-questions.ts';
import type { Found, PlacedLists, RecordSource } from './sources.ts';

/** `invoice`, `invoice.lines.sources` */
export const sourceText = ({ group, lists }: RecordSource): string =>
  lists.length === 0 ? group : `${group}.${lists.join('.')}`;

export const storedRecord = (group: string, values: Readonly<Values>): RecordValue => ({
  ...recordValue(values),
  stored: { group, id: String(values['id']), lists: [], places: [] },
});

export const storedOrNull = (group: string, values: Readonly<Values> | undefined): RecordValue | null =>
  values === undefined ? null : storedRecord(group, values);

/** What was found in a place. Records are known from then on. */
export function foundValues(stored: StoredFacts, source: RecordSource, rows: readonly Found[]): readonly RecordValue[] {
  const owners = new Map<Found['record'], RecordValue>();
  return rows.map((row) => foundValue(stored, source, { row, owners }));
}

interface FoundRow {
  readonly row: Found;
  readonly owners: Map<Found['record'], RecordValue>;
}

/** A record that was found, or an item within it. */
function foundValue(
  facts: StoredFacts,
  { group, lists }: RecordSource,
  { row: { record, items }, owners }: FoundRow,
): RecordValue {
  const root = owners.get(record) ?? storedRecord(group, record);
  owners.set(record, root);
  const id = String(record['id']);
  if (items.length === 0) facts.records.at(group, group).put(id, root);
  let value = root;
  for (const [depth, { place, values }] of items.entries()) {
    const places = items.slice(0, depth + 1).map((item) => item.place);
    const stored = { group, id, lists: lists.slice(0, depth + 1), places };
    value = { ...recordValue(values), owner: value, place, stored };
  }
  return value;
}

type PlacedList = NonNullable<ReturnType<PlacedLists['get']>>;
const none: PlacedList = [];
const listed = new WeakMap<PlacedList, readonly unknown[]>();

/** The values of the list in a place; the same ones for the same list, however often a formula goes through it. */
export function placedValues(lists: PlacedLists, place: string): readonly unknown[] {
  const list = lists.get(place) ?? none;
  const values = listed.get(list) ?? list.map(({ value }) => value);
  listed.set(list, values);
  return values;
}
