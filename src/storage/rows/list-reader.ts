// Reads the lists of records for writes: links to other records, or items of their own, which may have lists again.
import { type RawBuilder, sql } from 'kysely';
import type { Value, Values } from '../../registry/model/model.ts';
import type { Row } from '../schema/cells.ts';
import { cellOf } from '../schema/columns.ts';
import { bind, compile, type Statement } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { LruCache } from '../schema/lru-cache.ts';
import type { Session } from '../schema/session.ts';
import { limitTo } from '../schema/sql.ts';
import type { ListTable } from '../schema/tables.ts';
import { type Binding, fieldBindings, idType, selected } from './bindings.ts';
import { idParts, inParts } from './id-parts.ts';
import { compileDecoder, type RowDecoder } from './row-decoder.ts';

/** An item and where it stands: `2`, or `2,0` in a list of the third item. */
interface PlacedItem {
  readonly owner: string;
  readonly place: string;
  readonly values: Values;
}

/** A value of a list, and the place at which it is stored: only their order counts. */
interface PlacedValue {
  readonly place: number;
  readonly value: Value;
}

/** Lists by the places of the items around them. */
type PlacedLists = ReadonlyMap<string, readonly PlacedValue[]>;

/** Ids that lists may hold, and how many of those that do are wanted. */
interface Held {
  readonly key: string;
  readonly ids: readonly string[];
  readonly limit?: number;
}

/** A record whose list holds an id. */
interface Holding {
  readonly holder: string;
  readonly id: string;
}

const unlimited = 1_000_000_000;

const put = (lists: Map<string, Value[]>, key: string, value: Value): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

const linkBinding: Binding = {
  column: 'target_id',
  key: 'target',
  type: idType,
  bound: (values) => String(values['target']),
  put: (values, value) => Object.assign(values, { target: value }),
  isPlain: true,
};

/** The columns of a list's items. */
export const listBindings = ({ field }: ListTable, dialect: Dialect): readonly Binding[] =>
  field.kind === 'objects' ? field.fields.flatMap((item) => fieldBindings(item, new Set(), dialect)) : [linkBinding];

/** Column of an item field, of a branch of one, or of the link. */
export const listColumn = ({ field }: ListTable, bindings: readonly Binding[], key: string): string =>
  field.kind === 'references' ? 'target_id' : (bindings.find((binding) => binding.key === key)?.column ?? '');

/** Reads the rows of one list of a group, and of the lists of its items. */
export class ListReader {
  readonly list: ListTable;
  readonly inner: readonly ListReader[];
  readonly #dialect: Dialect;
  readonly #bindings: readonly Binding[];
  readonly #decode: RowDecoder;
  readonly #kept: LruCache<Statement>;

  constructor(list: ListTable, dialect: Dialect, kept: LruCache<Statement>) {
    this.list = list;
    this.#kept = kept;
    this.inner = list.inner.map((inside) => new ListReader(inside, dialect, kept));
    this.#dialect = dialect;
    this.#bindings = listBindings(list, dialect);
    this.#decode = compileDecoder(this.#bindings, dialect);
  }

  #keep(key: string, make: () => Parameters<typeof compile>[0]): Statement {
    return this.#kept.get(`item ${this.list.name} ${key}`, () => compile(make(), this.#dialect));
  }

  /** The list of a record as the engine holds it: ids, or items by key. */
  async read(session: Session, owner: string): Promise<Value[]> {
    return (await this.readMany(session, [owner])).get(owner) ?? [];
  }

  /** The lists of these records, by the id of the record; a statement for a thousand. Records without items are left out. */
  async readMany(session: Session, owners: readonly string[]): Promise<ReadonlyMap<string, Value[]>> {
    const lists = new Map<string, Value[]>();
    for (const { owner, values } of await this.#readPlaced(session, owners)) put(lists, owner, this.#valueOf(values));
    return lists;
  }

  /**
   * The lists of these records: by the id of the record, and the places of the items around them (`2`; '' for a record's
   * own); a statement for a thousand. Those without items are left out.
   */
  readInside(session: Session, owners: readonly string[]): Promise<ReadonlyMap<string, PlacedLists>> {
    return this.#readPlaced(session, owners).then((items) => this.#inside(items));
  }

  #inside(items: readonly PlacedItem[]): ReadonlyMap<string, PlacedLists> {
    const lists = new Map<string, Map<string, PlacedValue[]>>();
    for (const { owner, place, values } of items) {
      const ofOwner = lists.get(owner) ?? new Map<string, PlacedValue[]>();
      lists.set(owner, ofOwner);
      const around = place.slice(0, Math.max(place.lastIndexOf(','), 0));
      const one = { place: Number(place.slice(place.lastIndexOf(',') + 1)), value: this.#valueOf(values) };
      const list = ofOwner.get(around);
      if (list === undefined) ofOwner.set(around, [one]);
      else list.push(one);
    }
    return lists;
  }

  #valueOf(values: Values): Value {
    return this.list.field.kind === 'references' ? (values['target'] ?? null) : values;
  }

  #readPlaced(session: Session, owners: readonly string[]): Promise<PlacedItem[]> {
    const parts = idParts(owners).map(({ count, places, values: bound }) => {
      const statement = this.#keep(`read:${count}`, () => this.#readSql(places()));
      return session.all(statement.sql, bind(statement, bound));
    });
    const reading = inParts(parts).then((rows) => rows.map((row) => this.#placed(row)));
    // The lists of the items are found by the records as well, so that none waits for another.
    return this.inner.length === 0 ? reading : this.#withInner(session, owners, reading);
  }

  #placed(row: Row): PlacedItem {
    const [owner = '', ...place] = row.slice(this.#bindings.length).map(String);
    return { owner, place: place.join(), values: this.#decode(row) };
  }

  async #withInner(session: Session, owners: readonly string[], reading: Promise<PlacedItem[]>): Promise<PlacedItem[]> {
    const [items, ...inner] = await Promise.all([reading, ...this.inner.map((list) => list.#byItem(session, owners))]);
    for (const [index, { list }] of this.inner.entries())
      for (const { owner, place, values } of items)
        values[list.field.key] = inner[index]?.get(`${owner} ${place}`) ?? [];
    return items;
  }

  #readSql(owners: RawBuilder<unknown>): RawBuilder<unknown> {
    const { name, places } = this.list;
    const order = sql.join(['owner_id', ...places].map((column) => sql.ref(column)));
    // Items may have nothing of their own but lists.
    const own = this.#bindings.length === 0 ? sql`` : sql`${selected(this.#bindings, this.#dialect)}, `;
    return sql`select ${own}${order} from ${sql.table(name)} where owner_id in (${owners}) order by ${order}`;
  }

  /** The lists of items, by the record and the place of the item. */
  async #byItem(session: Session, owners: readonly string[]): Promise<ReadonlyMap<string, Value[]>> {
    const lists = new Map<string, Value[]>();
    for (const { owner, place, values } of await this.#readPlaced(session, owners))
      put(lists, `${owner} ${place.slice(0, place.lastIndexOf(','))}`, this.#valueOf(values));
    return lists;
  }

  #columnOf(key: string): string {
    return listColumn(this.list, this.#bindings, key);
  }

  /** Ids of the records whose list holds one of these values, as formulas have them, under a key. */
  async holdersOf(session: Session, key: string, values: readonly (string | boolean | null)[]): Promise<string[]> {
    const column = sql.ref(this.#columnOf(key));
    const type = this.#bindings.find((binding) => binding.key === key)?.type ?? idType;
    const cells = values.flatMap((value) => (value === null ? [] : (cellOf(value, type, this.#dialect) ?? [])));
    const parts = idParts(cells).map(({ count, places, values: bound }) => {
      const statement = this.#holdersWhere(`${key}:${count}`, () => sql`${column} in (${places()})`);
      return session.all(statement.sql, bind(statement, bound));
    });
    if (values.includes(null))
      parts.push(session.all(this.#holdersWhere(`${key}:null`, () => sql`${column} is null`).sql, []));
    return [...new Set((await Promise.all(parts)).flat().map(([owner]) => String(owner)))];
  }

  #holdersWhere(name: string, condition: () => RawBuilder<unknown>): Statement {
    return this.#keep(
      `holdersWhere:${name}`,
      () => sql`select distinct owner_id from ${sql.table(this.list.name)} where ${condition()}`,
    );
  }

  /** Which records hold which of these ids; of them no more than `limit`. */
  async holding(session: Session, { key, ids, limit = unlimited }: Held): Promise<Holding[]> {
    const found: Holding[] = [];
    for (const { count, places, values } of idParts(ids)) {
      if (found.length >= limit) break;
      const statement = this.#keep(`holding:${key}:${count}`, () => {
        const column = sql.ref(this.#columnOf(key));
        return sql`select distinct owner_id, ${column} from ${sql.table(this.list.name)} where ${column} in (${places()}) ${limitTo('limit')}`;
      });
      const bound = { ...values, limit: limit - found.length };
      for (const [holder, id] of await session.all(statement.sql, bind(statement, bound)))
        found.push({ holder: String(holder), id: String(id) });
    }
    return found;
  }
}
