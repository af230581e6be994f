// The functions of formulas over texts: one row each.

import { patternFault } from '../../text/pattern.ts';
import { exactly } from '../../values/decimal.ts';
import { matches } from '../../values/pattern.ts';
import { asText, type FunctionRow, taking } from './function-row.ts';
import type { Tree } from './tree.ts';
import { bool, listOf, number, text, typeWords } from './types.ts';
import { asList, isList, type Known, overlongNumber, overlongText, wholeNumber } from './value.ts';

const tooLongText = (value: Known): string | undefined => overlongText(asText(value));
const letters = (value: Known | undefined): readonly string[] => [...asText(value)];

/** A place among letters or items; undefined for what is none. */
function placeOf(value: Known | undefined): number | undefined {
  const place = wholeNumber(asText(value));
  return place === undefined || place < 0 ? undefined : place;
}

/** Null where a number is no place. */
const nullable =
  (typed: FunctionRow['typed']): FunctionRow['typed'] =>
  (args) => {
    const found = typed(args);
    return 'fault' in found ? found : { ...found, nullable: true };
  };

const aNumber = /^-?\d+(?:\.\d+)?$/;

/** What is wrong with what texts are compared with: a pattern is read once, not anew for each text. */
function wrongPattern(pattern: Tree | undefined): string | undefined {
  if (pattern?.op !== 'literal' || pattern.literal.kind !== 'text')
    return "takes a pattern that is written in the formula, such as '^[A-Z]{2}[0-9]+$'";
  const fault = patternFault(pattern.literal.value);
  return fault && `takes a pattern, and this one ${fault.text}`;
}

export const textFunctions = {
  trim: {
    least: 1,
    most: 1,
    typed: taking(['text'], text),
    takesNull: false,
    call: ([value]) => asText(value).trim(),
    says: '{0} without surrounding white space',
    usage: 'trim(t): the text without surrounding white space',
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
    usage: 'lower(t): the text in lower case',
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
    says: '{0} starts with {1}',
    usage: 'startsWith(t, start): whether the text starts with another text',
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
    says: 'the first {1} characters of {0}',
    usage: 'cut(t, n): the first n characters',
    takes: { t: 'a text', n: 'a whole number, 0 or more' },
    gives: 'a text',
    example: { formula: "cut('Rebuild', 3)", gives: "'Reb'" },
  },
  size: {
    least: 1,
    ofList: true,
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
    says: 'the length of {0}',
    usage: 'size(list), size(text): the number of items or characters',
    takes: { list: 'a list', text: 'a text, instead of a list' },
    gives: 'a number',
    example: { formula: "size(['a', 'b', 'c'])", gives: '3' },
  },
  upper: {
    least: 1,
    most: 1,
    typed: taking(['text'], text),
    takesNull: false,
    call: ([value]) => asText(value).toUpperCase(),
    tooLong: tooLongText,
    says: '{0} in upper case',
    usage: 'upper(t): the text in upper case',
    takes: { t: 'a text' },
    gives: 'a text',
    example: { formula: "upper('Acme')", gives: "'ACME'" },
  },
  endsWith: {
    least: 2,
    most: 2,
    typed: taking(['text', 'text'], bool),
    takesNull: false,
    call: ([value, end]) => asText(value).endsWith(asText(end)),
    says: '{0} ends with {1}',
    usage: 'endsWith(t, end): whether the text ends with another text; case-sensitive',
    takes: { t: 'a text', end: 'a text' },
    gives: 'true or false',
    example: { formula: "endsWith('report.pdf', '.pdf')", gives: 'true' },
  },
  contains: {
    least: 2,
    most: 2,
    typed: taking(['text', 'text'], bool),
    takesNull: false,
    call: ([value, part]) => asText(value).includes(asText(part)),
    says: '{0} contains {1}',
    usage: 'contains(t, part): whether the text contains another text; case-sensitive',
    takes: { t: 'a text', part: 'a text' },
    gives: 'true or false',
    example: { formula: "contains('Rebuild of the hall', 'hall')", gives: 'true' },
  },
  matches: {
    least: 2,
    most: 2,
    typed: (args) => {
      const typed = taking(['text', 'text'], bool)(args);
      const fault = 'fault' in typed ? undefined : wrongPattern(args[1]);
      return fault === undefined ? typed : { fault, argument: 1 };
    },
    takesNull: false,
    call: ([value, pattern]) => matches(asText(pattern), asText(value)),
    says: '{0} matches {1}',
    usage: 'matches(t, pattern): whether the whole text matches a pattern, written as the pattern of a field',
    takes: { t: 'a text', pattern: 'a regular expression from "^" to "$", written in the formula' },
    gives: 'true or false',
    example: { formula: "matches('AB12', '^[A-Z]{2}[0-9]+$')", gives: 'true' },
  },
  substring: {
    least: 3,
    most: 3,
    typed: nullable(taking(['text', 'number', 'number'], text)),
    takesNull: false,
    call: ([value, from, to]) => {
      const [first, last] = [placeOf(from), placeOf(to)];
      return first === undefined || last === undefined ? null : letters(value).slice(first, last).join('');
    },
    says: 'the characters of {0} from position {1} to before position {2}',
    usage: 'substring(t, from, to): the characters from one position, counted from 0, to before another',
    takes: { t: 'a text', from: 'a whole number, 0 or more', to: 'a whole number, 0 or more' },
    gives: 'a text',
    example: { formula: "substring('Rebuild', 2, 4)", gives: "'bu'" },
  },
  split: {
    least: 2,
    most: 2,
    typed: taking(['text', 'text'], listOf(text)),
    takesNull: false,
    call: ([value, separator]) => (separator === '' ? letters(value) : asText(value).split(asText(separator))),
    says: '{0} split at {1}',
    usage: 'split(t, separator): the parts of the text, including empty ones; with an empty separator, the characters',
    takes: { t: 'a text', separator: 'a text' },
    gives: 'a list of texts',
    example: { formula: "split('a,b,,c', ',')", gives: "['a', 'b', '', 'c']" },
  },
  join: {
    least: 2,
    most: 2,
    ofList: true,
    typed: (args) => {
      const [list] = args;
      const isOfTexts = list?.type.kind === 'list' && ['text', 'id', 'null'].includes(list.type.item.kind);
      if (list !== undefined && !isOfTexts && list.type.kind !== 'null')
        return { fault: `puts the texts of a list together, and this is ${typeWords(list.type)}`, argument: 0 };
      return taking([list?.type.kind ?? 'null', 'text'], text)(args);
    },
    takesNull: false,
    call: ([list = null, separator]) =>
      asList(list)
        .filter((one) => one !== null)
        .join(asText(separator)),
    tooLong: tooLongText,
    says: '{0} joined with {1}',
    usage: 'list.join(separator): the texts that are not null, joined',
    takes: { list: 'a list of texts', separator: 'a text' },
    gives: 'a text',
    example: { formula: "['a', null, 'c'].join(', ')", gives: "'a, c'" },
  },
  text: {
    least: 1,
    most: 1,
    typed: taking(['number'], text),
    takesNull: false,
    call: ([value]) => asText(value),
    says: '{0} as text',
    usage: 'text(n): the number as text, without trailing zeros',
    takes: { n: 'a number' },
    gives: 'a text',
    example: { formula: "'No. ' + text(12.50)", gives: "'No. 12.5'" },
  },
  number: {
    least: 1,
    most: 1,
    typed: nullable(taking(['text'], number)),
    takesNull: false,
    call: ([value]) => (aNumber.test(asText(value)) ? exactly['+'](asText(value), '0') : null),
    tooLong: (value) => overlongNumber(asText(value)),
    says: '{0} as a number',
    usage: 'number(t): the number that a text contains, such as -12.5; null if it is not a number',
    takes: { t: 'a text' },
    gives: 'a number, or null',
    example: { formula: "number('12.50') + 1", gives: '13.5' },
  },
} as const satisfies Record<string, FunctionRow>;
