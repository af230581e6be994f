// The lists of a group's records: links to records of another group, or items of their own.
import { sql } from 'kysely';
import type { Field, ObjectsField, ReferencesField, Resource, Value, Values } from '../registry/model.ts';
import { type Binding, decodeRow, fieldBindings, idType, selected } from './bindings.ts';
import { encode } from './columns.ts';
import { bind, builderFor, compile, Param, type Statement } from './compiler.ts';
import type { Bound, DialectName, Session } from './session.ts';
import { listTableName } from './tables.ts';

/** Whether a field is kept in a table of its own. */
export const isList = (field: Field): field is ObjectsField | ReferencesField =>
  ((field.kind === 'objects' && !field.isEmbedded) || field.kind === 'references') && field.stored;

/** The rows of one list of a group: links to another group, or items of its own. */
export class ListStore {
  readonly field: ObjectsField | ReferencesField;
  readonly #table: string;
  readonly #dialect: DialectName;
  readonly #bindings: readonly Binding[];
  readonly #statements = new Map<string, Statement>();

  constructor(resource: Resource, field: ObjectsField | ReferencesField, dialect: DialectName) {
    this.field = field;
    this.#table = listTableName(resource, field);
    this.#dialect = dialect;
    this.#bindings =
      field.kind === 'objects'
        ? field.fields.flatMap((item) => fieldBindings(item, new Set(), dialect))
        : [
            {
              column: 'target_id',
              key: 'target',
              type: idType,
              bound: (values) => String(values['target']),
              put: (values, value) => Object.assign(values, { target: value }),
            },
          ];
  }

  #keep(key: string, make: () => Parameters<typeof compile>[0]): Statement {
    const statement = this.#statements.get(key) ?? compile(make(), this.#dialect);
    this.#statements.set(key, statement);
    return statement;
  }

  /** The list as the engine holds it: ids, or items by key. */
  async read(session: Session, owner: string): Promise<Value[]> {
    const statement = this.#keep('read', () => {
      return sql`select ${selected(this.#bindings, this.#dialect)} from ${sql.table(this.#table)} where owner_id = ${new Param('owner')} order by position`;
    });
    const rows = await session.all(statement.sql, bind(statement, { owner }));
    return rows.map((row) => {
      const item = decodeRow(row, this.#bindings, this.#dialect);
      return this.field.kind === 'references' ? (item['target'] ?? null) : item;
    });
  }

  async replace(session: Session, owner: string, createdAt: string, value: Value | undefined): Promise<void> {
    await this.removeAll(session, owner);
    await this.insert(session, owner, createdAt, value);
  }

  /** Stores the items in few statements: at most a hundred rows each, and then in powers of two, so that texts stay few. */
  async insert(session: Session, owner: string, createdAt: string, value: Value | undefined): Promise<void> {
    const items = Array.isArray(value) ? (value as Value[]) : [];
    let position = 0;
    while (position < items.length) {
      const count = Math.min(64, 2 ** Math.floor(Math.log2(items.length - position)));
      await this.#insertRows(session, owner, createdAt, items.slice(position, position + count), position);
      position += count;
    }
  }

  async #insertRows(
    session: Session,
    owner: string,
    createdAt: string,
    items: readonly Value[],
    first: number,
  ): Promise<void> {
    const columns = ['owner_id', 'position', ...this.#bindings.map(({ column }) => column), 'created_at'];
    const statement = this.#keep(`insert:${items.length}`, () =>
      builderFor(this.#dialect)
        .insertInto(this.#table)
        .values(
          items.map((_item, row) =>
            Object.fromEntries(
              columns.map((column) => [
                column,
                new Param(column === 'owner_id' || column === 'created_at' ? column : `${column}#${row}`),
              ]),
            ),
          ),
        ),
    );
    const bound: Record<string, Bound> = {
      owner_id: owner,
      created_at: encode(createdAt, { kind: 'dateTime' }, this.#dialect),
    };
    for (const [row, item] of items.entries()) {
      const values: Values = this.field.kind === 'references' ? { target: item } : (item as Values);
      bound[`position#${row}`] = first + row;
      for (const binding of this.#bindings) bound[`${binding.column}#${row}`] = binding.bound(values);
    }
    await session.run(statement.sql, bind(statement, bound));
  }

  async removeAll(session: Session, owner: string): Promise<void> {
    const statement = this.#keep('removeAll', () =>
      builderFor(this.#dialect).deleteFrom(this.#table).where('owner_id', '=', new Param('owner')),
    );
    await session.run(statement.sql, bind(statement, { owner }));
  }

  /** Column of an item field, or of the link. */
  #columnOf(key: string): string {
    return this.field.kind === 'references'
      ? 'target_id'
      : (this.#bindings.find((binding) => binding.key === key)?.column ?? '');
  }

  /** Ids of the records whose list holds an id. */
  async holders(session: Session, key: string, target: string): Promise<string[]> {
    const statement = this.#keep(
      `holders:${key}`,
      () =>
        sql`select distinct owner_id from ${sql.table(this.#table)} where ${sql.ref(this.#columnOf(key))} = ${new Param('target')}`,
    );
    const rows = await session.all(statement.sql, bind(statement, { target }));
    return rows.map(([owner]) => String(owner));
  }

  /** Takes an id out of every list that holds it. Places left free do no harm: only their order counts. */
  async removeTarget(session: Session, key: string, target: string): Promise<void> {
    const statement = this.#keep(`removeTarget:${key}`, () =>
      builderFor(this.#dialect).deleteFrom(this.#table).where(this.#columnOf(key), '=', new Param('target')),
    );
    await session.run(statement.sql, bind(statement, { target }));
  }

  /** Whether any list holds an id, or that of the record `owner` does. */
  async isHeld(session: Session, key: string, target: string, owner?: string): Promise<boolean> {
    const statement = this.#keep(`isHeld:${key}:${owner === undefined}`, () => {
      const ofOwner = owner === undefined ? sql`` : sql` and owner_id = ${new Param('owner')}`;
      return sql`select 1 from ${sql.table(this.#table)} where ${sql.ref(this.#columnOf(key))} = ${new Param('target')}${ofOwner} limit 1`;
    });
    return (await session.all(statement.sql, bind(statement, { target, owner: owner ?? '' }))).length > 0;
  }

  /** The items that hold an id, each with the id of its record; in the order of records, and of the list. */
  async itemsWith(
    session: Session,
    key: string,
    target: string,
  ): Promise<{ readonly owner: string; readonly item: Values }[]> {
    const statement = this.#keep(
      `itemsWith:${key}`,
      () =>
        sql`select ${selected(this.#bindings, this.#dialect)}, owner_id from ${sql.table(this.#table)} where ${sql.ref(this.#columnOf(key))} = ${new Param('target')} order by owner_id, position`,
    );
    const rows = await session.all(statement.sql, bind(statement, { target }));
    return rows.map((row) => ({
      owner: String(row[this.#bindings.length]),
      item: decodeRow(row, this.#bindings, this.#dialect),
    }));
  }
}
