// Records that are shown in place of references: read level by level, one statement for each group and level and one for each list
// that they show, whatever the number of rows; then written from the deepest level up.
import type { Known } from '../../formulas/language/value.ts';
import type { Field } from '../../registry/model/model.ts';
import type { Bound, Row } from '../../storage/schema/cells.ts';
import { bind } from '../../storage/schema/compiler.ts';
import { paddedCount } from '../../storage/statements/query.ts';
import { idsIn } from './figure-text.ts';
import { figureTexts, type TakenFigure, takeFigures } from './read-figures.ts';
import { type ListRows, type Lists, listRowsOf, type Reading, writeList } from './read-lists.ts';
import type { Shape, ShapeFigure, ShapeList, Shapes } from './shapes.ts';

/** Records that a page shows in place of references, each time that it is shown. */
export const mostExpanded = 1000;
/** Ids that one statement asks for. */
const idsAtOnce = 100;
/** Rows of lists that are held for several records of a page at once. */
const mostRows = 20_000;
/** Rows whose lists are surely read in one portion: of more, what was read beside these would be read again. */
const mostAtOnce = 20;
/** Characters of one record with all that it shows. */
const longestText = 8 * 1024 * 1024;

/** A record as it is shown, and how many others it shows in place of references. */
export interface ExpandedRecord {
  readonly text: string;
  readonly count: number;
}

/** What reads, and which shapes there are. */
export interface ShapedReading extends Reading {
  readonly shapes: Shapes;
}

/** Some rows of a shape, and the rows of their lists. */
interface Loaded {
  readonly shape: Shape;
  readonly rows: readonly Row[];
  readonly lists: readonly ListRows<ShapeList>[];
  readonly figures: readonly TakenFigure<ShapeFigure>[];
}

/** A record that one of the rows shows. */
interface Named {
  readonly expansion: number;
  readonly id: string;
}

/** Records by their ids, by the key of their shape. */
type Records = ReadonlyMap<string, ReadonlyMap<string, ExpandedRecord>>;

/** So many records at once show more than is held. */
class TooMany extends Error {}

/** How much is held while some rows are written. */
class Room {
  #records = mostExpanded;
  #rows: number;

  /** The lists of one record are read whole. */
  constructor(isOfOne: boolean) {
    this.#rows = isOfOne ? Number.POSITIVE_INFINITY : mostRows;
  }

  take(records: number, rows: number): void {
    this.#records -= records;
    this.#rows -= rows;
    if (this.#records < 0 || this.#rows < 0) throw new TooMany('These records show too many others.');
  }
}

/** Whether the row alone has all that is shown, as it has for most sets of fields. */
export const isOfRow = ({ expansions, lists, figures }: Shape): boolean =>
  expansions.size + lists.length + figures.length === 0;

/** JSON of rows of a shape, in their order, or for how many of them to ask instead: 0 where one by itself shows too many. */
export async function writeShaped(
  reading: ShapedReading,
  shape: Shape,
  rows: readonly Row[],
): Promise<{ readonly records: readonly ExpandedRecord[] } | { readonly fewer: number }> {
  if (isOfRow(shape)) return { records: rows.map((row) => ({ text: shape.write(row, [], []), count: 0 })) };
  const room = new Room(rows.length === 1);
  try {
    const [found, atOnce] = await Promise.all([
      loadOnce(reading, shape, rows),
      loadAll(reading, wantedBy(reading, shape, namedAtOnce(shape, rows)), room),
    ]);
    if ('fewer' in found) return found;
    const written = await writeLevel(reading, { level: [found.loaded], room, known: atOnce });
    const records = written.get(shape.key);
    return { records: rows.flatMap((row) => records?.get(String(row[0])) ?? []) };
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    return { fewer: Math.floor(rows.length / 2) };
  }
}

/** Reads all that rows show of their lists and figures. */
async function loadOnce(
  reading: Reading,
  shape: Shape,
  rows: readonly Row[],
): Promise<{ readonly loaded: Loaded } | { readonly fewer: number }> {
  const ids = rows.map((row) => String(row[0]));
  const of = { ...reading, group: shape.group };
  const found = await listRowsOf(of, shape.lists, ids);
  if ('fewer' in found) return found;
  const figures = await takeFigures(of, { figures: shape.figures, view: shape.queries.view }, rows);
  return { loaded: { shape, rows, lists: found.rows, figures } };
}

/** Ids of records that are shown in place of references, by how they are shown. */
type Wanted = ReadonlyMap<Shape, ReadonlySet<string>>;

interface Level {
  readonly level: readonly Loaded[];
  readonly room: Room;
  /** What was read already of the level below. */
  readonly known?: ReadonlyMap<Shape, readonly Loaded[]>;
}

/** Reads the records behind the references of a level, and theirs, and writes the level. */
async function writeLevel(reading: ShapedReading, { level, room, known = nothing }: Level): Promise<Records> {
  const named = new Map(level.map((loaded) => [loaded, namedIn(loaded)]));
  const wanted = new Map<Shape, Set<string>>();
  for (const [{ shape }, byOwner] of named)
    for (const [behind, ids] of wantedBy(reading, shape, [...byOwner.values()].flat()))
      if (!known.has(behind)) wanted.set(behind, (wanted.get(behind) ?? new Set()).union(ids));
  const next = [...known.values(), ...(await loadAll(reading, wanted, room)).values()].flat();
  const records = next.length === 0 ? new Map() : await writeLevel(reading, { level: next, room });
  const written = new Map<string, Map<string, ExpandedRecord>>();
  for (const [loaded, byOwner] of named) {
    const { key } = loaded.shape;
    const known = written.get(key) ?? new Map<string, ExpandedRecord>();
    written.set(key, known);
    for (const [id, record] of write(reading, loaded, { byOwner, records })) known.set(id, record);
  }
  return written;
}

const nothing: ReadonlyMap<Shape, readonly Loaded[]> = new Map();

function wantedBy(reading: ShapedReading, shape: Shape, named: readonly Named[]): Wanted {
  const wanted = new Map<Shape, Set<string>>();
  for (const { expansion, id } of named) {
    const behind = shapeBehind(reading, shape, expansion);
    if (behind !== undefined) wanted.set(behind, (wanted.get(behind) ?? new Set()).add(id));
  }
  return wanted;
}

/** Reads the records of several groups at once. @throws TooMany */
async function loadAll(
  reading: ShapedReading,
  wanted: Wanted,
  room: Room,
): Promise<ReadonlyMap<Shape, readonly Loaded[]>> {
  const loading = [...wanted].map(async ([shape, ids]) => {
    return [shape, await load(reading, shape, { ids: [...ids], room })] as const;
  });
  return new Map(await Promise.all(loading));
}

const shapeBehind = ({ shapes }: ShapedReading, { expansions }: Shape, place: number): Shape | undefined => {
  const expansion = expansions.get(place);
  return expansion && shapes.behind(expansion);
};

/** Reads records of a group by their ids, with all that they show. @throws TooMany */
async function load(
  reading: ShapedReading,
  shape: Shape,
  { ids, room }: { readonly ids: readonly string[]; readonly room: Room },
): Promise<readonly Loaded[]> {
  room.take(ids.length, 0);
  const all: Loaded[] = [];
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const rows = await rowsById(reading, shape, ids.slice(first, first + idsAtOnce));
    let portion = rows.length;
    for (let done = 0; done < rows.length; ) {
      const found = await loadOnce(reading, shape, rows.slice(done, done + portion));
      if ('fewer' in found) portion = found.fewer;
      else {
        all.push(found.loaded);
        room.take(0, countRows(found.loaded.lists));
        done += portion;
      }
    }
  }
  return all;
}

function rowsById({ session, seen }: Reading, { queries }: Shape, ids: readonly string[]): Promise<Row[]> {
  const count = paddedCount(ids.length);
  const statement = queries.pages.rows({ filters: [] }, count);
  const values: Record<string, Bound> = { ...seen };
  for (let place = 0; place < count; place += 1) values[`id${place}`] = ids[place] ?? ids[0] ?? '';
  return session.all(statement.sql, bind(statement, values));
}

/** What rows show in place of references, as far as that hangs on no list and no figure. */
function namedAtOnce({ expandedAtOnce, lists, figures }: Shape, rows: readonly Row[]): readonly Named[] {
  if (lists.length + figures.length === 0 || rows.length > mostAtOnce) return [];
  return rows.flatMap((row) =>
    expandedAtOnce.flatMap(({ cell, expansion }) => {
      const id = row[cell];
      return id === null || id === undefined ? [] : { expansion, id: String(id) };
    }),
  );
}

const countRows = (lists: readonly ListRows[]): number =>
  lists.reduce((sum, { rows, inner }) => sum + rows.length + countRows(inner), 0);

/** The records that each row shows in place of references, in itself, in its lists and in its figures, by its id. */
function namedIn({ shape, rows, lists, figures }: Loaded): ReadonlyMap<string, readonly Named[]> {
  const named = new Map<string, Named[]>();
  if (shape.expansions.size === 0) return named;
  const add = (owner: string, expansion: number, id: string): void => {
    const known = named.get(owner);
    if (known === undefined) named.set(owner, [{ expansion, id }]);
    else known.push({ expansion, id });
  };
  const addRows = (some: readonly Row[], { expanded }: Pick<ShapeList, 'expanded'>): void => {
    for (const row of expanded.length === 0 ? [] : some)
      for (const { cell, expansion } of expanded)
        if (row[cell] !== null && row[cell] !== undefined) add(String(row[0]), expansion, String(row[cell]));
  };
  const addList = ({ list, rows: items, inner }: ListRows<ShapeList>): void => {
    addRows(items, list);
    for (const each of inner) addList(each);
  };
  addRows(rows, shape);
  for (const list of lists) addList(list);
  for (const { figure, values } of figures)
    for (const [field, expansion] of figure.expansions)
      for (const [owner, value] of values) for (const id of idsShown(field, value)) add(owner, expansion, id);
  return named;
}

/** A list shows each record once. */
const idsShown = (field: Field, value: Known): Iterable<string> => {
  const ids = idsIn(value, field);
  return field.kind === 'references' ? new Set(ids) : ids;
};

interface Behind {
  /** What each row shows. */
  readonly byOwner: ReadonlyMap<string, readonly Named[]>;
  /** Of the levels below. */
  readonly records: Records;
}

const none: ReadonlyMap<string, ExpandedRecord> = new Map();

/** Writes the rows of a shape. */
function* write(
  reading: ShapedReading,
  { shape, rows, lists, figures }: Loaded,
  { byOwner, records }: Behind,
): Generator<readonly [id: string, record: ExpandedRecord]> {
  const known = new Map(
    [...shape.expansions.keys()].map((place) => {
      return [place, records.get(shapeBehind(reading, shape, place)?.key ?? '') ?? none] as const;
    }),
  );
  const taken: ReadonlyMap<string, string>[] = [];
  for (const [place, each] of known) taken[place] = new Map([...each].map(([id, { text }]) => [id, text]));
  for (const each of figures) taken[each.figure.place] = figureTexts(each, shownBy(each, taken));
  const listTexts = lists.map((list) => writeList(list, taken));
  for (const row of rows) {
    const id = String(row[0]);
    const shown = (byOwner.get(id) ?? []).flatMap(({ expansion, id: other }) => known.get(expansion)?.get(other) ?? []);
    const count = shown.reduce((sum, each) => sum + 1 + each.count, 0);
    // A short record may show a long one many times.
    const length = shown.reduce((sum, { text }) => sum + text.length, 0);
    if (count > mostExpanded || length > longestText) throw new TooMany('This record shows too many others.');
    yield [id, { text: shape.write(row, listTexts, taken), count }];
  }
}

/** What a figure shows of other records, some of them whole. */
function shownBy({ figure, shown }: TakenFigure<ShapeFigure>, expanded: Lists): TakenFigure['shown'] {
  if (figure.expansions.size === 0) return shown;
  const all = new Map(shown);
  for (const [field, expansion] of figure.expansions)
    all.set(field, new Map([...(shown.get(field) ?? []), ...(expanded[expansion] ?? [])]));
  return all;
}
