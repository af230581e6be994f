// Formulas over one row give in the SQL of each engine what the evaluator gives, or are not said at all.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileFormula } from '../../src/formulas/compile/compile.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { grounds } from '../support/service/praxis.ts';
import { rowCases } from './support/cases.ts';
import { scope } from './support/descriptors.ts';
import { RentalTable } from './support/table.ts';
import { unsaid } from './support/unsaid.ts';

const cases = Object.values(rowCases).flat();

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
    await table.insert(cases.map(([, values]) => ({ note: '', isLate: false, ...values })));
  });
  afterAll(async () => {
    await database?.close();
    await close?.();
  });

  const isUnsaid = (formula: string): boolean => unsaid[database.dialect.name].includes(formula);

  test.each(cases.map((one, place) => [...one, place] as const))('%s of %o', async (formula, _values, gives, place) => {
    const found = await table.answers(compileFormula(formula, scope), place);
    expect(found).toEqual(isUnsaid(formula) ? undefined : [gives]);
  });

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
    const all = new Set(cases.map(([formula]) => formula));
    expect(unsaid[database.dialect.name].filter((formula) => !all.has(formula))).toEqual([]);
  });
});
