// The OpenAPI operation that exports a list.
import { problems } from '../../problems.ts';
import type { Resource } from '../../registry/model/model.ts';
import type { Schema } from '../values/schema.ts';
import { askedDenials, commonHeaders, problemAnswer, shared } from './answers.ts';
import { filtersParameter, groupParameter } from './asked.ts';

/** Path below the base. */
export const exportPath = '/export/{group}';

const parametersOf = (groups: readonly Resource[]): readonly Schema[] => [
  groupParameter(groups),
  {
    ...{ name: 'format', in: 'query', description: 'A record a line as JSON, or a table' },
    schema: { type: 'string', enum: ['ndjson', 'csv'], default: 'ndjson' },
  },
  {
    ...{ name: 'fields', in: 'query', style: 'form', explode: false },
    description:
      'What of each record is written, and the columns of a table in their order; paths lead through references (`client.code`) and into lists. All of it without this',
    schema: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
  {
    ...{ name: 'safe', in: 'query' },
    description:
      "A table for people: texts that a spreadsheet would run as formulas have a `'` before them, and a byte order mark says that it is UTF-8",
    schema: { type: 'boolean', default: false },
  },
  filtersParameter(
    'The filters of the list of the group, and its `sort`, each under its own name; oldest first without one',
  ),
];

/** The operation itself. */
export function exportOperation(groups: readonly Resource[], hasRoles: boolean): Schema {
  return {
    tags: ['Export'],
    operationId: 'export',
    summary: 'Export the records of a group',
    description:
      'All records that pass the filters, as one moment has them, oldest first, as they are read. A connection that is broken off is no whole answer; a record a line ends with `{"end": true, "count": …}`.',
    parameters: parametersOf(groups),
    responses: {
      200: {
        description: 'The records',
        headers: {
          ...commonHeaders(),
          'Content-Disposition': {
            description: 'The name of a file to keep it in',
            required: true,
            schema: { type: 'string', examples: ['attachment; filename="clients-2026-11-25.csv"'] },
          },
          'Praxis-Moment': {
            description: 'The cursor of the log of changes, where there is one: what came after is read from there',
            schema: { type: 'string', examples: ['3f0c9a51e2b7.48213'] },
          },
        },
        content: {
          'application/x-ndjson': { schema: { type: 'string' } },
          'text/csv; charset=utf-8; header=present': { schema: { type: 'string' } },
        },
      },
      400: problemAnswer([
        problems.parameterInvalid('format', 'ndjson or csv'),
        problems.parameterWrong('fields', 'fields of the record', "'amuont' is none; did you mean 'amount'?"),
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
