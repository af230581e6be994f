// Cells → values of bodies, and records as they are shown → bodies.
import { RefusedJson } from '../../src/values/json/refused-json.ts';
import { readFreeJson } from '../../src/values/json.ts';
import { jsonText } from '../../src/values/json-text.ts';
import type { Column } from './columns.ts';
import type { AnyOf, FieldShape } from './document.ts';
import { enumValue, idShape, keyOf } from './fields.ts';
import { isObject, type Json, type Mapping, type Target } from './model.ts';
import { digitsIn, type FreeNames, isExact, multiplied, readJsonExactly, safeDigits } from './numbers.ts';

type Where = Pick<Column, 'shape' | 'target'>;

/** Converts a cell of a table, or a value of a mapped record, for a body. @throws RangeError with the form that it must have */
export function valueIn(cell: unknown, { shape, target }: Where, mapping: Mapping): unknown {
  if (shape.type === 'list')
    return splitList(cell, { shape, target }).map((part) =>
      valueIn(part, { shape: shape.items ?? idShape, target }, mapping),
    );
  const value = mappedValue(cell, target);
  if (typeof value === 'number' && value === cell) return multiply(String(value), target);
  if (typeof value !== 'string') return sendable(value, shape);
  if (value.includes('\0')) throw new RangeError('without U+0000');
  switch (shape.type) {
    case 'boolean':
      return readBoolean(value);
    case 'integer':
    case 'number':
      return multiply(readNumber(value, mapping), target);
    case 'object':
      return readObject(value, shape);
    default:
      if (shape.values !== undefined) return enumValue(value, shape.values);
      return shape.format === 'date' && mapping.date !== undefined ? readDate(value, mapping.date) : value;
  }
}

/** Returns the value that the mapping gives for a text; otherwise the cell itself. */
export const mappedValue = (cell: unknown, { values }: Target): unknown =>
  values !== undefined && !isObject(cell) && Object.hasOwn(values, String(cell)) ? values[String(cell)] : cell;

/** Splits a list: JSON, or text with separators. @throws RangeError */
export function splitList(cell: unknown, { shape, target }: Where): readonly unknown[] {
  if (Array.isArray(cell)) return cell;
  if (typeof cell !== 'string') throw new RangeError('a list');
  if (shape.items?.type === 'object' || /^\s*\[/.test(cell)) {
    const list = parseJson(cell);
    if (!Array.isArray(list)) throw new RangeError('a list');
    return list;
  }
  const parts = cell.split(target.split ?? ',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

function readObject(text: string, shape: FieldShape): unknown {
  const value = parseJson(text, isFreeJson(shape) ? readFreeJson : readJsonExactly);
  if (!isObject(value)) throw new RangeError('an object');
  return sendable(value, shape);
}

/** Removes the mark that keeps a spreadsheet from running a text. */
export const withoutMark = (text: string): string => (/^'[=+\-@\t\r']/.test(text) ? text.slice(1) : text);

function readBoolean(text: string): boolean {
  if (/^(true|yes|1)$/i.test(text)) return true;
  if (/^(false|no|0)$/i.test(text)) return false;
  throw new RangeError('true or false');
}

/** Reads a number into digits. Thousands are in groups of three, all of them or none. @throws RangeError */
function readNumber(text: string, { decimal = '.', thousands }: Mapping): string {
  const [point, parting] = [decimal, thousands ?? ''].map((sign) => sign.replace(/[^\w\s]/g, '\\$&'));
  const grouped = thousands === undefined ? '' : `[1-9]\\d{0,2}(?:${parting}\\d{3})+|`;
  const match = new RegExp(`^([+-]?)(${grouped}\\d+)(?:${point}(\\d+))?([eE][+-]?\\d+)?$`).exec(text.trim());
  if (match === null)
    throw new RangeError(thousands === undefined ? 'a number' : `a number like 1${thousands}234${decimal}5`);
  const [, sign = '', whole = '', decimals, exponent = ''] = match;
  const digits = thousands === undefined ? whole : whole.replaceAll(thousands, '');
  return `${sign}${digits}${decimals === undefined ? '' : `.${decimals}`}${exponent}`;
}

/** @throws RangeError if a number would lose digits */
function multiply(text: string, { times }: Target): number {
  const digits = times === undefined ? text : multiplied(text, String(times));
  if (digitsIn(digits) > safeDigits) throw new RangeError(`a number with at most ${safeDigits} digits`);
  if (!isExact(digits)) throw new RangeError('a number from 1e-307 to 1e308');
  return Number(digits);
}

function parseJson(text: string, read: (text: string) => unknown = readJsonExactly): unknown {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof RefusedJson) throw new RangeError(`JSON that the service takes: ${error.message}`);
    throw error instanceof RangeError ? error : new RangeError('JSON');
  }
}

/** Reads a date of a pattern such as `DD.MM.YYYY` into `YYYY-MM-DD`. @throws RangeError */
function readDate(text: string, pattern: string): string {
  const parts: string[] = [];
  const escaped = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const expression = escaped.replace(/YYYY|MM|DD|M|D/g, (part) => {
    parts.push(part[0] ?? '');
    return part === 'YYYY' ? '(\\d{4})' : part.length === 2 ? '(\\d{2})' : '(\\d{1,2})';
  });
  const found = new RegExp(`^${expression}$`).exec(text.trim());
  if (found === null) throw new RangeError(`a date like ${pattern}`);
  const of = (letter: string): string => (found[parts.indexOf(letter) + 1] ?? '').padStart(2, '0');
  return `${of('Y')}-${of('M')}-${of('D')}`;
}

interface Reading {
  /** Called with the path of each name that bodies do not take. */
  readonly onIgnored?: (path: string) => void;
  /** Path of the object, with a dot at its end. */
  readonly at?: string;
}

/** Converts a shown value for a body: references by their ids, only the fields that bodies take. */
function sendable(value: unknown, shape: FieldShape, reading: Reading = {}): unknown {
  if (Array.isArray(value))
    return shape.items === undefined ? value : value.map((each) => sendable(each, shape.items ?? idShape, reading));
  if (!isObject(value)) return value;
  if (shape.type === 'object') return isFreeJson(shape) ? value : bodyOf(value, shape.fields, reading);
  return typeof value['id'] === 'string' && shape.type === 'text' ? value['id'] : value;
}

/** Reports whether a field is an object of any form, which is stored as sent. */
const isFreeJson = ({ type, fields }: FieldShape): boolean => type === 'object' && fields.size === 0;

/**
 * Returns the names of fields with free JSON: as records show them, or as a mapping calls them.
 * @returns undefined if the group has no such field
 */
export function findFreeNames(
  fields: ReadonlyMap<string, FieldShape>,
  { columns = {} }: Mapping,
): FreeNames | undefined {
  const isFree = (name: string): boolean => isFreeJson(fields.get(keyOf(fields, name) ?? '') ?? idShape);
  if (![...fields.values()].some(isFreeJson)) return undefined;
  return {
    has: (name) => {
      const target = Object.hasOwn(columns, name) ? columns[name] : undefined;
      return isFree(name) || (target != null && isFree(typeof target === 'string' ? target : target.to));
    },
  };
}

/** Converts a record to a body. @throws RangeError if two of its names are one field, with different values */
export function bodyOf(
  record: Json,
  fields: ReadonlyMap<string, FieldShape>,
  { onIgnored = () => {}, at = '' }: Reading = {},
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const nameByKey = new Map<string, string>();
  for (const [name, value] of Object.entries(record)) {
    const key = keyOf(fields, name);
    const shape = fields.get(key ?? '');
    if (key === undefined || shape === undefined) {
      if (keyOf(fields, name.replace(ownEnd, '')) === undefined) onIgnored(at + name);
      continue;
    }
    const converted = sendable(value, shape, { onIgnored, at: `${at}${name}.` });
    const otherName = nameByKey.get(key);
    if (otherName !== undefined && !isSame(converted, body[key]))
      throw new RangeError(`'${at}${otherName}' and '${at}${name}' must be the same: both are for ${at}${key}`);
    nameByKey.set(key, name);
    body[key] = converted;
  }
  return body;
}

/** End of the names of own values in records that show inherited ones: `notes.own`. */
const ownEnd = /\.own$/;

/** Returns the own values of a record that shows inherited ones, by the keys of bodies. */
export const ownOf = (record: Json, fields: ReadonlyMap<string, FieldShape>): Json =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const key = ownEnd.test(name) ? keyOf(fields, name.replace(ownEnd, '')) : undefined;
      return key === undefined ? [] : [[key, value]];
    }),
  );

interface Sending {
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** Values to send if the record shows inherited ones. */
  readonly own: Json;
  /** Called with the path of each field that is left out. */
  readonly onLeft: (path: string) => void;
  readonly path?: string;
  /** What the body stands in, from inside outwards. */
  readonly around?: readonly Json[];
}

/** Returns a body without the shown fields that it does not take: computed, inherited, unknown or not applicable ones. */
export function withoutShown(body: Json, { fields, own, onLeft, path = '', around = [] }: Sending): Json {
  const places = [body, ...around];
  const sent: Record<string, unknown> = {};
  const inside = (value: unknown, shape: FieldShape | undefined, at: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => inside(item, shape?.items, at));
    if (!isObject(value) || shape === undefined || shape.fields.size === 0) return value;
    return withoutShown(value, { fields: shape.fields, own: {}, onLeft, path: `${at}.`, around: places });
  };
  for (const [key, value] of Object.entries(body)) {
    const shape = fields.get(key);
    const isLeft = shape === undefined || holds(shape.notSentWhen, places);
    if (!isLeft && !holds(shape?.inheritedWhen, places)) sent[key] = inside(value, shape, path + key);
    else if (!isLeft && Object.hasOwn(own, key)) sent[key] = own[key];
    else onLeft(path + key);
  }
  return sent;
}

const holds = (anyOf: AnyOf | undefined, places: readonly Json[]): boolean =>
  anyOf?.some((all) =>
    all.every((compared) => {
      const steps = compared.field.split('../');
      const value = places[steps.length - 1]?.[steps.at(-1) ?? ''];
      // What the row does not say, it does not tell.
      if (value === undefined) return false;
      return 'is' in compared ? value === compared.is : value !== compared.isNot;
    }),
  ) === true;

/** Reports whether a body changes nothing. Items are compared whole, objects of any form by their text. */
export function saysNothingNew(body: Json, known: Json, fields: ReadonlyMap<string, FieldShape>): boolean {
  return Object.entries(body).every(([key, value]) => {
    const shape = fields.get(key) ?? idShape;
    const stored = known[key];
    if (isFreeJson(shape)) return jsonText(value) === jsonText(stored);
    return isObject(value) && isObject(stored) ? saysNothingNew(value, stored, shape.fields) : isSame(value, stored);
  });
}

/** @param one Value to send: its items may leave out their ids. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, place) => isSame(each, other[place]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  if (one['id'] === undefined) keys.delete('id');
  return [...keys].every((key) => isSame(one[key] ?? null, other[key] ?? null));
}
