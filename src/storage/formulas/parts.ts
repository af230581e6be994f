// Parts of formulas in SQL: what is known of each, and what they are put together with.
import type { Tree, Type } from '../../formulas/language/tree.ts';
import type { ColumnType } from '../schema/column-types.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Extent } from '../schema/formula-spelling.ts';
import { type Sql, words } from '../schema/sql.ts';

/** A formula in SQL, and the column that its values are like: how they are selected and read. */
export interface FormulaSql {
  readonly sql: Sql;
  readonly type: ColumnType;
  /** Whether it is a column of the table, which an index may hold. */
  readonly isColumn?: boolean;
}

/** The column of a record's own field, or of what it stands in `up` steps above, by its key; undefined where it has none. */
export type ColumnsOf = (key: string, up: number) => FormulaSql | undefined;

/** Thrown where SQL cannot say a part, or not exactly. */
export class Unsayable extends Error {}

/** Some spellings say a part twice or more, so that a few dozen functions in each other would fill megabytes. */
const mostParts = 2000;

/** A part of a formula in SQL. */
export interface Part {
  readonly sql: Sql;
  /** How many columns and literals it holds. */
  readonly size: number;
}
/** A number, with how many digits it can have. */
export type NumberPart = Part & Extent & { readonly kind: 'number' };
export type PlainPart = Part & {
  readonly kind: 'text' | 'bool' | 'date' | 'instant' | 'null';
  /** Whether it is never null. */
  readonly isSure: boolean;
};
export type AnyPart = NumberPart | PlainPart;

/** What parts are written with. */
export interface Writer {
  readonly columns: ColumnsOf;
  readonly dialect: Dialect;
  readonly says: Dialect['formulas'];
  /** A part of a formula in SQL. @throws Unsayable */
  part(tree: Tree): AnyPart;
}

/** Times and ids are texts in every engine. */
export const kindOf = ({ kind }: Type): PlainPart['kind'] => {
  if (kind === 'time' || kind === 'id') return 'text';
  if (kind === 'text' || kind === 'bool' || kind === 'date' || kind === 'instant' || kind === 'null') return kind;
  throw new Unsayable();
};

/** Puts parts together. @param times how often the SQL says them */
export function sized(parts: readonly Part[], times = 1): number {
  const size = parts.reduce((sum, part) => sum + part.size * times, 1);
  if (size > mostParts) throw new Unsayable();
  return size;
}

/** Null. */
export const nothing: PlainPart = { kind: 'null', sql: words('null'), size: 1, isSure: false };
/** A part that is true or false. */
export const bool = (text: Sql, parts: readonly Part[], isSure = true): PlainPart => ({
  kind: 'bool',
  sql: text,
  size: sized(parts),
  isSure,
});

/** For a part that SQL never says. */
export const unsayable = (): never => {
  throw new Unsayable();
};

/** What a formula is that is only the column of a field. */
export function columnIn(tree: Tree, columns: ColumnsOf): FormulaSql | undefined {
  if (tree.op !== 'field' || tree.of.op !== 'self' || tree.member.kind !== 'value') return undefined;
  const column = columns(tree.member.key, tree.of.up);
  return column?.isColumn === true ? column : undefined;
}

/** An argument of a function, which has been checked to be there. */
export function argumentPart(writer: Writer, tree: Tree | undefined): AnyPart {
  return tree === undefined ? unsayable() : writer.part(tree);
}
