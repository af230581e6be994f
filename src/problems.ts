// All failures of requests: one closed catalogue, so that every promised text stands in one place.

import { type ProblemCode, problemCodes, typeOfProblem } from './problems/codes.ts';
import type { FieldFault } from './problems/field-fault.ts';

/** How many records of a group refer to one that cannot go. */
export interface Users {
  /** Path of the group, without its slash; null of those whose records the caller may not list. */
  readonly group: string | null;
  readonly count?: number;
  /** Whether there are more than were counted. */
  readonly countIsLowerBound?: true;
}

/** An answer that is not the one asked for. Thrown anywhere, made into a reply once, in `http/handle.ts`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly faults: readonly FieldFault[] | undefined;
  /** Of a record that is in use: by what. */
  readonly usedBy: readonly Users[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a right that is refused, for the log alone: the rule that forbids it; null where none allows it. */
  readonly refusedBy: string | null | undefined;

  constructor(
    code: ProblemCode,
    message: string,
    extra: {
      faults?: readonly FieldFault[];
      usedBy?: readonly Users[] | undefined;
      headers?: Readonly<Record<string, string>>;
      refusedBy?: string | null | undefined;
    } = {},
  ) {
    super(message);
    this.name = 'Problem';
    this.code = code;
    this.status = problemCodes[code].status;
    this.faults = extra.faults;
    this.usedBy = extra.usedBy;
    this.headers = extra.headers ?? {};
    this.refusedBy = extra.refusedBy;
  }

  /** One text a fault. */
  get errors(): readonly string[] | undefined {
    return this.faults?.map(({ text }) => text);
  }
}

const article = (human: string): string => (/^[AEIO]/.test(human) ? 'An' : 'A');

const denied = (message: string, refusedBy: string | null): Problem =>
  new Problem('access-denied', message, { refusedBy });

/** Makes each problem with the words of the interface. `human` is a group's title: `Job Title`. */
export const problems = {
  tokenMissing: () =>
    new Problem('token-missing', 'Authentication is required.', { headers: { 'WWW-Authenticate': 'Bearer' } }),
  tokenInvalid: () =>
    new Problem('token-invalid', 'The access token is not valid.', {
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    }),
  /** The same for all causes: who asks learns nothing of names. */
  signInWrong: () => new Problem('sign-in-refused', 'The name or the password is wrong.'),
  inviteWrong: () => new Problem('sign-in-refused', 'The invitation is not valid.'),
  codeWrong: () => new Problem('sign-in-refused', 'The code is not valid.'),
  pathUnknown: () => new Problem('path-unknown', 'No such path.'),
  methodNotAllowed: (allow: string) =>
    new Problem('method-not-allowed', 'Method not allowed.', { headers: { Allow: allow } }),
  featureDisabled: (feature: string) => new Problem('feature-disabled', `Feature '${feature}' is not enabled.`),
  /** Of a token whose limits leave an operation out. */
  beyondLimits: (act: string, human: string) => denied(`The access token does not allow '${act}' of '${human}'.`, null),
  /** Of what is no operation of a group. */
  mayNot: (what: string) => denied(`'${what}' is not granted.`, null),
  /** What roles refuse. The last argument is the rule that forbids it, if it is one. */
  accessDenied: {
    group: (act: string, human: string, by: string | null) =>
      denied(`Operation '${act}' of '${human}' is not granted.`, by),
    record: (act: string, human: string, by: string | null) =>
      denied(`Operation '${act}' of this '${human}' is not granted.`, by),
    /** @param names In the order of the record, 50 at most. */
    fields: (act: string, human: string, names: readonly string[]) =>
      denied(
        `Operation '${act}' of this '${human}' is not granted for ${names.map((name) => `'${name}'`).join(', ')}.`,
        null,
      ),
    newState: (act: string, human: string, by: string | null) =>
      denied(`Operation '${act}' would leave this '${human}' where it is not granted.`, by),
    /** In the words of the rule that forbids it. */
    because: (text: string, by: string | null) => denied(text, by),
  },
  uuidMalformed: (parameter: string) => new Problem('uuid-malformed', `Parameter '${parameter}' is not a valid UUID.`),
  /** @param meant The name that may be meant. */
  parameterUnknown: (name: string, meant?: string) =>
    new Problem(
      'parameter-invalid',
      `Parameter '${name}' is not allowed${meant === undefined ? '.' : `; did you mean '${meant}'?`}`,
    ),
  parameterTwice: (name: string) => new Problem('parameter-invalid', `Parameter '${name}' is given twice.`),
  parameterMissing: (name: string) => new Problem('parameter-invalid', `Parameter '${name}' is required.`),
  parameterOfNone: (name: string) =>
    new Problem('parameter-invalid', `Parameter '${name}' does not refer to a known record.`),
  parameterInvalid: (name: string, rule: string) =>
    new Problem('parameter-invalid', `Parameter '${name}' must be ${rule}.`),
  /** @param detail What is wrong with it; a question, where it ends with one. */
  parameterWrong: (name: string, rule: string, detail: string) =>
    new Problem(
      'parameter-invalid',
      `Parameter '${name}' must be ${rule}; ${detail}${detail.endsWith('?') ? '' : '.'}`,
    ),
  /** @param keys As the caller may name one: `'name', or 'memberId' and 'start'`. */
  keyNotNamed: (keys: string) => new Problem('parameter-invalid', `Parameters must name a unique key: ${keys}.`),
  /** @param path Of the currency, from the record on. */
  currencyNotGrouped: (parameter: string, field: string, path: string) =>
    new Problem(
      'parameter-invalid',
      `Parameter '${parameter}' must be grouped by the currency of '${field}' ('${path}').`,
    ),
  summaryTooLarge: () =>
    new Problem('parameter-invalid', 'The summary looks at too many records; narrow it by a filter.'),
  expandTooLarge: () => new Problem('parameter-invalid', "Parameter 'expand' shows too many records."),
  cursorsExclusive: () =>
    new Problem('parameter-invalid', "Parameters 'startingAfter' and 'endingBefore' are mutually exclusive."),
  cursorUnknown: (name: string) =>
    new Problem('cursor-unknown', `Parameter '${name}' does not refer to a known record.`),
  /** A cursor of the log of changes behind which entries are missing. */
  cursorTooOld: (name: string) =>
    new Problem('cursor-too-old', `Parameter '${name}' is too old; read the records again.`),
  lastEventTooOld: () => new Problem('cursor-too-old', "Header 'Last-Event-ID' is too old; read the records again."),
  writeUnknown: (id: string) => new Problem('write-unknown', `Write with id '${id}' not found.`),
  writeUndone: () => new Problem('write-undone', 'The write has been undone.'),
  writeHadEffects: () => new Problem('write-not-undoable', 'The write had effects that cannot be undone.'),
  writeIsPartlyKept: () => new Problem('write-not-undoable', 'The write is only partly in the log.'),
  hasChangedSince: (human: string) => new Problem('changed-since', `The ${human} has changed since.`),
  webhooksExceeded: (most: number) => new Problem('webhook-refused', `There are ${most} webhooks already.`),
  webhookStopped: () => new Problem('webhook-refused', 'The webhook has ended with its token.'),
  webhookLost: () => new Problem('webhook-refused', 'The webhook has lost entries; replay it from a cursor.'),
  nothingInTheWay: () => new Problem('webhook-refused', 'No entry stands in the way.'),
  writeForgotten: () => new Problem('write-forgotten', 'The write is older than the log.'),
  requestMalformed: () => new Problem('request-malformed', 'The request is malformed.'),
  headerTwice: (name: string) => new Problem('request-malformed', `Header '${name}' is given twice.`),
  targetTooLong: () => new Problem('target-too-long', 'The request target is too long.'),
  headersTooLarge: () => new Problem('headers-too-large', 'The request headers are too large.'),
  requestTimeout: () => new Problem('request-timeout', 'The request took too long.'),
  expectationFailed: () => new Problem('expectation-failed', 'The expectation cannot be met.'),
  mediaTypeUnsupported: () =>
    new Problem('media-type-unsupported', 'The request body must be application/json.', {
      headers: { Accept: 'application/json', 'Accept-Encoding': 'identity' },
    }),
  /** Of an upload: what the bytes are is not what the request says, or no file at all. */
  fileTypeWrong: (said: string, found: string | undefined) =>
    new Problem(
      'media-type-unsupported',
      found === undefined
        ? `The request body must be the bytes of a file, not ${said}.`
        : `The file is ${found} by its first bytes, not ${said}.`,
    ),
  fileEmpty: () => new Problem('file-empty', 'The file is empty.'),
  /** @param size Of the file, in bytes. */
  rangeNotSatisfiable: (size: number) =>
    new Problem('range-not-satisfiable', 'The file has no such range.', {
      headers: { 'Content-Range': `bytes */${size}` },
    }),
  /** @param why The limit that it exceeds, after a colon. */
  bodyTooLarge: (why?: string) =>
    new Problem('body-too-large', `The request body is too large${why === undefined ? '' : `: ${why}`}.`),
  bodyMalformed: () => new Problem('body-malformed', 'The request body is not valid JSON.'),
  bodyNotAnObject: () => new Problem('body-not-an-object', 'The request body must be a JSON object.'),
  /** @param faults At most 50. */
  bodyInvalid: (faults: readonly FieldFault[]) =>
    new Problem('body-invalid', 'There was a problem processing your request. See errors for more details.', {
      faults,
    }),
  recordUnknown: (id: string) => new Problem('record-unknown', `Object with id '${id}' not found.`),
  readOnly: (human: string) => new Problem('record-read-only', `The ${human} is read-only.`),
  inUse: (human: string, usedBy?: readonly Users[]) =>
    new Problem('record-in-use', `The ${human} is in use and cannot be deleted.`, { usedBy }),
  /** @param others What would go along or change with it, in the plural. */
  tooMany: (human: string, others: string, done: 'created' | 'changed' | 'deleted') =>
    new Problem('too-many-records', `The ${human} has too many ${others} to be ${done} at once.`),
  keyTaken: (human: string, field: string) =>
    new Problem('key-taken', `${article(human)} ${human} with the same ${field} already exists.`),
  datesOverlap: (human: string) =>
    new Problem('dates-overlap', `${article(human)} ${human} with overlapping dates already exists.`),
  recordChanged: () => new Problem('record-changed', 'The record has changed since it was read.'),
  recordThere: () => new Problem('record-there', 'There is a record with this key already.'),
  /** @param header Name of the header whose condition is false. */
  preconditionFalse: (header: 'If-Match' | 'If-None-Match') =>
    new Problem('precondition-false', `The condition of header '${header}' is false.`),
  ifMatchMissing: () => new Problem('if-match-missing', "Header 'If-Match' is required."),
  keyInUse: () =>
    new Problem('key-in-use', 'A request with this Idempotency-Key is being processed.', {
      headers: { 'Retry-After': '1' },
    }),
  keyOfAnother: () => new Problem('key-of-another', 'The Idempotency-Key was used for another request.'),
  responseNotStored: () =>
    new Problem(
      'response-not-stored',
      'The request with this Idempotency-Key was done, but its response is not stored; read the records.',
    ),
  /** The whole of several operations is refused for one of them, counted from 1. */
  operationRefused: (place: number, problem: Problem) => {
    const { code, message, usedBy, refusedBy } = problem;
    const at = `/operations/${place - 1}`;
    const faults = problem.faults?.map(({ pointer, pointerInOperation = pointer && `/body${pointer}`, ...fault }) => ({
      ...fault,
      pointer: pointerInOperation === undefined ? at : at + pointerInOperation,
    })) ?? [{ text: message, code, pointer: at }];
    return new Problem(code, `Operation ${place} was refused, and nothing was done.`, { faults, usedBy, refusedBy });
  },
  answerTooLarge: () => new Problem('answer-too-large', 'The answer of the batch is too large.'),
  headerInvalid: (name: string, rule: string) => new Problem('header-invalid', `Header '${name}' must be ${rule}.`),
  /** @param seconds until the next request is taken. */
  rateExceeded: (seconds: number) =>
    new Problem('rate-exceeded', 'Too many requests.', { headers: { 'Retry-After': String(seconds) } }),
  /** @param seconds until the next attempt is taken. */
  tooManyAttempts: (seconds: number) =>
    new Problem('attempts-exceeded', 'Too many attempts.', { headers: { 'Retry-After': String(seconds) } }),
  tooManyListeners: () =>
    new Problem('listeners-exceeded', 'Too many streams and waits for changes.', { headers: { 'Retry-After': '5' } }),
  tooManyExports: () =>
    new Problem('exports-exceeded', 'Another export of this caller is running.', { headers: { 'Retry-After': '5' } }),
  tooManyBytesInFlight: () =>
    new Problem('bytes-in-flight-exceeded', 'The open requests and responses of this caller are too long in all.', {
      headers: { 'Retry-After': '1' },
    }),
  connectionsExceeded: () =>
    new Problem('connections-exceeded', 'There are too many connections from this address.', {
      headers: { 'Retry-After': '1' },
    }),
  outcomeUnknown: () =>
    new Problem('outcome-unknown', 'The database went away while saving; the outcome of the request is unknown.', {
      headers: { 'Retry-After': '1' },
    }),
  /** Of work that was given up because it took too long. */
  overdue: () =>
    new Problem('overdue', 'The service took too long, and nothing was done.', { headers: { 'Retry-After': '1' } }),
  /** Of one of several operations, behind one that has stopped all that were left. */
  notReached: () =>
    new Problem('not-reached', 'An operation before this one has failed, and this one was not done.', {
      headers: { 'Retry-After': '1' },
    }),
  /** Of a write that nobody has heard of for too long. */
  outcomeOverdue: () =>
    new Problem('outcome-unknown', 'The service took too long; the outcome of the request is unknown.', {
      headers: { 'Retry-After': '1' },
    }),
  databaseAway: () =>
    new Problem('database-away', 'The database is not available.', { headers: { 'Retry-After': '1' } }),
  databaseFull: () =>
    new Problem('database-full', 'The database has no room left; nothing can be written until it has.', {
      headers: { 'Retry-After': '1' },
    }),
  uploadsFull: () =>
    new Problem('uploads-full', 'The folder for uploads has no room left; uploads are refused until it has.', {
      headers: { 'Retry-After': '1' },
    }),
  uploadsUnwritable: () =>
    new Problem('uploads-unwritable', 'The folder for uploads cannot be written; uploads are refused until it can.', {
      headers: { 'Retry-After': '1' },
    }),
  databaseReadOnly: () =>
    new Problem('database-read-only', 'The database is read-only; nothing can be written until it is not.', {
      headers: { 'Retry-After': '1' },
    }),
  databaseReplaced: () =>
    new Problem(
      'database-replaced',
      'The file of the database was deleted or replaced; nothing is written until the service is started again.',
      { headers: { 'Retry-After': '1' } },
    ),
  /** A migration that is not additive has changed the database since this process began. */
  serviceOutdated: () =>
    new Problem('service-outdated', 'The service is older than its database; try again.', {
      headers: { 'Retry-After': '1' },
    }),
  overloaded: () => new Problem('overloaded', 'The service is overloaded.', { headers: { 'Retry-After': '1' } }),
  unforeseen: () => new Problem('unforeseen', 'Something went wrong.'),
};

/** The format of a problem in an answer: the plain one, or that of RFC 9457. */
export type ProblemFormat = 'plain' | 'document';

/** Returns a problem as the body of an answer. */
export const problemJson = (problem: Problem, format: ProblemFormat = 'plain'): string =>
  format === 'plain' ? plainJson(problem) : documentJson(problem);

const plainJson = ({ status, message, errors, usedBy }: Problem): string =>
  JSON.stringify({ status, message, errors, usedBy });

const documentJson = ({ code, status, message, faults, usedBy }: Problem): string =>
  JSON.stringify({
    type: typeOfProblem(code),
    title: problemCodes[code].cause,
    status,
    detail: message,
    code,
    errors: faults?.map(({ text, code: fieldCode, pointer }) => ({ detail: text, pointer, code: fieldCode })),
    usedBy,
  });
