// Statements that read one record, and the lists of a page. Each is compiled at first use and cached.
import { sql } from 'kysely';
import { compile, type Statement } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { LruCache } from '../schema/lru-cache.ts';
import { and, limitTo, param, type Sql, words } from '../schema/sql.ts';
import { seenSql } from '../sight/sight.ts';
import { CountQueries } from './count-sql.ts';
import { cellsSql, joinsSql } from './filter-sql.ts';
import { PageQueries } from './page-sql.ts';
import { SortedQueries } from './sorted-sql.ts';
import type { ListView, View } from './view.ts';

/** The statements that read one group. */
export class Queries {
  readonly view: View;
  readonly pages: PageQueries;
  readonly sorted: SortedQueries;
  readonly counts: CountQueries;
  readonly #dialect: Dialect;
  readonly #kept: LruCache<Statement>;
  #get: Statement | undefined;

  /** @param kept Shared with other groups. */
  constructor(view: View, dialect: Dialect, kept: LruCache<Statement>) {
    this.view = view;
    this.pages = new PageQueries(view, dialect, kept);
    this.sorted = new SortedQueries(view, dialect, kept);
    this.counts = new CountQueries(view, dialect, kept);
    this.#dialect = dialect;
    this.#kept = kept;
  }

  /** One record by `id`, and behind its cells its version; of a singleton, the one. */
  get(): Statement {
    this.#get ??= compile(this.#getSql(), this.#dialect);
    return this.#get;
  }

  #getSql(): Sql {
    const { resource, cells, table, joins, sight } = this.view;
    const conditions = [
      ...(resource.singleton ? [] : [sql`t.id = ${param('id')}`]),
      ...(sight?.records === undefined ? [] : [sight.records]),
    ];
    const where = conditions.length === 0 ? words('') : sql`where ${and(conditions)}`;
    return sql`select ${cellsSql(cells, this.#dialect)}, t.version from ${sql.table(table)} as t ${joinsSql(joins)} ${where} limit 1`;
  }

  /** Which of some records, by `id0`, `id1`…, others may refer to. */
  visible(count: number): Statement {
    return this.#kept.get(`visible ${this.view.key} ${count}`, () => {
      const { table, resource, sight } = this.view;
      const ids = sql.join(Array.from({ length: count }, (_value, place) => param(`id${place}`)));
      const seen = sight && seenSql(sight.sight.visible({ resource, alias: 't' }));
      const conditions = [sql`t.id in (${ids})`, ...(seen === undefined ? [] : [seen])];
      return compile(sql`select t.id from ${sql.table(table)} as t where ${and(conditions)}`, this.#dialect);
    });
  }

  /** Of some records, by `id0`, `id1`…, those that are seen and show these fields, each with whether its name is shown. */
  sources(count: number, names: readonly string[]): Statement {
    return this.#kept.get(`sources ${this.view.key} ${count} ${names.join()}`, () => {
      const { table, resource, sight } = this.view;
      const rows = { resource, alias: 't' };
      const ids = sql.join(Array.from({ length: count }, (_value, place) => param(`id${place}`)));
      const parts =
        sight === undefined
          ? []
          : [sight.sight.visible(rows), ...names.map((name) => sight.sight.visibleField(rows, name))];
      const named = seenSql(sight?.sight.named(rows) ?? true) ?? words('1 = 1');
      const conditions = [sql`t.id in (${ids})`, ...parts.flatMap((part) => seenSql(part) ?? [])];
      const cells = sql`t.id, case when ${named} then 1 else 0 end`;
      return compile(sql`select ${cells} from ${sql.table(table)} as t where ${and(conditions)}`, this.#dialect);
    });
  }

  /**
   * Rows of a list for `count` records, by `owner0`, `owner1`…; grouped by owner, in the order of the list.
   * @param isLimited At most `limit` of them. Not by itself: on SQLite it makes each row a third dearer.
   */
  list(list: ListView, count: number, isLimited: boolean): Statement {
    const key = `list ${this.view.key} ${list.table}.${list.field.key}:${count}:${isLimited}`;
    return this.#kept.get(key, () => compile(this.#listSql(list, count, isLimited), this.#dialect));
  }

  #listSql(list: ListView, count: number, isLimited: boolean): Sql {
    const owner = sql.ref(`${list.alias}.${list.ownerColumn}`);
    const owners = sql.join(Array.from({ length: count }, (_value, place) => param(`owner${place}`)));
    const order = sql.join([owner, ...list.order.map((column) => sql.ref(`${list.alias}.${column}`))]);
    // The links go first: left to itself, MySQL's optimizer at times begins with the other group.
    const first = words(this.#dialect.selectInOrder);
    const seen = list.seen === undefined ? words('') : sql`and ${list.seen}`;
    return sql`${first} ${cellsSql(list.cells, this.#dialect)} from ${sql.table(list.table)} as ${sql.ref(list.alias)} ${joinsSql(list.joins)} where ${owner} in (${owners}) ${seen} order by ${order} ${isLimited ? limitTo('limit') : words('')}`;
  }
}

/** Lengths of id lists are rounded up, so that the number of prepared statements stays small. */
export function paddedCount(count: number): number {
  if (count <= 16) return count;
  return count <= 100 ? Math.ceil(count / 10) * 10 : Math.ceil(count / 100) * 100;
}
