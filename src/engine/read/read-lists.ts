// The lists of records: one statement each for all records of a page, in portions of records where their rows are many.

import type { Records } from '../../facts/records.ts';
import type { NoteLongWay } from '../../metrics/units-of-work.ts';
import type { Field } from '../../registry/model/model.ts';
import type { Bound, Row } from '../../storage/schema/cells.ts';
import { bind } from '../../storage/schema/compiler.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { BoundStatement, Session } from '../../storage/schema/session.ts';
import { ownerOf } from '../../storage/statements/json-writer.ts';
import { paddedCount } from '../../storage/statements/query.ts';
import type { ListView } from '../../storage/statements/view.ts';
import { type Soon, soon, soonAll } from '../../values/soon.ts';
import type { Group, GroupList } from '../plan/groups.ts';

/** What reads, and for whom. */
export interface Reading {
  readonly session: Pick<Session, 'all' | 'together'>;
  readonly group: Group;
  readonly dialect: Dialect;
  /** The date in the workspace's time zone: asked for only where something shown depends on it. */
  readonly today: () => string;
  /** The records of the workspace as formulas look at them: asked for only by figures that are taken when records are read. */
  readonly records: () => Records;
  /** Told of pages that take many statements. */
  readonly noteLongWay?: NoteLongWay;
  /** Lists that are known to have nothing in them. */
  readonly empty?: ReadonlySet<Field>;
  /** What is bound for the conditions of what the caller sees. */
  readonly seen?: Readonly<Record<string, Bound>> | undefined;
}

/** JSON of the lists by owner, in the order of the view; records and items without any are left out. */
export type Lists = readonly ReadonlyMap<string, string>[];

/**
 * Rows of one list that are read for several records at once: more than a usual page of records has, and few enough for
 * others who wait for the same process. The lists of one record are read whole.
 */
const mostRows = 2000;

export interface ListRows<List extends GroupList = GroupList> {
  readonly list: List;
  readonly rows: readonly Row[];
  /** Those of the lists of its items. */
  readonly inner: readonly ListRows<List>[];
}

/** The lists of some records, or, where they have too many rows to be read at once, for how many records to ask instead. */
export function readLists(
  reading: Reading,
  ids: readonly string[],
): Soon<{ readonly lists: Lists } | { readonly fewer: number }> {
  return soon(listRowsOf(reading, reading.group.lists, ids), (found) =>
    'fewer' in found ? found : { lists: found.rows.map((rows) => writeList(rows)) },
  );
}

/** The same as rows. */
export function listRowsOf<List extends GroupList>(
  reading: Reading,
  lists: readonly List[],
  ids: readonly string[],
): Soon<{ readonly rows: readonly ListRows<List>[] } | { readonly fewer: number }> {
  return soon(readRows(reading, lists, ids), (rows) => {
    const fewer = ids.length === 1 ? undefined : fewerThan(rows);
    return fewer === undefined ? { rows } : { fewer };
  });
}

/** The lists of one record. */
export const listsOf = (reading: Reading, id: string): Soon<Lists> =>
  soon(readRows(reading, reading.group.lists, [id]), (found) => found.map((rows) => writeList(rows)));

/** The statements that read the lists of one record, to be read together with others, and what makes the lists of their rows. */
export function listReads(
  reading: Reading,
  id: string,
): { readonly reads: readonly BoundStatement[]; readonly listsFrom: (rows: readonly (readonly Row[])[]) => Lists } {
  const reads: BoundStatement[] = [];
  const places = placed(reading, reading.group.lists, { ids: [id], reads });
  return { reads, listsFrom: (rows) => places.map((place) => writeList(rowsAt(place, rows))) };
}

/** A list, and the place of its statement; one that is known to be empty has none. */
interface Placed {
  readonly list: GroupList;
  readonly place: number | undefined;
  readonly inner: readonly Placed[];
}

function placed(
  reading: Reading,
  lists: readonly GroupList[],
  asked: { readonly ids: readonly string[]; readonly reads: BoundStatement[] },
): readonly Placed[] {
  const places: Placed[] = [];
  for (const list of lists) {
    const isEmpty = reading.empty?.has(list.view.field) === true;
    const place = isEmpty ? undefined : asked.reads.push(rowsAsked(reading, list, asked.ids)) - 1;
    places.push({ list, place, inner: isEmpty ? [] : placed(reading, list.lists, asked) });
  }
  return places;
}

const rowsAt = ({ list, place, inner }: Placed, rows: readonly (readonly Row[])[]): ListRows => ({
  list,
  rows: (place === undefined ? undefined : rows[place]) ?? [],
  inner: inner.map((each) => rowsAt(each, rows)),
});

/** The lists of items are found by the records as well, so none waits for another. */
function readRows<List extends GroupList>(
  reading: Reading,
  lists: readonly List[],
  ids: readonly string[],
): Soon<readonly ListRows<List>[]> {
  return soonAll(
    lists.map((list): Soon<ListRows<List>> => {
      const rows = rowsOf(reading, list, ids);
      if (list.lists.length === 0) return rows.then((own) => ({ list, rows: own, inner: [] }));
      const within = readRows(reading, list.lists as readonly List[], ids);
      return Promise.all([rows, within]).then(([own, inner]) => ({ list, rows: own, inner }));
    }),
  );
}

function rowsOf(reading: Reading, list: GroupList, ids: readonly string[]): Promise<Row[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const { sql, values } = rowsAsked(reading, list, ids);
  return reading.session.all(sql, values);
}

function rowsAsked(reading: Reading, { view }: GroupList, ids: readonly string[]): BoundStatement {
  const padded = paddedCount(ids.length);
  const isLimited = ids.length > 1 && ids.length * mostItems(view) > mostRows;
  const statement = reading.group.queries.list(view, padded, isLimited);
  const values: Record<string, Bound> = { ...reading.seen };
  for (let place = 0; place < padded; place++) values[`owner${place}`] = ids[place] ?? ids[0] ?? '';
  values['limit'] = BigInt(mostRows + 1);
  return { sql: statement.sql, values: bind(statement, values) };
}

/** Items that a record may have in a list: as many as its field says, of a list of its own. */
const mostItems = ({ field, depth }: ListView): number =>
  'maxItems' in field && !('via' in field && field.via !== undefined) && depth === 1
    ? field.maxItems
    : Number.POSITIVE_INFINITY;

/** How many records have had all their rows, where the rows were cut off; the first cell of each is the record's id. */
function fewerThan(found: readonly ListRows[]): number | undefined {
  const counts = found.flatMap(({ rows, inner }) => {
    const owners = rows.length > mostRows ? [new Set(rows.map(([owner]) => owner)).size - 1] : [];
    return [...owners, fewerThan(inner) ?? []].flat();
  });
  return counts.length === 0 ? undefined : Math.max(1, Math.min(...counts));
}

/** JSON of a list by owner. @param taken Records that stand in place of references. */
export function writeList(
  { list: { view, write }, rows, inner }: ListRows,
  taken?: Lists,
): ReadonlyMap<string, string> {
  const inside = inner.map((each) => writeList(each, taken));
  const lists = new Map<string, string>();
  for (const row of rows) {
    const owner = view.depth === 1 ? String(row[0]) : ownerOf(row, view.depth);
    const known = lists.get(owner);
    const item = write(row, inside, taken);
    lists.set(owner, known === undefined ? `[${item}` : `${known},${item}`);
  }
  for (const [owner, text] of lists) lists.set(owner, `${text}]`);
  return lists;
}
