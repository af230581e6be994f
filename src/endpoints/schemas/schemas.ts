// Model → JSON Schema 2020-12 of records and bodies, for people and programs outside. Bodies are validated by
// `validators.ts`, whose messages are part of the interface.
import { fieldOfCreate } from '../../registry/model/initial-states.ts';
import { isScalar, kinds } from '../../registry/model/kinds.ts';
import type {
  ChoiceField,
  Field,
  ListField,
  ObjectField,
  ObjectsField,
  ReferenceField,
  Registry,
  Resource,
  Scalar,
  Value,
} from '../../registry/model/model.ts';
import { isCode } from '../../registry/model/text-formats.ts';
import { canBeRead } from '../routes/expandable.ts';
import { anyJsonName, bodyName, fieldName, itemName, recordName, referenceName, toComponent } from '../routes/names.ts';
import { rowOf, type Unset, uuidSchema } from '../values/kinds.ts';
import { type Schema, withoutUndefined } from '../values/schema.ts';
import { canBeNull } from './nullable.ts';
import { describedBy, notSent } from './told.ts';

type Mode = 'create' | 'update';
type EnumField = Extract<Field, { readonly kind: 'enum' }>;

/** Where a named schema comes from: a place in a descriptor, and what is made of it. */
export interface Origin {
  readonly file: string;
  /** JSON pointer; '' for the whole. */
  readonly pointer: string;
  readonly what: string;
}

/** Whether every caller who is shown a record of a group is shown a field of it, by its name. */
export type ShownToAll = (group: string, field: string) => boolean;

/** Takes the named schemas that turn up while others are made. */
export interface Shelf {
  readonly registry: Registry;
  /** Undefined where there are no roles, and everybody is shown everything. */
  readonly shownToAll?: ShownToAll | undefined;
  /** Makes a schema unless it is there already. @returns what refers to it. */
  put(name: string, origin: Origin, make: () => Schema): Schema;
}

/** Where fields stand: in a record, in an object or in the items of a list. */
interface Holder {
  /** Name of the component; the names of all in it begin with this. */
  readonly name: string;
  readonly file: string;
  /** Of its `properties` in the descriptor. */
  readonly pointer: string;
  readonly fields: readonly Field[];
  /** Those of the record itself. */
  readonly rules: Resource['rules'];
  /** Whether `expand` shows records behind its references: neither of what is computed, nor of what a reference includes. */
  readonly expands: boolean;
}

const holderOf = (resource: Resource): Holder => ({
  name: recordName(resource),
  file: resource.file,
  pointer: '/properties',
  fields: resource.fields,
  rules: resource.rules,
  expands: resource.computed === undefined,
});

function holderIn({ name, file, pointer, expands }: Holder, field: ObjectField | ObjectsField): Holder {
  const place = `${pointer}/${field.name}`;
  return field.kind === 'object'
    ? { name: fieldName(name, field), file, pointer: `${place}/properties`, fields: field.fields, rules: [], expands }
    : {
        name: itemName(name, field),
        file,
        pointer: `${place}/items/properties`,
        fields: field.fields,
        rules: [],
        expands,
      };
}

export const scalarSchema = (scalar: Scalar, unset: Unset = 'never'): Schema => rowOf(scalar).schema(scalar, unset);

/** The record as callers read it: every shown field, in order, always there but for those that roles may hide. */
export function recordSchema(resource: Resource, shelf: Shelf): Schema {
  const { title, description, name } = resource;
  const { required, ...rest } = shownObject(holderOf(resource), shelf);
  const { shownToAll } = shelf;
  const isThere = (field: string): boolean => field === 'id' || shownToAll?.(name, field) !== false;
  return { title, description, ...rest, required: required.filter(isThere) };
}

function shownObject(holder: Holder, shelf: Shelf): Schema & { readonly required: readonly string[] } {
  const shown = holder.fields.filter((field) => field.shown);
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map((field) => [field.name, shownField(field, holder, shelf)])),
    required: shown.map(({ name }) => name),
    additionalProperties: false,
  };
}

function shownField(field: Field, holder: Holder, shelf: Shelf): Schema {
  const value = shownValue(field, holder, shelf);
  const isReadOnly = !field.onCreate && !field.onUpdate;
  return {
    ...(canBeNull(field, holder.fields, shelf.registry) ? orNull(value) : value),
    ...annotations(field, field.onCreate),
    ...(isReadOnly ? { readOnly: true } : {}),
  };
}

function shownValue(field: Field, holder: Holder, shelf: Shelf): Schema {
  switch (field.kind) {
    case 'reference': {
      const reference = field.as === 'id' ? idSchema(field.target) : referenceSchema(field, shelf);
      return { ...reference, ...expandable(field.target, holder, shelf) };
    }
    case 'references': {
      const { target, via, maxItems } = field;
      const items = { ...referenceSchema({ target, include: [] }, shelf), ...expandable(target, holder, shelf) };
      // The other side of a reference has no bound: any number of records may refer to this one. Nor has what a formula finds.
      const hasBound = via === undefined && !isTakenAtRead(field);
      return { type: 'array', items, uniqueItems: true, ...(hasBound && { maxItems }) };
    }
    case 'list':
      return { ...listSchema(field, listItem(field, holder, shelf)), ...(canBeEmpty(field) ? {} : leastItems(field)) };
    case 'objects':
      return { ...listSchema(field, shownPart(field, holder, shelf)), ...(canBeEmpty(field) ? {} : leastItems(field)) };
    case 'object':
      return shownPart(field, holder, shelf);
    case 'choice':
      return choiceSchema(field);
    case 'enum':
      return enumSchema(field, holder, shelf);
    case 'json':
      return jsonSchema(shelf);
    default:
      return scalarSchema(field, mayShowEmpty(field) ? 'empty' : 'never');
  }
}

/** An object of any form. What may be in it is one schema for all. */
function jsonSchema(shelf: Shelf): Schema {
  const origin = { file: '', pointer: '', what: 'any JSON' };
  const any = toComponent(anyJsonName);
  const value = shelf.put(anyJsonName, origin, () => ({
    description: 'Any JSON.',
    anyOf: [
      ...['null', 'boolean', 'number', 'string'].map((type) => ({ type })),
      { type: 'array', items: any },
      { type: 'object', additionalProperties: any },
    ],
  }));
  return { type: 'object', additionalProperties: value };
}

const isTakenAtRead = ({ figure }: Field): boolean => figure?.taken === 'atRead';

/** Whether a record may show a list without the items that bodies must send: nothing gave it any. */
const canBeEmpty = ({ required, default: value }: Field): boolean =>
  !required && !(Array.isArray(value) && value.length > 0);

/** An object, or an item of a list. */
function shownPart(field: ObjectField | ObjectsField, holder: Holder, shelf: Shelf): Schema {
  const inside = holderIn(holder, field);
  const { name, file, pointer } = inside;
  return shelf.put(name, { file, pointer, what: 'the object' }, () => shownObject(inside, shelf));
}

/** The values of an enum, without null. */
function enumSchema(field: EnumField, holder: Holder, shelf: Shelf): Schema {
  const origin = { file: holder.file, pointer: `${holder.pointer}/${field.name}`, what: 'the enum' };
  return shelf.put(fieldName(holder.name, field), origin, () => scalarSchema(field));
}

/** The values of an enum that a create may send. */
function initialStatesSchema(field: EnumField, holder: Holder, shelf: Shelf): Schema {
  const pointer = `${holder.pointer}/${field.name}/initialStates`;
  const origin = { file: holder.file, pointer, what: 'the values that a create may send' };
  return shelf.put(fieldName(bodyName(holder.name, 'create'), field), origin, () => scalarSchema(field));
}

/** Where a filter's field stands: in the record, or in the items of an owned list. */
interface FilterPlace {
  readonly resource: Resource;
  readonly list: ObjectsField | undefined;
}

/** The values of the enum that a filter compares. */
export function filteredEnum(field: EnumField, { resource, list }: FilterPlace, shelf: Shelf): Schema {
  const record = holderOf(resource);
  return enumSchema(field, list === undefined ? record : holderIn(record, list), shelf);
}

function listItem(field: ListField, holder: Holder, shelf: Shelf): Schema {
  const { item } = field;
  if (item.kind !== 'enum') return scalarSchema(item);
  const origin = { file: holder.file, pointer: `${holder.pointer}/${field.name}/items`, what: 'the enum' };
  return shelf.put(itemName(holder.name, field), origin, () => scalarSchema(item));
}

/** Whether a record may show the empty text: its own, or that of another record. Codes of fixed form are never empty there. */
function mayShowEmpty(field: Extract<Field, Scalar>): boolean {
  if (field.unset === 'empty') return true;
  const isElsewhere = field.inherits.length > 0 || field.from !== undefined;
  return isElsewhere && !(field.kind === 'text' && isCode(field.format));
}

/** `{id, name}` and what the reference includes; a reference among that is `{id, name}` again. */
function referenceSchema({ target, include }: Pick<ReferenceField, 'target' | 'include'>, shelf: Shelf): Schema {
  const resource = shelf.registry.resources.get(target);
  const included = resource?.fields.filter(({ name }) => include.includes(name)) ?? [];
  const names = included.map(({ name }) => name);
  const what = `the reference${names.length === 0 ? '' : ` with ${names.join(' and ')}`}`;
  const origin: Origin = { file: resource?.file ?? '', pointer: '', what };
  return shelf.put(referenceName(target, names), origin, () => {
    const more = resource === undefined ? [] : included.map((field) => includedField(field, resource, shelf));
    return {
      type: 'object',
      properties: { id: uuidSchema, name: { type: 'string' }, ...Object.fromEntries(more) },
      // Of a record that is not visible, or of fields that are hidden, callers with roles are told the id alone.
      required: shelf.shownToAll === undefined ? ['id', 'name', ...names] : ['id'],
      additionalProperties: false,
      'x-reference': target,
    };
  });
}

function includedField(field: Field, resource: Resource, shelf: Shelf): readonly [string, Schema] {
  const plain: Field = field.kind === 'reference' ? { ...field, include: [] } : field;
  const value = shownValue(plain, { ...holderOf(resource), expands: false }, shelf);
  return [field.name, canBeNull(field, resource.fields, shelf.registry) ? orNull(value) : value];
}

const bodyWords = { create: 'What a create takes.', update: 'What an update takes; fields that are left out stay.' };

/**
 * A body, by the keys of the fields. On create, fields that a rule or a default fills may be left out or null; on update
 * fields that are left out stay as they are.
 */
export function bodySchema(resource: Resource, mode: Mode, shelf: Shelf): Schema {
  return {
    title: `${resource.title} (${mode})`,
    description: bodyWords[mode],
    ...bodyObject({ holder: holderOf(resource), mode, rule: mode }, shelf),
  };
}

/** The body of a write by a unique key. What a new record needs is there, or in the address, or in a record that is there already. */
export function putSchema(resource: Resource, shelf: Shelf): Schema {
  const of = (mode: Mode): Schema => bodyObject({ holder: holderOf(resource), mode, rule: mode }, shelf);
  const properties = { ...Object(of('create')['properties']), ...Object(of('update')['properties']) };
  return {
    title: `${resource.title} (put)`,
    description:
      'What a create takes where there is no such record; else what an update takes, and nothing else changes.',
    type: 'object',
    properties,
    additionalProperties: false,
  };
}

function bodyObject(place: BodyPlace, shelf: Shelf): Schema {
  const { holder, rule } = place;
  const accepted = holder.fields.filter((field) => (rule === 'create' ? field.onCreate : field.onUpdate));
  const required = rule === 'create' ? accepted.filter((field) => field.required).map(({ key }) => key) : [];
  return {
    type: 'object',
    properties: Object.fromEntries(accepted.map((field) => [field.key, bodyField(field, place, shelf)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

interface BodyPlace {
  readonly holder: Holder;
  /** Of the whole body. */
  readonly mode: Mode;
  /** Which rules hold for what may be left out or null: items, and what is in them, are brought whole, as on create. */
  readonly rule: Mode;
}

function bodyField(field: Field, place: BodyPlace, shelf: Shelf): Schema {
  const mayBeUnset = mayBeNull(field, place.rule);
  const value = bodyValue(field, place, shelf);
  return {
    ...(mayBeUnset ? orNull(value) : value),
    ...annotations(field, place.rule === 'create'),
    ...notSent(field, place.holder.rules),
    ...(field.shown ? {} : { writeOnly: true }),
  };
}

function bodyValue(field: Field, place: BodyPlace, shelf: Shelf): Schema {
  switch (field.kind) {
    case 'reference':
      return idSchema(field.target);
    case 'choice':
      return choiceSchema(field);
    case 'references':
      return { type: 'array', items: idSchema(field.target), uniqueItems: true, maxItems: field.maxItems };
    case 'list':
      return { ...listSchema(field, listItem(field, place.holder, shelf)), ...leastItems(field) };
    case 'object':
      return bodyPart(field, place, shelf);
    case 'objects': {
      const distinct = field.distinct === undefined ? {} : { 'x-distinct': field.distinct };
      return { ...listSchema(field, bodyPart(field, place, shelf)), ...leastItems(field), ...distinct };
    }
    case 'enum':
      return place.rule === 'create' && field.initialStates !== undefined
        ? initialStatesSchema(fieldOfCreate(field), place.holder, shelf)
        : enumSchema(field, place.holder, shelf);
    case 'json':
      return jsonSchema(shelf);
    case 'dateTime':
      // The format allows offsets, and any number of decimals.
      return { ...scalarSchema(field), pattern: '^[0-9-]{10}T[0-9:]{8}(\\.[0-9]{1,3})?Z$' };
    case 'text': {
      const isFixed = isCode(field.format);
      const mayBeUnset = mayBeNull(field, place.rule);
      const value = scalarSchema(field, mayBeUnset && !isFixed ? 'blank' : 'never');
      return mayBeUnset || isFixed ? value : { type: 'string', minLength: 1, pattern: '\\S', ...value };
    }
    default:
      return scalarSchema(field);
  }
}

/** An object, or an item of a list. Only an update can name the id of an item: it must be in the stored list. */
function bodyPart(field: ObjectField | ObjectsField, { holder, mode, rule }: BodyPlace, shelf: Shelf): Schema {
  const whole = holderIn(holder, field);
  const isOwnId = ({ key }: Field): boolean =>
    field.kind === 'objects' && field.hasIds && key === 'id' && mode === 'create';
  const inside = { ...whole, fields: whole.fields.filter((item) => !isOwnId(item)) };
  const origin = { file: whole.file, pointer: whole.pointer, what: `the object in the body of ${mode}` };
  const place: BodyPlace = { holder: inside, mode, rule: field.kind === 'objects' ? 'create' : rule };
  return shelf.put(bodyName(whole.name, mode), origin, () => bodyObject(place, shelf));
}

/** Null unsets. Where a field cannot be unset, null takes its default on create, and on update where it is a switch. */
function mayBeNull(field: Field, mode: Mode): boolean {
  if (field.required) return false;
  if (mode === 'create' || field.unset !== 'never' || field.onlyWhen !== undefined) return true;
  return kinds[field.kind].isSwitch || kinds[field.kind].isMany;
}

/** Whether the record itself can be shown in place of a reference. */
const expandable = (target: string, { expands }: Holder, { registry }: Shelf): Schema =>
  expands && canBeRead(registry.resources.get(target)) ? { 'x-expandable': true } : {};

const idSchema = (target: string): Schema => ({ ...uuidSchema, 'x-reference': target });

/** An id of the group that the field beside it names: `{"typeId": {"time_entry": "time-entry"}}`. */
const choiceSchema = ({ by, branches }: ChoiceField): Schema => ({
  ...uuidSchema,
  'x-reference-by': { [by]: Object.fromEntries(branches.map(({ value, reference }) => [value, reference.target])) },
});

function listSchema(field: Extract<Field, { kind: 'list' | 'objects' }>, items: Schema): Schema {
  // A formula may find any number of values, and one twice.
  if (isTakenAtRead(field)) return { type: 'array', items };
  // Objects are told apart by what they say is distinct; numbers need not be.
  const distinct = field.kind === 'objects' || kinds[field.item.kind].isNumber ? {} : { uniqueItems: true };
  // The other side of a reference has no bound: any number of records may refer to this one.
  const isBounded = field.kind === 'list' || field.via === undefined;
  return { type: 'array', items, ...distinct, ...(isBounded ? { maxItems: field.maxItems } : {}) };
}

const leastItems = ({ minItems }: { readonly minItems: number }): Schema => (minItems > 0 ? { minItems } : {});

function annotations(field: Field, withDefault: boolean): Schema {
  return withoutUndefined({
    description: describedBy(field),
    default: withDefault && !field.required && field.default !== undefined ? toJson(field, field.default) : undefined,
    examples: field.examples.length > 0 && field.kind !== 'reference' ? field.examples : undefined,
    deprecated: field.deprecated ? true : undefined,
    'x-currency': field.currency,
    'x-per-unit': field.isPerUnit || undefined,
  });
}

/** A value of the engine as JSON has it: decimals are text inside. */
export function toJson(field: Field | Scalar, value: Value): unknown {
  if (field.kind === 'list') {
    const { item } = field;
    return Array.isArray(value) ? value.map((inside: Value) => toJson(item, inside)) : value;
  }
  return isScalar(field) ? rowOf(field).toJson(value) : value;
}

/** The same, or null. */
function orNull(schema: Schema): Schema {
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema.type, 'null'] };
}
