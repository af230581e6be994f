// Texts of cells → values of bodies, and records as they are shown → bodies.
import { type Column, idShape, keyOf } from './columns.ts';
import type { AnyOf, FieldShape } from './document.ts';
import { isObject, type Json, type Mapping, type Target } from './model.ts';
import { digitsIn, exactly, multiplied, safeDigits } from './numbers.ts';

/** A value of a row as a body has it. @throws RangeError with what it must be */
export function valueIn(text: string, { shape, target }: Pick<Column, 'shape' | 'target'>, mapping: Mapping): unknown {
  const meant = target.values !== undefined && Object.hasOwn(target.values, text) ? target.values[text] : text;
  if (typeof meant !== 'string') return meant;
  switch (shape.type) {
    case 'boolean':
      return switchOf(meant);
    case 'integer':
    case 'number':
      return numberOf(meant, target, mapping);
    case 'list':
      return listOf(meant, { shape, target }, mapping);
    case 'object':
      return bodyOf(parsed(meant), shape.fields);
    default:
      return shape.format === 'date' && mapping.date !== undefined
        ? dateOf(meant, mapping.date)
        : unmarked(meant, mapping);
  }
}

/** Without the mark by which a spreadsheet does not run it. */
const unmarked = (text: string, { safe }: Mapping): string =>
  safe === true && /^'[=+\-@\t\r']/.test(text) ? text.slice(1) : text;

function switchOf(text: string): boolean {
  if (/^(true|yes|1)$/i.test(text)) return true;
  if (/^(false|no|0)$/i.test(text)) return false;
  throw new RangeError('true or false');
}

function numberOf(text: string, { times }: Target, { decimal = '.', thousands }: Mapping): number {
  const bare = thousands === undefined ? text.trim() : text.trim().replaceAll(thousands, '');
  const plain = decimal === '.' ? bare : bare.includes('.') ? '' : bare.replace(decimal, '.');
  if (!/^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(plain)) throw new RangeError('a number');
  const digits = times === undefined ? plain : multiplied(plain, String(times));
  if (digitsIn(digits) > safeDigits) throw new RangeError(`a number with at most ${safeDigits} digits`);
  return Number(digits);
}

function listOf(text: string, { shape, target }: Pick<Column, 'shape' | 'target'>, mapping: Mapping): unknown {
  const item = shape.items ?? idShape;
  if (item.type === 'object' || text.startsWith('[')) {
    const list = parsed(text);
    if (!Array.isArray(list)) throw new RangeError('a list');
    return list.map((each) => sendable(each, item));
  }
  const parts = text.split(target.split ?? ',').map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map((part) => valueIn(part, { shape: item, target: { to: target.to } }, mapping));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, exactly as (key: string, value: unknown) => unknown);
  } catch (error) {
    throw error instanceof RangeError ? error : new RangeError('JSON');
  }
}

/** `DD.MM.YYYY` and such → `YYYY-MM-DD` */
function dateOf(text: string, pattern: string): string {
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

/** What a record shows → what a body takes: references by their ids, and nothing that cannot be sent. */
function sendable(value: unknown, shape: FieldShape): unknown {
  if (Array.isArray(value))
    return shape.items === undefined ? value : value.map((each) => sendable(each, shape.items ?? idShape));
  if (!isObject(value)) return value;
  if (shape.type === 'object' && shape.fields.size > 0) return bodyOf(value, shape.fields);
  return typeof value['id'] === 'string' && shape.type === 'text' ? value['id'] : value;
}

export function bodyOf(
  record: unknown,
  fields: ReadonlyMap<string, FieldShape>,
  passed?: Set<string>,
): Record<string, unknown> {
  if (!isObject(record)) throw new RangeError('an object');
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const key = keyOf(fields, name);
    const shape = key === undefined ? undefined : fields.get(key);
    if (key === undefined || shape === undefined) {
      if (!name.endsWith(own)) passed?.add(name);
    } else body[key] = sendable(value, shape);
  }
  return body;
}

/** What a record keeps of its own stands behind the name of what it shows: `notes.own`. */
const own = '.own';

/** What of a record is its own and not what it inherits, by the names of bodies. */
export const ownOf = (record: Json, fields: ReadonlyMap<string, FieldShape>): Json =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const key = name.endsWith(own) ? keyOf(fields, name.slice(0, -own.length)) : undefined;
      return key === undefined ? [] : [[key, value]];
    }),
  );

interface Sending {
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** What is sent where the record shows what it inherits. */
  readonly own: Json;
  /** Told of what is left out. */
  readonly onLeft: (path: string) => void;
  readonly path?: string;
  /** What the body stands in, from inside outwards. */
  readonly around?: readonly Json[];
}

/** A body without what its record shows and bodies do not take: what is computed, inherited, or does not apply. */
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
    const isLeft = holds(shape?.notSentWhen, places);
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

/** Whether a body says nothing but what a record says. Items of lists are compared whole. */
export const saysNothingNew = (body: unknown, known: unknown): boolean => {
  if (!isObject(body) || !isObject(known)) return isSame(body, known);
  return Object.entries(body).every(([key, value]) => saysNothingNew(value, known[key]));
};

function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, place) => isSame(each, other[place]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => isSame(one[key] ?? null, other[key] ?? null));
}
