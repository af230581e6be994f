// Reads: one statement for the page, one more for each list-valued field, rows straight to bytes.
import { problems } from '../problems.ts';
import type { Intent } from '../request/intent.ts';
import { encode } from '../storage/columns.ts';
import { bind, type Statement } from '../storage/compiler.ts';
import { filterValues, type Start } from '../storage/filter-sql.ts';
import { paddedCount } from '../storage/query.ts';
import type { Bound, Cell, DialectName, Row, Session } from '../storage/session.ts';
import { ownerOf, PageBuffer } from '../storage/writer.ts';
import { timeOfId } from '../values/id.ts';
import type { Group, GroupList } from './groups.ts';
import { race } from './race.ts';

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
  const found = await findRows(session, group, { intent, dialect, today });
  const hasMore = found.length > intent.limit;
  const rows = found.slice(0, intent.limit);
  if (intent.cursor?.direction === 'before') rows.reverse();
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

/** Up to one row more than the page has, from the cursor on. */
async function findRows(
  session: Reader,
  { queries: { pages } }: Group,
  { intent, dialect, today }: { intent: Intent; dialect: DialectName; today: Today },
): Promise<readonly Row[]> {
  const plan = pages.plan(intent.filters.map(({ filter }) => filter));
  const limit = intent.limit + 1;
  const { cursor } = intent;
  const place = placeOf(intent, dialect);
  const values: Record<string, Bound> = { ...place.values };
  for (const { filter, value } of intent.filters) Object.assign(values, filterValues(filter, value, dialect));
  // As text for MySQL, whose prepared LIMIT takes no number that could be a fraction.
  const asLimit = (count: Bound | undefined): Bound => (dialect === 'mysql' ? String(count) : (count ?? null));
  const ask = (statement: Statement, bound: Readonly<Record<string, Bound>>): Promise<Row[]> => {
    const limits = { limit: asLimit(bound['limit']), entries: asLimit(bound['entries']) };
    return session.all(statement.sql, bind(statement, { ...bound, ...limits, ...effective(statement, today) }));
  };
  const lookUp = async (): Promise<Cell> => {
    const [row] = await ask(pages.cursor(), values);
    if (row === undefined)
      throw problems.cursorUnknown(cursor?.direction === 'after' ? 'startingAfter' : 'endingBefore');
    return row[0] ?? null;
  };
  if (plan.direct !== undefined) {
    const found = await ask(pages.direct(plan, plan.direct, place.start), { ...values, limit });
    // An empty page after an id that was looked up: the end of the list, or an id that nobody knows.
    if (found.length === 0 && place.isLookup) await lookUp();
    return found;
  }
  if (place.isLookup) values['cursorTime'] = await lookUp();
  return race({ queries: pages, plan, dialect, start: cursor?.direction ?? 'first', values, limit, ask });
}

/** A version 7 id is its own place in the list; any other is looked up. */
function placeOf(
  { cursor }: Intent,
  dialect: DialectName,
): { start: Start; isLookup: boolean; values: Record<string, Bound> } {
  if (cursor === undefined) return { start: 'first', isLookup: false, values: {} };
  const { direction, id: cursorId } = cursor;
  const time = timeOfId(cursorId);
  if (time === undefined) return { start: `${direction}Lookup`, isLookup: true, values: { cursorId } };
  const cursorTime = encode(time, { kind: 'dateTime' }, dialect);
  return { start: direction, isLookup: false, values: { cursorId, cursorTime } };
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
