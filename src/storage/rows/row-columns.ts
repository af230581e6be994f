// The columns of a group's own table, and conditions over them: equality and bounds, with the values that are bound to them.
import { sql } from 'kysely';
import type { Resource, Values } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import type { Bound } from '../schema/cells.ts';
import { cellOf } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import { Param, type Sql } from '../schema/sql.ts';
import { hashedFields, keyColumn } from '../schema/tables.ts';
import { type Binding, fieldBindings } from './bindings.ts';

/** A condition beside equality. `key` is that of a field, or `id`; null passes only with `orNull`. */
export interface Bounds {
  readonly key: string;
  readonly operator: '<=' | '>=' | '!=';
  readonly value: string;
  readonly orNull?: boolean;
}

/** The columns of a group's own table. */
export const rowBindings = (resource: Resource, dialect: Dialect): Binding[] => {
  const hashed = hashedFields(resource);
  return resource.fields.flatMap((field) => fieldBindings(field, hashed, dialect));
};

/** Columns by their names, and by the keys of fields. */
export class RowColumns {
  readonly bindings: readonly Binding[];
  readonly #resource: Resource;
  readonly #dialect: Dialect;
  readonly #byColumn: ReadonlyMap<string, Binding>;

  constructor(resource: Resource, dialect: Dialect) {
    this.#resource = resource;
    this.#dialect = dialect;
    this.bindings = rowBindings(resource, dialect);
    this.#byColumn = new Map(this.bindings.map((binding) => [binding.column, binding]));
  }

  /** Bound value of one of the group's columns: what a row would hold. @returns undefined for other columns. */
  cellOf(column: string, values: Readonly<Values>): Bound | undefined {
    return this.#byColumn.get(column)?.bound(values);
  }

  /** Whether the column of a field, or of one in an object (`budget.kind`), can hold a value as formulas have it. */
  canHold(key: string, value: string | boolean): boolean {
    const binding = this.#byColumn.get(this.columnOf(key));
    return binding !== undefined && cellOf(value, binding.type, this.#dialect) !== undefined;
  }

  /** ` and …` for each of the bounds. */
  within(bounds: readonly Bounds[]): Sql {
    const conditions = bounds.map(({ key, operator, orNull }, place) => {
      const column = sql.ref(this.columnOf(key));
      const within = sql`${column} ${sql.raw(operator)} ${new Param(`bound${place}`)}`;
      return orNull === true ? sql` and (${within} or ${column} is null)` : sql` and ${within}`;
    });
    return conditions.length === 0 ? sql`` : sql.join(conditions, sql``);
  }

  /** What the parameters of `within` are bound to. */
  boundValues(bounds: readonly Bounds[]): Record<string, Bound> {
    return Object.fromEntries(
      bounds.map(({ key, value }, place) => [
        `bound${place}`,
        this.cellOf(this.columnOf(key), { [key]: value }) ?? null,
      ]),
    );
  }

  /** Whether the fields with these keys are as in `where`. */
  equals(keys: readonly string[], where: Readonly<Values>): Sql {
    const conditions = keys.map((key) => {
      const column = sql.ref(this.lookedUp(key));
      return where[key] === null ? sql`${column} is null` : sql`${column} = ${new Param(key)}`;
    });
    return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
  }

  /** What is behind a record in the order of these keys, of which nothing is the first. In the spelling that uses the index. */
  behind([key = '', ...others]: readonly string[], after: Readonly<Values>): Sql {
    const [column, value] = [sql.ref(this.columnOf(key)), new Param(`after:${key}`)];
    const isNull = (after[key] ?? null) === null;
    const isMore = isNull ? sql`${column} is not null` : sql`${column} > ${value}`;
    if (others.length === 0) return isMore;
    const either = sql`(${isMore} or ${this.behind(others, after)})`;
    return isNull ? either : sql`${column} >= ${value} and ${either}`;
  }

  /** What the parameters of `behind` are bound to. */
  afterValues(keys: readonly string[], after: Readonly<Values>): Record<string, Bound> {
    return Object.fromEntries(keys.map((key) => [`after:${key}`, this.cellOf(this.columnOf(key), after) ?? null]));
  }

  /** The column of a field, or of one in an object. */
  columnOf(key: string): string {
    const [root = '', inside] = key.split('.');
    const field = this.#resource.byKey.get(root);
    const column = (field?.kind === 'object' ? field.fields.find((one) => one.key === inside) : field)?.column;
    if (column === undefined || column === '') unreachable(`${this.#resource.name} keeps no "${key}"`);
    return column;
  }

  /** The column that finds a value: texts of a unique key are the same when the key says so, and it has an index. */
  lookedUp(key: string): string {
    const column = this.columnOf(key);
    return this.#byColumn.has(keyColumn(column)) ? keyColumn(column) : column;
  }

  /** What the parameters of `equals` are bound to. */
  whereValues(keys: readonly string[], where: Readonly<Values>): Record<string, Bound> {
    return Object.fromEntries(keys.map((key) => [key, this.cellOf(this.lookedUp(key), nested(key, where)) ?? null]));
  }
}

/** Values by their keys, one of an object within it. */
function nested(key: string, where: Readonly<Values>): Readonly<Values> {
  const [root = '', inside] = key.split('.');
  return inside === undefined ? where : { [root]: { [inside]: where[key] ?? null } };
}

/** What tells the conditions of one statement from those of another: null is compared in another way. */
export const shapeOf = (keys: readonly string[], where: Readonly<Values>): string =>
  keys.map((key) => (where[key] === null ? `${key}-` : key)).join();

/** The same of bounds. */
export const boundsShape = (bounds: readonly Bounds[]): string =>
  bounds.map(({ key, operator, orNull }) => `${key}${operator}${orNull === true ? '-' : ''}`).join();
