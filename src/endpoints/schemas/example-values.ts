// Example values of fields, deterministic: made from names and bounds alone.
import { evaluate } from '../../formulas/evaluate/evaluate.ts';
import { noFacts, recordValue } from '../../formulas/evaluate/facts.ts';
import { isScalar, kinds } from '../../registry/model/kinds.ts';
import type { Field, Inherited, ListField, Resource, Value, Values } from '../../registry/model/model.ts';
import { round } from '../../values/decimal.ts';
import { exampleId } from '../values/example-id.ts';
import { rowOf } from '../values/kinds.ts';

/** A record, by key, in which the conditions of the fields hold: what does not apply is null. */
export function exampleValues(resource: Resource): Values {
  // A record of a new workspace is a better example than anything made up, unless it takes its name from the settings.
  const [first = {}] = resource.setup;
  const isOwn =
    resource.singleton ||
    !Object.values(first).some((value) => typeof value === 'object' && value !== null && 'config' in value);
  return applied(resource.fields, (field) => {
    const known = isOwn && field.onCreate ? first[field.name] : undefined;
    return literal(known, field) ?? valueExample(field, { title: resource.title, seed: resource.name });
  });
}

/** Whether a field has a meaning in a record. */
export const applies = (field: Field, values: Readonly<Values>): boolean =>
  field.onlyWhen === undefined || !field.onlyWhen.rulesOut(values);

/** Whether there is anything to send or show. */
export const isSet = (value: Value | undefined): value is Value =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

function applied(fields: readonly Field[], example: (field: Field) => Value): Values {
  const all: Values = Object.fromEntries(fields.map((field) => [field.key, example(field)]));
  let values = all;
  // One condition can hang on the field of another; chains of three are rare already.
  for (let round = 0; round < 3; round++) {
    const before = values;
    values = Object.fromEntries(fields.map((field) => [field.key, settled(field, all[field.key] ?? null, before)]));
  }
  return values;
}

/** The value, where the conditions of the field let it have one. */
function settled(field: Field, value: Value, values: Readonly<Values>): Value {
  const isKept = applies(field, values) || field.inherits.some((branch) => isTaken(branch, values));
  if (!isKept) return nothing(field);
  const figure = figureOf(field, values);
  if (figure !== undefined) return figure;
  const when = field.derived?.conditions.when;
  const { isSwitch } = kinds[field.kind];
  if (when === undefined || when.test(values)) return isSwitch && when !== undefined ? true : value;
  return isSwitch ? false : field.unset === 'null' ? null : value;
}

/** What a formula over the record alone gives; undefined where there is none, or it looks further. */
function figureOf(field: Field, values: Readonly<Values>): Value | undefined {
  if (field.figure === undefined || !field.figure.isLocal) return undefined;
  const { value } = evaluate(field.figure.tree, recordValue(values), noFacts);
  if (value === null) return field.default ?? (kinds[field.kind].isSwitch ? false : null);
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (field.kind === 'integer') return Number(round(value, 0));
  return field.kind === 'decimal' ? round(value, field.scale) : value;
}

const isTaken = ({ when }: Inherited, values: Readonly<Values>): boolean =>
  (values[when.key] === when.literal) === (when.operator === '==');

const nothing = ({ kind }: Field): Value => (kinds[kind].isMany ? [] : null);

/** A value that a descriptor gives, where it is one: setup records also hold names of records, and settings. */
function literal(known: unknown, field: Field): Value | undefined {
  if (field.kind === 'list') {
    const items = Array.isArray(known) ? known.map((item: unknown) => rowOf(field.item).literal(item)) : [];
    return items.length > 0 && items.every((item) => item !== undefined) ? items : undefined;
  }
  return isScalar(field) ? rowOf(field).literal(known) : undefined;
}

interface Place {
  /** What the record is called. */
  readonly title: string;
  readonly seed: string;
}

function valueExample(field: Field, place: Place): Value {
  switch (field.kind) {
    case 'reference':
      return exampleId(field.target);
    case 'references':
      return [exampleId(field.target)];
    case 'choice':
      return exampleId(field.branches[0]?.reference.target ?? place.seed);
    case 'list':
      return literal(field.default, field) ?? listExample(field, words(field.name, place));
    case 'object':
      return applied(field.fields, (inside) => valueExample(inside, place));
    case 'objects':
      return [
        applied(field.fields, (inside) => valueExample(inside, { ...place, seed: `${place.seed}.${field.name}` })),
      ];
    default: {
      const given = literal(field.examples[0], field) ?? field.default;
      if (isSet(given)) return given;
      const name = field.kind === 'text' && field.format === 'slug' ? 'name' : field.name;
      const seed = field.name === 'id' ? place.seed : `${place.seed}.${field.name}`;
      return rowOf(field).example(field, { words: words(name, place), seed, index: 0 });
    }
  }
}

const listExample = ({ item, minItems }: ListField, name: string): Value =>
  Array.from({ length: Math.max(1, minItems) }, (_none, index) => {
    const each = index === 0 ? name : `${name} ${index + 1}`;
    return rowOf(item).example(item, { words: each, seed: each, index });
  });

/** `invoiceSubject` → `Invoice subject`; a name is that of an example. */
function words(name: string, { title }: Place): string {
  if (name === 'name') return `Example ${title.toLowerCase()}`;
  const apart = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${apart.charAt(0).toUpperCase()}${apart.slice(1)}`;
}
