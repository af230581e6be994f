// Reads records and pages: one statement for the page, one more for each list-valued field, rows straight to bytes.

import { yieldIfDue, yieldToLoop } from '../../admission/event-loop.ts';
import { isTimeOfMaking } from '../../endpoints/routes/endpoint.ts';
import { type Problem, problems } from '../../problems.ts';
import type { Intent } from '../../request/intent.ts';
import type { Bound, Cell, Row } from '../../storage/schema/cells.ts';
import { encode } from '../../storage/schema/columns.ts';
import { bind } from '../../storage/schema/compiler.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import { allTogether, type BoundStatement } from '../../storage/schema/session.ts';
import type { Start } from '../../storage/statements/filter-sql.ts';
import { PageBuffer } from '../../storage/statements/json-writer.ts';
import { timeOfId } from '../../values/id.ts';
import { type Soon, soon } from '../../values/soon.ts';
import type { Group } from '../plan/groups.ts';
import { countRecords, mostCounted } from './count.ts';
import { isOfRow, mostExpanded, type ShapedReading, writeShaped } from './expand.ts';
import { race } from './index-race.ts';
import type { Course } from './race-way.ts';
import { noFigures, readFigures } from './read-figures.ts';
import { type Lists, listReads, listsOf, type Reading, readLists } from './read-lists.ts';
import { type Narrowing, narrowingBy } from './seen-first.ts';
import type { Shape } from './shapes.ts';
import { sortedRows } from './sorted.ts';

/** Bytes of the records of one page, but for the first, which is always shown: what each slow reader may hold of us. */
const pageBytes = 4 * 1024 * 1024;
/** Records in the first portion of a long reading: their length decides on the size of the others. */
const firstPortion = 100;
/** Approximate length of a portion, in UTF-16 units: it is read and written without a pause. */
const portionCharacters = 512 * 1024;
/** Characters of a page that is text: it goes out in one write with its headers. */
const shortPage = 4096;
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
export function readRecord(reading: Reading, id: string): Promise<ShownRecord | undefined> {
  const { reads, shownFrom } = recordReads(reading, id);
  return allTogether(reading.session, reads, shownFrom);
}

/**
 * The statements that read one record and its lists, to be read together with others, and what makes the record of their rows:
 * undefined where there is none.
 */
export function recordReads(
  reading: Reading,
  id: string,
): {
  readonly reads: readonly BoundStatement[];
  readonly shownFrom: (rows: readonly (readonly Row[])[]) => Promise<ShownRecord | undefined> | ShownRecord | undefined;
} {
  const { group } = reading;
  const statement = group.queries.get();
  const own: BoundStatement = { sql: statement.sql, values: bind(statement, { ...reading.seen, id }) };
  // A record's lists are found by its id, so they need not wait for it; a single record's id must first be read.
  const lists = group.resource.singleton ? undefined : listReads(reading, id);
  return {
    reads: lists === undefined ? [own] : [own, ...lists.reads],
    shownFrom: ([rows = [], ...others]) => {
      const [row] = rows;
      if (row === undefined) return undefined;
      const known = lists?.listsFrom(others);
      const hasAll = known !== undefined && group.readFigures.length === 0;
      return hasAll ? shown(group, row, { lists: known, figures: noFigures }) : readRest(reading, row, known);
    },
  };
}

const shown = (group: Group, row: Row, { lists, figures }: Record<'lists' | 'figures', Lists>): ShownRecord => ({
  text: group.write(row, lists, figures),
  version: String(row.at(-1)),
});

async function readRest(reading: Reading, row: Row, known: Lists | undefined): Promise<ShownRecord> {
  const lists = known ?? (await listsOf(reading, String(row[0])));
  return shown(reading.group, row, { lists, figures: await readFigures(reading, [row]) });
}

/** The same, of which certain parts are shown. @throws Problem 400 where it shows too many others */
export async function readShaped(reading: ShapedReading, shape: Shape, id: string): Promise<ShownRecord | undefined> {
  const statement = shape.queries.get();
  const [row] = await reading.session.all(statement.sql, bind(statement, { ...reading.seen, id }));
  if (row === undefined) return undefined;
  const found = await writeShaped(reading, shape, [row]);
  const [record] = 'fewer' in found ? [] : found.records;
  if (record === undefined) throw problems.expandTooLarge();
  return { text: record.text, version: String(row.at(-1)) };
}

/**
 * A page of records: `{"results": […], "hasMore": …}`, newest first. It ends early, with those nearest to the cursor, where
 * the records are long.
 */
export function readPage(reading: Reading, intent: Intent): Promise<Buffer | string> {
  return pageOf(reading, intent, (rows) => writeRecords(reading, rows));
}

/** The same, of which certain parts are shown. @throws Problem 400 where the first record shows too many others */
export function readShapedPage(reading: ShapedReading, shape: Shape, intent: Intent): Promise<Buffer | string> {
  return pageOf(reading, intent, (rows) => writeShapedRecords(reading, shape, rows));
}

/**
 * All records of a list, in portions of so many as JSON, each read when the one before is taken.
 * @param shape What of them is shown; without one, all of it. @throws Problem 400 where one record shows too many others
 */
export async function* readPortions(
  reading: ShapedReading,
  shape: Shape | undefined,
  intent: Intent,
): AsyncGenerator<readonly string[], void, undefined> {
  let limit = Math.min(intent.limit, firstPortion);
  let cursor = intent.cursor;
  for (;;) {
    const found = await findRows(reading, { ...intent, limit, cursor });
    const rows = found.slice(0, limit);
    const texts = await (shape === undefined ? writeRecords(reading, rows) : writeShapedRecords(reading, shape, rows));
    yield texts;
    const last = rows[texts.length - 1];
    if (found.length === texts.length || last === undefined) return;
    cursor = { direction: 'after', id: String(last[0]) };
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    const fitting = Math.floor((texts.length * portionCharacters) / characters);
    limit = Math.max(1, Math.min(intent.limit, 4 * limit, fitting));
    await yieldIfDue();
  }
}

function pageOf(
  reading: Reading,
  intent: Intent,
  write: (rows: readonly Row[]) => Soon<string[]>,
): Promise<Buffer | string> {
  const { limit, cursor, counts, filters } = intent;
  return findRows(reading, intent).then((found) =>
    soon(write(found.slice(0, limit)), (texts) =>
      soon(counts === true ? countRecords(reading, filters) : undefined, (count) => {
        const hasMore = found.length > texts.length;
        return writePage(cursor?.direction === 'before' ? texts.reverse() : texts, hasMore, count);
      }),
    ),
  );
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

/** The same of a shape, as many as may be shown with all that they show of others. */
function writeShapedRecords(reading: ShapedReading, shape: Shape, rows: readonly Row[]): Soon<string[]> {
  if (!isOfRow(shape)) return writeExpanded(reading, shape, rows);
  const texts = rows.map((row) => shape.write(row, [], []));
  const isFull = pageMeter();
  const end = texts.findIndex((text, place) => isFull(text) && place > 0);
  return end === -1 ? texts : texts.slice(0, end);
}

async function writeExpanded(reading: ShapedReading, shape: Shape, rows: readonly Row[]): Promise<string[]> {
  const texts: string[] = [];
  const isFull = pageMeter();
  let shown = 0;
  let portion = rows.length;
  while (texts.length < rows.length) {
    const found = await writeShaped(reading, shape, rows.slice(texts.length, texts.length + portion));
    if ('fewer' in found) {
      portion = found.fewer;
      if (portion > 0) continue;
      if (texts.length > 0) return texts;
      throw problems.expandTooLarge();
    }
    for (const { text, count } of found.records) {
      shown += count;
      if ((shown > mostExpanded || isFull(text)) && texts.length > 0) return texts;
      texts.push(text);
    }
    portion *= 2;
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

function writePage(texts: readonly string[], hasMore: boolean, count: number | undefined): Buffer | string {
  const bound = count !== undefined && count > mostCounted ? ',"countIsLowerBound":true' : '';
  const counted = count === undefined ? '' : `,"count":${Math.min(count, mostCounted)}${bound}`;
  const end = `],"hasMore":${hasMore}${counted}}`;
  if (texts.reduce((sum, { length }) => sum + length, 0) <= shortPage) return `{"results":[${texts.join()}${end}`;
  buffer.reset();
  buffer.write('{"results":[');
  for (const [index, text] of texts.entries()) buffer.write(index === 0 ? text : `,${text}`);
  buffer.write(end);
  return buffer.take();
}

/** Up to one row more than the page has, from the cursor on. */
function findRows(reading: Reading, intent: Intent): Promise<readonly Row[]> {
  let statements = 0;
  const { session, group, dialect, noteLongWay, seen } = reading;
  const ask: Course['ask'] = (statement, bound) => {
    statements += 1;
    return session.all(statement.sql, bind(statement, { ...seen, ...bound, ...limitsOf(bound) }));
  };
  const narrowing = narrowingBy({ queries: group.queries, dialect, ask }, intent.filters);
  const rows = soon(narrowing, (narrowed) => rowsOf(reading, intent, { narrowed, ask }));
  return Promise.resolve(rows).then((found) => {
    if (statements > manyStatements) {
      const filters = intent.filters.map(({ filter: { name } }) => name);
      noteLongWay?.('longPage', { group: group.resource.name, filters, order: intent.order?.field.name, statements });
    }
    return found;
  });
}

interface Narrowed {
  readonly narrowed: Narrowing;
  readonly ask: Course['ask'];
}

function rowsOf(reading: Reading, intent: Intent, { narrowed, ask }: Narrowed): Promise<readonly Row[]> {
  if (narrowed.isNothing) return Promise.resolve([]);
  const { order } = intent;
  if (order === undefined || isTimeOfMaking(order.field)) return rowsByTime(reading, intent, { narrowed, ask });
  return rowsByField(reading, { ...intent, order }, { narrowed, ask });
}

const cursorUnknown = ({ cursor }: Intent): Problem =>
  problems.cursorUnknown(cursor?.direction === 'after' ? 'startingAfter' : 'endingBefore');

async function rowsByField(
  { group, dialect }: Reading,
  intent: Intent & { readonly order: NonNullable<Intent['order']> },
  { narrowed: { filters, values }, ask }: Narrowed,
): Promise<readonly Row[]> {
  const { pages, sorted } = group.queries;
  const { cursor, order } = intent;
  const isDescending = order.isDescending !== (cursor?.direction === 'before');
  const plan = sorted.plan(filters, order.field);
  const limit = intent.limit + 1;
  const course = {
    ...{ pages, sorted, plan, dialect, cursorId: cursor?.id, limit, ask },
    values: { ...values },
    isDescending,
  };
  const found = await sortedRows(course);
  if (found === undefined) throw cursorUnknown(intent);
  return found;
}

function rowsByTime(
  { group, dialect, seen }: Reading,
  intent: Intent,
  { narrowed, ask }: Narrowed,
): Promise<readonly Row[]> {
  const { pages } = group.queries;
  const plan = pages.plan(narrowed.filters);
  const { start, direction, isLookup, values: ofPlace } = placeOf(intent, dialect);
  const values: Record<string, Bound> = { ...narrowed.values, ...ofPlace };
  const limit = intent.limit + 1;
  const lookUp = async (): Promise<Cell> => {
    const [row] = await ask(pages.cursor(plan), values);
    if (row === undefined) throw cursorUnknown(intent);
    return row[0] ?? null;
  };
  const { direct } = plan;
  if (direct === undefined) {
    const toRace = (more: Record<string, Bound> = {}): Promise<readonly Row[]> =>
      race({ ...{ queries: pages, plan, dialect, limit, ask }, start: direction, values: { ...values, ...more } });
    return isLookup ? lookUp().then((cursorTime) => toRace({ cursorTime })) : toRace();
  }
  const directly = (): Promise<readonly Row[]> => ask(pages.direct(plan, direct, start), { ...values, limit });
  if (!isLookup) return directly();
  // What is not seen leads nowhere, whatever stands behind it.
  if (seen !== undefined) return lookUp().then(directly);
  // An empty page after an id that was looked up: the end of the list, or an id that nobody knows.
  return directly().then((found) => (found.length > 0 ? found : lookUp().then(() => found)));
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
