// Which cases no SQL says, and why. All others must be said.
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

/** Texts whose order, length, white space and letters are other ones in every engine. */
const texts = [
  'name < title',
  'max(name, title)',
  'trim(name)',
  'name.trim()',
  'lower(name)',
  "startsWith(name, 'ab')",
  "startsWith(name, '')",
  "startsWith(name, 'a')",
  "!startsWith(name, 'a')",
  "name.startsWith('B')",
  'cut(name, 2)',
  'name.cut(1)',
  'cut(name, 9)',
  'cut(name, 0)',
  'cut(name, 0 - 1)',
  'cut(name, 1.5)',
  'size(name)',
  'name.size()',
];

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
  sqlite: [...divisions, ...digits, ...texts, ...longest, ...wide],
  mysql: [...divisions, ...digits, ...texts, ...longest],
};
