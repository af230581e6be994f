// All engines, for what is written or prepared for each of them.

import { mysqlDialect } from './mysql/dialect.ts';
import type { Dialect, DialectName } from './schema/dialect.ts';
import { sqliteDialect } from './sqlite/dialect.ts';

/** By name, in the order in which they are shown. Variants of an engine are not told apart. */
export const dialects: Readonly<Record<DialectName, Dialect>> = { sqlite: sqliteDialect, mysql: mysqlDialect };
