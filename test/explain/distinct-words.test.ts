// Words of formulas are exact: the same words never describe two formulas. Tries formulas by chance.
// PRAXIS_FORMULAS=50000 tries more of them, PRAXIS_SEED=… others.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFormula } from '../../src/formulas/language/syntax.ts';
import { conditionWords, type FormulaPart, formulaWords } from '../../src/formulas/words/words.ts';

const runs = Number(process.env['PRAXIS_FORMULAS'] ?? 4000);
const seed = Number(process.env['PRAXIS_SEED'] ?? 20);

const names = fc.constantFrom('a', 'b', 'isC', 'd.e');
const lists = fc.constantFrom('xs', 'ys', 'a.zs', 'all.xs');
const ofTwo = fc.constantFrom('round', 'days', 'addMonths', 'minutesBetween', 'range', 'remainder', 'pow', 'take');
const ofOne = fc.constantFrom('floor', 'firstOfMonth', 'weekday', 'size', 'lower', 'trim', 'abs', 'before', 'named');
const ofTruth = fc.constantFrom('startsWith', 'contains', 'matches', 'named');
const plain = fc.constantFrom('sum', 'count', 'first', 'last', 'min', 'avg', 'distinct', 'sorted');
const withKey = fc.constantFrom('sum', 'first', 'last', 'max', 'avg', 'sorted', 'map', 'previous');

/** Formulas that give a value, a list, or true or false, as source text. */
const { value, truth } = fc.letrec<{ value: string; list: string; truth: string }>((tie) => {
  const args = fc.array(tie('value'), { minLength: 2, maxLength: 3 }).map((all) => all.join(', '));
  return {
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(names, fc.constantFrom('1', "'t'", 'x.n', 'x.isM')),
      fc
        .tuple(tie('value'), fc.constantFrom('+', '-', '*', '/'), tie('value'))
        .map(([one, sign, other]) => `(${one}) ${sign} (${other})`),
      fc.tuple(tie('truth'), tie('value'), tie('value')).map(([test, yes, no]) => `((${test}) ? (${yes}) : (${no}))`),
      args.map((all) => `coalesce(${all})`),
      args.map((all) => `f(${all})`),
      fc.tuple(fc.constantFrom('min', 'max'), args).map(([name, all]) => `${name}(${all})`),
      fc.tuple(ofOne, tie('value')).map(([name, one]) => `${name}(${one})`),
      fc.tuple(ofTwo, tie('value'), tie('value')).map(([name, one, other]) => `${name}(${one}, ${other})`),
      fc.tuple(tie('value'), tie('value')).map(([one, other]) => `with(${one}, r, (${other}) + r)`),
      fc.tuple(args, tie('value')).map(([all, one]) => `convert(${one}, 'EUR', ${all})`),
      fc.tuple(tie('list'), plain).map(([list, name]) => `${list}.${name}()`),
      fc.tuple(tie('list'), withKey, tie('value')).map(([list, name, key]) => `${list}.${name}(x, ${key})`),
      fc.tuple(tie('list'), tie('truth')).map(([list, test]) => `${list}.count(x, ${test})`),
      fc.tuple(tie('list'), fc.constantFrom('n', 'f(a)')).map(([list, name]) => `${list}.first().${name}`),
      fc.tuple(tie('list'), tie('value')).map(([list, at]) => `${list}[${at}]`),
      tie('value').map((one) => `-(${one})`),
    ),
    list: fc.oneof(
      { maxDepth: 3 },
      lists,
      fc.tuple(tie('list'), tie('truth')).map(([list, test]) => `${list}.filter(x, ${test})`),
      fc.tuple(tie('list'), withKey, tie('value')).map(([list, name, key]) => `${list}.${name}(x, ${key})`),
      args.map((all) => `[${all}]`),
      fc.tuple(tie('value'), tie('value')).map(([from, to]) => `days(${from}, ${to})`),
    ),
    truth: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('isC', 'x.isM', 'sent.a', '!isC', '!sent.a', 'old == null', 'a != null'),
      fc
        .tuple(tie('value'), fc.constantFrom('==', '!=', '<', '>='), tie('value'))
        .map(([one, sign, other]) => `(${one}) ${sign} (${other})`),
      fc
        .tuple(tie('truth'), fc.constantFrom('&&', '||'), tie('truth'))
        .map(([one, sign, other]) => `(${one}) ${sign} (${other})`),
      tie('truth').map((one) => `!(${one})`),
      fc.tuple(tie('value'), args).map(([one, all]) => `(${one}) in [${all}]`),
      fc.tuple(tie('truth'), tie('truth'), tie('truth')).map(([test, yes, no]) => `((${test}) ? (${yes}) : (${no}))`),
      fc.tuple(tie('list'), fc.constantFrom('exists', 'all'), tie('truth')).map(([list, name, test]) => {
        return `${list}.${name}(x, ${test})`;
      }),
      fc.tuple(ofTruth, tie('value'), tie('value')).map(([name, one, other]) => `${name}(${one}, ${other})`),
      tie('list').map((list) => `${list}.exists(x, true)`),
    ),
  };
});

/** A formula without positions; formulas of one meaning are equal: `!(a == b)` keeps its form, `(a && b) && c` is flat. */
const meaning = (source: string): string =>
  JSON.stringify(parseFormula(source), (name, part) => (name === 'start' || name === 'end' ? undefined : part));

/** Words with names and values marked: only their order and the words around them describe the formula. */
const marked = (parts: readonly FormulaPart[]): string =>
  parts.map(({ kind, text, isValue }) => (kind === 'words' ? text : isValue === true ? `'${text}'` : text)).join('');

test.each([
  ['values', value, formulaWords],
  ['conditions', truth, conditionWords],
] as const)('%s with the same words are the same', (_name, formulas, wordsOf) => {
  const known = new Map<string, string>();
  let count = 0;
  const property = fc.property(formulas, (source) => {
    const words = marked(wordsOf(source));
    const other = known.get(words);
    if (other === undefined) known.set(words, source);
    else expect(`${words}: ${meaning(source)}`, `${source}  |  ${other}`).toBe(`${words}: ${meaning(other)}`);
    count += 1;
  });
  fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
  expect([count, known.size > runs / 4]).toEqual([runs, true]);
});
