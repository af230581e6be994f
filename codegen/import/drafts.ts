// Rows → records as they are to be sent, and the references that are to be looked up before.
import type { Column, Columns, LookUp } from './columns.ts';
import type { GroupShape } from './document.ts';
import { isObject, type Json, type Mapping, type SourceRow } from './model.ts';
import type { CsvRow } from './rows.ts';
import { bodyOf, ownOf, valueIn } from './values.ts';

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
  /** Those of the file that it is made of. */
  readonly rows: readonly SourceRow[];
  readonly body: Record<string, unknown>;
  /** What is its own where it shows what it inherits. */
  readonly own: Json;
  readonly lookUps: readonly LookedUp[];
  readonly errors: string[];
  /** Characters, more or less. */
  readonly length: number;
  /** Whether it names a record that a trial has not made. */
  isUnjudged?: boolean;
}

type Passing = { readonly ignores: boolean; readonly notice: (text: string) => void };

export class Drafts {
  readonly #group: GroupShape;
  readonly #mapping: Mapping;

  constructor(group: GroupShape, mapping: Mapping) {
    this.#group = group;
    this.#mapping = mapping;
  }

  /** Of a table: a row is a record, or several one behind the other are. */
  async *ofTable(
    rows: AsyncIterable<CsvRow>,
    names: readonly string[],
    columns: readonly (Column | undefined)[],
  ): AsyncGenerator<Draft, void, undefined> {
    const { rowKey } = this.#mapping;
    const place = rowKey === undefined ? -1 : names.indexOf(rowKey);
    let waiting: SourceRow[] = [];
    for await (const { line, cells, fault } of rows) {
      const isOther = cells.length !== names.length;
      const wrong = fault ?? (isOther ? `has ${cells.length} cells, and the header ${names.length}` : undefined);
      const row: SourceRow = { line, cells, raw: cells, ...(wrong !== undefined && { fault: wrong }) };
      const isSame = place >= 0 && cells[place] !== null && waiting[0]?.cells?.[place] === cells[place];
      if (waiting.length > 0 && !isSame) {
        yield this.#ofRows(waiting, names, columns);
        waiting = [];
      }
      waiting.push(row);
    }
    if (waiting.length > 0) yield this.#ofRows(waiting, names, columns);
  }

  /** Of records: as they are, or by a mapping of their paths. */
  async *ofRecords(
    rows: AsyncIterable<SourceRow>,
    columns: Columns,
    { ignores, notice }: Passing,
  ): AsyncGenerator<Draft, void, undefined> {
    const passed = new Set<string>();
    const said = this.#mapping.columns;
    const names = Object.keys(said ?? {});
    const targets = said === undefined ? [] : columns.of(names, ignores, notice);
    for await (const row of rows) {
      const before = passed.size;
      yield said === undefined || row.record === undefined
        ? this.#asItIs(row, passed)
        : this.#ofRows(
            [{ ...row, cells: names.map((name) => valueAt(row.record, name) as string | null) }],
            names,
            targets,
          );
      const more = [...passed].slice(before).filter((name) => name !== 'line' && name !== 'errors' && name !== 'id');
      if (more.length > 0) notice(`Not taken: ${more.join(', ')}.`);
    }
  }

  #asItIs(row: SourceRow, passed: Set<string>): Draft {
    const shared = { rows: [row], own: {}, lookUps: [], length: JSON.stringify(row.raw).length };
    if (row.record === undefined) return { ...shared, body: {}, errors: [row.fault ?? 'is no record'] };
    const body = { ...this.#mapping.constants, ...bodyOf(row.record, this.#group.fields, passed) };
    const { id } = row.record;
    const own = ownOf(row.record, this.#group.fields);
    return { ...shared, own, body: typeof id === 'string' ? { ...body, id } : body, errors: [] };
  }

  #ofRows(rows: readonly SourceRow[], names: readonly string[], columns: readonly (Column | undefined)[]): Draft {
    const body: Record<string, unknown> = { ...this.#mapping.constants };
    const lookUps: LookedUp[] = [];
    const errors = rows.flatMap(({ fault }) => fault ?? []);
    const making: Making = { body, lookUps, errors, names };
    if (errors.length === 0)
      for (const [index, row] of rows.entries())
        for (const [place, column] of columns.entries())
          if (column !== undefined && (index === 0 || column.isOfItem))
            this.#take(making, { row, column, place, index });
    return { rows, body, own: {}, lookUps, errors, length: JSON.stringify(rows.map(({ cells }) => cells)).length };
  }

  #take({ body, lookUps, errors, names }: Making, { row, column, place, index }: Taken): void {
    const cell: unknown = row.cells?.[place] ?? null;
    const { path, isOfItem, lookUp, target } = column;
    const full = isOfItem ? [path[0] ?? '', String(index), ...path.slice(1)] : path;
    const at = isOfItem ? `${path[0]}[${index}].${path.slice(1).join('.')}` : path.join('.');
    const isEmpty = cell === null || (cell === '' && column.shape.type !== 'text');
    const hasEmpty = isEmpty && target.values !== undefined && Object.hasOwn(target.values, '');
    if (isEmpty && !hasEmpty) {
      if (this.#mapping.empty === 'null') setAt(body, full, null);
      return;
    }
    const isMany = column.shape.type === 'list';
    if (lookUp !== undefined) {
      const texts = isMany
        ? String(cell)
            .split(target.split ?? ',')
            .map((text) => text.trim())
        : [String(cell).trim()];
      setAt(body, full, isMany ? [] : undefined);
      for (const [each, text] of texts.filter((text) => text !== '').entries()) {
        const within = lookUp.within.map(({ column: name, ...rest }) => ({
          ...rest,
          text: String(row.cells?.[names.indexOf(name)] ?? ''),
        }));
        const put = (id: string): void => setAt(body, isMany ? [...full, String(each)] : full, id);
        lookUps.push({ lookUp, text, within, at: isMany ? `${at}[${each}]` : at, put });
      }
      return;
    }
    try {
      const value = typeof cell === 'string' || hasEmpty ? valueIn(String(cell ?? ''), column, this.#mapping) : cell;
      setAt(body, full, isObject(value) && column.shape.reference !== undefined ? value['id'] : value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      errors.push(/^'/.test(error.message) ? error.message : `'${at}' must be ${error.message}`);
    }
  }
}

interface Making {
  readonly body: Record<string, unknown>;
  readonly lookUps: LookedUp[];
  readonly errors: string[];
  readonly names: readonly string[];
}

interface Taken {
  readonly row: SourceRow;
  readonly column: Column;
  readonly place: number;
  readonly index: number;
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

function valueAt(record: Json | undefined, path: string): unknown {
  const value = path.split('.').reduce<unknown>((outer, step) => (isObject(outer) ? outer[step] : undefined), record);
  return value ?? null;
}
