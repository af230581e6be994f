// The interface of the scans of a race.

import type { Bound, Cell, Row } from '../../storage/schema/cells.ts';
import type { Statement } from '../../storage/schema/compiler.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Start } from '../../storage/statements/filter-sql.ts';
import type { PageQueries } from '../../storage/statements/page-sql.ts';
import type { Plan } from '../../storage/statements/plan.ts';

/** What a race is about. */
export interface Course {
  readonly queries: PageQueries;
  readonly plan: Plan;
  readonly dialect: Dialect;
  /** Where the page begins; a place is that of `cursorTime` and `cursorId` among the values. */
  readonly start: Exclude<Start, `${string}Lookup`>;
  readonly values: Readonly<Record<string, Bound>>;
  /** How many records are wanted. */
  readonly limit: number;
  ask(statement: Statement, values: Readonly<Record<string, Bound>>): Promise<Row[]>;
}

/** A way to the page. */
export interface Way {
  /** Reads about so many entries more. @returns rows of the page when it is found, in the order of the walk. */
  step(entries: number, extent: Extent): Promise<readonly Row[] | undefined>;
  /** How many entries it has probably yet to read. */
  left(extent: Extent): number;
}

/** First and last createdAt of the list, and days of each column with a span, in milliseconds. */
export interface Extent {
  readonly list: readonly [from: number, to: number];
  readonly days: ReadonlyMap<string, readonly [from: number, to: number]>;
}

/** A time or a day as either database gives it, in milliseconds. */
export const timeOf = (cell: Cell | undefined): number => {
  const text = String(cell ?? '');
  return Date.parse(text.length > 10 ? `${text.slice(0, 23).replace(' ', 'T').replace('Z', '')}Z` : text);
};
