// Database errors in the words of an operator: a database that does not answer, is held by others, or cannot be written.
import { ConfigurationFault } from '../configuration-fault.ts';
import { Problem } from '../problems.ts';
import { faultOf, hindranceOf } from './errors.ts';
import { CommitError, type Hindrance, NotSentError } from './schema/error-kinds.ts';

const hindrances: Readonly<Record<Hindrance, string>> = {
  full: 'The database has no room left',
  readOnly: 'The database is read-only',
  replaced: 'The file of the database was deleted or replaced',
};

/** Returns the error of the driver, from inside the errors of the layers above. */
function findCause(error: unknown): unknown {
  const isOuter =
    error instanceof ConfigurationFault ||
    error instanceof Problem ||
    error instanceof NotSentError ||
    error instanceof CommitError;
  return isOuter && error.cause !== undefined ? findCause(error.cause) : error;
}

/** Reports whether the same work may succeed later: the database does not answer now, or others hold it. */
export function isUnavailable(error: unknown): boolean {
  const cause = findCause(error);
  const { kind } = faultOf(cause);
  // A fault that names transactions in the way asks the operator to end them.
  const isWorthWaiting = kind === 'away' || (kind === 'retry' && !(error instanceof ConfigurationFault));
  return isWorthWaiting && hindranceOf(cause) === undefined;
}

/** Returns a clause without a full stop: `The database does not answer (read ECONNRESET)`; undefined for other errors. */
export function describeUnavailable(error: unknown): string | undefined {
  const cause = findCause(error);
  const reason = cause instanceof Error && cause.message !== '' ? ` (${inOneLine(cause.message)})` : '';
  const hindrance = hindranceOf(cause);
  if (hindrance !== undefined) return `${hindrances[hindrance]}${reason}`;
  // A connection that cannot be opened has its own words.
  if (error instanceof ConfigurationFault) return inOneLine(error.message);
  const { kind } = faultOf(cause);
  if (kind === 'away') return `The database does not answer${reason}`;
  return kind === 'retry' ? `Others hold the database, or rows of it${reason}` : undefined;
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replace(/[.:]$/, '');
