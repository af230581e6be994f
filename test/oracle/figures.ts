// Figures of a record, in the order of what they look at.

import { evaluate, holds } from './evaluate.ts';
import { rounded } from './functions.ts';
import { groupIn } from './model.ts';
import type { Field, Shape } from './shape.ts';
import { type Node, namesThrough, partsOf } from './syntax.ts';
import {
  Day,
  Exact,
  equals,
  isDay,
  isList,
  isMade,
  isNumeric,
  isRow,
  listOf,
  type Numeric,
  numeric,
  type Row,
  rowsOf,
  textOf,
  type Value,
} from './values.ts';
import type { World } from './world.ts';

/** A figure, and the lists of the record inside which it stands. */
export interface Placed {
  readonly lists: readonly string[];
  readonly field: Field;
  /** All words of its formula and its condition. */
  readonly words: ReadonlySet<string>;
  /** Those that stand by themselves: what it looks at in the record itself. */
  readonly names: ReadonlySet<string>;
}

/** All names of a formula: of fields, of collections, of other formulas. */
export function wordsIn(node: Node | undefined, words = new Set<string>()): ReadonlySet<string> {
  if (node === undefined) return words;
  if (node.op === 'name' || node.op === 'member' || node.op === 'call' || node.op === 'method') words.add(node.name);
  for (const part of partsOf(node)) wordsIn(part, words);
  return words;
}

const ordered = new WeakMap<Shape, readonly Placed[]>();

/** All kept figures of a record and its items, each after those that it looks at. */
export function figuresOf(shape: Shape): readonly Placed[] {
  const known = ordered.get(shape);
  if (known !== undefined) return known;
  const found = inOrder(placedIn(shape));
  ordered.set(shape, found);
  return found;
}

function placedIn({ fields, lists, named }: Shape): readonly Placed[] {
  return fields.flatMap((field) => {
    const inner = field.items === undefined ? [] : placedIn(field.items);
    const { figure } = field;
    if (figure === undefined || figure.taken === 'onRead') return inner;
    const words = new Set([...wordsIn(figure.formula), ...wordsIn(figure.when), ...figure.again]);
    for (const word of words) for (const other of wordsIn(named[word]?.is)) words.add(other);
    const nodes = [figure.formula, figure.when].filter((node) => node !== undefined);
    const names = new Set(nodes.flatMap((node) => namesThrough(node, named)));
    return [...inner, { lists, field, words, names }];
  });
}

function inOrder(placed: readonly Placed[]): readonly Placed[] {
  const done = new Set<Placed>();
  const begun = new Set<Placed>();
  const needs = new Map(placed.map((one) => [one, placed.filter((other) => isNamed(one.names, other))]));
  // What it looks at in other records of its group goes first as well, as far as that does not wait for it.
  const waitsFor = (one: Placed, other: Placed, seen = new Set<Placed>()): boolean => {
    if (one === other) return true;
    if (seen.has(one)) return false;
    seen.add(one);
    return (needs.get(one) ?? []).some((next) => waitsFor(next, other, seen));
  };
  const visit = (one: Placed): void => {
    if (begun.has(one)) return;
    begun.add(one);
    for (const other of needs.get(one) ?? []) visit(other);
    for (const other of placed) if (isNamed(one.words, other) && !waitsFor(other, one)) visit(other);
    done.add(one);
  };
  for (const one of placed) visit(one);
  return [...done];
}

const isNamed = (words: ReadonlySet<string>, { field }: Placed): boolean =>
  words.has(field.key) ||
  words.has(field.name) ||
  (field.raw.referenceFormat === 'id' && words.has(field.name.replace(/Id$/, '')));

/** A value that its field cannot hold. */
export class Unheld extends Error {}

/** What a field keeps of what its formula gives. @throws Unheld */
export function heldValue(field: Field, given: Value): Value {
  const value = isRow(given) && field.kind === 'reference' ? given.id : given;
  if (value === null) return emptyOf(field);
  if (isNumeric(value)) return heldNumber(field, value);
  if (isList(value) && field.kind === 'references') {
    const ids = value.map((one) => (isRow(one) ? one.id : one)).filter((one) => one !== null);
    return ids.filter((one, index) => ids.indexOf(one) === index);
  }
  if (typeof value === 'string' && field.kind === 'text') {
    if (field.maxLength > 0 && [...value].length > field.maxLength)
      throw new Unheld(`at most ${field.maxLength} characters`);
    return value.trim() === '' ? (field.isNullable ? null : '') : value;
  }
  return isMade(value) ? null : value;
}

function emptyOf(field: Field): Value {
  if (field.default !== undefined) return keptValue(field, field.default);
  if (field.isNullable) return null;
  if (field.kind === 'bool') return false;
  if (field.kind === 'references' || field.kind === 'items') return [];
  throw new Unheld('is required');
}

function heldNumber({ scale, minimum, maximum, precision }: Field, value: Numeric): Numeric {
  const kept = rounded(value, scale);
  const isBelow = minimum !== undefined && kept.lt(minimum);
  const isAbove = maximum !== undefined && kept.gt(maximum);
  if (isBelow || isAbove) {
    if (minimum === undefined) throw new Unheld(`at most ${maximum}`);
    throw new Unheld(maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`);
  }
  const digits = kept.abs().floor().toFixed().length;
  if (digits > precision - scale || kept.precision() > 15)
    throw new Unheld(`a number with at most ${Math.min(precision, 15)} digits`);
  return new Exact(kept.toFixed());
}

/** A value of a body, or of a descriptor. */
export function keptValue(field: Field, json: unknown): Value {
  if (json === null || json === undefined) return null;
  if (typeof json === 'number') return numeric(json);
  if (typeof json === 'string') return field.kind === 'date' ? new Day(json) : json;
  return Array.isArray(json) ? json.map((one) => (typeof one === 'string' ? one : null)) : json === true;
}

/** Rows of a record inside some of its lists; the record itself without any. */
export function rowsInside(row: Row, [list, ...deeper]: readonly string[]): readonly Row[] {
  if (list === undefined) return [row];
  return rowsOf(row.values[list]).flatMap((item) => rowsInside(item, deeper));
}

/** `lines[0].` of an item. */
const placeOf = (row: Row): string =>
  row.owner === undefined ? '' : `${placeOf(row.owner)}${row.lists.at(-1)}[${row.index}].`;

interface Taking {
  readonly world: World;
  readonly row: Row;
  readonly old?: Row | null;
  /** Told where a field cannot hold what its formula gives. */
  readonly refuse: (place: string, text: string) => void;
  /** Told of each place of a figure: whether it is computed there. */
  readonly judged?: (place: string, item: Row, isComputed: boolean) => void;
}

/** Takes one figure at all its places. @returns whether anything has changed */
export function takeFigure({ field, lists }: Placed, { world, row, old = null, refuse, judged }: Taking): boolean {
  const { figure } = field;
  if (figure === undefined) return false;
  let hasChanged = false;
  for (const item of rowsInside(row, lists)) {
    const standing = { world, self: item, old };
    const isComputed = holds(figure.when, standing);
    const place = `${placeOf(item)}${field.key}`;
    if (isComputed) {
      const right = tryHeld(field, evaluate(figure.formula, standing).value, (text) => refuse(place, text));
      hasChanged ||= !equals(item.values[field.key] ?? null, right);
      item.values[field.key] = right;
    }
    judged?.(place, item, isComputed);
  }
  return hasChanged;
}

function tryHeld(field: Field, value: Value, refuse: (text: string) => void): Value {
  try {
    return heldValue(field, value);
  } catch (error) {
    if (!(error instanceof Unheld)) throw error;
    refuse(error.message === 'is required' ? 'is required' : `must be ${error.message}`);
    return null;
  }
}

/** Whether two versions of a record differ in a field; items by all that they hold. */
export const hasMoved = (before: Row | undefined, after: Row, key: string): boolean =>
  !sameKept(before?.values[key] ?? null, after.values[key] ?? null);

export function sameKept(a: Value, b: Value): boolean {
  if (isRow(a) && isRow(b)) {
    const keys = new Set([...Object.keys(a.values), ...Object.keys(b.values)]);
    return [...keys].every((key) => sameKept(a.values[key] ?? null, b.values[key] ?? null));
  }
  if (isList(a) || isList(b)) {
    const [one, other] = [listOf(a), listOf(b)];
    return one.length === other.length && one.every((each, index) => sameKept(each, other[index] ?? null));
  }
  return equals(a, b);
}

/** Keys of the record's own fields that a figure looks at. */
export function ownKeys(shape: Shape, { names, lists }: Placed): readonly string[] {
  return [
    ...shape.fields.filter((field) => names.has(field.key) || names.has(field.name)).map(({ key }) => key),
    ...lists.slice(0, 1),
  ];
}

/** The words of a claimed value that is not right: numbers plain, texts in quotes. */
export const rightWords = (value: Value): string => {
  if (value === null) return 'null';
  return typeof value === 'string' || isDay(value) ? `'${textOf(value)}'` : textOf(value);
};

export const shapeOfRow = (world: World, row: Row): Shape => groupIn(world.model, row.group).shape;
