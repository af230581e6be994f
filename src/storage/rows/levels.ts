// Resolves what a formula reads to tables and columns: the table of the records, those of nested lists, and the column of each
// value.
import { sql } from 'kysely';
import type { Wanted } from '../../formulas/evaluate/facts.ts';
import type { Value, Values } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import type { Bound, Cell, Row } from '../schema/cells.ts';
import type { ColumnType } from '../schema/column-types.ts';
import { cellOf, decode as decodeCell, isReadAsText } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Sql } from '../schema/sql.ts';
import { keyColumn, type ListTable, targetColumn } from '../schema/tables.ts';
import { type Binding, idType } from './bindings.ts';
import { listBindings } from './list-reader.ts';
import { compileDecoder, type RowDecoder } from './row-decoder.ts';

/** An item, with the place at which it is stored. */
interface PlacedItem {
  readonly place: number;
  readonly values: Values;
}

/** A record without its lists, or an item of one: then the items that lead to it, from outside inwards. */
export interface FoundRow {
  readonly id: string;
  readonly record: Values | undefined;
  readonly items: readonly PlacedItem[];
}

/** A table on the way from the record to the item. */
interface Level {
  readonly alias: string;
  readonly table: string;
  readonly bindings: readonly Binding[];
  readonly readable: readonly Binding[];
  readonly decode: RowDecoder;
}

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** Where a wanted value is kept. */
export interface WantedColumns {
  /** Columns that hold the value: one of them has it. */
  readonly columns: readonly Column[];
  /** The columns that find it, where they are others. */
  readonly sought: readonly Column[];
  /** What makes the text of a unique key the cell by which it is found. */
  readonly cellOf: ((value: string | boolean) => Bound) | undefined;
  /** The list of links in which it is. */
  readonly link: { readonly table: string; readonly alias: string } | undefined;
  /** Whether the row of the record is needed for it. */
  readonly isOfRecord: boolean;
}

interface LevelsOptions {
  readonly table: string;
  /** Columns of the records. */
  readonly bindings: readonly Binding[];
  /** The lists of the records that have tables. */
  readonly roots: readonly ListTable[];
  /** Those that lead to the items that are looked for; none: the records themselves. */
  readonly lists: readonly ListTable[];
  /** Columns of the records that have no two alike. */
  readonly unique: readonly (readonly string[])[];
  readonly dialect: Dialect;
}

export class Levels {
  readonly dialect: Dialect;
  readonly #levels: readonly Level[];
  readonly #roots: readonly ListTable[];
  readonly #unique: LevelsOptions['unique'];
  /** Where values are kept that are wanted of one item, once each is found. */
  readonly #spots = new Map<string, WantedColumns>();

  constructor({ table, bindings, roots, lists, unique, dialect }: LevelsOptions) {
    this.dialect = dialect;
    this.#roots = roots;
    this.#unique = unique;
    const of = (alias: string, name: string, own: readonly Binding[]): Level => {
      const readable = own.filter(({ put }) => put !== undefined);
      return { alias, table: name, bindings: own, readable, decode: compileDecoder(readable, dialect) };
    };
    this.#levels = [
      of('r', table, bindings),
      ...lists.map((list, index) => of(`l${index + 1}`, list.name, listBindings(list, dialect))),
    ];
  }

  /** How deep the items are in the lists of the record. */
  get depth(): number {
    return this.#levels.length - 1;
  }

  get deepest(): Level {
    const level = this.#levels.at(-1);
    if (level === undefined) unreachable('there is nothing to look in');
    return level;
  }

  /** The column of the record's id. */
  get id(): string {
    return this.depth === 0 ? 'r.id' : 'l1.owner_id';
  }

  #above(up: number): Level {
    const level = this.#levels[this.depth - up];
    if (level === undefined) unreachable(`nothing is ${up} steps above an item of ${this.deepest.table}`);
    return level;
  }

  /** The column of a plain value, some steps above an item; undefined for what is kept in several, or in none. */
  columnOf(key: string, up: number): Column | undefined {
    if (up === this.depth && key === 'id') return { name: this.id, type: idType };
    const { alias, readable } = this.#above(up);
    const [found, ...others] = readable.filter((one) => one.key === key);
    if (found === undefined || others.length > 0) return undefined;
    return { name: `${alias}.${found.column}`, type: found.type };
  }

  /** Whether at most one record has these values, none of which is null. */
  isUnique(columns: readonly Column[]): boolean {
    const names = new Set(columns.map(({ name }) => name));
    return this.depth === 0 && this.#unique.some((key) => key.every((column) => names.has(`r.${column}`)));
  }

  spotOf(wanted: Wanted, place: number): WantedColumns {
    const { key, up, isAmong, group = '' } = wanted;
    // Links are joined once for each that is wanted.
    const name = `${key}^${up} ${group}${isAmong ? `@${place}` : ''}`;
    const spot = this.#spots.get(name) ?? this.#spotAt(wanted, place);
    this.#spots.set(name, spot);
    return spot;
  }

  #spotAt({ key, up, isAmong, group }: Wanted, place: number): WantedColumns {
    const level = this.#above(up);
    const isRoot = up === this.depth;
    const none = { cellOf: undefined, link: undefined, isOfRecord: isRoot && this.depth > 0 };
    if (isAmong) {
      const table = isRoot ? this.#roots.find(({ field }) => field.key === key)?.name : undefined;
      if (table === undefined) unreachable(`${level.table} has no list ${key}`);
      const alias = `n${place}`;
      const columns = [{ name: `${alias}.${targetColumn}`, type: idType }];
      return { columns, sought: columns, cellOf: undefined, link: { table, alias }, isOfRecord: false };
    }
    if (isRoot && key === 'id' && this.depth > 0) {
      const columns = [{ name: this.id, type: idType }];
      return { ...none, columns, sought: columns, isOfRecord: false };
    }
    const isBranch = (one: Binding): boolean => one.key.startsWith(`${key}/`);
    const kept = level.readable.filter((one) => one.key === key || one.key === `${key}/${group}`);
    const found = kept.length > 0 ? kept : level.readable.filter(isBranch);
    const named = ({ column, type }: Binding): Column => ({ name: `${level.alias}.${column}`, type });
    const [first] = found;
    if (first === undefined) unreachable(`${level.table} keeps no "${key}"`);
    const columns = found.map(named);
    const hashed = level.bindings.find(({ column }) => column === keyColumn(first.column));
    if (hashed === undefined) return { ...none, columns, sought: columns };
    return { ...none, columns, sought: [named(hashed)], cellOf: (value) => hashed.bound({ [key]: value }) };
  }

  /** What is bound for a wanted value; undefined for one that no record can have. */
  cellAt({ columns: [column], cellOf: cell }: WantedColumns, value: string | boolean): Bound | undefined {
    const bound = column && cellOf(value, column.type, this.dialect);
    return bound === undefined ? undefined : (cell?.(value) ?? bound);
  }

  selected({ name, type }: Column): Sql {
    return isReadAsText(type, this.dialect) ? sql`cast(${sql.ref(name)} as text)` : sql.ref(name);
  }

  /** The columns of what is found, as `decode` reads them. */
  own(): Sql[] {
    const columns = ({ alias, readable }: Level): Sql[] =>
      readable.map(({ column, type }) => this.selected({ name: `${alias}.${column}`, type }));
    const [root, ...lists] = this.#levels;
    if (root === undefined || lists.length === 0) return this.#levels.flatMap(columns);
    const places = lists.map(({ alias }) => sql.ref(`${alias}.position`));
    return [...lists.flatMap(columns), sql.ref('l1.owner_id'), ...places];
  }

  /** The tables that are looked in for these. */
  joined(spots: readonly WantedColumns[], isRecordNeeded = spots.some(({ isOfRecord }) => isOfRecord)): Sql {
    const named = ({ table, alias }: { readonly table: string; readonly alias: string }): Sql =>
      sql`${sql.table(table)} as ${sql.ref(alias)}`;
    const [root, first, second] = this.#levels;
    const id = sql.ref(this.id);
    const tables = [named(this.deepest)];
    if (first !== undefined && second !== undefined)
      tables.push(sql`${named(first)} on l1.owner_id = l2.owner_id and l1.position = l2.item`);
    if (root !== undefined && isRecordNeeded && this.depth > 0) tables.push(sql`${named(root)} on r.id = ${id}`);
    for (const { link } of spots)
      if (link !== undefined) tables.push(sql`${named(link)} on ${sql.ref(`${link.alias}.owner_id`)} = ${id}`);
    return sql.join(tables, sql` join `);
  }

  decode(row: Row): FoundRow {
    const [root, ...lists] = this.#levels;
    if (root === undefined || lists.length === 0) {
      const record = root?.decode(row) ?? {};
      return { id: String(record['id']), record, items: [] };
    }
    const width = lists.reduce((sum, { readable }) => sum + readable.length, 0);
    let start = 0;
    const items = lists.map(({ readable, decode }, index): PlacedItem => {
      const values = decode(row.slice(start, start + readable.length));
      start += readable.length;
      return { place: Number(row[width + 1 + index]), values };
    });
    return { id: String(row[width]), record: undefined, items };
  }

  /** The text of a value that a row has in one of the columns of a spot. */
  textIn({ columns }: WantedColumns, cells: readonly Cell[]): string {
    const values = columns.map(({ type }, index): Value => decodeCell(cells[index], type, this.dialect));
    return String(values.find((value) => value !== null) ?? null);
  }
}

/** Whether what the database finds equal has the same text. */
export const isExact = ({ columns, cellOf: cell }: WantedColumns): boolean =>
  cell === undefined && columns.every(({ type: { kind } }) => kind === 'id' || kind === 'boolean');

export const every = (parts: readonly Sql[]): Sql =>
  parts.length === 0 ? sql`1 = 1` : sql.join([...parts], sql` and `);
export const either = (parts: readonly Sql[]): Sql => sql`(${sql.join([...parts], sql` or `)})`;
