// Rows to records, by a function that is generated once for each table: its source is made of places and JSON literals out of the
// descriptor, never of what a request says.
import type { Value, Values } from '../../registry/model/model.ts';
import type { Row } from '../schema/cells.ts';
import { formatOf } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import { isAsItIs } from '../schema/encodings.ts';
import type { Binding } from './bindings.ts';

/** A row of the columns of these bindings → values by key. */
export type RowDecoder = (row: Row) => Values;

export function compileDecoder(bindings: readonly Binding[], dialect: Dialect): RowDecoder {
  const helpers: unknown[] = [];
  const helper = (value: unknown): string => `h[${helpers.push(value) - 1}]`;
  const cells = bindings.map(({ type }, place) => {
    const { decode } = formatOf(type, dialect);
    const cell = `row[${place}]`;
    const decoded = isAsItIs(decode) ? `String(${cell})` : `${helper(decode)}(${cell}, ${helper(type)})`;
    return `${cell} === null || ${cell} === undefined ? null : ${decoded}`;
  });
  const firstOther = bindings.findIndex(({ isPlain }) => !isPlain);
  const plain = firstOther < 0 ? bindings.length : firstOther;
  // What stands in one literal is made at once.
  const made = bindings.slice(0, plain).map(({ key }, place) => `${JSON.stringify(key)}: ${cells[place]}`);
  const others = bindings.slice(plain).map(({ key, isPlain, put }, index) => {
    const value = cells[plain + index];
    if (isPlain) return `values[${JSON.stringify(key)}] = ${value};`;
    return put === undefined ? '' : `${helper(put as (values: Values, value: Value) => void)}(values, ${value});`;
  });
  const body = `"use strict"; return (row) => { const values = { ${made.join(', ')} }; ${others.join(' ')} return values; };`;
  return (new Function('h', body) as (h: readonly unknown[]) => RowDecoder)(helpers);
}
