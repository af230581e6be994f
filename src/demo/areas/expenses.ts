// Expenses of members: a report for each trip, with items and receipts.
import { addDays } from '../../values/date.ts';
import { lastOfMonth, monthName, timeAt, workdayFrom } from '../plan/calendar.ts';
import { cents, type Plan } from '../plan/plan.ts';
import type { Planned } from '../plan/planned.ts';
import { priceIn } from './house.ts';
import type { Staff } from './people.ts';
import type { TeamMember } from './project-team.ts';
import type { Job } from './projects.ts';
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
  const item = plan.timeline.make(
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
      }),
    one.record,
  );
  // The firm's own expenses are approved as soon as they are submitted.
  submit(plan, { item, at: at + 60_000, by: one });
}

interface Submission {
  readonly item: Planned;
  readonly at: number;
  readonly by: Staff;
}

function submit({ timeline }: Plan, { item, at, by }: Submission): void {
  timeline.add(at, (praxis) => praxis.expenseItems.update(item.id, { statusId: 'pending_approval' }), by.record);
}

/** What becomes of an item by the end of the history. */
type Fate = 'not_submitted' | 'pending_approval' | 'rejected' | 'resubmitted' | 'approved';

/** Submits an item on the evening of its journey, and decides on it some days later. */
function planApproval(plan: Plan, { item, at, by }: Submission, fate: Fate): void {
  if (fate === 'not_submitted') return;
  submit(plan, { item, at: at + 60_000, by });
  if (fate === 'pending_approval') return;
  const day = workdayFrom(addDays(new Date(at).toISOString().slice(0, 10), 2));
  const decided = timeAt(day, [9, plan.random.between(0, 59), plan.random.between(0, 59)]);
  const decide = (when: number, statusId: 'rejected' | 'approved'): void =>
    plan.timeline.add(when, (praxis) => praxis.expenseItems.update(item.id, { statusId }), by.manager?.record);
  decide(decided, fate === 'approved' ? 'approved' : 'rejected');
  if (fate !== 'resubmitted') return;
  submit(plan, { item, at: decided + 7_200_000, by });
  decide(decided + 86_400_000, 'approved');
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
  readonly fate: Fate;
}

function planJourney(plan: Plan, journey: Journey): void {
  const { random } = plan;
  const report = planReport(plan, journey);
  const spent = [...random.some(journeys, random.between(2, 4))];
  for (const [row, spending] of spent.entries())
    planSpending(plan, { ...report, at: report.at + 1000 * (row + 1) }, spending);
  if (random.chance(0.4)) planMileage(plan, report);
}

/** Most are in order; one in twelve is refused for good, another one mended. */
const settledFates: readonly Fate[] = Array.from({ length: 12 }, (_fate, place) =>
  place === 2 ? 'rejected' : place === 5 ? 'resubmitted' : 'approved',
);

function planReport(plan: Plan, journey: Journey): Report {
  const { random, timeline, span } = plan;
  const { job, as, date, ledger } = journey;
  const at = timeAt(date, [14, random.between(0, 59)]);
  const isOpen = addDays(date, 20) > span.last;
  // What is approved as it is submitted is never sent back.
  const settle = (): Fate => settledFates[ledger.place('journey') % settledFates.length] ?? 'approved';
  const settled = isOpen || job.approvesExpenses ? 'approved' : settle();
  const isSubmitted = isOpen && !job.approvesExpenses && ledger.place('open journey') % 2 === 1;
  const fate = !isOpen ? settled : isSubmitted ? 'pending_approval' : 'not_submitted';
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
  return { ...journey, record, at, fate };
}

/** An item with its receipt. */
function planSpending(plan: Plan, report: Report, { category, vendors, usual, notes }: Spending): void {
  const { random, timeline } = plan;
  const { job, as, date, ledger, at, fate } = report;
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
  planApproval(plan, { item, at, by: as.staff }, fate);
  if (fate === 'approved' || fate === 'resubmitted')
    ledger.charge({
      source: { typeId: 'expense_item', record: item },
      job,
      date,
      description: `${category}: ${vendor}, ${date}`,
      amount: hasMarkup ? cents(amount * 1.05) : amount,
      invoiceItem: 'Expense',
    });
}

/** Of no project: the member's manager decides, or nobody has to. */
function planMileage(plan: Plan, { record, as, date, at, fate }: Report): void {
  const unitCount = plan.random.between(20, 320);
  const item = plan.timeline.make(
    at + 20_000,
    (praxis) =>
      praxis.expenseItems.create({
        expenseReportId: record.id,
        expenseCategoryId: plan.id('expenseCategories', 'Mileage'),
        date,
        notes: 'Own car to the station',
        unitCount,
        isBillable: false,
      }),
    as.staff.record,
  );
  planApproval(
    plan,
    { item, at: at + 20_000, by: as.staff },
    fate === 'not_submitted' || fate === 'pending_approval' ? fate : 'approved',
  );
}
