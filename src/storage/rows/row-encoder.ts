// Records to rows, by a function that is generated once for each table: its source is made of places and JSON literals out of the
// descriptor, never of what a request says.
import type { Values } from '../../registry/model/model.ts';
import type { Bound } from '../schema/cells.ts';
import { formatOf } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import { text } from '../schema/encodings.ts';
import type { Binding } from './bindings.ts';

/** Values by key → what is bound for the columns of these bindings. */
export type RowEncoder = (values: Readonly<Values>) => Bound[];

export function compileEncoder(bindings: readonly Binding[], dialect: Dialect): RowEncoder {
  const cells = bindings.map(({ key, type, isPlain }, place) => {
    if (!isPlain || formatOf(type, dialect).encode !== text.encode) return `bindings[${place}].bound(values)`;
    const value = `values[${JSON.stringify(key)}]`;
    return `${value} === null || ${value} === undefined ? null : String(${value})`;
  });
  const body = `"use strict"; return (values) => [${cells.join(', ')}];`;
  return (new Function('bindings', body) as (known: readonly Binding[]) => RowEncoder)(bindings);
}
