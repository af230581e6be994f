// Kysely as a compiler: statements are built once, with a marker for each value, and kept as text.
import type { Compilable, Kysely, RawBuilder } from 'kysely';
import { unreachable } from '../../unreachable.ts';
import type { Bound } from './cells.ts';
import type { Dialect } from './dialect.ts';
import { type AnyDatabase, Param } from './sql.ts';

/** A statement as text, and the names of its values in the order of their places. */
export interface Statement {
  readonly sql: string;
  readonly names: readonly string[];
}

/** Compiles a query whose values are all `Param`s. */
export function compile(query: Compilable | RawBuilder<unknown>, dialect: Dialect): Statement {
  const compiled = query.compile(dialect.builder as Kysely<unknown> & Kysely<AnyDatabase>);
  const names = compiled.parameters.map((parameter) => {
    if (!(parameter instanceof Param)) unreachable(`a value was compiled into "${compiled.sql}"`);
    return parameter.name;
  });
  return Object.freeze({ sql: compiled.sql, names: Object.freeze(names) });
}

/** The values of a statement, in the order of its places. @throws when one is missing: NULL must be meant. */
export function bind(statement: Statement, values: Readonly<Record<string, Bound>>): Bound[] {
  const bound: Bound[] = [];
  for (const name of statement.names) {
    const value = values[name];
    if (value === undefined) unreachable(`no value for "${name}" of "${statement.sql}"`);
    bound.push(value);
  }
  return bound;
}
