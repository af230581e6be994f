// The amounts of an invoice and the states that follow from them (domain: Invoices).
import type { Values } from '../registry/model.ts';
import type { Needs } from '../registry/parameters.ts';
import { minorUnits } from '../values/currency.ts';
import { add, compare, divide, isZero, multiply, round, subtract } from '../values/decimal.ts';
import { amountFault, amountOf, setAmount, sumOf } from './amounts.ts';
import { isUnset, itemsOf } from './record-values.ts';
import { type Moment, type Rule, textOf } from './rule.ts';

/** What invoices and credit notes both have, by the names that their totals are computed under. */
export const totals = {
  statusId: 'enum',
  currency: 'currency',
  lines: 'objects',
  taxRateId: 'reference',
  taxRatio: 'decimal',
  subtotal: 'decimal',
  totalTax: 'decimal',
  total: 'decimal',
} as const satisfies Needs;

/** Derives the amounts of lines and invoice while it is a draft, what is due, and `paid` once nothing is. */
export const invoiceTotals = {
  says: 'While the record is a draft, the amounts of its lines and its totals are computed. What is due follows from what is paid and credited; the status becomes paid once nothing is due.',
  parameters: {},
  needs: {
    this: {
      ...totals,
      discountMethod: 'enum',
      discountRatio: 'decimal',
      discountAmount: 'decimal',
      totalDiscount: 'decimal',
      amountPaid: 'decimal',
      amountCredited: 'decimal',
      amountDue: 'decimal',
    },
    'this.lines': {
      quantity: 'decimal',
      rate: 'decimal',
      amount: { field: 'decimal', filled: true },
      taxable: 'boolean',
    },
    'this.taxRateId': { rate: 'decimal' },
  },
  on: ['create', 'update'],
  derive: async (moment) => {
    const { before, values } = moment;
    if (!moment.isSound('currency', 'lines', 'discountRatio', 'discountAmount')) return;
    const isDraft = before === undefined || before.statusId === 'draft' || values.statusId === 'draft';
    if (isDraft) {
      const units = minorUnits(textOf(values, 'currency') ?? '');
      setLineAmounts(moment, units);
      setAmount(moment, 'taxRatio', await taxRatioOf(moment));
      setTotals(moment, units);
    }
    values.amountPaid ??= '0';
    setAmount(moment, 'amountDue', dueOf(values));
    values.statusId = stateOf(values);
  },
  check: ({ before, values, refuse }) => {
    const from = before?.statusId;
    const to = values.statusId;
    const isSettled = !isZero(amountOf(values, 'amountPaid')) || !isZero(amountOf(values, 'amountCredited'));
    const isTakenBack = from === 'issued' && (to === 'draft' || to === 'void');
    if (isTakenBack && isSettled) refuse('statusId', `cannot change from '${from}' to '${to}'`);
  },
} as const satisfies Rule;

/** What is still to be paid; nothing of a void invoice. */
export const dueOf = (invoice: Readonly<Values>): string =>
  invoice.statusId === 'void'
    ? '0'
    : subtract(amountOf(invoice, 'total'), add(amountOf(invoice, 'amountPaid'), amountOf(invoice, 'amountCredited')));

/** The state that an issued or paid invoice is in, by what is due; others keep theirs. */
export function stateOf(invoice: Readonly<Values>): string {
  const state = textOf(invoice, 'statusId') ?? 'draft';
  if (state !== 'issued' && state !== 'paid') return state;
  return compare(amountOf(invoice, 'amountDue'), '0') <= 0 ? 'paid' : 'issued';
}

/** Gives each line with quantity and rate their product as its amount, which a body must not bring. */
export function setLineAmounts(moment: Moment, units: number): void {
  const { resource, before, values, sent, refuse } = moment;
  const list = resource.byKey.get('lines');
  const field = list?.kind === 'objects' ? list.fields.find(({ key }) => key === 'amount') : undefined;
  const isSent = before === undefined || sent.has('lines');
  values.lines = itemsOf(values, 'lines').map((line, index) => {
    if (isUnset(line.quantity) || isUnset(line.rate)) return line;
    const place = `lines[${index}].amount`;
    if (isSent && !isUnset(line.amount)) refuse(place, 'is not allowed');
    const amount = round(multiply(amountOf(line, 'quantity'), amountOf(line, 'rate')), units);
    const fault = amountFault(field, amount);
    if (fault !== undefined) refuse(place, `must be ${fault}`);
    return { ...line, amount };
  });
}

/** The rate of the tax rate that the record names; 0 without. */
export async function taxRatioOf({ resource, values, records }: Moment): Promise<string> {
  const field = resource.byKey.get('taxRateId');
  const id = textOf(values, 'taxRateId');
  const rate = field?.kind === 'reference' && id !== null ? await records.find(field.target, id) : undefined;
  return rate === undefined ? '0' : amountOf(rate, 'rate');
}

function setTotals(moment: Moment, units: number): void {
  const { values } = moment;
  const lines = itemsOf(values, 'lines');
  const subtotal = sumOf(lines, 'amount');
  const discount = discountOf(moment, subtotal, units);
  const taxed = multiply(
    sumOf(
      lines.filter((line) => line.taxable === true),
      'amount',
    ),
    amountOf(values, 'taxRatio'),
  );
  // taxed × (1 − discount ÷ subtotal), divided last, so that nothing is rounded on the way.
  const tax = isZero(subtotal) ? taxed : divide(multiply(taxed, subtract(subtotal, discount)), subtotal);
  setAmount(moment, 'subtotal', subtotal);
  setAmount(moment, 'totalDiscount', discount);
  setAmount(moment, 'totalTax', round(tax, units));
  setAmount(moment, 'total', add(subtract(subtotal, discount), amountOf(values, 'totalTax')));
}

function discountOf({ values, refuse }: Moment, subtotal: string, units: number): string {
  switch (values.discountMethod) {
    case 'percentage':
      return compare(subtotal, '0') < 0 ? '0' : round(multiply(subtotal, amountOf(values, 'discountRatio')), units);
    case 'amount': {
      const amount = amountOf(values, 'discountAmount');
      if (compare(amount, subtotal) > 0) refuse('discountAmount', `must be at most ${subtotal}`);
      return amount;
    }
    default:
      return '0';
  }
}
