// The functions of formulas: one row each, with its parameters, type, implementation and documentation.
import { isCurrency, minorUnits } from '../../values/currency.ts';
import { exactly } from '../../values/decimal.ts';
import { remainder } from '../../values/scaled.ts';
import { dayFunctions } from './day-functions.ts';
import { asText, commonOf, extreme, extremeOf, type FunctionRow, taking } from './function-row.ts';
import type { FunctionName } from './names.ts';
import { textFunctions } from './text-functions.ts';
import { listOf, number, typeWords, whole } from './types.ts';
import { asList, overlongNumber, wholeNumber } from './value.ts';
import { isWhole } from './whole.ts';

/** Digits to round to: behind the point, or before it where there are less than none. */
const mostDecimals = 100;
function decimalsOf(text: string): number | undefined {
  const decimals = wholeNumber(text);
  return decimals === undefined || Math.abs(decimals) > mostDecimals ? undefined : decimals;
}

const maxSignificantDigits = 40;
function significantDigits(text: string): number | undefined {
  const digits = wholeNumber(text);
  return digits === undefined || digits < 1 || digits > maxSignificantDigits ? undefined : digits;
}

const exponents = /^[0-9]$/;
const mostInRange = 1000;
const ofNumber = taking(['number'], number);

export const functions = {
  ...dayFunctions,
  ...textFunctions,
  coalesce: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    typed: commonOf,
    takesNull: true,
    call: (args) => args.find((arg) => arg !== null) ?? null,
    says: 'the first set value of ({…})',
    usage: 'coalesce(a, b, …): the first value that is not null',
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
    usage:
      'round(x, digits), round(x, currency): rounded to decimal places or to the minor unit of a currency, half away from zero',
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
    usage: 'floor(x): the greatest integer that is at most x',
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
    usage: 'ceil(x): the least integer that is at least x',
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
    says: 'the absolute value of {0}',
    usage: 'abs(x): the absolute value',
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
    says: 'the least of ({…})',
    usage: 'min(a, b, …): the least value that is not null',
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
    says: 'the greatest of ({…})',
    usage: 'max(a, b, …): the greatest value that is not null',
    takes: { 'a, b, …': 'numbers, texts, dates or times, all of one type' },
    gives: 'the same type',
    example: {
      formula: 'max(start, end)',
      over: { start: '2026-02-28', end: '2026-03-31' },
      gives: "'2026-03-31'",
    },
  },
  remainder: {
    least: 2,
    most: 2,
    typed: (args) => {
      const typed = taking(['number', 'number'], number)(args);
      const [, by] = args;
      const isSure = by?.op === 'literal' && by.literal.value !== '0';
      return 'fault' in typed ? typed : { ...typed, nullable: typed.nullable || !isSure };
    },
    takesNull: false,
    call: ([value, by]) => remainder(asText(value), asText(by)),
    says: 'the remainder of {0} divided by {1}',
    usage: 'remainder(a, b), or a % b: the remainder of a division, with the sign of a; null if b is 0',
    takes: { a: 'a number', b: 'a number' },
    gives: 'a number, or null',
    example: { formula: 'remainder(-7.5, 2)', gives: '-1.5' },
  },
  pow: {
    least: 2,
    most: 2,
    typed: (args) => {
      const typed = taking(['number', 'number'], number)(args);
      const [, exponent] = args;
      if ('fault' in typed || exponent?.op !== 'literal') return { ...typed, nullable: true };
      if (exponent.literal.kind === 'number' && !exponents.test(exponent.literal.value))
        return { fault: 'takes a whole exponent from 0 to 9', argument: 1 };
      return typed;
    },
    takesNull: false,
    call: ([value, exponent]) => {
      if (!exponents.test(asText(exponent))) return null;
      return Array.from({ length: Number(exponent) }).reduce<string>(
        (power) => exactly['*'](power, asText(value)),
        '1',
      );
    },
    tooLong: (value) => overlongNumber(asText(value)),
    says: '{0} to the power of {1}',
    usage: 'pow(x, n): x to the power of n; null if n is not an integer from 0 to 9',
    takes: { x: 'a number', n: 'a whole number from 0 to 9' },
    gives: 'a number',
    example: { formula: 'pow(1.5, 2)', gives: '2.25' },
  },
  significant: {
    least: 2,
    most: 2,
    typed: (args) => {
      const typed = taking(['number', 'number'], number)(args);
      const [, digits] = args;
      if ('fault' in typed || digits?.op !== 'literal') return { ...typed, nullable: true };
      if (digits.literal.kind === 'number' && significantDigits(digits.literal.value) === undefined)
        return { fault: `takes a whole number of digits from 1 to ${maxSignificantDigits}`, argument: 1 };
      return typed;
    },
    takesNull: false,
    call: ([value, places]) => {
      const digits = significantDigits(asText(places));
      return digits === undefined ? null : exactly.significant(asText(value), digits);
    },
    says: '{0} rounded to {1} significant digits',
    usage: 'significant(x, digits): rounded to a number of significant digits, half away from zero',
    takes: { x: 'a number', digits: 'a whole number from 1 to 40' },
    gives: 'a number',
    example: { formula: 'significant(0.0000384615385, 6)', gives: '0.0000384615' },
  },
  range: {
    least: 2,
    most: 2,
    typed: (args) => {
      const typed = taking(['number', 'number'], listOf(whole))(args);
      return 'fault' in typed ? typed : { ...typed, nullable: typed.nullable || !args.every(isWhole) };
    },
    takesNull: false,
    call: ([from, to]) => {
      const [first, last] = [wholeNumber(asText(from)), wholeNumber(asText(to))];
      if (first === undefined || last === undefined) return null;
      const count = Math.min(Math.max(0, last - first + 1), mostInRange + 1);
      return Array.from({ length: count }, (_number, place) => String(first + place));
    },
    tooLong: (value) =>
      asList(value).length > mostInRange ? 'must not come from a range of more than 1,000 numbers' : undefined,
    says: 'the list of integers from {0} to {1}',
    usage:
      'range(a, b): the whole numbers from a to b, both of them too; more than 1,000 are null, and refuse a write that keeps what comes of them',
    takes: { a: 'a whole number', b: 'a whole number' },
    gives: 'a list of whole numbers',
    example: { formula: 'range(1, 3)', gives: '[1, 2, 3]' },
  },
  take: {
    least: 2,
    most: 2,
    ofList: true,
    typed: (args) => {
      const [list, count] = args;
      if (list?.type.kind !== 'list')
        return { fault: `takes items of a list, and this is ${typeWords(list?.type ?? number)}`, argument: 0 };
      const typed = taking(['list', 'number'], list.type)(args);
      return 'fault' in typed ? typed : { ...typed, nullable: count?.op !== 'literal' };
    },
    takesNull: false,
    call: ([list = null, count]) => {
      const most = wholeNumber(asText(count));
      return most === undefined || most < 0 ? null : asList(list).slice(0, most);
    },
    says: 'the first {1} items of {0}',
    usage: 'list.take(n): the first n items',
    takes: { list: 'a list', n: 'a whole number, 0 or more' },
    gives: 'a list of the same items',
    example: { formula: '[3, 8, 5].take(2)', gives: '[3, 8]' },
  },
  flatten: {
    least: 1,
    most: 1,
    ofList: true,
    typed: ([list]) =>
      list?.type.kind === 'list' && list.type.item.kind === 'list'
        ? { type: list.type.item, nullable: false }
        : { fault: `puts the lists of a list together, and this is ${typeWords(list?.type ?? number)}`, argument: 0 },
    takesNull: false,
    call: ([lists = null]) => asList(lists).flatMap(asList),
    says: 'all items of the lists in {0}',
    usage: 'list.flatten(): the items of the inner lists, in order',
    takes: { list: 'a list of lists' },
    gives: 'a list',
    example: { formula: '[[3, 8], [5]].flatten()', gives: '[3, 8, 5]' },
  },
} as const satisfies Record<FunctionName, FunctionRow>;

export const isFunction = (name: string): name is FunctionName => Object.hasOwn(functions, name);
export const functionRow = (name: FunctionName): FunctionRow => functions[name];
