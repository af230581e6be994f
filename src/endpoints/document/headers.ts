// Request and response headers in the OpenAPI document: preconditions, versions, idempotency keys, trials.
import type { Endpoint } from '../routes/endpoint.ts';
import type { Schema } from '../values/schema.ts';

// No examples: pages that send requests would put them in, and a create would only be tried.
const requestHeaders = {
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'Entity tags such as `"4-9vVYwn3ZyM2Yx0bD"`, or `*`. The record is written only if its version is that of one of them; tags stay good if only the names of referred records change. A read compares whole tags.',
    schema: { type: 'string' },
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'Entity tags, or `*`. A read answers 304 if the record is still as one of them says, names included. The record is written only if its version is that of none of them, or, with `*`, if it does not exist yet.',
    schema: { type: 'string' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'What this request is known by: sent again within 24 hours, with the same token, it is answered as the first time and nothing is done. Only what was done is kept: what was refused may be tried again under the same key.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`tx=rollback`: everything is done and answered as it would be, and then taken back. A delete answers what would go with it. `return=minimal`: the answer is `{"id": "…"}` instead of the record.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Schema>;

/** Parameters that stand once in the document. */
export const sharedRequestHeaders: Readonly<Record<string, Schema>> = requestHeaders;

const refTo = (name: keyof typeof requestHeaders): Schema => ({
  $ref: `#/components/parameters/${name}`,
});

/** The headers that an operation takes. */
export function requestHeadersOf(endpoint: Endpoint | 'batch'): readonly Schema[] {
  if (endpoint === 'batch') return [refTo('idempotencyKey'), refTo('prefer')];
  const { operation, resource } = endpoint;
  if (operation === 'list') return [];
  if (operation === 'get') return [refTo('ifMatch'), refTo('ifNoneMatch')];
  const write = [refTo('idempotencyKey'), refTo('prefer')];
  if (operation === 'create') return write;
  const isRequired = operation !== 'put' && resource.ifMatch;
  const ifMatch = isRequired ? { ...requestHeaders.ifMatch, required: true } : refTo('ifMatch');
  return [ifMatch, refTo('ifNoneMatch'), ...write];
}

/** Headers of answers, which stand once in the document. */
export const versionHeaders = {
  ETag: {
    description: 'The version of the record and a digest of this answer; a computed record has the digest alone',
    required: true,
    schema: { type: 'string', pattern: '^"([0-9]+-)?[A-Za-z0-9_-]{16}"$' },
    example: '"4-9vVYwn3ZyM2Yx0bD"',
  },
  IdempotentReplayed: {
    description: 'There where this is the answer to an earlier request with the same key',
    schema: { type: 'string', const: 'true' },
  },
  PreferenceApplied: {
    description: 'There where everything was taken back, or the answer is the id alone',
    schema: { type: 'string', enum: ['tx=rollback', 'return=minimal', 'tx=rollback, return=minimal'] },
  },
  PraxisOutcome: {
    description: 'What was done: the record is new, another than before, or as it was',
    required: true,
    schema: { type: 'string', enum: ['created', 'updated', 'unchanged'] },
  },
} as const satisfies Record<string, Schema>;

const headerRef = (name: keyof typeof versionHeaders): Schema => ({ $ref: `#/components/headers/${name}` });

/** The headers of the answer to an operation that was carried out. */
export function answerHeadersOf(operation: Endpoint['operation'] | 'batch'): Schema {
  const isOfRecord = ['get', 'create', 'update', 'put'].includes(operation);
  const isWrite = operation !== 'list' && operation !== 'get';
  return {
    ...(isOfRecord && { ETag: headerRef('ETag') }),
    ...(operation === 'put' && { 'Praxis-Outcome': headerRef('PraxisOutcome') }),
    ...(isWrite && {
      'Idempotent-Replayed': headerRef('IdempotentReplayed'),
      'Preference-Applied': headerRef('PreferenceApplied'),
    }),
  };
}
