// The log of changes in the OpenAPI document: the feed, histories, writes, and what takes a write back.
import { fieldFault } from '../../../problems/field-fault.ts';
import { problems } from '../../../problems.ts';
import type { Resource } from '../../../registry/model/model.ts';
import { recordName, toComponent } from '../../routes/names.ts';
import { exampleId } from '../../values/example-id.ts';
import { entryCauses, entryOperations } from '../../values/log-words.ts';
import type { Schema } from '../../values/schema.ts';
import { problemAnswer, shared, successAnswer } from '../answers.ts';
import { groupParameter, idParameter } from '../asked.ts';
import { groupDenials } from '../denials.ts';
import { answerHeadersOf, requestHeadersOf } from '../headers.ts';

const uuid: Schema = { type: 'string', format: 'uuid' };
const flag = (description: string): Schema => ({ type: 'boolean', description });
const number = { type: 'integer', minimum: 1 };
const textOrNull = (description: string): Schema => ({ type: ['string', 'null'], description });

const named: Schema = {
  type: 'object',
  properties: { group: { type: 'string' }, id: uuid },
  required: ['group', 'id'],
  additionalProperties: false,
  description: 'The record whose write brought it about',
};

const cause: Schema = {
  title: 'ChangeCause',
  description: 'Why a record has changed.',
  type: 'object',
  properties: {
    kind: { type: 'string', enum: entryCauses },
    rule: { type: 'string', description: 'The effect or the figure' },
    of: named,
    write: { ...uuid, description: 'Of an undo: the write that it takes back' },
    day: { type: 'string', format: 'date', description: 'Of what follows after midnight' },
    name: { type: 'string', description: 'Of a migration' },
  },
  required: ['kind'],
  additionalProperties: false,
};

const actor: Schema = {
  title: 'ChangeActor',
  description: 'Who wrote; null of the service itself.',
  type: ['object', 'null'],
  properties: {
    member: {
      type: ['object', 'null'],
      properties: { id: uuid, name: { type: 'string', description: 'Absent of one who is gone' } },
      required: ['id'],
      additionalProperties: false,
    },
    token: {
      type: 'object',
      properties: { id: textOrNull('Null of the token of the configuration'), name: { type: 'string' } },
      required: ['id', 'name'],
      additionalProperties: false,
    },
  },
  required: ['member', 'token'],
  additionalProperties: false,
};

const change: Schema = {
  title: 'ChangeOfField',
  description: 'What a field was and what it is, as bodies have it; nothing of what must not be kept.',
  type: 'object',
  properties: {
    from: { description: 'Absent of a new record' },
    to: { description: 'Absent of a deleted one' },
    removed: { description: 'Of a list: the ids that were taken out' },
  },
  additionalProperties: false,
};

const entry: Schema = {
  title: 'ChangeEntry',
  description: 'What one write did to one record.',
  type: 'object',
  properties: {
    position: { type: 'string', description: 'In the feed: its place in the order of commits' },
    entry: { type: 'string', description: 'In histories and writes: what cursors name' },
    write: { ...uuid, description: 'All entries of one transaction have one' },
    part: { ...number, description: 'Its place among the entries of the write' },
    parts: { ...number, description: 'How many the write has' },
    step: { ...number, description: 'Of a batch: which operation did it' },
    at: { type: 'string', format: 'date-time' },
    operation: {
      type: 'string',
      enum: entryOperations,
      description:
        '`gone`: the record has left the sight of the caller. `reset`: all records of the group are to be read anew',
    },
    group: textOrNull('Name of the group; null: all groups'),
    path: textOrNull('Of the record, below the base'),
    id: textOrNull('Of the record'),
    name: textOrNull('What references showed of it'),
    version: { type: ['integer', 'null'], description: 'Of the record, when it was written' },
    changes: {
      type: ['object', 'null'],
      additionalProperties: toComponent('ChangeOfField'),
      description: 'By the keys of the fields, as in bodies; null where they are too long',
    },
    isLong: { type: 'boolean', const: true, description: 'The record must be read' },
    cause: toComponent('ChangeCause'),
    also: {
      type: 'object',
      additionalProperties: { type: 'string', enum: entryCauses },
      description: 'Fields that came by another cause',
    },
    by: toComponent('ChangeActor'),
    request: textOrNull('The `X-Request-Id` of the answer'),
    trace: textOrNull('The trace that the request was part of'),
  },
  required: ['write', 'at', 'operation', 'group', 'id'],
  additionalProperties: false,
};

const pageOf = (title: string, description: string, more: Readonly<Record<string, Schema>>): Schema => ({
  ...{ title, description },
  type: 'object',
  properties: { results: { type: 'array', items: toComponent('ChangeEntry'), maxItems: 10_000 }, ...more },
  required: ['results', ...Object.keys(more)],
  additionalProperties: false,
});

export const changeSchemas: Readonly<Record<string, Schema>> = {
  ChangeEntry: entry,
  ChangeOfField: change,
  ChangeCause: cause,
  ChangeActor: actor,
  ChangePage: pageOf('ChangePage', 'A part of the feed: oldest first, or newest first with `before`.', {
    cursor: { type: 'string', description: 'From where to go on, with `after` or `before`' },
    hasMore: flag('Whether there are more entries already'),
  }),
  ChangeHistory: pageOf('ChangeHistory', 'A part of the history of a record, newest first.', {
    hasMore: flag('Whether there are more entries in this direction'),
    isComplete: flag('Whether this is the last page, and the log is older than the record'),
  }),
  ChangeWrite: pageOf('ChangeWrite', 'A page of the entries of a write, in their order.', {
    hasMore: flag('Whether there are more entries in this direction'),
  }),
  ChangeUndone: {
    title: 'ChangeUndone',
    description: 'A write that took back another.',
    type: 'object',
    properties: { write: uuid, undoes: uuid },
    required: ['write', 'undoes'],
    additionalProperties: false,
  },
};

const words = (name: string, known: readonly string[], description: string): Schema => ({
  ...{ name, in: 'query', style: 'form', explode: false, description },
  schema: { type: 'array', items: { type: 'string', enum: known }, minItems: 1 },
});
const query = (name: string, description: string, schema: Schema): Schema => ({
  ...{ name, in: 'query', description, schema },
});
const moment: Schema = { type: 'string', format: 'date-time' };

const feedParameters = (groups: readonly Resource[]): readonly Schema[] => [
  query('after', 'The cursor of an earlier page; `now` for that of the end; without it from the oldest entry on', {
    type: 'string',
  }),
  query('before', 'The newest first: the cursor of an earlier page, or `now`; not of a stream', { type: 'string' }),
  query('limit', 'Maximum number of entries', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }),
  words(
    'group',
    groups.map(({ name }) => name),
    'Names of groups',
  ),
  query('id', 'One record; with one `group`', uuid),
  words('operation', entryOperations, 'What was done'),
  words('cause', entryCauses, 'Why it was done'),
  query('member', 'Who wrote', uuid),
  query('since', 'The moment of the first entry', moment),
  query('until', 'The moment of the last entry', moment),
  query('wait', 'How many seconds an empty page waits for an entry', {
    ...{ type: 'integer', minimum: 0, maximum: 60, default: 0 },
  }),
];

const ofAnyone: Schema = {
  401: shared('Unauthorized'),
  429: shared('TooManyRequests'),
  500: shared('Unforeseen'),
  503: shared('Unavailable'),
};

/** One entry, to look at. */
function exampleOf(place: 'position' | 'entry', first: Resource | undefined): Schema {
  const id = exampleId(first?.name ?? '');
  return {
    ...{ [place]: '48213', write: exampleId('write'), part: 1, parts: 1, at: '2026-11-23T09:12:44.118Z' },
    ...{ operation: 'update', group: first?.name ?? null, path: `${first?.path}/${id}`, id, name: 'Example' },
    ...{ version: 5, changes: { name: { from: 'Sample', to: 'Example' } }, cause: { kind: 'caller' } },
    ...{ by: { member: null, token: { id: null, name: 'ACCESS_TOKEN' } }, request: exampleId('request'), trace: null },
  };
}

const feed = (groups: readonly Resource[]): Schema => ({
  tags: ['Changes'],
  operationId: 'changes',
  summary: 'Read what has changed',
  description:
    'Every entry once, in the order of the commits; with `before`, the newest first. Keep the cursor of a page, and read on from there; after 410 the records are to be read anew.',
  parameters: feedParameters(groups),
  responses: {
    200: successAnswer(
      'A part of the feed',
      {},
      {
        schema: toComponent('ChangePage'),
        examples: {
          page: {
            value: { results: [exampleOf('position', groups[0])], cursor: '9f3c1a77be02.48213', hasMore: false },
          },
        },
      },
    ),
    400: problemAnswer([
      problems.parameterInvalid('after', 'a cursor of this log'),
      problems.parameterInvalid('id', "given with one 'group'"),
      problems.parameterInvalid('wait', 'an integer from 0 to 60'),
    ]),
    403: problemAnswer([problems.mayNot('changes')]),
    410: problemAnswer([problems.cursorTooOld('after')]),
    ...ofAnyone,
  },
});

const historyParameters: readonly Schema[] = [
  query('limit', 'Maximum number of entries', { type: 'integer', minimum: 1, maximum: 100, default: 10 }),
  query('startingAfter', 'The `entry` of a result: older ones', { type: 'string' }),
  query('endingBefore', 'The `entry` of a result: newer ones', { type: 'string' }),
  query('figures', 'Whether entries of figures are shown', { type: 'boolean', default: false }),
];

/** @param resource Of one record, whose history has a path of its own; else any of the groups. */
function history(groups: readonly Resource[], hasRoles: boolean, resource?: Resource): Schema {
  const first = resource ?? groups[0];
  const closed = first?.feature ?? groups.find(({ feature }) => feature !== undefined)?.feature;
  return {
    tags: ['Changes'],
    operationId: resource === undefined ? 'history' : `historyOf${recordName(resource)}`,
    summary:
      resource === undefined
        ? 'Read the history of a record'
        : `Read the history of the ${resource.title.toLowerCase()}`,
    description: 'What became of it, newest first; of deleted records, too.',
    parameters: [...(resource === undefined ? [groupParameter(groups), idParameter] : []), ...historyParameters],
    responses: {
      200: successAnswer(
        'A part of its history',
        {},
        {
          schema: toComponent('ChangeHistory'),
          examples: { page: { value: { results: [exampleOf('entry', first)], hasMore: false, isComplete: true } } },
        },
      ),
      400: problemAnswer([
        ...(resource === undefined ? [problems.uuidMalformed('id')] : []),
        problems.parameterInvalid('startingAfter', "the 'entry' of a result"),
        problems.cursorsExclusive(),
      ]),
      403: problemAnswer([
        ...(closed === undefined ? [] : [problems.featureDisabled(closed.name)]),
        ...(first === undefined ? [] : groupDenials(first, 'history', hasRoles)),
      ]),
      404: problemAnswer([problems.recordUnknown(exampleId('unknown')), problems.pathUnknown()]),
      ...ofAnyone,
    },
  };
}

const writeParameter: Schema = {
  ...{ name: 'write', in: 'path', required: true, description: 'The `write` of an entry' },
  schema: uuid,
};
const writeParameters: readonly Schema[] = [
  query('limit', 'Maximum number of entries', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }),
  query('startingAfter', 'The `entry` of a result: later ones', { type: 'string' }),
  query('endingBefore', 'The `entry` of a result: earlier ones', { type: 'string' }),
];
const unknown = (): Schema => problemAnswer([problems.writeUnknown(exampleId('unknown'))]);
const forgotten = (): Schema => problemAnswer([problems.writeForgotten()]);

const write = (groups: readonly Resource[]): Schema => ({
  tags: ['Changes'],
  operationId: 'write',
  summary: 'Read all that a write did',
  description:
    'Every entry of one transaction, with what it brought about, page by page. A page ends early if its entries are long.',
  parameters: [writeParameter, ...writeParameters],
  responses: {
    200: successAnswer(
      'A page of its entries',
      {},
      {
        schema: toComponent('ChangeWrite'),
        examples: { entries: { value: { results: [exampleOf('entry', groups[0])], hasMore: false } } },
      },
    ),
    400: problemAnswer([
      problems.uuidMalformed('id'),
      problems.parameterInvalid('startingAfter', "the 'entry' of a result"),
      problems.cursorsExclusive(),
    ]),
    403: problemAnswer([problems.mayNot('act')]),
    404: unknown(),
    410: forgotten(),
    ...ofAnyone,
  },
});

const undo = (groups: readonly Resource[], hasRoles: boolean): Schema => ({
  tags: ['Changes'],
  operationId: 'undo',
  summary: 'Take back a write',
  description:
    'A new write: what the caller of the other one changed is as it was, with the rights and the conditions of any write.',
  parameters: [writeParameter, ...requestHeadersOf('batch')],
  responses: {
    200: successAnswer('What was done', answerHeadersOf('batch'), {
      schema: toComponent('ChangeUndone'),
      examples: { undone: { value: { write: exampleId('undo'), undoes: exampleId('write') } } },
    }),
    400: problemAnswer([
      problems.uuidMalformed('id'),
      problems.bodyInvalid([fieldFault('name', 'is required', 'required')]),
    ]),
    403: problemAnswer([
      problems.featureDisabled('reports'),
      ...groups.slice(0, 1).flatMap((first) => groupDenials(first, 'update', hasRoles)),
    ]),
    404: unknown(),
    409: problemAnswer([
      problems.writeUndone(),
      problems.hasChangedSince(groups[0]?.title ?? 'record'),
      problems.writeHadEffects(),
      problems.writeIsPartlyKept(),
      problems.keyInUse(),
    ]),
    410: forgotten(),
    422: shared('KeyOfAnother'),
    ...ofAnyone,
  },
});

/** The paths of the log of changes. */
export function changePaths(resources: readonly Resource[], hasRoles: boolean): Readonly<Record<string, Schema>> {
  const groups = resources.filter(({ isLogged }) => isLogged);
  const many = groups.filter(({ singleton }) => !singleton);
  const single = groups.filter(({ singleton }) => singleton);
  return {
    '/changes': { get: feed(groups) },
    '/history/{group}/{id}': { get: history(many, hasRoles) },
    ...Object.fromEntries(
      single.map((resource) => [`/history${resource.path}`, { get: history(groups, hasRoles, resource) }]),
    ),
    '/writes/{write}': { get: write(many) },
    '/writes/{write}/undo': { post: undo(many, hasRoles) },
  };
}
