// What endpoints answer, for the document: success bodies, and each problem with the text it has.
import { type Problem, problems } from '../problems.ts';
import type { Registry, Resource } from '../registry/model.ts';
import { conflictsOf } from './conflicts.ts';
import type { Endpoint } from './endpoint.ts';
import { exampleId } from './example-values.ts';
import { errorName, toComponent } from './names.ts';
import type { Schema } from './schemas.ts';

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
  },
  required: ['status', 'message'],
  additionalProperties: false,
};

const descriptions: Readonly<Record<number, string>> = {
  400: 'The id, a parameter or the body is not valid',
  401: 'There is no access token, or not a valid one',
  403: 'The feature behind this group is off',
  404: 'There is no such record',
  409: 'Not possible with the records as they are',
  413: 'The body is too large',
  415: 'The body is not JSON',
  500: 'Something unforeseen; the log has the cause',
  503: 'The service cannot answer now; try again',
};

/** Responses that say the same wherever they occur. */
export const sharedAnswers = {
  Unauthorized: problemAnswer([problems.tokenMissing(), problems.tokenInvalid()]),
  NotFound: problemAnswer([problems.recordUnknown(exampleId('unknown'))]),
  BodyTooLarge: problemAnswer([problems.bodyTooLarge()]),
  UnsupportedMediaType: problemAnswer([problems.mediaTypeUnsupported()]),
  Unforeseen: problemAnswer([problems.unforeseen()]),
  Unavailable: problemAnswer([problems.databaseAway(), problems.overloaded(), problems.outcomeUnknown()]),
} as const satisfies Record<string, Schema>;

const shared = (name: keyof typeof sharedAnswers): Schema => ({ $ref: `#/components/responses/${name}` });

/** Every problem that an endpoint can answer, by status. */
export function problemAnswers(endpoint: Endpoint, registry: Registry): Record<string, Schema> {
  const { resource, hasId, hasBody } = endpoint;
  const conflicts = conflictsOf(endpoint, registry);
  const { feature } = resource;
  return {
    400: problemAnswer(badRequests(endpoint)),
    401: shared('Unauthorized'),
    ...(feature === undefined ? {} : { 403: problemAnswer([problems.featureDisabled(feature.name)]) }),
    ...(hasId ? { 404: shared('NotFound') } : {}),
    ...(conflicts.length > 0 ? { 409: problemAnswer(conflicts) } : {}),
    ...(hasBody ? { 413: shared('BodyTooLarge'), 415: shared('UnsupportedMediaType') } : {}),
    500: shared('Unforeseen'),
    503: shared('Unavailable'),
  };
}

function badRequests({ resource, operation, hasId, hasBody }: Endpoint): Problem[] {
  const ofList = [
    problems.uuidMalformed('startingAfter'),
    problems.cursorsExclusive(),
    problems.cursorUnknown('startingAfter'),
    problems.parameterInvalid('limit', 'an integer from 1 to 100'),
  ];
  return [
    ...(hasId ? [problems.uuidMalformed('id')] : []),
    ...(operation === 'list' ? ofList : []),
    problems.parameterUnknown('sort'),
    ...(hasBody ? [problems.bodyMalformed(), problems.bodyNotAnObject()] : []),
    ...(hasBody ? [problems.bodyInvalid([bodyFault(resource, operation === 'create')])] : []),
  ];
}

/** One text that the group's own fields can give. */
function bodyFault(resource: Resource, isCreate: boolean): string {
  const required = isCreate ? resource.fields.find((field) => field.required) : undefined;
  return required === undefined ? "'id' is not allowed" : `'${required.key}' is required`;
}

/** Problems of one status, each with its text as an example. */
function problemAnswer(all: readonly Problem[]): Schema {
  const [first] = all;
  if (first === undefined) throw new Error('an answer without a problem');
  const headers = Object.entries(first.headers).map(([name, example]) => [
    name,
    { schema: { type: 'string' }, example },
  ]);
  const examples: Record<string, Schema> = {};
  for (const { code, status, message, errors } of all) {
    const twins = Object.keys(examples).filter((name) => name.replace(/-\d+$/, '') === code).length;
    const value = errors === undefined ? { status, message } : { status, message, errors };
    examples[twins === 0 ? code : `${code}-${twins + 1}`] = { value };
  }
  return {
    description: descriptions[first.status] ?? first.message,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    content: { 'application/json': { schema: toComponent(errorName), examples } },
  };
}
