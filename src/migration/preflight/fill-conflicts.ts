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
  /** The column that is filled, if it exists. */
  readonly target: string | undefined;
  /** Reports whether a row keeps the value that it has in `target`. */
  readonly keeps: (cell: Cell) => boolean;
  /** Reports whether a source is dropped later: its value is lost if the fill gives nothing. */
  readonly isLost: (source: number) => boolean;
  /** Whether values of `target` are replaced. */
  readonly isReplacing: boolean;
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
  { column, fill, sources, target, keeps }: EarlyFill,
  cells: readonly Cell[],
  dialect: Dialect,
): Bound {
  const before = target === undefined ? null : (cells.at(-1) ?? null);
  if (target !== undefined && keeps(before)) return before;
  const filled = fill.valueOf(valuesOf(sources, cells));
  return 'unfit' in filled || filled.value === null ? null : encode(filled.value, typeOf(column), dialect);
}

const maxNamedRows = 5;

/** Rows that a fill cannot give a value, as the end of a sentence. */
export interface FillConflicts {
  /** Rows that would get a value that the column cannot hold. */
  readonly unfit: string | undefined;
  /** Rows that would lose the value that they have. */
  readonly losses: string | undefined;
}

/** Finds the rows that cannot be filled, and those that lose a value. */
export async function findFillConflicts(
  early: EarlyFill,
  search: { readonly session: Pick<Session, 'all'>; readonly dialect: Dialect },
): Promise<FillConflicts> {
  const { table, column, fill, sources, target, keeps } = early;
  const unfit = new NamedRows();
  const losses = new NamedRows();
  await scanRows({ ...search, table, columns: columnsOf({ sources, target }) }, (rows) => {
    for (const { key, cells } of rows) {
      const before = target === undefined ? null : (cells.at(-1) ?? null);
      if (target !== undefined && keeps(before)) continue;
      const values = valuesOf(sources, cells);
      const filled = fill.valueOf(values);
      const id = String(key[0]);
      if ('unfit' in filled) unfit.add(`${filled.unfit} in ${id}`);
      else if (filled.value === null) {
        const own = early.isReplacing ? [String(before)] : values.filter((_value, source) => early.isLost(source));
        const lost = own.filter((value) => value !== null && value !== '');
        if (lost.length > 0) losses.add(`${lost.map((value) => JSON.stringify(value)).join(' and ')} in ${id}`);
      }
    }
    return Promise.resolve();
  });
  return {
    unfit: unfit.toText(
      (rows) =>
        `"${settledName(column.name)}" (${column.type}) cannot store the computed values of rows of "${table.name}": ${rows}`,
    ),
    losses: losses.toText((rows) => `rows of "${table.name}" would lose a value: ${rows}`),
  };
}

/** Counts rows, and names the first of them. */
class NamedRows {
  readonly #first: string[] = [];
  #count = 0;

  add(row: string): void {
    this.#count += 1;
    if (this.#first.length < maxNamedRows) this.#first.push(row);
  }

  toText(say: (rows: string) => string): string | undefined {
    if (this.#count === 0) return undefined;
    const more = this.#count > this.#first.length ? `, … (${this.#count} rows)` : '';
    return say(`${this.#first.join(', ')}${more}`);
  }
}
