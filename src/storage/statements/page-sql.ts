// Plan → the statements that find a page: the one that reads it along an index, or the steps of the ways that race for it.
// Values are bound, never spliced, and how far a step goes is one of them, so that the texts stay few.
import { sql } from 'kysely';
import type { FilterParameter } from '../../endpoints/routes/endpoint.ts';
import { isReadAsText } from '../schema/columns.ts';
import { compile, type Statement } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import { LruCache } from '../schema/lru-cache.ts';
import { and, limitTo, param, type Sql, words } from '../schema/sql.ts';
import {
  boundsSql,
  cellsSql,
  conditionsSql,
  isAtEnd,
  isBackwards,
  joinsSql,
  keyset,
  ofSight,
  type Start,
} from './filter-sql.ts';
import { type Holder, type Plan, planPage, type SeenWays, type Span, together, type Walk } from './plan.ts';
import type { View } from './view.ts';

/** Plans kept for a group: sets of filters are chosen by callers, so that they must not grow without end. */
const planLimit = 256;
/** Of how many days one statement finds the first records, and of how many it reads them. */
export const headsAtOnce = 64;
export const daysAtOnce = 8;

/** The statements that find pages of one group. Values: those of the filters, and those that each names. */
export class PageQueries {
  readonly #view: View;
  readonly #dialect: Dialect;
  readonly #plans = new LruCache<Plan>(planLimit);
  readonly #statements: LruCache<Statement>;

  /** @param kept Shared with other groups. */
  constructor(view: View, dialect: Dialect, kept: LruCache<Statement>) {
    this.#view = view;
    this.#dialect = dialect;
    this.#statements = kept;
  }

  /** How a page is found. The same set of filters has the same plan. */
  plan(filters: readonly FilterParameter[]): Plan {
    return this.#plans.get(namesOf(filters), () => planPage(this.#view, filters));
  }

  /** What is read first of all that the caller sees: ids, more of them than are ways. Undefined where nothing is. */
  first(): Statement | undefined {
    const parts = (this.#view.sight?.ways?.ways ?? []).filter(({ isReadFirst }) => isReadFirst);
    if (parts.length === 0) return undefined;
    return this.#keep('first', [], () => {
      const all = sql.join(
        parts.map(({ value }) => value),
        words(' union '),
      );
      return sql`${all} ${limitTo('limit')}`;
    });
  }

  /** A page along one index. Values: `limit`, and `cursorTime`, `cursorId` where it begins at a place. */
  direct({ filters }: Plan, walk: Walk, start: Start): Statement {
    return this.#keep(`direct ${start}`, filters, () => {
      const { holder, filter, seen } = walk;
      if (seen !== undefined) return this.#directSeen(seen, start);
      const [from, created, id] =
        holder === undefined
          ? [this.#along(walk.index), ...place('t')]
          : [this.#fromList(walk.index, holder), sql.ref('f.created_at'), sql.ref('f.owner_id')];
      const conditions = [
        ...(holder === undefined || filter === undefined ? [] : [heldBy(holder, filter)]),
        ...this.#conditions(filters.filter((each) => holder === undefined || each !== filter)),
        ...keyset(start, [created, id], this.#view.table),
      ];
      const direction = directionOf(start);
      return sql`select ${this.#cells()} from ${from} ${this.#joins()} where ${and(conditions)} order by ${created} ${direction}, ${id} ${direction} ${limitTo('limit')}`;
    });
  }

  /** The first of all ways to what the caller sees, where each of their records is seen. */
  #directSeen(seen: SeenWays, start: Start): Sql {
    const direction = directionOf(start);
    const inOrder = (alias: string): Sql =>
      sql`${sql.ref(`${alias}.created_at`)} ${direction}, ${sql.ref(`${alias}.id`)} ${direction}`;
    const found = this.#alongSeen(seen, { start, most: 'limit', cells: sql`t.id, t.created_at`, joins: words('') });
    const first = sql`select z.id, z.created_at from (${found}) as z order by ${inOrder('z')} ${limitTo('limit')}`;
    return sql`select ${this.#cells()} from (${first}) as y ${this.#thenJoin()} ${sql.table(this.#view.table)} as t on t.id = y.id ${this.#joins()} order by ${inOrder('y')}`;
  }

  /** The next so many entries of each way, together. */
  #alongSeen(
    { ways, areApart }: SeenWays,
    {
      start,
      most,
      cells,
      joins,
    }: { readonly start: Start; readonly most: string; readonly cells: Sql; readonly joins: Sql },
  ): Sql {
    const direction = directionOf(start);
    const [created, id] = place('t');
    const rows = ways.map(({ column, index, value }) => {
      const from = index === undefined ? sql`${sql.table(this.#view.table)} as t` : this.#along(index);
      const conditions = [sql`${sql.ref(`t.${column}`)} = ${value}`, ...keyset(start, [created, id], this.#view.table)];
      return sql`select ${cells} from ${from} ${joins} where ${and(conditions)} order by ${created} ${direction}, ${id} ${direction} ${limitTo(most)}`;
    });
    const [only] = rows;
    if (rows.length === 1 && only !== undefined) return only;
    return sql.join(
      rows.map((each, n) => this.#part(each, n)),
      words(together(areApart)),
    );
  }

  /**
   * A step of a walk: the records among the next so many entries of its index that pass all filters, as rows of the page
   * with three cells more: createdAt, whether it passes, and its number among the entries. The last entry comes in any
   * case, so that the walk can go on behind it. Values: `entries` (as a limit), `last` (the same number), `limit`.
   */
  walk({ filters }: Plan, walk: Walk, start: Start): Statement {
    const along = walk.seen === undefined ? walk.index : `seen ${walk.seen.ways.length}`;
    return this.#keep(`walk ${along} ${start}`, filters, () => {
      const direction = directionOf(start);
      const inOrder = (alias: string): Sql =>
        sql`${sql.ref(`${alias}.created_at`)} ${direction}, ${sql.ref(`${alias}.id`)} ${direction}`;
      const entries = this.#entries(
        walk,
        filters.filter((each) => each !== walk.filter),
        start,
      );
      const numbered = sql`select w.id, w.created_at, w.passes, row_number() over (order by ${inOrder('w')}) as n from (${entries}) as w`;
      const order = this.#dialect.keepsInnerOrder ? words('') : sql`order by ${inOrder('x')}`;
      const found = sql`select x.id, x.created_at, x.passes, x.n from (${numbered}) as x where x.passes = 1 or x.n = ${param('last')} ${order} ${limitTo('limit')}`;
      return sql`select ${this.#cells()}, y.created_at, y.passes, y.n from (${found}) as y ${this.#thenJoin()} ${sql.table(this.#view.table)} as t on t.id = y.id ${this.#joins()} order by ${inOrder('y')}`;
    });
  }

  /** The next entries of a walk's index, each with whether it passes the other filters. */
  #entries({ index, filter, holder, seen }: Walk, others: readonly FilterParameter[], start: Start): Sql {
    const direction = directionOf(start);
    const passes = sql`case when ${and(this.#conditions(others))} then 1 else 0 end as passes`;
    const joins = others.some(({ field }) => this.#view.shownElsewhere.has(field)) ? this.#joins() : words('');
    if (seen !== undefined) {
      const all = this.#alongSeen(seen, {
        start,
        most: 'entries',
        cells: sql`t.id, t.created_at, ${passes}`,
        joins,
      });
      if (seen.ways.length === 1) return all;
      return sql`select u.id, u.created_at, u.passes from (${all}) as u order by u.created_at ${direction}, u.id ${direction} ${limitTo('entries')}`;
    }
    if (holder === undefined || filter === undefined) {
      const [created, id] = place('t');
      const conditions = [
        ...(filter === undefined ? [] : this.#conditions([filter])),
        ...keyset(start, [created, id], this.#view.table),
      ];
      return sql`select t.id, t.created_at, ${passes} from ${this.#along(index)} ${joins} where ${and(conditions)} order by ${created} ${direction}, ${id} ${direction} ${limitTo('entries')}`;
    }
    const [created, id] = [sql.ref('f.created_at'), sql.ref('f.owner_id')];
    const conditions = [heldBy(holder, filter), ...keyset(start, [created, id], this.#view.table)];
    const owners = sql`select f.owner_id as id, f.created_at, 1 as passes from ${sql.table(holder.table)} as f ${this.#hint(index)} where ${and(conditions)} order by ${created} ${direction}, ${id} ${direction} ${limitTo('entries')}`;
    if (others.length === 0) return owners;
    // An entry that leads nowhere must count all the same, or it would look like the end of the index.
    return sql`select o.id, o.created_at, ${passes} from (${owners}) as o left join ${sql.table(this.#view.table)} as t on t.id = o.id ${joins}`;
  }

  /**
   * A step through a span: of the next so many entries of its index, the first of the page that pass all filters, as id,
   * createdAt, value, whether it passes, number; the last entry comes in any case. Values: as those of a walk, and
   * `atValue`, `atTime`, `atId` where it goes on behind an entry.
   */
  collect({ filters }: Plan, span: Span, { start, goesOn }: { start: Start; goesOn: boolean }): Statement {
    return this.#keep(`collect ${span.index} ${start} ${goesOn}`, filters, () => {
      const others = filters.filter((each) => !span.filters.includes(each));
      const passes = and([...this.#conditions(others), ...keyset(start, place('t'), this.#view.table)]);
      const joins = others.some(({ field }) => this.#view.shownElsewhere.has(field)) ? this.#joins() : words('');
      const value = sql.ref(`t.${span.column}`);
      const conditions = this.#within(span, goesOn ? this.#behind(value) : undefined);
      const entries = sql`select t.id, t.created_at, ${value} as value, case when ${passes} then 1 else 0 end as passes from ${this.#along(span.index)} ${joins} where ${and(conditions)} order by ${value}, t.created_at, t.id ${limitTo('entries')}`;
      const numbered = sql`select w.id, w.created_at, w.value, w.passes, row_number() over (order by w.value, w.created_at, w.id) as n from (${entries}) as w`;
      const direction = directionOf(start);
      const shown = isReadAsText(span.type, this.#dialect) ? sql`cast(x.value as text)` : sql`x.value`;
      return sql`select x.id, x.created_at, ${shown}, x.passes, x.n from (${numbered}) as x where x.passes = 1 or x.n = ${param('last')} order by case when x.n = ${param('last')} then 0 else 1 end, x.created_at ${direction}, x.id ${direction} ${limitTo('limit')}`;
    });
  }

  /** Behind an entry of an index of three columns. The one spelling for which each database seeks. */
  #behind(value: Sql): Sql {
    const [at, time, id] = [param('atValue'), param('atTime'), param('atId')];
    return this.#dialect.seeksRowValues
      ? sql`(${value}, t.created_at, t.id) > (${at}, ${time}, ${id})`
      : sql`(${value} > ${at} or (${value} = ${at} and t.created_at > ${time}) or (${value} = ${at} and t.created_at = ${time} and t.id > ${id}))`;
  }

  /** Entries of a span; from a place within it instead of its beginning. */
  #within({ filters, column }: Span, from: Sql | undefined): Sql[] {
    const value = sql.ref(`t.${column}`);
    const lower = from === undefined ? this.#bounds(filters, value, 'lower') : [from];
    return [...lower, ...this.#bounds(filters, value, 'upper')];
  }

  /** The bounds on one side. */
  #bounds(filters: readonly FilterParameter[], value: Sql, side: 'lower' | 'upper'): readonly Sql[] {
    const bounds = filters.filter((filter) => boundsSql(filter, value)[side] !== undefined);
    return this.#dialect.within(value, {
      side,
      values: bounds.map(({ name }) => param(name)),
      conditions: (column) => bounds.flatMap((filter) => boundsSql(filter, column)[side] ?? []),
    });
  }

  /**
   * For each of some days the createdAt of its first record of the page, or of one at the cursor's own time; null where it
   * has none. An end of an index is one row, whatever there is besides; skipping from day to day within a statement is
   * left to an optimizer, and MariaDB's does not skip where a day has few records. Values: `day0`, `day1`…, `cursorTime`.
   */
  heads({ filters }: Plan, span: Span, start: Start): Statement {
    return this.#keep(`heads ${span.index} ${start}`, filters, () => {
      const beyond = isAtEnd(start)
        ? []
        : [sql`t.created_at ${words(isBackwards(start) ? '>=' : '<=')} ${param('cursorTime')}`];
      const heads = Array.from({ length: headsAtOnce }, (_value, n) => {
        const conditions = and([sql`${sql.ref(`t.${span.column}`)} = ${param(`day${n}`)}`, ...beyond]);
        return sql`(select ${words(isBackwards(start) ? 'min' : 'max')}(t.created_at) from ${this.#along(span.index)} where ${conditions})`;
      });
      return sql`select ${sql.join(heads)}`;
    });
  }

  /** The first records of the page of some days, as id and createdAt. Values: `day0`, `day1`…, null for none, and `limit`. */
  days({ filters }: Plan, span: Span, start: Start): Statement {
    return this.#keep(`days ${span.index} ${start}`, filters, () => {
      const direction = directionOf(start);
      const [created, id] = place('t');
      const beyond = keyset(start, [created, id], this.#view.table);
      const blocks = Array.from({ length: daysAtOnce }, (_value, n) => {
        const conditions = and([sql`${sql.ref(`t.${span.column}`)} = ${param(`day${n}`)}`, ...beyond]);
        const first = sql`select t.id, t.created_at from ${this.#along(span.index)} where ${conditions} order by ${created} ${direction}, ${id} ${direction} ${limitTo('limit')}`;
        return this.#part(first, n);
      });
      return sql`${sql.join(blocks, words(' union all '))}`;
    });
  }

  /** Records by `id0`, `id1`… that still pass the filters, in no order. */
  rows({ filters }: Pick<Plan, 'filters'>, count: number): Statement {
    return this.#keep(`rows ${count}`, filters, () => {
      const ids = sql.join(Array.from({ length: count }, (_value, n) => param(`id${n}`)));
      // As a value, so that no optimizer takes the index of a filter instead of the ids.
      const { sight } = this.#view;
      const seen = sight?.records === undefined || ofSight(filters).length > 0 ? [] : [sight.records];
      const passes = sql`case when ${and([...this.#conditions(filters), ...seen])} then 1 else 0 end = 1`;
      return sql`select ${this.#cells()} from ${sql.table(this.#view.table)} as t ${this.#joins()} where t.id in (${ids}) and ${passes}`;
    });
  }

  /** What the list and the spans of days reach over: first and last createdAt, then first and last day of each. */
  extent({ filters, spans }: Plan): Statement {
    return this.#keep('extent', filters, () => {
      const ends = ['created_at', ...spans.filter(({ ofDays }) => ofDays).map(({ column }) => column)].flatMap(
        (column) =>
          ['min', 'max'].map(
            (end) => sql`(select ${words(end)}(${sql.ref(`t.${column}`)}) from ${sql.table(this.#view.table)} as t)`,
          ),
      );
      return sql`select ${sql.join(ends)}`;
    });
  }

  /** The createdAt of the record `cursorId`, where there is one for the caller. */
  cursor({ filters }: Plan): Statement {
    const seen = ofSight(filters);
    return this.#keep('cursor', seen, () => {
      const conditions = [sql`t.id = ${param('cursorId')}`, ...this.#conditions(seen)];
      return sql`select t.created_at from ${sql.table(this.#view.table)} as t where ${and(conditions)}`;
    });
  }

  #keep(kind: string, filters: readonly FilterParameter[], build: () => Sql): Statement {
    const key = `${this.#view.key} ${kind}?${namesOf(filters)}`;
    return this.#statements.get(key, () => compile(build(), this.#dialect));
  }

  #cells(): Sql {
    return cellsSql(this.#view.cells, this.#dialect);
  }

  #joins(): Sql {
    return joinsSql(this.#view.joins);
  }

  #conditions(filters: readonly FilterParameter[]): Sql[] {
    return conditionsSql(this.#view, filters, this.#dialect);
  }

  /** The group's own table along an index: left to itself, an optimizer at times takes another, or sorts. */
  #along(index: string): Sql {
    return sql`${sql.table(this.#view.table)} as t ${this.#hint(index)}`;
  }

  #hint(index: string): Sql {
    return words(this.#dialect.useIndex(index));
  }

  /** One of several that are put together, each with an order and a limit of its own. */
  #part(query: Sql, n: number): Sql {
    return this.#dialect.ordersUnionParts ? sql`(${query})` : sql`select * from (${query}) as ${sql.ref(`b${n}`)}`;
  }

  /** From a list to the records that own it: "all that hold this one" is read along the list's own index. */
  #fromList(index: string, { table }: Holder): Sql {
    return sql`${sql.table(table)} as f ${this.#hint(index)} ${this.#thenJoin()} ${sql.table(this.#view.table)} as t on t.id = f.owner_id`;
  }

  /** A join in the order in which it is written. */
  #thenJoin(): Sql {
    return words(this.#dialect.joinInOrder);
  }
}

const namesOf = (filters: readonly FilterParameter[]): string => filters.map(({ name }) => name).join('&');
const place = (alias: string): [created: Sql, id: Sql] => [sql.ref(`${alias}.created_at`), sql.ref(`${alias}.id`)];
const directionOf = (start: Start): Sql => words(isBackwards(start) ? 'asc' : 'desc');
const heldBy = ({ column }: Holder, { name }: FilterParameter): Sql => sql`${sql.ref(`f.${column}`)} = ${param(name)}`;
