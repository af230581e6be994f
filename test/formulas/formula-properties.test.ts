// Whatever a formula over one row is put together of, the SQL of each engine gives what the evaluator gives, or says nothing.
// PRAXIS_FORMULAS=5000 tries more of them, PRAXIS_SEED=… others.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileFormula } from '../../src/formulas/compile/compile.ts';
import { FormulaFault } from '../../src/formulas/language/fault.ts';
import type { Tree } from '../../src/formulas/language/tree.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { grounds } from '../support/service/praxis.ts';
import { rentals, rowFormulas } from './support/arbitraries.ts';
import { scope } from './support/descriptors.ts';
import { answer, recordOf } from './support/memory.ts';
import { RentalTable } from './support/table.ts';

const runs = Number(process.env['PRAXIS_FORMULAS'] ?? 400);
const seed = Number(process.env['PRAXIS_SEED'] ?? 20);
const rows = fc.sample(rentals, { seed, numRuns: 60 });

/** Undefined for a formula that compares words with one that they cannot be: it is refused. */
function compiled(formula: string): Tree | undefined {
  try {
    return compileFormula(formula, scope);
  } catch (error) {
    if (error instanceof FormulaFault && error.message.includes('none of its values')) return undefined;
    throw error;
  }
}

describe.each(grounds.filter(({ open }) => open !== undefined))('on $name', ({ open }) => {
  test(`formulas give the same, seed ${seed}`, { timeout: 60_000 + runs * 50 }, async () => {
    const ground = await open?.();
    if (ground === undefined) throw new Error('there is no database');
    const database = await openDatabase(ground.url);
    const table = new RentalTable(database);
    await table.make();
    await table.insert(rows);
    const tally = { tried: 0, said: 0 };
    const property = fc.asyncProperty(rowFormulas, async (formula) => {
      const tree = compiled(formula);
      fc.pre(tree !== undefined);
      const found = await table.answers(tree);
      tally.tried += 1;
      if (found === undefined) return;
      tally.said += 1;
      expect(found).toEqual(rows.map((row) => answer(tree, recordOf(row)).value));
    });
    try {
      await fc.assert(property, { seed, numRuns: runs });
    } finally {
      await database.close();
      await ground.close();
    }
    // Else it would say nothing about them.
    expect(tally.said).toBeGreaterThan(tally.tried / 3);
  });
});
