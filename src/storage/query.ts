// View → statements that read: a page, one record, and the lists of a page. Each is compiled when it is first needed and kept.
import { type RawBuilder, sql } from 'kysely';
import type { FilterParameter } from '../endpoints/endpoint.ts';
import { fold, keyHash } from '../values/fold.ts';
import { columnTypeOf, encode, isReadAsText } from './columns.ts';
import { compile, Param, type Statement } from './compiler.ts';
import type { Kept } from './kept.ts';
import type { Bound, DialectName } from './session.ts';
import { foldedColumn, isFolded, keyColumn, keyLeaders, listTableName, orderIndex, searchIndex } from './tables.ts';
import type { Cell, Expr, Join, ListView, Test, View } from './view.ts';

/** Where a page begins: nowhere, at a known place, or at a record that the statement looks up. */
export type Start = 'first' | 'after' | 'before' | 'afterLookup' | 'beforeLookup';

/** More characters than a folded text of a filtered field has: 255, of which folding makes three each at most. */
const longestFolded = 1000;

type Sql = RawBuilder<unknown>;
const param = (name: string): Sql => sql`${new Param(name)}`;
const words = (text: string): Sql => sql.raw(text);
const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? words('1 = 1') : sql.join([...conditions], words(' and '));

function exprSql(expr: Expr): Sql {
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
    case 'inEffect': {
      const value = sql.ref(`e.${expr.column}`);
      const own = sql`from ${sql.table(expr.table)} as e where ${sql.ref(`e.${expr.owner}`)} = ${sql.ref(`${expr.alias}.id`)}`;
      return sql`coalesce((select ${value} ${own} and e.start <= ${param('today')} order by e.start desc limit 1), (select ${value} ${own} order by e.start limit 1))`;
    }
  }
}

function testSql(test: Test): Sql {
  const column = sql.ref(`${test.alias}.${test.column}`);
  if (test.literal === null) return test.operator === '==' ? sql`${column} is null` : sql`${column} is not null`;
  const literal = typeof test.literal === 'boolean' ? sql.lit(test.literal ? 1 : 0) : sql.lit(test.literal);
  // A nullable column that is null differs from every literal.
  return test.operator === '==' ? sql`${column} = ${literal}` : sql`(${column} <> ${literal} or ${column} is null)`;
}

const cellsSql = (cells: readonly Cell[], dialect: DialectName): Sql =>
  sql.join(
    cells.map(({ expr, type }) => (isReadAsText(type, dialect) ? sql`cast(${exprSql(expr)} as text)` : exprSql(expr))),
  );

const joinsSql = (joins: readonly Join[]): Sql =>
  sql.join(
    joins.map(({ alias, table, on }) => {
      // The only record goes by its id too: joined by `1 = 1`, MariaDB buffers it first, then sorts the whole list.
      const id = on === undefined ? sql`(select id from ${sql.table(table)} limit 1)` : exprSql(on);
      return sql`left join ${sql.table(table)} as ${sql.ref(alias)} on ${sql.ref(`${alias}.id`)} = ${id}`;
    }),
    words(' '),
  );

/** The one spelling of a keyset whose cost stays flat with depth on both databases. */
function keyset(start: Start, created: Sql, id: Sql, lookupTable: string): Sql[] {
  if (start === 'first') return [];
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

/** The condition of a filter. Its values are named after the parameter. */
function filterSql(view: View, filter: FilterParameter, dialect: DialectName): Sql {
  const { name, field, list, comparison } = filter;
  const value = param(name);
  if (comparison === 'holds') {
    const table = listTableName(view.resource, (list ?? field) as Parameters<typeof listTableName>[1]);
    const column = list === undefined ? 'target_id' : field.column;
    return sql`exists (select 1 from ${sql.table(table)} as f where f.owner_id = t.id and ${sql.ref(`f.${column}`)} = ${value})`;
  }
  const elsewhere = view.shownElsewhere.get(field);
  const own = elsewhere === undefined ? sql.ref(`t.${field.column}`) : exprSql(elsewhere);
  const folded = sql.ref(`t.${foldedColumn(field.column)}`);
  switch (comparison) {
    case 'equals': {
      const isKey = elsewhere === undefined && keyLeaders(view.resource).has(field);
      return isKey
        ? sql`${sql.ref(`t.${keyColumn(field.column)}`)} = ${param(`${name}#key`)} and ${own} = ${value}`
        : sql`${own} = ${value}`;
    }
    case 'foldedEquals':
      return sql`${folded} = ${value}`;
    case 'foldedContains':
      return sql`${dialect === 'sqlite' ? sql`instr(${folded}, ${value})` : sql`locate(${value}, ${folded})`} > 0`;
    case 'foldedStartsWith':
      return sql`${folded} >= ${value} and ${folded} < ${param(`${name}#end`)}`;
    case 'foldedEndsWith': {
      const size = param(`${name}#size`);
      return sql`length(${folded}) >= ${size} and substr(${folded}, length(${folded}) - ${size} + 1) = ${value}`;
    }
    case 'after':
      return sql`${own} > ${value}`;
    case 'onAfter':
      return sql`${own} >= ${value}`;
    case 'before':
      return sql`${own} < ${value}`;
    case 'onBefore':
      return sql`${own} <= ${value}`;
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
  dialect: DialectName,
): Record<string, Bound> {
  const { name, comparison, field } = filter;
  if (comparison.startsWith('folded')) {
    const text = fold(String(value));
    const asBound = (part: string): Bound => (dialect === 'sqlite' ? part : Buffer.from(part));
    const size = dialect === 'sqlite' ? [...text].length : Buffer.byteLength(text);
    return { [name]: asBound(text), [`${name}#end`]: asBound(afterAll(text)), [`${name}#size`]: size };
  }
  if (filter.accepts.kind === 'uuid') return { [name]: String(value) };
  const bound = encode(value, columnTypeOf(filter.accepts), dialect);
  return field.kind === 'text' ? { [name]: bound, [`${name}#key`]: keyHash(String(value)) } : { [name]: bound };
}

/** The statements that read one group. */
export class Queries {
  readonly view: View;
  readonly #dialect: DialectName;
  readonly #kept: Kept<Statement>;
  #get: Statement | undefined;

  /** @param kept Shared with other groups. */
  constructor(view: View, dialect: DialectName, kept: Kept<Statement>) {
    this.view = view;
    this.#dialect = dialect;
    this.#kept = kept;
  }

  /** One record by `id`; of a singleton, the one. */
  get(): Statement {
    const { view } = this;
    const where = view.resource.singleton ? words('') : sql`where t.id = ${param('id')}`;
    this.#get ??= compile(
      sql`select ${cellsSql(view.cells, this.#dialect)} from ${sql.table(view.table)} as t ${joinsSql(view.joins)} ${where} limit 1`,
      this.#dialect,
    );
    return this.#get;
  }

  /** A page for one set of filters. Values: those of the filters, `limit`, and `cursorTime`, `cursorId` unless it is the first. */
  page(filters: readonly FilterParameter[], start: Start): Statement {
    const key = `page ${this.view.table} ${start}?${filters.map(({ name }) => name).join('&')}`;
    return this.#kept.get(key, () => compile(this.#pageSql(filters, start), this.#dialect));
  }

  #pageSql(filters: readonly FilterParameter[], start: Start): Sql {
    const { view } = this;
    const [only] = filters;
    const isSearch = only?.comparison === 'foldedContains' || only?.comparison === 'foldedEndsWith';
    if (filters.length === 1 && only !== undefined && isSearch && isFolded(only.field))
      return this.#searchSql(only, start);
    const driver = filters.find((filter) => filter.comparison === 'holds' && filter.list === undefined);
    const rest = filters.filter((filter) => filter !== driver);
    const [created, id] =
      driver === undefined
        ? [sql.ref('t.created_at'), sql.ref('t.id')]
        : [sql.ref('f0.created_at'), sql.ref('f0.owner_id')];
    const conditions = rest.map((filter) => filterSql(view, filter, this.#dialect));
    if (driver !== undefined) conditions.unshift(sql`f0.target_id = ${param(driver.name)}`, sql`t.id = f0.owner_id`);
    conditions.push(...keyset(start, created, id, view.table));
    const from = driver === undefined ? this.#mainSql(filters.length === 0) : this.#drivenSql(driver);
    return this.#selectSql(from, conditions, created, id, start);
  }

  /** The group's own table; without a filter the optimizer is held to the order of the list. */
  #mainSql(isWhole: boolean): Sql {
    const hint = !isWhole ? '' : this.#dialect === 'mysql' ? `force index (${orderIndex(this.view.table)})` : '';
    return sql`${sql.table(this.view.table)} as t ${words(hint)}`;
  }

  /** From the links to the records: a page of "all that hold this one" is read along the links' own index. */
  #drivenSql(driver: FilterParameter): Sql {
    const table = listTableName(this.view.resource, driver.field as Parameters<typeof listTableName>[1]);
    return sql`${sql.table(table)} as f0 ${words(this.#dialect === 'mysql' ? 'straight_join' : 'cross join')} ${sql.table(this.view.table)} as t`;
  }

  #selectSql(from: Sql, conditions: readonly Sql[], created: Sql, id: Sql, start: Start): Sql {
    const direction = words(start === 'before' || start === 'beforeLookup' ? 'asc' : 'desc');
    return sql`select ${cellsSql(this.view.cells, this.#dialect)} from ${from} ${joinsSql(this.view.joins)} where ${and(conditions)} order by ${created} ${direction}, ${id} ${direction} limit ${param('limit')}`;
  }

  /** Finds the ids along an index that holds the text, and joins the rest of the record to the few that match. */
  #searchSql(filter: FilterParameter, start: Start): Sql {
    const { view } = this;
    const direction = words(start === 'before' || start === 'beforeLookup' ? 'asc' : 'desc');
    const index = searchIndex(view.table, foldedColumn(filter.field.column));
    const hint = words(this.#dialect === 'mysql' ? `force index (${index})` : `indexed by ${index}`);
    const conditions = [
      filterSql(view, filter, this.#dialect),
      ...keyset(start, sql.ref('t.created_at'), sql.ref('t.id'), view.table),
    ];
    const found = sql`select t.id, t.created_at from ${sql.table(view.table)} as t ${hint} where ${and(conditions)} order by t.created_at ${direction}, t.id ${direction} limit ${param('limit')}`;
    const join = words(this.#dialect === 'mysql' ? 'straight_join' : 'cross join');
    return sql`select ${cellsSql(view.cells, this.#dialect)} from (${found}) as x ${join} ${sql.table(view.table)} as t on t.id = x.id ${joinsSql(view.joins)} order by x.created_at ${direction}, x.id ${direction}`;
  }

  /** At most `limit` rows of a list for `count` records, by `owner0`, `owner1`…; grouped by owner, in the order of the list. */
  list(list: ListView, count: number): Statement {
    const key = `list ${this.view.table} ${list.table}.${list.field.key}:${count}`;
    return this.#kept.get(key, () => compile(this.#listSql(list, count), this.#dialect));
  }

  #listSql(list: ListView, count: number): Sql {
    const owner = sql.ref(`${list.alias}.${list.ownerColumn}`);
    const owners = sql.join(Array.from({ length: count }, (_value, place) => param(`owner${place}`)));
    const order = sql.join([owner, ...list.order.map((column) => sql.ref(`${list.alias}.${column}`))]);
    // The links go first: left to itself, MySQL's optimizer at times begins with the other group.
    const first = words(this.#dialect === 'mysql' ? 'select straight_join' : 'select');
    return sql`${first} ${cellsSql(list.cells, this.#dialect)} from ${sql.table(list.table)} as ${sql.ref(list.alias)} ${joinsSql(list.joins)} where ${owner} in (${owners}) order by ${order} limit ${param('limit')}`;
  }
}

/** Lengths of id lists are rounded up, so that the number of prepared statements stays small. */
export function paddedCount(count: number): number {
  if (count <= 16) return count;
  return count <= 100 ? Math.ceil(count / 10) * 10 : Math.ceil(count / 100) * 100;
}
