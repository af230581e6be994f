// Kinds of database errors, and the errors that the engines throw themselves.

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

export const retry: Fault = { kind: 'retry' };
/** Others hold a row, and go on doing so. */
export const waiting: Fault = { kind: 'retry', isWaiting: true };
/** Another process holds the whole database. */
export const locked: Fault = { kind: 'retry', isLocked: true };
export const range: Fault = { kind: 'range' };
export const refused: Fault = { kind: 'away', notDone: true, reconnect: false };
export const stale: Fault = { kind: 'away', notDone: true, reconnect: true };
export const lost: Fault = { kind: 'away', notDone: false, reconnect: true };
export const silent: Fault = { kind: 'away', notDone: false, reconnect: false };

/**
 * What an error means, by the table of a driver; looks through NotSentError and CommitError.
 * @param read The table; undefined for errors of others.
 */
export function faultReader(read: (error: DriverError) => Fault | undefined): (error: unknown) => Fault {
  return function faultOf(error): Fault {
    if (error instanceof CommitError) return faultOf(error.cause);
    if (error instanceof NotSentError || error instanceof ReplacedError) return refused;
    if (error instanceof DeadlineError) return silent;
    if (error instanceof TransactionLostError) return retry;
    return (error instanceof Error ? read(error) : undefined) ?? { kind: 'unknown' };
  };
}
