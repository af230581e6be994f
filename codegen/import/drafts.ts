// Rows → records as they are to be sent, and the references that are to be looked up before.
import type { Column, Columns, LookUp } from './columns.ts';
import type { GroupShape } from './document.ts';
import { ImportFault, isObject, type Json, type Mapping, type SourceRow } from './model.ts';
import { type CsvRow, ofRefused } from './rows.ts';
import { bodyOf, mappedValue, ownOf, splitList, valueIn, withoutMark } from './values.ts';

/** A reference that is to be looked up. */
export interface LookedUp {
  readonly lookUp: LookUp;
  readonly text: string;
  /** Filters that narrow it; those with a look-up of their own are looked up first. */
  readonly within: readonly { readonly filter: string; readonly text: string; readonly lookUp?: LookUp }[];
  /** In the caller's words: `ownerId`, `lines[0].projectId`. */
  readonly at: string;
  readonly put: (id: string) => void;
}

/** A record on its way. */
export interface Draft {
  /** Rows of the file from which the record is made. */
  readonly rows: readonly SourceRow[];
  readonly body: Record<string, unknown>;
  /** Own values of a record that shows inherited ones. */
  readonly own: Json;
  readonly lookUps: readonly LookedUp[];
  readonly errors: string[];
  /** Characters, more or less. */
  readonly length: number;
  /** Whether it names a record that a trial has not made. */
  isUnjudged?: boolean;
}

/** Content of a cell: a value, or the records that it names. */
type Content =
  | { readonly value: unknown }
  | { readonly isMany: boolean; readonly named: readonly Pick<LookedUp, 'text' | 'within'>[] };

export class Drafts {
  readonly #group: GroupShape;
  readonly #mapping: Mapping;
  /** Names in records that bodies do not take. */
  readonly ignored = new Set<string>();
  /** Columns in which a mark of a safe export was removed. */
  readonly marked = new Set<string>();

  constructor(group: GroupShape, mapping: Mapping) {
    this.#group = group;
    this.#mapping = mapping;
  }

  /** Reads records from a table: a row is a record, or adjacent rows with one row key are. */
  async *ofTable(
    rows: AsyncIterable<CsvRow>,
    names: readonly string[],
    columns: readonly (Column | undefined)[],
  ): AsyncGenerator<Draft, void, undefined> {
    const table = createTable(names, columns);
    const { rowKey } = this.#mapping;
    /** First lines of the records that have ended, by their row keys. */
    const ended = new Map<unknown, number>();
    let waiting: SourceRow[] = [];
    const keyOfRow = ({ cells }: SourceRow): unknown => (rowKey === undefined ? null : cellAt(cells, table, rowKey));
    for await (const { line, cells: raw, fault } of rows) {
      const row = { line, raw, cells: this.#withoutMarks(raw, names) };
      const key = keyOfRow(row);
      const [first] = waiting;
      if (first !== undefined && (key === null || keyOfRow(first) !== key)) {
        yield this.#draftOfRows(waiting, table);
        if (rowKey !== undefined) ended.set(keyOfRow(first), first.line);
        waiting = [];
      }
      const wrong =
        fault ?? lengthFault(raw, names) ?? apartFault(`${rowKey} ${key}`, key === null ? undefined : ended.get(key));
      waiting.push({ ...row, ...(wrong !== undefined && { fault: wrong }) });
    }
    if (waiting.length > 0) yield this.#draftOfRows(waiting, table);
  }

  /** Removes the marks of a safe export from cells. */
  #withoutMarks(cells: readonly (string | null)[], names: readonly string[]): readonly (string | null)[] {
    if (this.#mapping.safe !== true) return cells;
    return cells.map((cell, place) => {
      const text = cell === null ? null : withoutMark(cell);
      if (text !== cell) this.marked.add(names[place] ?? '');
      return text;
    });
  }

  /** Reads records unchanged, or by a mapping of their paths. */
  async *ofRecords(
    rows: AsyncIterable<SourceRow>,
    columns: Columns,
    passing: Parameters<Columns['of']>[1],
  ): AsyncGenerator<Draft, void, undefined> {
    const { columns: targets, rowKey } = this.#mapping;
    if (rowKey !== undefined) throw new ImportFault("'rowKey' is for tables: a record has its list in itself.");
    const names = Object.keys(targets ?? {});
    const table = createTable(names, targets === undefined ? [] : columns.of(names, passing).columns);
    const takenNames = new Set(table.columns.flatMap(({ name }) => [name, name.split('.')[0]]));
    const unseen = new Set(targets === undefined ? [] : table.columns.map(({ name }) => name));
    for await (const row of rows) {
      const { record } = row;
      if (targets === undefined || record === undefined) {
        yield this.#asItIs(row);
        continue;
      }
      for (const name of unseen) if (valueAt(record, name) !== undefined) unseen.delete(name);
      for (const name of Object.keys(record))
        if (!takenNames.has(name) && !ofRefused.includes(name)) this.ignored.add(name);
      yield this.#draftOfRows([{ ...row, cells: names.map((name) => valueAt(record, name) ?? null) }], table);
    }
    if (unseen.size > 0) passing.notice(`The mapping names fields that no record has: ${[...unseen].join(', ')}.`);
  }

  #asItIs(row: SourceRow): Draft {
    const shared = { rows: [row], own: {}, lookUps: [], length: JSON.stringify(row.raw).length };
    if (row.record === undefined) return { ...shared, body: {}, errors: [row.fault ?? 'is not a record'] };
    const { id, ...record } = row.record;
    const errors = id === undefined || id === null || typeof id === 'string' ? [] : ["'id' must be a text"];
    const hasOwnId = this.#group.fields.has('id');
    try {
      const onIgnored = (path: string): void => void (ofRefused.includes(path) || this.ignored.add(path));
      const recordBody = bodyOf(hasOwnId ? row.record : record, this.#group.fields, { onIgnored });
      const body = { ...this.#mapping.constants, ...recordBody, ...(typeof id === 'string' && { id }) };
      return { ...shared, own: ownOf(row.record, this.#group.fields), body, errors };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { ...shared, body: {}, errors: [error.message] };
    }
  }

  #draftOfRows(rows: readonly SourceRow[], table: Table): Draft {
    const errors = rows.flatMap(({ fault }) => fault ?? []);
    const body: Record<string, unknown> = { ...this.#mapping.constants };
    const lookUps: LookedUp[] = [];
    const making: Making = { table, body, lookUps, errors };
    if (errors.length === 0) {
      for (const column of table.columns) if (!column.isOfItem) this.#putCommon(making, rows, column);
      for (const columns of table.itemColumns.values()) this.#putItems(making, rows, columns);
    }
    const length = JSON.stringify(rows.map(({ cells }) => cells)).length;
    return { rows, body, own: {}, lookUps, errors, length };
  }

  /** Puts the value on which all rows of a record agree: cells that are not empty must be the same. */
  #putCommon(making: Making, rows: readonly SourceRow[], column: Column): void {
    const at = column.path.join('.');
    const filledRows = rows.filter((row) => isFilled(row, column, making.table));
    const before = making.errors.length;
    const contents = (filledRows.length > 0 ? filledRows : rows.slice(0, 1)).map((row) =>
      this.#read(making, row, { column, at }),
    );
    if (making.errors.length > before) return;
    const isSame = contents.length === 1 || new Set(contents.map(toComparable)).size === 1;
    if (isSame) put(making, contents[0], { column, path: column.path, at });
    else {
      const values = [...new Set(filledRows.map((row) => String(cellAt(row.cells, making.table, column.name))))].join(
        ', ',
      );
      making.errors.push(`'${at}' must be the same in all rows with one ${this.#mapping.rowKey}, not ${values}`);
    }
  }

  /** Puts items into a list, one for each row that has a value for it. */
  #putItems(making: Making, rows: readonly SourceRow[], columns: readonly Column[]): void {
    const filledRows = rows.filter((row) => columns.some((column) => isFilled(row, column, making.table)));
    for (const [index, row] of filledRows.entries())
      for (const column of columns) {
        const [list = '', ...inner] = column.path;
        const at = `${list}[${index}].${inner.join('.')}`;
        put(making, this.#read(making, row, { column, at }), { column, path: [list, String(index), ...inner], at });
      }
  }

  /** Reads a cell. @returns undefined if it is empty, or wrong: then the error is added */
  #read({ table, errors }: Making, row: SourceRow, { column, at }: Omit<Place, 'path'>): Content | undefined {
    const { lookUp, shape } = column;
    const { values, ...plain } = column.target;
    const isEmpty = !isFilled(row, column, table);
    const value = isEmpty ? values?.[''] : cellAt(row.cells, table, column.name);
    if (value === null || (value === undefined && this.#mapping.empty === 'null')) return { value: null };
    if (value === undefined) return undefined;
    const target = isEmpty ? plain : column.target;
    try {
      if (lookUp === undefined) return { value: valueIn(value, { shape, target }, this.#mapping) };
      const isMany = shape.type === 'list';
      const parts = (isMany ? splitList(value, { shape, target }) : [value]).map((part) => mappedValue(part, target));
      if (!isMany && parts[0] === null) return { value: null };
      const within = lookUp.within.map(({ column: name, ...rest }) => ({
        ...rest,
        text: String(cellAt(row.cells, table, name) ?? '').trim(),
      }));
      return { isMany, named: parts.map((part) => ({ text: toLookUpText(part), within })) };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      errors.push(/^'/.test(error.message) ? error.message : `'${at}' must be ${error.message}`);
      return undefined;
    }
  }
}

/** The columns of a file, and where their cells are. */
interface Table {
  readonly places: ReadonlyMap<string, number>;
  /** Columns that are taken. */
  readonly columns: readonly Column[];
  /** Columns of items, by the lists of these. */
  readonly itemColumns: ReadonlyMap<string, readonly Column[]>;
}

function createTable(names: readonly string[], columns: readonly (Column | undefined)[]): Table {
  const takenColumns = columns.flatMap((column) => column ?? []);
  return {
    places: new Map(names.map((name, place) => [name, place])),
    columns: takenColumns,
    itemColumns: Map.groupBy(
      takenColumns.filter(({ isOfItem }) => isOfItem),
      ({ path }) => path[0] ?? '',
    ),
  };
}

const cellAt = (cells: SourceRow['cells'], { places }: Table, name: string): unknown =>
  cells?.[places.get(name) ?? -1] ?? null;

/** Reports whether a cell has a value: an empty string is a value only in text fields. */
function isFilled({ cells }: SourceRow, { name, shape, lookUp }: Column, table: Table): boolean {
  const cell = cellAt(cells, table, name);
  return cell !== null && (cell !== '' || (shape.type === 'text' && lookUp === undefined));
}

interface Making {
  readonly table: Table;
  readonly body: Record<string, unknown>;
  readonly lookUps: LookedUp[];
  readonly errors: string[];
}

interface Place {
  readonly column: Column;
  readonly path: readonly string[];
  /** In the caller's words. */
  readonly at: string;
}

/** @throws RangeError unless the value can identify a record */
function toLookUpText(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new RangeError('a text by which it is found');
  return String(value).trim();
}

const lengthFault = (cells: readonly unknown[], names: readonly string[]): string | undefined =>
  cells.length === names.length ? undefined : `has ${cells.length} cells, and the header ${names.length}`;

/** @param line First line of an earlier record with the same row key */
const apartFault = (words: string, line: number | undefined): string | undefined =>
  line === undefined ? undefined : `has the ${words} of the rows from line ${line} on, and is not next to them`;

/** Returns the content of a cell for comparison. */
const toComparable = (content: Content | undefined): string =>
  JSON.stringify(content, (key, value: unknown) => (key === 'lookUp' ? undefined : value)) ?? '';

/** Puts a value into the body, or notes the records that are to be looked up for it. */
function put({ body, lookUps }: Making, content: Content | undefined, { column: { lookUp }, path, at }: Place): void {
  if (content === undefined) return;
  if ('value' in content || lookUp === undefined) {
    setAt(body, path, 'value' in content ? content.value : undefined);
    return;
  }
  const { isMany, named } = content;
  if (isMany) setAt(body, path, []);
  for (const [each, { text, within }] of named.entries())
    lookUps.push({
      ...{ lookUp, text, within, at: isMany ? `${at}[${each}]` : at },
      put: (id) => setAt(body, isMany ? [...path, String(each)] : path, id),
    });
}

/** Puts a value into objects and lists, which are made on the way. */
function setAt(body: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  const [next] = rest;
  if (next === undefined) {
    body[first] = value;
    return;
  }
  body[first] ??= /^\d+$/.test(next) ? [] : {};
  setAt(body[first] as Record<string, unknown>, rest, value);
}

/** A field of a record by its path, or by a name with dots in it. */
function valueAt(record: Json | undefined, path: string): unknown {
  if (record !== undefined && Object.hasOwn(record, path)) return record[path];
  return path.split('.').reduce<unknown>((outer, step) => (isObject(outer) ? outer[step] : undefined), record);
}
