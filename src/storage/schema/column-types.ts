// Column types that no engine owns, and the interface by which an engine says how it stores each.
import type { Value } from '../../registry/model/model.ts';
import type { Bound, Cell } from './cells.ts';

/**
 * What a column holds. `folded` and `key` are made from a text beside it; `json` holds a list of plain values, or an object of any
 * form; `bytes` are part of a file, and no value of a record.
 */
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
  | { readonly kind: 'json' }
  | { readonly kind: 'bytes' };
type ColumnKind = ColumnType['kind'];

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
