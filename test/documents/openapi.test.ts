// The document describes the real groups: it must be sound by itself and say the same as the descriptors.
import { describe, expect, test } from 'vitest';
import { components } from '../../src/endpoints/document/components.ts';
import { openApiDocument } from '../../src/endpoints/document/openapi.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { expandablePaths } from '../../src/endpoints/routes/expandable.ts';
import { bodyName, recordName } from '../../src/endpoints/routes/names.ts';
import type { Field, Registry, Resource } from '../../src/registry/model/model.ts';
import { parseSource } from '../../src/registry/read/source.ts';
import { buildRegistry, loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { createAjv, recordValidator } from '../support/data/schemas.ts';

const registry = loadRegistry('resources', ruleSignatures);
const endpoints = endpointsOf(registry);
/** Operations that are asked of any group. */
const beside = ['access', 'batch', 'explain', 'export', 'recordAccess', 'summarise'];
const groups = [...registry.resources.values()].map((resource) => [resource.name, resource] as const);

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

// As its readers get it: through JSON.
const make = (): string => JSON.stringify(openApiDocument(registry, endpoints, { title: 'Praxis', version: '1.0' }));
const document: Node = JSON.parse(make());

/** What a pointer (`#/components/schemas/Client`) leads to. */
function follow(pointer: string): unknown {
  const steps = pointer
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((node, step) => (isNode(node) ? node[step] : undefined), document);
}

const at = (pointer: string): Node => {
  const node = follow(pointer);
  if (!isNode(node)) throw new Error(`nothing at ${pointer}`);
  return node;
};

function* nodesOf(node: unknown, pointer = '#'): Generator<[string, Node]> {
  if (!isNode(node)) return;
  yield [pointer, node];
  for (const [step, inside] of Object.entries(node)) {
    yield* nodesOf(inside, `${pointer}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

const nodes = [...nodesOf(document)];
const operations = Object.values(at('#/paths')).flatMap((item) =>
  isNode(item) ? Object.values(item).filter((node): node is Node => isNode(node) && 'operationId' in node) : [],
);

const ajv = createAjv();
ajv.addSchema({ $id: 'praxis', ...document });
const faultsOf = (pointer: string, value: unknown): readonly unknown[] => {
  const validate = ajv.compile({ $ref: `praxis${pointer}` });
  return validate(value) ? [] : (validate.errors ?? []);
};

describe('the document', () => {
  test('is the same each time', () => {
    expect(make()).toBe(make());
  });

  test('has one operation for each endpoint, each with an id of its own', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.sort()).toEqual([...endpoints.map(({ operationId }) => operationId), ...beside].sort());
    for (const { path, method, operationId } of endpoints) {
      const pointer = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
      expect(at(pointer)).toMatchObject({ operationId });
    }
  });

  test('refers to nothing that is not there', () => {
    const pointers = nodes.flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
    expect(pointers.length).toBeGreaterThan(endpoints.length);
    expect([...new Set(pointers)].filter((pointer) => follow(pointer) === undefined)).toEqual([]);
  });

  test('has no component that nothing refers to', () => {
    const used = new Set(nodes.map(([, { $ref }]) => $ref));
    const components = Object.entries(at('#/components')).filter(([kind]) => kind !== 'securitySchemes');
    const pointers = components.flatMap(([kind, all]) =>
      Object.keys(isNode(all) ? all : {}).map((name) => `#/components/${kind}/${name}`),
    );
    expect(pointers.filter((pointer) => !used.has(pointer))).toEqual([]);
  });

  test('has every query parameter of a list', () => {
    for (const endpoint of endpoints.filter(({ operation }) => operation === 'list')) {
      const { parameters } = at(`#/paths/${endpoint.path.replaceAll('/', '~1')}/get`);
      const names = (Array.isArray(parameters) ? parameters : []).map((parameter: Node) =>
        typeof parameter.$ref === 'string' ? at(parameter.$ref).name : parameter.name,
      );
      const { resource, groups } = endpoint;
      const expand = expandablePaths(resource, groups).length > 0 ? ['expand'] : [];
      const sort = endpoint.sorts.size > 0 ? ['sort'] : [];
      const ofPage = ['startingAfter', 'endingBefore', 'limit', 'count'];
      expect(names).toEqual([...endpoint.filters.keys(), ...sort, ...ofPage, ...expand, 'fields']);
    }
  });

  test('explains each extension that it has', () => {
    const extensions = nodes.flatMap(([, node]) => Object.keys(node).filter((key) => key.startsWith('x-')));
    const explained = at('#/x-extensions');
    // The place that explains them is one, too.
    const used = new Set(extensions.filter((name) => name !== 'x-extensions'));
    for (const name of used) expect(explained[name], name).toMatch(/\.$/);
    expect(used.size).toBeGreaterThan(3);
    // People read the description first, and have nothing to do with these.
    expect(JSON.stringify(at('#/info'))).not.toContain('x-');
  });

  test('has every parameter of a computed record, and no other operation has any', () => {
    const all = endpoints.filter(({ operation }) => operation !== 'list');
    expect(all.filter(({ parameters }) => parameters.size > 0)).not.toEqual([]);
    for (const endpoint of all) {
      const { parameters = [] } = at(`#/paths/${endpoint.path.replaceAll('/', '~1')}/${endpoint.method.toLowerCase()}`);
      // Headers stand elsewhere in the document.
      const own = (Array.isArray(parameters) ? parameters : []).filter((parameter: Node) => !('$ref' in parameter));
      const names = own.map((parameter: Node) => parameter.name);
      expect(names).toEqual([...endpoint.parameters.keys()]);
    }
  });

  test('says what closes a group, and what the limits of a token leave out', () => {
    for (const { resource, path, method, operation } of endpoints) {
      const pointer = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
      const { feature, title } = resource;
      expect(at(pointer)['x-feature']).toBe(feature?.name);
      const acts = operation === 'put' ? ['create', 'update'] : [operation];
      expect(textsAt(`${pointer}/responses/403`)).toEqual([
        ...(feature === undefined ? [] : [`Feature '${feature.name}' is not enabled.`]),
        ...acts.map((act) => `The access token does not allow '${act}' of '${title}'.`),
      ]);
    }
  });

  test.each(Object.keys(at('#/components/schemas')))('holds a schema %s that compiles', (name) => {
    expect(() => ajv.compile({ $ref: `praxis#/components/schemas/${name}` })).not.toThrow();
  });

  const media = nodes.filter(([, node]) => isNode(node.schema) && isNode(node.examples));
  test.each(media)('has valid examples at %s', (_pointer, { schema, examples }) => {
    const pointer = isNode(schema) ? String(schema.$ref) : '';
    for (const example of Object.values(isNode(examples) ? examples : {})) {
      const held = isNode(example) && typeof example.$ref === 'string' ? at(example.$ref) : example;
      expect(faultsOf(pointer, isNode(held) ? held.value : undefined)).toEqual([]);
    }
  });

  test('has defaults that their own schemas allow', () => {
    const wrong = nodes
      .filter(([pointer, node]) => /\/properties\/[^/]+$/.test(pointer) && 'default' in node)
      .filter(([pointer, node]) => faultsOf(pointer, node.default).length > 0);
    expect(wrong.map(([pointer]) => pointer)).toEqual([]);
  });
});

/** The texts of a problem. */
const textsAt = (pointer: string): unknown[] =>
  Object.values(at(`${pointer}/content/application~1json/examples`)).map((example) =>
    isNode(example) && isNode(example.value) ? example.value.message : example,
  );

describe('names of components', () => {
  const room = (properties: Node): Node => ({
    title: 'Room',
    description: 'A room.',
    type: 'object',
    properties: { name: { type: 'string', maxLength: 255, description: 'Name' }, ...properties },
    required: ['name'],
    resource: { path: '/rooms', shownAs: '{name}', operations: ['list', 'create'] },
  });
  const build = (files: Readonly<Record<string, Node>>): Registry => {
    const sources = Object.entries(files).flatMap(([name, data]) => {
      const { source } = parseSource(`${name}.json`, name, JSON.stringify(data));
      return source === undefined ? [] : [source];
    });
    return buildRegistry(sources, ruleSignatures);
  };
  const states = { type: 'string', enum: ['open', 'shut'], default: 'open', description: 'State' };
  const type = {
    ...room({ status: states }),
    title: 'Room Type',
    resource: { path: '/room-types', shownAs: '{name}', operations: ['get'] },
  };

  test('follow from the group and the field', () => {
    const integrations = {
      type: 'array',
      items: { type: 'object', properties: { status: states } },
      maxItems: 5,
      default: [],
      description: 'Links',
    };
    const owner = {
      reference: 'room-type',
      include: ['status'],
      nullable: true,
      onDelete: 'clear',
      description: 'Type',
    };
    const registry = build({ room: room({ status: states, integrations, owner }), 'room-type': type });
    expect([...components(registry).keys()]).toEqual([
      'Error',
      'Room',
      'RoomCreate',
      'RoomIntegrationsItem',
      'RoomIntegrationsItemCreate',
      'RoomIntegrationsItemStatus',
      'RoomPage',
      'RoomQuery',
      'RoomStatus',
      'RoomType',
      'RoomTypeReferenceWithStatus',
      'RoomTypeStatus',
    ]);
  });

  test('that would stand for two things stop the start, with the places of both', () => {
    const registry = build({ room: room({ typeStatus: states }), 'room-type': type });
    expect(() => components(registry)).toThrow(
      'room-type.json:1:1 /properties/status: the enum is called "RoomTypeStatus" in the OpenAPI document, as is the enum at room.json/properties/typeStatus; rename one',
    );
  });

  test.each([
    ['batch', 'Batch'],
    ['error', 'Error'],
    ['change-page', 'ChangePage'],
    ['sign-in-form', 'SignInForm'],
  ])('that every service has are those of no group: %s', (group, name) => {
    expect(() => components(build({ [group]: room({}) }))).toThrow(
      `the record is called "${name}" in the OpenAPI document, as is a schema of every service; give the group another name`,
    );
  });
});

describe.each(groups)('%s', (_name, resource: Resource) => {
  const schemas = components(registry);
  const name = recordName(resource);
  const record = schemas.get(name) ?? {};
  const bodyOf = (mode: 'create' | 'update'): Node => schemas.get(bodyName(name, mode)) ?? {};
  const propertiesOf = (schema: Node): Node => (isNode(schema.properties) ? schema.properties : {});
  const all = (accepts: (field: Field) => boolean): readonly Field[] => resource.fields.filter(accepts);

  test('shows its fields in order, all of them required', () => {
    const names = all(({ shown }) => shown).map(({ name }) => name);
    expect(Object.keys(propertiesOf(record))).toEqual(names);
    expect(record).toMatchObject({ required: names, additionalProperties: false });
  });

  test('takes the fields of bodies by their keys', () => {
    const keysOf = (fields: readonly Field[]): string[] => fields.map(({ key }) => key);
    const { operations } = resource;
    for (const mode of ['create', 'update'] as const)
      expect(schemas.has(bodyName(name, mode))).toBe(operations.has(mode));
    if (operations.has('update'))
      expect(Object.keys(propertiesOf(bodyOf('update')))).toEqual(keysOf(all(({ onUpdate }) => onUpdate)));
    if (!operations.has('create')) return;
    expect(Object.keys(propertiesOf(bodyOf('create')))).toEqual(keysOf(all(({ onCreate }) => onCreate)));
    const required = keysOf(all((field) => field.onCreate && field.required));
    expect(bodyOf('create').required ?? []).toEqual(required);
  });

  test('describes each field', () => {
    const silent = Object.entries(propertiesOf(record)).filter(([, field]) => !isNode(field) || !field.description);
    expect(silent).toEqual([]);
  });

  test('refuses a record that lacks a field or has one more', () => {
    const validate = recordValidator(registry, resource);
    expect(validate({})).toBe(false);
    expect(validate.errors?.filter(({ keyword }) => keyword === 'required')).toHaveLength(
      all(({ shown }) => shown).length,
    );
    expect(validate({ surprise: 1 })).toBe(false);
    expect(validate.errors?.some(({ keyword }) => keyword === 'additionalProperties')).toBe(true);
  });
});
