// The lists of records: one statement each for all records of a page, in portions of records where their rows are many.

import type { Records } from '../../facts/records.ts';
import type { NoteLongWay } from '../../metrics/units-of-work.ts';
import type { Field } from '../../registry/model/model.ts';
import type { Bound, Row } from '../../storage/schema/cells.ts';
import { bind } from '../../storage/schema/compiler.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import { ownerOf } from '../../storage/statements/json-writer.ts';
import { paddedCount } from '../../storage/statements/query.ts';
import type { ListView } from '../../storage/statements/view.ts';
import type { Group, GroupList } from '../plan/groups.ts';

/** What reads, and for whom. */
export interface Reading {
  readonly session: Pick<Session, 'all'>;
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
}

/** JSON of the lists by owner, in the order of the view; records and items without any are left out. */
export type Lists = readonly ReadonlyMap<string, string>[];

/**
 * Rows of one list that are read for several records at once: more than a usual page of records has, and few enough for
 * others who wait for the same process. The lists of one record are read whole.
 */
const mostRows = 2000;

interface ListRows {
  readonly list: GroupList;
  readonly rows: readonly Row[];
  /** Those of the lists of its items. */
  readonly inner: readonly ListRows[];
}

/** The lists of some records, or, where they have too many rows to be read at once, for how many records to ask instead. */
export async function readLists(
  reading: Reading,
  ids: readonly string[],
): Promise<{ readonly lists: Lists } | { readonly fewer: number }> {
  const found = await readRows(reading, reading.group.lists, ids);
  const fewer = ids.length === 1 ? undefined : fewerThan(found);
  return fewer === undefined ? { lists: found.map(writeList) } : { fewer };
}

/** The lists of one record. */
export const listsOf = (reading: Reading, id: string): Promise<Lists> =>
  readRows(reading, reading.group.lists, [id]).then((found) => found.map(writeList));

/** The lists of items are found by the records as well, so none waits for another. */
function readRows(reading: Reading, lists: readonly GroupList[], ids: readonly string[]): Promise<ListRows[]> {
  return Promise.all(
    lists.map(async (list) => {
      if (reading.empty?.has(list.view.field) === true) return { list, rows: [], inner: [] };
      const rows = rowsOf(reading, list, ids);
      if (list.lists.length === 0) return { list, rows: await rows, inner: [] };
      const [own, inner] = await Promise.all([rows, readRows(reading, list.lists, ids)]);
      return { list, rows: own, inner };
    }),
  );
}

function rowsOf(reading: Reading, { view }: GroupList, ids: readonly string[]): Promise<Row[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const padded = paddedCount(ids.length);
  const isLimited = ids.length > 1 && ids.length * mostItems(view) > mostRows;
  const statement = reading.group.queries.list(view, padded, isLimited);
  const values: Record<string, Bound> = {};
  for (let place = 0; place < padded; place++) values[`owner${place}`] = ids[place] ?? ids[0] ?? '';
  values['limit'] = BigInt(mostRows + 1);
  return reading.session.all(statement.sql, bind(statement, values));
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

function writeList({ list: { view, write }, rows, inner }: ListRows): ReadonlyMap<string, string> {
  const inside = inner.map(writeList);
  const lists = new Map<string, string>();
  for (const row of rows) {
    const owner = ownerOf(row, view.depth);
    const known = lists.get(owner);
    const item = write(row, inside);
    lists.set(owner, known === undefined ? `[${item}` : `${known},${item}`);
  }
  for (const [owner, text] of lists) lists.set(owner, `${text}]`);
  return lists;
}
