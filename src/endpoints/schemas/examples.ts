// Example bodies and records for the document: valid against the schemas and the fields' conditions.
import type { Field, Registry, Resource, Value, Values } from '../../registry/model/model.ts';
import { exampleId } from '../values/example-id.ts';
import { applies, exampleValues, isSet } from './example-values.ts';
import { toJson } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a record looks like to callers. */
export function recordExample(resource: Resource, registry: Registry): Json {
  return shownFields(resource.fields, exampleValues(resource), registry);
}

/** The shortest body of a create: the fields that it must bring. */
export function shortCreateExample(resource: Resource): Json {
  const examples = exampleValues(resource);
  const values: Values = {};
  for (const { key, required, default: standard } of resource.fields) {
    values[key] = required ? examples[key] : (standard ?? null);
  }
  const isNeeded = ({ key, required, requiredWhen }: Field): boolean =>
    required || (requiredWhen?.test(values) === true && !isSet(values[key]));
  return bodyFields(
    resource.fields.filter((field) => isChosen(field) && isNeeded(field)),
    examples,
  );
}

/** A create that uses every field that applies. */
export function longCreateExample(resource: Resource): Json {
  return bodyFields(resource.fields.filter(isChosen), exampleValues(resource));
}

/** An update of the first few fields that can change. */
export function updateExample(resource: Resource): Json {
  const isPlain = ({ kind }: Field): boolean => kind !== 'object' && kind !== 'objects';
  const fields = resource.fields.filter((field) => field.onUpdate && field.accepts === undefined && isPlain(field));
  const [first, second, third] = Object.entries(bodyFields(fields, exampleValues(resource)));
  return Object.fromEntries([first, second, third].filter((entry) => entry !== undefined));
}

function bodyFields(fields: readonly Field[], values: Readonly<Values>): Json {
  const entries: [string, unknown][] = [];
  for (const field of fields) {
    const value = values[field.key];
    if (isSet(value) && applies(field, values)) entries.push([field.key, bodyValue(field, value)]);
  }
  return Object.fromEntries(entries);
}

function bodyValue(field: Field, value: Value): unknown {
  if (field.kind !== 'objects' && field.kind !== 'object') return toJson(field, value);
  // The own id of an item is nothing that a create can know.
  const isOwnId = ({ key }: Field): boolean => field.kind === 'objects' && field.hasIds && key === 'id';
  const fields = field.fields.filter((inside) => isChosen(inside) && !isOwnId(inside));
  return field.kind === 'object'
    ? bodyFields(fields, recordOf(value))
    : listOf(value).map((item) => bodyFields(fields, recordOf(item)));
}

function shownFields(fields: readonly Field[], values: Readonly<Values>, registry: Registry): Json {
  const shown = fields.filter((field) => field.shown);
  return Object.fromEntries(shown.map((field) => [field.name, shownValue(field, values[field.key] ?? null, registry)]));
}

function shownValue(field: Field, value: Value, registry: Registry): unknown {
  if (value === null) return null;
  switch (field.kind) {
    case 'reference':
      return field.as === 'id' ? value : referenceExample(field.target, field.include, registry);
    case 'references':
      return listOf(value).map(() => referenceExample(field.target, [], registry));
    case 'object':
      return shownFields(field.fields, recordOf(value), registry);
    case 'objects':
      return listOf(value).map((item) => shownFields(field.fields, recordOf(item), registry));
    default:
      return toJson(field, value);
  }
}

function referenceExample(target: string, include: readonly string[], registry: Registry): Json {
  const resource = registry.resources.get(target);
  if (resource === undefined) return { id: exampleId(target), name: target };
  const values = exampleValues(resource);
  const more = resource.fields
    .filter(({ name }) => include.includes(name))
    .map((field) => {
      const plain: Field = field.kind === 'reference' ? { ...field, include: [] } : field;
      return [field.name, shownValue(plain, values[field.key] ?? null, registry)] as const;
    });
  return { id: exampleId(target), name: nameExample(resource, registry), ...Object.fromEntries(more) };
}

function nameExample(resource: Resource, registry: Registry): string {
  const parts = resource.shownAs.map((part) => {
    if (part.kind === 'literal') return part.text;
    return part.paths.map((path) => textAt(path, resource, registry)).find((text) => text !== '') ?? part.otherwise;
  });
  return parts.join('');
}

/** The text behind a path; '' where there is none. */
function textAt(path: string, resource: Resource, registry: Registry): string {
  const [first = '', ...rest] = path.split('.');
  const field = resource.byName.get(first) ?? resource.byKey.get(first) ?? resource.byKey.get(`${first}Id`);
  const value = field === undefined ? null : exampleValues(resource)[field.key];
  if (field === undefined || !isSet(value)) return '';
  if (rest.length === 0) return String(value);
  const target = field.kind === 'reference' ? registry.resources.get(field.target) : undefined;
  return target === undefined ? '' : textAt(rest.join('.'), target, registry);
}

const listOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : []);
const recordOf = (value: Value): Readonly<Values> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};

/** What a create may bring that does not follow from the rest. */
const isChosen = ({ onCreate, accepts }: Field): boolean => onCreate && accepts === undefined;
