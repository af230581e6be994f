// What columns hold, in words that no engine has of its own; how each is kept says the dialect of an engine, in a row a kind.

import type { Scalar, Value } from '../registry/model.ts';
import { isUuid } from '../values/format.ts';
import type { Dialect } from './dialect.ts';
import type { Bound, Cell } from './session.ts';

/** What a column holds. `folded` and `key` are made from a text beside it; `json` holds a list of plain values, or an object of any form. */
export type ColumnType =
  | { readonly kind: 'id' }
  | { readonly kind: 'text'; readonly length: number }
  | { readonly kind: 'word'; readonly length: number }
  | { readonly kind: 'folded'; readonly length: number }
  | { readonly kind: 'key' }
  | { readonly kind: 'integer' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'date' }
  | { readonly kind: 'dateTime' }
  | { readonly kind: 'json' };
type ColumnKind = ColumnType['kind'];

/** The column of a plain value. Enums and codes are ASCII words; they compare by bytes everywhere. */
export function columnTypeOf(scalar: Scalar): ColumnType {
  switch (scalar.kind) {
    case 'text':
      return { kind: 'text', length: scalar.maxLength };
    case 'enum':
      return { kind: 'word', length: Math.max(...scalar.values.map((value) => value.length)) };
    case 'uuid':
      return { kind: 'id' };
    case 'decimal':
      return { kind: 'decimal', precision: scalar.precision, scale: scalar.scale };
    case 'integer':
    case 'boolean':
    case 'date':
    case 'dateTime':
    case 'json':
      return { kind: scalar.kind };
  }
}

/** How values stand in cells. Null stands for itself, and is neither encoded nor decoded. */
export interface Encoding<T extends ColumnType = ColumnType> {
  encode(value: NonNullable<Value>, type: T): Bound;
  decode(cell: NonNullable<Cell>, type: T): Value;
  /** JavaScript that makes the text of a cell, for writers of JSON; absent where the cell is its own text. */
  source?(cell: string, type: T): string;
  /** Decimals as integers, without their point; these can pass 2^53, so that such a column is selected as text. */
  readonly isScaled?: true;
}

/** How an engine keeps the columns of a kind. */
export interface ColumnFormat<T extends ColumnType = ColumnType> extends Encoding<T> {
  /** The type of a column as DDL says it. */
  sqlType(type: T): string;
}

/** Every kind of column has its format, or an engine does not compile. */
export type ColumnFormats = {
  readonly [K in ColumnKind]: ColumnFormat<Extract<ColumnType, { readonly kind: K }>>;
};

/** How an engine keeps columns of a type. */
export const formatOf = (type: ColumnType, { columns }: Dialect): ColumnFormat => columns[type.kind];

/** The type of a column as DDL says it. */
export const columnSql = (type: ColumnType, dialect: Dialect): string => formatOf(type, dialect).sqlType(type);

/** A value of the engine → what is bound for it. */
export const encode = (value: Value | undefined, type: ColumnType, dialect: Dialect): Bound =>
  value === null || value === undefined ? null : formatOf(type, dialect).encode(value, type);

/** A cell as the database gives it → the value of the engine. */
export const decode = (cell: Cell | undefined, type: ColumnType, dialect: Dialect): Value =>
  cell === null || cell === undefined ? null : formatOf(type, dialect).decode(cell, type);

/** Whether a column must be selected as text, because its integers can pass 2^53. */
export const isReadAsText = (type: ColumnType, dialect: Dialect): boolean => formatOf(type, dialect).isScaled === true;

/** What is bound for a value; undefined for one that no such column holds. */
export function cellOf(value: string | boolean, type: ColumnType, dialect: Dialect): Bound | undefined {
  const isBoolean = typeof value === 'boolean';
  if (isBoolean !== (type.kind === 'boolean')) return undefined;
  if (isBoolean || isHeld(value, type)) return encode(type.kind === 'integer' ? Number(value) : value, type, dialect);
  return undefined;
}

function isHeld(value: string, type: ColumnType): boolean {
  switch (type.kind) {
    case 'id':
      return isUuid(value);
    case 'word':
      return /^[ -~]*$/.test(value);
    case 'integer':
      return /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value));
    case 'decimal': {
      const [whole = '', decimals = ''] = value.replace('-', '').split('.');
      return whole.length <= type.precision - type.scale && decimals.length <= type.scale;
    }
    default:
      return true;
  }
}
