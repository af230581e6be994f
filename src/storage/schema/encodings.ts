// Encodings of values in cells; a dialect chooses one for each column type.
import { unreachable } from '../../unreachable.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../values/date.ts';
import { trimDecimal } from '../../values/decimal.ts';
import { scaledToText, textToScaled } from '../../values/scaled.ts';
import type { ColumnType, Encoding } from './column-types.ts';

type Decimal = Extract<ColumnType, { readonly kind: 'decimal' }>;

/** What the code of writers calls (`Encoding.source`). */
export const conversions = {
  decimal: trimDecimal,
  scaled: scaledToText,
  time: fromDatabaseTime,
};

/** As it is. */
export const text: Encoding = { encode: (value) => String(value), decode: (cell) => String(cell) };

/** A text as the bytes of its UTF-8, which are compared without a collation. */
export const utf8: Encoding = { encode: (value) => Buffer.from(String(value)), decode: (cell) => String(cell) };

/** Bytes: the hash of a text, a part of a file. They are bound as they were made. */
export const digest: Encoding = {
  encode() {
    unreachable('bytes are bound as they are, and made from no value');
  },
  decode: (cell) => String(cell),
};

/** Whether a cell is its value already. */
export const isAsItIs = (decode: Encoding['decode']): boolean => decode === text.decode || decode === utf8.decode;

export const number: Encoding = { encode: (value) => Number(value), decode: (cell) => Number(cell) };

/** 1 and 0. */
export const bit: Encoding = { encode: (value) => (value === true ? 1 : 0), decode: (cell) => Number(cell) === 1 };

/** A decimal of the database. */
export const pointed: Encoding = {
  encode: (value) => String(value),
  decode: (cell) => trimDecimal(String(cell)),
  source: (cell) => `runtime.decimal(String(${cell}))`,
};

/** A decimal as an integer of its smallest unit, where the database has no decimals that are exact. */
export const scaled: Encoding<Decimal> = {
  encode: (value, { scale }) => textToScaled(String(value), scale),
  decode: (cell, { scale }) => scaledToText(String(cell), scale),
  source: (cell, { scale }) => `runtime.scaled(String(${cell}), ${scale})`,
  isScaled: true,
};

/** A moment of the database, `2026-02-28 10:11:12.345`, in UTC. */
export const moment: Encoding = {
  encode: (value) => toDatabaseTime(String(value)),
  decode: (cell) => fromDatabaseTime(String(cell)),
  source: (cell) => `runtime.time(String(${cell}))`,
};
