// The catalogue of error codes: the status, the cause and the remedy of each. A code keeps its meaning for good; its status is
// part of that meaning. The guide on errors repeats the catalogue, and a test compares the two.

interface CodeEntry {
  readonly status: number;
  /** A phrase without a full stop: the `title` of a problem document. */
  readonly cause: string;
  readonly remedy: string;
}

const wait = 'Wait for the number of seconds in `Retry-After`, then send the request again.';

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
    cause: 'The path does not support the HTTP method',
    remedy: 'Use one of the methods that the header `Allow` lists.',
  },
  'feature-disabled': {
    status: 403,
    cause: 'The feature of the group is off',
    remedy: 'Turn the feature on in the settings of the workspace.',
  },
  'access-denied': {
    status: 403,
    cause: 'The caller does not have the required permission',
    remedy: 'Use another token, or ask an administrator for the permission. `praxis can` explains the refusal.',
  },
  'uuid-malformed': {
    status: 400,
    cause: 'An id in the path or in a parameter is not a UUID',
    remedy: 'Send the id exactly as the service returned it.',
  },
  'parameter-invalid': {
    status: 400,
    cause: 'A query parameter is unknown, missing, repeated or has an invalid value',
    remedy: 'Correct the parameter that the message names.',
  },
  'cursor-unknown': {
    status: 400,
    cause: 'The record that a cursor names does not exist',
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
    remedy: 'Correct the records manually, or restore them from a backup.',
  },
  'write-undone': {
    status: 409,
    cause: 'The write has already been undone',
    remedy: 'You need not do anything. To redo the write, undo the undo.',
  },
  'write-not-undoable': {
    status: 409,
    cause: 'The write cannot be undone: it had effects, or the change log contains only a part of it',
    remedy: 'Correct the records manually.',
  },
  'changed-since': {
    status: 409,
    cause: 'A record of the write has changed since then, so the write cannot be undone',
    remedy: 'Undo the later writes first, or correct the record manually.',
  },
  'webhook-refused': {
    status: 409,
    cause: 'The state of the webhook does not allow the operation',
    remedy: 'Read the webhook to see its state. The message names the reason.',
  },
  'request-malformed': {
    status: 400,
    cause: 'The request is not valid HTTP, or a header is repeated',
    remedy: 'Correct the program that sends the request.',
  },
  'media-type-unsupported': {
    status: 415,
    cause: 'The body is not JSON, or the content of a file does not match its `Content-Type`',
    remedy: 'Send `Content-Type: application/json`, or the actual type of the file.',
  },
  'body-too-large': {
    status: 413,
    cause: 'The body is too large',
    remedy: 'Send less data in one request, or raise the limit of the service.',
  },
  'target-too-long': {
    status: 414,
    cause: 'The path and the query of the request are too long',
    remedy: 'Send fewer filters.',
  },
  'headers-too-large': {
    status: 431,
    cause: 'The request headers are too large',
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
    remedy: 'Omit the header, or send `Expect: 100-continue`.',
  },
  'body-malformed': {
    status: 400,
    cause: 'The body is not valid JSON',
    remedy: 'Correct the JSON.',
  },
  'body-not-an-object': {
    status: 400,
    cause: 'The body is valid JSON, but not an object',
    remedy: 'Send a JSON object. To send several operations, use a batch.',
  },
  'file-empty': {
    status: 400,
    cause: 'The uploaded file is empty',
    remedy: 'Send the bytes of the file as the request body.',
  },
  'range-not-satisfiable': {
    status: 416,
    cause: 'The file is shorter than the requested range',
    remedy: 'Request a range within the length that `Content-Range` states.',
  },
  'body-invalid': {
    status: 400,
    cause: 'Fields of the body are missing or wrong',
    remedy: 'Correct the fields that `errors` names.',
  },
  'record-unknown': {
    status: 404,
    cause: 'The record does not exist, or the caller may not see it',
    remedy: 'Check the id against the list of the group.',
  },
  'record-read-only': {
    status: 409,
    cause: 'The record is locked in its current state',
    remedy: 'Change the state of the record first, if the group allows it.',
  },
  'record-in-use': {
    status: 409,
    cause: 'Other records refer to the record, so it cannot be deleted',
    remedy: 'Delete or change the records that `usedBy` counts, or archive the record.',
  },
  'too-many-records': {
    status: 409,
    cause: 'The write would change too many other records at once',
    remedy: 'Change or delete some of the other records first.',
  },
  'key-taken': {
    status: 409,
    cause: 'Another record already has the unique key',
    remedy: 'Send a different value, or change the record that has the key.',
  },
  'dates-overlap': {
    status: 409,
    cause: 'The dates overlap with the dates of another record',
    remedy: 'Send different dates, or end the other record earlier.',
  },
  'record-changed': {
    status: 412,
    cause: 'The version of the record is not the version that the caller read',
    remedy: 'Read the record, merge your changes, and send them with the new `ETag`.',
  },
  'record-there': {
    status: 412,
    cause: 'A record with the unique key already exists, and the request has `If-None-Match: *`',
    remedy: 'To change that record, send the request without the header.',
  },
  'precondition-false': {
    status: 412,
    cause: 'The condition of `If-Match` or `If-None-Match` is false',
    remedy: 'Read the record, and send the request again if it still applies.',
  },
  'if-match-missing': {
    status: 428,
    cause: 'The group requires `If-Match`',
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
    cause:
      'The request with the idempotency key was executed, but the caller has reached the limit of stored responses',
    remedy: 'Read the records. To keep responses short, send `Prefer: return=minimal` with later requests.',
  },
  'header-invalid': {
    status: 400,
    cause: 'A header has an invalid value',
    remedy: 'Correct the header that the message names.',
  },
  'answer-too-large': {
    status: 413,
    cause: 'The response of the batch would be too large',
    remedy: 'Send fewer operations in one batch, or request fewer fields.',
  },
  'rate-exceeded': {
    status: 429,
    cause: 'The token has sent too many requests',
    remedy: wait,
  },
  'attempts-exceeded': {
    status: 429,
    cause: 'Too many sign-ins or access tokens were wrong',
    remedy: wait,
  },
  'listeners-exceeded': {
    status: 429,
    cause: 'The token has too many open streams and waiting requests of the feed',
    remedy: 'Close a stream, or wait for the number of seconds in `Retry-After`.',
  },
  'exports-exceeded': {
    status: 429,
    cause: 'Another export is running for the same token, or for a session of the same member',
    remedy: 'Read the running export to its end, or close its connection.',
  },
  'bytes-in-flight-exceeded': {
    status: 429,
    cause: 'The bodies and responses that the service holds for the caller are too large in total',
    remedy:
      'Read responses to the end, send fewer requests at once, and wait for the number of seconds in `Retry-After`.',
  },
  'connections-exceeded': {
    status: 503,
    cause: 'The client address has too many open connections',
    remedy: 'Reuse existing connections.',
  },
  'outcome-unknown': {
    status: 503,
    cause: 'The service does not know whether the write was committed',
    remedy: 'Send the request again with the same `Idempotency-Key`, or read the record.',
  },
  overdue: {
    status: 503,
    cause: 'The request took too long and was rolled back',
    remedy: wait,
  },
  'not-reached': {
    status: 503,
    cause: 'An earlier operation of the batch failed, so this operation was not executed',
    remedy: wait,
  },
  'database-away': {
    status: 503,
    cause: 'The database does not respond',
    remedy: wait,
  },
  'database-full': {
    status: 503,
    cause: 'The disk that contains the database is full',
    remedy: 'Ask the operator to free disk space, then send the request again.',
  },
  'uploads-full': {
    status: 503,
    cause: 'The disk that contains the folder for uploads is full',
    remedy: 'Ask the operator to free disk space, then send the file again.',
  },
  'uploads-unwritable': {
    status: 503,
    cause: 'The service cannot write to the folder for uploads',
    remedy: 'Ask the operator to give the service write access, then send the file again.',
  },
  'database-read-only': {
    status: 503,
    cause: 'The database does not accept writes',
    remedy: 'Ask the operator to make the database writable, then send the request again.',
  },
  'database-replaced': {
    status: 503,
    cause: 'The database file was deleted or replaced',
    remedy: 'Ask the operator to restart the service, then send the request again.',
  },
  'service-outdated': {
    status: 503,
    cause: 'A migration has changed the database since the service started',
    remedy: 'Ask the operator to restart the service with the new version, then send the request again.',
  },
  overloaded: {
    status: 503,
    cause: 'The service is overloaded',
    remedy: wait,
  },
  unforeseen: {
    status: 500,
    cause: 'An unexpected error occurred in the service',
    remedy: 'Ask the operator to search the log for the `X-Request-Id` of the response.',
  },
} as const satisfies Record<string, CodeEntry>;

export type ProblemCode = keyof typeof problemCodes;

/** Codes of single fields, in `errors` of `body-invalid`. */
export const fieldCodes = {
  required: {
    cause: 'The field is required, but missing or empty',
    remedy: 'Send a value for the field.',
  },
  'unknown-field': {
    cause: 'The group does not have the field',
    remedy: 'Correct the name. The message suggests the most similar field.',
  },
  'not-allowed': {
    cause: 'The service sets the field itself, or the field does not apply to the new values of the record',
    remedy: 'Omit the field.',
  },
  'invalid-value': {
    cause: 'The value has the wrong type, format, length or range',
    remedy: 'Send a value that meets the requirement in the message.',
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
    cause: 'The state cannot change from the stored value to the sent value',
    remedy: 'Send a state that the message, or the documentation page of the group, allows.',
  },
  'condition-unmet': {
    cause: 'The record violates a condition of the group',
    remedy:
      'Send a value that satisfies the condition. The message and the documentation page of the group state the condition.',
  },
} as const satisfies Record<string, Omit<CodeEntry, 'status'>>;

export type FieldCode = keyof typeof fieldCodes;

/** The page on which each code has an anchor. */
const page = '/docs/guides/errors';

/** Returns the `type` of a problem document (RFC 9457, 3.1.1): a URI reference that leads to the code in the guide. */
export const typeOfProblem = (code: ProblemCode): string => `${page}#${code}`;
