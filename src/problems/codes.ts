// The catalogue of error codes: the status, the cause and the remedy of each. A code keeps its meaning for good; its status is
// part of that meaning. The guide on errors repeats the catalogue, and a test compares the two.

interface CodeEntry {
  readonly status: number;
  /** A phrase without a full stop: the `title` of a problem document. */
  readonly cause: string;
  readonly remedy: string;
}

const wait = 'Wait for the seconds in `Retry-After`, then send the request again.';

/** Codes of whole requests. */
export const problemCodes = {
  'token-missing': {
    status: 401,
    cause: 'The request has no access token',
    remedy: 'Send `Authorization: Bearer` with a token.',
  },
  'token-invalid': {
    status: 401,
    cause: 'The access token is unknown, has expired or was revoked',
    remedy: 'Use another token, or sign in again.',
  },
  'sign-in-refused': {
    status: 401,
    cause: 'The name, the password, the invitation or the code of a sign-in is wrong',
    remedy: 'Correct the input. An administrator can send a new invitation.',
  },
  'path-unknown': {
    status: 404,
    cause: 'The service does not have the path',
    remedy: 'Compare the address with the pages of the service or with its OpenAPI document.',
  },
  'method-not-allowed': {
    status: 405,
    cause: 'The path does not have the method',
    remedy: 'Use one of the methods that `Allow` names.',
  },
  'feature-disabled': {
    status: 403,
    cause: 'The feature of the group is off',
    remedy: 'Turn the feature on in the settings of the workspace.',
  },
  'access-denied': {
    status: 403,
    cause: 'The caller may not do this',
    remedy: 'Use another token, or ask an administrator for the right. `praxis can` explains the refusal.',
  },
  'uuid-malformed': {
    status: 400,
    cause: 'An id in the path or in a parameter is not a UUID',
    remedy: 'Send the id exactly as the service returned it.',
  },
  'parameter-invalid': {
    status: 400,
    cause: 'A query parameter is unknown, missing, given twice or has a wrong value',
    remedy: 'Correct the parameter that the message names.',
  },
  'cursor-unknown': {
    status: 400,
    cause: 'The record of a cursor does not exist',
    remedy: 'Start again from the first page.',
  },
  'cursor-too-old': {
    status: 410,
    cause: 'The change log no longer has the entries after the cursor',
    remedy: 'Read the records again, then follow the feed from its current end.',
  },
  'write-unknown': {
    status: 404,
    cause: 'The change log has no write with this id',
    remedy: 'Take the id from the feed or from the history of a record.',
  },
  'write-forgotten': {
    status: 410,
    cause: 'The write is older than the change log',
    remedy: 'Correct the records by hand, or restore them from a backup.',
  },
  'write-undone': {
    status: 409,
    cause: 'The write has been undone already',
    remedy: 'Do nothing. To repeat the write, undo its undo.',
  },
  'write-not-undoable': {
    status: 409,
    cause: 'The write cannot be undone: it had effects, or the change log has only a part of it',
    remedy: 'Correct the records by hand.',
  },
  'changed-since': {
    status: 409,
    cause: 'A record of the write has changed since, so that the write cannot be undone',
    remedy: 'Undo the later writes first, or correct the record by hand.',
  },
  'webhook-refused': {
    status: 409,
    cause: 'The state of the webhook does not allow this',
    remedy: 'Read the webhook; the message names the obstacle.',
  },
  'request-malformed': {
    status: 400,
    cause: 'The request is not valid HTTP, or a header is given twice',
    remedy: 'Correct the program that sends the request.',
  },
  'media-type-unsupported': {
    status: 415,
    cause: 'The body is not JSON, or a file does not have the announced type',
    remedy: 'Send `Content-Type: application/json`, or the true type of the file.',
  },
  'body-too-large': {
    status: 413,
    cause: 'The body is too large',
    remedy: 'Send less in one request, or raise the limit of the service.',
  },
  'target-too-long': {
    status: 414,
    cause: 'The path and the query are too long',
    remedy: 'Send fewer filters.',
  },
  'headers-too-large': {
    status: 431,
    cause: 'The headers are too large',
    remedy: 'Send smaller or fewer headers.',
  },
  'request-timeout': {
    status: 408,
    cause: 'The request arrived too slowly',
    remedy: 'Send the request again.',
  },
  'expectation-failed': {
    status: 417,
    cause: 'The service cannot meet the `Expect` header',
    remedy: 'Leave the header out, or send `100-continue`.',
  },
  'body-malformed': {
    status: 400,
    cause: 'The body is not valid JSON',
    remedy: 'Correct the JSON.',
  },
  'body-not-an-object': {
    status: 400,
    cause: 'The body is JSON, but not an object',
    remedy: 'Send an object; a batch takes several operations.',
  },
  'file-empty': {
    status: 400,
    cause: 'The uploaded file has no bytes',
    remedy: 'Send the bytes of the file as the body.',
  },
  'range-not-satisfiable': {
    status: 416,
    cause: 'The file is shorter than the requested range',
    remedy: 'Take the length from `Content-Range`, and ask for a part of it.',
  },
  'body-invalid': {
    status: 400,
    cause: 'Fields of the body are missing or wrong',
    remedy: 'Correct the fields that `errors` names.',
  },
  'record-unknown': {
    status: 404,
    cause: 'The record does not exist, or the caller may not see it',
    remedy: 'Compare the id with the list of the group.',
  },
  'record-read-only': {
    status: 409,
    cause: 'The record is locked in its present state',
    remedy: 'Change its state first, if its group allows that.',
  },
  'record-in-use': {
    status: 409,
    cause: 'Other records refer to the record, so that it cannot be deleted',
    remedy: 'Delete or change the records that `usedBy` counts, or archive the record.',
  },
  'too-many-records': {
    status: 409,
    cause: 'The write would change too many other records at once',
    remedy: 'Change or delete some of the other records first.',
  },
  'key-taken': {
    status: 409,
    cause: 'Another record has the unique key',
    remedy: 'Choose another value, or change the record that has it.',
  },
  'dates-overlap': {
    status: 409,
    cause: 'The dates overlap those of another record',
    remedy: 'Choose other dates, or end the other record earlier.',
  },
  'record-changed': {
    status: 412,
    cause: 'The record has another version than the caller has seen',
    remedy: 'Read the record, merge, and send it again with its new `ETag`.',
  },
  'record-there': {
    status: 412,
    cause: 'A record with the unique key already exists, and `If-None-Match: *` refuses it',
    remedy: 'Send the request without the header to change that record.',
  },
  'precondition-false': {
    status: 412,
    cause: 'The condition of `If-Match` or `If-None-Match` is false',
    remedy: 'Read the record, and decide again.',
  },
  'if-match-missing': {
    status: 428,
    cause: 'The group demands `If-Match`',
    remedy: 'Send the `ETag` of the record.',
  },
  'key-in-use': {
    status: 409,
    cause: 'The first request with the idempotency key is still running',
    remedy: wait,
  },
  'key-of-another': {
    status: 422,
    cause: 'The idempotency key was used for another request',
    remedy: 'Send a new key.',
  },
  'response-not-stored': {
    status: 409,
    cause: 'The request with the idempotency key was done, but the caller has reached the limit of stored responses',
    remedy: 'Read the records. Send `Prefer: return=minimal` with later requests.',
  },
  'header-invalid': {
    status: 400,
    cause: 'A header has a wrong value',
    remedy: 'Correct the header that the message names.',
  },
  'answer-too-large': {
    status: 413,
    cause: 'The response of the batch would be too large',
    remedy: 'Send fewer operations at once, or ask for fewer fields.',
  },
  'rate-exceeded': {
    status: 429,
    cause: 'The token has sent too many requests',
    remedy: wait,
  },
  'attempts-exceeded': {
    status: 429,
    cause: 'Too many sign-ins or tokens were wrong',
    remedy: wait,
  },
  'listeners-exceeded': {
    status: 429,
    cause: 'The token has too many streams and waiting requests of the feed',
    remedy: 'Close a stream, or wait for the seconds in `Retry-After`.',
  },
  'exports-exceeded': {
    status: 429,
    cause: 'Another export of the token, or of a session of the same member, is running',
    remedy: 'Read that export to its end, or close its connection.',
  },
  'bytes-in-flight-exceeded': {
    status: 429,
    cause: 'The bodies and responses that the service holds for the caller are too large in total',
    remedy: 'Read responses to the end, send fewer requests at once, and wait for the seconds in `Retry-After`.',
  },
  'connections-exceeded': {
    status: 503,
    cause: 'The address has too many connections',
    remedy: 'Reuse connections.',
  },
  'outcome-unknown': {
    status: 503,
    cause: 'The service does not know whether the write was done',
    remedy: 'Send the request again with the same `Idempotency-Key`, or read the record.',
  },
  overdue: {
    status: 503,
    cause: 'The work took too long and was rolled back',
    remedy: wait,
  },
  'not-reached': {
    status: 503,
    cause: 'An earlier operation of the batch failed, so that this one was not done',
    remedy: wait,
  },
  'database-away': {
    status: 503,
    cause: 'The database does not respond',
    remedy: wait,
  },
  'database-full': {
    status: 503,
    cause: 'The disk of the database is full',
    remedy: 'The operator frees space; then send the request again.',
  },
  'uploads-full': {
    status: 503,
    cause: 'The disk of the folder for uploads is full',
    remedy: 'The operator frees space; then send the file again.',
  },
  'uploads-unwritable': {
    status: 503,
    cause: 'The service cannot write the folder for uploads',
    remedy: 'The operator gives the service write access; then send the file again.',
  },
  'database-read-only': {
    status: 503,
    cause: 'The database does not accept writes',
    remedy: 'The operator makes the database writable; then send the request again.',
  },
  'database-replaced': {
    status: 503,
    cause: 'The file of the database was deleted or replaced',
    remedy: 'The operator restarts the service; then send the request again.',
  },
  'service-outdated': {
    status: 503,
    cause: 'A migration has changed the database since the service started',
    remedy: 'The operator restarts the service with the new version; then send the request again.',
  },
  overloaded: {
    status: 503,
    cause: 'The service has too much to do',
    remedy: wait,
  },
  unforeseen: {
    status: 500,
    cause: 'The service met an error that is not the fault of the caller',
    remedy: 'The operator finds the cause in the log by the `X-Request-Id` of the response.',
  },
} as const satisfies Record<string, CodeEntry>;

export type ProblemCode = keyof typeof problemCodes;

/** Codes of single fields, in `errors` of `body-invalid`. */
export const fieldCodes = {
  required: {
    cause: 'The field is missing or empty, and the record must have it',
    remedy: 'Send a value.',
  },
  'unknown-field': {
    cause: 'The group does not have the field',
    remedy: 'Correct the name; the message suggests the nearest one.',
  },
  'not-allowed': {
    cause: 'The service sets the field, or the field does not apply to the new values of the record',
    remedy: 'Leave the field out.',
  },
  'invalid-value': {
    cause: 'The value has the wrong type, format, length or range',
    remedy: 'Send a value that the message allows.',
  },
  'invalid-items': {
    cause: 'A list has too few, too many or repeated items',
    remedy: 'Add or remove items.',
  },
  'reference-unknown': {
    cause: 'The referenced record does not exist, or the caller may not see it',
    remedy: 'Send the id of an existing record.',
  },
  'transition-refused': {
    cause: 'The state cannot change from the stored value to this one',
    remedy: 'Send a state that the message or the page of the group names.',
  },
  'condition-unmet': {
    cause: 'A condition of the group is false',
    remedy: 'Send a value that satisfies the condition; the message and the page of the group state it.',
  },
} as const satisfies Record<string, Omit<CodeEntry, 'status'>>;

export type FieldCode = keyof typeof fieldCodes;

/** The page on which each code has an anchor. */
const page = '/docs/guides/errors';

/** Returns the `type` of a problem document (RFC 9457, 3.1.1): a URI reference that leads to the code in the guide. */
export const typeOfProblem = (code: ProblemCode): string => `${page}#${code}`;
