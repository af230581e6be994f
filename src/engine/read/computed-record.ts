// Computed records, which are stored nowhere: parameters with their defaults, formulas or a named rule, JSON.
import { ReadFacts } from '../../facts/read-facts.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Known } from '../../formulas/language/value.ts';
import { problems } from '../../problems.ts';
import type { Field, Resource, Value, Values } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import { fieldValue } from '../draft/field-value.ts';
import type { Scope } from '../transaction/scope.ts';
import { shownName } from '../transaction/shown-name.ts';
import { idsIn, type Shown, scalarText, textOf } from './figure-text.ts';

interface Asked {
  /** Parameters that the caller has sent, by key. */
  readonly given: Readonly<Values>;
  /** The fields that the caller sees. */
  readonly shown: readonly Field[];
  /** Which of some records the caller sees, by id, and whether their names too; undefined: all of them. */
  readonly namesOf?: NamesOf | undefined;
}

type NamesOf = (group: string, ids: readonly string[]) => Promise<ReadonlyMap<string, boolean>>;

/** A computed record as JSON. Its statements stand for themselves, as those of every read. @throws Problem 400 */
export async function computeRecord(scope: Scope, resource: Resource, asked: Asked): Promise<string> {
  const facts = new ReadFacts({ records: scope.records, today: () => scope.today() });
  const values: Values = {};
  for (const field of resource.fields)
    if (field.isParameter) values[field.key] = await parameterOf(field, { values, asked, resource, scope, facts });
  return resource.computed === true
    ? byFormulas(scope, asked, { values, facts })
    : byRule(scope, { resource, shown: asked.shown }, values);
}

interface Around {
  /** The parameters before it. */
  readonly values: Values;
  readonly asked: Asked;
  readonly resource: Resource;
  readonly scope: Scope;
  readonly facts: ReadFacts;
}

async function parameterOf(field: Field, around: Around): Promise<Value> {
  const { asked, scope } = around;
  const given = asked.given[field.key];
  if (given === undefined && field.required) throw problems.parameterMissing(field.key);
  const value = given ?? (await defaultOf(field, around)) ?? null;
  if (field.kind !== 'reference' || typeof value !== 'string') return value;
  const isSeen = asked.namesOf === undefined || (await asked.namesOf(field.target, [value])).has(value);
  // What a default leads to, and the caller does not see, is no record to them.
  if (!isSeen || (await scope.records.find(field.target, value)) === undefined)
    throw problems.parameterOfNone(field.key);
  return value;
}

interface Standing {
  readonly values: Readonly<Values>;
  readonly facts: ReadFacts;
}

async function byFormulas(
  scope: Scope,
  { shown: fields, namesOf }: Asked,
  { values, facts }: Standing,
): Promise<string> {
  const self = recordValue(values);
  const given = new Map<Field, Known>();
  for (const field of fields) {
    const { figure, key } = field;
    const value = figure === undefined ? undefined : (await facts.evaluate(figure.tree, self)).value;
    if (value !== undefined || refersTo(field) !== undefined)
      given.set(field, value ?? ((values[key] ?? null) as Known)); // the id of a parameter
  }
  const shown = await shownRecords(scope, given, namesOf);
  const members = fields.map((field) => {
    const value = given.get(field);
    return memberText(field, value === undefined ? valueText(field, values[field.key]) : textOf(field, value, shown));
  });
  return `{${members.join(',')}}`;
}

/** The records that fields show, also in the items of their lists, as `{id, name}`. */
async function shownRecords(
  scope: Scope,
  given: ReadonlyMap<Field, Known>,
  namesOf: NamesOf | undefined,
): Promise<Shown> {
  const shown = new Map<Field, ReadonlyMap<string, string>>();
  for (const [field, value] of given)
    for (const each of field.kind === 'objects' ? field.fields : [field]) {
      const group = refersTo(each);
      if (group === undefined) continue;
      const ids = [...new Set(idsIn(value, each))];
      const records = await scope.records.many(group, ids);
      const seen = await namesOf?.(group, ids);
      const texts = new Map<string, string>();
      for (const [id, record] of records) {
        if (seen?.has(id) === false) continue;
        const name = seen?.get(id) === false ? {} : { name: await shownName(scope, group, record) };
        texts.set(id, JSON.stringify(each.kind === 'reference' && each.as === 'id' ? id : { id, ...name }));
      }
      shown.set(each, texts);
    }
  return shown;
}

const refersTo = (field: Field): string | undefined =>
  field.kind === 'reference' || field.kind === 'references' ? field.target : undefined;

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

/** The checks let a parameter have a fixed default, today, a path over the workspace, or a formula. */
async function defaultOf(field: Field, { values, resource, scope, facts }: Around): Promise<Value | undefined> {
  const [source] = field.defaultFrom;
  switch (source?.kind) {
    case 'today':
      return scope.today();
    case 'path':
      return scope.records.follow(resource, {}, source.path);
    case 'formula':
      return fieldValue(field, (await facts.evaluate(source.figure.tree, recordValue(values))).value);
    default:
      return field.default;
  }
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
