// Statements over all records that pass filters, in slices of an index: each reads so many of its entries, whatever they hold, so
// that others have their turn between two of them.
import { sql } from 'kysely';
import type { FilterParameter } from '../../endpoints/routes/endpoint.ts';
import { isReadAsText } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import { and, LimitParam, limitTo, param, type Sql, words } from '../schema/sql.ts';
import { boundsSql, conditionsSql, joinsSql } from './filter-sql.ts';
import { isCoarse, type Plan, type SeenWays, type Span, together, type Walk } from './plan.ts';
import type { View } from './view.ts';

/** The index along which all records are read: that of the filter that is likely to leave the fewest. */
export type SliceWay = Walk | Span;

/** Which filter leads to the fewest is not known: one that says a value goes before one that says bounds. */
export function wayOf({ direct, walks, spans, whole }: Plan): SliceWay {
  const ways = (direct === undefined ? walks : [direct]).filter(({ seen }) => seen === undefined);
  const seen = walks.find((walk) => walk.seen !== undefined);
  const [walk = whole] = ways;
  const [span] = spans;
  // What a caller sees is mostly less than what has one of a few values, or lies within bounds.
  if (seen !== undefined && (walk.filter === undefined || isCoarse(walk))) return seen;
  return walk.filter === undefined && span !== undefined ? span : walk;
}

/** What statements along a way are kept by. */
export const wordOf = (way: SliceWay): string => {
  if (isSpan(way)) return `${way.index} ${way.isUnset}`;
  return way.seen === undefined ? way.index : `seen ${way.seen.ways.length}`;
};

const isSpan = (way: SliceWay): way is Span => 'filters' in way;

/** Where a slice begins and ends; at either end of the index where it does not say. */
export interface Slice {
  /** Behind `fromTime`, `fromId`, and of a span `fromValue`. */
  readonly isBehind: boolean;
  /** Up to and with `toTime`, `toId`, `toValue`. */
  readonly isBounded: boolean;
}

/** Rows of a slice: `from` with the group's table as `t`, and what they must pass. */
export interface SliceRows {
  readonly from: Sql;
  readonly conditions: readonly Sql[];
}

/** The parts of statements over slices. Values: those of the filters, and of the slice's ends. */
export class SliceSql {
  readonly #view: View;
  readonly #dialect: Dialect;

  constructor(view: View, dialect: Dialect) {
    this.#view = view;
    this.#dialect = dialect;
  }

  /** All entries of a slice, whether they pass the other filters or not. @param most The name of a value: how many at most. */
  entries(way: SliceWay, slice: Slice, most?: string): SliceRows {
    const { table } = this.#view;
    if (isSpan(way)) {
      const value = sql.ref(`t.${way.column}`);
      const bounds = (['lower', 'upper'] as const).flatMap((side) => this.#bounds(way, value, side));
      const order = orderOf(way);
      const conditions = [...bounds, ...ofValues(way), ...this.#ends(order, slice)];
      return this.#limited({ from: this.#along(way.index), conditions }, order, most);
    }
    const { holder, filter, index, seen } = way;
    if (seen !== undefined) return this.#ofSeen(seen, slice, most);
    if (holder === undefined || filter === undefined) {
      const own = filter === undefined ? [] : conditionsSql(this.#view, [filter], this.#dialect);
      const conditions = [...own, ...this.#ends(place('t'), slice)];
      return this.#limited({ from: this.#along(index), conditions }, place('t'), most);
    }
    const [created, id] = [sql.ref('f.created_at'), sql.ref('f.owner_id')];
    const held = and([
      sql`${sql.ref(`f.${holder.column}`)} = ${param(filter.name)}`,
      ...this.#ends([created, id], slice),
    ]);
    // The items of one record may hold a value many times.
    const owners = sql`select distinct f.owner_id as id, f.created_at from ${sql.table(holder.table)} as f ${words(this.#dialect.useIndex(index))} where ${held} order by ${created}, ${id} ${most === undefined ? words('') : limitTo(most)}`;
    return {
      from: sql`(${owners}) as o ${words(this.#dialect.joinInOrder)} ${sql.table(table)} as t on t.id = o.id`,
      conditions: [],
    };
  }

  /** Along several indexes at once, each as far as the slice goes. */
  #ofSeen({ ways, areApart }: SeenWays, slice: Slice, most: string | undefined): SliceRows {
    const [created, id] = place('t');
    const limit = most === undefined ? words('') : sql`order by ${created}, ${id} ${limitTo(most)}`;
    const parts = ways.map(({ column, index, value }, n) => {
      const from = index === undefined ? sql`${sql.table(this.#view.table)} as t` : this.#along(index);
      const where = and([sql`${sql.ref(`t.${column}`)} = ${value}`, ...this.#ends([created, id], slice)]);
      return sql`select * from (select t.id, t.created_at from ${from} where ${where} ${limit}) as ${sql.ref(`b${n}`)}`;
    });
    const all = sql`select u.id, u.created_at from (${sql.join(parts, words(together(areApart)))}) as u`;
    const owners = most === undefined ? all : sql`${all} order by u.created_at, u.id ${limitTo(most)}`;
    return {
      from: sql`(${owners}) as o ${words(this.#dialect.joinInOrder)} ${sql.table(this.#view.table)} as t on t.id = o.id`,
      conditions: [],
    };
  }

  /** Filters that the way does not answer by itself. */
  others(way: SliceWay, filters: readonly FilterParameter[]): readonly FilterParameter[] {
    return filters.filter((filter) => (isSpan(way) ? !way.filters.includes(filter) : way.filter !== filter));
  }

  conditions(filters: readonly FilterParameter[]): readonly Sql[] {
    return conditionsSql(this.#view, filters, this.#dialect);
  }

  /** The joins of the view, where a filter compares what stands in another record. */
  joinsFor(filters: readonly FilterParameter[]): Sql {
    return filters.some(({ field }) => this.#view.shownElsewhere.has(field)) ? joinsSql(this.#view.joins) : words('');
  }

  /** Where a slice ends: the place of its last entry, `entries` (as a limit) behind its beginning, as time, id and value. */
  end(way: SliceWay, isBehind: boolean): Sql {
    const slice = { isBehind, isBounded: false };
    if (!isSpan(way) && (way.holder !== undefined || way.seen !== undefined)) {
      const { from } = this.entries(way, slice, 'entries');
      return sql`select t.created_at, t.id from ${from} order by t.created_at desc, t.id desc limit 1`;
    }
    const { from, conditions } = this.entries(way, slice);
    const order = isSpan(way) ? orderOf(way) : place('t');
    const shown = order
      .slice(0, -2)
      .map((one) => (isSpan(way) && isReadAsText(way.type, this.#dialect) ? sql`cast(${one} as text)` : one));
    return sql`select ${sql.join([...place('t'), ...shown])} from ${from} where ${and(conditions)} order by ${sql.join([...order])} limit 1 offset ${new LimitParam('passed')}`;
  }

  #limited({ from, conditions }: SliceRows, order: readonly Sql[], most: string | undefined): SliceRows {
    if (most === undefined) return { from, conditions };
    const some = sql`select t.id from ${from} where ${and(conditions)} order by ${sql.join([...order])} ${limitTo(most)}`;
    return {
      from: sql`(${some}) as o ${words(this.#dialect.joinInOrder)} ${sql.table(this.#view.table)} as t on t.id = o.id`,
      conditions: [],
    };
  }

  #bounds({ filters }: Span, value: Sql, side: 'lower' | 'upper'): readonly Sql[] {
    const bounds = filters.filter((filter) => boundsSql(filter, value)[side] !== undefined);
    return this.#dialect.within(value, {
      side,
      values: bounds.map(({ name }) => param(name)),
      conditions: (column) => bounds.flatMap((filter) => boundsSql(filter, column)[side] ?? []),
    });
  }

  /** @param columns Those of the index, in its order: of a span its value first. */
  #ends(columns: readonly Sql[], { isBehind, isBounded }: Slice): readonly Sql[] {
    const [names, ofValue] = columns.length === 2 ? [['Time', 'Id'], false] : [['Value', 'Time', 'Id'], true];
    const at = (end: string): readonly Sql[] => names.map((name) => param(`${end}${name}`));
    return [
      ...(isBehind ? this.#beyond(columns, at('from'), { sign: '>', ofValue }) : []),
      ...(isBounded ? this.#beyond(columns, at('to'), { sign: '<', ofValue }) : []),
    ];
  }

  /** Behind a place, or up to and with it. The spellings for which each database seeks. */
  #beyond(
    columns: readonly Sql[],
    at: readonly Sql[],
    { sign, ofValue }: { readonly sign: '>' | '<'; readonly ofValue: boolean },
  ): readonly Sql[] {
    const strict = words(sign);
    const last = words(sign === '>' ? '>' : '<=');
    if (ofValue && this.#dialect.seeksRowValues)
      return [sql`(${sql.join([...columns])}) ${last} (${sql.join([...at])})`];
    const [first, second, third] = columns;
    const [one, two, three] = at;
    if (!ofValue)
      return [sql`${first} ${words(`${sign}=`)} ${one}`, sql`(${first} ${strict} ${one} or ${second} ${last} ${two})`];
    return [
      sql`(${first} ${strict} ${one} or (${first} = ${one} and ${second} ${strict} ${two}) or (${first} = ${one} and ${second} = ${two} and ${third} ${last} ${three}))`,
    ];
  }

  #along(index: string): Sql {
    return sql`${sql.table(this.#view.table)} as t ${words(this.#dialect.useIndex(index))}`;
  }
}

const place = (alias: string): [created: Sql, id: Sql] => [sql.ref(`${alias}.created_at`), sql.ref(`${alias}.id`)];

/** The columns of a span's index in its order; of records without a value, that is the same for all. */
const orderOf = ({ column, isUnset }: Span): readonly Sql[] =>
  isUnset === true ? place('t') : [sql.ref(`t.${column}`), ...place('t')];

const ofValues = ({ column, isUnset }: Span): readonly Sql[] =>
  isUnset === undefined ? [] : [sql`${sql.ref(`t.${column}`)} ${words(isUnset ? 'is null' : 'is not null')}`];
