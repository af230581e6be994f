// Several operations in one request, for the document.
import { problems } from '../problems.ts';
import { problemAnswer, sharedRefs, successAnswer } from './answers.ts';
import { exampleId } from './example-id.ts';
import { answerHeadersOf, requestHeadersOf } from './headers.ts';
import type { Schema } from './schema.ts';

/** Path below the base. */
export const batchPath = '/batch';

const fromResult: Schema = {
  type: 'object',
  properties: {
    $from: {
      type: 'string',
      description: 'The name of an earlier operation, and what of its answer is meant: `acme.id`, `acme.lines[0].id`',
    },
  },
  required: ['$from'],
  additionalProperties: false,
};

const operation: Schema = {
  type: 'object',
  properties: {
    method: { type: 'string', enum: ['GET', 'POST', 'PATCH', 'DELETE'] },
    path: {
      type: 'string',
      description:
        'Path and query below the address of the API; `{acme.id}` in it stands for a part of an earlier answer. Batches do not nest.',
    },
    body: {
      type: 'object',
      description:
        'Of POST and PATCH. `{"$from": "acme.id"}` in place of a value stands for a part of an earlier answer.',
    },
    as: {
      type: 'string',
      pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$',
      description: 'What later operations call the answer',
    },
    ifMatch: {
      oneOf: [{ type: 'string' }, fromResult],
      description:
        'Of PATCH and DELETE: as the header `If-Match`. `{"$from": "acme.etag"}` is the tag of an earlier answer.',
    },
  },
  required: ['method', 'path'],
  additionalProperties: false,
};

/** The body of a batch. */
export const batchSchema: Schema = {
  title: 'Batch',
  description: 'Several operations, in their order; later ones may use what earlier ones have answered.',
  type: 'object',
  properties: {
    operations: { type: 'array', items: operation, maxItems: 1000 },
    atomic: { type: 'boolean', default: true, description: 'All or nothing; else each operation stands for itself' },
  },
  required: ['operations'],
  additionalProperties: false,
};

const result: Schema = {
  type: 'object',
  properties: {
    status: { type: 'integer', minimum: 200, maximum: 499, description: 'As of a request of its own' },
    body: { type: ['object', 'null'], description: 'The answer; null where it has no body' },
    etag: { type: 'string', description: 'The tag of one record' },
  },
  required: ['status', 'body'],
  additionalProperties: false,
};

export const batchResultSchema: Schema = {
  title: 'BatchResult',
  description: 'The answers to the operations of a batch, in their order.',
  type: 'object',
  properties: { results: { type: 'array', items: result, maxItems: 1000 } },
  required: ['results'],
  additionalProperties: false,
};

const operations = [
  { method: 'POST', path: '/clients', body: { name: 'Acme' }, as: 'acme' },
  { method: 'PATCH', path: '/clients/{acme.id}', body: { name: 'Acme Ltd' }, ifMatch: { $from: 'acme.etag' } },
];
const results = [
  { status: 200, body: { id: exampleId('client'), name: 'Acme' }, etag: '"0-9vVYwn3ZyM2Yx0bD"' },
  { status: 200, body: { id: exampleId('client'), name: 'Acme Ltd' }, etag: '"1-mF2qC1b0ZyGxYp4K"' },
];

const refused = problems.operationRefused(2, problems.bodyInvalid(["'name' is required"]));

/** The operation itself. */
export const batchOperation: Schema = {
  tags: ['Batch'],
  operationId: 'batch',
  summary: 'Do several operations in one request',
  description:
    'Up to 1,000 operations, reads too, one after the other, each with all the checks of a request of its own. Where one is refused, nothing of the batch is done, and the answer has its status and its texts; with `"atomic": false` each stands for itself.',
  parameters: requestHeadersOf('batch'),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Batch' },
        examples: { two: { value: { operations } } },
      },
    },
  },
  responses: {
    200: successAnswer('The answers to all operations', answerHeadersOf('batch'), {
      schema: { $ref: '#/components/schemas/BatchResult' },
      examples: { two: { value: { results } } },
    }),
    400: problemAnswer([problems.bodyInvalid(["'operations[0].path' is required"]), refused]),
    401: sharedRefs.unauthorized,
    403: problemAnswer([problems.operationRefused(1, problems.featureDisabled('pipeline'))]),
    404: problemAnswer([problems.operationRefused(1, problems.recordUnknown(exampleId('unknown')))]),
    405: problemAnswer([problems.operationRefused(1, problems.methodNotAllowed('GET'))]),
    409: problemAnswer([problems.operationRefused(1, problems.keyTaken('Client', 'name')), problems.keyInUse()]),
    412: problemAnswer([problems.operationRefused(2, problems.recordChanged())]),
    413: problemAnswer([problems.bodyTooLarge(), problems.answerTooLarge()]),
    415: sharedRefs.unsupportedMediaType,
    422: sharedRefs.keyOfAnother,
    428: problemAnswer([problems.operationRefused(1, problems.ifMatchMissing())]),
    500: sharedRefs.unforeseen,
    503: sharedRefs.unavailable,
  },
};
