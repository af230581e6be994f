// A record that is kept nowhere: parameters with their defaults, the named rule that computes it, JSON.
import { kinds } from '../registry/kinds.ts';
import type { Field, Resource, Scalar, Value, Values } from '../registry/model.ts';
import type { Scope } from './scope.ts';

/**
 * A computed record as JSON. Its statements stand for themselves, as those of every read.
 * @param given Parameters that the caller has sent, by key.
 */
export async function computeRecord(scope: Scope, resource: Resource, given: Readonly<Values>): Promise<string> {
  const { computed: use } = resource;
  const compute = use && scope.groups.rules[use.use]?.compute;
  if (use === undefined || compute === undefined) throw new Error(`no rule computes ${resource.name}`);
  const values: Values = {};
  for (const field of resource.fields)
    if (field.isParameter) values[field.key] = given[field.key] ?? (await defaultOf(field, resource, scope));
  const made = await compute({ use, resource, values: Object.freeze({ ...values }), records: scope.records });
  return objectText(resource.fields, { ...made, ...values });
}

/** The checks let a parameter have a fixed default, today, or a path over the workspace. */
async function defaultOf(field: Field, resource: Resource, scope: Scope): Promise<Value | undefined> {
  const [source] = field.defaultFrom;
  if (source?.kind === 'today') return scope.today();
  return source?.kind === 'path' ? scope.records.follow(resource, {}, source.path) : field.default;
}

function objectText(fields: readonly Field[], values: Readonly<Values>): string {
  const members = fields.map((field) => `${JSON.stringify(field.name)}:${valueText(field, values[field.key])}`);
  return `{${members.join(',')}}`;
}

function valueText(field: Field, value: Value | undefined): string {
  if (value === null || value === undefined) return 'null';
  switch (field.kind) {
    case 'object':
      return objectText(field.fields, value as Values);
    case 'objects':
      return `[${(value as Values[]).map((item) => objectText(field.fields, item)).join(',')}]`;
    case 'list':
      return `[${(value as Value[]).map((item) => scalarText(field.item, item)).join(',')}]`;
    case 'reference':
    case 'references':
    case 'choice':
      throw new Error(`${field.name}: a computed record refers to nothing`);
    default:
      return scalarText(field, value);
  }
}

/** Decimals are text inside, in plain notation: they are written as they are, like those that are kept. */
export const scalarText = (scalar: Scalar, value: Value): string =>
  kinds[scalar.kind].isExact ? String(value) : JSON.stringify(value);
