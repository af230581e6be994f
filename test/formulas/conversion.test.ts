// `convert` by the settings of the product: at the rate of the day, which is divided exactly and not rounded.
import { expect, test } from 'vitest';
import { compileFormula } from '../../src/formulas/compile/compile.ts';
import { Shapes } from '../../src/registry/formulas/shapes.ts';
import type { RawDescriptor } from '../../src/registry/model/vocabulary.ts';
import { readSources } from '../../src/registry/read/source.ts';
import { folders } from '../support/service/praxis.ts';
import { answer, type Rows, recordOf } from './support/memory.ts';

const { sources } = readSources(folders.product);
const scope = new Shapes(new Map(sources.map(({ name, data }) => [name, data as RawDescriptor]))).scope('project');

const period = (id: string, fromCurrency: string, toCurrency: string, rate: string) => ({
  id,
  fromCurrency,
  toCurrency,
  rate,
  start: '2026-03-01',
  end: '2026-03-31',
});
/** The main currency is the dollar. */
const rows: Rows = {
  'exchange-rate-period': [
    period('p1', 'EUR', 'USD', '1.25'),
    period('p2', 'GBP', 'USD', '1.6'),
    period('p3', 'USD', 'JPY', '150'),
    period('p4', 'CHF', 'EUR', '1.1'),
  ],
};

test.each([
  ['EUR', 'EUR', '2026-03-15', '100', 'a currency in itself'],
  ['CAD', 'CAD', '2026-05-15', '100', 'a currency of which no rate is known, in itself'],
  ['EUR', 'USD', '2026-03-15', '125', 'by the period'],
  ['EUR', 'USD', '2026-03-01', '125', 'on its first day'],
  ['EUR', 'USD', '2026-03-31', '125', 'on its last day'],
  ['EUR', 'USD', '2026-02-28', null, 'on the day before'],
  ['EUR', 'USD', '2026-04-01', null, 'on the day after'],
  ['USD', 'EUR', '2026-03-15', '80', 'by 1 ÷ the period of the other direction'],
  ['CHF', 'EUR', '2026-03-15', '110', 'by a period beside the main currency'],
  // 1.25 × 150
  ['EUR', 'JPY', '2026-03-15', '18750', 'in two steps over the main currency'],
  // 1.25 ÷ 1.6 = 0.78125
  ['EUR', 'GBP', '2026-03-15', '78.125', 'in two steps, the second the other way round'],
  // 100 ÷ (150 × 1.25) = 0.5333…
  ['JPY', 'EUR', '2026-03-15', `0.5${'3'.repeat(39)}`, 'in two steps, both the other way round'],
  ['CHF', 'USD', '2026-03-15', null, 'over no other currency than the main one'],
  ['EUR', 'CAD', '2026-03-15', null, 'where no rate is known'],
])('100 %s in %s on %s are %s: %s', (from, to, date, gives, _how) => {
  const tree = compileFormula(`convert(100, '${from}', '${to}', start)`, scope);
  const { value } = answer(tree, recordOf({ start: date }), { rows, workspace: { currency: 'USD' } });
  expect(value).toBe(gives);
});
