// What callers may do, in the OpenAPI document: the operations that tell it, and the header by which they act for others.
import { problems } from '../../problems.ts';
import type { Resource } from '../../registry/model/model.ts';
import { toComponent } from '../routes/names.ts';
import { exampleId } from '../values/example-id.ts';
import type { Schema } from '../values/schema.ts';
import { problemAnswer, shared, successAnswer } from './answers.ts';
import { groupParameter, idParameter } from './asked.ts';

/** Paths below the base. */
export const accessPath = '/access';
export const recordAccessPath = '/access/{group}/{id}';

const texts = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description });
const extent = { type: 'string', enum: ['all', 'some', 'no'] };
const operations = ['list', 'get', 'create', 'update', 'delete', 'history'];

const groupAccess: Schema = {
  title: 'AccessOfGroup',
  description:
    'What may be done with a group: with all of its records, with some, or not; what the group does not offer is left out.',
  type: 'object',
  properties: {
    ...Object.fromEntries(operations.map((name) => [name, extent])),
    hidden: texts('Names of the fields that no record shows'),
    kept: texts('Fields that no body may have'),
  },
  required: ['hidden', 'kept'],
  additionalProperties: false,
};

const access: Schema = {
  title: 'AccessOverview',
  description: 'What the caller may do.',
  type: 'object',
  properties: {
    member: {
      type: ['object', 'null'],
      properties: { id: { type: 'string', format: 'uuid' }, name: { type: 'string' } },
      required: ['id', 'name'],
      additionalProperties: false,
      description: 'Who acts; null of a token that belongs to nobody',
    },
    roles: texts('Names of the roles that count'),
    limits: {
      type: 'object',
      properties: {
        readOnly: { type: 'boolean', description: 'Whether it may read alone' },
        allow: texts('To what it is kept, as that was said when it was made'),
      },
      required: ['readOnly', 'allow'],
      additionalProperties: false,
      description: 'Limits of the token; they are counted in',
    },
    may: texts('What is granted beside the operations of groups'),
    groups: {
      type: 'object',
      additionalProperties: toComponent('AccessOfGroup'),
      description: 'By the names of the groups',
    },
  },
  required: ['member', 'roles', 'limits', 'may', 'groups'],
  additionalProperties: false,
};

const operationAccess: Schema = {
  title: 'AccessOfOperation',
  description: 'Whether an operation on a record is allowed, and by which rules.',
  type: 'object',
  properties: {
    allowed: { type: 'boolean' },
    by: texts('Rules that allow it'),
    forbiddenBy: texts('Rules that forbid it'),
    because: { type: 'string', description: 'What such a rule says of it' },
    mayDependOnChange: {
      type: 'boolean',
      const: true,
      description: 'There where a rule looks at what the write will leave, which counts as holding here',
    },
  },
  required: ['allowed', 'by', 'forbiddenBy'],
  additionalProperties: false,
};

const accessRule: Schema = {
  title: 'AccessRule',
  description: 'A rule about the group, and what its condition has seen.',
  type: 'object',
  properties: {
    rule: { type: 'string', description: 'Its role, and its name in it' },
    file: { type: 'string' },
    line: { type: 'integer', minimum: 1 },
    effect: { type: 'string', enum: ['allow', 'forbid'] },
    operations: texts('What it is about'),
    holds: { type: 'boolean' },
    condition: { type: ['string', 'null'], description: 'As the role has it; null where it always holds' },
    parts: {
      type: 'array',
      items: { type: 'object', additionalProperties: true },
      description: 'What it looks at, with the values',
    },
  },
  required: ['rule', 'file', 'line', 'effect', 'operations', 'holds', 'condition', 'parts'],
  additionalProperties: false,
};

const recordAccess: Schema = {
  title: 'AccessOfRecord',
  description: 'What may be done with a record, and why.',
  type: 'object',
  properties: {
    operations: {
      type: 'object',
      additionalProperties: toComponent('AccessOfOperation'),
      description: 'By the names of operations; none where the member who is asked about does not see the record',
    },
    hidden: texts('Names of the fields that it does not show'),
    kept: texts('Fields that an update of it may not have'),
    rules: { type: 'array', items: toComponent('AccessRule'), description: 'With `member`: all rules about the group' },
  },
  required: ['operations', 'hidden', 'kept'],
  additionalProperties: false,
};

export const accessSchemas: Readonly<Record<string, Schema>> = {
  AccessOverview: access,
  AccessOfGroup: groupAccess,
  AccessOfRecord: recordAccess,
  AccessOfOperation: operationAccess,
  AccessRule: accessRule,
};

/** Answers that any operation can give. */
const common: Schema = {
  401: shared('Unauthorized'),
  429: shared('TooManyRequests'),
  500: shared('Unforeseen'),
  503: shared('Unavailable'),
};

/** What the caller may do at all. */
export function accessOperation(resources: readonly Resource[]): Schema {
  const [first] = resources;
  const groups = first && { [first.name]: { list: 'all', get: 'all', hidden: [], kept: [] } };
  const value = { member: null, roles: [], limits: { readOnly: false, allow: [] }, may: [], groups: groups ?? {} };
  return {
    tags: ['Access'],
    operationId: 'access',
    summary: 'Tell what the caller may do',
    description:
      'With each group, by the roles of the caller and the limits of its token. The answer has an `ETag` of its own.',
    parameters: [{ $ref: '#/components/parameters/ifNoneMatch' }],
    responses: {
      200: successAnswer(
        'What the caller may do',
        { ETag: { description: 'A digest of the answer', required: true, schema: { type: 'string' } } },
        { schema: toComponent('AccessOverview'), examples: { plain: { value } } },
      ),
      304: {
        ...successAnswer('It is as the caller has it', {
          ETag: { description: 'A digest of the answer', required: true, schema: { type: 'string' } },
        }),
      },
      400: shared('InvalidParameter'),
      403: problemAnswer([problems.mayNot('act')]),
      ...common,
    },
  };
}

/** What the caller may do with a record. */
export function recordAccessOperation(resources: readonly Resource[], hasRoles: boolean): Schema {
  const groups = resources.filter(({ computed, singleton }) => computed === undefined && !singleton);
  const get = { allowed: true, by: [], forbiddenBy: [] };
  return {
    tags: ['Access'],
    operationId: 'recordAccess',
    summary: 'Tell what the caller may do with a record, and why',
    description: 'A record that the caller may not read is not found.',
    parameters: [
      groupParameter(groups),
      idParameter,
      {
        ...{ name: 'member', in: 'query' },
        description: 'Whose rights are asked about instead; needs `access` among what the caller may',
        schema: { type: 'string', format: 'uuid' },
      },
    ],
    responses: {
      200: successAnswer(
        'What the caller may do with it',
        {},
        {
          schema: toComponent('AccessOfRecord'),
          examples: { plain: { value: { operations: { get }, hidden: [], kept: [] } } },
        },
      ),
      400: problemAnswer([problems.uuidMalformed('id')]),
      403: problemAnswer([problems.featureDisabled('reports'), ...(hasRoles ? [problems.mayNot('access')] : [])]),
      404: problemAnswer([problems.recordUnknown(exampleId('unknown')), problems.pathUnknown()]),
      ...common,
    },
  };
}

/** By what a caller acts for somebody else: any operation takes it. */
export function actingHeader({ title }: Resource): Schema {
  const { message: denied } = problems.mayNot('act');
  const { message: wrong } = problems.headerInvalid('Praxis-Member', `the id of a ${title}`);
  return {
    ...{ name: 'Praxis-Member', in: 'header' },
    description: `The ${title} for whom the caller acts: what both may do is done as theirs. 403 \`${denied}\` for who may not act for others; 400 \`${wrong}\``,
    schema: { type: 'string', format: 'uuid' },
  };
}
