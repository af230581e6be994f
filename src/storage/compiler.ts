// Kysely as a compiler: statements are built once, with a marker for each value, and kept as text.
import type { Compilable, Kysely, RawBuilder } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Bound } from './session.ts';

/** Any table with any column: tables come from descriptors, at run time. */
export type AnyDatabase = Record<string, Record<string, unknown>>;

/** Stands for a value that is bound when the statement runs. */
export class Param {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A statement as text, and the names of its values in the order of their places. */
export interface Statement {
  readonly sql: string;
  readonly names: readonly string[];
}

/** Compiles a query whose values are all `Param`s. */
export function compile(query: Compilable | RawBuilder<unknown>, dialect: Dialect): Statement {
  const compiled = query.compile(dialect.builder as Kysely<unknown> & Kysely<AnyDatabase>);
  const names = compiled.parameters.map((parameter) => {
    if (!(parameter instanceof Param)) throw new Error(`a value was compiled into "${compiled.sql}"`);
    return parameter.name;
  });
  return Object.freeze({ sql: compiled.sql, names: Object.freeze(names) });
}

/** The values of a statement, in the order of its places. @throws when one is missing: NULL must be meant. */
export function bind(statement: Statement, values: Readonly<Record<string, Bound>>): Bound[] {
  return statement.names.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for "${name}" of "${statement.sql}"`);
    return value;
  });
}
