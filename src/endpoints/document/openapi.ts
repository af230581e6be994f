// The OpenAPI 3.1 document, from the same list of endpoints as the router. Deterministic, so that its checked-in copy
// shows in review what a change does to callers.

import type { Registry, Resource } from '../../registry/model/model.ts';
import { pluralTitle } from '../../registry/model/naming.ts';
import type { Endpoint, EndpointOperation } from '../routes/endpoint.ts';
import { bodyName, pageName, queryName, recordName, toComponent } from '../routes/names.ts';
import { keysOf } from '../routes/unique-keys.ts';
import { longCreateExample, recordExample, shortCreateExample, updateExample } from '../schemas/examples.ts';
import { parameterRefs, shapeParameters, sharedParameters } from '../schemas/parameters.ts';
import type { ShownToAll } from '../schemas/schemas.ts';
import type { Schema } from '../values/schema.ts';
import { accessOperation, accessPath, actingHeader, recordAccessOperation, recordAccessPath } from './access.ts';
import { problemAnswers, shared, sharedAnswers, sharedExamples, sharedHeaders, successAnswer } from './answers.ts';
import { idParameter, listedGroups } from './asked.ts';
import { batchOperation, batchPath } from './batch.ts';
import { componentRefs, components, sharedSchemas } from './components.ts';
import { explainOperation, explainPath } from './explain.ts';
import { exportOperation, exportPath } from './export.ts';
import { filePaths } from './files.ts';
import { answerHeadersOf, requestHeadersOf, sharedRequestHeaders } from './headers.ts';
import { changePaths, changeSchemas } from './log/changes.ts';
import { webhookPaths, webhookSchemas } from './log/webhooks.ts';
import { type SignInWay, signInPaths, signInSchemas } from './sign-in.ts';
import { summaryOperation, summaryPath } from './summary.ts';

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  /** Where roles say what callers may do. */
  readonly roles?: DocumentRoles | undefined;
  /** Whether there is a log of changes; there is none by default. */
  readonly hasLog?: boolean | undefined;
  /** How people sign in; nobody does by default. */
  readonly signIn?: readonly SignInWay[] | undefined;
}

interface DocumentRoles {
  /** What the reader of the document may read of them. */
  readonly told: readonly { readonly name: string; readonly title: string; readonly description: string }[];
  readonly shownToAll: ShownToAll;
}

const description = `Bodies and answers are JSON. Every request carries a bearer token.

Lists are ordered by \`createdAt\`, newest first. To read every page, pass the id of the last result as \`startingAfter\` and stop when \`hasMore\` is false; a page of long records may hold fewer than \`limit\` before that. Several filters are joined with "and".

\`expand\` shows records in place of references to them, and \`fields\` shows some fields alone.

An update changes the fields that are in the body and no others; \`null\` unsets a field.

Answers with one record have an \`ETag\`; \`If-Match\` keeps an update or a delete from overwriting what its caller has not seen. With an \`Idempotency-Key\` a write can be sent again without being done twice. \`Prefer: tx=rollback\` tries a write and takes it back.`;

/** What our extensions mean: for programs, which read the root of the document; people read it beside each. */
const extensions = {
  'x-access': 'The roles that say what callers may do; with their rules for a token that may ask for others.',
  'x-feature': 'The workspace feature that an operation needs.',
  'x-filters': 'The parameters that narrow a list.',
  'x-unique-keys': 'The sets of parameters of which one names the record.',
  'x-reference': 'The group that an id is of.',
  'x-expandable': 'The record itself can be shown in place of the reference, with the parameter `expand`.',
  'x-reference-by': 'The group for each value of the field beside it.',
  'x-decimals': 'How many decimals a number may have.',
  'x-currency': 'The field that says the currency of an amount: beside it, further out, or behind references.',
  'x-per-unit': 'A price or rate per unit. Other amounts that are sent are whole if their currency has no minor units.',
  'x-format': 'A form that has no standard name (`time-zone`: an IANA time zone).',
  'x-distinct': 'The item field whose value may stand in a list once.',
  'x-not-sent-when':
    'When bodies do not take what a record shows: any of these lists, of which all hold. A field is beside this one, or further out (`../`).',
  'x-inherited-when':
    'When a record shows what it inherits, and bodies take what is its own: any of these lists, of which all hold.',
} as const;

/** The service's own document; its version is that of the interface. */
export const apiInfo: DocumentInfo = { title: 'Praxis', version: '1.0' };

const logTags = [
  { name: 'Changes', description: 'What has changed, by whom and why.' },
  { name: 'Webhooks', description: 'Who is sent what changes.' },
];

/** One document for all endpoints, as a JSON value. @throws DescriptorFaults when two components would share a name. */
export function openApiDocument(
  registry: Registry,
  endpoints: readonly Endpoint[],
  { title, version, roles, hasLog = false, signIn = [] }: DocumentInfo,
): Schema {
  const resources = [...new Set(endpoints.map(({ resource }) => resource))];
  const [listed, hasRoles] = [listedGroups(endpoints), roles !== undefined];
  const acting = actingHeaders(registry);
  const { 'x-access': aboutRoles, ...others } = extensions;
  const own = pathsOf(endpoints, registry, hasRoles);
  const paths: Readonly<Record<string, Schema>> = {
    ...own,
    ...(registry.files && filePaths(registry.files, own)),
    [batchPath]: { post: batchOperation(resources) },
    [explainPath]: { get: explainOperation(resources, hasRoles) },
    [summaryPath]: { get: summaryOperation(listed, hasRoles) },
    [exportPath]: { get: exportOperation(listed, hasRoles) },
    [accessPath]: { get: accessOperation(resources) },
    [recordAccessPath]: { get: recordAccessOperation(resources, hasRoles) },
    ...(hasLog ? { ...changePaths(resources, hasRoles), ...webhookPaths(resources) } : {}),
  };
  return {
    openapi: '3.1.0',
    info: {
      ...{ title, version },
      summary: 'The records of one workspace.',
      description,
      contact: { name: 'Whoever runs this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    'x-extensions': { ...(hasRoles && { 'x-access': aboutRoles }), ...others },
    ...(roles !== undefined && { 'x-access': roles.told }),
    servers: [{ url: '/api', description: 'The service that this document is from' }],
    security: [{ bearer: [] }],
    tags: [
      ...tagsOf(resources),
      { name: 'Batch', description: 'Several operations in one request.' },
      { name: 'Explain', description: 'Where values come from.' },
      { name: 'Summary', description: 'What the records of a group come to.' },
      { name: 'Export', description: 'All records of a group.' },
      { name: 'Access', description: 'What callers may do.' },
      ...(hasLog ? logTags : []),
      ...(signIn.length > 0 ? [{ name: 'Sign-in', description: 'Sessions of people.' }] : []),
    ],
    paths: {
      ...Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, withParameters(item, acting.refs)])),
      ...(signIn.length > 0 ? signInPaths(signIn) : {}),
    },
    components: {
      schemas: {
        ...schemasOf(registry, resources, roles?.shownToAll),
        ...sharedSchemas,
        ...(hasLog ? { ...changeSchemas, ...webhookSchemas } : {}),
        ...(signIn.length > 0 ? signInSchemas(signIn) : {}),
      },
      parameters: { ...sharedParameters, ...sharedRequestHeaders, ...acting.parameters, ...shapesOf(endpoints) },
      responses: sharedAnswers,
      headers: sharedHeaders,
      examples: { ...recordExamples(resources, registry), ...sharedExamples },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An access token of the workspace' } },
    },
  };
}

/** The header by which callers act for others, where there is a group of who acts. */
function actingHeaders({ actors, resources }: Registry): {
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly refs: readonly Schema[];
} {
  const group = actors === undefined ? undefined : resources.get(actors);
  if (group === undefined) return { parameters: {}, refs: [] };
  return {
    parameters: { praxisMember: actingHeader(group) },
    refs: [{ $ref: '#/components/parameters/praxisMember' }],
  };
}

/** A path whose operations take more parameters, all of them. */
function withParameters(item: Schema, more: readonly Schema[]): Schema {
  const { parameters = [], ...operations } = item;
  const all = [...(parameters as readonly Schema[]), ...more]; // as paths are made here
  return { ...(all.length > 0 && { parameters: all }), ...operations };
}

/** The parameters of each group that say what of its records is shown. */
const shapesOf = (endpoints: readonly Endpoint[]): Schema =>
  Object.assign(
    {},
    ...endpoints.map(({ isShaped, resource, groups }) => (isShaped ? shapeParameters(resource, groups) : {})),
  );

const recordExamples = (resources: readonly Resource[], registry: Registry): Schema =>
  Object.fromEntries(
    resources.map((resource) => [recordName(resource), { value: recordExample(resource, registry) }] as const),
  );

/** Queries are left out: operations have their parameters one by one. */
function schemasOf(registry: Registry, resources: readonly Resource[], shownToAll: ShownToAll | undefined): Schema {
  const queries = new Set(resources.map(queryName));
  return Object.fromEntries([...components(registry, shownToAll)].filter(([name]) => !queries.has(name)));
}

/** One tag an area, in the order in which groups come up. */
function tagsOf(resources: readonly Resource[]): Schema[] {
  const byArea = Map.groupBy(resources, ({ area }) => area);
  return [...byArea].map(([name, groups]) => ({
    name,
    description: `${groups.map(({ path }) => pluralTitle(path)).join(', ')}.`,
  }));
}

function pathsOf(
  endpoints: readonly Endpoint[],
  registry: Registry,
  hasRoles: boolean,
): Readonly<Record<string, Schema>> {
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      {
        ...(group.some(({ hasId }) => hasId) ? { parameters: [idParameter] } : {}),
        ...Object.fromEntries(
          group.map((endpoint) => [endpoint.method.toLowerCase(), operationOf(endpoint, registry, hasRoles)]),
        ),
      },
    ]),
  );
}

function operationOf(endpoint: Endpoint, registry: Registry, hasRoles: boolean): Schema {
  const { resource, operation, operationId, hasBody, filters } = endpoint;
  const { feature } = resource;
  const parameters = [...parameterRefs(endpoint, componentRefs(registry)), ...requestHeadersOf(endpoint)];
  return {
    tags: [resource.area],
    operationId,
    summary: summaryOf(resource, operation),
    description: resource.description,
    ...(feature === undefined ? {} : { 'x-feature': feature.name }),
    ...(filters.size === 0 ? {} : { 'x-filters': [...filters.keys()] }),
    ...(operation === 'put'
      ? { 'x-unique-keys': keysOf(resource).map(({ fields }) => fields.map(({ key }) => key)) }
      : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody ? { requestBody: bodyOf(resource, operation) } : {}),
    responses: { ...successOf(resource, operation, registry), ...problemAnswers(endpoint, registry, hasRoles) },
  };
}

const verbs: Record<EndpointOperation, string> = {
  list: 'List',
  get: 'Get',
  create: 'Create',
  update: 'Update',
  put: 'Make or change',
  delete: 'Delete',
};

/** `List cost periods`, `Get a cost period`, `Update the workspace settings`. */
function summaryOf(resource: Resource, operation: EndpointOperation): string {
  if (operation === 'list') return `List ${pluralTitle(resource.path).toLowerCase()}`;
  const title = resource.title.toLowerCase();
  const article = resource.singleton ? 'the' : /^[aeio]/.test(title) ? 'an' : 'a';
  return `${verbs[operation]} ${article} ${title}${operation === 'put' ? ' by a unique key' : ''}`;
}

function bodyOf(resource: Resource, operation: EndpointOperation): Schema {
  const isCreate = operation === 'create';
  const few = { few: { value: updateExample(resource) } };
  const mode = isCreate ? 'create' : operation === 'put' ? 'put' : 'update';
  const schema = toComponent(bodyName(recordName(resource), mode));
  const examples = isCreate ? createExamples(resource) : few;
  return { required: true, content: { 'application/json': { schema, examples } } };
}

function createExamples(resource: Resource): Schema {
  const short = shortCreateExample(resource);
  const long = { summary: 'Every field that applies', value: longCreateExample(resource) };
  return Object.keys(short).length === 0 ? { long } : { short: { summary: 'What is required', value: short }, long };
}

function successOf(resource: Resource, operation: EndpointOperation, registry: Registry): Schema {
  const name = recordName(resource);
  const answer = (text: string, schema: string, examples: Schema): Schema => ({
    200: successAnswer(text, answerHeadersOf(operation), { schema: toComponent(schema), examples }),
  });
  const record = { record: { $ref: `#/components/examples/${name}` } };
  switch (operation) {
    case 'list': {
      const value = { results: [recordExample(resource, registry)], hasMore: false };
      return answer('A page of records', pageName(resource), { page: { value } });
    }
    case 'get':
      return {
        ...answer('The record', name, record),
        304: shared('NotModified'),
      };
    case 'create':
      return answer('The new record', name, record);
    case 'update':
      return answer('The changed record', name, record);
    case 'put':
      return answer('The record as it is now', name, record);
    case 'delete':
      return { 200: shared('DeleteTried'), 204: shared('Deleted') };
  }
}
