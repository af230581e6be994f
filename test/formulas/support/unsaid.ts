// Which cases no SQL says, and why. All others must be said.
import type { FunctionName } from '../../../src/formulas/language/names.ts';
import type { Tree } from '../../../src/formulas/language/tree.ts';
import type { DialectName } from '../../../src/storage/schema/dialect.ts';

/** Divisions that no engine ends as the evaluator does, or by what is known only in the row. */
const divisions = [
  '1 / 3',
  '2 / 3',
  '-2 / 3',
  '200 / 3',
  'amount / other',
  'amount / (other - other)',
  'round(amount / 3, 2)',
  'round(1.5 * (1 - 2 / 3), 0)',
  'round(1.5 * (3 - 2) / 3, 0)',
];

/** Digits that are known only in the row. */
const digits = ['round(amount, count)', 'round(amount, other)'];

/** More than 30 digits behind the point. */
const longest = ['tiny * tiny', 'tiny * tiny * tiny'];

/** What could pass 63 bits, in units of the last digit. */
const wide = [
  '99999999999999999999999999.0000000001',
  'amount + rate',
  'amount + count',
  'amount\n  + other\n  + count',
  'amount * other',
  'amount + amount + amount + amount + amount + amount + amount + amount + amount + amount',
  '-amount * 10',
  'round(tiny, 0) * whole * 10',
  'ceil(tiny) * whole * 10',
  'abs(whole - -whole) * 5',
  'max(whole, places) * 10',
  'amount * rate',
  'amount * percent / 100',
  'amount / 8',
  'type * type',
  'whole + tiny',
  'whole * tiny',
  'whole * whole',
  'whole * whole * whole',
  'round(amount * rate, 2)',
  'round(amount * rate, currency)',
  'round(amount, -20)',
  'coalesce(amount, count)',
  'coalesce(amount, other, count, 7.5)',
  'isOpen ? amount : count',
  'max(amount, other, rate, count)',
  'min(whole, tiny)',
];

export const unsaid: Readonly<Record<DialectName, readonly string[]>> = {
  sqlite: [...divisions, ...digits, ...longest, ...wide],
  mysql: [...divisions, ...digits, ...longest],
};

const lists = 'a row has no lists: what a database tells of records is the table of what narrows';
const beyond = 'it is beyond the row';

/** Functions that no engine says, whatever is asked of them. */
export const unsaidFunctions: Readonly<Partial<Record<FunctionName, string>>> = {
  ...Object.fromEntries(['days', 'range', 'take', 'flatten', 'split', 'join'].map((name) => [name, lists])),
  date: 'what is no date is null here, an error in one engine and another date in the next',
  dateOf: 'engines know other time zones, or none',
  timeOf: 'engines know other time zones, or none',
  minutesBetween: 'milliseconds are counted otherwise in every engine',
  addMinutes: 'milliseconds are counted otherwise in every engine',
  remainder: 'SQLite takes what is left of whole numbers alone',
  pow: 'engines give floats',
  significant: 'no engine rounds to significant digits',
  trim: 'other characters are white space in every engine',
  lower: 'engines turn other letters',
  upper: 'engines turn other letters',
  startsWith: 'collations tell other letters apart',
  endsWith: 'collations tell other letters apart',
  contains: 'collations tell other letters apart',
  matches: 'patterns mean something else in every engine',
  cut: 'places in a text are counted otherwise',
  substring: 'places in a text are counted otherwise',
  size: 'letters are counted otherwise',
  text: 'engines write numbers with other zeros and exponents',
  number: 'engines take what a text begins with',
};

/** Parts of formulas that no engine says. */
export const unsaidParts: Readonly<Partial<Record<Tree['op'], string>>> = {
  ...Object.fromEntries((['list', 'map', 'variable', 'index', 'macro'] as const).map((op) => [op, lists])),
  ...Object.fromEntries(
    (['gather', 'unite', 'known', 'sent', 'before', 'owner', 'place'] as const).map((op) => [op, beyond]),
  ),
};
