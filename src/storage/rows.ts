// Records of the engine ↔ rows of the tables: what a write reads under lock, and what it stores. Statements are built
// with Kysely when they are first needed, and kept by what they change.
import { sql } from 'kysely';
import type { Field, Resource, Values } from '../registry/model.ts';
import { type Binding, decodeRow, fieldBindings, selected } from './bindings.ts';
import { bind, builderFor, compile, Param, type Statement } from './compiler.ts';
import { idParts } from './id-parts.ts';
import type { Kept } from './kept.ts';
import { ListStore } from './lists.ts';
import type { Bound, DialectName, Row, Session } from './session.ts';
import { hashedFields, keyColumn, listTablesOf, tableName } from './tables.ts';

/** A condition beside equality. `key` is that of a field, or `id`; null passes only with `orNull`. */
export interface Bounds {
  readonly key: string;
  readonly operator: '<=' | '>=' | '!=';
  readonly value: string;
  readonly orNull?: boolean;
}

/** What of a list is wanted. */
interface ListOptions {
  readonly limit?: number;
  readonly bounds?: readonly Bounds[];
}

/** Reads and writes the rows of one group. */
export class RowStore {
  readonly resource: Resource;
  readonly table: string;
  readonly #dialect: DialectName;
  readonly #bindings: readonly Binding[];
  readonly #readable: readonly Binding[];
  readonly #lists: readonly ListStore[];
  readonly #kept: Kept<Statement>;
  readonly #byColumn: ReadonlyMap<string, Binding>;

  /** @param kept Shared with other groups. */
  constructor(resource: Resource, dialect: DialectName, kept: Kept<Statement>) {
    this.resource = resource;
    this.#kept = kept;
    this.table = tableName(resource.name);
    this.#dialect = dialect;
    const hashed = hashedFields(resource);
    this.#bindings = resource.fields.flatMap((field) => fieldBindings(field, hashed, dialect));
    this.#readable = this.#bindings.filter(({ put }) => put !== undefined);
    this.#byColumn = new Map(this.#bindings.map((binding) => [binding.column, binding]));
    this.#lists = listTablesOf(resource).map((list) => new ListStore(list, dialect, kept));
  }

  /** Bound value of one of the group's columns: what a row would hold. @returns undefined for other columns. */
  cellOf(column: string, values: Readonly<Values>): Bound | undefined {
    return this.#byColumn.get(column)?.bound(values);
  }

  #keep(key: string, make: () => Parameters<typeof compile>[0]): Statement {
    return this.#kept.get(`row ${this.table} ${key}`, () => compile(make(), this.#dialect));
  }

  #decode(row: Row): Values {
    return decodeRow(row, this.#readable, this.#dialect);
  }

  /** One record, with its lists; `lock` keeps others from changing it until the transaction ends. */
  async find(
    session: Session,
    recordId: string,
    options: { lock?: boolean; lists?: boolean } = {},
  ): Promise<Values | undefined> {
    const locks = options.lock === true && this.#dialect === 'mysql';
    const single = this.resource.singleton && recordId === '';
    const statement = this.#keep(`find:${locks}:${single}`, () => {
      const where = single ? sql`` : sql`where id = ${new Param('id')}`;
      return sql`select ${selected(this.#readable, this.#dialect)} from ${sql.table(this.table)} ${where} limit 1 ${sql.raw(locks ? 'for update' : '')}`;
    });
    const [row] = await session.all(statement.sql, bind(statement, { id: recordId }));
    if (row === undefined) return undefined;
    const values = this.#decode(row);
    if (options.lists !== false)
      for (const list of this.#lists) values[list.list.field.key] = await list.read(session, String(values['id']));
    return values;
  }

  /** Records whose fields equal `where` (by key; texts of unique keys as those compare), oldest first, without lists. */
  async list(session: Session, where: Readonly<Values>, options: ListOptions = {}): Promise<Values[]> {
    const { limit, bounds = [] } = options;
    const keys = Object.keys(where).sort();
    const statement = this.#keep(`list:${shapeOf(keys, where)}:${limit ?? ''}:${boundsShape(bounds)}`, () => {
      const end = limit === undefined ? '' : `limit ${limit}`;
      return sql`select ${selected(this.#readable, this.#dialect)} from ${sql.table(this.table)} where ${this.#equals(keys, where)}${this.#within(bounds)} order by created_at, id ${sql.raw(end)}`;
    });
    const bound = { ...this.#whereValues(keys, where), ...this.#boundValues(bounds) };
    const rows = await session.all(statement.sql, bind(statement, bound));
    return rows.map((row) => this.#decode(row));
  }

  /** Whether there is such a record. No order: it would have the database sort all of them for the first. */
  async exists(session: Session, where: Readonly<Values>, bounds: readonly Bounds[] = []): Promise<boolean> {
    const keys = Object.keys(where).sort();
    const statement = this.#keep(
      `exists:${shapeOf(keys, where)}:${boundsShape(bounds)}`,
      () =>
        sql`select 1 from ${sql.table(this.table)} where ${this.#equals(keys, where)}${this.#within(bounds)} limit 1`,
    );
    const bound = { ...this.#whereValues(keys, where), ...this.#boundValues(bounds) };
    return (await session.all(statement.sql, bind(statement, bound))).length > 0;
  }

  /** The next `limit` such records without their lists, oldest first, behind the record `after` or from the first on. */
  async page(
    session: Session,
    where: Readonly<Values>,
    after: Readonly<Values> | undefined,
    limit: number,
  ): Promise<Values[]> {
    const keys = Object.keys(where).sort();
    const statement = this.#keep(`page:${shapeOf(keys, where)}:${limit}:${after === undefined}`, () => {
      const [time, id] = [new Param('after:createdAt'), new Param('after:id')];
      // The spelling that uses the index.
      const behind = sql` and created_at >= ${time} and (created_at > ${time} or id > ${id})`;
      return sql`select ${selected(this.#readable, this.#dialect)} from ${sql.table(this.table)} where ${this.#equals(keys, where)}${after === undefined ? sql`` : behind} order by created_at, id limit ${sql.raw(String(limit))}`;
    });
    const bound = this.#whereValues(keys, where);
    for (const key of ['createdAt', 'id'])
      bound[`after:${key}`] = after === undefined ? null : (this.cellOf(this.#columnOf(key), after) ?? null);
    return (await session.all(statement.sql, bind(statement, bound))).map((row) => this.#decode(row));
  }

  /** Which of these texts or ids such records have under `key`. */
  async among(
    session: Session,
    where: Readonly<Values>,
    key: string,
    values: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const keys = Object.keys(where).sort();
    const found = new Set<string>();
    const column = this.#lookedUp(key);
    for (const { count, places, values: texts } of idParts(values)) {
      const statement = this.#keep(
        `among:${key}:${count}:${shapeOf(keys, where)}`,
        () =>
          sql`select ${sql.ref(this.#columnOf(key))} from ${sql.table(this.table)} where ${this.#equals(keys, where)} and ${sql.ref(column)} in (${places()})`,
      );
      const bound = this.#whereValues(keys, where);
      for (const [place, text] of Object.entries(texts)) bound[place] = this.cellOf(column, { [key]: text }) ?? null;
      for (const [cell] of await session.all(statement.sql, bind(statement, bound))) found.add(String(cell));
    }
    return found;
  }

  /** The greatest integer of a field; null without such a record. */
  async greatest(session: Session, where: Readonly<Values>, key: string): Promise<number | null> {
    const keys = Object.keys(where).sort();
    const statement = this.#keep(
      `greatest:${key}:${shapeOf(keys, where)}`,
      () =>
        sql`select max(${sql.ref(this.#columnOf(key))}) from ${sql.table(this.table)} where ${this.#equals(keys, where)}`,
    );
    const [row] = await session.all(statement.sql, bind(statement, this.#whereValues(keys, where)));
    return row?.[0] === null || row?.[0] === undefined ? null : Number(row[0]);
  }

  /** The records with these ids, without their lists. */
  async records(session: Session, ids: readonly string[]): Promise<Values[]> {
    const found: Values[] = [];
    for (const { count, places, values } of idParts(ids)) {
      const statement = this.#keep(
        `records:${count}`,
        () =>
          sql`select ${selected(this.#readable, this.#dialect)} from ${sql.table(this.table)} where id in (${places()})`,
      );
      const rows = await session.all(statement.sql, bind(statement, values));
      found.push(...rows.map((row) => this.#decode(row)));
    }
    return found;
  }

  #within(bounds: readonly Bounds[]) {
    const conditions = bounds.map(({ key, operator, orNull }, place) => {
      const column = sql.ref(this.#columnOf(key));
      const within = sql`${column} ${sql.raw(operator)} ${new Param(`bound${place}`)}`;
      return orNull === true ? sql` and (${within} or ${column} is null)` : sql` and ${within}`;
    });
    return conditions.length === 0 ? sql`` : sql.join(conditions, sql``);
  }

  #boundValues(bounds: readonly Bounds[]): Record<string, Bound> {
    return Object.fromEntries(
      bounds.map(({ key, value }, place) => [
        `bound${place}`,
        this.cellOf(this.#columnOf(key), { [key]: value }) ?? null,
      ]),
    );
  }

  #equals(keys: readonly string[], where: Readonly<Values>) {
    const conditions = keys.map((key) => {
      const column = sql.ref(this.#lookedUp(key));
      return where[key] === null ? sql`${column} is null` : sql`${column} = ${new Param(key)}`;
    });
    return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
  }

  #columnOf(key: string): string {
    const column = this.resource.byKey.get(key)?.column;
    if (column === undefined || column === '') throw new Error(`${this.resource.name} keeps no "${key}"`);
    return column;
  }

  /** The column that finds a value: texts of a unique key are the same when the key says so, and it has an index. */
  #lookedUp(key: string): string {
    const column = this.#columnOf(key);
    return this.#byColumn.has(keyColumn(column)) ? keyColumn(column) : column;
  }

  #whereValues(keys: readonly string[], where: Readonly<Values>): Record<string, Bound> {
    return Object.fromEntries(keys.map((key) => [key, this.cellOf(this.#lookedUp(key), where) ?? null]));
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

  /** Stores the same values in many records; no lists. */
  async updateMany(session: Session, ids: readonly string[], values: Readonly<Values>): Promise<void> {
    const changed = this.#bindings.filter(({ key }) => Object.hasOwn(values, key));
    const bound = Object.fromEntries(changed.map((binding) => [binding.column, binding.bound(values)]));
    for (const { count, places, values: named } of idParts(ids)) {
      const statement = this.#keep(`updateMany:${Object.keys(values).join()}:${count}`, () => {
        const set = changed.map(({ column }) => sql`${sql.ref(column)} = ${new Param(column)}`);
        return sql`update ${sql.table(this.table)} set ${sql.join([...set, sql`version = version + 1`])} where id in (${places()})`;
      });
      await session.run(statement.sql, bind(statement, { ...bound, ...named }));
    }
  }

  /** Stores a new record with its lists. */
  async insert(session: Session, values: Readonly<Values>): Promise<void> {
    const statement = this.#keep('insert', () =>
      builderFor(this.#dialect)
        .insertInto(this.table)
        .values({
          ...Object.fromEntries(this.#bindings.map(({ column }) => [column, new Param(column)])),
          version: new Param('version'),
          guard: new Param('version'),
        }),
    );
    const bound: Record<string, Bound> = { version: 0 };
    for (const binding of this.#bindings) bound[binding.column] = binding.bound(values);
    await session.run(statement.sql, bind(statement, bound));
    for (const list of this.#lists)
      await list.insert(session, String(values['id']), String(values['createdAt']), values[list.list.field.key]);
  }

  /**
   * Stores the fields with these keys; lists are replaced whole.
   * @param modified Key of a time that moves only when one of the other values does.
   * @returns how many records had the id.
   */
  async update(
    session: Session,
    values: Readonly<Values>,
    keys: readonly string[],
    modified?: string,
  ): Promise<number> {
    const recordId = String(values['id']);
    const changed = this.#bindings.filter(({ key }) => keys.includes(key) && key !== modified);
    let matched = 1;
    if (changed.length > 0 || modified !== undefined) {
      const time = modified === undefined ? undefined : this.#bindings.find(({ key }) => key === modified);
      const statement = this.#keep(`update:${keys.join()}:${modified ?? ''}`, () => this.#updateSql(changed, time));
      const bound: Record<string, Bound> = { id: recordId };
      for (const binding of changed) bound[binding.column] = binding.bound(values);
      if (time !== undefined) bound[time.column] = time.bound(values);
      matched = await session.run(statement.sql, bind(statement, bound));
    }
    for (const list of this.#lists) {
      const { key } = list.list.field;
      if (keys.includes(key)) await list.replace(session, recordId, String(values['createdAt']), values[key]);
    }
    return matched;
  }

  #updateSql(changed: readonly Binding[], time: Binding | undefined) {
    const same = sql.raw(this.#dialect === 'sqlite' ? 'is' : '<=>');
    // First, because MySQL computes each assignment with the columns that those before it have set.
    const moved =
      time &&
      sql`${sql.ref(time.column)} = case when ${sql.join(
        changed.map(({ column }) => sql`${sql.ref(column)} ${same} ${new Param(column)}`),
        sql` and `,
      )} then ${sql.ref(time.column)} else ${new Param(time.column)} end`;
    const assignments = [
      ...(moved === undefined || changed.length === 0 ? [] : [moved]),
      ...changed.map(({ column }) => sql`${sql.ref(column)} = ${new Param(column)}`),
      sql`version = version + 1`,
    ];
    return sql`update ${sql.table(this.table)} set ${sql.join(assignments)} where id = ${new Param('id')}`;
  }

  /** Sets a reference to null wherever it names a record that goes. */
  async clear(session: Session, key: string, target: string): Promise<void> {
    const column = sql.ref(this.#columnOf(key));
    const statement = this.#keep(
      `clear:${key}`,
      () =>
        sql`update ${sql.table(this.table)} set ${column} = null, version = version + 1 where ${column} = ${new Param('target')}`,
    );
    await session.run(statement.sql, bind(statement, { target }));
  }

  /** Removes a record and the rows of its lists. @returns how many records had the id. */
  async remove(session: Session, recordId: string): Promise<number> {
    for (const list of this.#lists) await list.removeAll(session, recordId);
    const statement = this.#keep('remove', () =>
      builderFor(this.#dialect).deleteFrom(this.table).where('id', '=', new Param('id')),
    );
    return session.run(statement.sql, bind(statement, { id: recordId }));
  }

  /** Raises the counters of rows, so that others that guard them wait, or conflict. An empty id: of a single record. */
  async guard(session: Session, ids: readonly string[]): Promise<void> {
    if (ids.includes('')) {
      const all = this.#keep('guard', () => sql`update ${sql.table(this.table)} set guard = guard + 1`);
      await session.run(all.sql, []);
      return;
    }
    for (const { count, places, values } of idParts(ids)) {
      const statement = this.#keep(
        `guard:${count}`,
        () => sql`update ${sql.table(this.table)} set guard = guard + 1 where id in (${places()})`,
      );
      await session.run(statement.sql, bind(statement, values));
    }
  }

  /** The rows of a list of the record, or of its items. */
  listOf(field: Field): ListStore | undefined {
    return this.#lists.flatMap((list) => [list, ...list.inner]).find(({ list }) => list.field === field);
  }
}

/** What tells the conditions of one statement from those of another: null is compared in another way. */
const shapeOf = (keys: readonly string[], where: Readonly<Values>): string =>
  keys.map((key) => (where[key] === null ? `${key}-` : key)).join();

const boundsShape = (bounds: readonly Bounds[]): string =>
  bounds.map(({ key, operator, orNull }) => `${key}${operator}${orNull === true ? '-' : ''}`).join();
