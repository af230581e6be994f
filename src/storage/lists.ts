// The lists of a group's records: links to records of another group, or items of their own, which may have lists again.
import { type RawBuilder, sql } from 'kysely';
import type { Value, Values } from '../registry/model.ts';
import { type Binding, decodeRow, fieldBindings, idType, selected } from './bindings.ts';
import { encode } from './columns.ts';
import { bind, builderFor, compile, Param, type Statement } from './compiler.ts';
import { idParts } from './id-parts.ts';
import type { Kept } from './kept.ts';
import type { Bound, DialectName, Row, Session } from './session.ts';
import type { ListTable } from './tables.ts';

/** An item and its place in the record, from outside inwards: `[2]`, or `[2, 0]` in a list of the third item. */
interface Placed {
  readonly place: readonly number[];
  readonly values: Readonly<Values>;
}

/** So many rows have a statement of exactly their number: most lists are this short. */
const mostExact = 16;

const linkBinding: Binding = {
  column: 'target_id',
  key: 'target',
  type: idType,
  bound: (values) => String(values['target']),
  put: (values, value) => Object.assign(values, { target: value }),
};

/** The rows of one list of a group, and of the lists of its items. */
export class ListStore {
  readonly list: ListTable;
  readonly inner: readonly ListStore[];
  readonly #dialect: DialectName;
  readonly #bindings: readonly Binding[];
  readonly #kept: Kept<Statement>;

  constructor(list: ListTable, dialect: DialectName, kept: Kept<Statement>) {
    this.list = list;
    this.#kept = kept;
    this.inner = list.inner.map((inside) => new ListStore(inside, dialect, kept));
    this.#dialect = dialect;
    this.#bindings =
      list.field.kind === 'objects'
        ? list.field.fields.flatMap((item) => fieldBindings(item, new Set(), dialect))
        : [linkBinding];
  }

  #keep(key: string, make: () => Parameters<typeof compile>[0]): Statement {
    return this.#kept.get(`item ${this.list.name} ${key}`, () => compile(make(), this.#dialect));
  }

  /** The list of a record as the engine holds it: ids, or items by key. */
  async read(session: Session, owner: string): Promise<Value[]> {
    return (await this.#readPlaced(session, owner)).map(({ values }) => this.#valueOf(values));
  }

  #valueOf(values: Values): Value {
    return this.list.field.kind === 'references' ? (values['target'] ?? null) : values;
  }

  async #readPlaced(session: Session, owner: string): Promise<{ place: string; values: Values }[]> {
    const { name, places } = this.list;
    const order = sql.join(places.map((place) => sql.ref(place)));
    // Items may have nothing of their own but lists.
    const own = this.#bindings.length === 0 ? sql`` : sql`${selected(this.#bindings, this.#dialect)}, `;
    const statement = this.#keep(
      'read',
      () => sql`select ${own}${order} from ${sql.table(name)} where owner_id = ${new Param('owner')} order by ${order}`,
    );
    const rows = await session.all(statement.sql, bind(statement, { owner }));
    const items = rows.map((row) => ({
      place: this.#placeOf(row).join(),
      values: decodeRow(row, this.#bindings, this.#dialect),
    }));
    for (const list of this.inner) await list.#readInto(session, owner, items);
    return items;
  }

  #placeOf(row: Row): number[] {
    return row.slice(this.#bindings.length).map(Number);
  }

  /** Gives each item of the outer list its own items. */
  async #readInto(session: Session, owner: string, outer: readonly { place: string; values: Values }[]): Promise<void> {
    if (outer.length === 0) return;
    const lists = new Map<string, Value[]>(outer.map(({ place }) => [place, []]));
    for (const { place, values } of await this.#readPlaced(session, owner))
      lists.get(place.slice(0, place.lastIndexOf(',')))?.push(this.#valueOf(values));
    for (const { place, values } of outer) values[this.list.field.key] = lists.get(place) ?? [];
  }

  async replace(session: Session, owner: string, createdAt: string, value: Value | undefined): Promise<void> {
    await this.removeAll(session, owner);
    await this.insert(session, owner, createdAt, value);
  }

  /** Stores a record's items, and those of their lists. */
  insert(session: Session, owner: string, createdAt: string, value: Value | undefined): Promise<void> {
    return this.#insertPlaced(session, owner, createdAt, this.#placed(value, []));
  }

  #placed(value: Value | undefined, outer: readonly number[]): Placed[] {
    const items = Array.isArray(value) ? (value as Value[]) : [];
    return items.map((item, index) => ({
      place: [...outer, index],
      values: this.list.field.kind === 'references' ? { target: item } : (item as Values),
    }));
  }

  /** In few statements: at most 64 rows each, then powers of two and at last up to 16, so that texts stay few. */
  async #insertPlaced(session: Session, owner: string, createdAt: string, items: readonly Placed[]): Promise<void> {
    let done = 0;
    while (done < items.length) {
      const left = items.length - done;
      const count = left <= mostExact ? left : Math.min(64, 2 ** Math.floor(Math.log2(left)));
      await this.#insertRows(session, owner, createdAt, items.slice(done, done + count));
      done += count;
    }
    for (const list of this.inner) {
      const inside = items.flatMap(({ place, values }) => list.#placed(values[list.list.field.key], place));
      await list.#insertPlaced(session, owner, createdAt, inside);
    }
  }

  async #insertRows(session: Session, owner: string, createdAt: string, items: readonly Placed[]): Promise<void> {
    const { name, places } = this.list;
    const shared = new Set(['owner_id', 'created_at']);
    const columns = ['owner_id', ...places, ...this.#bindings.map(({ column }) => column), 'created_at'];
    const statement = this.#keep(`insert:${items.length}`, () =>
      builderFor(this.#dialect)
        .insertInto(name)
        .values(
          items.map((_item, row) =>
            Object.fromEntries(
              columns.map((column) => [column, new Param(shared.has(column) ? column : `${column}#${row}`)]),
            ),
          ),
        ),
    );
    const bound: Record<string, Bound> = {
      owner_id: owner,
      created_at: encode(createdAt, { kind: 'dateTime' }, this.#dialect),
    };
    for (const [row, { place, values }] of items.entries()) {
      for (const [depth, column] of places.entries()) bound[`${column}#${row}`] = place[depth] ?? 0;
      for (const binding of this.#bindings) bound[`${binding.column}#${row}`] = binding.bound(values);
    }
    await session.run(statement.sql, bind(statement, bound));
  }

  /** Removes a record's items, and those of their lists. */
  async removeAll(session: Session, owner: string): Promise<void> {
    for (const list of this.inner) await list.removeAll(session, owner);
    const statement = this.#keep('removeAll', () =>
      builderFor(this.#dialect).deleteFrom(this.list.name).where('owner_id', '=', new Param('owner')),
    );
    await session.run(statement.sql, bind(statement, { owner }));
  }

  /** Column of an item field, of a branch of one, or of the link. */
  #columnOf(key: string): string {
    return this.list.field.kind === 'references'
      ? 'target_id'
      : (this.#bindings.find((binding) => binding.key === key)?.column ?? '');
  }

  #holds(key: string): RawBuilder<unknown> {
    return sql`${sql.ref(this.#columnOf(key))} = ${new Param('target')}`;
  }

  /** Ids of the records whose list holds an id. */
  async holders(session: Session, key: string, target: string): Promise<string[]> {
    const statement = this.#keep(
      `holders:${key}`,
      () => sql`select distinct owner_id from ${sql.table(this.list.name)} where ${this.#holds(key)}`,
    );
    const rows = await session.all(statement.sql, bind(statement, { target }));
    return rows.map(([owner]) => String(owner));
  }

  /** Which records hold which of these ids. */
  async holding(session: Session, key: string, ids: readonly string[]): Promise<{ holder: string; id: string }[]> {
    const found: { holder: string; id: string }[] = [];
    for (const { count, places, values } of idParts(ids)) {
      const column = sql.ref(this.#columnOf(key));
      const statement = this.#keep(
        `holding:${key}:${count}`,
        () =>
          sql`select distinct owner_id, ${column} from ${sql.table(this.list.name)} where ${column} in (${places()})`,
      );
      for (const [holder, id] of await session.all(statement.sql, bind(statement, values)))
        found.push({ holder: String(holder), id: String(id) });
    }
    return found;
  }

  /** Takes an id out of every list that holds it. Places left free do no harm: only their order counts. */
  async removeTarget(session: Session, key: string, target: string): Promise<void> {
    const { name } = this.list;
    // The lists of an item go before it: once it is gone, nothing tells which they are.
    for (const list of this.inner) {
      const inside = sql.table(list.list.name);
      const statement = this.#keep(
        `removeInner:${list.list.name}:${key}`,
        () =>
          sql`delete from ${inside} where exists (select 1 from ${sql.table(name)} as o where o.owner_id = ${inside}.owner_id and o.position = ${inside}.item and ${sql.ref(`o.${this.#columnOf(key)}`)} = ${new Param('target')})`,
      );
      await session.run(statement.sql, bind(statement, { target }));
    }
    const statement = this.#keep(
      `removeTarget:${key}`,
      () => sql`delete from ${sql.table(name)} where ${this.#holds(key)}`,
    );
    await session.run(statement.sql, bind(statement, { target }));
  }

  /** Whether any list holds an id, or that of the record `owner` does. */
  async isHeld(session: Session, key: string, target: string, owner?: string): Promise<boolean> {
    const statement = this.#keep(`isHeld:${key}:${owner === undefined}`, () => {
      const ofOwner = owner === undefined ? sql`` : sql` and owner_id = ${new Param('owner')}`;
      return sql`select 1 from ${sql.table(this.list.name)} where ${this.#holds(key)}${ofOwner} limit 1`;
    });
    return (await session.all(statement.sql, bind(statement, { target, owner: owner ?? '' }))).length > 0;
  }

  /** The items that hold one of these ids, each with the id of its record; in the order of records, and of the list. */
  async itemsWith(
    session: Session,
    key: string,
    ids: readonly string[],
  ): Promise<{ readonly owner: string; readonly item: Values }[]> {
    const found: { owner: string; item: Values }[] = [];
    for (const { count, places, values } of idParts(ids)) {
      const statement = this.#keep(
        `itemsWith:${key}:${count}`,
        () =>
          sql`select ${selected(this.#bindings, this.#dialect)}, owner_id from ${sql.table(this.list.name)} where ${sql.ref(this.#columnOf(key))} in (${places()}) order by owner_id, position`,
      );
      for (const row of await session.all(statement.sql, bind(statement, values)))
        found.push({
          owner: String(row[this.#bindings.length]),
          item: decodeRow(row, this.#bindings, this.#dialect),
        });
    }
    return found;
  }
}
