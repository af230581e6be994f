// What records must show after a change of their descriptors, told from the two sets of groups alone: what stays the same
// field keeps its values, what is new holds what it is given, and what fits no more is in the way.

import { fold } from '../../../src/values/fold.ts';
import { codePoints, isEmail, isUrl } from '../../../src/values/format.ts';
import { isObject, type Json } from '../../support/service/client.ts';
import type { Shown } from './rows.ts';
import { type Field, type Group, isRequired, type Plain, type Shape, valueFor } from './shapes.ts';

export interface Expected {
  readonly shown: Shown;
  /** Why rows are in the way; none when nothing is. */
  readonly inTheWay: readonly string[];
}

/** What the records of groups show when these have become others. */
export function expected(before: readonly Group[], after: readonly Group[], shown: Shown): Expected {
  const inTheWay: string[] = [];
  const now: Record<string, Json> = {};
  for (const group of before) {
    const heir = after.find(({ uid }) => uid === group.uid);
    if (heir === undefined) continue;
    const records = Object.entries(shown).filter(([label]) => label.startsWith(`${group.name}#`));
    for (const [label, record] of records) {
      const place = (why: string): void => void inTheWay.push(`${label}: ${why}`);
      const values = fieldsAfter(group.fields, heir.fields, record, place);
      now[label] = { name: record['name'], isOn: record['isOn'], ...values };
    }
    inTheWay.push(
      ...twins(
        heir,
        records.map(([label]) => [label, now[label] ?? {}] as const),
      ),
    );
  }
  return { shown: now, inTheWay };
}

type Report = (why: string) => void;

function fieldsAfter(before: readonly Field[], after: readonly Field[], record: Json, report: Report): Json {
  return Object.fromEntries(
    after.map((to) => {
      const from = before.find(({ uid }) => uid === to.uid);
      const refuse = (why: string): void => report(`${to.name} ${why}`);
      const kept = from === undefined ? undefined : keptValue(from, to, record[from.name], refuse);
      return [to.name, kept === undefined ? newValue(to) : kept.value];
    }),
  );
}

/** What a field holds that comes to records that exist. */
function newValue(field: Field): unknown {
  const { shape } = field;
  switch (shape.kind) {
    case 'object':
    case 'reference':
      return null;
    case 'references':
      return [];
    case 'objects':
      return [];
    case 'list':
      return Array.from({ length: shape.minItems }, () => valueFor(shape.item));
    default:
      return unsetValue(field, shape) ?? (isNullable(field) ? null : valueFor(shape));
  }
}

/** What stands for unset in a plain field that has a default. */
function unsetValue(field: Field, shape: Plain): unknown {
  if (shape.kind === 'boolean') return shape.value;
  if (shape.unset !== 'default' || field.isConditional) return undefined;
  return isEmptyAllowed(field) ? '' : valueFor(shape);
}

const isEmptyAllowed = ({ shape, isConditional }: Field): boolean =>
  shape.kind === 'text' && shape.unset === 'default' && shape.max % 100 === 0 && !isConditional;

const isNullable = ({ shape, isConditional }: Field): boolean =>
  isConditional || ('unset' in shape && shape.unset === 'null') || (shape.kind === 'reference' && shape.nullable);

const isWords = ({ kind }: Shape): boolean => kind === 'text' || kind === 'enum';
const isNumber = ({ kind }: Shape): boolean => kind === 'integer' || kind === 'decimal';

/** Whether values of one can become values of the other. */
const isKept = (from: Shape, to: Shape): boolean =>
  (from.kind === to.kind && (from.kind !== 'reference' || to.kind !== 'reference' || from.asId === to.asId)) ||
  (isWords(from) && isWords(to)) ||
  (isNumber(from) && isNumber(to));

/** The value of a field that stays; undefined when it does not. */
function keptValue(from: Field, to: Field, value: unknown, refuse: Report): { readonly value: unknown } | undefined {
  const [before, after] = [from.shape, to.shape];
  if (!isKept(before, after)) return undefined;
  switch (after.kind) {
    case 'object':
      if (before.kind !== 'object' || !isObject(value)) return { value };
      return { value: fieldsAfter(before.fields, after.fields, value, refuse) };
    case 'objects': {
      if (before.kind !== 'objects' || !Array.isArray(value)) return { value };
      if (value.length > after.maxItems) refuse('has too many items');
      // What was not sent is an empty list.
      if (value.length > 0 && value.length < after.minItems) refuse('has too few items');
      return { value: value.map((item: Json) => fieldsAfter(before.fields, after.fields, item, refuse)) };
    }
    case 'list': {
      const items = Array.isArray(value) ? value : [];
      if (items.length > after.maxItems) refuse('has too many items');
      if (items.length < after.minItems) refuse('has too few items');
      for (const item of items) if (!isFit(item, after.item)) refuse(`has the item ${JSON.stringify(item)}`);
      return { value };
    }
    case 'reference':
    case 'references':
      if (value === null && isRequired(to)) refuse('is null');
      if ('target' in before && before.target !== after.target && value !== null && String(value) !== '')
        refuse('refers to another group');
      if (after.kind === 'references' && Array.isArray(value) && value.length > after.maxItems)
        refuse('has too many items');
      return { value };
    default:
      return { value: plainValue(from, to, value, refuse) };
  }
}

function plainValue(from: Field, to: Field, value: unknown, refuse: Report): unknown {
  const { shape } = to;
  if (!isPlain(shape)) return value;
  if (value === null) {
    if (isNullable(to)) return null;
    const fill = unsetValue(to, shape);
    if (fill === undefined) refuse('is null');
    return fill;
  }
  if (value === '') {
    if (isNullable(to)) return null;
    if (isEmptyAllowed(to)) return '';
    // What may be null and is filled has the empty text filled too.
    refuse('is empty');
    return value;
  }
  const renamed = Object.entries(to.renamedValues).find(([, old]) => old === value && from.shape.kind === 'enum');
  const now = renamed?.[0] ?? value;
  if (!isFit(now, shape)) refuse(`is ${JSON.stringify(now)}`);
  return now;
}

const isPlain = (shape: Shape): shape is Plain =>
  !['list', 'object', 'objects', 'reference', 'references'].includes(shape.kind);

const forms: Readonly<Record<string, (text: string) => boolean>> = { email: isEmail, url: isUrl };

function isFit(value: unknown, shape: Plain): boolean {
  switch (shape.kind) {
    case 'text': {
      if (typeof value !== 'string') return false;
      const isShort = codePoints(value) <= shape.max;
      return isShort && (forms[shape.format ?? '']?.(value) ?? true);
    }
    case 'enum':
      return typeof value === 'string' && shape.values.includes(value);
    case 'integer':
    case 'decimal': {
      if (typeof value !== 'number') return false;
      const isWithin =
        value >= (shape.min ?? (shape.kind === 'integer' || shape.signed ? -Infinity : 0)) &&
        value <= (shape.max ?? Infinity);
      if (shape.kind === 'integer') return isWithin && Number.isInteger(value);
      const places = (/\.(\d+)$/.exec(String(value))?.[1] ?? '').length;
      return isWithin && places <= shape.scale && Math.abs(value) < 10 ** (shape.precision - shape.scale);
    }
    default:
      return true;
  }
}

/** Records that a key does not tell apart. */
function twins(group: Group, records: readonly (readonly [string, Json])[]): readonly string[] {
  return group.keys.flatMap((key) => {
    const names = group.fields.filter(({ uid }) => key.includes(uid)).map(({ name }) => name);
    const seen = new Map<string, string>();
    return records.flatMap(([label, record]) => {
      const values = names.map((name) => record[name]);
      if (values.some((value) => value === null || value === '')) return [];
      const text = JSON.stringify(values.map((value) => (typeof value === 'string' ? fold(value.trim()) : value)));
      const other = seen.get(text);
      seen.set(text, label);
      return other === undefined ? [] : [`${label}: has the same key as ${other}`];
    });
  });
}
