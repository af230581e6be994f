// What members spend: a report a journey, with its items and receipts.
import { addDays } from '../values/date.ts';
import { lastOfMonth, monthName, timeAt } from './calendar.ts';
import { priceIn } from './house.ts';
import { cents, type Plan } from './plan.ts';
import type { Planned } from './planned.ts';
import type { Job, TeamMember } from './projects.ts';
import type { Workforce } from './time.ts';

interface Spending {
  readonly category: string;
  readonly vendors: readonly string[];
  readonly usual: number;
  readonly notes: string;
}

const journeys: readonly Spending[] = [
  { category: 'Airfare', vendors: ['Lufthansa', 'SAS', 'Air Canada', 'Ryanair'], usual: 240, notes: 'Return flight' },
  { category: 'Lodging', vendors: ['Motel One', 'Scandic', 'Ibis', 'Novotel'], usual: 190, notes: 'Two nights' },
  {
    category: 'Ground Transportation',
    vendors: ['Deutsche Bahn', 'SNCF', 'Uber', 'Taxi'],
    usual: 45,
    notes: 'To the client and back',
  },
  { category: 'Meals', vendors: ['Station Café', 'Canteen', 'Bistro Central'], usual: 28, notes: 'Lunch on the way' },
];

/** Plans the journeys of one month, in the month's last days. */
export function planMonthOfExpenses(plan: Plan, { jobs, internal, staff, ledger }: Workforce, month: string): void {
  const { random } = plan;
  const end = lastOfMonth(month);
  const date = end > plan.span.last ? plan.span.last : addDays(end, -random.between(0, 2));
  for (const job of jobs) {
    const as = random.pick(job.team);
    if (job.isActiveOn(date) && random.chance(0.3)) planJourney(plan, { job, as, date, ledger });
  }
  const one = random.pick(staff.filter(({ start, end: left }) => start <= month && left === undefined));
  const at = timeAt(date, [14, random.between(0, 59)]);
  const report = plan.timeline.make(
    at,
    (praxis) =>
      praxis.expenseReports.create({ memberId: one.record.id, title: `Office supplies, ${monthName(month)}`, date }),
    one.record,
  );
  const amount = cents(random.between(2000, 14_000) / 100);
  plan.timeline.make(
    at + 1000,
    (praxis) =>
      praxis.expenseItems.create({
        expenseReportId: report.id,
        expenseCategoryId: plan.id('expenseCategories', 'Other'),
        projectId: internal.id,
        date,
        vendor: 'Papier & Co.',
        notes: 'Paper, markers, sticky notes',
        amount,
        statusId: 'approved',
      }),
    one.record,
  );
}

interface Journey {
  readonly job: Job;
  readonly as: TeamMember;
  readonly date: string;
  readonly ledger: Workforce['ledger'];
}

/** A report that is there, and what its items have in common. */
interface Report extends Journey {
  readonly record: Planned;
  readonly at: number;
  readonly statusId: 'not_submitted' | 'pending_approval' | 'rejected' | 'approved';
}

function planJourney(plan: Plan, journey: Journey): void {
  const { random } = plan;
  const report = planReport(plan, journey);
  const spent = [...random.some(journeys, random.between(2, 4))];
  for (const [row, spending] of spent.entries())
    planSpending(plan, { ...report, at: report.at + 1000 * (row + 1) }, spending);
  if (random.chance(0.4)) planMileage(plan, report);
}

function planReport(plan: Plan, journey: Journey): Report {
  const { random, timeline, span } = plan;
  const { job, as, date, ledger } = journey;
  const at = timeAt(date, [14, random.between(0, 59)]);
  const place = ledger.place('journey');
  const isOpen = addDays(date, 20) > span.last;
  const statusId = isOpen
    ? random.pick(['not_submitted', 'pending_approval'] as const)
    : place % 15 === 3
      ? 'rejected'
      : 'approved';
  const record = timeline.make(
    at,
    (praxis) =>
      praxis.expenseReports.create({
        memberId: as.staff.record.id,
        title: `Journey to ${job.account.name}`,
        notes: `Meetings on ${job.row.name}`,
        date,
      }),
    as.staff.record,
  );
  return { ...journey, record, at, statusId };
}

/** An item with its receipt. */
function planSpending(plan: Plan, report: Report, { category, vendors, usual, notes }: Spending): void {
  const { random, timeline } = plan;
  const { job, as, date, ledger, at, statusId } = report;
  const amount = cents((priceIn(plan, job.account.currency, usual) * random.between(70, 140)) / 100);
  const vendor = random.pick(vendors);
  const hasMarkup = random.chance(0.1);
  const item = timeline.make(
    at,
    (praxis) =>
      praxis.expenseItems.create({
        expenseReportId: report.record.id,
        expenseCategoryId: plan.id('expenseCategories', category),
        projectId: job.record.id,
        date,
        vendor,
        notes,
        amount,
        statusId,
        markupMethod: hasMarkup ? 'percentage' : null,
        markupRatio: hasMarkup ? 0.05 : null,
      }),
    as.staff.record,
  );
  const size = random.between(40_000, 900_000);
  timeline.make(
    at + 1,
    (praxis) =>
      praxis.expenseReceipts.create({
        expenseItemId: item.id,
        fileName: `${vendor.toLowerCase().replaceAll(/[^a-z]+/g, '-')}-${date}.pdf`,
        contentType: 'application/pdf',
        size,
        url: `https://files.lindqvist-moreau.example/receipts/${date}/${item.id}.pdf`,
      }),
    as.staff.record,
  );
  if (statusId === 'approved')
    ledger.charge({
      source: { typeId: 'expense_item', record: item },
      job,
      date,
      description: `${category}: ${vendor}, ${date}`,
      amount: hasMarkup ? cents(amount * 1.05) : amount,
      invoiceItem: 'Expense',
    });
}

function planMileage(plan: Plan, { record, as, date, at, statusId }: Report): void {
  const unitCount = plan.random.between(20, 320);
  plan.timeline.make(
    at + 20_000,
    (praxis) =>
      praxis.expenseItems.create({
        expenseReportId: record.id,
        expenseCategoryId: plan.id('expenseCategories', 'Mileage'),
        date,
        notes: 'Own car to the station',
        unitCount,
        isBillable: false,
        statusId,
      }),
    as.staff.record,
  );
}
