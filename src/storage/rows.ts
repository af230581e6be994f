// Records of the engine ↔ rows of the tables: what a write reads under lock, and what it stores. Statements are built
// with Kysely when they are first needed, and kept by what they change.
import { sql } from 'kysely';
import type { Field, ObjectsField, ReferencesField, Resource, Value, Values } from '../registry/model.ts';
import { fold, keyHash } from '../values/fold.ts';
import { type ColumnType, columnTypeOf, decode, encode, isReadAsText } from './columns.ts';
import { bind, builderFor, compile, Param, type Statement } from './compiler.ts';
import { paddedCount } from './query.ts';
import type { Bound, DialectName, Row, Session } from './session.ts';
import { columnsOf, foldedColumn, hashedFields, isFolded, keyColumn, listTableName, tableName } from './tables.ts';

/** A column of a record, and how its value is found in, or put into, the record. */
interface Binding {
  readonly column: string;
  /** Key of the field that the column belongs to. */
  readonly key: string;
  readonly type: ColumnType;
  /** What is bound for the column. */
  readonly bound: (values: Readonly<Values>) => Bound;
  /** Puts a cell back; absent for columns made from others. */
  readonly put: ((values: Values, value: Value) => void) | undefined;
}

const id: ColumnType = { kind: 'id' };

function fieldBindings(field: Field, hashed: ReadonlySet<Field>, dialect: DialectName): Binding[] {
  const { key, column } = field;
  if (columnsOf(field).length === 0) return [];
  const plain = (
    type: ColumnType,
    read: (values: Readonly<Values>) => Value | undefined = (values) => values[key],
  ): Binding => ({
    column,
    key,
    type,
    bound: (values) => encode(read(values), type, dialect),
    put: (values, value) => {
      values[key] = value;
    },
  });
  switch (field.kind) {
    case 'reference':
      return [plain(id)];
    case 'list': {
      const scalar = columnTypeOf(field.item);
      return [
        {
          ...plain({ kind: 'json' }, (values) => listText(values[key], scalar)),
          put: (values, value) => Object.assign(values, { [key]: listValue(value, scalar) }),
        },
      ];
    }
    case 'object':
      return objectBindings(field.fields, key, column, dialect);
    case 'references':
    case 'objects':
      return [];
    default: {
      const bindings = [plain(columnTypeOf(field))];
      const made = (name: string, type: ColumnType, make: (text: string) => Bound): Binding => ({
        column: name,
        key,
        type,
        bound: (values) => (typeof values[key] === 'string' ? make(values[key]) : null),
        put: undefined,
      });
      if (isFolded(field)) {
        const type: ColumnType = { kind: 'folded', length: field.maxLength };
        bindings.push(made(foldedColumn(column), type, (text) => encode(fold(text), type, dialect)));
      }
      if (hashed.has(field)) bindings.push(made(keyColumn(column), { kind: 'key' }, keyHash));
      return bindings;
    }
  }
}

/** The columns of an object: whether there is one, and its fields. */
function objectBindings(fields: readonly Field[], key: string, column: string, dialect: DialectName): Binding[] {
  const objectOf = (values: Readonly<Values>): Values | undefined => {
    const value = values[key];
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined;
  };
  const presence: Binding = {
    column,
    key,
    type: { kind: 'boolean' },
    bound: (values) => (objectOf(values) === undefined ? 0 : 1),
    put: (values, value) => {
      values[key] = value === true ? {} : null;
    },
  };
  const inside = fields.flatMap((field) =>
    fieldBindings(field, new Set(), dialect).map((binding): Binding => {
      const put = binding.put;
      return {
        ...binding,
        key,
        bound: (values) => binding.bound(objectOf(values) ?? {}),
        put:
          put &&
          ((values, value) => {
            const object = objectOf(values);
            if (object !== undefined) put(object, value);
          }),
      };
    }),
  );
  return [presence, ...inside];
}

/** JSON of a list of plain values; decimals are text in the engine and numbers in JSON. */
function listText(value: Value | undefined, scalar: ColumnType): string {
  if (!Array.isArray(value)) return '[]';
  return scalar.kind === 'decimal' ? `[${value.join(',')}]` : JSON.stringify(value);
}

function listValue(value: Value, scalar: ColumnType): Value {
  const items = JSON.parse(String(value ?? '[]')) as Value[];
  return scalar.kind === 'decimal' ? items.map(String) : items;
}

/** Reads and writes the rows of one group. */
export class RowStore {
  readonly resource: Resource;
  readonly table: string;
  readonly #dialect: DialectName;
  readonly #bindings: readonly Binding[];
  readonly #readable: readonly Binding[];
  readonly #lists: readonly ListStore[];
  readonly #statements = new Map<string, Statement>();
  readonly #byColumn: ReadonlyMap<string, Binding>;

  constructor(resource: Resource, dialect: DialectName) {
    this.resource = resource;
    this.table = tableName(resource.name);
    this.#dialect = dialect;
    const hashed = hashedFields(resource);
    this.#bindings = resource.fields.flatMap((field) => fieldBindings(field, hashed, dialect));
    this.#readable = this.#bindings.filter(({ put }) => put !== undefined);
    this.#byColumn = new Map(this.#bindings.map((binding) => [binding.column, binding]));
    this.#lists = resource.fields.filter(isList).map((field) => new ListStore(resource, field, dialect));
  }

  /** Bound value of one of the group's columns: what a row would hold. @returns undefined for other columns. */
  cellOf(column: string, values: Readonly<Values>): Bound | undefined {
    return this.#byColumn.get(column)?.bound(values);
  }

  #keep(key: string, make: () => Parameters<typeof compile>[0]): Statement {
    const known = this.#statements.get(key);
    if (known !== undefined) return known;
    const statement = compile(make(), this.#dialect);
    // Sets of columns are chosen by callers: keep the usual ones, and do not grow without end.
    if (this.#statements.size >= 512) this.#statements.delete(this.#statements.keys().next().value ?? '');
    this.#statements.set(key, statement);
    return statement;
  }

  #selected() {
    return sql.join(
      this.#readable.map(({ column, type }) =>
        isReadAsText(type, this.#dialect) ? sql`cast(${sql.ref(column)} as text)` : sql.ref(column),
      ),
    );
  }

  #decode(row: Row): Values {
    const values: Values = {};
    for (const [place, { type, put }] of this.#readable.entries())
      put?.(values, decode(row[place], type, this.#dialect));
    return values;
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
      return sql`select ${this.#selected()} from ${sql.table(this.table)} ${where} limit 1 ${sql.raw(locks ? 'for update' : '')}`;
    });
    const [row] = await session.all(statement.sql, bind(statement, { id: recordId }));
    if (row === undefined) return undefined;
    const values = this.#decode(row);
    if (options.lists !== false)
      for (const list of this.#lists) values[list.field.key] = await list.read(session, String(values['id']));
    return values;
  }

  /** Records whose fields equal `where` (by key; texts of unique keys as those compare), oldest first, without lists. */
  async list(session: Session, where: Readonly<Values>, limit?: number): Promise<Values[]> {
    const keys = Object.keys(where).sort();
    const statement = this.#keep(
      `list:${keys.map((key) => `${key}${where[key] === null ? '-' : ''}`).join()}:${limit ?? ''}`,
      () => {
        const end = limit === undefined ? '' : `limit ${limit}`;
        return sql`select ${this.#selected()} from ${sql.table(this.table)} where ${this.#equals(keys, where)} order by created_at, id ${sql.raw(end)}`;
      },
    );
    const rows = await session.all(statement.sql, bind(statement, this.#whereValues(keys, where)));
    return rows.map((row) => this.#decode(row));
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
    for (let start = 0; start < ids.length; start += 1000) {
      const part = ids.slice(start, start + 1000);
      const padded = paddedCount(part.length);
      const statement = this.#keep(`existing:${padded}`, () => {
        const places = sql.join(Array.from({ length: padded }, (_value, place) => sql`${new Param(`id${place}`)}`));
        return sql`select id from ${sql.table(this.table)} where id in (${places})`;
      });
      const values = Object.fromEntries(
        Array.from({ length: padded }, (_value, place) => [`id${place}`, part[place] ?? part[0] ?? '']),
      );
      for (const [cell] of await session.all(statement.sql, bind(statement, values))) found.add(String(cell));
    }
    return found;
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
      await list.insert(session, String(values['id']), String(values['createdAt']), values[list.field.key]);
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
      if (keys.includes(list.field.key))
        await list.replace(session, recordId, String(values['createdAt']), values[list.field.key]);
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

  /** Raises the counter of a row, so that others that guard it wait, or conflict. */
  async guard(session: Session, recordId: string): Promise<void> {
    const statement = this.#keep(
      'guard',
      () => sql`update ${sql.table(this.table)} set guard = guard + 1 where id = ${new Param('id')}`,
    );
    await session.run(statement.sql, bind(statement, { id: recordId }));
  }

  listOf(field: Field): ListStore | undefined {
    return this.#lists.find((list) => list.field === field);
  }
}

const isList = (field: Field): field is ObjectsField | ReferencesField =>
  (field.kind === 'objects' || field.kind === 'references') && field.stored;

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
              type: id,
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
      const cells = this.#bindings.map(({ column, type }) =>
        isReadAsText(type, this.#dialect) ? sql`cast(${sql.ref(column)} as text)` : sql.ref(column),
      );
      return sql`select ${sql.join(cells)} from ${sql.table(this.#table)} where owner_id = ${new Param('owner')} order by position`;
    });
    const rows = await session.all(statement.sql, bind(statement, { owner }));
    return rows.map((row) => {
      const item: Values = {};
      for (const [place, { type, put }] of this.#bindings.entries())
        put?.(item, decode(row[place], type, this.#dialect));
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

  /** Whether any list holds an id. */
  async isHeld(session: Session, key: string, target: string): Promise<boolean> {
    const statement = this.#keep(
      `isHeld:${key}`,
      () =>
        sql`select 1 from ${sql.table(this.#table)} where ${sql.ref(this.#columnOf(key))} = ${new Param('target')} limit 1`,
    );
    return (await session.all(statement.sql, bind(statement, { target }))).length > 0;
  }
}
