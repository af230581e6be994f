// How each kind of value is kept and read on each database: the only place where the two differ in values.

import type { Scalar, Value } from '../registry/model.ts';
import { fromDatabaseTime, toDatabaseTime } from '../values/date.ts';
import { scaledToText, textToScaled, trimDecimal } from '../values/decimal.ts';
import type { Bound, Cell, DialectName } from './session.ts';

/** What a column holds. `folded` and `key` are made from a text beside it; `json` holds a list of plain values. */
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
      return { kind: scalar.kind };
  }
}

const sqliteTypes: Record<ColumnKind, string> = {
  id: 'text',
  text: 'text',
  word: 'text',
  folded: 'text',
  key: 'blob',
  integer: 'integer',
  boolean: 'integer',
  decimal: 'integer',
  date: 'text',
  dateTime: 'text',
  json: 'text',
};

/**
 * The type of a column as DDL says it.
 * @param collation The binary collation of the server: exact, without padding.
 */
export function columnSql(type: ColumnType, dialect: DialectName, collation: string): string {
  if (dialect === 'sqlite') return sqliteTypes[type.kind];
  const text = `character set utf8mb4 collate ${collation}`;
  switch (type.kind) {
    case 'id':
      return 'char(36) character set ascii collate ascii_bin';
    case 'text':
      if (type.length <= 255) return `varchar(${type.length}) ${text}`;
      return type.length <= 16_383 ? `text ${text}` : `mediumtext ${text}`;
    case 'word':
      return `varchar(${type.length}) character set ascii collate ascii_bin`;
    case 'folded':
      // Bytes of UTF-8: folding may triple the characters of a text, but never needs more bytes than 4 a character.
      return `varbinary(${type.length * 4})`;
    case 'key':
      return 'binary(32)';
    case 'integer':
      return 'bigint';
    case 'boolean':
      return 'tinyint(1)';
    case 'decimal':
      return `decimal(${type.precision}, ${type.scale})`;
    case 'date':
      return 'date';
    case 'dateTime':
      return 'datetime(3)';
    case 'json':
      // Not JSON: MySQL's own type reformats what it is given, and both databases must answer the same bytes.
      return `mediumtext ${text}`;
  }
}

/** A value of the engine → what is bound for it. */
export function encode(value: Value | undefined, type: ColumnType, dialect: DialectName): Bound {
  if (value === null || value === undefined) return null;
  switch (type.kind) {
    case 'boolean':
      return value === true ? 1 : 0;
    case 'decimal':
      return dialect === 'sqlite' ? textToScaled(String(value), type.scale) : String(value);
    case 'dateTime':
      return dialect === 'sqlite' ? String(value) : toDatabaseTime(String(value));
    case 'folded':
      return dialect === 'sqlite' ? String(value) : Buffer.from(String(value));
    case 'integer':
      return Number(value);
    case 'json':
    case 'id':
    case 'text':
    case 'word':
    case 'date':
      return String(value);
    case 'key':
      throw new Error('keys are made from texts, never from values');
  }
}

/** A cell as the database gives it → the value of the engine. */
export function decode(cell: Cell | undefined, type: ColumnType, dialect: DialectName): Value {
  if (cell === null || cell === undefined) return null;
  switch (type.kind) {
    case 'boolean':
      return Number(cell) === 1;
    case 'integer':
      return Number(cell);
    case 'decimal':
      return dialect === 'sqlite' ? scaledToText(String(cell), type.scale) : trimDecimal(String(cell));
    case 'dateTime':
      return dialect === 'sqlite' ? String(cell) : fromDatabaseTime(String(cell));
    default:
      return String(cell);
  }
}

/** Whether a column must be selected as text, because its integers can pass 2^53 (SQLite keeps decimals scaled). */
export const isReadAsText = (type: ColumnType, dialect: DialectName): boolean =>
  dialect === 'sqlite' && type.kind === 'decimal';
