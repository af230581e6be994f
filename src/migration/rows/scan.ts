// Reads a table in batches, along its primary key.

import type { Bound, Cell } from '../../storage/schema/cells.ts';
import { isReadAsText } from '../../storage/schema/columns.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Session } from '../../storage/schema/session.ts';
import { typeOf } from '../plan/column-type.ts';
import { findColumn, type SchemaTable } from '../plan/schema.ts';

export const portionRows = 500;

export interface Scan {
  readonly session: Pick<Session, 'all'>;
  readonly dialect: Dialect;
  readonly table: SchemaTable;
  readonly columns: readonly string[];
}

export interface ScannedRow {
  /** Of the primary key. */
  readonly key: readonly Bound[];
  readonly cells: readonly (Cell | undefined)[];
}

/** Reads the next rows after a key. */
export async function readRowsAfter(scan: Scan, after: readonly Bound[] | undefined): Promise<ScannedRow[]> {
  const keys = quoteKeys(scan);
  // (a, b) > (x, y), spelt so that both engines go along the key.
  const later = keys.map((key, place) =>
    [...keys.slice(0, place).map((name) => `${name} = ?`), `${key} > ?`].join(' and '),
  );
  const values = after === undefined ? [] : keys.flatMap((_key, place) => after.slice(0, place + 1));
  const where = after === undefined ? '' : ` where ${later.map((part) => `(${part})`).join(' or ')}`;
  return select(scan, `${where} order by ${keys.join(', ')} limit ${portionRows}`, values);
}

/** Reads rows by their keys, and locks them until the transaction ends. */
export function lockRows(scan: Scan, rows: readonly Pick<ScannedRow, 'key'>[]): Promise<ScannedRow[]> {
  const { forUpdate } = scan.dialect;
  const conditions = rows.map(() => rowCondition(scan)).join(' or ');
  return select(
    scan,
    ` where ${conditions} ${forUpdate}`.trimEnd(),
    rows.flatMap(({ key }) => key),
  );
}

/** The condition that one row meets, with a placeholder for each column of the primary key. */
export const rowCondition = (scan: Pick<Scan, 'dialect' | 'table'>): string =>
  `(${quoteKeys(scan)
    .map((key) => `${key} = ?`)
    .join(' and ')})`;

const quoteKeys = ({ dialect, table }: Pick<Scan, 'dialect' | 'table'>): readonly string[] =>
  table.primaryKey.map((name) => dialect.quote(name));

async function select(scan: Scan, rest: string, values: readonly Bound[]): Promise<ScannedRow[]> {
  const { session, dialect, table, columns } = scan;
  const keys = quoteKeys(scan);
  const cellSql = (name: string): string => {
    const column = findColumn(table, name);
    const isText = column !== undefined && isReadAsText(typeOf(column), dialect);
    return isText ? `cast(${dialect.quote(name)} as text)` : dialect.quote(name);
  };
  const names = [...keys, ...columns.map(cellSql)].join(', ');
  const rows = await session.all(`select ${names} from ${dialect.quote(table.name)}${rest}`, values);
  return rows.map((row) => ({
    key: row.slice(0, keys.length).map((cell) => cell ?? null),
    cells: row.slice(keys.length),
  }));
}

/** Visits all rows, a portion at a time. */
export async function scanRows(scan: Scan, visit: (rows: readonly ScannedRow[]) => Promise<void>): Promise<void> {
  let after: readonly Bound[] | undefined;
  for (;;) {
    const rows = await readRowsAfter(scan, after);
    if (rows.length > 0) await visit(rows);
    if (rows.length < portionRows) return;
    after = rows.at(-1)?.key;
  }
}
