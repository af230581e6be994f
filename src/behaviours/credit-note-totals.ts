// The amounts of a credit note and the states that follow from them (domain: Credit Notes).
import type { Values } from '../registry/model.ts';
import { minorUnits } from '../values/currency.ts';
import { add, isZero, multiply, round, subtract } from '../values/decimal.ts';
import { amountOf, setAmount, sumOf } from './amounts.ts';
import { setLineAmounts, taxRatioOf, totals } from './invoice-totals.ts';
import { itemsOf } from './record-values.ts';
import { type Moment, type Rule, textOf } from './rule.ts';

/**
 * Derives the amounts of lines and credit note while it is a draft, what is applied and what remains, and `applied` once
 * nothing does.
 */
export const creditNoteTotals = {
  says: 'While the record is a draft, the amounts of its lines and its totals are computed. What is applied and what remains follow; the status becomes applied once nothing remains.',
  parameters: {},
  needs: {
    this: {
      ...totals,
      amountApplied: 'decimal',
      amountRemaining: 'decimal',
      invoices: 'objects',
    },
    'this.invoices': { amount: 'decimal' },
    'this.lines': {
      quantity: 'decimal',
      rate: 'decimal',
      amount: { field: 'decimal', filled: true },
      taxable: 'boolean',
    },
  },
  on: ['create', 'update'],
  derive: async (moment) => {
    const { before, values } = moment;
    if (!moment.isSound('currency', 'lines', 'invoices')) return;
    if (before === undefined || before.statusId === 'draft' || values.statusId === 'draft') await setTotals(moment);
    const applied = sumOf(itemsOf(values, 'invoices'), 'amount');
    setAmount(moment, 'amountApplied', applied);
    const isVoid = values.statusId === 'void';
    const remaining = isVoid ? '0' : subtract(amountOf(values, 'total'), applied);
    // Beyond the total the check of the invoices says what is wrong.
    values.amountRemaining = remaining.startsWith('-') ? '0' : remaining;
    if (values.statusId === 'issued' || values.statusId === 'applied')
      values.statusId = isZero(values.amountRemaining) ? 'applied' : 'issued';
  },
  check: ({ before, values, refuse }) => {
    const [from, to] = [before?.statusId, values.statusId];
    const isTakenBack = (from === 'issued' || from === 'applied') && (to === 'draft' || to === 'void');
    if (isTakenBack && !isZero(amountOf(values, 'amountApplied')))
      refuse('statusId', `cannot change from '${from}' to '${to}'`);
  },
} as const satisfies Rule;

async function setTotals(moment: Moment): Promise<void> {
  const { values } = moment;
  const units = minorUnits(textOf(values, 'currency') ?? '');
  setLineAmounts(moment, units);
  const lines = itemsOf(values, 'lines').map((line, index) => ({ ...line, lineNumber: index + 1 }));
  values.lines = lines;
  setAmount(moment, 'taxRatio', await taxRatioOf(moment));
  setAmount(moment, 'subtotal', sumOf(lines, 'amount'));
  const taxable = lines.filter((line: Values) => line.taxable === true);
  setAmount(moment, 'totalTax', round(multiply(sumOf(taxable, 'amount'), amountOf(values, 'taxRatio')), units));
  setAmount(moment, 'total', add(amountOf(values, 'subtotal'), amountOf(values, 'totalTax')));
}
