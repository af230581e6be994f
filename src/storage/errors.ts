// Classifies the errors of all drivers: constraint, deadlock, connection lost, value out of range.

import { mysqlFault, mysqlHindrance } from './mysql/errors.ts';
import type { DialectName } from './schema/dialect.ts';
import {
  CommitError,
  type DriverError,
  type Fault,
  faultReader,
  type Hindrance,
  ReplacedError,
} from './schema/error-kinds.ts';
import { sqliteFault, sqliteHindrance } from './sqlite/errors.ts';

/** The tables of all drivers: a database engine does not compile without its own. */
const readers: Readonly<Record<DialectName, (error: DriverError) => Fault | undefined>> = {
  sqlite: sqliteFault,
  mysql: mysqlFault,
};

/** Says what an error of any driver means. Never throws. */
export const faultOf = faultReader((error) => {
  for (const read of Object.values(readers)) {
    const fault = read(error);
    if (fault !== undefined) return fault;
  }
  return undefined;
});

/** Says whether an error tells that others cannot write either. */
export const hindranceOf = (error: unknown): Hindrance | undefined => {
  if (error instanceof CommitError) return hindranceOf(error.cause);
  if (error instanceof ReplacedError) return 'replaced';
  return error instanceof Error ? (sqliteHindrance(error) ?? mysqlHindrance(error)) : undefined;
};
