// The table of formulas: every function and operator of the catalogue has its cases, which the evaluator and the SQL of each engine give
// alike; what no engine says is in the table with the reason, and is not said.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileFormula } from '../../src/formulas/compile/compile.ts';
import { partsOf } from '../../src/formulas/language/index-keys.ts';
import { functionNames, macroNames, madeNames, madeOfLists } from '../../src/formulas/language/names.ts';
import type { Tree } from '../../src/formulas/language/tree.ts';
import { operators } from '../../src/formulas/words/operators-guide.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { grounds } from '../support/service/praxis.ts';
import { listCases, rowCases, worldCases } from './support/cases.ts';
import { plainFields, scope } from './support/descriptors.ts';
import { answer, recordOf } from './support/memory.ts';
import { RentalTable } from './support/table.ts';
import { unsaid, unsaidFunctions, unsaidParts } from './support/unsaid.ts';

/** All plain fields of a rental without a value. */
const nothing = {
  ...Object.fromEntries(Object.keys(plainFields).map((key) => [key, null])),
  id: 'r1',
  note: '',
  isLate: false,
};
const cases = [...Object.values(rowCases).flat(), ...listCases].map((one) => ({
  one,
  tree: compileFormula(one[0], scope),
}));

describe('in memory', () => {
  test.each(cases.map(({ one, tree }) => [...one, tree] as const))('%s of %o', (_formula, values, gives, tree) => {
    const { value, rounds } = answer(tree, recordOf({ ...nothing, ...values }));
    expect(value).toEqual(gives);
    expect(rounds).toEqual([]);
  });
});

/** Why no engine says a formula, if so. */
function whyUnsaid(tree: Tree): string | undefined {
  if (tree.op === 'named') return tree.args.length > 0 ? 'it is given something' : whyUnsaid(tree.formula.tree());
  const why = tree.op === 'call' ? unsaidFunctions[tree.name] : unsaidParts[tree.op];
  if (why !== undefined) return why;
  if (tree.op === 'field' && !('key' in tree.member && tree.member.key in plainFields)) return 'it is no plain value';
  // What is looked for may be one of several values that the formula names.
  const parts = tree.op === 'in' && tree.right.op === 'list' ? [tree.left, ...tree.right.items] : partsOf(tree);
  return parts.map(whyUnsaid).find((found) => found !== undefined);
}

describe.each(grounds.filter(({ open }) => open !== undefined))('on $name', ({ open }) => {
  let database: Database;
  let table: RentalTable;
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const ground = await open?.();
    if (ground === undefined) throw new Error('there is no database');
    close = ground.close;
    database = await openDatabase(ground.url);
    table = new RentalTable(database);
    await table.make();
    await table.insert(cases.map(({ one: [, values] }) => ({ note: '', isLate: false, ...values })));
  });
  afterAll(async () => {
    await database?.close();
    await close?.();
  });

  const isUnsaid = (formula: string, tree: Tree): boolean =>
    whyUnsaid(tree) !== undefined || unsaid[database.dialect.name].includes(formula);

  test.each(cases.map(({ one, tree }, place) => [...one, tree, place] as const))(
    '%s of %o',
    async (formula, _values, gives, tree, place) => {
      expect(await table.answers(tree, place)).toEqual(isUnsaid(formula, tree) ? undefined : [gives]);
    },
  );

  test('what would be thousands of parts is not said, nor hundreds in each other', async () => {
    const some = (count: number, part = 'isLate') => compileFormula(Array(count).fill(part).join(' || '), scope);
    for (const part of ['isLate', '!isLate', 'note == "x"', 'amount > 1', '(amount > 1 ? isLate : !isLate)'])
      expect(await table.answers(some(200, part), 0), part).toHaveLength(1);
    expect(await table.answers(some(260), 0)).toBeUndefined();
    const wide = `(${Array(200).fill('isLate').join(' || ')})`;
    expect(await table.answers(some(4, wide), 0)).toHaveLength(1);
    expect(await table.answers(some(11, wide), 0)).toBeUndefined();
  });

  test('what cannot be said is among the cases', () => {
    const all = new Set(cases.map(({ one: [formula] }) => formula));
    expect(unsaid[database.dialect.name].filter((formula) => !all.has(formula))).toEqual([]);
  });
});

const formulas = [...cases.map(({ one: [formula] }) => formula), ...worldCases.map(({ formula }) => formula)];
/** What hangs on more than one record and its collections has a file of its own. */
const elsewhere: Readonly<Record<string, string>> = { before: 'before.test.ts', convert: 'conversion.test.ts' };

/** How a name of the catalogue is written in a formula. */
const written = (name: string): readonly string[] => {
  if ([...macroNames, ...madeOfLists].some((one) => one === name)) return [`.${name}(`];
  if ([...functionNames, ...madeNames].some((one) => one === name)) return [`${name}(`];
  return name.split(' ').map((sign) => (/\w/.test(sign) ? ` ${sign} ` : sign));
};

test.each([...new Set([...functionNames, ...macroNames, ...madeNames, ...madeOfLists, ...Object.keys(operators)])])(
  '%s has cases',
  (name) => {
    const file = elsewhere[name];
    const among = file === undefined ? formulas : [readFileSync(new URL(file, import.meta.url), 'utf8')];
    const found = among.filter((formula) => written(name).every((part) => formula.includes(part)));
    expect(found.length).toBeGreaterThanOrEqual(file === undefined ? 2 : 1);
  },
);
