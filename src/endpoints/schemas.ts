// Model → JSON Schema 2020-12 in standard words, for people and programs outside: what records look like, and what
// bodies may hold. Bodies are not checked with these but with `validators.ts`, whose texts are those of the interface.
import type {
  ChoiceField,
  Field,
  ReferenceField,
  Registry,
  Resource,
  Scalar,
  TextFormat,
  Value,
} from '../registry/model.ts';
import { canBeNull } from './nullable.ts';

export type Schema = Readonly<Record<string, unknown>>;
type Mode = 'create' | 'update';

/** A format of ours → keywords for a text of that format, and for one that may be empty too (`format` cannot say so). */
const textForms: Record<TextFormat, { readonly set: Schema; readonly orEmpty: Schema }> = {
  email: { set: { format: 'email' }, orEmpty: { pattern: '^([^@\\s]+@[^@\\s]+)?$' } },
  url: { set: { format: 'uri' }, orEmpty: { pattern: '^([Hh][Tt][Tt][Pp][Ss]?://\\S+)?$' } },
  'time-zone': { set: { 'x-format': 'time-zone' }, orEmpty: { 'x-format': 'time-zone' } },
  currency: { set: { pattern: '^[A-Z]{3}$' }, orEmpty: { pattern: '^([A-Z]{3})?$' } },
  time: {
    set: { pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' },
    orEmpty: { pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9])?$' },
  },
  slug: { set: { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }, orEmpty: { pattern: '^([a-z0-9]+(-[a-z0-9]+)*)?$' } },
};
const fixedLengths: ReadonlySet<TextFormat | undefined> = new Set<TextFormat>(['currency', 'time']);

const uuidSchema: Schema = { type: 'string', format: 'uuid' };

/** @param mayBeEmpty The empty text stands for "none". */
export function scalarSchema(scalar: Scalar, mayBeEmpty = false): Schema {
  switch (scalar.kind) {
    case 'text': {
      const { maxLength, format } = scalar;
      const form = format === undefined ? {} : textForms[format][mayBeEmpty ? 'orEmpty' : 'set'];
      return { type: 'string', ...(fixedLengths.has(format) ? {} : { maxLength }), ...form };
    }
    case 'enum':
      return { type: 'string', enum: [...scalar.values] };
    case 'uuid':
      return uuidSchema;
    case 'date':
      return { type: 'string', format: 'date' };
    case 'dateTime':
      return { type: 'string', format: 'date-time' };
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'integer', minimum: scalar.minimum, maximum: scalar.maximum };
    case 'decimal': {
      const { minimum, maximum, exclusiveMinimum, scale } = scalar;
      // No multipleOf: on binary fractions validators disagree about it (0.07 is no multiple of 0.01).
      return withoutUndefined({ type: 'number', minimum, maximum, exclusiveMinimum, 'x-decimals': scale });
    }
  }
}

/** The record as callers read it: every shown field, in order, always there. */
export function recordSchema(resource: Resource, registry: Registry): Schema {
  const { title, description } = resource;
  return { title, description, ...shownObject(resource.fields, registry) };
}

/** The body of a create, by the keys of the fields. Fields that a rule or a default fills may be left out or null. */
export function createSchema(resource: Resource): Schema {
  return bodySchema(resource, 'create');
}

/** The body of an update: fields that are left out stay as they are. */
export function updateSchema(resource: Resource): Schema {
  return bodySchema(resource, 'update');
}

function shownObject(fields: readonly Field[], registry: Registry): Schema {
  const shown = fields.filter((field) => field.shown);
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map((field) => [field.name, shownField(field, fields, registry)])),
    required: shown.map(({ name }) => name),
    additionalProperties: false,
  };
}

function shownField(field: Field, fields: readonly Field[], registry: Registry): Schema {
  const value = shownValue(field, registry);
  const isReadOnly = !field.onCreate && !field.onUpdate;
  return {
    ...(canBeNull(field, fields, registry) ? orNull(value) : value),
    ...annotations(field, field.onCreate),
    ...(isReadOnly ? { readOnly: true } : {}),
  };
}

function shownValue(field: Field, registry: Registry): Schema {
  switch (field.kind) {
    case 'reference':
      return field.as === 'id' ? idSchema(field.target) : referenceSchema(field, registry);
    case 'references': {
      const items = referenceSchema({ target: field.target, include: [] }, registry);
      // The other side of a reference has no bound: any number of records may refer to this one.
      return {
        type: 'array',
        items,
        uniqueItems: true,
        ...(field.via === undefined ? { maxItems: field.maxItems } : {}),
      };
    }
    case 'list':
    case 'objects': {
      const items = field.kind === 'list' ? scalarSchema(field.item) : shownObject(field.fields, registry);
      return { ...listSchema(field, items), ...(field.required ? leastItems(field) : {}) };
    }
    case 'object':
      return shownObject(field.fields, registry);
    case 'choice':
      return choiceSchema(field);
    default:
      return scalarSchema(field, mayShowEmpty(field));
  }
}

/** Whether a record may show the empty text: its own, or that of another record. Codes of fixed form are never empty there. */
function mayShowEmpty(field: Extract<Field, Scalar>): boolean {
  if (field.unset === 'empty') return true;
  const isElsewhere = field.inherits.length > 0 || field.from !== undefined;
  return isElsewhere && !(field.kind === 'text' && fixedLengths.has(field.format));
}

/** `{id, name}` and what the reference includes; a reference among that is `{id, name}` again. */
function referenceSchema({ target, include }: Pick<ReferenceField, 'target' | 'include'>, registry: Registry): Schema {
  const fields = registry.resources.get(target)?.fields ?? [];
  const included = fields.filter(({ name }) => include.includes(name));
  const more = included.map((field) => {
    const plain: Field = field.kind === 'reference' ? { ...field, include: [] } : field;
    const value = shownValue(plain, registry);
    return [field.name, canBeNull(field, fields, registry) ? orNull(value) : value] as const;
  });
  return {
    type: 'object',
    properties: { id: uuidSchema, name: { type: 'string' }, ...Object.fromEntries(more) },
    required: ['id', 'name', ...more.map(([name]) => name)],
    additionalProperties: false,
    'x-reference': target,
  };
}

function bodySchema(resource: Resource, mode: Mode): Schema {
  const words = { create: 'What a create takes.', update: 'What an update takes; fields that are left out stay.' };
  return {
    title: `${resource.title} (${mode})`,
    description: words[mode],
    ...bodyObject(resource.fields, mode),
  };
}

function bodyObject(fields: readonly Field[], mode: Mode): Schema {
  const accepted = fields.filter((field) => (mode === 'create' ? field.onCreate : field.onUpdate));
  const required = mode === 'create' ? accepted.filter((field) => field.required).map(({ key }) => key) : [];
  return {
    type: 'object',
    properties: Object.fromEntries(accepted.map((field) => [field.key, bodyField(field, mode)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function bodyField(field: Field, mode: Mode): Schema {
  const mayBeUnset = mayBeNull(field, mode);
  const value = bodyValue(field, mode, mayBeUnset);
  return {
    ...(mayBeUnset ? orNull(value) : value),
    ...annotations(field, mode === 'create'),
    ...(field.shown ? {} : { writeOnly: true }),
  };
}

function bodyValue(field: Field, mode: Mode, mayBeUnset: boolean): Schema {
  switch (field.kind) {
    case 'reference':
      return idSchema(field.target);
    case 'choice':
      return choiceSchema(field);
    case 'references':
      return { type: 'array', items: idSchema(field.target), uniqueItems: true, maxItems: field.maxItems };
    case 'list':
      return { ...listSchema(field, scalarSchema(field.item)), ...leastItems(field) };
    case 'object':
      return bodyObject(field.fields, mode);
    case 'objects': {
      // Items are always whole. Only an update can name the id of an item: it must be in the stored list.
      const isOwnId = ({ key }: Field): boolean => field.hasIds && key === 'id' && mode === 'create';
      const items = bodyObject(
        field.fields.filter((item) => !isOwnId(item)),
        'create',
      );
      const distinct = field.distinct === undefined ? {} : { 'x-distinct': field.distinct };
      return { ...listSchema(field, items), ...leastItems(field), ...distinct };
    }
    case 'text': {
      const isFixed = fixedLengths.has(field.format);
      const value = scalarSchema(field, mayBeUnset && !isFixed);
      return mayBeUnset || isFixed ? value : { type: 'string', minLength: 1, pattern: '\\S', ...value };
    }
    default:
      return scalarSchema(field);
  }
}

/** Null unsets. Where a field cannot be unset, null takes its default on create, and on update where it is a switch. */
function mayBeNull(field: Field, mode: Mode): boolean {
  if (field.required) return false;
  if (mode === 'create' || field.unset !== 'never' || field.onlyWhen !== undefined) return true;
  return field.kind === 'boolean' || field.kind === 'list' || field.kind === 'references' || field.kind === 'objects';
}

const idSchema = (target: string): Schema => ({ ...uuidSchema, 'x-reference': target });

/** An id of the group that the field beside it names: `{"typeId": {"time_entry": "time-entry"}}`. */
const choiceSchema = ({ by, branches }: ChoiceField): Schema => ({
  ...uuidSchema,
  'x-reference-by': { [by]: Object.fromEntries(branches.map(({ value, reference }) => [value, reference.target])) },
});

function listSchema(field: Extract<Field, { kind: 'list' | 'objects' }>, items: Schema): Schema {
  const isNumbers = field.kind === 'list' && (field.item.kind === 'integer' || field.item.kind === 'decimal');
  const distinct = field.kind === 'objects' || isNumbers ? {} : { uniqueItems: true };
  // The other side of a reference has no bound: any number of records may refer to this one.
  const isBounded = field.kind === 'list' || field.via === undefined;
  return { type: 'array', items, ...distinct, ...(isBounded ? { maxItems: field.maxItems } : {}) };
}

const leastItems = ({ minItems }: { readonly minItems: number }): Schema => (minItems > 0 ? { minItems } : {});

function annotations(field: Field, withDefault: boolean): Schema {
  return withoutUndefined({
    description: field.description === '' ? undefined : field.description,
    default: withDefault && !field.required && field.default !== undefined ? toJson(field, field.default) : undefined,
    examples: field.examples.length > 0 && field.kind !== 'reference' ? field.examples : undefined,
    deprecated: field.deprecated ? true : undefined,
  });
}

/** A value of the engine as JSON has it: decimals are text inside. */
export function toJson(scalar: Pick<Field, 'kind'> & { readonly item?: Scalar }, value: Value): unknown {
  if (scalar.kind === 'decimal' && typeof value === 'string') return Number(value);
  const { item } = scalar;
  return item !== undefined && Array.isArray(value) ? value.map((inside: Value) => toJson(item, inside)) : value;
}

/** The same, or null. */
function orNull(schema: Schema): Schema {
  const values = schema.enum;
  return { ...schema, type: [schema.type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

const withoutUndefined = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
