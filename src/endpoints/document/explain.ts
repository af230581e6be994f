// The explain endpoint in the OpenAPI document.
import { problems } from '../../problems.ts';
import type { Resource } from '../../registry/model/model.ts';
import { toComponent } from '../routes/names.ts';
import { exampleId } from '../values/example-id.ts';
import type { Schema } from '../values/schema.ts';
import { askedDenials, problemAnswer, shared, successAnswer } from './answers.ts';
import { groupParameter, idParameter } from './asked.ts';

/** Path below the base. */
export const explainPath = '/explain/{group}/{id}/{field}';

const text = (description: string): Schema => ({ type: 'string', description });
const texts = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description });
const listOf = (name: string, description: string): Schema => ({
  type: 'array',
  items: toComponent(name),
  description,
});
const anyValue = (description: string): Schema => ({ description });

const objectOf = (title: string, properties: Record<string, Schema>, optional: readonly string[] = []): Schema => ({
  title,
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const reader = objectOf(
  'ExplanationReader',
  {
    group: text('The group that says it'),
    name: text('Its field or named formula'),
    role: text('What for'),
    about: text('What tells it from others of its role'),
  },
  ['name'],
);

const looksAt = objectOf('ExplanationLook', {
  group: text('Whose fields it looks at'),
  fields: texts('These fields'),
  ways: texts('How it comes there; none for the record itself'),
});

const saying = objectOf(
  'ExplanationSaying',
  {
    role: text('What the formulas are for: figure, state, default, …'),
    about: text('What tells it from others of its role'),
    formulas: {
      type: 'array',
      description: 'As the descriptor has them, and in words',
      items: objectOf('ExplanationFormula', {
        part: text('What for, where several stand together'),
        source: text('As it is written'),
        words: text('In words'),
      }),
    },
    taken: text('When it is taken'),
    again: texts('Fields whose change takes it anew'),
    looksAt: listOf('ExplanationLook', 'Fields at which it looks'),
    upToDateBy: {
      type: 'array',
      description: 'Writes after which it is another',
      items: objectOf('ExplanationOccasion', {
        group: text('Of this group'),
        on: texts('Operations'),
        fields: texts('Fields of which one must change in an update; none for any'),
      }),
    },
  },
  ['taken'],
);

const unread = {
  type: 'boolean',
  const: true,
  description: 'It looks at more records than are read for an answer, and its value is not told',
};

const source = objectOf(
  'ExplanationSource',
  {
    group: text('The group of the record'),
    id: { type: 'string', format: 'uuid', description: 'The record' },
    name: text('As references show it'),
    place: text('The item of it, `lines[0]`; empty for the record itself'),
    value: anyValue('What the formula takes of it'),
    parts: listOf('ExplanationPart', 'Figures among what it takes'),
  },
  ['value'],
);

const part = objectOf(
  'ExplanationPart',
  {
    words: text('As the descriptor has it'),
    value: anyValue('What it gives; numbers are texts, with all their digits'),
    unread,
    parts: listOf('ExplanationPart', 'What it is made of'),
    sources: listOf('ExplanationSource', 'Records that it comes from, the first 100'),
    more: { type: 'integer', minimum: 1, description: 'How many records there are besides' },
  },
  ['unread', 'more'],
);

const numbers = objectOf(
  'ExplanationNumbers',
  {
    part: text('The formula among those of the field'),
    place: text('Where in the record: `lines[0].amount`'),
    kept: anyValue('What the record keeps there'),
    value: anyValue('What the formula gives now'),
    unread,
    parts: listOf('ExplanationPart', 'What it is made of'),
  },
  ['kept', 'unread'],
);

const explanation = objectOf(
  'Explanation',
  {
    group: text('The group'),
    name: text('The field'),
    description: text('What the field means'),
    otherwise: text('Where its value comes from if not from a formula'),
    says: listOf('ExplanationSaying', 'What formulas say of it'),
    setBy: listOf('ExplanationReader', 'Effects of other writes that give it a value'),
    lookedAtBy: listOf('ExplanationReader', 'What looks at it'),
    record: objectOf('ExplanationRecord', {
      id: { type: 'string', format: 'uuid', description: 'The record' },
      name: text('As references show it'),
      numbers: listOf('ExplanationNumbers', 'What the formulas give for it'),
    }),
  },
  ['otherwise'],
);

export const explainSchemas: Readonly<Record<string, Schema>> = {
  Explanation: explanation,
  ExplanationSaying: saying,
  ExplanationLook: looksAt,
  ExplanationReader: reader,
  ExplanationNumbers: numbers,
  ExplanationPart: part,
  ExplanationSource: source,
};

const parametersOf = (groups: readonly Resource[]): readonly Schema[] => [
  groupParameter(groups),
  idParameter,
  {
    name: 'field',
    in: 'path',
    required: true,
    description: 'Name of a field of it; of one in a list, behind the name of the list: `lines.amount`',
    schema: { type: 'string' },
  },
  {
    name: 'depth',
    in: 'query',
    description: 'How many levels of figures are taken apart',
    schema: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
  },
];

/** The operation itself. */
export function explainOperation(resources: readonly Resource[], hasRoles: boolean): Schema {
  const groups = resources.filter(({ operations, singleton }) => operations.has('get') && !singleton);
  const [first] = groups;
  const id = exampleId(first?.name ?? '');
  const value = { group: first?.name ?? '', name: 'id', description: '', says: [], setBy: [], lookedAtBy: [] };
  return {
    tags: ['Explain'],
    operationId: 'explain',
    summary: 'Tell where a value comes from',
    description:
      'What formulas say of a field, and for this record what they give, what that is made of, and the records that it comes from, as far down as is asked.',
    parameters: parametersOf(groups),
    responses: {
      200: successAnswer(
        'Where the value comes from',
        {},
        {
          schema: toComponent('Explanation'),
          examples: { plain: { value: { ...value, record: { id, name: 'Example', numbers: [] } } } },
        },
      ),
      400: problemAnswer([problems.uuidMalformed('id'), problems.parameterInvalid('depth', 'an integer from 1 to 9')]),
      401: shared('Unauthorized'),
      403: askedDenials(groups, 'get', hasRoles),
      404: problemAnswer([problems.recordUnknown(exampleId('unknown')), problems.pathUnknown()]),
      429: shared('TooManyRequests'),
      500: shared('Unforeseen'),
      503: shared('Unavailable'),
    },
  };
}
