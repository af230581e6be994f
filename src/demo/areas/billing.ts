// Invoices of each month, and what becomes of them: paid, in part or in full, credited, void, or still a draft.
import type { InvoiceCreate } from '../../../codegen/generated/client.ts';
import { addDays } from '../../values/date.ts';
import { addMonths, lastOfMonth, monthName, timeAt, workdayFrom } from '../plan/calendar.ts';
import { cents, type Plan } from '../plan/plan.ts';
import type { Planned } from '../plan/planned.ts';
import type { Account } from './clients.ts';
import { taxRate } from './house.ts';
import type { Charge, Ledger, Source } from './ledger.ts';
import type { Job } from './projects.ts';

/** A line of an invoice, and the records that it bills. */
interface Line {
  readonly job: Job;
  readonly description: string;
  readonly price: { readonly quantity: number; readonly rate: number } | { readonly amount: number };
  readonly invoiceItem: Charge['invoiceItem'];
  readonly sources: readonly Source[];
  /** The advance that it uses up. */
  readonly advance?: Planned;
}

/** A line holds at most so many records. */
const mostSources = 1000;

/** What a firm has done, for whom, and what of it is not billed yet. */
interface Business {
  readonly accounts: readonly Account[];
  readonly jobs: readonly Job[];
  readonly ledger: Ledger;
}

/** Plans the invoices for one month, one a client, in the second week of the next: its hours are approved by then. */
export function planBilling(plan: Plan, { accounts, jobs, ledger }: Business, month: string): void {
  const { random, span } = plan;
  const last = lastOfMonth(month);
  for (const account of accounts) {
    const issuedOn = workdayFrom(addDays(addMonths(month, 1), random.between(10, 13)));
    if (issuedOn > span.last) continue;
    const lines = jobs.filter((job) => job.account === account).flatMap((job) => linesOf(ledger, job, last));
    if (lines.length > 0)
      planInvoice(plan, ledger, { account, lines, issuedOn, month, place: ledger.place('invoice') });
  }
}

/** Hours by role and rate, then what was agreed or spent. */
function linesOf(ledger: Ledger, job: Job, last: string): Line[] {
  const lines: Line[] = [];
  const worked = ledger.takeWork(job, last);
  if (job.row.billing === 'tm') {
    let billed = 0;
    for (const entries of Map.groupBy(worked, ({ what, rate }) => `${what} ${rate}`).values()) {
      const quantity = entries.reduce((sum, entry) => sum + entry.minutes, 0) / 60;
      const { what = '', rate = 0 } = entries[0] ?? {};
      billed += quantity * rate;
      lines.push({
        job,
        description: `${job.row.name}: ${what}, ${monthName(last)}`,
        price: { quantity, rate },
        invoiceItem: 'Service',
        sources: entries.slice(0, mostSources).map(({ record }) => ({ typeId: 'time_entry', record })),
      });
    }
    // At most half of what the hours cost, so that something is left to pay.
    const used = ledger.useAdvance(job, cents(billed / 2));
    if (used !== undefined)
      lines.push({
        job,
        description: `${job.row.name}: of your advance`,
        price: { amount: -used.amount },
        invoiceItem: 'Prepayment',
        sources: [],
        advance: used.record,
      });
  }
  for (const { description, amount, invoiceItem, source } of ledger.takeCharges(job, last))
    lines.push({ job, description, price: { amount }, invoiceItem, sources: [source] });
  return lines;
}

interface Bill {
  readonly account: Account;
  readonly lines: readonly Line[];
  readonly issuedOn: string;
  readonly month: string;
  /** Of the invoice among all. */
  readonly place: number;
}

type LineBody = NonNullable<InvoiceCreate['lines']>[number];

const lineBody = (plan: Plan, { job, description, price, invoiceItem, sources, advance }: Line): LineBody => ({
  projectId: job.record.id,
  invoiceItemId: plan.id('invoiceItems', invoiceItem),
  description,
  ...price,
  projectPrepaymentId: advance?.id ?? null,
  sources: sources.map(({ typeId, record }) => ({ typeId, id: record.id })),
});

function planInvoice(plan: Plan, ledger: Ledger, bill: Bill): void {
  const { random, timeline, span } = plan;
  const { account, lines, issuedOn, month, place } = bill;
  const at = timeAt(issuedOn, [8, random.between(0, 59), random.between(0, 59)]);
  const isDraft = addDays(issuedOn, 40) > span.last && place % 3 === 0;
  const isReduced = place % 12 === 5;
  const body = (): InvoiceCreate => ({
    clientId: account.record.id,
    statusId: isDraft ? 'draft' : 'issued',
    issuedOn,
    servicesThrough: lastOfMonth(month),
    sentOn: isDraft ? null : issuedOn,
    // Clients abroad account for the tax themselves.
    taxRateId: account.isTaxed ? plan.id('taxRates', taxRate) : null,
    discountMethod: isReduced ? 'percentage' : null,
    discountRatio: isReduced ? 0.05 : null,
    lines: lines.map((line) => lineBody(plan, line)),
  });
  const invoice = timeline.make(at, (praxis) => praxis.invoices.create(body()));
  if (isDraft) return;
  for (const { job, sources, price } of lines)
    for (const { typeId, record } of sources)
      if (typeId === 'project_prepayment' && 'amount' in price) ledger.advance(job, record, price.amount);
  if (place % 19 === 4 && addDays(issuedOn, 9) <= span.last) {
    // Sent with the wrong order number: made void, and written again.
    timeline.add(at + 86_400_000, (praxis) => praxis.invoices.update(invoice.id, { statusId: 'void' }));
    const again = timeline.make(at + 86_500_000, (praxis) =>
      praxis.invoices.create({
        ...body(),
        notes: 'Replaces our invoice of the day before.',
      }),
    );
    planSettlement(plan, bill, again);
  } else planSettlement(plan, bill, invoice);
}

/** Credits a little of some, and has most of them paid. */
function planSettlement(plan: Plan, bill: Bill, invoice: Planned): void {
  const { random, span } = plan;
  if (bill.place % 8 === 1) planCredit(plan, bill, invoice);
  const receivedOn = workdayFrom(addDays(bill.issuedOn, random.between(14, 52)));
  const share = bill.place % 11 === 3 ? 0.5 : 1;
  if (receivedOn > span.last || random.chance(0.03)) return;
  planPayment(plan, { ...bill, invoice, receivedOn, share });
  const second = workdayFrom(addDays(receivedOn, 30));
  if (share < 1 && second <= span.last && random.chance(0.7))
    planPayment(plan, { ...bill, invoice, receivedOn: second, share: 1 });
}

interface Payment extends Bill {
  readonly invoice: Planned;
  readonly receivedOn: string;
  /** Of what is due then. */
  readonly share: number;
}

function planPayment(plan: Plan, { account, invoice, receivedOn, share }: Payment): void {
  const { random, timeline } = plan;
  const method = random.chance(0.85) ? 'Bank Transfer' : random.pick(['Credit Card', 'Check']);
  const reference = `${account.row.code}-${random.between(100_000, 999_999)}`;
  timeline.add(timeAt(receivedOn, [10, random.between(0, 59), random.between(0, 59)]), async (praxis) => {
    const { number, amountDue } = await praxis.invoices.get(invoice.id);
    const amount = share === 1 ? amountDue : cents(amountDue * share);
    if (amount <= 0) return;
    await praxis.payments.create({
      clientId: account.record.id,
      receivedOn,
      referenceNumber: reference,
      notes: `Payment of ${number}`,
      amount,
      paymentMethodId: plan.id('paymentMethods', method),
      invoices: [{ id: invoice.id, amount }],
    });
  });
}

const fates = ['apply', 'draft', 'void', 'apply', 'keep'] as const;

/** A credit for a few hours; most are applied to the invoice at once, others wait. */
function planCredit(plan: Plan, { account, issuedOn, lines, place }: Bill, invoice: Planned): void {
  const { random, timeline, span } = plan;
  const date = workdayFrom(addDays(issuedOn, random.between(3, 10)));
  const line = lines[0];
  if (date > span.last || line === undefined) return;
  const amount = random.between(2, 9) * 50;
  const fate = fates[Math.floor(place / 8) % fates.length];
  const at = timeAt(date, [9, random.between(0, 59)]);
  const credit = timeline.make(at, (praxis) =>
    praxis.creditNotes.create({
      clientId: account.record.id,
      statusId: fate === 'draft' ? 'draft' : 'issued',
      issuedOn: date,
      subject: 'Credit for hours billed in error',
      notes: 'With our apologies.',
      taxRateId: null,
      lines: [{ description: `${line.job.row.name}: correction`, amount, projectId: line.job.record.id }],
    }),
  );
  if (fate === 'void')
    timeline.add(at + 3_600_000, (praxis) => praxis.creditNotes.update(credit.id, { statusId: 'void' }));
  if (fate !== 'apply') return;
  timeline.add(at + 60_000, async (praxis) => {
    const { amountDue } = await praxis.invoices.get(invoice.id);
    if (amountDue > 0)
      await praxis.creditNotes.update(credit.id, {
        invoices: [{ id: invoice.id, amount: Math.min(amount, amountDue) }],
      });
  });
}
