// Fragments of SQL: Kysely's raw builders with a named parameter for each value.
import { type RawBuilder, sql } from 'kysely';
import type { SimpleCondition } from '../../registry/model/model.ts';

/** A piece of a statement. */
export type Sql = RawBuilder<unknown>;

/** Any table with any column: tables come from descriptors, at run time. */
export type AnyDatabase = Record<string, Record<string, unknown>>;

/** Stands for a value that is bound when the statement runs. */
export class Param {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** So many rows at most. SQLite wants it marked. */
export class LimitParam extends Param {}

/** The place of a value. */
export const param = (name: string): Sql => sql`${new Param(name)}`;
/** `limit`, and the place of the number. */
export const limitTo = (name: string): Sql => sql`limit ${new LimitParam(name)}`;
/** SQL as it stands. */
export const words = (text: string): Sql => sql.raw(text);
export const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? words('1 = 1') : sql.join([...conditions], words(' and '));

/** A condition on one column of a row under an alias. */
export interface Test extends Pick<SimpleCondition, 'operator' | 'literal'> {
  readonly alias: string;
  readonly column: string;
}

/** What is null differs from every literal. */
export function testSql({ alias, column: name, operator, literal }: Test): Sql {
  const column = sql.ref(`${alias}.${name}`);
  if (literal === null) return operator === '==' ? sql`${column} is null` : sql`${column} is not null`;
  const value = typeof literal === 'boolean' ? sql.lit(literal ? 1 : 0) : sql.lit(literal);
  return operator === '==' ? sql`${column} = ${value}` : sql`(${column} <> ${value} or ${column} is null)`;
}
