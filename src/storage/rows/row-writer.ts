// Writes records: inserts, updates and deletes of rows. Statements are built with Kysely at first use and cached by shape.
import { sql } from 'kysely';
import type { Resource, Values } from '../../registry/model/model.ts';
import type { Bound } from '../schema/cells.ts';
import { bind, compile, type Statement } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import { LruCache } from '../schema/lru-cache.ts';
import type { BoundStatement, Session } from '../schema/session.ts';
import type { Sql } from '../schema/sql.ts';
import { Param } from '../schema/sql.ts';
import { listTablesOf, tableName } from '../schema/tables.ts';
import type { RowGrant } from '../sight/update-grant.ts';
import type { Binding } from './bindings.ts';
import { idParts } from './id-parts.ts';
import { ListWriter } from './list-writer.ts';
import { rowBindings } from './row-columns.ts';
import { compileEncoder, type RowEncoder } from './row-encoder.ts';
import { numberAtRevision } from './schema-revision.ts';

/** A change of one record's row, read before or not. */
interface RowChange {
  readonly id: string;
  readonly values: Readonly<Values>;
  /** Those that are stored; keys of lists are passed over. */
  readonly keys: readonly string[];
  /** Whether nobody has read the row before: one that has these values already stays as it is. */
  readonly isUnseen: boolean;
  /** Key of the time of change, by which an unseen row is no other. */
  readonly modified?: string | undefined;
  /** Whether the record becomes another version of itself. */
  readonly isNewVersion: boolean;
  /** Condition under which the row is changed. */
  readonly grant?: RowGrant | undefined;
}

/** What a change of the same columns is each time; without a statement where it changes nothing. */
interface RowUpdate {
  readonly statement: Statement | undefined;
  readonly changed: readonly Binding[];
}

/** Parts of an update of one row. */
interface UpdateParts {
  readonly compared: readonly Binding[];
  /** Added to the version; undefined if the version stays. */
  readonly raise: Sql | undefined;
  readonly grant: Sql | undefined;
}

/** Rows that one statement may insert: few numbers, because each is a statement that is kept. */
const rowsAtOnce = [100, 10, 1];

/** Numbers of records that one statement may give values of their own. */
const eachSizes = [250, 50, 10];
export const [mostEach = 0] = eachSizes;
/** For fewer it is not worth it. */
export const fewestEach = 5;
/** The parameter that holds the revision of the schema; no column has this name. */
const revisionParam = 'praxis revision';
/** Of values in one statement. */
const mostPlaces = 16_000;

/** Writes the rows of one group. Statements of one call are all asked for before the first is answered. */
export class RowWriter {
  readonly #table: string;
  readonly #dialect: Dialect;
  readonly #bindings: readonly Binding[];
  readonly #lists: ReadonlyMap<string, ListWriter>;
  readonly #kept: LruCache<Statement>;
  readonly #encode: RowEncoder;
  /** By what changes, and how. */
  readonly #updates = new LruCache<RowUpdate>(64);

  /** @param kept Shared with other groups. */
  constructor(resource: Resource, dialect: Dialect, kept: LruCache<Statement>) {
    this.#table = tableName(resource.name);
    this.#dialect = dialect;
    this.#kept = kept;
    this.#bindings = rowBindings(resource, dialect);
    this.#encode = compileEncoder(this.#bindings, dialect);
    this.#lists = new Map(listTablesOf(resource).map((list) => [list.field.key, new ListWriter(list, dialect, kept)]));
  }

  #keep(key: string, make: () => Parameters<typeof compile>[0]): Statement {
    return this.#kept.get(`row ${this.#table} ${key}`, () => compile(make(), this.#dialect));
  }

  /** The rows of a list, by its key or by those of the lists that it stands in; undefined for a field without rows of its own. */
  listOf(key: string, ...inside: readonly string[]): ListWriter | undefined {
    return inside.reduce((list, next) => list?.inner.get(next), this.#lists.get(key));
  }

  /** The columns of a row, in the order of the values of an insertion. */
  get columns(): readonly string[] {
    return this.#bindings.map(({ column }) => column);
  }

  /** What is bound for these. */
  rowOf(values: Readonly<Values>): readonly Bound[] {
    return this.#encode(values);
  }

  /** What stores the row of a new record, without its lists. @param revision See `Session.schemaRevision` */
  insertion(values: Readonly<Values>, revision: number | undefined): BoundStatement {
    if (revision === undefined)
      return { sql: this.#keep('insert:1', () => this.#insertSql(1)).sql, values: this.#encode(values) };
    const { sql: text } = this.#keep('insert:guarded', () => this.#insertSql(1, this.#number(0, revision)));
    return { sql: text, values: [...this.#encode(values), revision] };
  }

  /** A version as SQL, which fails its statement on a database that is ahead. */
  #number(number: 0 | 1, revision: number | undefined): Sql {
    return revision === undefined
      ? sql.raw(String(number))
      : numberAtRevision(number, sql`${new Param(revisionParam)}`, this.#dialect);
  }

  /** Stores a new record with its lists. */
  async insert(session: Session, values: Readonly<Values>): Promise<void> {
    const { sql: text, values: bound } = this.insertion(values, session.schemaRevision);
    const owner = { id: String(values['id']), createdAt: String(values['createdAt']) };
    const row = session.run(text, bound);
    const lists = [...this.#lists].map(([key, list]) => list.insert(session, owner, values[key]));
    await (lists.length === 0 ? row : Promise.all([row, ...lists]));
  }

  /** Has a record that was just stored go on with a version. */
  async setVersion(session: Session, id: string, version: number): Promise<void> {
    const text = `update ${this.#dialect.quote(this.#table)} set version = ? where id = ?`;
    await session.run(text, [version, id]);
  }

  /** Stores new records whose lists are empty, many in one statement. */
  async insertMany(session: Session, records: readonly Readonly<Values>[]): Promise<void> {
    const asked: Promise<number>[] = [];
    for (let start = 0; start < records.length; ) {
      const left = records.length - start;
      const count = rowsAtOnce.find((each) => each <= left) ?? 1;
      const statement = this.#keep(`insert:${count}`, () => this.#insertSql(count));
      const bound: Bound[] = [];
      for (const values of records.slice(start, start + count)) bound.push(...this.#encode(values));
      asked.push(session.run(statement.sql, bound));
      start += count;
    }
    await Promise.all(asked);
  }

  /** So many rows, whose values stand in the order of the bindings. */
  #insertSql(count: number, version: Sql = this.#number(0, undefined)) {
    const columns = this.#bindings.map(({ column }) => column);
    const row = sql`(${sql.join(columns.map((column) => new Param(column)))}, ${version}, 0)`;
    const names = sql.join([...columns, 'version', 'guard'].map((column) => sql.ref(column)));
    return sql`insert into ${sql.table(this.#table)} (${names}) values ${sql.join(Array.from({ length: count }, () => row))}`;
  }

  /** Stores what changes in one record, without its lists. @returns how many records had the id, and of unseen ones other values. */
  async update(session: Session, change: RowChange): Promise<number> {
    const update = this.updateOf(change, session.schemaRevision);
    // Figures that are lists change nothing of the row.
    return update === undefined ? 1 : session.run(update.sql, update.values);
  }

  /** The statement of `update`; undefined where nothing of the row changes. @param revision See `Session.schemaRevision` */
  updateOf(
    { id, values, keys, modified, isUnseen, isNewVersion, grant }: RowChange,
    revision: number | undefined,
  ): BoundStatement | undefined {
    const kind = `${isUnseen}:${isNewVersion}:${revision !== undefined}:${grant?.key ?? ''}`;
    const name = `update:${kind}:${keys.join()}:${modified ?? ''}`;
    const { statement, changed } = this.#updates.get(name, () => {
      const bindings = this.#bindings.filter(({ key }) => keys.includes(key));
      const compared = isUnseen ? bindings.filter(({ key }) => key !== modified) : [];
      const raise = isNewVersion ? this.#number(1, revision) : undefined;
      const make = () => this.#updateSql(bindings, { compared, raise, grant: grant?.sql });
      const isNothing = bindings.length === 0 && !isNewVersion;
      return { statement: isNothing ? undefined : this.#keep(name, make), changed: bindings };
    });
    if (statement === undefined) return undefined;
    const bound: Record<string, Bound> = { ...grant?.values, id };
    if (revision !== undefined) bound[revisionParam] = revision;
    for (const binding of changed) bound[binding.column] = binding.bound(values);
    return { sql: statement.sql, values: bind(statement, bound) };
  }

  /** Returns a select of one row if the record fulfils a condition. */
  grantCheck({ id, grant }: { readonly id: string; readonly grant: RowGrant }): BoundStatement {
    const statement = this.#keep(
      `grant:${grant.key}`,
      () => sql`select 1 from ${sql.table(this.#table)} as t where t.id = ${new Param('id')} and ${grant.sql}`,
    );
    return { sql: statement.sql, values: bind(statement, { ...grant.values, id }) };
  }

  #updateSql(changed: readonly Binding[], { compared, raise, grant }: UpdateParts): Sql {
    const set = changed.map(({ column }) => sql`${sql.ref(column)} = ${new Param(column)}`);
    if (raise !== undefined) set.push(sql`version = version + ${raise}`);
    const [alias, granted] = grant === undefined ? [sql``, sql``] : [sql` as t`, sql` and ${grant}`];
    return sql`update ${sql.table(this.#table)}${alias} set ${sql.join(set)} where id = ${new Param('id')}${this.#isOther(compared)}${granted}`;
  }

  /** ` and not (…)`: that one of these columns has another value. */
  #isOther(columns: readonly Binding[]): Sql {
    if (columns.length === 0) return sql``;
    const same = sql.raw(this.#dialect.nullSafeEqual);
    const isSame = columns.map(({ column }) => sql`${sql.ref(column)} ${same} ${new Param(column)}`);
    return sql` and not (${sql.join(isSame, sql` and `)})`;
  }

  /** Stores the same values in many records; no lists. */
  async updateMany(
    session: Session,
    ids: readonly string[],
    { values, isNewVersion }: Pick<RowChange, 'values' | 'isNewVersion'>,
  ): Promise<void> {
    const changed = this.#bindings.filter(({ key }) => Object.hasOwn(values, key));
    const bound = Object.fromEntries(changed.map((binding) => [binding.column, binding.bound(values)]));
    const parts = idParts(ids).map(({ count, places, values: named }) => {
      const statement = this.#keep(`updateMany:${isNewVersion}:${Object.keys(values).join()}:${count}`, () => {
        const set = changed.map(({ column }) => sql`${sql.ref(column)} = ${new Param(column)}`);
        return sql`update ${sql.table(this.#table)} set ${sql.join(isNewVersion ? [...set, sql`version = version + 1`] : set)} where id in (${places()})`;
      });
      return session.run(statement.sql, bind(statement, { ...bound, ...named }));
    });
    await Promise.all(parts);
  }

  /** Stores values of their own in the same columns of many records, which differ; no lists. */
  async updateEach(
    session: Session,
    records: readonly Readonly<Values>[],
    { keys, isNewVersion }: Pick<RowChange, 'keys' | 'isNewVersion'>,
  ): Promise<void> {
    const changed = this.#bindings.filter(({ key }) => keys.includes(key));
    const size = eachSizes.find((most) => most * (2 * changed.length + 1) <= mostPlaces) ?? fewestEach;
    const asked: Promise<number>[] = [];
    for (let start = 0; start < records.length; start += size) {
      const part = records.slice(start, start + size);
      // Places without a record of their own hold the first one again.
      const count = eachSizes.findLast((most) => most >= part.length) ?? size;
      const statement = this.#keep(`updateEach:${isNewVersion}:${keys.join()}:${count}`, () =>
        this.#updateEachSql(changed, { count, isNewVersion }),
      );
      const padded = Array.from({ length: count }, (_none, place) => part[place] ?? part[0] ?? {});
      const bound: Bound[] = changed.flatMap((binding) =>
        padded.flatMap((record) => [String(record['id']), binding.bound(record)]),
      );
      asked.push(session.run(statement.sql, [...bound, ...padded.map(({ id }) => String(id))]));
    }
    await Promise.all(asked);
  }

  /** Its values stand column by column, each behind the id of its record; the ids of all stand last. */
  #updateEachSql(changed: readonly Binding[], { count, isNewVersion }: { count: number; isNewVersion: boolean }): Sql {
    const id = new Param('id');
    const places = <T>(make: () => T): T[] => Array.from({ length: count }, make);
    const set = changed.map(({ column }) => {
      const values = sql.join(
        places(() => sql`when ${id} then ${new Param(column)}`),
        sql` `,
      );
      return sql`${sql.ref(column)} = case id ${values} end`;
    });
    if (isNewVersion) set.push(sql`version = version + 1`);
    return sql`update ${sql.table(this.#table)} set ${sql.join(set)} where id in (${sql.join(places(() => sql`${id}`))})`;
  }

  /** Removes records, none of which names another, and the rows of their lists. */
  async remove(session: Session, ids: readonly string[]): Promise<void> {
    const lists = [...this.#lists.values()].map((list) => list.removeAll(session, ids));
    const parts = idParts(ids).map(({ count, places, values }) => {
      const statement = this.#keep(
        `remove:${count}`,
        () => sql`delete from ${sql.table(this.#table)} where id in (${places()})`,
      );
      return session.run(statement.sql, bind(statement, values));
    });
    await Promise.all([...lists, ...parts]);
  }

  /** Raises the counters of rows, so that others that guard them wait, or conflict. An empty id: of a single record. */
  async guard(session: Session, ids: readonly string[]): Promise<void> {
    if (ids.includes('')) {
      const all = this.#keep('guard', () => sql`update ${sql.table(this.#table)} set guard = guard + 1`);
      await session.run(all.sql, []);
      return;
    }
    const parts = idParts(ids).map(({ count, places, values }) => {
      const statement = this.#keep(
        `guard:${count}`,
        () => sql`update ${sql.table(this.#table)} set guard = guard + 1 where id in (${places()})`,
      );
      return session.run(statement.sql, bind(statement, values));
    });
    await (parts.length === 1 ? parts[0] : Promise.all(parts));
  }
}
