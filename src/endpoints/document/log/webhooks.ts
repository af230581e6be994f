// Webhooks in the OpenAPI document: who makes, changes and tries them. What they send are entries of the log.
import { fieldFault } from '../../../problems/field-fault.ts';
import { type Problem, problems } from '../../../problems.ts';
import type { Resource } from '../../../registry/model/model.ts';
import { toComponent } from '../../routes/names.ts';
import { exampleId } from '../../values/example-id.ts';
import { entryCauses, entryOperations } from '../../values/log-words.ts';
import type { Schema } from '../../values/schema.ts';
import { problemAnswer, shared, successAnswer } from '../answers.ts';
import { idParameter } from '../asked.ts';
import { answerHeadersOf, requestHeadersOf } from '../headers.ts';

const uuid: Schema = { type: 'string', format: 'uuid' };
const moment: Schema = { type: 'string', format: 'date-time' };
const wordsOrNull = (words: readonly string[] | undefined, description: string): Schema => ({
  type: ['array', 'null'],
  items: { type: 'string', ...(words !== undefined && { enum: words }) },
  minItems: 1,
  maxItems: 1000,
  description,
});
const object = (title: string, description: string, properties: Readonly<Record<string, Schema>>): Schema => ({
  ...{ title, description, type: 'object', properties },
  additionalProperties: false,
});

const wish: Readonly<Record<string, Schema>> = {
  url: { type: 'string', maxLength: 2000, description: 'Where to, by https' },
  groups: wordsOrNull(undefined, 'Names of groups; null: all'),
  operations: wordsOrNull(entryOperations, 'What was done; null: all'),
  causes: wordsOrNull(entryCauses, 'Why it was done; null: all'),
  onFailure: {
    ...{ type: 'string', enum: ['hold', 'pass'] },
    description: 'Whether an entry that is refused through all tries holds up those behind it, or is put aside',
  },
};
const secret: Schema = { type: 'string', description: 'With which messages are signed; shown this once' };
const position: Schema = { type: 'string', description: 'Of the entry, in the feed' };

const shown: Readonly<Record<string, Schema>> = {
  id: uuid,
  ...wish,
  state: {
    ...{ type: 'string', enum: ['active', 'paused', 'failing', 'lost', 'stopped'] },
    description:
      '`failing`: an entry was refused through all tries. `lost`: the next entry is forgotten. `stopped`: its token has ended',
  },
  cursor: { type: 'string', description: 'Behind the last entry that it is through with' },
  waiting: {
    type: ['object', 'null'],
    properties: {
      position,
      tries: { type: 'integer', minimum: 1 },
      since: moment,
      nextAt: { type: ['string', 'null'], format: 'date-time' },
    },
    required: ['position', 'tries', 'since', 'nextAt'],
    additionalProperties: false,
    description: 'The entry that was refused',
  },
  createdAt: moment,
};

const attempt: Readonly<Record<string, Schema>> = {
  position: { type: ['string', 'null'], description: 'Of the entry; null of a test' },
  attempt: { type: 'integer', minimum: 1, description: 'Which try of this entry it was' },
  at: moment,
  outcome: { type: 'string', enum: ['taken', 'refused', 'failed'] },
  status: { type: ['integer', 'null'], description: 'What was answered' },
  answer: { type: ['string', 'null'], description: 'Its beginning' },
  error: { type: ['string', 'null'], description: 'Why there was no answer' },
  ms: { type: 'integer', minimum: 0, description: 'How long it took' },
};

const required = (properties: Readonly<Record<string, Schema>>) => ({ required: Object.keys(properties) });
const parked = { position, parkedAt: moment, message: { type: 'object', description: 'As it was sent' } };
const listOf = (title: string, description: string, items: Schema): Schema => ({
  ...object(title, description, { results: { type: 'array', items, maxItems: 1000 } }),
  required: ['results'],
});

export const webhookSchemas: Readonly<Record<string, Schema>> = {
  Webhook: { ...object('Webhook', 'Who is sent what changes, and how far it has come.', shown), ...required(shown) },
  WebhookMade: {
    ...object('WebhookMade', 'A new webhook, with its secret.', { secret, ...shown }),
    ...required({ secret, ...shown }),
  },
  WebhookCreate: {
    ...object('WebhookCreate', 'What a webhook is to be sent, and where to.', wish),
    ...{ required: ['url'] },
  },
  WebhookUpdate: object('WebhookUpdate', 'What is to be another way.', {
    ...wish,
    state: { type: 'string', enum: ['active', 'paused'] },
  }),
  WebhookReplay: {
    ...object('WebhookReplay', 'From where to go on.', {
      after: { type: 'string', description: 'A cursor of the feed' },
    }),
    ...{ required: ['after'] },
  },
  WebhookTry: {
    ...object('WebhookTry', 'One try to send a message, and what came of it.', attempt),
    ...required(attempt),
  },
  WebhookList: listOf('WebhookList', 'Webhooks, oldest first.', toComponent('Webhook')),
  WebhookTries: listOf('WebhookTries', 'The last 20 tries, newest first.', toComponent('WebhookTry')),
  WebhookParked: listOf('WebhookParked', 'Messages that were put aside, oldest first.', {
    ...{ type: 'object', properties: parked, additionalProperties: false, ...required(parked) },
  }),
  WebhookResent: {
    ...object('WebhookResent', 'What came of messages that were sent once more.', {
      results: { type: 'array', items: toComponent('WebhookTry'), maxItems: 20 },
      hasMore: { type: 'boolean', description: 'Whether some were not sent yet' },
    }),
    ...{ required: ['results', 'hasMore'] },
  },
  WebhookSecret: {
    ...object('WebhookSecret', 'A new secret; the one before signs too, for 24 hours.', { id: uuid, secret }),
    ...{ required: ['id', 'secret'] },
  },
};

const exampleOf = (first: Resource | undefined): Schema => ({
  ...{ id: exampleId('webhook'), url: 'https://example.com/hook', groups: [first?.name ?? ''] },
  ...{ operations: null, causes: ['caller', 'effect'], onFailure: 'hold', state: 'active' },
  ...{ cursor: '9f3c1a77be02.48213', waiting: null, createdAt: '2026-11-23T09:12:44.118Z' },
});

const body = (component: string, example: Schema): Schema => ({
  required: true,
  content: { 'application/json': { schema: toComponent(component), examples: { body: { value: example } } } },
});
const answer = (component: string, description: string): Schema =>
  successAnswer(description, {}, { schema: toComponent(component) });
/** Of a change. */
const done = (component: string, description: string): Schema =>
  successAnswer(description, answerHeadersOf('batch'), { schema: toComponent(component) });
const conflicts = (...found: readonly Problem[]): Schema => ({ 409: problemAnswer([...found, problems.keyInUse()]) });

const ofAnyone: Schema = {
  401: shared('Unauthorized'),
  403: problemAnswer([problems.mayNot('webhooks')]),
  429: shared('TooManyRequests'),
  500: shared('Unforeseen'),
  503: shared('Unavailable'),
};
const ofBody: Schema = { 413: shared('BodyTooLarge'), 415: problemAnswer([problems.mediaTypeUnsupported()]) };
const unknown = (): Schema => ({ 404: problemAnswer([problems.recordUnknown(exampleId('unknown'))]) });
const wrongBody = problems.bodyInvalid([
  fieldFault('url', 'must be an https URL', 'invalid-value'),
  fieldFault('url', 'must not lead to a private address', 'invalid-value'),
]);

interface Told {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly responses: Schema;
  readonly requestBody?: Schema;
  /** Whether it changes a webhook: it is done once under a key, and can be tried. */
  readonly isChange?: true;
}

const operation = ({ responses, isChange, ...told }: Told): Schema => ({
  ...{ tags: ['Webhooks'], ...told },
  ...(isChange === true && { parameters: requestHeadersOf('batch') }),
  responses: { ...(isChange === true && { ...conflicts(), 422: shared('KeyOfAnother') }), ...responses, ...ofAnyone },
});

/** Of one webhook. */
const own = ({ responses, ...told }: Told): Schema =>
  operation({ ...told, responses: { 400: problemAnswer([problems.uuidMalformed('id')]), ...responses, ...unknown() } });

/** What there is of all of them. */
const allItem = (example: Schema): Schema => ({
  get: operation({
    ...{ operationId: 'listWebhooks', summary: 'List webhooks' },
    description: 'A token whose rights are cut sees those that it has made.',
    responses: { 200: answer('WebhookList', 'All of them') },
  }),
  post: operation({
    isChange: true,
    ...{ operationId: 'createWebhook', summary: 'Make a webhook' },
    description:
      'It begins with what comes, and sees what the token sees that makes it; when that token ends, so does it.',
    requestBody: body('WebhookCreate', { url: example['url'], groups: example['groups'], causes: example['causes'] }),
    responses: {
      200: done('WebhookMade', 'The new webhook'),
      400: problemAnswer([wrongBody, problems.bodyMalformed()]),
      ...conflicts(problems.webhooksExceeded(50)),
      ...ofBody,
    },
  }),
});

/** What there is of one. */
const ownItem = (example: Schema): Schema => ({
  get: own({
    ...{
      operationId: 'getWebhook',
      summary: 'Get a webhook',
      description: 'How far it has come, and what it waits for.',
    },
    responses: {
      200: successAnswer(
        'The webhook',
        {},
        { schema: toComponent('Webhook'), examples: { webhook: { value: example } } },
      ),
    },
  }),
  patch: own({
    isChange: true,
    ...{ operationId: 'updateWebhook', summary: 'Change a webhook' },
    description: '`active` goes on where it stood, `paused` waits.',
    requestBody: body('WebhookUpdate', { state: 'paused' }),
    responses: {
      200: done('Webhook', 'The webhook'),
      400: problemAnswer([problems.uuidMalformed('id'), wrongBody]),
      ...conflicts(problems.webhookStopped(), problems.webhookLost()),
      ...ofBody,
    },
  }),
  delete: own({
    isChange: true,
    ...{
      operationId: 'deleteWebhook',
      summary: 'Remove a webhook',
      description: 'And what was put aside for it.',
    },
    responses: { 204: successAnswer('It is gone', answerHeadersOf('batch')) },
  }),
});

const below = (path: string, item: Schema) =>
  [`/webhooks/{id}${path}`, { parameters: [idParameter], ...item }] as const;
const post = (path: string, told: Told) => below(path, { post: own(told) });
const resend = (operationId: string, which: string): Told => ({
  ...{ operationId, summary: `Send ${which} once more`, description: 'What is taken is put aside no longer.' },
  responses: { 200: answer('WebhookResent', 'What came of it') },
});

/** What is done to one. */
const belowItems = (): readonly (readonly [string, Schema])[] => [
  post('/secret', {
    isChange: true,
    ...{ operationId: 'renewWebhookSecret', summary: 'Make a new secret' },
    description: 'The one before signs too, for 24 hours.',
    responses: { 200: done('WebhookSecret', 'The new secret') },
  }),
  post('/test', {
    ...{
      operationId: 'testWebhook',
      summary: 'Send a test',
      description: 'A message of the type `praxis.test`, at once.',
    },
    responses: { 200: answer('WebhookTry', 'What came of it') },
  }),
  post('/replay', {
    isChange: true,
    ...{ operationId: 'replayWebhook', summary: 'Go back, or on, to a cursor' },
    description: 'What is behind it is sent, whether or not it was before.',
    requestBody: body('WebhookReplay', { after: '9f3c1a77be02.48213' }),
    responses: {
      200: done('Webhook', 'The webhook'),
      400: problemAnswer([
        problems.uuidMalformed('id'),
        problems.bodyInvalid([fieldFault('after', 'must be a cursor of this log', 'invalid-value')]),
      ]),
      ...conflicts(problems.webhookStopped()),
      410: problemAnswer([problems.cursorTooOld('after')]),
      ...ofBody,
    },
  }),
  post('/skip', {
    isChange: true,
    ...{ operationId: 'skipWebhookEntry', summary: 'Pass over the entry that stands in the way' },
    description: 'It is not sent any more.',
    responses: {
      200: done('Webhook', 'The webhook'),
      ...conflicts(problems.nothingInTheWay(), problems.webhookStopped(), problems.webhookLost()),
    },
  }),
  below('/tries', {
    get: own({
      ...{ operationId: 'listWebhookTries', summary: 'List the last tries', description: 'Of all entries.' },
      responses: { 200: answer('WebhookTries', 'At most 20') },
    }),
  }),
  below('/parked', {
    get: own({
      ...{ operationId: 'listParkedMessages', summary: 'List what was put aside', description: 'At most 1,000.' },
      responses: { 200: answer('WebhookParked', 'The messages') },
    }),
    post: own(resend('resendParkedMessages', 'what was put aside')),
  }),
  [
    '/webhooks/{id}/parked/{position}',
    {
      parameters: [
        idParameter,
        {
          ...{ name: 'position', in: 'path', required: true },
          description: 'Of the entry',
          schema: { type: 'string' },
        },
      ],
      post: own(resend('resendParkedMessage', 'one message')),
    },
  ],
];

/** The paths of webhooks. */
export function webhookPaths([first]: readonly Resource[]): Readonly<Record<string, Schema>> {
  const example = exampleOf(first);
  return {
    '/webhooks': allItem(example),
    ...Object.fromEntries([below('', ownItem(example)), ...belowItems()]),
  };
}
