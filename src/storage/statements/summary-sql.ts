// Statements that add up a slice of records, or the items of a list of theirs: one row a group.
import { sql } from 'kysely';
import type { Field, ObjectsField, Registry } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import type { ColumnType } from '../schema/column-types.ts';
import { columnTypeOf, isReadAsText } from '../schema/columns.ts';
import { compile, type Statement } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { LruCache } from '../schema/lru-cache.ts';
import { and, type Sql, words } from '../schema/sql.ts';
import { listIndexOf, listTableName } from '../schema/tables.ts';
import { exprSql, joinsSql } from './filter-sql.ts';
import type { Plan, Span } from './plan.ts';
import { type Slice, SliceSql, type SliceWay, wordOf } from './slice-sql.ts';
import { Builder, fieldExpr, idType, type View } from './view.ts';

/** A field, and what it comes to: as little as is asked for. */
export interface Measured {
  readonly field: Field;
  readonly isCounted: boolean;
  readonly isAdded: boolean;
  readonly hasLeast: boolean;
  readonly hasGreatest: boolean;
}

/** What is added up, and by what. */
export interface SummaryShape {
  /** Paths of fields: of the record, and of the record behind a reference. */
  readonly by: readonly (readonly Field[])[];
  readonly measures: readonly Measured[];
  readonly list: ObjectsField | undefined;
  /** The same for the same shape. */
  readonly text: string;
}

/** The cells of one measure in a row of a summary: those that are asked for. */
export interface MeasureCells {
  readonly count: number | undefined;
  readonly sum: readonly number[];
  readonly least: number | undefined;
  readonly greatest: number | undefined;
}

/** The type of the column that a field is kept in: that of an id, for a reference. */
export const typeOfValue = (field: Field): ColumnType =>
  field.kind === 'reference' ? idType : columnTypeOf(field as Parameters<typeof columnTypeOf>[0]);

/** Where the cells of a summary stand in its rows: groups first, then how many, then the measures. */
export function cellsOf({ by, measures }: SummaryShape, { sums }: Dialect): readonly MeasureCells[] {
  let next = by.length + 1;
  const take = (): number => {
    next += 1;
    return next - 1;
  };
  return measures.map(({ isCounted, isAdded, hasLeast, hasGreatest }) => ({
    count: isCounted ? take() : undefined,
    sum: Array.from({ length: isAdded ? sums.cells : 0 }, take),
    least: hasLeast ? take() : undefined,
    greatest: hasGreatest ? take() : undefined,
  }));
}

/**
 * The index that holds all that a summary of a whole list asks for, so that no record is looked at: first the records without a
 * value, then those with one. Undefined where there is none.
 */
export function coverOf({ resource, shownElsewhere }: View, shape: SummaryShape): readonly Span[] | undefined {
  const [[field, behind] = [], ...others] = shape.by;
  if (field === undefined || behind !== undefined || others.length > 0 || shape.list !== undefined) return undefined;
  if (shownElsewhere.has(field)) return undefined;
  if (!shape.measures.every((measure) => measure.field === field || measure.field.key === 'createdAt'))
    return undefined;
  const index = listIndexOf(resource, field);
  if (index === undefined) return undefined;
  const span = { index, column: field.column, type: typeOfValue(field), filters: [], ofDays: false };
  return [
    { ...span, isUnset: true },
    { ...span, isUnset: false },
  ];
}

export class SummaryQueries {
  readonly #registry: Registry;
  readonly #view: View;
  readonly #dialect: Dialect;
  readonly #kept: LruCache<Statement>;

  /** @param kept Shared with other groups. */
  constructor(registry: Registry, view: View, { dialect, kept }: { dialect: Dialect; kept: LruCache<Statement> }) {
    this.#registry = registry;
    this.#view = view;
    this.#dialect = dialect;
    this.#kept = kept;
  }

  /** A slice, added up. Values: those of the filters and of the ends of the slice. */
  slice({ filters }: Plan, way: SliceWay, { shape, slice }: { shape: SummaryShape; slice: Slice }): Statement {
    const key = `${this.#view.key} summary ${shape.text} ${wordOf(way)} ${slice.isBehind} ${slice.isBounded}?${filters.map(({ name }) => name).join('&')}`;
    return this.#kept.get(key, () => compile(this.#sliceSql(filters, way, { shape, slice }), this.#dialect));
  }

  #sliceSql(filters: Plan['filters'], way: SliceWay, { shape, slice }: { shape: SummaryShape; slice: Slice }): Sql {
    const slices = new SliceSql(this.#view, this.#dialect);
    const builder = new Builder(this.#registry, { prefix: 's' });
    const groups = shape.by.map((path) => this.#groupSql(builder, path));
    const others = slices.others(way, filters);
    const { from, conditions } = slices.entries(way, slice);
    const measures = shape.measures.flatMap((measure) => this.#measureSql(measure, shape.list));
    const cells = sql.join([...groups, words('count(*)'), ...measures]);
    const where = and([...conditions, ...slices.conditions(others)]);
    const places = groups.map((_group, place) => String(place + 1)).join(', ');
    const by = groups.length === 0 ? words('') : words(`group by ${places}`);
    return sql`select ${cells} from ${from} ${this.#items(shape.list)} ${slices.joinsFor(others)} ${joinsSql(builder.joins)} where ${where} ${by}`;
  }

  #items(list: ObjectsField | undefined): Sql {
    if (list === undefined) return words('');
    return sql`join ${sql.table(listTableName(this.#view.resource, list))} as l on l.owner_id = t.id`;
  }

  #groupSql(builder: Builder, path: readonly Field[]): Sql {
    const [first, second] = path;
    if (first === undefined) return unreachable('a group of nothing');
    const own = fieldExpr(builder, { resource: this.#view.resource, alias: 't' }, first);
    if (second === undefined) return this.#shown(exprSql(own), first);
    if (first.kind !== 'reference') return unreachable(`${first.name} is no reference`);
    const behind = builder.join(builder.resource(first.target), own);
    return this.#shown(exprSql(fieldExpr(builder, behind, second)), second);
  }

  #measureSql({ field, ...asked }: Measured, list: ObjectsField | undefined): readonly Sql[] {
    const column = sql.ref(`${list === undefined ? 't' : 'l'}.${field.column}`);
    return [
      ...(asked.isCounted ? [sql`count(${column})`] : []),
      ...(asked.isAdded ? this.#dialect.sums.sql(column) : []),
      ...(asked.hasLeast ? [this.#shown(sql`min(${column})`, field)] : []),
      ...(asked.hasGreatest ? [this.#shown(sql`max(${column})`, field)] : []),
    ];
  }

  #shown(value: Sql, field: Field): Sql {
    return isReadAsText(typeOfValue(field), this.#dialect) ? sql`cast(${value} as text)` : value;
  }
}
