// Query parameters of lists and of computed records, for the document.
import { kinds } from '../../registry/model/kinds.ts';
import type { Resource } from '../../registry/model/model.ts';
import { isCode } from '../../registry/model/text-formats.ts';
import { unreachable } from '../../unreachable.ts';
import type { Endpoint, FilterParameter, ValueParameter } from '../routes/endpoint.ts';
import { expandablePaths, type GroupsByName } from '../routes/expandable.ts';
import { recordName } from '../routes/names.ts';
import type { Schema } from '../values/schema.ts';
import { filteredEnum, type Shelf, scalarSchema, toJson } from './schemas.ts';

const cursorSchema: Schema = { type: 'string', format: 'uuid' };

/** Parameters that every list takes. */
export const sharedParameters = {
  startingAfter: {
    name: 'startingAfter',
    in: 'query',
    description:
      'Cursor: the id of the last record of the previous page. Requests the next page. Without cursors the first page is returned. Not together with endingBefore.',
    schema: cursorSchema,
  },
  endingBefore: {
    name: 'endingBefore',
    in: 'query',
    description:
      'Cursor: the id of the first record of the current page. Requests the previous page. Not together with startingAfter.',
    schema: cursorSchema,
  },
  limit: {
    name: 'limit',
    in: 'query',
    description:
      'Maximum number of results. A page of long records ends before it reaches that, at 4 MiB, with hasMore true.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
  },
  count: {
    name: 'count',
    in: 'query',
    description:
      'Whether the page tells how many records pass the filters: exactly up to 10,000; where there are more, countIsLowerBound is true.',
    schema: { type: 'boolean', default: false },
  },
} as const satisfies Record<string, Schema>;

/** A query parameter, as OpenAPI has it. */
interface Parameter extends Schema {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
}

/** Paths of names, with dots between them. */
const deeper: Schema = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9]*(\\.[A-Za-z][A-Za-z0-9]*)+$' };

/** Parameters that say what of the records of a group is shown, by the names of their components. */
export function shapeParameters(resource: Resource, groups: GroupsByName): Readonly<Record<string, Parameter>> {
  const names = resource.fields.filter(({ shown }) => shown).map(({ name }) => name);
  const paths = expandablePaths(resource, groups);
  const list = (name: string, known: readonly string[], description: string): Parameter => ({
    ...{ name, in: 'query', style: 'form', explode: false, description },
    schema: {
      type: 'array',
      items: { anyOf: [{ type: 'string', enum: known }, deeper] },
      minItems: 1,
      ...(name === 'expand' && { maxItems: 10 }),
    },
  });
  const record = recordName(resource);
  const expand =
    paths.length === 0
      ? {}
      : {
          [`${record}Expand`]: list(
            'expand',
            paths,
            'References in place of which the records behind them are shown, with commas between them; paths lead further, at most 3 references deep: `client,lines.project.client`.',
          ),
        };
  return {
    ...expand,
    [`${record}Fields`]: list(
      'fields',
      names,
      'Fields that are shown beside `id`, with commas between them; paths lead into lists, objects and expanded references: `number,client.name`. Without it, all.',
    ),
  };
}

/** The query parameters of an operation: filters and then those of paging, or those of a computed record. */
export function parametersOf(endpoint: Endpoint, shelf: Shelf): readonly Parameter[] {
  const { operation, filters, parameters, resource } = endpoint;
  const own = [
    ...[...filters.values()].map((filter) => filterParameter(filter, resource, shelf)),
    ...[...parameters.values()].map((parameter) =>
      operation === 'put' ? keyParameter(parameter, resource, shelf) : valueParameter(parameter, resource, shelf),
    ),
  ];
  if (operation !== 'list') return own;
  return [...own, ...sortParameter(endpoint), ...Object.values(sharedParameters)];
}

/** The same, where those that are shared stand elsewhere in the document. */
export function parameterRefs(endpoint: Endpoint, shelf: Shelf): readonly Schema[] {
  const shared = new Set<Schema>(Object.values(sharedParameters));
  const own = parametersOf(endpoint, shelf).map((parameter) =>
    shared.has(parameter) ? { $ref: `#/components/parameters/${parameter.name}` } : parameter,
  );
  if (!endpoint.isShaped) return own;
  const shapes = Object.keys(shapeParameters(endpoint.resource, endpoint.groups));
  return [...own, ...shapes.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

/** All query parameters as one object: for types, where OpenAPI has them one by one. */
export function querySchema({ operation, resource }: Endpoint, parameters: readonly Parameter[]): Schema {
  const ofList = 'What narrows a list, and which page of it is meant.';
  return {
    title: `${resource.title} (query)`,
    description: operation === 'list' ? ofList : 'What the record is computed of.',
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    additionalProperties: false,
  };
}

function filterParameter(filter: FilterParameter, resource: Resource, shelf: Shelf): Parameter {
  return {
    name: filter.name,
    in: 'query',
    description: `${filterWords(filter)}.`,
    schema: filterSchema(filter, resource, shelf),
  };
}

/** How a list can be sorted; nothing where it has one order alone. */
function sortParameter({ sorts }: Endpoint): Parameter[] {
  if (sorts.size === 0) return [];
  const description =
    'The order of the list: by a field, with a minus before it the other way round. Texts are sorted without regard to case, in the order of their code points; records without a value come before all others, with the minus behind them; those with the same value follow each other by the time of making. Without it, newest first.';
  return [{ name: 'sort', in: 'query', description, schema: { type: 'string', enum: [...sorts.keys()] } }];
}

function filterSchema(filter: FilterParameter, resource: Resource, shelf: Shelf): Schema {
  const { field, list, accepts, comparison } = filter;
  if (field.kind === 'enum') return filteredEnum(field, { resource, list }, shelf);
  // Texts are searched for in whole or in part: of their form, only that of whole codes is checked.
  const isText = accepts.kind === 'text' && !(isCode(accepts.format) && comparison === 'equals');
  return isText ? { type: 'string' } : scalarSchema(accepts);
}

function valueParameter({ name, field, accepts }: ValueParameter, resource: Resource, shelf: Shelf): Parameter {
  const schema =
    field.kind === 'enum' ? filteredEnum(field, { resource, list: undefined }, shelf) : scalarSchema(accepts);
  const standard = field.default === undefined ? {} : { default: toJson(accepts, field.default) };
  const required = field.required ? { required: true } : {};
  return { name, in: 'query', description: field.description, ...required, schema: { ...schema, ...standard } };
}

/** A part of a unique key. Only that of a whole code is checked of a text: what is no value is nobody's. */
function keyParameter({ name, field, accepts }: ValueParameter, resource: Resource, shelf: Shelf): Parameter {
  const schema =
    field.kind === 'enum' ? filteredEnum(field, { resource, list: undefined }, shelf) : scalarSchema(accepts);
  const isText = accepts.kind === 'text' && !isCode(accepts.format);
  return {
    name,
    in: 'query',
    description: `${field.description} of the record`,
    schema: isText ? { type: 'string' } : schema,
  };
}

/** What remains in the list. */
function filterWords({ field, list, comparison }: FilterParameter): string {
  const path = list === undefined ? field.name : `${list.name}[].${field.name}`;
  const { isNumber, words } = kinds[field.kind];
  const bound = words.replace(/^an? /, '');
  switch (comparison) {
    case 'sees':
      return unreachable('what callers see is no parameter');
    case 'equals':
      return `Only records whose ${path} is exactly this`;
    case 'holds':
      return list === undefined
        ? `Only records that have this among their ${path}`
        : `Only records with this in any ${path}`;
    case 'foldedEquals':
      return `Only records whose ${path} equals this, upper and lower case alike`;
    case 'foldedContains':
      return `Only records whose ${path} contains this, upper and lower case alike`;
    case 'foldedStartsWith':
      return `Only records whose ${path} starts with this, upper and lower case alike`;
    case 'foldedEndsWith':
      return `Only records whose ${path} ends with this, upper and lower case alike`;
    case 'after':
      return isNumber
        ? `Only records whose ${path} is above this`
        : `Only records whose ${path} is after this ${bound}`;
    case 'onAfter':
      return isNumber
        ? `Only records whose ${path} is this or more`
        : `Only records whose ${path} is on or after this ${bound}`;
    case 'before':
      return isNumber
        ? `Only records whose ${path} is below this`
        : `Only records whose ${path} is before this ${bound}`;
    case 'onBefore':
      return isNumber
        ? `Only records whose ${path} is this or less`
        : `Only records whose ${path} is on or before this ${bound}`;
  }
}
