// What members spend: a report a journey, with its items and receipts.
import { addDays } from '../values/date.ts';
import { lastOfMonth, monthName, timeAt } from './calendar.ts';
import { priceIn } from './house.ts';
import { cents, type Plan } from './plan.ts';
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
  const at = timeAt(date, 14, random.between(0, 59));
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

function planJourney(plan: Plan, { job, as, date, ledger }: Journey): void {
  const { random, timeline, span } = plan;
  const member = as.staff.record;
  const at = timeAt(date, 14, random.between(0, 59));
  const place = ledger.place('journey');
  const isOpen = addDays(date, 20) > span.last;
  const statusId = isOpen
    ? random.pick(['not_submitted', 'pending_approval'] as const)
    : place % 15 === 3
      ? 'rejected'
      : 'approved';
  const report = timeline.make(
    at,
    (praxis) =>
      praxis.expenseReports.create({
        memberId: member.id,
        title: `Journey to ${job.account.name}`,
        notes: `Meetings on ${job.row.name}`,
        date,
      }),
    member,
  );
  const spent = [...random.some(journeys, random.between(2, 4))];
  for (const [row, { category, vendors, usual, notes }] of spent.entries()) {
    const amount = cents((priceIn(plan, job.account.currency, usual) * random.between(70, 140)) / 100);
    const vendor = random.pick(vendors);
    const hasMarkup = random.chance(0.1);
    const itemAt = at + 1000 * (row + 1);
    const item = timeline.make(
      itemAt,
      (praxis) =>
        praxis.expenseItems.create({
          expenseReportId: report.id,
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
      member,
    );
    const size = random.between(40_000, 900_000);
    timeline.make(
      itemAt + 1,
      (praxis) =>
        praxis.expenseReceipts.create({
          expenseItemId: item.id,
          fileName: `${vendor.toLowerCase().replaceAll(/[^a-z]+/g, '-')}-${date}.pdf`,
          contentType: 'application/pdf',
          size,
          url: `https://files.lindqvist-moreau.example/receipts/${date}/${item.id}.pdf`,
        }),
      member,
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
  if (!random.chance(0.4)) return;
  const unitCount = random.between(20, 320);
  timeline.make(
    at + 20_000,
    (praxis) =>
      praxis.expenseItems.create({
        expenseReportId: report.id,
        expenseCategoryId: plan.id('expenseCategories', 'Mileage'),
        date,
        notes: 'Own car to the station',
        unitCount,
        isBillable: false,
        statusId,
      }),
    member,
  );
}
