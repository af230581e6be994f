// Reads: one statement for the page, one more for each list-valued field, rows straight to bytes.
import { problems } from '../problems.ts';
import type { Intent } from '../request/intent.ts';
import { encode } from '../storage/columns.ts';
import { bind, type Statement } from '../storage/compiler.ts';
import { filterValues, paddedCount, type Start } from '../storage/query.ts';
import type { Bound, DialectName, Row, Session } from '../storage/session.ts';
import { ownerOf, PageBuffer } from '../storage/writer.ts';
import { timeOfId } from '../values/id.ts';
import type { Group, GroupList } from './groups.ts';

type Reader = Pick<Session, 'all'>;

// One page is written at a time: nothing waits between its first byte and its last.
const buffer = new PageBuffer();

/** The date in the workspace's time zone: asked for only by statements that show what is in effect. */
type Today = () => string;
const effective = (statement: Statement, today: Today): Record<string, Bound> =>
  statement.names.includes('today') ? { today: today() } : {};

/** One record as JSON, or undefined when there is none. */
export async function readRecord(session: Reader, group: Group, id: string, today: Today): Promise<string | undefined> {
  const statement = group.queries.get();
  const listsOf = (owner: string) =>
    Promise.all(group.lists.map((list) => readLists(session, group, list, [owner], today)));
  // A record's lists are found by its id, so they need not wait for it; a single record's id must first be read.
  const [[row], known] = await Promise.all([
    session.all(statement.sql, bind(statement, { id, ...effective(statement, today) })),
    group.resource.singleton ? undefined : listsOf(id),
  ]);
  return row && group.write(row, known ?? (await listsOf(String(row[0]))));
}

/** A page of records: `{"results": […], "hasMore": …}`, newest first. */
export async function readPage(
  session: Reader,
  group: Group,
  intent: Intent,
  dialect: DialectName,
  today: Today,
): Promise<Buffer> {
  const { start, values } = placeOf(intent, dialect);
  const statement = group.queries.page(
    intent.filters.map(({ filter }) => filter),
    start,
  );
  const limit = intent.limit + 1;
  // As a bigint: MySQL's LIMIT takes no number that could be a fraction.
  const bound: Record<string, Bound> = { ...values, ...effective(statement, today), limit: BigInt(limit) };
  for (const { filter, value } of intent.filters) Object.assign(bound, filterValues(filter, value, dialect));
  const found = await session.all(statement.sql, bind(statement, bound));
  if (found.length === 0 && (start === 'afterLookup' || start === 'beforeLookup'))
    await checkCursor(session, group, intent);
  const hasMore = found.length > intent.limit;
  const rows = hasMore ? found.slice(0, intent.limit) : found;
  if (start === 'before' || start === 'beforeLookup') rows.reverse();
  const ids = rows.map((row) => String(row[0]));
  const lists = await Promise.all(
    group.lists.map((list) =>
      ids.length === 0 ? new Map<string, string>() : readLists(session, group, list, ids, today),
    ),
  );
  return writePage(group, rows, lists, hasMore);
}

function writePage(
  group: Group,
  rows: readonly Row[],
  lists: readonly ReadonlyMap<string, string>[],
  hasMore: boolean,
): Buffer {
  buffer.reset();
  buffer.write('{"results":[');
  for (const [index, row] of rows.entries())
    buffer.write(index === 0 ? group.write(row, lists) : `,${group.write(row, lists)}`);
  buffer.write(`],"hasMore":${hasMore}}`);
  return buffer.take();
}

/** A version 7 id is its own place in the list; any other is looked up by the statement. */
function placeOf({ cursor }: Intent, dialect: DialectName): { start: Start; values: Record<string, Bound> } {
  if (cursor === undefined) return { start: 'first', values: {} };
  const time = timeOfId(cursor.id);
  if (time === undefined) return { start: `${cursor.direction}Lookup`, values: { cursorId: cursor.id } };
  return {
    start: cursor.direction,
    values: { cursorId: cursor.id, cursorTime: encode(time, { kind: 'dateTime' }, dialect) },
  };
}

/** An empty page after an id that was looked up: the end of the list, or an id that nobody knows. */
async function checkCursor(session: Reader, group: Group, { cursor }: Intent): Promise<void> {
  if (cursor === undefined) return;
  const existing = await group.rows.existing(session, [cursor.id]);
  if (!existing.has(cursor.id))
    throw problems.cursorUnknown(cursor.direction === 'after' ? 'startingAfter' : 'endingBefore');
}

/** JSON of a list for each of the records, or of their items, by owner; those without items are left out. */
async function readLists(
  session: Reader,
  group: Group,
  { view, write, lists: inner }: GroupList,
  ids: readonly string[],
  today: Today,
): Promise<ReadonlyMap<string, string>> {
  const padded = paddedCount(ids.length);
  const statement = group.queries.list(view, padded);
  const values = effective(statement, today);
  for (let place = 0; place < padded; place++) values[`owner${place}`] = ids[place] ?? ids[0] ?? '';
  // The lists of items are found by the records as well, so they need not wait for the items.
  const [rows, ...inside] = await Promise.all([
    session.all(statement.sql, bind(statement, values)),
    ...inner.map((list) => readLists(session, group, list, ids, today)),
  ]);
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
