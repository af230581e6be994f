// Encodes values for columns and decodes cells, as the dialect stores each type.

import type { Scalar, Value } from '../../registry/model/model.ts';
import { isUuid } from '../../values/format.ts';
import type { Bound, Cell } from './cells.ts';
import type { ColumnFormat, ColumnType } from './column-types.ts';
import type { Dialect } from './dialect.ts';

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

/** Whether a column of a type holds a number that is given as text, or an id. */
export function isHeld(value: string, type: ColumnType): boolean {
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
