// Updates of existing rows by steps, in SQL that all engines share.

import type { Bound } from '../../storage/schema/cells.ts';
import { encode } from '../../storage/schema/columns.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import { typeOf } from '../plan/column-type.ts';
import { columnIn, type Schema, type SchemaColumn } from '../plan/schema.ts';
import type { FillValue, Step } from '../plan/steps.ts';

/** Puts the fill of a change in the place of what is unset. @param from the column before */
export function fillUnset(
  step: Extract<Step, { readonly do: 'changeColumn' }>,
  from: SchemaColumn,
  dialect: Dialect,
): string[] {
  if (step.fill === undefined) return [];
  const column = dialect.quote(step.column.name);
  // A text that is never empty has no place for what was unset as the empty one either.
  const isFilled = step.column.filled === true && from.filled !== true && from.values === undefined;
  const unset = `${column} is null${isFilled ? ` or ${column} = ''` : ''}`;
  return [`update ${dialect.quote(step.table)} set ${column} = ${fillSql(from, step.fill, dialect)} where ${unset}`];
}

/** A text that was unset as the empty one is unset as null from now on. @param from the column before */
export function emptyToNull(
  { table, column: to }: Extract<Step, { readonly do: 'changeColumn' }>,
  from: SchemaColumn,
  { quote }: Dialect,
): string[] {
  if (to.nullable !== true || to.filled !== true || from.filled === true || from.values !== undefined) return [];
  return [`update ${quote(table)} set ${quote(to.name)} = null where ${quote(to.name)} = ''`];
}

/** Gives the values of an enum their new names; those inside of lists are none of SQL's business. */
export function renameWords(
  step: Extract<Step, { readonly do: 'renameValues' }>,
  before: Schema,
  dialect: Dialect,
): string[] {
  if (columnIn(before, step)?.values === undefined) return [];
  const column = dialect.quote(step.column);
  const pairs = Object.entries(step.values);
  const cases = pairs.map(([now, old]) => `when ${literal(old, dialect)} then ${literal(now, dialect)}`).join(' ');
  const olds = pairs.map(([, old]) => literal(old, dialect)).join(', ');
  return [
    `update ${dialect.quote(step.table)} set ${column} = case ${column} ${cases} end where ${column} in (${olds})`,
  ];
}

/**
 * What the rows that exist get in a new column, '' for null. It stays as the default, for a service that does not know the
 * column yet.
 */
export function defaultSql({ column, fill }: Extract<Step, { readonly do: 'addColumn' }>, dialect: Dialect): string {
  if (column.madeFrom !== undefined && column.nullable !== true) return "''";
  return fill === undefined ? '' : fillSql(column, fill, dialect);
}

/** A value for a column as SQL has it. */
const fillSql = (column: SchemaColumn, fill: FillValue, dialect: Dialect): string =>
  literal(encode(fill, typeOf(column), dialect), dialect);

/** A value as SQL has it; texts of descriptors and of the command line are among them. */
export function literal(value: Bound, { quoteText }: Dialect): string {
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? quoteText(value) : `x'${Buffer.from(value).toString('hex')}'`;
}
