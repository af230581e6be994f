// Fill conflicts: rows for which the formula of a fill gives what its column cannot hold, found before the first step.

import type { Value } from '../../registry/model/model.ts';
import type { Bound, Cell } from '../../storage/schema/cells.ts';
import { encode } from '../../storage/schema/columns.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import { typeOf } from '../plan/column-type.ts';
import type { Fill } from '../plan/fill-formula.ts';
import { settledName } from '../plan/passing-name.ts';
import type { SchemaColumn, SchemaTable } from '../plan/schema.ts';
import { scanRows } from '../rows/scan.ts';

/** A column that a fill reads. */
export interface FillPart {
  /** The columns of the database that it is made from; none for one that a step brings. */
  readonly columns: readonly string[];
  readonly valueFrom: (cells: readonly Cell[]) => Value;
}

/** A fill of rows as they are before the first step. */
export interface EarlyFill {
  /** As the database has it. */
  readonly table: SchemaTable;
  readonly column: SchemaColumn;
  readonly fill: Fill;
  /** In the order in which the fill reads them. */
  readonly sources: readonly FillPart[];
  /** The column that is filled, where it is there: rows that have a value keep it. */
  readonly target: string | undefined;
}

/** The columns of the database that tell what a row gets: those that the fill reads, then the one that it fills. */
export const columnsOf = ({ sources, target }: Pick<EarlyFill, 'sources' | 'target'>): readonly string[] => [
  ...sources.flatMap((source) => source.columns),
  ...(target === undefined ? [] : [target]),
];

const valuesOf = (sources: readonly FillPart[], cells: readonly (Cell | undefined)[]): readonly Value[] => {
  let place = 0;
  return sources.map(({ columns, valueFrom }) => {
    const end = place + columns.length;
    const own = cells.slice(place, end).map((cell) => cell ?? null);
    place = end;
    return valueFrom(own);
  });
};

/** What a row has behind a fill, of the cells of `columnsOf`; null for one that cannot be filled. */
export function filledCell(
  { column, fill, sources, target }: EarlyFill,
  cells: readonly Cell[],
  dialect: Dialect,
): Bound {
  const before = target === undefined ? null : (cells.at(-1) ?? null);
  if (before !== null) return before;
  const filled = fill.valueOf(valuesOf(sources, cells));
  return 'unfit' in filled || filled.value === null ? null : encode(filled.value, typeOf(column), dialect);
}

const named = 5;

/** The first rows that cannot be filled, with what they would get; undefined where all can. */
export async function fillConflict(
  { table, column, fill, sources, target }: EarlyFill,
  search: { readonly session: Pick<Session, 'all'>; readonly dialect: Dialect },
): Promise<string | undefined> {
  const found: string[] = [];
  let count = 0;
  await scanRows({ ...search, table, columns: columnsOf({ sources, target }) }, (rows) => {
    for (const { key, cells } of rows) {
      if (target !== undefined && (cells.at(-1) ?? null) !== null) continue;
      const filled = fill.valueOf(valuesOf(sources, cells));
      if (!('unfit' in filled)) continue;
      count += 1;
      if (found.length < named) found.push(`${filled.unfit} in ${String(key[0])}`);
    }
    return Promise.resolve();
  });
  if (count === 0) return undefined;
  const more = count > found.length ? `, … (${count} rows)` : '';
  return `"${settledName(column.name)}" (${column.type}) cannot hold what rows of "${table.name}" would get: ${found.join(', ')}${more}`;
}
