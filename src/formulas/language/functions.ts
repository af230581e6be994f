// The functions and macros of formulas: one row each, with its parameters, type, implementation and documentation.
import { isCurrency, minorUnits } from '../../values/currency.ts';
import { addDays, addMonths, daysBetween, lastOfMonth, weekday } from '../../values/date.ts';
import { exactly } from '../../values/decimal.ts';
import type { FunctionName, MacroName } from './names.ts';
import type { Tree, Type } from './tree.ts';
import { bool, common, date, listOf, number, text, typeWords } from './types.ts';
import { isEqual, isList, isRecord, type Known, wholeNumber } from './value.ts';
import { isWhole } from './whole.ts';

/** What a function gives for its arguments; or what is wrong with one of them, by its place. */
export type Typed =
  | { readonly type: Type; readonly nullable: boolean }
  | { readonly fault: string; readonly argument: number };

/** Below, at or above 0 as the first is less, equal or greater. */
export type Compare = (a: string, b: string) => number;

/** A formula over fields with these values, and what it gives, as formulas write it. */
export interface FormulaExample {
  readonly formula: string;
  /** Texts such as `2026-03-31` are dates. */
  readonly over?: Readonly<Record<string, string | number>>;
  readonly gives: string;
}

/** What people are told of a function, a macro or an operator; a test evaluates the example. */
export interface Guided {
  /** How it is written, and what for: for those who write formulas. */
  readonly usage: string;
  /** What each of the names in its usage stands for. */
  readonly takes: Readonly<Record<string, string>>;
  readonly gives: string;
  readonly example: FormulaExample;
}

interface FunctionRow extends Guided {
  readonly least: number;
  readonly most: number;
  typed(args: readonly Tree[]): Typed;
  /** Whether it is called with nulls; else null is all that it gives for one. */
  readonly takesNull: boolean;
  /** @param compare Compares two values of the type that it gives. */
  call(args: readonly Known[], compare: Compare): Known;
  /** In words; `{0}`, `{1}` stand for its arguments, `{…}` for all of them. */
  readonly says: string;
}

/** Digits to round to: behind the point, or before it where there are less than none. */
const mostDecimals = 100;
function decimalsOf(text: string): number | undefined {
  const decimals = wholeNumber(text);
  return decimals === undefined || Math.abs(decimals) > mostDecimals ? undefined : decimals;
}

/** Longer ones would be a list that no rule means, and a service that is busy with it. */
const mostDays = 36_600;
const ordered: ReadonlySet<Type['kind']> = new Set(['number', 'text', 'date', 'instant', 'time']);
export const isOrdered = ({ kind }: Type): boolean => ordered.has(kind);

const asText = (value: Known | undefined): string => (typeof value === 'string' ? value : '');

/** All arguments are of these types; null is of every type. */
function taking(kinds: readonly Type['kind'][], gives: Type): (args: readonly Tree[]) => Typed {
  return (args) => {
    const wrong = args.findIndex(({ type }, index) => type.kind !== 'null' && type.kind !== kinds[index]);
    const arg = args[wrong];
    if (arg === undefined) return { type: gives, nullable: args.some(({ nullable }) => nullable) };
    const wanted = typeWords({ kind: kinds[wrong] ?? 'null' } as Type);
    return { fault: `takes ${wanted} here, and this is ${typeWords(arg.type)}`, argument: wrong };
  };
}

/** Beyond the years 1000 to 9999 there is no date. */
function dateOrNull(make: () => string): Known {
  try {
    return make();
  } catch {
    return null;
  }
}

function commonOf(args: readonly Tree[]): Typed {
  let type: Type = { kind: 'null' };
  for (const [index, arg] of args.entries()) {
    const both = common(type, arg.type);
    if (both === undefined)
      return { fault: `takes values of one type, and this is ${typeWords(arg.type)}`, argument: index };
    type = both;
  }
  return { type, nullable: args.every(({ nullable }) => nullable) };
}

function extremeOf(args: readonly Tree[]): Typed {
  const typed = commonOf(args);
  if ('fault' in typed || isOrdered(typed.type) || typed.type.kind === 'null') return typed;
  return { fault: `compares numbers, texts and dates, and this is ${typeWords(typed.type)}`, argument: 0 };
}

const byText: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Compares values of one type that is ordered. */
export const comparing = (type: Type): Compare => (type.kind === 'number' ? exactly.compare : byText);

/** @param side 1 for the greatest, -1 for the least. Nulls are passed over. */
function extreme(values: readonly Known[], compare: Compare, side: 1 | -1): Known {
  let best: string | null = null;
  for (const value of values)
    if (typeof value === 'string' && (best === null || compare(value, best) * side > 0)) best = value;
  return best;
}

const ofNumber = taking(['number'], number);
const ofDate = taking(['date'], date);

export const functions = {
  coalesce: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    typed: commonOf,
    takesNull: true,
    call: (args) => args.find((arg) => arg !== null) ?? null,
    says: 'the first of {…} that is set',
    usage: 'coalesce(a, b, …): the first that is not null',
    takes: { 'a, b, …': 'values of one type' },
    gives: 'the same type',
    example: { formula: "coalesce(null, 'draft')", gives: "'draft'" },
  },
  round: {
    least: 2,
    most: 2,
    typed: (args) => {
      const [, places] = args;
      const isCurrencyCode = places?.type.kind === 'text';
      const typed = taking(['number', isCurrencyCode ? 'text' : 'number'], number)(args);
      if ('fault' in typed) return typed;
      if (places?.op !== 'literal') {
        const isSure = isCurrencyCode ? 'isCurrency' in places.type : places !== undefined && isWhole(places);
        return { ...typed, nullable: typed.nullable || !isSure };
      }
      const { kind, value } = places.literal;
      if (kind === 'text' && !isCurrency(value))
        return { fault: `rounds to the minor unit of a currency, and '${value}' is none`, argument: 1 };
      if (kind === 'number' && decimalsOf(value) === undefined)
        return { fault: `rounds to a whole number of digits, at most ${mostDecimals}`, argument: 1 };
      return typed;
    },
    takesNull: false,
    call: ([value, places]) => {
      const decimals = isCurrency(asText(places)) ? minorUnits(asText(places)) : decimalsOf(asText(places));
      return decimals === undefined ? null : exactly.round(asText(value), decimals);
    },
    says: '{0} rounded to {1}',
    usage: 'round(x, digits) or round(x, currency): half away from zero',
    takes: { x: 'a number', digits: 'a whole number', currency: 'a currency, instead of digits' },
    gives: 'a number',
    example: { formula: 'round(2.345, 2)', gives: '2.35' },
  },
  floor: {
    least: 1,
    most: 1,
    typed: ofNumber,
    takesNull: false,
    call: ([value]) => exactly.floor(asText(value)),
    says: '{0} rounded down',
    usage: 'floor(x): the greatest whole number that is not greater',
    takes: { x: 'a number' },
    gives: 'a number',
    example: { formula: 'floor(-1.5)', gives: '-2' },
  },
  ceil: {
    least: 1,
    most: 1,
    typed: ofNumber,
    takesNull: false,
    call: ([value]) => exactly.ceil(asText(value)),
    says: '{0} rounded up',
    usage: 'ceil(x): the least whole number that is not less',
    takes: { x: 'a number' },
    gives: 'a number',
    example: { formula: 'ceil(1.2)', gives: '2' },
  },
  abs: {
    least: 1,
    most: 1,
    typed: ofNumber,
    takesNull: false,
    call: ([value]) => asText(value).replace('-', ''),
    says: '{0} without its sign',
    usage: 'abs(x): without its sign',
    takes: { x: 'a number' },
    gives: 'a number',
    example: { formula: 'abs(-12.5)', gives: '12.5' },
  },
  min: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    typed: extremeOf,
    takesNull: true,
    call: (args, compare) => extreme(args, compare, -1),
    says: 'the least of {…}',
    usage: 'min(a, b, …): the least that is not null',
    takes: { 'a, b, …': 'numbers, texts, dates or times, all of one type' },
    gives: 'the same type',
    example: { formula: 'min(7, null, 3)', gives: '3' },
  },
  max: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    typed: extremeOf,
    takesNull: true,
    call: (args, compare) => extreme(args, compare, 1),
    says: 'the greatest of {…}',
    usage: 'max(a, b, …): the greatest that is not null',
    takes: { 'a, b, …': 'numbers, texts, dates or times, all of one type' },
    gives: 'the same type',
    example: {
      formula: 'max(start, end)',
      over: { start: '2026-02-28', end: '2026-03-31' },
      gives: "'2026-03-31'",
    },
  },
  days: {
    least: 2,
    most: 2,
    typed: taking(['date', 'date'], listOf(date)),
    takesNull: false,
    call: ([from, to]) => {
      const count = daysBetween(asText(from), asText(to)) + 1;
      return count > mostDays
        ? null
        : Array.from({ length: Math.max(0, count) }, (_day, n) => addDays(asText(from), n));
    },
    says: 'the days from {0} to {1}',
    usage: 'days(a, b): the dates from a to b, both of them too; null for more than a hundred years',
    takes: { a: 'a date', b: 'a date' },
    gives: 'a list of dates',
    example: {
      formula: 'days(start, end)',
      over: { start: '2026-02-27', end: '2026-03-01' },
      gives: "['2026-02-27', '2026-02-28', '2026-03-01']",
    },
  },
  weekday: {
    least: 1,
    most: 1,
    typed: taking(['date'], number),
    takesNull: false,
    call: ([day]) => String(weekday(asText(day))),
    says: 'the day of the week of {0}',
    usage: 'weekday(d): 1 for Monday to 7 for Sunday',
    takes: { d: 'a date' },
    gives: 'a number',
    example: { formula: 'weekday(day)', over: { day: '2026-03-02' }, gives: '1' },
  },
  firstOfMonth: {
    least: 1,
    most: 1,
    typed: ofDate,
    takesNull: false,
    call: ([day]) => `${asText(day).slice(0, 8)}01`,
    says: 'the first of the month of {0}',
    usage: 'firstOfMonth(d): the first day of its month',
    takes: { d: 'a date' },
    gives: 'a date',
    example: { formula: 'firstOfMonth(day)', over: { day: '2026-02-17' }, gives: "'2026-02-01'" },
  },
  lastOfMonth: {
    least: 1,
    most: 1,
    typed: ofDate,
    takesNull: false,
    call: ([day]) => lastOfMonth(asText(day)),
    says: 'the last of the month of {0}',
    usage: 'lastOfMonth(d): the last day of its month',
    takes: { d: 'a date' },
    gives: 'a date',
    example: { formula: 'lastOfMonth(day)', over: { day: '2028-02-17' }, gives: "'2028-02-29'" },
  },
  addMonths: {
    least: 2,
    most: 2,
    typed: (args) => {
      const typed = taking(['date', 'number'], date)(args);
      const [, n] = args;
      return 'fault' in typed ? typed : { ...typed, nullable: typed.nullable || n === undefined || !isWhole(n) };
    },
    takesNull: false,
    call: ([day, n]) => {
      const months = wholeNumber(asText(n));
      return months === undefined ? null : dateOrNull(() => addMonths(asText(day), months));
    },
    says: '{1} months after {0}',
    usage: 'addMonths(d, n): the same day n months later, or the last of that month',
    takes: { d: 'a date', n: 'a whole number' },
    gives: 'a date, or null outside of the years 1000 to 9999',
    example: { formula: 'addMonths(day, 1)', over: { day: '2026-01-31' }, gives: "'2026-02-28'" },
  },
  startOfWeek: {
    least: 1,
    most: 1,
    // The first days of the year 1000 have no Monday: a write that asks for it is refused.
    typed: ofDate,
    takesNull: false,
    call: ([day]) => dateOrNull(() => addDays(asText(day), 1 - weekday(asText(day)))),
    says: 'the Monday of the week of {0}',
    usage: 'startOfWeek(d): its Monday',
    takes: { d: 'a date' },
    gives: 'a date',
    example: { formula: 'startOfWeek(day)', over: { day: '2026-03-05' }, gives: "'2026-03-02'" },
  },
  trim: {
    least: 1,
    most: 1,
    typed: taking(['text'], text),
    takesNull: false,
    call: ([value]) => asText(value).trim(),
    says: '{0} without white space around it',
    usage: 'trim(t): without white space around it',
    takes: { t: 'a text' },
    gives: 'a text',
    example: { formula: "trim(' Acme ')", gives: "'Acme'" },
  },
  lower: {
    least: 1,
    most: 1,
    typed: taking(['text'], text),
    takesNull: false,
    call: ([value]) => asText(value).toLowerCase(),
    says: '{0} in lower case',
    usage: 'lower(t): in lower case',
    takes: { t: 'a text' },
    gives: 'a text',
    example: { formula: "lower('ACME')", gives: "'acme'" },
  },
  startsWith: {
    least: 2,
    most: 2,
    typed: taking(['text', 'text'], bool),
    takesNull: false,
    call: ([value, start]) => asText(value).startsWith(asText(start)),
    says: '{0} begins with {1}',
    usage: 'startsWith(t, start): whether it begins so',
    takes: { t: 'a text', start: 'a text' },
    gives: 'true or false',
    example: { formula: "startsWith('INV-0012', 'INV-')", gives: 'true' },
  },
  cut: {
    least: 2,
    most: 2,
    typed: (args) => {
      const typed = taking(['text', 'number'], text)(args);
      return 'fault' in typed ? typed : { ...typed, nullable: true };
    },
    takesNull: false,
    call: ([value, n]) => {
      const count = wholeNumber(asText(n));
      return count === undefined || count < 0 ? null : [...asText(value)].slice(0, count).join('');
    },
    says: 'the first {1} letters of {0}',
    usage: 'cut(t, n): its first n letters',
    takes: { t: 'a text', n: 'a whole number, 0 or more' },
    gives: 'a text',
    example: { formula: "cut('Rebuild', 3)", gives: "'Reb'" },
  },
  size: {
    least: 1,
    most: 1,
    typed: ([arg]) =>
      arg === undefined || ['list', 'text', 'null', 'id'].includes(arg.type.kind)
        ? { type: number, nullable: arg?.nullable === true && arg.type.kind !== 'list' }
        : {
            fault: `counts the items of a list or the letters of a text, and this is ${typeWords(arg.type)}`,
            argument: 0,
          },
    takesNull: false,
    call: ([value]) => String(isList(value ?? null) ? (value as readonly Known[]).length : [...asText(value)].length),
    says: 'the size of {0}',
    usage: 'size(list), size(text): how many items, how many letters',
    takes: { list: 'a list', text: 'a text, instead of a list' },
    gives: 'a number',
    example: { formula: "size(['a', 'b', 'c'])", gives: '3' },
  },
} as const satisfies Record<FunctionName, FunctionRow>;

export const isFunction = (name: string): name is FunctionName => Object.hasOwn(functions, name);
export const functionRow = (name: FunctionName): FunctionRow => functions[name];

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
    says: 'those of {of} for which {body}',
    usage: '.filter(x, …): those that it holds of',
    takes: { x: 'a name for each item', '…': 'true or false' },
    gives: 'a list of the same items',
    example: { formula: '[3, 8, 5].filter(n, n > 4)', gives: '[8, 5]' },
  },
  map: {
    form: 'body',
    typed: (_item, { type }) => ({ type: listOf(type), nullable: false }),
    gather: (items, found) => found ?? items,
    says: '{body} of each of {of}',
    usage: '.map(x, …): a list of what it gives for each',
    takes: { x: 'a name for each item', '…': 'a value' },
    gives: 'a list of these values',
    example: { formula: '[3, 8].map(n, n * 2)', gives: '[6, 16]' },
  },
  exists: {
    form: 'body',
    typed: (_item, body) => asksTruth(bool, body),
    gather: (_items, found) => found?.includes(true) === true,
    says: 'for one of {of}, {body}',
    usage: '.exists(x, …): whether it holds of one at least',
    takes: { x: 'a name for each item', '…': 'true or false' },
    gives: 'true or false',
    example: { formula: '[3, 8].exists(n, n > 4)', gives: 'true' },
  },
  all: {
    form: 'body',
    typed: (_item, body) => asksTruth(bool, body),
    gather: (_items, found) => found?.every((one) => one === true) === true,
    says: 'for each of {of}, {body}',
    usage: '.all(x, …): whether it holds of each',
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
    usage: '.sum(x, …): the sum, of those that are not null; of none 0',
    takes: { x: 'a name for each item', '…': 'a number' },
    gives: 'a number',
    example: { formula: '[3, 8].sum(n, n * 10)', gives: '110' },
  },
  min: {
    form: 'either',
    typed: extremeBody,
    gather: (items, found, compare) => extreme(found ?? items, compare, -1),
    says: 'the least[ {body}] of {of}',
    usage: '.min(x, …): the least that is not null; of none null',
    takes: { x: 'a name for each item', '…': 'a number, a text, a date or a time' },
    gives: 'the same type',
    example: { formula: '[3, 8].min()', gives: '3' },
  },
  max: {
    form: 'either',
    typed: extremeBody,
    gather: (items, found, compare) => extreme(found ?? items, compare, 1),
    says: 'the greatest[ {body}] of {of}',
    usage: '.max(x, …): the greatest that is not null; of none null',
    takes: { x: 'a name for each item', '…': 'a number, a text, a date or a time' },
    gives: 'the same type',
    example: { formula: '[3, 8].max(n, 10 - n)', gives: '7' },
  },
  count: {
    form: 'either',
    typed: (_item, body, hasBody) => (hasBody ? asksTruth(number, body) : { type: number, nullable: false }),
    gather: (items, found) => String(found === undefined ? items.length : found.filter((one) => one === true).length),
    says: 'the number of {of}[ for which {body}]',
    usage: '.count(), .count(x, …): how many, or how many of which it holds',
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
    usage: '.first(), .first(x, key): the first, or that with the least key, null least',
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
    usage: '.last(), .last(x, key): the last, or that with the greatest key, null least',
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
    says: '{of} in order[ of {body}]',
    usage: '.sorted(), .sorted(x, key): in order, null first',
    takes: { x: 'a name for each item', key: 'a number, a text, a date or a time' },
    gives: 'a list of the same items',
    example: { formula: '[3, 8, 5].sorted()', gives: '[3, 5, 8]' },
  },
  distinct: {
    form: 'plain',
    typed: (item) => ({ type: listOf(item), nullable: false }),
    gather: distinctOf,
    says: '{of}, each once',
    usage: '.distinct(): each once, the first of those that are equal',
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
