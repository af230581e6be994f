// The macros of formulas, which are asked of lists: one row each, with its type, implementation and documentation.
import { exactly } from '../../values/decimal.ts';
import { asText, type Compare, extreme, type Guided, isOrdered, type Typed } from './function-row.ts';
import type { MacroName } from './names.ts';
import type { Type } from './tree.ts';
import { bool, listOf, number, typeWords } from './types.ts';
import { isEqual, isRecord, type Known } from './value.ts';

/** How a macro is written: with a variable and what it asks of each, without, or both ways. */
type Form = 'body' | 'plain' | 'either';

interface MacroRow extends Guided {
  readonly form: Form;
  /** @param item What the list holds. @param body What is asked of each; of those without one, the item itself. */
  typed(item: Type, body: { readonly type: Type; readonly nullable: boolean }, hasBody: boolean): Typed;
  /**
   * Puts the items and what was found of each together.
   * @param found Nothing where it is not written with a body.
   * @param compare Compares what was found, or the items.
   */
  gather(items: readonly Known[], found: readonly Known[] | undefined, compare: Compare): Known;
  readonly says: string;
}

const wrongBody = (text: string, { type }: { readonly type: Type }): Typed => ({
  fault: `${text}, and this is ${typeWords(type)}`,
  argument: 1,
});
const isTruth = ({ kind }: Type): boolean => kind === 'bool' || kind === 'null';
const asksTruth = (type: Type, body: { readonly type: Type }): Typed =>
  isTruth(body.type) ? { type, nullable: false } : wrongBody('asks of each what is true or false', body);

const extremeBody = (_item: Type, body: { readonly type: Type }): Typed =>
  isOrdered(body.type) ? { type: body.type, nullable: true } : wrongBody('compares numbers, texts and dates', body);

function keyBody(item: Type, body: { readonly type: Type }, hasBody: boolean): Typed {
  if (hasBody && !isOrdered(body.type)) return wrongBody('compares keys that are numbers, texts or dates', body);
  return { type: item, nullable: true };
}

/** Null is least. */
function compareKeys(one: Known | undefined, other: Known | undefined, compare: Compare): number {
  const [left, right] = [one ?? null, other ?? null];
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
  return compare(asText(left), asText(right));
}

/** The items by what was found of them, null least; those that are equal stay in their order. */
function byKey(items: readonly Known[], found: readonly Known[], compare: Compare): readonly Known[] {
  const places = items.map((_item, index) => index);
  places.sort((a, b) => compareKeys(found[a], found[b], compare) || a - b);
  return places.map((place) => items[place] ?? null);
}

/** The item whose key goes before those of all others. */
function foremost(
  items: readonly Known[],
  found: readonly Known[],
  goesBefore: (one: Known | undefined, best: Known | undefined) => boolean,
): Known {
  let best = 0;
  for (let place = 1; place < items.length; place += 1) if (goesBefore(found[place], found[best])) best = place;
  return items[best] ?? null;
}

const macros = {
  filter: {
    form: 'body',
    typed: (item, body) => asksTruth(listOf(item), body),
    gather: (items, found) => items.filter((_item, index) => found?.[index] === true),
    says: '{of} for which {body}',
    usage: '.filter(x, …): the items for which the condition is true',
    takes: { x: 'a name for each item', '…': 'true or false' },
    gives: 'a list of the same items',
    example: { formula: '[3, 8, 5].filter(n, n > 4)', gives: '[8, 5]' },
  },
  map: {
    form: 'body',
    typed: (_item, { type }) => ({ type: listOf(type), nullable: false }),
    gather: (items, found) => found ?? items,
    says: 'a list of {body} for each of {of}',
    usage: '.map(x, …): a list with the value for each item',
    takes: { x: 'a name for each item', '…': 'a value' },
    gives: 'a list of these values',
    example: { formula: '[3, 8].map(n, n * 2)', gives: '[6, 16]' },
  },
  exists: {
    form: 'body',
    typed: (_item, body) => asksTruth(bool, body),
    gather: (_items, found) => found?.includes(true) === true,
    says: '{body} for at least one of {of}',
    usage: '.exists(x, …): whether the condition is true for at least one item',
    takes: { x: 'a name for each item', '…': 'true or false' },
    gives: 'true or false',
    example: { formula: '[3, 8].exists(n, n > 4)', gives: 'true' },
  },
  all: {
    form: 'body',
    typed: (_item, body) => asksTruth(bool, body),
    gather: (_items, found) => found?.every((one) => one === true) === true,
    says: '{body} for each of {of}',
    usage: '.all(x, …): whether the condition is true for each item',
    takes: { x: 'a name for each item', '…': 'true or false' },
    gives: 'true or false',
    example: { formula: '[3, 8].all(n, n > 4)', gives: 'false' },
  },
  sum: {
    form: 'either',
    typed: (_item, body) =>
      body.type.kind === 'number' || body.type.kind === 'null'
        ? { type: number, nullable: false }
        : wrongBody('adds numbers', body),
    gather: (items, found) => exactly.sum((found ?? items).filter((one) => typeof one === 'string')),
    says: 'the sum of [{body} of ]{of}',
    usage: '.sum(x, …): the sum of the values that are not null; 0 for an empty list',
    takes: { x: 'a name for each item', '…': 'a number' },
    gives: 'a number',
    example: { formula: '[3, 8].sum(n, n * 10)', gives: '110' },
  },
  min: {
    form: 'either',
    typed: extremeBody,
    gather: (items, found, compare) => extreme(found ?? items, compare, -1),
    says: 'the minimum[ {body}] of {of}',
    usage: '.min(x, …): the least value that is not null; null for an empty list',
    takes: { x: 'a name for each item', '…': 'a number, a text, a date or a time' },
    gives: 'the same type',
    example: { formula: '[3, 8].min()', gives: '3' },
  },
  max: {
    form: 'either',
    typed: extremeBody,
    gather: (items, found, compare) => extreme(found ?? items, compare, 1),
    says: 'the maximum[ {body}] of {of}',
    usage: '.max(x, …): the greatest value that is not null; null for an empty list',
    takes: { x: 'a name for each item', '…': 'a number, a text, a date or a time' },
    gives: 'the same type',
    example: { formula: '[3, 8].max(n, 10 - n)', gives: '7' },
  },
  count: {
    form: 'either',
    typed: (_item, body, hasBody) => (hasBody ? asksTruth(number, body) : { type: number, nullable: false }),
    gather: (items, found) => String(found === undefined ? items.length : found.filter((one) => one === true).length),
    says: 'the number of {of}[ for which {body}]',
    usage: '.count(), .count(x, …): the number of items, or of those for which the condition is true',
    takes: { x: 'a name for each item', '…': 'true or false' },
    gives: 'a number',
    example: { formula: '[3, 8, 5].count(n, n > 4)', gives: '2' },
  },
  first: {
    form: 'either',
    typed: keyBody,
    gather: (items, found, compare) =>
      found === undefined
        ? (items[0] ?? null)
        : foremost(items, found, (one, best) => compareKeys(one, best, compare) < 0),
    says: 'the first of {of}[ by {body}]',
    usage: '.first(), .first(x, key): the first item, or the one with the least key; null is the least',
    takes: { x: 'a name for each item', key: 'a number, a text, a date or a time' },
    gives: 'an item',
    example: { formula: '[3, 8, 5].first(n, 0 - n)', gives: '8' },
  },
  last: {
    form: 'either',
    typed: keyBody,
    gather: (items, found, compare) =>
      found === undefined
        ? (items.at(-1) ?? null)
        : // Of those that are equal the last one.
          foremost(items, found, (one, best) => compareKeys(one, best, compare) >= 0),
    says: 'the last of {of}[ by {body}]',
    usage: '.last(), .last(x, key): the last item, or the one with the greatest key; null is the least',
    takes: { x: 'a name for each item', key: 'a number, a text, a date or a time' },
    gives: 'an item',
    example: { formula: '[3, 8, 5].last()', gives: '5' },
  },
  sorted: {
    form: 'either',
    typed: (item, body) =>
      isOrdered(body.type)
        ? { type: listOf(item), nullable: false }
        : wrongBody('compares keys that are numbers, texts or dates', body),
    gather: (items, found, compare) => byKey(items, found ?? items, compare),
    says: 'the sorted list of {of}[ by {body}]',
    usage: '.sorted(), .sorted(x, key): the items in ascending order, null first',
    takes: { x: 'a name for each item', key: 'a number, a text, a date or a time' },
    gives: 'a list of the same items',
    example: { formula: '[3, 8, 5].sorted()', gives: '[3, 5, 8]' },
  },
  distinct: {
    form: 'plain',
    typed: (item) => ({ type: listOf(item), nullable: false }),
    gather: distinctOf,
    says: 'the distinct values of {of}',
    usage: '.distinct(): the items without duplicates; the first of equal items stays',
    takes: {},
    gives: 'a list of the same items',
    example: { formula: "['a', 'b', 'a'].distinct()", gives: "['a', 'b']" },
  },
} as const satisfies Record<MacroName, MacroRow>;

function distinctOf(items: readonly Known[]): Known {
  const seen = new Set<Known | undefined>();
  const kept: Known[] = [];
  for (const item of items) {
    const key = isRecord(item) ? (item.id ?? item) : item;
    if (seen.has(key) || (typeof key === 'object' && kept.some((one) => isEqual(one, item)))) continue;
    seen.add(key);
    kept.push(item);
  }
  return kept;
}

export const isMacro = (name: string): name is MacroName => Object.hasOwn(macros, name);
export const macroRow = (name: MacroName): MacroRow => macros[name];
