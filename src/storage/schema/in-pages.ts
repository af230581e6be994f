// Reads very many rows in pages. The embedded database runs a statement within one turn of the event loop, so it is asked for a
// part at a time, and nobody else writes meanwhile. A server is asked once: others may write between two statements.

import type { Row } from './cells.ts';
import type { Dialect } from './dialect.ts';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** So many rows are read in a few milliseconds. */
const rowsAtOnce = 5000;

/** Asks for as many rows as there are, up to a limit. The rows must stay as they are until all are read. */
export async function* inPages(
  { hasOneWriter }: Pick<Dialect, 'hasOneWriter'>,
  limit: number,
  ask: (page: Page) => Promise<Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let offset = 0; offset < limit; offset += rowsAtOnce) {
    const size = hasOneWriter ? Math.min(rowsAtOnce, limit - offset) : limit;
    const rows = await ask({ limit: size, offset });
    yield rows;
    if (rows.length < size || size === limit) return;
  }
}
