// Example values of fields, inside the engine. Made from names and bounds alone, so that they are the same each time.
import { createHash } from 'node:crypto';
import type { Field, Inherited, Resource, Scalar, Value, Values } from '../registry/model.ts';

/** All examples are of one moment: 2026-02-02 is a Monday. */
const moment = '2026-02-02T09:30:00.000Z';
const momentDigits = Date.parse(moment).toString(16).padStart(12, '0');
const date = moment.slice(0, 10);
/** The first that fits is taken. */
const numbers = [120, 30, 8, 0.5, 1, 0];

/** A version 7 UUID of the moment, always the same for a text. */
export function exampleId(seed: string): string {
  const hash = createHash('sha256').update(seed).digest('hex');
  const time = `${momentDigits.slice(0, 8)}-${momentDigits.slice(8)}`;
  return `${time}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

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
  field.onlyWhen === undefined || field.onlyWhen.test(values);

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
  const when = field.derived?.conditions.when;
  if (when === undefined || when.test(values)) return field.kind === 'boolean' && when !== undefined ? true : value;
  return field.kind === 'boolean' ? false : field.unset === 'null' ? null : value;
}

const isTaken = ({ when }: Inherited, values: Readonly<Values>): boolean =>
  (values[when.key] === when.literal) === (when.operator === '==');

const nothing = (field: Field): Value =>
  field.kind === 'list' || field.kind === 'references' || field.kind === 'objects' ? [] : null;

/** A value that a descriptor gives, where it is one: setup records also hold names of records, and settings. */
function literal(known: unknown, field: Field): Value | undefined {
  if (field.kind === 'list') {
    const items = Array.isArray(known) ? known.map((item: unknown) => scalarLiteral(item, field.item)) : [];
    return items.length > 0 && items.every((item) => item !== undefined) ? items : undefined;
  }
  const isRecord = field.kind === 'reference' || field.kind === 'references' || field.kind === 'choice';
  return isRecord || field.kind === 'object' || field.kind === 'objects' ? undefined : scalarLiteral(known, field);
}

function scalarLiteral(known: unknown, scalar: Scalar): Value | undefined {
  if (scalar.kind === 'decimal')
    return typeof known === 'number' || typeof known === 'string' ? String(known) : undefined;
  return typeof known === 'string' || typeof known === 'number' || typeof known === 'boolean' ? known : undefined;
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
      return (
        literal(field.default, field) ?? listExample(field.item, Math.max(1, field.minItems), words(field.name, place))
      );
    case 'object':
      return applied(field.fields, (inside) => valueExample(inside, place));
    case 'objects':
      return [
        applied(field.fields, (inside) => valueExample(inside, { ...place, seed: `${place.seed}.${field.name}` })),
      ];
    case 'uuid':
      return exampleId(field.name === 'id' ? place.seed : `${place.seed}.${field.name}`);
    default: {
      const given = literal(field.examples[0], field) ?? field.default;
      const name = field.kind === 'text' && field.format === 'slug' ? 'name' : field.name;
      return isSet(given) ? given : scalarExample(field, words(name, place));
    }
  }
}

const listExample = (item: Scalar, length: number, text: string): Value =>
  Array.from({ length }, (_none, index) => scalarExample(item, index === 0 ? text : `${text} ${index + 1}`, index));

/** `invoiceSubject` → `Invoice subject`; a name is that of an example. */
function words(name: string, { title }: Place): string {
  if (name === 'name') return `Example ${title.toLowerCase()}`;
  const apart = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${apart.charAt(0).toUpperCase()}${apart.slice(1)}`;
}

function scalarExample(scalar: Scalar, text: string, index = 0): Value {
  switch (scalar.kind) {
    case 'text':
      return textExample(scalar, text, index);
    case 'enum':
      return scalar.values[index % scalar.values.length] ?? '';
    case 'uuid':
      return exampleId(text);
    case 'date':
      return index === 0 ? date : new Date(Date.parse(date) + index * 86_400_000).toISOString().slice(0, 10);
    case 'dateTime':
      return moment;
    case 'boolean':
      return false;
    case 'integer':
      return numbers.find((number) => Number.isInteger(number) && isWithin(number, scalar)) ?? scalar.minimum;
    case 'decimal':
      return String(numbers.find((number) => isWithin(number, scalar)) ?? scalar.maximum ?? scalar.minimum ?? 0);
  }
}

function isWithin(number: number, scalar: Extract<Scalar, { kind: 'integer' | 'decimal' }>): boolean {
  const { minimum = -Infinity, maximum = Infinity } = scalar;
  if (scalar.kind === 'integer') return number >= minimum && number <= maximum;
  const { precision, scale, exclusiveMinimum = -Infinity } = scalar;
  const isShort = number < 10 ** (precision - scale) && (scale > 0 || Number.isInteger(number));
  return isShort && number >= minimum && number <= maximum && number > exclusiveMinimum;
}

function textExample(scalar: Extract<Scalar, { kind: 'text' }>, text: string, index: number): string {
  switch (scalar.format) {
    case 'email':
      return `office${index === 0 ? '' : index + 1}@example.com`;
    case 'url':
      return `https://www.example.com/${index === 0 ? '' : index + 1}`;
    case 'time-zone':
      return 'Europe/Paris';
    case 'currency':
      return ['EUR', 'USD', 'GBP'][index] ?? 'JPY';
    case 'time':
      return `${String(9 + (index % 12)).padStart(2, '0')}:00`;
    case 'slug':
      return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    default:
      return [...text].slice(0, scalar.maxLength).join('');
  }
}
