// A group as callers see it, in the words of test/operations/promises: read from the schemas, parameters and routes of its endpoints.
import type { Endpoint } from '../../../src/endpoints/routes/endpoint.ts';
import { parametersOf } from '../../../src/endpoints/schemas/parameters.ts';
import { bodySchema, recordSchema, type Shelf } from '../../../src/endpoints/schemas/schemas.ts';
import type { Schema } from '../../../src/endpoints/values/schema.ts';
import type { Field, Registry, Resource, Scalar, ShownPart } from '../../../src/registry/model/model.ts';
import { isObject } from '../service/client.ts';

/** What callers were promised of the group, line by line. @param endpoints Those of the group. */
export function promiseOf(resource: Resource, all: readonly Endpoint[], registry: Registry): string {
  // Writes by a key follow from what is promised.
  const endpoints = all.filter(({ operation }) => operation !== 'put');
  // What the document keeps under a name stands here in its place.
  const shelf: Shelf = { registry, put: (_name, _origin, make) => make() };
  const paths = new Set(endpoints.map(({ path }) => path.replace(/\/\{id\}$/, '')));
  const schemas = {
    record: recordSchema(resource, shelf),
    create: resource.operations.has('create') ? bodySchema(resource, 'create', shelf) : {},
    update: resource.operations.has('update') ? bodySchema(resource, 'update', shelf) : {},
  };
  return [
    `${resource.name}: ${resource.title}`,
    `at ${[...paths].join(', ')}: ${endpoints.map(({ operation }) => operation).join(' ')}`,
    ...(resource.feature === undefined ? [] : [`feature ${resource.feature.name}`]),
    ...(resource.shownAs.length === 0 ? [] : [`shown as ${resource.shownAs.map(partWords).join('')}`]),
    ...resource.unique.map(({ fields }) => `unique ${fields.map(({ name }) => name).join(' + ')}`).sort(),
    ...parameterLines(endpoints, shelf),
    ...fieldLines(resource.fields, '', schemas),
    '',
  ].join('\n');
}

const partWords = (part: ShownPart): string => {
  if (part.kind === 'literal') return part.text;
  const otherwise = part.otherwise === '' ? '' : `, else '${part.otherwise}'`;
  return `{${part.paths.join(' or ')}${otherwise}}`;
};

/** The query parameters of its own, those of one type on a line. */
function parameterLines(endpoints: readonly Endpoint[], shelf: Shelf): string[] {
  const byType = new Map<string, string[]>();
  const own = endpoints
    .flatMap((endpoint) => parametersOf(endpoint, shelf))
    .filter(({ name }) => !ofAllLists.has(name));
  for (const { name, schema } of own) {
    const type = typeOf(schema);
    byType.set(type, [...(byType.get(type) ?? []), name]);
  }
  return [...byType].map(([type, names]) => `${type} parameters ${names.sort().join(', ')}`).sort();
}

/** Parameters that each list has, or may have where nothing is promised of it. */
const ofAllLists: ReadonlySet<string> = new Set([
  ...['startingAfter', 'endingBefore', 'limit', 'count', 'expand', 'fields', 'sort'],
]);

/** What a field is in each of the three schemas, by its place in the record. */
interface Places {
  readonly record: Schema;
  readonly create: Schema;
  readonly update: Schema;
}

function fieldLines(fields: readonly Field[], prefix: string, schemas: Places): string[] {
  return fields.flatMap((field) => {
    const shown = propertyOf(schemas.record, field.name);
    const created = propertyOf(schemas.create, field.key);
    const updated = propertyOf(schemas.update, field.key);
    const any = shown ?? created ?? updated;
    if (any === undefined) return [];
    const type = typeOf(any, field);
    const words = [`${type}${unsetWords(field, shown)}`, ...writeWords(field, schemas, prefix), ...deleteWords(field)];
    // Bodies must take what records show, with ids for references.
    for (const [place, body] of [
      ['creates', created],
      ['updates', updated],
    ] as const)
      if (body !== undefined && typeOf(body, field) !== asBody(type)) words.push(`in ${place} ${typeOf(body, field)}`);
    const line = `${prefix}${field.name}: ${words.join(', ')}`;
    if (field.kind !== 'object' && field.kind !== 'objects') return [line];
    const inside = { record: insideOf(shown), create: insideOf(created), update: insideOf(updated) };
    return [
      line,
      ...fieldLines(field.fields, `${prefix}${field.name}${field.kind === 'objects' ? '[]' : ''}.`, inside),
    ];
  });
}

function propertyOf(schema: Schema, name: string): Schema | undefined {
  const properties = schema['properties'];
  const found = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(found) ? found : undefined;
}

const insideOf = (schema: Schema | undefined): Schema => {
  const items = schema?.['items'];
  return isObject(items) ? items : (schema ?? {});
};

const isRequired = (schema: Schema, name: string): boolean => {
  const required = schema['required'];
  return Array.isArray(required) && required.includes(name);
};

const takesNull = (schema: Schema): boolean => Array.isArray(schema['type']) && schema['type'].includes('null');

function unsetWords(field: Field, shown: Schema | undefined): string {
  if (field.unset === 'empty') return ' or empty';
  return shown !== undefined && takesNull(shown) ? ' or null' : '';
}

function writeWords(field: Field, { create, update }: Places, prefix: string): string[] {
  const [created, updated] = [propertyOf(create, field.key), propertyOf(update, field.key)];
  if (created === undefined && updated === undefined) return ['read-only'];
  const words = [isRequired(create, field.key) ? 'required' : 'optional'];
  if (field.key !== field.name) words[0] += ` as ${field.key}`;
  // Items of lists are whole in every body, but for the ids that an update can name.
  const isItem = prefix.includes('[]');
  if (updated === undefined && !isItem) words.push('create only');
  if (created === undefined && create['properties'] !== undefined) words.push('update only');
  if (!field.shown) words.push('not shown');
  const value = created?.['default'];
  if (value !== undefined && !(Array.isArray(value) && value.length === 0) && value !== '')
    words.push(`default ${Array.isArray(value) ? `[${value.join(', ')}]` : String(value)}`);
  return words;
}

/** What the delete of the other record does. */
const deleteWords = (field: Field): string[] =>
  (field.kind === 'reference' || field.kind === 'references') && field.stored ? [field.onDelete] : [];

/** `reference(client; currency)` → `id(client)`: what bodies name. */
function asBody(type: string): string {
  return type.replace(/^reference\(([a-z-]+).*\)$/, 'id($1)').replace(/^references\(([a-z-]+)\)$/, 'list of id($1)');
}

/** A schema in the words of the promises. @param field Its model, for the digits of numbers, which schemas cannot say. */
function typeOf(schema: Schema, field?: Field | Scalar): string {
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  const target = schema['x-reference'];
  switch (type) {
    case 'string':
      return textType(schema);
    case 'boolean':
      return 'boolean';
    case 'integer':
      return `integer${boundWords(schema, 0, Number.MAX_SAFE_INTEGER)}`;
    case 'number':
      return `number(${field?.kind === 'decimal' ? field.precision : '?'},${schema['x-decimals']})${boundWords(schema, 0)}`;
    case 'array':
      return listType(schema, field);
    case 'object': {
      if (target === undefined) return 'object';
      const more = Object.keys(schema['properties'] ?? {}).filter((name) => name !== 'id' && name !== 'name');
      return `reference(${target}${more.length > 0 ? `; ${more.join(', ')}` : ''})`;
    }
    default:
      return `unknown type ${String(type)}`;
  }
}

function textType(schema: Schema): string {
  if (schema['x-reference'] !== undefined) return `id(${schema['x-reference']})`;
  if (Array.isArray(schema['enum'])) return `enum(${schema['enum'].filter((value) => value !== null).join(', ')})`;
  if (schema['x-format'] !== undefined) return String(schema['x-format']);
  const pattern = String(schema['pattern'] ?? '');
  if (schema['format'] === 'email' || pattern.includes('[^@')) return 'email';
  if (schema['format'] === 'uri' || pattern.includes('[Hh]')) return 'url';
  if (schema['format'] !== undefined) return String(schema['format']);
  if (pattern.includes('[A-Z]{3}')) return 'currency';
  if (pattern.includes(':[0-5]')) return 'time';
  if (pattern.includes('[a-z0-9]+(-')) return 'slug';
  return schema['maxLength'] === undefined ? 'text' : `text(${schema['maxLength']})`;
}

function listType(schema: Schema, field: Field | Scalar | undefined): string {
  const items = schema['items'];
  if (!isObject(items)) return 'a list of anything';
  const { minItems = 0, maxItems } = schema;
  const isUnbound = maxItems === 1000 || maxItems === undefined;
  const most = isUnbound ? '' : `, ${minItems === maxItems ? 'exactly' : 'at most'} ${maxItems}`;
  const item = typeOf(items, field?.kind === 'list' ? field.item : field);
  if (item === 'object') return `objects${most}`;
  return item.startsWith('reference(')
    ? `references${item.slice('reference'.length)}${most}`
    : `list of ${item}${most}`;
}

/** Bounds where they differ from the usual ones. */
function boundWords(schema: Schema, least: number, most?: number): string {
  const { minimum, maximum, exclusiveMinimum } = schema;
  if (exclusiveMinimum !== undefined) return ` greater than ${exclusiveMinimum}`;
  if (maximum !== undefined && maximum !== most) return ` from ${minimum} to ${maximum}`;
  if (minimum === undefined) return ' signed';
  return minimum === least ? '' : ` at least ${minimum}`;
}
