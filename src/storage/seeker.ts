// Records of a group, or items of a list of them, by what formulas ask of them: asks that differ in their values alone are
// one statement.
import { sql } from 'kysely';
import type { Ask, Limit, Wanted } from '../formulas/facts.ts';
import type { Value, Values } from '../registry/model.ts';
import { isUuid } from '../values/format.ts';
import { type Binding, decodeRow, idType } from './bindings.ts';
import { type ColumnType, decode, encode, isReadAsText } from './columns.ts';
import { bind, compile, Param, type Statement } from './compiler.ts';
import type { Dialect } from './dialect.ts';
import type { Sql } from './filter-sql.ts';
import type { Kept } from './kept.ts';
import { listBindings } from './list-reader.ts';
import { paddedCount } from './query.ts';
import type { Bound, Row, Session } from './session.ts';
import { keyColumn, type ListTable, targetColumn } from './tables.ts';

/** An item, with the place at which it is stored. */
interface PlacedItem {
  readonly place: number;
  readonly values: Values;
}

/** A record without its lists, or an item of one: then the items that lead to it, from outside inwards. */
interface FoundRow {
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
}

interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** Where a wanted value is kept. */
interface Spot {
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

interface PreparedLimit extends Pick<Limit, 'sign' | 'orNull'> {
  readonly column: string;
  /** Null is looked for in another way. */
  readonly cell: Bound;
}

/** An ask, as statements are told it. */
interface Prepared {
  readonly index: number;
  /** What tells the asks of one statement from those of others. */
  readonly shape: string;
  readonly spots: readonly Spot[];
  readonly cells: readonly Bound[];
  /** The values as they are read, to find whose a row is. */
  readonly values: string;
  readonly limits: readonly PreparedLimit[];
}

interface SeekerOptions {
  readonly table: string;
  /** Columns of the records. */
  readonly bindings: readonly Binding[];
  /** The lists of the records that have tables. */
  readonly roots: readonly ListTable[];
  /** Those that lead to the items that are looked for; none: the records themselves. */
  readonly lists: readonly ListTable[];
  readonly dialect: Dialect;
  readonly kept: Kept<Statement>;
}

/** So many ids stand in one statement, or so many asks that differ in more than one value. */
const mostValues = 1000;
const mostAsks = 50;

export class Seeker {
  readonly #levels: readonly Level[];
  readonly #options: SeekerOptions;

  constructor(options: SeekerOptions) {
    const { table, bindings, lists, dialect } = options;
    this.#options = options;
    const of = (alias: string, name: string, own: readonly Binding[]): Level => ({
      alias,
      table: name,
      bindings: own,
      readable: own.filter(({ put }) => put !== undefined),
    });
    this.#levels = [
      of('r', table, bindings),
      ...lists.map((list, index) => of(`l${index + 1}`, list.name, listBindings(list, dialect))),
    ];
  }

  get #depth(): number {
    return this.#levels.length - 1;
  }

  /** What each of these asks finds, in no order. Limits may be passed over: whoever asks judges what is found. */
  async seek(session: Session, asks: readonly Ask[]): Promise<readonly (readonly FoundRow[])[]> {
    const shapes = new Map<string, Prepared[]>();
    for (const [index, ask] of asks.entries()) {
      const one = this.#prepare(ask, index);
      if (one === undefined) continue;
      const alike = shapes.get(one.shape);
      if (alike === undefined) shapes.set(one.shape, [one]);
      else alike.push(one);
    }
    const found: Map<string, FoundRow>[] = asks.map(() => new Map());
    const parts = [...shapes.values()].flatMap((alike) => this.#partsOf(alike));
    await Promise.all(parts.map((part) => this.#read(session, part, found)));
    return found.map((rows) => [...rows.values()]);
  }

  /** Whether there is any, but for those of one record. */
  async hasAny(session: Session, except: string): Promise<boolean> {
    const level = this.#deepest;
    const id = this.#depth === 0 ? 'id' : 'owner_id';
    const statement = this.#keep(
      'any',
      () => sql`select 1 from ${sql.table(level.table)} where ${sql.ref(id)} <> ${new Param('except')} limit 1`,
    );
    return (await session.all(statement.sql, bind(statement, { except }))).length > 0;
  }

  get #deepest(): Level {
    const level = this.#levels.at(-1);
    if (level === undefined) throw new Error('there is nothing to look in');
    return level;
  }

  #keep(key: string, make: () => Parameters<typeof compile>[0]): Statement {
    const { kept, dialect } = this.#options;
    return kept.get(`seek ${this.#deepest.table} ${key}`, () => compile(make(), dialect));
  }

  /** @returns undefined for what no record can have */
  #prepare({ wanted, limits }: Ask, index: number): Prepared | undefined {
    const spots = wanted.map((one, place) => this.#spotOf(one, place));
    const cells: Bound[] = [];
    for (const [place, { value }] of wanted.entries()) {
      const spot = spots[place];
      const cell = spot?.columns[0] && cellOf(value, spot.columns[0].type, this.#options.dialect);
      if (spot === undefined || cell === undefined) return undefined;
      cells.push(spot.cellOf?.(value) ?? cell);
    }
    const prepared = limits.flatMap((limit) => this.#limitOf(limit) ?? []);
    return {
      index,
      spots,
      cells,
      limits: prepared,
      values: JSON.stringify(wanted.map(({ value }) => String(value))),
      shape: [
        ...wanted.map(({ key, up, isAmong, group }) => `${key}^${up}${isAmong ? '@' : ''}${group ?? ''}`),
        ...prepared.map(
          ({ column, sign, orNull, cell }) => `${column}${sign}${orNull ? '-' : ''}${cell === null ? '0' : ''}`,
        ),
      ].join(),
    };
  }

  #spotOf({ key, up, isAmong, group }: Wanted, place: number): Spot {
    const { roots } = this.#options;
    const level = this.#levels[this.#depth - up];
    if (level === undefined) throw new Error(`nothing is ${up} steps above an item of ${this.#deepest.table}`);
    const isRoot = up === this.#depth;
    const none = { cellOf: undefined, link: undefined, isOfRecord: isRoot && this.#depth > 0 };
    if (isAmong) {
      const table = isRoot ? roots.find(({ field }) => field.key === key)?.name : undefined;
      if (table === undefined) throw new Error(`${level.table} has no list ${key}`);
      const alias = `n${place}`;
      const columns = [{ name: `${alias}.${targetColumn}`, type: idType }];
      return { columns, sought: columns, cellOf: undefined, link: { table, alias }, isOfRecord: false };
    }
    if (isRoot && key === 'id' && this.#depth > 0) {
      const columns = [{ name: 'l1.owner_id', type: idType }];
      return { ...none, columns, sought: columns, isOfRecord: false };
    }
    const isBranch = (one: Binding): boolean => one.key.startsWith(`${key}/`);
    const kept = level.readable.filter((one) => one.key === key || one.key === `${key}/${group}`);
    const found = kept.length > 0 ? kept : level.readable.filter(isBranch);
    const named = ({ column, type }: Binding): Column => ({ name: `${level.alias}.${column}`, type });
    const [first] = found;
    if (first === undefined) throw new Error(`${level.table} keeps no "${key}"`);
    const columns = found.map(named);
    const hashed = level.bindings.find(({ column }) => column === keyColumn(first.column));
    if (hashed === undefined) return { ...none, columns, sought: columns };
    return { ...none, columns, sought: [named(hashed)], cellOf: (value) => hashed.bound({ [key]: value }) };
  }

  /** @returns undefined for what the condition has to judge alone */
  #limitOf({ key, sign, value, orNull }: Limit): PreparedLimit | undefined {
    const binding = this.#depth === 0 ? this.#deepest.readable.find((one) => one.key === key) : undefined;
    if (binding === undefined) return undefined;
    const cell = value === null ? null : cellOf(value, binding.type, this.#options.dialect);
    return cell === undefined ? undefined : { column: `r.${binding.column}`, sign, orNull, cell };
  }

  /** Asks that are one statement each. */
  #partsOf(asks: readonly Prepared[]): readonly Part[] {
    const [first] = asks;
    if (first === undefined) return [];
    const differ = (cellsOf: (one: Prepared) => readonly Bound[]): number[] =>
      cellsOf(first).flatMap((cell, place) => (asks.some((one) => cellsOf(one)[place] !== cell) ? [place] : []));
    const varying = differ(({ cells }) => cells.map((cell) => (cell instanceof Uint8Array ? keyText(cell) : cell)));
    const isOneValue = varying.length <= 1 && differ(({ limits }) => limits.map(({ cell }) => cell)).length === 0;
    const most = isOneValue ? mostValues : mostAsks;
    const parts: Part[] = [];
    for (let start = 0; start < asks.length; start += most)
      parts.push({ asks: asks.slice(start, start + most), varying: isOneValue ? (varying[0] ?? 0) : undefined });
    return parts;
  }

  async #read(session: Session, part: Part, found: readonly Map<string, FoundRow>[]): Promise<void> {
    const { asks, varying } = part;
    const [first] = asks;
    if (first === undefined) return;
    const count = paddedCount(asks.length);
    const statement = this.#keep(`${first.shape}:${varying ?? 'or'}:${count}`, () => this.#statement(part, first));
    const bound: Record<string, Bound> = {};
    for (let place = 0; place < count; place += 1) {
      const { cells, limits } = asks[place] ?? first;
      for (const [index, cell] of cells.entries()) bound[`w${index}:${place}`] = cell;
      for (const [index, { cell }] of limits.entries()) bound[`b${index}:${place}`] = cell;
    }
    const askers = new Map<string, number[]>();
    for (const { values, index } of asks) askers.set(values, [...(askers.get(values) ?? []), index]);
    const isLone = asks.length === 1 && first.spots.every(isExact);
    for (const row of await session.all(statement.sql, bind(statement, bound))) {
      const one = this.#decode(row);
      const key = one.items.length === 0 ? one.id : [one.id, ...one.items.map(({ place }) => place)].join();
      const whose = isLone ? [first.index] : (askers.get(this.#wantedIn(row, first.spots)) ?? []);
      for (const index of whose) found[index]?.set(key, one);
    }
  }

  // --- Statements

  #statement({ asks, varying }: Part, { spots, limits }: Prepared): Sql {
    const count = paddedCount(asks.length);
    const spot = (index: number, values: (column: Sql) => Sql): Sql =>
      either((spots[index]?.sought ?? []).map(({ name }) => values(sql.ref(name))));
    const equal = (index: number, place: number): Sql =>
      spot(index, (column) => sql`${column} = ${new Param(`w${index}:${place}`)}`);
    const limitsAt = (place: number): Sql[] => limits.map((limit, index) => limitSql(limit, `b${index}:${place}`));
    const ask = (place: number): Sql =>
      every([...spots.map((_spot, index) => equal(index, place)), ...limitsAt(place)]);
    const places = Array.from({ length: count }, (_value, place) => place);
    let where = ask(0);
    if (count > 1 && varying === undefined) where = either(places.map((place) => sql`(${ask(place)})`));
    if (count > 1 && varying !== undefined) {
      const list = sql.join(places.map((place) => sql`${new Param(`w${varying}:${place}`)}`));
      const values = spots.map((_spot, index) =>
        index === varying ? spot(index, (column) => sql`${column} in (${list})`) : equal(index, 0),
      );
      where = every([...values, ...limitsAt(0)]);
    }
    const wanted = spots.flatMap(({ columns }) => columns.map((column) => this.#selected(column)));
    return sql`select ${sql.join([...this.#own(), ...wanted])} from ${this.#joined(spots)} where ${where}`;
  }

  #selected({ name, type }: Column): Sql {
    return isReadAsText(type, this.#options.dialect) ? sql`cast(${sql.ref(name)} as text)` : sql.ref(name);
  }

  /** The columns of what is found. */
  #own(): Sql[] {
    const columns = ({ alias, readable }: Level): Sql[] =>
      readable.map(({ column, type }) => this.#selected({ name: `${alias}.${column}`, type }));
    const [root, ...lists] = this.#levels;
    if (root === undefined || lists.length === 0) return this.#levels.flatMap(columns);
    const places = lists.map(({ alias }) => sql.ref(`${alias}.position`));
    return [...lists.flatMap(columns), sql.ref('l1.owner_id'), ...places];
  }

  #joined(spots: readonly Spot[]): Sql {
    const named = ({ table, alias }: { readonly table: string; readonly alias: string }): Sql =>
      sql`${sql.table(table)} as ${sql.ref(alias)}`;
    const [root, first, second] = this.#levels;
    const id = sql.ref(this.#depth === 0 ? 'r.id' : 'l1.owner_id');
    const tables = [named(this.#deepest)];
    if (first !== undefined && second !== undefined)
      tables.push(sql`${named(first)} on l1.owner_id = l2.owner_id and l1.position = l2.item`);
    if (root !== undefined && spots.some(({ isOfRecord }) => isOfRecord))
      tables.push(sql`${named(root)} on r.id = ${id}`);
    for (const { link } of spots)
      if (link !== undefined) tables.push(sql`${named(link)} on ${sql.ref(`${link.alias}.owner_id`)} = ${id}`);
    return sql.join(tables, sql` join `);
  }

  // --- Rows

  #decode(row: Row): FoundRow {
    const { dialect } = this.#options;
    const [root, ...lists] = this.#levels;
    if (root === undefined || lists.length === 0) {
      const record = decodeRow(row, root?.readable ?? [], dialect);
      return { id: String(record['id']), record, items: [] };
    }
    const width = lists.reduce((sum, { readable }) => sum + readable.length, 0);
    let start = 0;
    const items = lists.map(({ readable }, index): PlacedItem => {
      const values = decodeRow(row.slice(start, start + readable.length), readable, dialect);
      start += readable.length;
      return { place: Number(row[width + 1 + index]), values };
    });
    return { id: String(row[width]), record: undefined, items };
  }

  /** The wanted values as a row has them: they stand last. */
  #wantedIn(row: Row, spots: readonly Spot[]): string {
    let start = row.length - spots.reduce((sum, { columns }) => sum + columns.length, 0);
    const values = spots.map(({ columns }) => {
      const cells = columns.map(({ type }, index): Value => decode(row[start + index], type, this.#options.dialect));
      start += columns.length;
      return String(cells.find((cell) => cell !== null) ?? null);
    });
    return JSON.stringify(values);
  }
}

/** Asks of one statement. */
interface Part {
  readonly asks: readonly Prepared[];
  /** The place of the only value in which they differ; undefined where they differ in more. */
  readonly varying: number | undefined;
}

/** Whether what the database finds equal has the same text. */
const isExact = ({ columns, cellOf: cell }: Spot): boolean =>
  cell === undefined && columns.every(({ type: { kind } }) => kind === 'id' || kind === 'boolean');

const every = (parts: readonly Sql[]): Sql => (parts.length === 0 ? sql`1 = 1` : sql.join(parts, sql` and `));
const either = (parts: readonly Sql[]): Sql => sql`(${sql.join(parts, sql` or `)})`;
const keyText = (bytes: Uint8Array): string => bytes.toString();

function limitSql({ column, sign, orNull, cell }: PreparedLimit, param: string): Sql {
  const at = sql.ref(column);
  if (cell === null) return sign === '==' ? sql`${at} is null` : sql`${at} is not null`;
  const limit = sql`${at} ${sql.raw(signs[sign])} ${new Param(param)}`;
  return orNull || sign === '!=' ? sql`(${limit} or ${at} is null)` : limit;
}

const signs = { '==': '=', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const;

/** What is bound for a value; undefined for one that no such column holds. */
function cellOf(value: string | boolean, type: ColumnType, dialect: Dialect): Bound | undefined {
  const isBoolean = typeof value === 'boolean';
  if (isBoolean !== (type.kind === 'boolean')) return undefined;
  if (isBoolean || isHeld(value, type)) return encode(type.kind === 'integer' ? Number(value) : value, type, dialect);
  return undefined;
}

function isHeld(value: string, type: ColumnType): boolean {
  switch (type.kind) {
    case 'id':
      return isUuid(value);
    case 'word':
      return /^[ -~]*$/.test(value);
    case 'integer':
      return /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value));
    case 'decimal': {
      const [whole = '', decimals = ''] = value.replace('-', '').split('.');
      return whole.length <= type.precision - type.scale && decimals.length <= type.scale;
    }
    default:
      return true;
  }
}
