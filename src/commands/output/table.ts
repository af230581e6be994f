// Rows in columns, as people read them.

interface TableOptions {
  /** Whether a column holds numbers, which end at its right. */
  readonly isNumber?: (column: number) => boolean;
}

/** Lines of cells, each column as wide as its widest cell. */
export function columnLines(
  rows: readonly (readonly string[])[],
  { isNumber = () => false }: TableOptions = {},
): readonly string[] {
  const widths = rows[0]?.map((_head, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => (isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
