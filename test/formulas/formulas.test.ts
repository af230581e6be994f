// The language of formulas: what each gives, which are refused and where, what each looks at, and how it is said to people.
import { expect, test } from 'vitest';
import { dependenciesOf } from '../../src/formulas/analyse/dependencies.ts';
import { compileFormula } from '../../src/formulas/compile/compile.ts';
import type { Scope } from '../../src/formulas/compile/scope.ts';
import { FormulaFault } from '../../src/formulas/language/fault.ts';
import { conditionWords } from '../../src/formulas/words/words.ts';
import { world, worldCases } from './support/cases.ts';
import { lineScope, plainFields, scope, sourceScope } from './support/descriptors.ts';
import { answer, itemsOf, recordOf } from './support/memory.ts';
import {
  faultCases,
  itemCases,
  lineCases,
  lookCases,
  lookOffsets,
  sourceCases,
  wordCases,
} from './support/more-cases.ts';

/** All plain fields of a rental without a value. */
const nothing = {
  ...Object.fromEntries(Object.keys(plainFields).map((key) => [key, null])),
  id: 'r1',
  note: '',
  isLate: false,
};

test.each(worldCases)('over other records: $formula', ({ formula, self, gives, rounds, throughNull, world: own }) => {
  const found = answer(compileFormula(formula, scope), recordOf({ ...nothing, ...self }), own ?? world);
  expect(found).toEqual({ value: gives, throughNull: throughNull ?? false, rounds });
});

const record = recordOf({
  ...nothing,
  amount: '100',
  customerId: 'c1',
  lines: [
    { label: 'a', price: '1', quantity: 1, sources: [] },
    { label: 'b', price: '2', quantity: 5, sources: [{ kind: 'article', sourceId: 'a1', minutes: 3 }] },
  ],
});
const line = itemsOf(record, 'lines')[1] ?? record;
const source = itemsOf(line, 'sources')[0] ?? record;

test.each(itemCases)('over an item: %s', (formula, gives) => {
  expect(answer(compileFormula(formula, lineScope), line, world).value).toEqual(gives.line);
  expect(answer(compileFormula(formula, sourceScope), source, world).value).toEqual(gives.source);
});

test.each(lineCases)('over a line: %s', (formula, gives) => {
  expect(answer(compileFormula(formula, lineScope), line, world).value).toEqual(gives);
});

test.each(sourceCases)('over a source of a line: %s', (formula, gives) => {
  expect(answer(compileFormula(formula, sourceScope), source, world).value).toEqual(gives);
});

/** What is wrong with a formula, with its place. */
function faultOf(formula: string, on: Scope): string {
  try {
    compileFormula(formula, on);
    return 'nothing';
  } catch (error) {
    if (error instanceof FormulaFault) return error.in(formula);
    throw error;
  }
}

test.each(faultCases)('refuses %j', (formula, fault) => {
  expect(faultOf(formula, scope)).toBe(fault);
});

test.each(lookCases)('looks of %s', (formula, looks) => {
  const { keys, paths, beyond, collections } = dependenciesOf(compileFormula(formula, scope));
  expect({
    keys: [...keys].toSorted(),
    paths: [...paths].toSorted(),
    beyond: beyond.map(({ what, words }) => `${what} ${words}`),
    collections: collections.map(({ collection: { group, lists }, narrowing }) =>
      [[group, ...lists].join('.'), ...narrowing.map(({ member, up }) => 'record.'.repeat(up) + member.key)].join(' '),
    ),
  }).toEqual({ keys: [], paths: [], beyond: [], collections: [], ...looks });
});

test.each(lookOffsets)('tells the place where %s looks further', (formula, offsets) => {
  expect(dependenciesOf(compileFormula(formula, scope)).beyond.map(({ offset }) => offset)).toEqual(offsets);
});

test.each(wordCases)('says %s', (formula, words) => {
  compileFormula(formula, scope);
  const parts = conditionWords(formula);
  expect(parts.map(({ kind, text }) => (kind === 'code' ? `\`${text}\`` : text)).join('')).toBe(words);
});

test.each([
  ['amount', 4, '99999999999999.9999'],
  ['whole', 0, '999999999999999999'],
  ['tiny', 18, '0.999999999999999999'],
  ['percent', 4, '100'],
  ['places', 0, '20'],
  ['count', 0, '9007199254740991'],
])('knows what %s can be', (formula, scale, most) => {
  expect(compileFormula(formula, scope).type).toEqual({ kind: 'number', scale, most });
});

test('a formula without what it must give is told', () => {
  const wanted = { type: { kind: 'bool' }, words: 'true or false' } as const;
  expect(() => compileFormula('amount', scope, wanted)).toThrow('gives a number, not true or false');
  expect(compileFormula('isOpen', scope, wanted).type).toEqual({ kind: 'bool' });
  expect(compileFormula('null', scope, wanted).type).toEqual({ kind: 'null' });
});

test('what means nothing in a body is not judged', () => {
  const self = { ...recordOf({ ...nothing, amount: 'x', lines: 3 }), unsound: new Set(['amount', 'lines']) };
  const outcome = (formula: string): unknown => answer(compileFormula(formula, scope), self).value;
  expect(outcome('amount > 1')).toBe('unknown');
  expect(outcome('isOpen && amount > 1')).toBe(false);
  expect(outcome('amount > 1 && isOpen')).toBe(false);
  expect(outcome('!isOpen || amount > 1')).toBe(true);
  expect(outcome('amount > 1 || !isOpen')).toBe(true);
  expect(outcome('lines.exists(l, true)')).toBe('unknown');
  expect(outcome('count == null')).toBe(true);
});
