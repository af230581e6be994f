// What the errors of the drivers mean; each driver's own are told apart in a table of its own.
import type { DialectName } from './dialect.ts';
import { refused, retry, silent } from './fault-kinds.ts';
import { mysqlFault, mysqlHindrance } from './mysql-faults.ts';
import { sqliteFault, sqliteHindrance } from './sqlite-faults.ts';

/** No connection could be had, so the command never left this process. */
export class NotSentError extends Error {
  constructor(cause: unknown) {
    super('No connection to the database.', { cause });
    this.name = 'NotSentError';
  }
}

/** The server gave no answer in time and its connection was cut; it may still have done what it was told. */
export class DeadlineError extends Error {
  constructor(deadlineMs: number) {
    super(`The database gave no answer within ${deadlineMs} ms.`);
    this.name = 'DeadlineError';
  }
}

/** The failure came at COMMIT: unless the server says otherwise, nobody knows whether the transaction took place. */
export class CommitError extends Error {
  constructor(cause: unknown) {
    super('The commit failed.', { cause });
    this.name = 'CommitError';
  }
}

/** The server has ended a transaction on its own and gone on as if nothing had happened; what came after is taken back. */
export class TransactionLostError extends Error {
  constructor(cause: unknown) {
    super('The server has ended the transaction on its own.', { cause });
    this.name = 'TransactionLostError';
  }
}

/** The file that is held open is no longer the one that the address leads to: what is written into it is lost. */
export class ReplacedError extends Error {
  constructor(path: string) {
    super(`The file '${path}', or its -wal, was deleted or replaced while it was open.`);
    this.name = 'ReplacedError';
  }
}

/** Why nothing can be written, whoever tries. */
export type Hindrance = 'full' | 'readOnly' | 'replaced';

export type ConstraintFault =
  /** `key`: the name of the index, or, where the engine does not tell it, the list of its `table.column`. */
  | { readonly kind: 'unique'; readonly key: string | readonly string[] }
  /** The row written names a row that is not there. */
  | { readonly kind: 'foreignKeyMissing' }
  /** The row deleted is named by others. */
  | { readonly kind: 'foreignKeyUsed' }
  /** One of these two, where the engine does not say which. */
  | { readonly kind: 'foreignKey' };

export type Fault =
  | ConstraintFault
  /** The transaction lost against another one; the whole unit may be run again after a rollback. */
  | {
      readonly kind: 'retry';
      /** Another process holds the whole database. */
      readonly isLocked?: true;
      /** Others hold a row, and have been waited for as long as a statement may. */
      readonly isWaiting?: true;
    }
  /** `notDone`: surely nothing happened, even at COMMIT. `reconnect`: a fresh connection may do better at once. */
  | { readonly kind: 'away'; readonly notDone: boolean; readonly reconnect: boolean }
  /** The value does not fit its column: the validation above has a hole. */
  | { readonly kind: 'range' }
  | { readonly kind: 'unknown' };

/** Whether a key of the database has stopped it. */
export const isConstraint = (fault: Fault): fault is ConstraintFault =>
  fault.kind === 'unique' ||
  fault.kind === 'foreignKey' ||
  fault.kind === 'foreignKeyMissing' ||
  fault.kind === 'foreignKeyUsed';

/** An error with whatever a driver has put there. */
export interface DriverError extends Error {
  readonly errno?: unknown;
  readonly errcode?: unknown;
  readonly code?: unknown;
  readonly fatal?: unknown;
}

const readers: Readonly<Record<DialectName, (error: DriverError) => Fault | undefined>> = {
  sqlite: sqliteFault,
  mysql: mysqlFault,
};

/** Says what an error of a driver means; looks through NotSentError and CommitError. Never throws. */
export const faultOf = (error: unknown): Fault => {
  if (error instanceof CommitError) return faultOf(error.cause);
  if (error instanceof NotSentError) return refused;
  if (error instanceof ReplacedError) return refused;
  if (error instanceof DeadlineError) return silent;
  if (error instanceof TransactionLostError) return retry;
  if (!(error instanceof Error)) return { kind: 'unknown' };
  for (const read of Object.values(readers)) {
    const fault = read(error);
    if (fault !== undefined) return fault;
  }
  return { kind: 'unknown' };
};

/** Says whether an error tells that others cannot write either. */
export const hindranceOf = (error: unknown): Hindrance | undefined => {
  if (error instanceof CommitError) return hindranceOf(error.cause);
  if (error instanceof ReplacedError) return 'replaced';
  return error instanceof Error ? (sqliteHindrance(error) ?? mysqlHindrance(error)) : undefined;
};
