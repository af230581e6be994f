// Documentation of the operators of formulas; a test evaluates the examples.
import type { Guided } from '../language/function-row.ts';
import { averageUsage, beforeUsage, convertUsage, previousUsage, withUsage } from '../language/names.ts';

const numbers = { a: 'a number', b: 'a number' };
const ordered = { a: 'a number, a text, a date or a time', b: 'of the same type' };
const alike = { a: 'a value', b: 'of the same type, or null' };
const truths = { a: 'true or false', b: 'true or false' };
const truth = 'true or false';

/** By the signs that people look for. */
export const operators: Readonly<Record<string, Guided>> = {
  '+': {
    usage: 'a + b: the sum; two texts joined; a date b days later; a timestamp b minutes later',
    takes: { a: 'a number, a text or a date', b: 'a number, or a text after a text' },
    gives: 'of the type of a',
    example: { formula: "'INV-' + 'A'", gives: "'INV-A'" },
  },
  '-': {
    usage:
      'a - b: the difference; the days between two dates; the minutes between two times or timestamps; a date b days earlier; a timestamp b minutes earlier',
    takes: { a: 'a number, a date or a time', b: 'a number, or of the type of a' },
    gives: 'a number, or a date',
    example: { formula: 'end - start + 1', over: { start: '2026-02-27', end: '2026-03-01' }, gives: '3' },
  },
  '*': {
    usage: 'a * b: the product',
    takes: numbers,
    gives: 'a number',
    example: { formula: '1.1 * 3', gives: '3.3' },
  },
  '/': {
    usage: 'a / b: the quotient; null if b is 0',
    takes: numbers,
    gives: 'a number, or null',
    example: { formula: '9 / 4', gives: '2.25' },
  },
  '%': {
    usage: 'a % b: the remainder of a division, with the sign of a; null if b is 0',
    takes: numbers,
    gives: 'a number, or null',
    example: { formula: '7 % 3', gives: '1' },
  },
  with: {
    usage: withUsage,
    takes: { a: 'a value', x: 'a name', '…': 'a formula' },
    gives: 'the value of the formula',
    example: { formula: 'with(3 + 4, x, x * x)', gives: '49' },
  },
  before: {
    usage: beforeUsage,
    takes: { '…': 'a formula over the record' },
    gives: 'the value of the formula, or null',
    example: { formula: 'before(rate) == null || before(rate) <= rate', over: { rate: 40 }, gives: 'true' },
  },
  avg: {
    usage: averageUsage,
    takes: { x: 'a name for each item', '…': 'a number' },
    gives: 'a number, or null',
    example: { formula: '[3, 8].avg(n, n * 10)', gives: '55' },
  },
  previous: {
    usage: previousUsage,
    takes: { x: 'a name for each record', 'x.day': 'a date, a moment, a time or a number of the records' },
    gives: 'a record, or null',
    example: {
      formula: 'coalesce(tasks.filter(t, t.projectId == projectId).previous(t, t.day).total, 0) + hours',
      over: { projectId: 'a1', day: '2026-03-02', hours: 2 },
      gives: '2',
    },
  },
  convert: {
    usage: convertUsage,
    takes: { amount: 'a number', from: 'a currency', to: 'a currency', day: 'a date' },
    gives: 'a number, or null if there is no rate',
    example: {
      formula: "convert(amount, 'EUR', 'USD', day)",
      over: { amount: 8, day: '2026-03-02' },
      gives: '10',
    },
  },
  '==': {
    usage: 'a == b: whether a and b are equal; null equals only null',
    takes: alike,
    gives: truth,
    example: { formula: "state == 'sent'", over: { state: 'draft' }, gives: 'false' },
  },
  '!=': {
    usage: 'a != b: whether a and b are not equal',
    takes: alike,
    gives: truth,
    example: { formula: "state != 'sent'", over: { state: 'draft' }, gives: 'true' },
  },
  '<': {
    usage: 'a < b: whether a is less than b, or earlier; false if one is null',
    takes: ordered,
    gives: truth,
    example: { formula: '2 < 10', gives: 'true' },
  },
  '<=': {
    usage: 'a <= b: whether a is at most b; false if one is null',
    takes: ordered,
    gives: truth,
    example: { formula: 'start <= end', over: { start: '2026-02-27', end: '2026-03-01' }, gives: 'true' },
  },
  '>': {
    usage: 'a > b: whether a is greater than b, or later; false if one is null',
    takes: ordered,
    gives: truth,
    example: { formula: '2 > 10', gives: 'false' },
  },
  '>=': {
    usage: 'a >= b: whether a is at least b; false if one is null',
    takes: ordered,
    gives: truth,
    example: { formula: '10 >= 2', gives: 'true' },
  },
  in: {
    usage: 'a in list: whether the list contains a',
    takes: { a: 'a value', list: 'a list of such values' },
    gives: truth,
    example: { formula: "state in ['draft', 'sent']", over: { state: 'draft' }, gives: 'true' },
  },
  '&&': {
    usage: 'a && b: whether both are true',
    takes: truths,
    gives: truth,
    example: { formula: 'true && false', gives: 'false' },
  },
  '||': {
    usage: 'a || b: whether at least one is true',
    takes: truths,
    gives: truth,
    example: { formula: 'true || false', gives: 'true' },
  },
  '!': {
    usage: '!a: whether a is false',
    takes: { a: 'true or false' },
    gives: truth,
    example: { formula: '!(2 > 1)', gives: 'false' },
  },
  '? :': {
    usage: 'test ? a : b: a if the test is true, otherwise b',
    takes: { test: 'true or false', a: 'a value', b: 'of the same type' },
    gives: 'the same type',
    example: { formula: "3 > 2 ? 'yes' : 'no'", gives: "'yes'" },
  },
  '[ ]': {
    usage: 'list[index]: the item at an index, counted from 0; null if there is none',
    takes: { list: 'a list', index: 'a whole number' },
    gives: 'an item, or null',
    example: { formula: "['a', 'b'][1]", gives: "'b'" },
  },
};
