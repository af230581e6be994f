// All named schemas: components of the OpenAPI document, and the source of the generated types.
import { DescriptorFaults, type Fault, fileFault } from '../../registry/model/faults.ts';
import type { Registry, Resource } from '../../registry/model/model.ts';
import { type Endpoint, endpointsOf } from '../routes/endpoint.ts';
import { bodyName, documentName, errorName, pageName, queryName, recordName, toComponent } from '../routes/names.ts';
import { hasPut } from '../routes/unique-keys.ts';
import { parametersOf, querySchema } from '../schemas/parameters.ts';
import { bodySchema, type Origin, putSchema, recordSchema, type Shelf, type ShownToAll } from '../schemas/schemas.ts';
import type { Schema } from '../values/schema.ts';
import { accessSchemas } from './access.ts';
import { documentSchema, errorSchema } from './answers.ts';
import { batchSchemas } from './batch.ts';
import { explainSchemas } from './explain.ts';
import { changeSchemas } from './log/changes.ts';
import { webhookSchemas } from './log/webhooks.ts';
import { signInSchemas } from './sign-in.ts';
import { summarySchemas } from './summary.ts';

const counts: Schema = { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } };

/** What a delete answers that is only tried: how many records, by the path of their group without its slash. */
const deleteTrialSchema: Schema = {
  title: 'DeleteTrial',
  description: 'What a delete would do: how many records, by the path of their group without its slash.',
  type: 'object',
  properties: {
    deletes: { ...counts, description: 'Records that go, this one included' },
    clears: { ...counts, description: 'Records that stay and lose their reference to one that goes' },
  },
  required: ['deletes', 'clears'],
  additionalProperties: false,
};

/** The schemas of requests that are about no group of their own, by their names. */
export const sharedSchemas: Readonly<Record<string, Schema>> = {
  ...batchSchemas,
  ...explainSchemas,
  ...summarySchemas,
  ...accessSchemas,
  DeleteTrial: deleteTrialSchema,
  [documentName]: documentSchema,
};

/** Names that no group's schema may have, in whatever service: a later one may have a log, or sign people in. */
const reserved = [sharedSchemas, changeSchemas, webhookSchemas, signInSchemas([])].flatMap((schemas) =>
  Object.keys(schemas),
);

/**
 * Every named schema by its name, in the order of the names. Inside, one refers to another as
 * `{"$ref": "#/components/schemas/<name>"}`: records, bodies, pages, queries, items, objects, references, enums.
 * @param shownToAll Whether every caller who is shown a record is shown a field of it; what roles may hide need not be there.
 * @throws DescriptorFaults when two things would get the same name, or one that `sharedSchemas` have.
 */
export function components(registry: Registry, shownToAll?: ShownToAll): ReadonlyMap<string, Schema> {
  const schemas = new Map<string, Schema>();
  const origins = new Map<string, Origin>();
  const faults: Fault[] = [];
  const put: Shelf['put'] = (name, origin, make) => {
    const known = origins.get(name);
    if (known === undefined) {
      // Named before it is made: what it is made of may refer back to it.
      origins.set(name, origin);
      schemas.set(name, make());
    } else if (isOther(known, origin)) faults.push(collision(name, origin, known));
    return toComponent(name);
  };
  put(errorName, ofService, () => errorSchema);
  for (const name of reserved) origins.set(name, ofService);
  const shelf: Shelf = { registry, put, shownToAll };
  for (const resource of registry.resources.values()) putGroup(resource, shelf);
  for (const endpoint of endpointsOf(registry)) putQuery(endpoint, shelf);
  if (faults.length > 0) throw new DescriptorFaults(faults);
  return new Map([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** For what stands outside the components: says how to refer to them, all of which are made. */
export const componentRefs = (registry: Registry): Shelf => ({ registry, put: (name) => toComponent(name) });

function putGroup(resource: Resource, shelf: Shelf): void {
  const { operations, file } = resource;
  const origin = (what: string): Origin => ({ file, pointer: '', what });
  const record = recordName(resource);
  shelf.put(record, origin('the record'), () => recordSchema(resource, shelf));
  for (const mode of ['create', 'update'] as const) {
    if (!operations.has(mode)) continue;
    shelf.put(bodyName(record, mode), origin(`the body of ${mode}`), () => bodySchema(resource, mode, shelf));
  }
  if (hasPut(resource)) shelf.put(bodyName(record, 'put'), origin('the body of put'), () => putSchema(resource, shelf));
  if (operations.has('list')) shelf.put(pageName(resource), origin('the page'), () => pageSchema(resource));
}

function putQuery(endpoint: Endpoint, shelf: Shelf): void {
  const { resource } = endpoint;
  if (endpoint.operation === 'put') return;
  const parameters = parametersOf(endpoint, shelf);
  if (parameters.length === 0) return;
  const origin: Origin = { file: resource.file, pointer: '', what: 'the query' };
  shelf.put(queryName(resource), origin, () => querySchema(endpoint, parameters));
}

const pageSchema = (resource: Resource): Schema => ({
  title: `${resource.title} (page)`,
  description: 'A part of a list, newest first.',
  type: 'object',
  properties: {
    results: { type: 'array', items: toComponent(recordName(resource)), maxItems: 100 },
    hasMore: {
      type: 'boolean',
      description:
        'Whether more pages exist in the direction of traversal. Go by this, not by the number of results: a page of long records ends early.',
    },
    count: {
      type: 'integer',
      minimum: 0,
      maximum: 10000,
      description: 'With `count=true`: how many records pass the filters',
    },
    countIsLowerBound: { type: 'boolean', const: true, description: 'There where more than 10,000 do' },
  },
  required: ['results', 'hasMore'],
  additionalProperties: false,
});

const ofService: Origin = { file: '', pointer: '', what: 'a schema of every service' };

const isOther = (a: Origin, b: Origin): boolean => a.file !== b.file || a.pointer !== b.pointer || a.what !== b.what;

const collision = (name: string, { file, pointer, what }: Origin, known: Origin): Fault =>
  fileFault({
    file,
    pointer,
    rule: 'clash',
    text: `${what} is called "${name}" in the OpenAPI document, as is ${known.what}${known === ofService ? '; give the group another name' : ` at ${known.file}${known.pointer}; rename one`}`,
  });
