// Responses of endpoints for the OpenAPI document: success bodies, and each problem with its text.
import { type FieldFault, fieldFault, unknownField } from '../../problems/field-fault.ts';
import { type Problem, problems } from '../../problems.ts';
import type { Registry, Resource } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import { conflictsOf } from '../routes/conflicts.ts';
import type { Endpoint } from '../routes/endpoint.ts';
import { documentName, errorName, toComponent } from '../routes/names.ts';
import { keyWords } from '../routes/unique-keys.ts';
import { exampleId } from '../values/example-id.ts';
import { rowOf } from '../values/kinds.ts';
import type { Schema } from '../values/schema.ts';
import { denialsOf, groupDenials } from './denials.ts';
import { answerHeadersOf, versionHeaders } from './headers.ts';

const usedBy: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      group: {
        type: ['string', 'null'],
        description: 'Path of the group, without its slash; null of those that the caller may not list',
      },
      count: { type: 'integer', minimum: 1, description: 'Exact up to 10,000; absent where the group is null' },
      countIsLowerBound: { type: 'boolean', const: true, description: 'Where there are more' },
    },
    required: ['group'],
    additionalProperties: false,
  },
  description: 'Present where a record is in use and cannot be deleted: how many records of each group refer to it',
};

const codePattern = '^[a-z]+(-[a-z]+)*$';

/** The body of every problem. */
export const errorSchema: Schema = {
  title: 'Error',
  description: 'Why a request was not answered as asked.',
  type: 'object',
  properties: {
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'HTTP status code' },
    message: { type: 'string', description: 'Human-readable message' },
    errors: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 50,
      description: 'Present on validation failures; one text per problem',
    },
    usedBy,
  },
  required: ['status', 'message'],
  additionalProperties: false,
};

/** The body of a problem for callers that accept `application/problem+json`. */
export const documentSchema: Schema = {
  title: 'ProblemDocument',
  description: 'Why a request was refused (RFC 9457), for callers that accept `application/problem+json`.',
  type: 'object',
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Address of the code in the guide on errors' },
    title: { type: 'string', description: 'Cause of every problem of this code' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'HTTP status code' },
    detail: { type: 'string', description: 'Human-readable message' },
    code: { type: 'string', pattern: codePattern, description: 'Code that never changes its meaning' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          detail: { type: 'string', description: 'Human-readable message' },
          pointer: {
            type: 'string',
            format: 'json-pointer',
            description: 'The field in the body of the request; absent if the fault is not of a field of the body',
          },
          code: { type: 'string', pattern: codePattern, description: 'Code that never changes its meaning' },
        },
        required: ['detail', 'code'],
        additionalProperties: false,
      },
      maxItems: 50,
      description: 'Faults of the body, in the order of the record',
    },
    usedBy,
  },
  required: ['type', 'title', 'status', 'detail', 'code'],
  additionalProperties: false,
};

const descriptions: Readonly<Record<number, string>> = {
  400: 'The id, a parameter or the body is not valid',
  401: 'There is no access token, or not a valid one',
  403: 'The caller may not do this, or the feature behind the group is off',
  404: 'There is no such record',
  409: 'Not possible with the records as they are',
  410: 'The log of changes no longer has what is asked for',
  412: 'The record has another version than the caller has seen, or a condition of the headers is false',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'The key of the request was used for another one',
  428: 'The version that the caller has seen must be sent',
  429: 'The token has asked more than it may, or too many wrong tokens came from the address; try again',
  500: 'Something unforeseen; the log has the cause',
  503: 'The service cannot answer now; try again',
};

const badId = problems.uuidMalformed('id');
const unknownParameter = problems.parameterUnknown('sort');
const bodyMalformed = problems.bodyMalformed();
const bodyNotAnObject = problems.bodyNotAnObject();
const common: readonly Problem[] = [badId, unknownParameter, bodyMalformed, bodyNotAnObject];

/** Examples that stand once in the document, by the code of the problem. */
export const sharedExamples: Schema = Object.fromEntries(common.map((problem) => [problem.code, exampleOf(problem)]));

/** Responses that say the same wherever they occur. */
export const sharedAnswers = {
  InvalidQuery: problemAnswer([
    problems.uuidMalformed('startingAfter'),
    problems.cursorsExclusive(),
    problems.cursorUnknown('startingAfter'),
    problems.parameterInvalid('limit', 'an integer from 1 to 100'),
    problems.parameterUnknown('sort'),
  ]),
  InvalidId: problemAnswer([badId, unknownParameter]),
  InvalidParameter: problemAnswer([unknownParameter]),
  Unauthorized: problemAnswer([problems.tokenMissing(), problems.tokenInvalid()]),
  NotFound: problemAnswer([problems.recordUnknown(exampleId('unknown'))]),
  BodyTooLarge: problemAnswer([problems.bodyTooLarge()]),
  RecordChanged: problemAnswer([problems.recordChanged(), problems.preconditionFalse('If-None-Match')]),
  PreconditionFalse: problemAnswer([problems.preconditionFalse('If-Match')]),
  KeyInUse: problemAnswer([problems.keyInUse()]),
  KeyOfAnother: problemAnswer([problems.keyOfAnother()]),
  UnsupportedMediaType: problemAnswer([problems.mediaTypeUnsupported()]),
  TooManyRequests: problemAnswer([problems.rateExceeded(1)]),
  Unforeseen: problemAnswer([problems.unforeseen()]),
  Unavailable: problemAnswer([
    problems.databaseAway(),
    problems.overloaded(),
    problems.connectionsExceeded(),
    problems.outcomeUnknown(),
    problems.overdue(),
    problems.outcomeOverdue(),
  ]),
  NotModified: successAnswer('The record is as the caller has it', answerHeadersOf('get')),
  Deleted: successAnswer('The record is deleted', answerHeadersOf('delete')),
  DeleteTried: successAnswer('What would go, where the delete is only tried', answerHeadersOf('delete'), {
    schema: toComponent('DeleteTrial'),
    examples: { counts: { value: { deletes: { parents: 1, children: 12 }, clears: { others: 3 } } } },
  }),
} as const satisfies Record<string, Schema>;

/** Headers of every answer; those of a limit where the service has one. */
export const sharedHeaders = {
  RequestId: {
    description: 'Id of the request; its line in the log has it too',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  ...versionHeaders,
  RateLimit: {
    description:
      'Where the service limits what a token may ask: how many requests are left (`r`), and after how many seconds the count begins anew (`t`); draft-ietf-httpapi-ratelimit-headers',
    schema: { type: 'string', examples: ['"default";r=99;t=1'] },
  },
  RateLimitPolicy: {
    description: 'The limit: how many requests (`q`) in how many seconds (`w`)',
    schema: { type: 'string', examples: ['"default";q=100;w=1'] },
  },
} as const satisfies Record<string, Schema>;

/** A success: its body, if there is one, and the headers of every answer. */
export function successAnswer(text: string, headers: Schema, content?: Schema): Schema {
  return {
    description: text,
    headers: { ...commonHeaders(), ...headers },
    ...(content === undefined ? {} : { content: { 'application/json': content } }),
  };
}

export function commonHeaders(): Schema {
  return {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    RateLimit: { $ref: '#/components/headers/RateLimit' },
    'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  };
}

/** An answer that stands once in the document. */
export const shared = (name: keyof typeof sharedAnswers): Schema => ({ $ref: `#/components/responses/${name}` });

/** What is refused to callers of an operation that is asked of any group, in the words of the first one. */
export function askedDenials(groups: readonly Resource[], act: 'list' | 'get', hasRoles: boolean): Schema {
  const [first] = groups;
  return problemAnswer([
    problems.featureDisabled('reports'),
    ...(first === undefined ? [] : groupDenials(first, act, hasRoles)),
  ]);
}

/** Every problem that an endpoint can answer, by status. @param hasRoles Whether roles say what callers may do. */
export function problemAnswers(endpoint: Endpoint, registry: Registry, hasRoles: boolean): Record<string, Schema> {
  const { resource, hasId, hasBody, method, operation } = endpoint;
  const isWrite = method !== 'GET';
  const isRewrite = isWrite && operation !== 'create';
  const conflicts = conflictsOf(endpoint, registry);
  return {
    400: badRequest(endpoint),
    401: shared('Unauthorized'),
    403: problemAnswer(denialsOf(endpoint, hasRoles)),
    ...(hasId ? { 404: shared('NotFound') } : {}),
    ...(isWrite ? { 409: conflictAnswer(conflicts) } : {}),
    ...(operation === 'get' ? { 412: shared('PreconditionFalse') } : {}),
    ...(operation === 'put' ? { 412: problemAnswer([problems.recordChanged(), problems.recordThere()]) } : {}),
    ...(isRewrite && operation !== 'put' ? { 412: shared('RecordChanged') } : {}),
    ...(hasBody ? { 413: shared('BodyTooLarge'), 415: shared('UnsupportedMediaType') } : {}),
    ...(isWrite ? { 422: shared('KeyOfAnother') } : {}),
    ...(isRewrite && resource.ifMatch ? { 428: problemAnswer([problems.ifMatchMissing()]) } : {}),
    429: shared('TooManyRequests'),
    500: shared('Unforeseen'),
    503: shared('Unavailable'),
  };
}

const conflictAnswer = (conflicts: readonly Problem[]): Schema =>
  conflicts.length === 0 ? shared('KeyInUse') : problemAnswer([...conflicts, problems.keyInUse()]);

function badRequest({ resource, operation, hasId, hasBody, parameters }: Endpoint): Schema {
  if (operation === 'list') return shared('InvalidQuery');
  const wrong = [...parameters.values()].map(({ name, accepts }) =>
    problems.parameterInvalid(name, rowOf(accepts).textWords(accepts)),
  );
  if (operation !== 'put' && wrong.length > 0) return problemAnswer([...wrong, unknownParameter]);
  if (!hasBody) return shared(hasId ? 'InvalidId' : 'InvalidParameter');
  const bodyInvalid = problems.bodyInvalid([bodyFault(resource, operation === 'create')]);
  const keyless = operation === 'put' ? [problems.keyNotNamed(keyWords(resource))] : [];
  return problemAnswer([
    ...(hasId ? [badId] : []),
    ...keyless,
    unknownParameter,
    bodyMalformed,
    bodyNotAnObject,
    bodyInvalid,
  ]);
}

/** One text that the group's own fields can give. */
function bodyFault(resource: Resource, isCreate: boolean): FieldFault {
  const required = isCreate ? resource.fields.find((field) => field.required) : undefined;
  return required === undefined ? unknownField('id') : fieldFault(required.key, 'is required', 'required');
}

/** Problems of one status, each with its text as an example. */
export function problemAnswer(all: readonly Problem[]): Schema {
  const [first] = all;
  if (first === undefined) unreachable('an answer without a problem');
  const named = Object.fromEntries(all.flatMap(({ headers }) => Object.entries(headers)));
  const headers = Object.entries(named).map(([name, example]) => {
    const required = all.every((problem) => name in problem.headers);
    return [name, { ...(required && { required }), schema: { type: 'string' }, example }];
  });
  return {
    description: descriptions[first.status] ?? first.message,
    headers: { ...commonHeaders(), ...Object.fromEntries(headers) },
    content: {
      'application/json': { schema: toComponent(errorName), examples: examplesOf(all) },
      'application/problem+json': { schema: toComponent(documentName) },
    },
  };
}

/** By code; a second of the same code has a number. */
function examplesOf(all: readonly Problem[]): Readonly<Record<string, Schema>> {
  const examples: Record<string, Schema> = {};
  for (const problem of all) {
    const { code } = problem;
    const twins = Object.keys(examples).filter((name) => name.replace(/-\d+$/, '') === code).length;
    const name = twins === 0 ? code : `${code}-${twins + 1}`;
    examples[name] = common.includes(problem) ? { $ref: `#/components/examples/${code}` } : exampleOf(problem);
  }
  return examples;
}

function exampleOf({ status, message, errors }: Problem): Schema {
  return { value: errors === undefined ? { status, message } : { status, message, errors } };
}
