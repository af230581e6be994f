// Computed records, which are stored nowhere: parameters with their defaults, formulas or a named rule, JSON.
import { ReadFacts } from '../../facts/read-facts.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Field, Resource, Value, Values } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import type { Scope } from '../transaction/scope.ts';
import { scalarText, textOf } from './figure-text.ts';

interface Asked {
  /** Parameters that the caller has sent, by key. */
  readonly given: Readonly<Values>;
  /** The fields that the caller sees. */
  readonly shown: readonly Field[];
}

/** A computed record as JSON. Its statements stand for themselves, as those of every read. */
export async function computeRecord(scope: Scope, resource: Resource, { given, shown }: Asked): Promise<string> {
  const values: Values = {};
  for (const field of resource.fields)
    if (field.isParameter) values[field.key] = given[field.key] ?? (await defaultOf(field, resource, scope));
  return resource.computed === true ? byFormulas(scope, shown, values) : byRule(scope, { resource, shown }, values);
}

async function byFormulas(scope: Scope, fields: readonly Field[], values: Readonly<Values>): Promise<string> {
  const facts = new ReadFacts({ records: scope.records, today: () => scope.today() });
  const members: string[] = [];
  for (const field of fields) {
    const { figure } = field;
    const text =
      figure === undefined
        ? valueText(field, values[field.key])
        : textOf(field, (await facts.evaluate(figure.tree, recordValue(values))).value, new Map());
    members.push(memberText(field, text));
  }
  return `{${members.join(',')}}`;
}

async function byRule(
  scope: Scope,
  { resource, shown }: { readonly resource: Resource; readonly shown: readonly Field[] },
  values: Readonly<Values>,
): Promise<string> {
  const use = typeof resource.computed === 'object' ? resource.computed : undefined;
  const compute = use && scope.groups.rules[use.use]?.compute;
  if (use === undefined || compute === undefined) unreachable(`no rule computes ${resource.name}`);
  const made = await compute({ use, resource, values: Object.freeze({ ...values }), records: scope.records });
  return objectText(shown, { ...made, ...values });
}

/** The checks let a parameter have a fixed default, today, or a path over the workspace. */
async function defaultOf(field: Field, resource: Resource, scope: Scope): Promise<Value | undefined> {
  const [source] = field.defaultFrom;
  if (source?.kind === 'today') return scope.today();
  return source?.kind === 'path' ? scope.records.follow(resource, {}, source.path) : field.default;
}

const memberText = (field: Field, text: string): string => `${JSON.stringify(field.name)}:${text}`;

const objectText = (fields: readonly Field[], values: Readonly<Values>): string =>
  `{${fields.map((field) => memberText(field, valueText(field, values[field.key]))).join(',')}}`;

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
      return unreachable(`${field.name}: a computed record refers to nothing`);
    default:
      return scalarText(field, value);
  }
}
