// Statements that count the records that pass filters.
import { sql } from 'kysely';
import { compile, type Statement } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { LruCache } from '../schema/lru-cache.ts';
import { and, LimitParam } from '../schema/sql.ts';
import type { Plan } from './plan.ts';
import { type Slice, SliceSql, type SliceWay, wordOf } from './slice-sql.ts';
import type { View } from './view.ts';

export class CountQueries {
  readonly #view: View;
  readonly #dialect: Dialect;
  readonly #kept: LruCache<Statement>;
  readonly #slices: SliceSql;

  /** @param kept Shared with other groups. */
  constructor(view: View, dialect: Dialect, kept: LruCache<Statement>) {
    this.#view = view;
    this.#dialect = dialect;
    this.#kept = kept;
    this.#slices = new SliceSql(view, dialect);
  }

  /** How many of the next `entries` there are, and how many of them pass. */
  next({ filters }: Plan, way: SliceWay, isBehind: boolean): Statement {
    return this.#keep(`count ${wordOf(way)} ${isBehind}`, filters, () => {
      const others = this.#slices.others(way, filters);
      const slice: Slice = { isBehind, isBounded: false };
      // Nothing else is looked at: the index alone is read.
      if (others.length === 0 && !('holder' in way && way.holder !== undefined)) {
        const { from, conditions } = this.#slices.entries(way, slice);
        const some = sql`select 1 as one from ${from} where ${and(conditions)} limit ${new LimitParam('entries')}`;
        return sql`select count(*), count(*) from (${some}) as c`;
      }
      const { from } = this.#slices.entries(way, slice, 'entries');
      const passes = sql`case when ${and(this.#slices.conditions(others))} then 1 else 0 end`;
      return sql`select count(*), coalesce(sum(${passes}), 0) from ${from} ${this.#slices.joinsFor(others)}`;
    });
  }

  /** Where they end: the place of the last of them, `passed` behind the first. */
  end({ filters }: Plan, way: SliceWay, isBehind: boolean): Statement {
    return this.#keep(`end ${wordOf(way)} ${isBehind}`, filters, () => this.#slices.end(way, isBehind));
  }

  #keep(kind: string, filters: Plan['filters'], build: () => Parameters<typeof compile>[0]): Statement {
    const key = `${this.#view.key} ${kind}?${filters.map(({ name }) => name).join('&')}`;
    return this.#kept.get(key, () => compile(build(), this.#dialect));
  }
}
