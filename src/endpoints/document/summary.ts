// The summary endpoint in the OpenAPI document.
import { problems } from '../../problems.ts';
import type { Resource } from '../../registry/model/model.ts';
import { toComponent } from '../routes/names.ts';
import type { Schema } from '../values/schema.ts';
import { askedDenials, problemAnswer, shared, successAnswer } from './answers.ts';
import { filtersParameter, groupParameter } from './asked.ts';

/** Path below the base. */
export const summaryPath = '/summary/{group}';

const values = (description: string): Schema => ({
  type: 'object',
  additionalProperties: true,
  description: `${description}, by the names of the fields`,
});

const result: Schema = {
  title: 'SummaryResult',
  type: 'object',
  properties: {
    by: values('What tells these records from the others'),
    count: { type: 'integer', minimum: 0, description: 'How many there are' },
    sum: values('Sums, with all digits'),
    avg: values('Means, with four decimals more than their fields; null of nothing'),
    min: values('The least values; null of nothing'),
    max: values('The greatest values; null of nothing'),
  },
  required: ['by'],
  additionalProperties: false,
};

const summary: Schema = {
  title: 'Summary',
  description: 'What the records of a group come to.',
  type: 'object',
  properties: {
    results: { type: 'array', items: toComponent('SummaryResult'), maxItems: 1000 },
    hasMore: { type: 'boolean', description: 'Whether there are more groups than `limit`' },
    rows: { type: 'integer', minimum: 0, description: 'How many records, or items, were counted in all' },
  },
  required: ['results', 'hasMore', 'rows'],
  additionalProperties: false,
};

export const summarySchemas: Readonly<Record<string, Schema>> = { Summary: summary, SummaryResult: result };

const names = (name: string, description: string, maxItems: number): Schema => ({
  ...{ name, in: 'query', style: 'form', explode: false, description },
  schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems },
});

const numbers = 'Kept numbers of the records, or of the items of one of their lists (`lines.amount`)';

const parametersOf = (groups: readonly Resource[]): readonly Schema[] => [
  groupParameter(groups),
  names(
    'by',
    'What tells groups of records apart: references, states, switches, currencies, texts with an exact filter, days and moments with `.day`, `.week`, `.month`, `.quarter` or `.year`; one reference further, `project.client`. Without it, one group.',
    3,
  ),
  names('sum', `${numbers}, added up`, 10),
  names('avg', `${numbers}, in the mean`, 10),
  names('min', `${numbers}, or days and moments: the least`, 10),
  names('max', `${numbers}, or days and moments: the greatest`, 10),
  {
    ...{ name: 'count', in: 'query', description: 'Whether the records of each group are counted' },
    schema: { type: 'boolean', default: true },
  },
  {
    ...{ name: 'order', in: 'query' },
    description:
      'The order of the groups: `by` is their own, with none first; `count`, `sum.minutes` and so on go by what they come to. A minus before it turns it round.',
    schema: { type: 'string', default: 'by' },
  },
  {
    ...{ name: 'limit', in: 'query', description: 'Maximum number of groups' },
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  },
  filtersParameter('The filters of the list of the group, each under its own name'),
];

/** The operation itself. */
export function summaryOperation(groups: readonly Resource[], hasRoles: boolean): Schema {
  return {
    tags: ['Summary'],
    operationId: 'summarise',
    summary: 'Add up the records of a group',
    description:
      'Counts, sums, means and extremes of the records that pass the filters, as one moment has them. Amounts of several currencies are never added up: they are told apart by their currency, or refused.',
    parameters: parametersOf(groups),
    responses: {
      200: successAnswer(
        'What the records come to',
        {},
        {
          schema: toComponent('Summary'),
          examples: {
            one: { value: { results: [{ by: {}, count: 312, sum: { minutes: 18240 } }], hasMore: false, rows: 312 } },
          },
        },
      ),
      400: problemAnswer([
        problems.parameterWrong('sum', 'kept numbers of the record', "'amuont' is none; did you mean 'amount'?"),
        problems.currencyNotGrouped('sum', 'fee', 'project.currency'),
        problems.summaryTooLarge(),
      ]),
      401: shared('Unauthorized'),
      403: askedDenials(groups, 'list', hasRoles),
      404: problemAnswer([problems.pathUnknown()]),
      429: shared('TooManyRequests'),
      500: shared('Unforeseen'),
      503: shared('Unavailable'),
    },
  };
}
