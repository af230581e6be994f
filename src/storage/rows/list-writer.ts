// Writes the lists of records: inserts, updates and deletes of items and links.
import { sql } from 'kysely';
import type { Value, Values } from '../../registry/model/model.ts';
import type { Bound } from '../schema/cells.ts';
import { encode } from '../schema/columns.ts';
import { bind, compile, type Statement } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { LruCache } from '../schema/lru-cache.ts';
import type { Session } from '../schema/session.ts';
import { Param } from '../schema/sql.ts';
import type { ListTable } from '../schema/tables.ts';
import type { Binding } from './bindings.ts';
import { idParts } from './id-parts.ts';
import { listBindings, listColumn } from './list-reader.ts';

/** An item and its place in the record, from outside inwards: `[2]`, or `[2, 0]` in a list of the third item. */
interface Placed {
  readonly place: readonly number[];
  readonly values: Readonly<Values>;
}

/** The record that a list belongs to; its rows carry both. */
export interface ListOwner {
  readonly id: string;
  readonly createdAt: string;
}

/** A record that items name under `key`. */
interface NamedIn {
  readonly key: string;
  readonly target: string;
}

/** So many rows have a statement of exactly their number: most lists are this short. */
const mostExact = 16;

/**
 * Writes the rows of one list of a group, and of the lists of its items. Statements of one call are all asked for before the
 * first is answered.
 */
export class ListWriter {
  readonly list: ListTable;
  /** Lists of the items, by key. */
  readonly inner: ReadonlyMap<string, ListWriter>;
  readonly #dialect: Dialect;
  readonly #bindings: readonly Binding[];
  readonly #kept: LruCache<Statement>;

  constructor(list: ListTable, dialect: Dialect, kept: LruCache<Statement>) {
    this.list = list;
    this.#kept = kept;
    this.inner = new Map(list.inner.map((inside) => [inside.field.key, new ListWriter(inside, dialect, kept)]));
    this.#dialect = dialect;
    this.#bindings = listBindings(list, dialect);
  }

  #keep(key: string, make: () => Parameters<typeof compile>[0]): Statement {
    return this.#kept.get(`item ${this.list.name} ${key}`, () => compile(make(), this.#dialect));
  }

  /** Stores a record's items, and those of their lists. */
  insert(session: Session, owner: ListOwner, value: Value | undefined): Promise<void> {
    return this.#insertPlaced(session, owner, this.#placed(value, []));
  }

  #placed(value: Value | undefined, outer: readonly number[]): Placed[] {
    const items = Array.isArray(value) ? (value as Value[]) : [];
    return items.map((item, index) => ({
      place: [...outer, index],
      values: this.list.field.kind === 'references' ? { target: item } : (item as Values),
    }));
  }

  /** In few statements: at most 64 rows each, then powers of two and at last up to 16, so that texts stay few. */
  async #insertPlaced(session: Session, owner: ListOwner, items: readonly Placed[]): Promise<void> {
    const inserted: Promise<unknown>[] = [];
    let done = 0;
    while (done < items.length) {
      const left = items.length - done;
      const count = left <= mostExact ? left : Math.min(64, 2 ** Math.floor(Math.log2(left)));
      inserted.push(this.#insertRows(session, owner, items.slice(done, done + count)));
      done += count;
    }
    for (const list of this.inner.values()) {
      const inside = items.flatMap(({ place, values }) => list.#placed(values[list.list.field.key], place));
      inserted.push(list.#insertPlaced(session, owner, inside));
    }
    await Promise.all(inserted);
  }

  #insertRows(session: Session, owner: ListOwner, items: readonly Placed[]): Promise<number> {
    const { name, places } = this.list;
    const shared = new Set(['owner_id', 'created_at']);
    const columns = ['owner_id', ...places, ...this.#bindings.map(({ column }) => column), 'created_at'];
    const statement = this.#keep(`insert:${items.length}`, () =>
      this.#dialect.builder
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
      owner_id: owner.id,
      created_at: encode(owner.createdAt, { kind: 'dateTime' }, this.#dialect),
    };
    for (const [row, { place, values }] of items.entries()) {
      for (const [depth, column] of places.entries()) bound[`${column}#${row}`] = place[depth] ?? 0;
      for (const binding of this.#bindings) bound[`${binding.column}#${row}`] = binding.bound(values);
    }
    return session.run(statement.sql, bind(statement, bound));
  }

  /** Removes the items of records, and those of their lists. */
  async removeAll(session: Session, owners: readonly string[]): Promise<void> {
    const inner = [...this.inner.values()].map((list) => list.removeAll(session, owners));
    const parts = idParts(owners).map(({ count, places, values }) => {
      const statement = this.#keep(
        `removeAll:${count}`,
        () => sql`delete from ${sql.table(this.list.name)} where owner_id in (${places()})`,
      );
      return session.run(statement.sql, bind(statement, values));
    });
    await Promise.all([...inner, ...parts]);
  }

  /** Takes an id out of the lists of these records. Places left free do no harm: only their order counts. */
  async removeTarget(session: Session, { key, target }: NamedIn, owners: readonly string[]): Promise<void> {
    const { name } = this.list;
    const column = listColumn(this.list, this.#bindings, key);
    const removed: Promise<unknown>[] = [];
    for (const { count, places, values } of idParts(owners)) {
      const bound = { ...values, target };
      // The lists of an item go before it: once it is gone, nothing tells which they are.
      for (const list of this.inner.values()) {
        const inside = sql.table(list.list.name);
        const statement = this.#keep(
          `removeInner:${list.list.name}:${key}:${count}`,
          () =>
            sql`delete from ${inside} where owner_id in (${places()}) and exists (select 1 from ${sql.table(name)} as o where o.owner_id = ${inside}.owner_id and o.position = ${inside}.item and ${sql.ref(`o.${column}`)} = ${new Param('target')})`,
        );
        removed.push(session.run(statement.sql, bind(statement, bound)));
      }
      const statement = this.#keep(
        `removeTarget:${key}:${count}`,
        () =>
          sql`delete from ${sql.table(name)} where owner_id in (${places()}) and ${sql.ref(column)} = ${new Param('target')}`,
      );
      removed.push(session.run(statement.sql, bind(statement, bound)));
    }
    await Promise.all(removed);
  }
}
