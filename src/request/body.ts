// JSON body → values to store, fields to unset, and faults: presence rules on top of Ajv's value checks.

import { valueFaults } from '../endpoints/validation/validators.ts';
import { rowOf, uuid } from '../endpoints/values/kinds.ts';
import { itemsWords } from '../endpoints/values/words.ts';
import type { FieldCode } from '../problems/codes.ts';
import { pointerStep } from '../problems/field-fault.ts';
import { fieldsOfCreate } from '../registry/model/initial-states.ts';
import { innerLists, togetherWords } from '../registry/model/inner-lists.ts';
import { kinds } from '../registry/model/kinds.ts';
import type { Field, ObjectsField, Resource, Value, Values } from '../registry/model/model.ts';
import { isCode } from '../registry/model/text-formats.ts';
import { meantName } from '../text/nearest.ts';
import { hasText } from '../values/format.ts';
import { WideNumber } from '../values/json.ts';
import { FaultLog, mostFaults } from './faults.ts';
import type { BodyInput } from './intent.ts';
import { isWholeNumber, placeOfUnknown } from './place.ts';

type Mode = 'create' | 'update';
type Json = Readonly<Record<string, unknown>>;

/** Where something stands: in numbers to be compared, and in the caller's words. */
interface Spot {
  /** Key of the record's field that it belongs to; empty for the record itself. */
  readonly root: string;
  readonly place: readonly number[];
  readonly at: string;
  /** JSON pointer. */
  readonly pointer: string;
}

/** The record, an object in it, or an item of a list. */
interface Level {
  readonly fields: readonly Field[];
  readonly json: Json;
  /** Items are always whole, as on create. */
  readonly mode: Mode;
  readonly spot: Spot;
}

const record: Spot = { root: '', place: [], at: '', pointer: '' };
const fieldOf = ({ root, place, at, pointer }: Spot, index: number, key: string): Spot => ({
  root: root || key,
  place: [...place, index],
  at: at === '' ? key : `${at}.${key}`,
  pointer: pointer + pointerStep(key),
});
const itemOf = ({ root, place, at, pointer }: Spot, index: number): Spot => ({
  root,
  place: [...place, index],
  at: `${at}[${index}]`,
  pointer: pointer + pointerStep(index),
});

/** Takes a body apart. Never throws: faults are part of the result, so that those of later stages can join them. */
export function parseBody(resource: Resource, mode: Mode, json: Json): BodyInput {
  const reader = new BodyReader();
  const read = reader.read({ fields: resource.fields, json, mode, spot: record });
  const { keys } = reader.faults;
  if (keys.size === 0) return Object.freeze({ values: reader.withUnset(read) });
  const { first, places } = reader.faults;
  const values: Values = {};
  const partial: Values = {};
  for (const [key, value] of Object.entries(read)) (keys.has(key) ? partial : values)[key] = value;
  return Object.freeze({ values: reader.withUnset(values), wrong: { first, keys, places, partial } });
}

/** Goes through a body once, from outside inwards, and stops in a list where no more faults can be shown. */
class BodyReader {
  readonly faults = new FaultLog();
  /** Fields that an update unsets in an object of the record, by the key of the object. */
  readonly #unsetInside = new Map<string, Values>();
  #meantYet = 0;

  /** What is well-formed of a level, by key; of the record also what is unset. */
  read(level: Level): Values {
    const { fields, json, mode, spot } = level;
    const values: Values = {};
    const present: Record<string, unknown> = {};
    for (const field of fields) {
      // Most fields are in no body.
      if (!Object.hasOwn(json, field.key) && !(mode === 'create' && field.required)) continue;
      if (this.#isPresent(level, field, values)) present[field.key] = withoutWide(field, json[field.key]);
    }
    this.#refuseUnknown(level);
    const wrong = this.#judge(level, present);
    for (const [index, field] of fields.entries()) {
      const { key } = field;
      if (!Object.hasOwn(present, key)) continue;
      const value = isComposite(field)
        ? this.#readInside(field, present[key], { mode, spot: fieldOf(spot, index, key) })
        : wellFormed(field, present[key], wrong.get(key));
      if (value !== undefined) values[key] = value;
    }
    return values;
  }

  /** The values with null where an update unsets a field of an object. */
  withUnset(values: Values): Values {
    for (const [key, unset] of this.#unsetInside)
      if (Object.hasOwn(values, key)) values[key] = { ...(values[key] as Values), ...unset };
    return values;
  }

  #refuse({ root, place, at, pointer }: Spot, text: string, code: FieldCode): false {
    this.faults.add({ key: root, place, at, text: `'${at}' ${text}`, pointer, code });
    return false;
  }

  /** Whether a field that is there, or must be, holds a value that can be judged; notes what is unset, missing or refused. */
  #isPresent({ fields, json, mode, spot }: Level, field: Field, values: Values): boolean {
    const { key } = field;
    const refuse = (text: string, code: FieldCode): false =>
      this.#refuse(fieldOf(spot, keysOf(fields).get(key) ?? 0, key), text, code);
    if (!Object.hasOwn(json, key)) return refuse('is required', 'required');
    const value = json[key];
    if (!(mode === 'create' ? field.onCreate : field.onUpdate)) return refuse('is not allowed', 'not-allowed');
    if (isUnset(field, value)) {
      if (spot === record) return unsetField(field, mode, values) ? false : refuse('is required', 'required');
      if (field.required || (mode === 'update' && field.unset === 'never' && !isResettable(field)))
        return refuse('is required', 'required');
      if (mode === 'update') this.#unsetInside.set(spot.at, { ...this.#unsetInside.get(spot.at), [key]: null });
      return false;
    }
    // Refused whole, before its items are looked at: half a million of them would be half a million faults.
    if (Array.isArray(value) && value.length > longest(field))
      return refuse(`must be ${itemsWords('minItems' in field ? field.minItems : 0, longest(field))}`, 'invalid-items');
    if (field.kind !== 'objects' || !Array.isArray(value)) return true;
    const crowded = innerLists(field).find(({ key: inner, most }) => countInside(value, inner) > most);
    if (crowded !== undefined) return refuse(`must ${togetherWords(crowded)}`, 'invalid-items');
    if (hasTwins(field, value)) refuse('must be without duplicates', 'invalid-items');
    return true;
  }

  /** The nearest name that may be sent, for as many as an answer can show: a body may hold thousands. */
  #meant(name: string, { fields, mode }: Level): string {
    if (this.#meantYet === mostFaults) return '';
    this.#meantYet += 1;
    const sent = fields.filter(({ onCreate, onUpdate }) => (mode === 'create' ? onCreate : onUpdate));
    return meantName(
      name,
      sent.map(({ key }) => key),
    );
  }

  #refuseUnknown(level: Level): void {
    const { fields, json, spot } = level;
    const known = keysOf(fields);
    for (const name of Object.keys(json)) {
      if (known.has(name)) continue;
      // A name may be as long as the body; its beginning tells enough.
      const said = name.length > longestSaid ? `${name.slice(0, longestSaid)}…` : name;
      const place = placeOfUnknown(spot.place, said);
      if (!this.faults.isPast({ place }))
        this.#refuse(
          { root: spot.root || said, place, at: nameInside(spot.at, said), pointer: spot.pointer + pointerStep(name) },
          `is not allowed${this.#meant(said, level)}`,
          'unknown-field',
        );
      // Of the record's own, those behind have the same place.
      else if (spot === record) return;
      else this.faults.taint(spot.root);
    }
  }

  /** Notes which values are not what they must be. @returns their keys, with the places of the items that are not. */
  #judge({ fields, mode, spot }: Level, present: Json): ReadonlyMap<string, ReadonlySet<number>> {
    const wrong = new Map<string, Set<number>>();
    for (const { key, item, words, code } of valueFaults(
      mode === 'create' ? fieldsOfCreate(fields) : fields,
      present,
    )) {
      const items = wrong.get(key) ?? new Set();
      wrong.set(key, item === undefined ? items : items.add(item));
      const field = fieldOf(spot, keysOf(fields).get(key) ?? 0, key);
      this.#refuse(item === undefined ? field : itemOf(field, item), `must be ${words}`, code);
    }
    return wrong;
  }

  /** Looks into objects and owned lists. */
  #readInside(field: CompositeField, value: unknown, { mode, spot }: Pick<Level, 'mode' | 'spot'>): Value | undefined {
    const { fields } = field;
    if (field.kind === 'object') return isObject(value) ? this.read({ fields, json: value, mode, spot }) : undefined;
    if (!Array.isArray(value)) return undefined;
    const items: (Values | null)[] = [];
    for (const [index, item] of (value as unknown[]).entries()) {
      const here = itemOf(spot, index);
      if (this.faults.isDone(spot.root, here)) break;
      if (isObject(item)) items.push(this.read({ fields, json: item, mode: 'create', spot: here }));
      else {
        items.push(null);
        this.#refuse(here, 'must be an object', 'invalid-value');
      }
    }
    return items;
  }
}

type CompositeField = Extract<Field, { kind: 'object' | 'objects' }>;
const isComposite = (field: Field): field is CompositeField => field.kind === 'object' || field.kind === 'objects';

const longestSaid = 255;
const longest = (field: Field): number => ('maxItems' in field ? field.maxItems : Number.POSITIVE_INFINITY);
const isResettable = ({ kind }: Field): boolean => kinds[kind].isSwitch || kinds[kind].isMany;

/** A field that nobody knows, as the caller would write it; in a list or an object a whole number looks like an item. */
function nameInside(outer: string, name: string): string {
  if (outer === '') return name;
  return isWholeNumber(name) ? `${outer}[${name}]` : `${outer}.${name}`;
}

const known = new WeakMap<readonly Field[], ReadonlyMap<string, number>>();

/** Keys of the fields of a level, with their places. */
function keysOf(fields: readonly Field[]): ReadonlyMap<string, number> {
  const keys = known.get(fields) ?? new Map(fields.map(({ key }, index) => [key, index]));
  known.set(fields, keys);
  return keys;
}

/** Null, and for texts the empty string and white space alone. Codes of fixed form are no texts here. */
function isUnset(field: Field, value: unknown): boolean {
  if (value === null) return true;
  return field.kind === 'text' && !isCode(field.format) && typeof value === 'string' && !hasText(value);
}

/** Gives a field of the record what it holds while unset. @returns whether it can be. */
function unsetField(field: Field, mode: Mode, values: Values): boolean {
  const set = (value: Value | undefined): true => {
    values[field.key] = value;
    return true;
  };
  if (mayBeEmptyList(field)) return set([]);
  if (field.unset === 'empty') return set('');
  // Null may be sent for what may not apply; the stages decide whether it does.
  if (field.unset === 'null' || field.onlyWhen !== undefined) return set(null);
  // A field that cannot be unset takes its default, on create always, on update where it is a switch.
  return !field.required && (mode === 'create' || kinds[field.kind].isSwitch) ? set(undefined) : false;
}

const mayBeEmptyList = (field: Field): boolean =>
  kinds[field.kind].isMany && !('minItems' in field && field.minItems > 0);

/** The validator would take a number that is kept as an object (1e999) for an object. */
const withoutWide = (field: Field, value: unknown): unknown =>
  field.kind === 'object' && value instanceof WideNumber ? value.text : value;

/** `distinct`: a value that may stand in a list once. */
function hasTwins(field: ObjectsField, items: readonly unknown[]): boolean {
  const key = field.distinct ?? (field.hasIds ? 'id' : undefined);
  const compared = field.fields.find((inside) => inside.key === key);
  if (compared === undefined) return false;
  const values = items.flatMap((item) => {
    const value = isObject(item) && Object.hasOwn(item, compared.key) ? item[compared.key] : undefined;
    return typeof value === 'string' && !isUnset(compared, value) ? [value.toLowerCase()] : [];
  });
  return new Set(values).size < values.length;
}

/** How many items the lists under a key have together. */
function countInside(items: readonly unknown[], key: string): number {
  let count = 0;
  for (const item of items) {
    const list = isObject(item) && Object.hasOwn(item, key) ? item[key] : undefined;
    if (Array.isArray(list)) count += list.length;
  }
  return count;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WideNumber);

/**
 * A value as the engine holds it, without what is wrong; undefined where nothing is left that one could judge.
 * @param wrong The places of wrong items, where something is wrong with the value; undefined where nothing is.
 */
function wellFormed(
  field: Exclude<Field, CompositeField>,
  value: unknown,
  wrong: ReadonlySet<number> | undefined,
): Value | undefined {
  if (field.kind === 'references') {
    if (!Array.isArray(value)) return undefined;
    return (value as unknown[]).map((id, index) => (wrong?.has(index) === true ? null : rowOf(uuid).toEngine(id)));
  }
  if (wrong !== undefined) return undefined;
  if (field.kind === 'list') return (value as unknown[]).map((item) => rowOf(field.item).toEngine(item));
  return rowOf(field.kind === 'reference' || field.kind === 'choice' ? uuid : field).toEngine(value);
}
