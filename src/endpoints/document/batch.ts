// The batch endpoint in the OpenAPI document.
import { fieldFault } from '../../problems/field-fault.ts';
import { problems } from '../../problems.ts';
import type { Resource } from '../../registry/model/model.ts';
import { toComponent } from '../routes/names.ts';
import { shortCreateExample } from '../schemas/examples.ts';
import { exampleId } from '../values/example-id.ts';
import type { Schema } from '../values/schema.ts';
import { problemAnswer, shared, successAnswer } from './answers.ts';
import { answerHeadersOf, requestHeadersOf } from './headers.ts';

/** Path below the base. */
export const batchPath = '/batch';

const fromResult: Schema = {
  type: 'object',
  properties: {
    $from: {
      type: 'string',
      description: 'The name of an earlier operation, and what of its answer is meant: `made.id`, `made.lines[0].id`',
    },
  },
  required: ['$from'],
  additionalProperties: false,
};

const operation: Schema = {
  type: 'object',
  properties: {
    method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    path: {
      type: 'string',
      description:
        'Path and query below the address of the API; `{made.id}` in it stands for a part of an earlier answer: at most 20 of them, and 2,000 characters when they are filled in. Batches do not nest.',
    },
    body: {
      type: 'object',
      description:
        'Of POST, PUT and PATCH. `{"$from": "made.id"}` in place of a value stands for a part of an earlier answer.',
    },
    as: {
      type: 'string',
      pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$',
      description: 'What later operations call the answer',
    },
    ifMatch: {
      oneOf: [{ type: 'string' }, fromResult],
      description:
        'Of PUT, PATCH and DELETE: as the header `If-Match`. `{"$from": "made.etag"}` is the tag of an earlier answer.',
    },
  },
  required: ['method', 'path'],
  additionalProperties: false,
};

/** The body of a batch. */
const batchSchema: Schema = {
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
    outcome: { type: 'string', enum: ['created', 'updated', 'unchanged'], description: 'Of PUT: what was done' },
    id: {
      type: 'string',
      format: 'uuid',
      description: 'With `Prefer: return=minimal`, instead of the answer to a write',
    },
  },
  required: ['status'],
  additionalProperties: false,
};

const batchResultSchema: Schema = {
  title: 'BatchResult',
  description: 'The answers to the operations of a batch, in their order.',
  type: 'object',
  properties: { results: { type: 'array', items: result, maxItems: 1000 } },
  required: ['results'],
  additionalProperties: false,
};

export const batchSchemas: Readonly<Record<string, Schema>> = { Batch: batchSchema, BatchResult: batchResultSchema };

/** Makes a record of a group and changes it at once. */
function exampleOf({ path, name }: Resource, body: object): { readonly asked: Schema; readonly answered: Schema } {
  const made = { ...body, id: exampleId(name) };
  return {
    asked: {
      operations: [
        { method: 'POST', path, body, as: 'made' },
        { method: 'PATCH', path: `${path}/{made.id}`, body, ifMatch: { $from: 'made.etag' } },
      ],
    },
    answered: {
      results: [
        { status: 200, body: made, etag: '"0-9vVYwn3ZyM2Yx0bD"' },
        { status: 200, body: made, etag: '"0-9vVYwn3ZyM2Yx0bD"' },
      ],
    },
  };
}

/** A batch to begin with: a record is made, and changed by the tag of its making. */
export function batchExample(resources: readonly Resource[]): Schema {
  const first = resources.find(({ operations }) => operations.has('create') && operations.has('update'));
  return first === undefined ? { operations: [] } : exampleOf(first, shortCreateExample(first)).asked;
}

const refused = problems.operationRefused(2, problems.bodyInvalid([fieldFault('name', 'is required', 'required')]));

/** The operation itself. */
export function batchOperation(resources: readonly Resource[]): Schema {
  const first = resources.find(({ operations }) => operations.has('create') && operations.has('update'));
  const example = first && exampleOf(first, shortCreateExample(first));
  const title = first?.title ?? 'Record';
  return {
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
          schema: toComponent('Batch'),
          examples: { two: { value: example?.asked ?? { operations: [] } } },
        },
      },
    },
    responses: {
      200: successAnswer('The answers to all operations', answerHeadersOf('batch'), {
        schema: toComponent('BatchResult'),
        examples: { two: { value: example?.answered ?? { results: [] } } },
      }),
      400: problemAnswer([
        problems.bodyInvalid([fieldFault('operations[0].path', 'is required', 'required')]),
        refused,
      ]),
      401: shared('Unauthorized'),
      403: problemAnswer([problems.operationRefused(1, problems.featureDisabled('reports'))]),
      404: problemAnswer([problems.operationRefused(1, problems.recordUnknown(exampleId('unknown')))]),
      405: problemAnswer([problems.operationRefused(1, problems.methodNotAllowed('GET'))]),
      409: problemAnswer([problems.operationRefused(1, problems.keyTaken(title, 'name')), problems.keyInUse()]),
      412: problemAnswer([problems.operationRefused(2, problems.recordChanged())]),
      413: problemAnswer([problems.bodyTooLarge(), problems.answerTooLarge()]),
      415: shared('UnsupportedMediaType'),
      422: shared('KeyOfAnother'),
      428: problemAnswer([problems.operationRefused(1, problems.ifMatchMissing())]),
      429: shared('TooManyRequests'),
      500: shared('Unforeseen'),
      503: shared('Unavailable'),
    },
  };
}
