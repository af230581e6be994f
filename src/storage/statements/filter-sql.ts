// Conditions of filters, expressions and joins as SQL: the parts of statements that read.
import { sql } from 'kysely';
import type { FilterParameter } from '../../endpoints/routes/endpoint.ts';
import { kinds } from '../../registry/model/kinds.ts';
import { unreachable } from '../../unreachable.ts';
import { fold, keyHash } from '../../values/fold.ts';
import type { Bound } from '../schema/cells.ts';
import type { ColumnType } from '../schema/column-types.ts';
import { columnTypeOf, encode, isReadAsText } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import { and, param, type Sql, testSql, words } from '../schema/sql.ts';
import { foldedColumn, keyColumn } from '../schema/tables.ts';
import { holderOf, isKey, isLedTo, ledTo } from './plan.ts';
import type { Cell, Expr, Join, View } from './view.ts';

/** Where a page begins: at either end of the list, at a known place, or at a record that the statement looks up. */
export type Start = 'first' | 'last' | 'after' | 'before' | 'afterLookup' | 'beforeLookup';
/** Whether it goes against the order of the list. */
export const isBackwards = (start: Start): boolean =>
  start === 'last' || start === 'before' || start === 'beforeLookup';
/** Whether it begins at an end of the list. */
export const isAtEnd = (start: Start): start is 'first' | 'last' => start === 'first' || start === 'last';

/** More characters than a folded text of a filtered field has: 255, of which folding makes three each at most. */
const longestFolded = 1000;
const foldedType: ColumnType = { kind: 'folded', length: longestFolded };

/** What lists are sorted by. */
export type ListOrder = readonly [created: Sql, id: Sql];

/** A cell as SQL. */
export function exprSql(expr: Expr): Sql {
  switch (expr.kind) {
    case 'column':
      return sql.ref(`${expr.alias}.${expr.column}`);
    case 'oneOf': {
      const columns = expr.columns.map((column) => sql.ref(`${expr.alias}.${column}`));
      return columns.length === 1 ? sql`${columns[0]}` : sql`coalesce(${sql.join(columns)})`;
    }
    case 'case': {
      const branches = expr.branches.map(({ when, value }) => sql`when ${testSql(when)} then ${exprSql(value)}`);
      return sql`case ${sql.join(branches, words(' '))} else ${exprSql(expr.otherwise)} end`;
    }
    case 'truth':
      return sql`case when ${expr.sql} then 1 else 0 end`;
  }
}

export const cellsSql = (cells: readonly Cell[], dialect: Dialect): Sql =>
  sql.join(
    cells.map(({ expr, type }) => (isReadAsText(type, dialect) ? sql`cast(${exprSql(expr)} as text)` : exprSql(expr))),
  );

export const joinsSql = (joins: readonly Join[]): Sql =>
  sql.join(
    joins.map(({ alias, table, on }) => {
      // The only record goes by its id too: joined by `1 = 1`, MariaDB buffers it first, then sorts the whole list.
      const id = on === undefined ? sql`(select id from ${sql.table(table)} limit 1)` : exprSql(on);
      return sql`left join ${sql.table(table)} as ${sql.ref(alias)} on ${sql.ref(`${alias}.id`)} = ${id}`;
    }),
    words(' '),
  );

/** The one spelling of a keyset whose cost stays flat with depth on both databases. `lookupTable` is where a start is looked up. */
export function keyset(start: Start, [created, id]: ListOrder, lookupTable: string): Sql[] {
  if (isAtEnd(start)) return [];
  const isLookup = start === 'afterLookup' || start === 'beforeLookup';
  const place = isLookup
    ? sql`(select created_at from ${sql.table(lookupTable)} where id = ${param('cursorId')})`
    : param('cursorTime');
  const isAfter = start === 'after' || start === 'afterLookup';
  const [outer, inner] = isAfter ? [words('<='), words('<')] : [words('>='), words('>')];
  return [
    sql`${created} ${outer} ${place}`,
    sql`(${created} ${inner} ${place} or ${id} ${inner} ${param('cursorId')})`,
  ];
}

/** Of filters those that say what a caller may see. */
export const ofSight = (filters: readonly FilterParameter[]): readonly FilterParameter[] =>
  filters.filter(({ comparison }) => comparison === 'sees');

/** What a record must pass to be in a list. */
export const conditionsSql = (view: View, filters: readonly FilterParameter[], dialect: Dialect): Sql[] =>
  filters.map((filter) => filterSql(view, filter, dialect));

/** The condition of a filter. Its values are named after the parameter. */
export function filterSql(view: View, filter: FilterParameter, dialect: Dialect): Sql {
  const { name, field, comparison } = filter;
  if (comparison === 'sees') return seesSql(view, filter);
  const value = param(name);
  const holder = holderOf(view, filter);
  // With the owner's createdAt, which stands in the list too, its index leads to the one entry.
  if (holder !== undefined)
    return sql`exists (select 1 from ${sql.table(holder.table)} as f where ${sql.ref(`f.${holder.column}`)} = ${value} and f.created_at = t.created_at and f.owner_id = t.id)`;
  const elsewhere = view.shownElsewhere.get(field);
  const own = elsewhere === undefined ? sql.ref(`t.${field.column}`) : exprSql(elsewhere);
  const folded = sql.ref(`t.${foldedColumn(field.column)}`);
  switch (comparison) {
    case 'equals':
      return isKey(view, filter)
        ? sql`${sql.ref(`t.${keyColumn(field.column)}`)} = ${param(`${name}#key`)} and ${own} = ${value}`
        : sql`${own} = ${value}`;
    case 'holds':
      return unreachable(`${name} looks into a list that has no table`);
    case 'foldedEquals':
      return sql`${folded} = ${value}`;
    case 'foldedContains':
      return sql`${dialect.contains(folded, value)} > 0`;
    case 'foldedEndsWith': {
      const size = param(`${name}#size`);
      return sql`length(${folded}) >= ${size} and substr(${folded}, length(${folded}) - ${size} + 1) = ${value}`;
    }
    default: {
      const { lower, upper } = boundsSql(filter, comparison === 'foldedStartsWith' ? folded : own);
      return and([lower, upper].filter((bound) => bound !== undefined));
    }
  }
}

/** What leads to it is asked first: it is cheaper to compare than what makes a record seen. */
function seesSql(view: View, filter: FilterParameter): Sql {
  const { shows = [], first } = filter;
  const isReadFirst = view.sight?.ways?.ways.some((way) => way.isReadFirst) === true;
  // An index serves these comparisons, whatever the spelling of the condition.
  if ((first !== undefined || !isReadFirst) && isLedTo(view, filter)) return ledTo(view, first ?? 0);
  const seen = view.sight?.showing(shows) ?? unreachable('nothing says what is seen');
  return first === undefined ? seen : sql`(${ledTo(view, first)} and ${seen})`;
}

/** Where the values begin and end that a filter lets pass. */
export function boundsSql({ name, comparison }: FilterParameter, column: Sql): { lower?: Sql; upper?: Sql } {
  const value = param(name);
  switch (comparison) {
    case 'after':
      return { lower: sql`${column} > ${value}` };
    case 'onAfter':
      return { lower: sql`${column} >= ${value}` };
    case 'before':
      return { upper: sql`${column} < ${value}` };
    case 'onBefore':
      return { upper: sql`${column} <= ${value}` };
    case 'foldedStartsWith':
      return { lower: sql`${column} >= ${value}`, upper: sql`${column} < ${param(`${name}#end`)}` };
    default:
      return {};
  }
}

/** The least text after all that begin with a prefix, in the order of code points, which is that of UTF-8 bytes too. */
function afterAll(prefix: string): string {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0;
    // No text holds a surrogate by itself.
    if (point < 0x10ffff) return points.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return '\u{10FFFF}'.repeat(longestFolded);
}

/** What is bound for a filter: the value as its column keeps it, folded or hashed where the comparison asks for it. */
export function filterValues(
  filter: FilterParameter,
  value: string | number | boolean,
  dialect: Dialect,
): Record<string, Bound> {
  const { name, comparison, field } = filter;
  if (comparison.startsWith('folded')) {
    const text = fold(String(value));
    const bound = encode(text, foldedType, dialect);
    const end = encode(afterAll(text), foldedType, dialect);
    // As `length` counts: characters of a text, bytes of bytes.
    const size = bound instanceof Uint8Array ? bound.length : [...text].length;
    return { [name]: bound, [`${name}#end`]: end, [`${name}#size`]: size };
  }
  if (filter.accepts.kind === 'uuid') return { [name]: String(value) };
  const bound = encode(value, columnTypeOf(filter.accepts), dialect);
  return kinds[field.kind].isFolded ? { [name]: bound, [`${name}#key`]: keyHash(String(value)) } : { [name]: bound };
}
