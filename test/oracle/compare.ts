// Whether what a service shows is what the oracle has.
import { storedValue } from './evaluate.ts';
import { keptValue, sameKept } from './figures.ts';
import { groupIn } from './model.ts';
import type { Field, Shape } from './shape.ts';
import { Day, isDay, isList, isNumeric, isRow, type Row, rowsOf, type Value } from './values.ts';
import type { World } from './world.ts';

export type Json = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The ids of a service as those of the oracle, and the other way round. */
export class Ids {
  readonly #own = new Map<string, string>();
  readonly #theirs = new Map<string, string>();

  learn(theirs: string, own: string): void {
    this.#own.set(theirs, own);
    this.#theirs.set(own, theirs);
  }

  has(theirs: string): boolean {
    return this.#own.has(theirs);
  }

  own(theirs: unknown): Value {
    return typeof theirs === 'string' ? (this.#own.get(theirs) ?? theirs) : null;
  }

  /** A body with the ids of the service. */
  sent(value: unknown): unknown {
    if (typeof value === 'string') return this.#theirs.get(value) ?? value;
    if (Array.isArray(value)) return value.map((one) => this.sent(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.sent(one)]));
  }

  /** A text with the ids of the oracle. */
  read(text: string): string {
    return text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => this.#own.get(id) ?? id);
  }
}

/** What a field of an answer says, as the oracle has values. */
function shownValue(field: Field, json: Json, ids: Ids): Value {
  const shown = json[field.name];
  const idOf = (one: unknown): Value => ids.own(isObject(one) ? one['id'] : one);
  switch (field.kind) {
    case 'reference':
      return idOf(shown);
    case 'references':
      return Array.isArray(shown) ? shown.map(idOf) : [];
    case 'items':
      return Array.isArray(shown) ? shown.map((one: Json, index) => shownItem(field, one, index, ids)) : [];
    case 'date':
      return typeof shown === 'string' ? new Day(shown) : null;
    default:
      return keptValue(field, shown);
  }
}

function shownItem({ items }: Field, json: Json, index: number, ids: Ids): Row {
  const values: Record<string, Value> = {};
  for (const field of items?.fields ?? []) values[field.key] = shownValue(field, json, ids);
  return { group: '', lists: [...(items?.lists ?? [])], id: '', owner: undefined, index, values };
}

/** One value that is not what it should be. */
export interface Difference {
  readonly at: string;
  readonly expected: string;
  readonly got: string;
}

export function differencesOf(world: World, row: Row, json: Json, ids: Ids): readonly Difference[] {
  const { shape } = groupIn(world.model, row.group);
  return shape.fields.flatMap((field) => {
    const [expected, got] = [storedValue(row, field, world), shownValue(field, json, ids)];
    if (sameKept(expected, got)) return [];
    return [{ at: `${row.group} ${row.id} ${field.name}`, expected: plain(expected), got: plain(got) }];
  });
}

/** A value as people read it. */
export function plain(value: Value): string {
  if (isNumeric(value)) return value.toFixed();
  if (isDay(value)) return value.iso;
  if (isRow(value)) return value.lists.length === 0 ? value.id : plainItem(value);
  if (isList(value)) return `[${value.map(plain).join(', ')}]`;
  return typeof value === 'object' && value !== null ? '{…}' : String(value);
}

const plainItem = ({ values }: Row): string =>
  `{${Object.entries(values)
    .map(([key, value]) => `${key}: ${plain(value)}`)
    .join(', ')}}`;

/** A record of a service as one of a world. */
export function rowFrom(shape: Shape, json: Json, ids: Ids): Row {
  const row: Row = {
    group: shape.group,
    lists: [],
    id: String(ids.own(json['id'])),
    owner: undefined,
    index: 0,
    values: {},
  };
  for (const field of shape.fields) {
    if (field.figure?.taken === 'onRead') continue;
    row.values[field.key] = owned(shownValue(field, json, ids), row);
  }
  return row;
}

function owned(value: Value, owner: Row): Value {
  if (rowsOf(value).length === 0) return value;
  return rowsOf(value).map((item) => {
    const copy: Row = { ...item, group: owner.group, owner, values: {} };
    for (const [key, inner] of Object.entries(item.values)) copy.values[key] = owned(inner, copy);
    return copy;
  });
}
