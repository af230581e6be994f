// Reads records for writes: rows to records, by id, with locks. Statements are built at first use and cached by shape.
import { sql } from 'kysely';
import type { Field, Resource, Values } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import type { Bound, Row } from '../schema/cells.ts';
import { bind, compile, type Statement } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import { inPages, type Page } from '../schema/in-pages.ts';
import type { LruCache } from '../schema/lru-cache.ts';
import type { Session } from '../schema/session.ts';
import { limitTo, Param } from '../schema/sql.ts';
import { listTablesOf, tableName } from '../schema/tables.ts';
import { Aggregator } from './aggregates.ts';
import { type Binding, selected } from './bindings.ts';
import { RecordFinder } from './find-records.ts';
import { idParts, inParts } from './id-parts.ts';
import { Levels } from './levels.ts';
import { ListReader } from './list-reader.ts';
import { type Bounds, boundsShape, RowColumns, shapeOf } from './row-columns.ts';
import { compileDecoder, type RowDecoder } from './row-decoder.ts';

/** What of a list is wanted. */
interface ListOptions {
  readonly limit?: number;
  readonly bounds?: readonly Bounds[];
}

/** A record that is being read. */
interface ReadWithLists {
  readonly reading: Promise<Row[]>;
  readonly lists: readonly ListReader[];
  /** Undefined where its row tells it. */
  readonly recordId: string | undefined;
}

/** Records that are named, and how many of those that name them are wanted. */
interface Naming {
  readonly key: string;
  readonly ids: readonly string[];
  readonly limit: number;
}

/** A record, and which it names. */
interface Named {
  readonly id: string;
  readonly target: string;
}

interface IdOptions {
  readonly limit: number;
  readonly bounds?: readonly Bounds[] | undefined;
}

/** Whether others may lock the row as well until the transaction ends; nobody changes it either way. */
export type RowLock = 'own' | 'shared';

/** The next `limit` records behind the record `after`, or from the first on: in the order of these keys, then oldest first. */
interface Stretch {
  readonly after: Readonly<Values> | undefined;
  readonly limit: number;
  readonly by?: readonly string[];
}

/** Texts or ids that records may have under a key. */
interface Candidates {
  readonly key: string;
  readonly values: readonly string[];
}

/** Looks for records, or for items of one list of theirs. */
interface Looking {
  readonly finder: RecordFinder;
  readonly tallier: Aggregator;
}

/** Reads the rows of one group. */
export class RowReader {
  readonly resource: Resource;
  readonly table: string;
  readonly #dialect: Dialect;
  readonly #readable: readonly Binding[];
  readonly #decode: RowDecoder;
  readonly #lists: readonly ListReader[];
  readonly #kept: LruCache<Statement>;
  readonly #columns: RowColumns;
  readonly #looking = new Map<string, Looking>();

  /** @param kept Shared with other groups. */
  constructor(resource: Resource, dialect: Dialect, kept: LruCache<Statement>) {
    this.resource = resource;
    this.#kept = kept;
    this.table = tableName(resource.name);
    this.#dialect = dialect;
    this.#columns = new RowColumns(resource, dialect);
    this.#readable = this.#columns.bindings.filter(({ put }) => put !== undefined);
    this.#decode = compileDecoder(this.#readable, dialect);
    this.#lists = listTablesOf(resource).map((list) => new ListReader(list, dialect, kept));
  }

  /** Bound value of one of the group's columns: what a row would hold. @returns undefined for other columns. */
  cellOf(column: string, values: Readonly<Values>): Bound | undefined {
    return this.#columns.cellOf(column, values);
  }

  /** Whether the column of a field, or of one in an object (`budget.kind`), can hold a value as formulas have it. */
  canHold(key: string, value: string | boolean): boolean {
    return this.#columns.canHold(key, value);
  }

  /** A record without its lists, out of a row that has its columns at these places, by their names. */
  recordIn(row: Row, places: ReadonlyMap<string, number>): Values {
    const cells = this.#readable.map(({ column }) => row[places.get(column) ?? -1] ?? null);
    return this.#decode(cells);
  }

  /** Of a record's values those that `find` gives without lists. */
  ownOf(values: Readonly<Values>): Values {
    return Object.fromEntries(this.#readable.map(({ key }) => [key, values[key] ?? null]));
  }

  #keep(key: string, make: () => Parameters<typeof compile>[0]): Statement {
    return this.#kept.get(`row ${this.table} ${key}`, () => compile(make(), this.#dialect));
  }

  /** One record, with its lists; `lock` keeps others from changing it until the transaction ends. */
  find(
    session: Session,
    recordId: string,
    options: { lock?: RowLock | undefined; lists?: boolean } = {},
  ): Promise<Values | undefined> {
    const lock = this.#lockWords(options.lock);
    const single = this.resource.singleton && recordId === '';
    const statement = this.#keep(`find:${lock}:${single}`, () => {
      const where = single ? sql`` : sql`where id = ${new Param('id')}`;
      return sql`select ${selected(this.#readable, this.#dialect)} from ${sql.table(this.table)} ${where} limit 1 ${sql.raw(lock)}`;
    });
    const lists = options.lists === false ? [] : this.#lists;
    // A record's lists are found by its id, so they need not wait for it; a single record's id must first be read.
    const reading = session.all(statement.sql, bind(statement, { id: recordId }));
    if (lists.length === 0) return reading.then(([row]) => row && this.#decode(row));
    return this.#withLists(session, { reading, lists, recordId: single ? undefined : recordId });
  }

  async #withLists(session: Session, { reading, lists, recordId }: ReadWithLists): Promise<Values | undefined> {
    const [[row], known] = await Promise.all([
      reading,
      recordId === undefined ? undefined : readAll(session, lists, recordId),
    ]);
    if (row === undefined) return undefined;
    const values = this.#decode(row);
    return Object.assign(values, known ?? (await readAll(session, lists, String(values['id']))));
  }

  /** Which version of itself a record is, and stays until the transaction ends. An empty id: of a single record. */
  async version(session: Session, recordId: string): Promise<string | undefined> {
    const single = this.resource.singleton && recordId === '';
    const statement = this.#keep(`version:${single}`, () => {
      const where = single ? sql`` : sql`where id = ${new Param('id')}`;
      return sql`select version from ${sql.table(this.table)} ${where} limit 1 ${sql.raw(this.#dialect.forUpdate)}`;
    });
    const [row] = await session.all(statement.sql, bind(statement, { id: recordId }));
    return row && String(row[0]);
  }

  /** The versions of those of these records that there are. */
  async versions(session: Session, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const parts = idParts(ids).map(({ count, places, values }) => {
      const statement = this.#keep(
        `versions:${count}`,
        () => sql`select id, version from ${sql.table(this.table)} where id in (${places()})`,
      );
      return session.all(statement.sql, bind(statement, values));
    });
    const rows = (await Promise.all(parts)).flat();
    return new Map(rows.map(([id, version]) => [String(id), Number(version)]));
  }

  /** Records whose fields equal `where` (by key; texts of unique keys as those compare), oldest first, without lists. */
  async list(session: Session, where: Readonly<Values>, options: ListOptions = {}): Promise<Values[]> {
    const { limit, bounds = [] } = options;
    const keys = Object.keys(where).sort();
    const statement = this.#keep(`list:${shapeOf(keys, where)}:${limit ?? ''}:${boundsShape(bounds)}`, () => {
      const end = limit === undefined ? '' : `limit ${limit}`;
      return sql`select ${selected(this.#readable, this.#dialect)} from ${sql.table(this.table)} where ${this.#columns.equals(keys, where)}${this.#columns.within(bounds)} order by created_at, id ${sql.raw(end)}`;
    });
    const bound = { ...this.#columns.whereValues(keys, where), ...this.#columns.boundValues(bounds) };
    const rows = await session.all(statement.sql, bind(statement, bound));
    return rows.map((row) => this.#decode(row));
  }

  /** Whether there is such a record. No order: it would have the database sort all of them for the first. */
  async exists(session: Session, where: Readonly<Values>, bounds: readonly Bounds[] = []): Promise<boolean> {
    const keys = Object.keys(where).sort();
    const statement = this.#keep(
      `exists:${shapeOf(keys, where)}:${boundsShape(bounds)}`,
      () =>
        sql`select 1 from ${sql.table(this.table)} where ${this.#columns.equals(keys, where)}${this.#columns.within(bounds)} limit 1`,
    );
    const bound = { ...this.#columns.whereValues(keys, where), ...this.#columns.boundValues(bounds) };
    return (await session.all(statement.sql, bind(statement, bound))).length > 0;
  }

  /** The next such records without their lists. */
  async page(session: Session, where: Readonly<Values>, { after, limit, by = [] }: Stretch): Promise<Values[]> {
    const keys = Object.keys(where).sort();
    const order = [...new Set([...by, 'createdAt', 'id'])];
    const shape = `page:${shapeOf(keys, where)}:${limit}:${after === undefined ? '' : shapeOf(order, after)}:${by.join()}`;
    const statement = this.#keep(shape, () => {
      const behind = after === undefined ? sql`` : sql` and ${this.#columns.behind(order, after)}`;
      const columns = sql.join(order.map((key) => sql.ref(this.#columns.columnOf(key))));
      return sql`select ${selected(this.#readable, this.#dialect)} from ${sql.table(this.table)} where ${this.#columns.equals(keys, where)}${behind} order by ${columns} limit ${sql.raw(String(limit))}`;
    });
    const bound = this.#columns.whereValues(keys, where);
    if (after !== undefined) Object.assign(bound, this.#columns.afterValues(order, after));
    return (await session.all(statement.sql, bind(statement, bound))).map((row) => this.#decode(row));
  }

  /** Which of some texts or ids such records have under a key. */
  async among(session: Session, where: Readonly<Values>, { key, values }: Candidates): Promise<ReadonlySet<string>> {
    const keys = Object.keys(where).sort();
    const found = new Set<string>();
    const column = this.#columns.lookedUp(key);
    for (const { count, places, values: texts } of idParts(values)) {
      const statement = this.#keep(
        `among:${key}:${count}:${shapeOf(keys, where)}`,
        () =>
          sql`select ${sql.ref(this.#columns.columnOf(key))} from ${sql.table(this.table)} where ${this.#columns.equals(keys, where)} and ${sql.ref(column)} in (${places()})`,
      );
      const bound = this.#columns.whereValues(keys, where);
      for (const [place, text] of Object.entries(texts))
        bound[place] = this.#columns.cellOf(column, { [key]: text }) ?? null;
      for (const [cell] of await session.all(statement.sql, bind(statement, bound))) found.add(String(cell));
    }
    return found;
  }

  /**
   * Keeps others from changing these records until the transaction ends; `shared` lets them do the same.
   * @param ids In one order everywhere. An empty id: of a single record.
   */
  async lock(session: Session, ids: readonly string[], kind: RowLock = 'own'): Promise<void> {
    const words = this.#lockWords(kind);
    if (this.resource.singleton && ids.includes('')) {
      const all = this.#keep(`lock:${words}`, () => sql`select id from ${sql.table(this.table)} ${sql.raw(words)}`);
      await session.all(all.sql, []);
      return;
    }
    for (const { count, places, values } of idParts(ids)) {
      const statement = this.#keep(
        `lock:${words}:${count}`,
        () => sql`select id from ${sql.table(this.table)} where id in (${places()}) order by id ${sql.raw(words)}`,
      );
      await session.all(statement.sql, bind(statement, values));
    }
  }

  #lockWords(lock: RowLock | undefined): string {
    const { forUpdate, forShare } = this.#dialect;
    return lock === undefined ? '' : lock === 'own' ? forUpdate : forShare;
  }

  /** The greatest integer of a field; null without such a record. */
  async greatest(session: Session, where: Readonly<Values>, key: string): Promise<number | null> {
    const keys = Object.keys(where).sort();
    const statement = this.#keep(
      `greatest:${key}:${shapeOf(keys, where)}`,
      () =>
        sql`select max(${sql.ref(this.#columns.columnOf(key))}) from ${sql.table(this.table)} where ${this.#columns.equals(keys, where)}`,
    );
    const [row] = await session.all(statement.sql, bind(statement, this.#columns.whereValues(keys, where)));
    return row?.[0] === null || row?.[0] === undefined ? null : Number(row[0]);
  }

  /** Ids of all records, page by page, oldest first. */
  async *allIds(session: Session): AsyncGenerator<readonly string[]> {
    const size = 1000;
    let page = await this.page(session, {}, { after: undefined, limit: size });
    while (page.length > 0) {
      yield page.map(({ id }) => String(id));
      page = page.length < size ? [] : await this.page(session, {}, { after: page.at(-1), limit: size });
    }
  }

  /** Records that name any of these under `key`, and which: no more of them than `limit`, nor many more. */
  async naming(session: Session, { key, ids, limit }: Naming): Promise<Named[]> {
    const column = this.#columns.columnOf(key);
    const found: Named[] = [];
    for (const { count, places, values } of idParts(ids)) {
      if (found.length >= limit) break;
      const statement = this.#keep(
        `naming:${key}:${count}`,
        () =>
          sql`select id, ${sql.ref(column)} from ${sql.table(this.table)} where ${sql.ref(column)} in (${places()}) ${limitTo('limit')} offset ${new Param('offset')}`,
      );
      const ask = (page: Page): Promise<Row[]> => session.all(statement.sql, bind(statement, { ...values, ...page }));
      for await (const rows of inPages(this.#dialect, limit - found.length, ask))
        for (const [id, target] of rows) found.push({ id: String(id), target: String(target) });
    }
    return found;
  }

  /** Ids of records whose fields equal `where`, and lie within the bounds; no more of them than `limit`. */
  async ids(session: Session, where: Readonly<Values>, { limit, bounds = [] }: IdOptions): Promise<string[]> {
    const keys = Object.keys(where).sort();
    const statement = this.#keep(
      `ids:${shapeOf(keys, where)}:${boundsShape(bounds)}`,
      () =>
        sql`select id from ${sql.table(this.table)} where ${this.#columns.equals(keys, where)}${this.#columns.within(bounds)} ${limitTo('limit')}`,
    );
    const bound = { ...this.#columns.whereValues(keys, where), ...this.#columns.boundValues(bounds), limit };
    return (await session.all(statement.sql, bind(statement, bound))).map(([id]) => String(id));
  }

  /** The records with these ids, without their lists; `lock` keeps others from changing them until the transaction ends. */
  records(
    session: Session,
    ids: readonly string[],
    options: { lock?: RowLock | undefined } = {},
  ): Promise<ReadonlyMap<string, Values>> {
    const lock = this.#lockWords(options.lock);
    const parts = idParts(ids).map(({ count, places, values }) => {
      const statement = this.#keep(
        `records:${lock}:${count}`,
        () =>
          sql`select ${selected(this.#readable, this.#dialect)} from ${sql.table(this.table)} where id in (${places()}) ${sql.raw(lock)}`,
      );
      return session.all(statement.sql, bind(statement, values));
    });
    const decoded = (row: Row): [string, Values] => {
      const record = this.#decode(row);
      return [String(record['id']), record];
    };
    return inParts(parts).then((rows) => new Map(rows.map(decoded)));
  }

  /** Which of these ids exist. */
  async existing(session: Pick<Session, 'all'>, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const { count, places, values } of idParts(ids)) {
      const statement = this.#keep(
        `existing:${count}`,
        () => sql`select id from ${sql.table(this.table)} where id in (${places()})`,
      );
      for (const [cell] of await session.all(statement.sql, bind(statement, values))) found.add(String(cell));
    }
    return found;
  }

  /** What finds records, or the items of a list: by the keys of the lists that lead to these. */
  finder(keys: readonly string[]): RecordFinder {
    return this.#lookingIn(keys).finder;
  }

  /** What tells of them as a whole. */
  tallier(keys: readonly string[]): Aggregator {
    return this.#lookingIn(keys).tallier;
  }

  #lookingIn(keys: readonly string[]): Looking {
    const path = keys.join('.');
    const known = this.#looking.get(path);
    if (known !== undefined) return known;
    const levels = new Levels({
      table: this.table,
      bindings: this.#columns.bindings,
      roots: this.#lists.map(({ list }) => list),
      lists: keys.map((_key, depth) => this.listAt(keys.slice(0, depth + 1)).list),
      unique: this.resource.unique.map(({ fields }) => fields.map(({ column }) => column)),
      dialect: this.#dialect,
    });
    const looking = { finder: new RecordFinder(levels, this.#kept), tallier: new Aggregator(levels, this.#kept) };
    this.#looking.set(path, looking);
    return looking;
  }

  /** The rows of a list, by the keys of the lists that lead to it. */
  listAt(keys: readonly string[]): ListReader {
    let lists: readonly ListReader[] = this.#lists;
    let found: ListReader | undefined;
    for (const key of keys) {
      found = lists.find(({ list }) => list.field.key === key);
      lists = found?.inner ?? [];
    }
    if (found === undefined) unreachable(`${this.resource.name} has no list ${keys.join('.')}`);
    return found;
  }

  /** The rows of a list of the record, or of its items. */
  listOf(field: Field): ListReader | undefined {
    return this.#lists.flatMap((list) => [list, ...list.inner]).find(({ list }) => list.field === field);
  }
}

/** The lists of a record, by key. */
async function readAll(session: Session, lists: readonly ListReader[], owner: string): Promise<Values> {
  const read = lists.map(async (list) => [list.list.field.key, await list.read(session, owner)] as const);
  return Object.fromEntries(await Promise.all(read));
}
