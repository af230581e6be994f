// Reads records and pages: one statement for the page, one more for each list-valued field, rows straight to bytes.

import { yieldToLoop } from '../../admission/event-loop.ts';
import { isTimeOfMaking } from '../../endpoints/routes/endpoint.ts';
import { problems } from '../../problems.ts';
import type { Intent } from '../../request/intent.ts';
import type { Bound, Cell, Row } from '../../storage/schema/cells.ts';
import { encode } from '../../storage/schema/columns.ts';
import { bind } from '../../storage/schema/compiler.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import { filterValues, type Start } from '../../storage/statements/filter-sql.ts';
import { PageBuffer } from '../../storage/statements/json-writer.ts';
import { timeOfId } from '../../values/id.ts';
import { race } from './index-race.ts';
import type { Course } from './race-way.ts';
import { noFigures, readFigures } from './read-figures.ts';
import { listsOf, type Reading, readLists } from './read-lists.ts';
import { sortedRows } from './sorted.ts';

/** Bytes of the records of one page, but for the first, which is always shown: what each slow reader may hold of us. */
const pageBytes = 4 * 1024 * 1024;
/** A page that takes more statements is noted: its filters lead to many records that do not pass. */
const manyStatements = 20;
/** Of one UTF-16 unit in UTF-8. */
const mostBytes = 3;

// One page is written at a time: nothing waits between its first byte and its last.
const buffer = new PageBuffer();

/** A record as an answer shows it. */
export interface ShownRecord {
  /** JSON. */
  readonly text: string;
  readonly version: string;
}

/** One record, or undefined when there is none. */
export async function readRecord(reading: Reading, id: string): Promise<ShownRecord | undefined> {
  const { session, group } = reading;
  const statement = group.queries.get();
  // A record's lists are found by its id, so they need not wait for it; a single record's id must first be read.
  const [[row], known] = await Promise.all([
    session.all(statement.sql, bind(statement, { id })),
    group.resource.singleton ? undefined : listsOf(reading, id),
  ]);
  if (row === undefined) return undefined;
  const lists = known ?? (await listsOf(reading, String(row[0])));
  const figures = group.readFigures.length === 0 ? noFigures : await readFigures(reading, [row]);
  const text = group.write(row, lists, figures);
  return { text, version: String(row.at(-1)) };
}

/**
 * A page of records: `{"results": […], "hasMore": …}`, newest first. It ends early, with those nearest to the cursor, where
 * the records are long.
 */
export async function readPage(reading: Reading, intent: Intent): Promise<Buffer> {
  const found = await findRows(reading, intent);
  const texts = await writeRecords(reading, found.slice(0, intent.limit));
  const hasMore = found.length > texts.length;
  if (intent.cursor?.direction === 'before') texts.reverse();
  return writePage(texts, hasMore);
}

/** JSON of the records, in their order, as many as one page may hold. */
async function writeRecords(reading: Reading, rows: readonly Row[]): Promise<string[]> {
  const { group } = reading;
  const texts: string[] = [];
  const isFull = pageMeter();
  let portion = rows.length;
  while (texts.length < rows.length) {
    const next = rows.slice(texts.length, texts.length + portion);
    const read = await readLists(
      reading,
      next.map((row) => String(row[0])),
    );
    if ('fewer' in read) {
      portion = read.fewer;
    } else {
      const figures = await readFigures(reading, next);
      for (const row of next) {
        const text = group.write(row, read.lists, figures);
        if (isFull(text) && texts.length > 0) return texts;
        texts.push(text);
      }
      portion *= 2;
    }
    // Many rows: others have their turn.
    if (texts.length < rows.length) await yieldToLoop();
  }
  return texts;
}

/** Tells of each record whether it goes beyond the page. Counting bytes costs as much as writing them: most pages need none of it. */
function pageMeter(): (text: string) => boolean {
  const uncounted: string[] = [];
  let characters = 0;
  let bytes = 0;
  return (text) => {
    uncounted.push(text);
    characters += text.length;
    if (characters * mostBytes <= pageBytes) return false;
    for (const each of uncounted.splice(0)) bytes += Buffer.byteLength(each);
    return bytes > pageBytes;
  };
}

function writePage(texts: readonly string[], hasMore: boolean): Buffer {
  buffer.reset();
  buffer.write('{"results":[');
  for (const [index, text] of texts.entries()) buffer.write(index === 0 ? text : `,${text}`);
  buffer.write(`],"hasMore":${hasMore}}`);
  return buffer.take();
}

/** Up to one row more than the page has, from the cursor on. */
async function findRows(reading: Reading, intent: Intent): Promise<readonly Row[]> {
  let statements = 0;
  const { session, group, noteLongWay } = reading;
  const rows = await rowsOf(reading, intent, (statement, bound) => {
    statements += 1;
    return session.all(statement.sql, bind(statement, { ...bound, ...limitsOf(bound) }));
  });
  if (statements > manyStatements) {
    const filters = intent.filters.map(({ filter: { name } }) => name);
    noteLongWay?.('longPage', { group: group.resource.name, filters, order: intent.order?.field.name, statements });
  }
  return rows;
}

async function rowsOf({ group, dialect }: Reading, intent: Intent, ask: Course['ask']): Promise<readonly Row[]> {
  const { pages, sorted } = group.queries;
  const filters = intent.filters.map(({ filter }) => filter);
  const limit = intent.limit + 1;
  const { cursor, order } = intent;
  const values: Record<string, Bound> = {};
  for (const { filter, value } of intent.filters) Object.assign(values, filterValues(filter, value, dialect));
  const unknownCursor = () => problems.cursorUnknown(cursor?.direction === 'after' ? 'startingAfter' : 'endingBefore');
  if (order !== undefined && !isTimeOfMaking(order.field)) {
    const isDescending = order.isDescending !== (cursor?.direction === 'before');
    const plan = sorted.plan(filters, order.field);
    const course = { ...{ pages, sorted, plan, dialect, cursorId: cursor?.id, values, limit, ask }, isDescending };
    const found = await sortedRows(course);
    if (found === undefined) throw unknownCursor();
    return found;
  }
  const plan = pages.plan(filters);
  const place = placeOf(intent, dialect);
  Object.assign(values, place.values);
  const lookUp = async (): Promise<Cell> => {
    const [row] = await ask(pages.cursor(), values);
    if (row === undefined) throw unknownCursor();
    return row[0] ?? null;
  };
  if (plan.direct !== undefined) {
    const found = await ask(pages.direct(plan, plan.direct, place.start), { ...values, limit });
    // An empty page after an id that was looked up: the end of the list, or an id that nobody knows.
    if (found.length === 0 && place.isLookup) await lookUp();
    return found;
  }
  if (place.isLookup) values['cursorTime'] = await lookUp();
  return race({ queries: pages, plan, dialect, start: place.direction, values, limit, ask });
}

/** A version 7 id is its own place in the list; any other is looked up. */
function placeOf(
  { cursor, order }: Intent,
  dialect: Dialect,
): { start: Start; direction: Course['start']; isLookup: boolean; values: Record<string, Bound> } {
  // Oldest first is the same list, read from its end.
  const isTurned = order !== undefined;
  if (cursor === undefined) {
    const end = isTurned ? 'last' : 'first';
    return { start: end, direction: end, isLookup: false, values: {} };
  }
  const { id: cursorId } = cursor;
  const direction = (cursor.direction === 'before') === isTurned ? 'after' : 'before';
  const time = timeOfId(cursorId);
  if (time === undefined) return { start: `${direction}Lookup`, direction, isLookup: true, values: { cursorId } };
  const cursorTime = encode(time, { kind: 'dateTime' }, dialect);
  return { start: direction, direction, isLookup: false, values: { cursorId, cursorTime } };
}

/** As bigints: MySQL's LIMIT takes no number that could be a fraction. */
function limitsOf({ limit, entries }: Readonly<Record<string, Bound>>): Record<string, Bound> {
  const limits: Record<string, Bound> = {};
  if (typeof limit === 'number') limits['limit'] = BigInt(limit);
  if (typeof entries === 'number') limits['entries'] = BigInt(entries);
  return limits;
}
