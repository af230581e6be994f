// JSON of a body → what may be stored, what is unset, and what is wrong: domain rules for presence on top of Ajv's for values.
import { toEngine, type ValueFault, valueFaults } from '../endpoints/validators.ts';
import { itemsWords } from '../endpoints/words.ts';
import type { Field, ObjectsField, Resource, Scalar, Value, Values } from '../registry/model.ts';
import { hasText } from '../values/format.ts';
import { WideNumber } from '../values/json.ts';
import type { BodyFault, BodyInput } from './intent.ts';
import { comparePlaces, placeOf } from './place.ts';

type Mode = 'create' | 'update';
type Json = Readonly<Record<string, unknown>>;

interface Collected {
  readonly faults: { readonly path: readonly string[]; readonly text: string }[];
  /** Keys of fields that hold no value now, and what they hold instead. */
  readonly unset: Map<string, Value | undefined>;
  /** Fields inside an object that an update unsets: `budget.billableHours`. */
  readonly unsetInside: Set<string>;
}

/** Takes a body apart. Never throws: faults are part of the result, so that those of later stages can join them. */
export function parseBody(resource: Resource, mode: Mode, json: Json): BodyInput {
  const collected: Collected = { faults: [], unset: new Map(), unsetInside: new Set() };
  const present = takePresent(resource.fields, mode, json, [], collected);
  const found = valueFaults(resource, present).map(({ path, words }: ValueFault) => ({
    path,
    text: `must be ${words}`,
  }));
  const wrongPaths = [...collected.faults, ...found];
  const faults = wrongPaths.map(({ path, text }) => faultAt(resource.fields, path, text)).sort(comparePlaces);
  const wrong = new Set(faults.map(({ key }) => key));
  const values: Values = {};
  for (const field of resource.fields) {
    if (wrong.has(field.key)) continue;
    if (collected.unset.has(field.key)) values[field.key] = collected.unset.get(field.key);
    else if (Object.hasOwn(present, field.key))
      values[field.key] = withUnset(field, fieldValue(field, present[field.key]), collected);
  }
  if (faults.length === 0) return Object.freeze({ values, faults });
  const isWhole = wholeBut(wrongPaths.map(({ path }) => path));
  const partial = partialObject(
    resource.fields.filter(({ key }) => wrong.has(key)),
    present,
    [],
    isWhole,
  );
  return Object.freeze({ values, faults: Object.freeze(faults), ...(partial && { partial }) });
}

function faultAt(fields: readonly Field[], path: readonly string[], text: string): BodyFault {
  const at = nameOf(path);
  return { key: path[0] ?? '', place: placeOf(fields, path), at, text: `'${at}' ${text}` };
}

/** `['lines', '0', 'amount']` → `lines[0].amount`. */
const nameOf = (path: readonly string[]): string =>
  path.map((step, index) => (/^\d+$/.test(step) && index > 0 ? `[${step}]` : index > 0 ? `.${step}` : step)).join('');

/** Keeps the fields that have a value; notes those that are unset, missing, refused or unknown. */
function takePresent(
  fields: readonly Field[],
  mode: Mode,
  json: Json,
  path: readonly string[],
  collected: Collected,
): Record<string, unknown> {
  const present: Record<string, unknown> = {};
  const known = new Set<string>();
  for (const field of fields) {
    const { key } = field;
    known.add(key);
    const place = [...path, key];
    const refuse = (text: string): void => void collected.faults.push({ path: place, text });
    const accepts = mode === 'create' ? field.onCreate : field.onUpdate;
    if (!Object.hasOwn(json, key)) {
      if (mode === 'create' && field.required) refuse('is required');
    } else if (!accepts) refuse('is not allowed');
    else if (isUnset(field, json[key])) {
      if (path.length === 0) unsetField(field, mode, collected, refuse);
      else if (field.required || (mode === 'update' && field.unset === 'never' && !isResettable(field)))
        refuse('is required');
      else if (mode === 'update') collected.unsetInside.add(place.join('.'));
    } else if (Array.isArray(json[key]) && json[key].length > longest(field)) {
      // Refused whole, before its items are looked at: half a million of them would be half a million faults.
      refuse(`must be ${itemsWords('minItems' in field ? field.minItems : 0, longest(field))}`);
    } else present[key] = insideOf(field, mode, json[key], place, collected);
  }
  for (const name of Object.keys(json)) {
    // A name may be as long as the body; its beginning tells enough.
    const said = name.length > longestSaid ? `${name.slice(0, longestSaid)}…` : name;
    if (!known.has(name)) collected.faults.push({ path: [...path, said], text: 'is not allowed' });
  }
  return present;
}

const longestSaid = 255;
const longest = (field: Field): number => ('maxItems' in field ? field.maxItems : Number.POSITIVE_INFINITY);
const isResettable = (field: Field): boolean => field.kind === 'boolean' || field.kind === 'list';

/** Null, and for texts the empty string and white space alone. Codes of fixed form are no texts here. */
function isUnset(field: Field, value: unknown): boolean {
  if (value === null) return true;
  return (
    field.kind === 'text' &&
    field.format !== 'currency' &&
    field.format !== 'time' &&
    typeof value === 'string' &&
    !hasText(value)
  );
}

function unsetField(field: Field, mode: Mode, collected: Collected, refuse: (text: string) => void): void {
  const set = (value: Value | undefined): void => void collected.unset.set(field.key, value);
  if (mayBeEmptyList(field)) set([]);
  else if (field.unset === 'empty') set('');
  // Null may be sent for what may not apply; the stages decide whether it does.
  else if (field.unset === 'null' || field.onlyWhen !== undefined) set(null);
  // A field that cannot be unset takes its default, on create always, on update where it is a switch.
  else if (!field.required && (mode === 'create' || field.kind === 'boolean')) set(undefined);
  else refuse('is required');
}

const mayBeEmptyList = (field: Field): boolean =>
  field.kind === 'references' || ((field.kind === 'list' || field.kind === 'objects') && field.minItems === 0);

/** Looks into objects and owned lists; their items are always whole, as on create. */
function insideOf(field: Field, mode: Mode, value: unknown, path: readonly string[], collected: Collected): unknown {
  if (field.kind === 'object') {
    return isObject(value) ? takePresent(field.fields, mode, value, path, collected) : withoutWide(value);
  }
  if (field.kind === 'objects' && Array.isArray(value)) {
    const items = value.map((item: unknown, index) =>
      isObject(item)
        ? takePresent(field.fields, 'create', item, [...path, String(index)], collected)
        : withoutWide(item),
    );
    refuseTwins(field, items, path, collected);
    return items;
  }
  return value;
}

/** The validator would take a number that is kept as an object (1e999) for an object. */
const withoutWide = (value: unknown): unknown => (value instanceof WideNumber ? value.text : value);

/** `distinct`: a value that may stand in a list once. */
function refuseTwins(
  field: ObjectsField,
  items: readonly unknown[],
  path: readonly string[],
  collected: Collected,
): void {
  const key = field.distinct ?? (field.hasIds ? 'id' : undefined);
  if (key === undefined) return;
  const values = items.flatMap((item) =>
    isObject(item) && typeof item[key] === 'string' ? [item[key].toLowerCase()] : [],
  );
  if (new Set(values).size < values.length) collected.faults.push({ path, text: 'must be without duplicates' });
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WideNumber);

/** An object's value with null where an update unsets a field of it. */
function withUnset(field: Field, value: Value, { unsetInside }: Collected): Value {
  if (field.kind !== 'object' || unsetInside.size === 0) return value;
  const nulls = field.fields
    .filter(({ key }) => unsetInside.has(`${field.key}.${key}`))
    .map(({ key }) => [key, null] as const);
  return { ...(value as Values), ...Object.fromEntries(nulls) };
}

const uuid: Scalar = { kind: 'uuid' };

/** A sound value as the engine holds it. */
function fieldValue(field: Field, value: unknown): Value {
  switch (field.kind) {
    case 'reference':
    case 'choice':
      return toEngine(uuid, value);
    case 'references':
      return (value as unknown[]).map((item) => toEngine(uuid, item));
    case 'list':
      return (value as unknown[]).map((item) => toEngine(field.item, item));
    case 'object':
      return objectValue(field.fields, value as Json);
    case 'objects':
      return (value as Json[]).map((item) => objectValue(field.fields, item));
    default:
      return toEngine(field, value);
  }
}

type IsWhole = (path: readonly string[]) => boolean;

/** Whether no fault stands at a path, nor below it. */
function wholeBut(wrong: readonly (readonly string[])[]): IsWhole {
  const paths = wrong.flatMap((path) => path.map((_step, depth) => path.slice(0, depth + 1).join('/')));
  const known = new Set(paths);
  return (path) => !known.has(path.join('/'));
}

/** What is well-formed of a value with faults; undefined where nothing is that one could judge. */
function partialValue(field: Field, value: unknown, path: readonly string[], isWhole: IsWhole): Value | undefined {
  if (isWhole(path)) return fieldValue(field, value);
  if (field.kind === 'object') return partialObject(field.fields, value, path, isWhole);
  if (!Array.isArray(value)) return undefined;
  const items = (value as unknown[]).map((item, index) => ({ item, place: [...path, String(index)] }));
  if (field.kind === 'references')
    return items.map(({ item, place }) => (isWhole(place) ? toEngine(uuid, item) : null));
  if (field.kind !== 'objects') return undefined;
  return items.map(({ item, place }) => partialObject(field.fields, item, place, isWhole) ?? null);
}

function partialObject(
  fields: readonly Field[],
  json: unknown,
  path: readonly string[],
  isWhole: IsWhole,
): Values | undefined {
  if (!isObject(json)) return undefined;
  const present = fields.filter(({ key }) => Object.hasOwn(json, key));
  const values = present.map((field) => [
    field.key,
    partialValue(field, json[field.key], [...path, field.key], isWhole),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Values;
}

function objectValue(fields: readonly Field[], json: Json): Values {
  const values: Values = {};
  for (const field of fields) {
    if (!Object.hasOwn(json, field.key)) continue;
    values[field.key] = fieldValue(field, json[field.key]);
  }
  return values;
}
