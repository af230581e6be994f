// Sorted plan → the statements that find a page of a list that is sorted by a field: the one that reads it along the index of
// the field, or the steps of the ways that race for it. The places of such a list are the value, the time of making and the
// id. Null is less than every value: both engines keep it at the beginning of an index.
import { sql } from 'kysely';
import type { FilterParameter } from '../../endpoints/routes/endpoint.ts';
import type { Field } from '../../registry/model/model.ts';
import { isReadAsText } from '../schema/columns.ts';
import { compile, type Statement } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import { LruCache } from '../schema/lru-cache.ts';
import { and, limitTo, param, type Sql, words } from '../schema/sql.ts';
import { boundsSql, cellsSql, conditionsSql, joinsSql, keyset, ofSight } from './filter-sql.ts';
import { type SeenWays, type Span, together, type Walk } from './plan.ts';
import { wordOf } from './slice-sql.ts';
import { planSorted, type SortedPlan } from './sorted-plan.ts';
import type { View } from './view.ts';

/** Plans kept for a group: sets of filters are chosen by callers, so that they must not grow without end. */
const planLimit = 256;

/** A stretch of the index that one statement can go along. */
export interface IndexRange {
  /** All entries from an end, those with a value, or those without. */
  readonly of: 'all' | 'values' | 'nulls';
  /** Whether it begins behind the place of `placeValue`, `cursorTime` and `cursorId`, not at its own end. */
  readonly isBehind: boolean;
}

/** Which way the list is read. */
export interface Direction {
  readonly isDescending: boolean;
}

/** What lies in the list where a page begins. */
export type Behind = 'nothing' | 'null' | 'value';

/** The statements that find sorted pages of one group. Values: those of the filters, and those that each names. */
export class SortedQueries {
  readonly #view: View;
  readonly #dialect: Dialect;
  readonly #kept: LruCache<Statement>;
  readonly #plans = new LruCache<SortedPlan>(planLimit);

  /** @param kept Shared with other groups. */
  constructor(view: View, dialect: Dialect, kept: LruCache<Statement>) {
    this.#view = view;
    this.#dialect = dialect;
    this.#kept = kept;
  }

  /** How a page is found. The same set of filters and the same field have the same plan. */
  plan(filters: readonly FilterParameter[], field: Field): SortedPlan {
    const key = `${field.name}?${filters.map(({ name }) => name).join('&')}`;
    return this.#plans.get(key, () => planSorted(this.#view, filters, field));
  }

  /**
   * The place of the record `cursorId`: its value, its createdAt, and whether it is within the lower and within the upper bounds
   * of the list; null where it has no value.
   */
  place(plan: SortedPlan): Statement {
    return this.#keep('place', plan, () => {
      const value = this.#value(plan);
      const within = (side: 'lower' | 'upper'): Sql =>
        sql`case when ${and(ownBounds(plan, value)[side])} then 1 else 0 end`;
      return sql`select ${this.#asText(value, plan)}, t.created_at, ${within('lower')}, ${within('upper')} from ${sql.table(this.#view.table)} as t where ${and([sql`t.id = ${param('cursorId')}`, ...this.#conditions(ofSight(plan.filters))])}`;
    });
  }

  /** A page along the index, where no other field is filtered. Values: `limit`, and those of the place. */
  direct(plan: SortedPlan, part: IndexRange, direction: Direction): Statement {
    return this.#keep(`direct ${nameOf(part, direction)}`, plan, () => {
      const conditions = and(this.#within(plan, part, direction));
      return sql`select ${this.#cells()} from ${this.#along(plan.index)} ${this.#joins()} where ${conditions} order by ${along(plan, part, direction)} ${limitTo('limit')}`;
    });
  }

  /**
   * A step along the index: the records among the next so many entries that pass the other filters, as rows of the page with
   * four cells more: createdAt, value, whether it passes, and its number among the entries. The last entry comes in any case.
   * Values: `entries` (as a limit), `last` (the same number), `limit`, and those of the place.
   */
  walk(plan: SortedPlan, part: IndexRange, direction: Direction): Statement {
    return this.#keep(`walk ${nameOf(part, direction)}`, plan, () => {
      const passes = sql`case when ${and(this.#conditions(plan.others))} then 1 else 0 end as passes`;
      const entries = sql`select t.id, t.created_at, ${this.#value(plan)} as value, ${passes} from ${this.#along(plan.index)} ${this.#joinsFor(plan.others)} where ${and(this.#within(plan, part, direction))} order by ${along(plan, part, direction)} ${limitTo('entries')}`;
      const numbered = sql`select w.id, w.created_at, w.value, w.passes, row_number() over (order by ${inOrder('w', 'value', direction)}) as n from (${entries}) as w`;
      const order = this.#dialect.keepsInnerOrder ? words('') : sql`order by ${inOrder('x', 'value', direction)}`;
      const found = sql`select x.id, x.created_at, x.value, x.passes, x.n from (${numbered}) as x where x.passes = 1 or x.n = ${param('last')} ${order} ${limitTo('limit')}`;
      return sql`select ${this.#cells()}, y.created_at, ${this.#asText(sql`y.value`, plan)}, y.passes, y.n from (${found}) as y ${words(this.#dialect.joinInOrder)} ${sql.table(this.#view.table)} as t on t.id = y.id ${this.#joins()} order by ${inOrder('y', 'value', direction)}`;
    });
  }

  /**
   * A step through all that a filter leads to: of the next so many entries of its index the first of the page, as id, createdAt,
   * value, whether it passes, its number, and the value of the span; the last entry comes in any case. Values: as those of a
   * walk, and `atTime`, `atId`, of a span `atValue`, where it goes on behind an entry.
   */
  collect(
    plan: SortedPlan,
    way: Walk | Span,
    { behind, goesOn, ...direction }: Direction & { readonly behind: Behind; readonly goesOn: boolean },
  ): Statement {
    return this.#keep(`collect ${wordOf(way)} ${behind} ${goesOn} ${direction.isDescending}`, plan, () => {
      const { entries, key } = 'column' in way ? this.#ofSpan(plan, way, goesOn) : this.#ofWalk(plan, way, goesOn);
      const passes = and([
        ...this.#conditions(plan.filters.filter((filter) => !filtersOf(way).includes(filter))),
        ...this.#beyond(plan, behind, direction),
      ]);
      const rows = entries(sql`${this.#value(plan)} as value, case when ${passes} then 1 else 0 end as passes`);
      const numbered = sql`select w.id, w.created_at, w.at_value, w.value, w.passes, row_number() over (order by ${key}) as n from (${rows}) as w`;
      const at =
        'type' in way && isReadAsText(way.type, this.#dialect) ? sql`cast(x.at_value as text)` : sql`x.at_value`;
      return sql`select x.id, x.created_at, ${this.#asText(sql`x.value`, plan)}, x.passes, x.n, ${at} from (${numbered}) as x where x.passes = 1 or x.n = ${param('last')} order by case when x.n = ${param('last')} then 0 else 1 end, ${inOrder('x', 'value', direction)} ${limitTo('limit')}`;
    });
  }

  #ofSpan(plan: SortedPlan, span: Span, goesOn: boolean) {
    const value = sql.ref(`t.${span.column}`);
    const lower = goesOn
      ? [this.#after([value, ...keyOf('t')], atNames, false)]
      : this.#bounds(span.filters, value, 'lower');
    const within = and([...lower, ...this.#bounds(span.filters, value, 'upper')]);
    return {
      entries: (cells: Sql): Sql =>
        sql`select t.id, t.created_at, ${value} as at_value, ${cells} from ${this.#along(span.index)} ${this.#joinsFor(plan.filters)} where ${within} order by ${value}, t.created_at, t.id ${limitTo('entries')}`,
      key: sql`w.at_value, w.created_at, w.id`,
    };
  }

  #ofWalk(plan: SortedPlan, { index, filter, holder, seen }: Walk, goesOn: boolean) {
    const key = sql`w.created_at, w.id`;
    const beyond = ([created, id]: readonly [Sql, Sql]): Sql[] =>
      goesOn
        ? [sql`${created} >= ${param('atTime')}`, sql`(${created} > ${param('atTime')} or ${id} > ${param('atId')})`]
        : [];
    if (seen !== undefined) {
      const entries = this.#unionEntries(seen, beyond(keyOf('t')));
      return {
        entries: (cells: Sql): Sql =>
          sql`select o.id, o.created_at, null as at_value, ${cells} from (${entries}) as o ${words(this.#dialect.joinInOrder)} ${sql.table(this.#view.table)} as t on t.id = o.id ${this.#joinsFor(plan.filters)}`,
        key,
      };
    }
    if (holder === undefined || filter === undefined) {
      const conditions = and([...this.#conditions(filter === undefined ? [] : [filter]), ...beyond(keyOf('t'))]);
      return {
        entries: (cells: Sql): Sql =>
          sql`select t.id, t.created_at, null as at_value, ${cells} from ${this.#along(index)} ${this.#joinsFor(plan.filters)} where ${conditions} order by t.created_at, t.id ${limitTo('entries')}`,
        key,
      };
    }
    const place = [sql.ref('f.created_at'), sql.ref('f.owner_id')] as const;
    const held = sql`${sql.ref(`f.${holder.column}`)} = ${param(filter.name)}`;
    const owners = sql`select f.owner_id as id, f.created_at from ${sql.table(holder.table)} as f ${words(this.#dialect.useIndex(index))} where ${and([held, ...beyond(place)])} order by ${place[0]}, ${place[1]} ${limitTo('entries')}`;
    return {
      // An entry that leads nowhere must count all the same, or it would look like the end of the index.
      entries: (cells: Sql): Sql =>
        sql`select o.id, o.created_at, null as at_value, ${cells} from (${owners}) as o left join ${sql.table(this.#view.table)} as t on t.id = o.id ${this.#joinsFor(plan.filters)}`,
      key,
    };
  }

  /** The next entries along several indexes at once, in the order of making. */
  #unionEntries({ ways, areApart }: SeenWays, beyond: readonly Sql[]): Sql {
    const parts = ways.map(({ column, index, value }, n) => {
      const from = index === undefined ? sql`${sql.table(this.#view.table)} as t` : this.#along(index);
      const conditions = and([sql`${sql.ref(`t.${column}`)} = ${value}`, ...beyond]);
      return sql`select * from (select t.id, t.created_at from ${from} where ${conditions} order by t.created_at, t.id ${limitTo('entries')}) as ${sql.ref(`b${n}`)}`;
    });
    return sql`select u.id, u.created_at from (${sql.join(parts, words(together(areApart)))}) as u order by u.created_at, u.id ${limitTo('entries')}`;
  }

  /** Entries of a stretch of the index. A place is within the bounds, so that it takes the place of those on its side. */
  #within(plan: SortedPlan, { of, isBehind }: IndexRange, { isDescending }: Direction): Sql[] {
    const value = this.#value(plan);
    if (of === 'nulls') {
      const behind = isBehind ? keyset(isDescending ? 'after' : 'before', keyOf('t'), this.#view.table) : [];
      return [sql`${value} is null`, ...behind];
    }
    if (of === 'all') return [];
    const side = isDescending ? 'upper' : 'lower';
    const behind = isBehind ? [this.#after([value, ...keyOf('t')], placeNames, isDescending)] : undefined;
    const bounds = (each: 'lower' | 'upper'): readonly Sql[] =>
      each === side && behind !== undefined ? behind : this.#bounds(plan.own, value, each);
    const all = [...bounds('lower'), ...bounds('upper')];
    return all.length === 0 ? [sql`${value} is not null`] : all;
  }

  #bounds(filters: readonly FilterParameter[], value: Sql, side: 'lower' | 'upper'): readonly Sql[] {
    const bounds = filters.flatMap((filter) => {
      const bound = boundOf(filter, value)[side];
      return bound === undefined ? [] : [{ filter, bound }];
    });
    return this.#dialect.within(value, {
      side,
      values: bounds.map(({ filter }) => param(filter.name)),
      conditions: (column) => bounds.flatMap(({ filter }) => boundOf(filter, column)[side] ?? []),
    });
  }

  /** Behind a place of an index of three columns. The one spelling for which each database seeks. */
  #after(columns: readonly [Sql, Sql, Sql], names: readonly [string, string, string], isDescending: boolean): Sql {
    const [value, created, id] = columns;
    const [at, time, atId] = [param(names[0]), param(names[1]), param(names[2])];
    const sign = words(isDescending ? '<' : '>');
    return this.#dialect.seeksRowValues
      ? sql`(${value}, ${created}, ${id}) ${sign} (${at}, ${time}, ${atId})`
      : sql`(${value} ${sign} ${at} or (${value} = ${at} and ${created} ${sign} ${time}) or (${value} = ${at} and ${created} = ${time} and ${id} ${sign} ${atId}))`;
  }

  /** Whether a record comes behind the place, asked of records that come in another order. */
  #beyond(plan: SortedPlan, behind: Behind, { isDescending }: Direction): Sql[] {
    if (behind === 'nothing') return [];
    const value = this.#value(plan);
    const later = and(keyset(isDescending ? 'after' : 'before', keyOf('t'), this.#view.table));
    if (behind === 'null')
      return [isDescending ? sql`(${value} is null and ${later})` : sql`(${value} is not null or (${later}))`];
    const sign = words(isDescending ? '<' : '>');
    const place = param('placeValue');
    const nulls = isDescending ? sql` or ${value} is null` : words('');
    return [sql`(${value} ${sign} ${place} or (${value} = ${place} and ${later})${nulls})`];
  }

  #keep(kind: string, { filters, column }: SortedPlan, build: () => Sql): Statement {
    const key = `${this.#view.key} sorted ${column} ${kind}?${filters.map(({ name }) => name).join('&')}`;
    return this.#kept.get(key, () => compile(build(), this.#dialect));
  }

  #value({ column }: SortedPlan): Sql {
    return sql`${sql.ref(`t.${column}`)}`;
  }

  /** A value as it is bound again. */
  #asText(value: Sql, { type }: SortedPlan): Sql {
    return isReadAsText(type, this.#dialect) ? sql`cast(${value} as text)` : value;
  }

  #cells(): Sql {
    return cellsSql(this.#view.cells, this.#dialect);
  }

  #joins(): Sql {
    return joinsSql(this.#view.joins);
  }

  /** Joins, where a filter looks at another record. */
  #joinsFor(filters: readonly FilterParameter[]): Sql {
    return filters.some(({ field }) => this.#view.shownElsewhere.has(field)) ? this.#joins() : words('');
  }

  #conditions(filters: readonly FilterParameter[]): Sql[] {
    return conditionsSql(this.#view, filters, this.#dialect);
  }

  #along(index: string): Sql {
    return sql`${sql.table(this.#view.table)} as t ${words(this.#dialect.useIndex(index))}`;
  }
}

const placeNames = ['placeValue', 'cursorTime', 'cursorId'] as const;
const atNames = ['atValue', 'atTime', 'atId'] as const;

const nameOf = ({ of, isBehind }: IndexRange, { isDescending }: Direction): string =>
  `${of} ${isBehind} ${isDescending}`;
const keyOf = (alias: string): readonly [Sql, Sql] => [sql.ref(`${alias}.created_at`), sql.ref(`${alias}.id`)];
const filtersOf = (way: Walk | Span): readonly FilterParameter[] =>
  'column' in way ? way.filters : way.filter === undefined ? [] : [way.filter];

const byKey = (alias: string, direction: Direction): Sql => columnsInOrder(alias, ['created_at', 'id'], direction);
const inOrder = (alias: string, column: string, direction: Direction): Sql =>
  columnsInOrder(alias, [column, 'created_at', 'id'], direction);

function columnsInOrder(alias: string, columns: readonly string[], { isDescending }: Direction): Sql {
  const direction = words(isDescending ? 'desc' : 'asc');
  return sql.join(columns.map((name) => sql`${sql.ref(`${alias}.${name}`)} ${direction}`));
}

/** The order of a stretch of the index. MariaDB would sort all records without a value by the value that they do not have. */
const along = ({ column }: SortedPlan, { of }: IndexRange, direction: Direction): Sql =>
  of === 'nulls' ? byKey('t', direction) : inOrder('t', column, direction);

/** Where the values begin and end that a filter on the field of the list lets pass: with an equal one, at it. */
function boundOf(filter: FilterParameter, column: Sql): { lower?: Sql; upper?: Sql } {
  if (filter.comparison !== 'equals' && filter.comparison !== 'foldedEquals') return boundsSql(filter, column);
  const value = param(filter.name);
  return { lower: sql`${column} >= ${value}`, upper: sql`${column} <= ${value}` };
}

function ownBounds({ own }: SortedPlan, value: Sql): { readonly lower: Sql[]; readonly upper: Sql[] } {
  const bounds = own.map((filter) => boundOf(filter, value));
  return { lower: bounds.flatMap(({ lower }) => lower ?? []), upper: bounds.flatMap(({ upper }) => upper ?? []) };
}
