// The finances of projects besides hours: agreed billing, purchases, budgets, rate cards, reports.
import type { InvoiceLinesItemSourcesItemTypeId, Praxis } from '../../../codegen/generated/client.ts';
import { addDays } from '../../values/date.ts';
import { addMonths, lastOfMonth, monthName, monthsFrom, workdayFrom } from '../plan/calendar.ts';
import { cents, type Plan } from '../plan/plan.ts';
import { priceIn } from './house.ts';
import type { Charge, Ledger } from './ledger.ts';
import type { Job } from './projects.ts';

/** Plans what belongs to one project. */
export function planFinancials(plan: Plan, ledger: Ledger, job: Job): void {
  planBudget(plan, job);
  if (job.isTentative) return;
  if (job.row.billing !== 'tm') planSchedule(plan, ledger, job);
  else planAdvance(plan, ledger, job);
  planRateCards(plan, job);
  planExtras(plan, ledger, job);
  planRevenue(plan, job);
  planHealth(plan, job);
}

interface ChargeOptions extends Omit<Charge, 'source'> {
  readonly typeId: InvoiceLinesItemSourcesItemTypeId;
  readonly create: (praxis: Praxis) => Promise<{ readonly id: string }>;
  /** When it is written down; by default when the project is. */
  readonly at?: number;
}

/** Plans a record that is billed as it stands, once its day has come. */
function planCharge(plan: Plan, ledger: Ledger, { typeId, create, at, ...charge }: ChargeOptions): void {
  if (charge.date > plan.span.last && typeId !== 'project_billing_schedule_item') return;
  const record = plan.timeline.make(at ?? charge.job.at + 30_000, create);
  ledger.charge({ ...charge, source: { typeId, record } });
}

/** Fixed fees: a third at the start, the rest in two parts; fees per month: one a month. */
function planSchedule(plan: Plan, ledger: Ledger, job: Job): void {
  const { row, start, end, fee } = job;
  const isRecurring = row.billing === 'fixed_recurring';
  const parts: { date: string; name: string; amount: number }[] = isRecurring
    ? monthsFrom(start, end).map((month) => ({
        date: workdayFrom(lastOfMonth(month)),
        name: `${row.name}, ${monthName(month)}`,
        amount: fee,
      }))
    : [
        { date: start, name: `${row.name}: on order, 30 %`, amount: cents(fee * 0.3) },
        {
          date: addMonths(start, Math.floor(row.months / 2)),
          name: `${row.name}: interim result, 40 %`,
          amount: cents(fee * 0.4),
        },
        { date: end, name: `${row.name}: on acceptance, 30 %`, amount: cents(fee * 0.3) },
      ];
  for (const { date, name, amount } of parts)
    planCharge(plan, ledger, {
      job,
      typeId: 'project_billing_schedule_item',
      date,
      description: name,
      amount,
      invoiceItem: 'Service',
      create: (praxis) =>
        praxis.projectBillingScheduleItems.create({
          projectId: job.record.id,
          date,
          invoiceItemId: plan.id('invoiceItems', 'Service'),
          typeId: isRecurring ? 'recurring' : 'custom',
          name,
          fee: amount,
        }),
    });
}

/** Some clients pay in advance. */
function planAdvance(plan: Plan, ledger: Ledger, job: Job): void {
  if (ledger.place('advance') % 4 !== 1) return;
  const amount = cents(Math.round(job.fee / 10_000) * 1000);
  const description = `Advance for ${job.row.name}`;
  planCharge(plan, ledger, {
    job,
    typeId: 'project_prepayment',
    date: job.start,
    description,
    amount,
    invoiceItem: 'Prepayment',
    create: (praxis) =>
      praxis.projectPrepayments.create({
        projectId: job.record.id,
        date: job.start,
        invoiceItemId: plan.id('invoiceItems', 'Prepayment'),
        description,
        amount,
        notes: 'Agreed in the order',
      }),
  });
}

const dayWithin = ({ random, span }: Plan, { start, end }: Job): string => {
  const last = end < span.last ? end : span.last;
  const days = Math.max(1, Math.floor((Date.parse(last) - Date.parse(start)) / 86_400_000) - 5);
  return workdayFrom(addDays(start, random.between(0, days)));
};

const extras = [
  ['projectServiceItems', 'project_service_item', 'Service', 'Additional workshop on site', 1, 2400],
  ['projectServiceItems', 'project_service_item', 'Service', 'Weekend cut-over', 2, 1450],
  ['projectProductItems', 'project_product_item', 'Product', 'Annual licence, search engine', 1, 3600],
  ['projectProductItems', 'project_product_item', 'Product', 'Handheld scanner', 12, 310],
  ['projectProductItems', 'project_product_item', 'Product', 'Usability test recordings, storage', 6, 75],
  ['projectOtherItems', 'project_other_item', 'Other', 'Hosting during the pilot', 3, 290],
  ['projectOtherItems', 'project_other_item', 'Other', 'Printed training material', 40, 12.5],
] as const;
const purchases = [
  ['Subcontractor', 'Studio Fabbri', 'Illustrations', 1850],
  ['Subcontractor', 'Penetra Security Labs', 'Penetration test', 5200],
  ['Software & Licences', 'Cloudhaus', 'Test environment', 640],
  ['Other', 'Participants Direct', 'Recruiting of test users', 980],
] as const;

function planExtras(plan: Plan, ledger: Ledger, job: Job): void {
  const { random } = plan;
  if (job.start > plan.span.last) return;
  const rateOf = (usual: number): number => priceIn(plan, job.account.currency, usual);
  for (const [group, typeId, invoiceItem, description, quantity, usual] of random.some(extras, random.between(0, 2))) {
    const rate = rateOf(usual);
    const date = dayWithin(plan, job);
    const amount = cents(quantity * rate);
    const at = Math.max(job.at + 30_000, plan.during(date));
    planCharge(plan, ledger, {
      job,
      typeId,
      date,
      description,
      amount,
      invoiceItem,
      at,
      create: (praxis) =>
        praxis[group].create({
          projectId: job.record.id,
          date,
          invoiceItemId: plan.id('invoiceItems', invoiceItem),
          description,
          quantity,
          rate,
        }),
    });
  }
  if (!random.chance(0.35)) return;
  const [category, vendor, notes, usual] = random.pick(purchases);
  const cost = rateOf(usual);
  const date = dayWithin(plan, job);
  const ratio = random.pick([0, 0.1, 0.15]);
  planCharge(plan, ledger, {
    job,
    typeId: 'project_expense',
    date,
    description: `${notes} (${vendor})`,
    amount: cents(cost * (1 + ratio)),
    invoiceItem: 'Expense',
    at: Math.max(job.at + 30_000, plan.during(date)),
    create: (praxis) =>
      praxis.projectExpenses.create({
        projectId: job.record.id,
        date,
        vendor,
        notes,
        amount: cost,
        expenseCategoryId: plan.id('expenseCategories', category),
        markupMethod: ratio === 0 ? null : 'percentage',
        markupRatio: ratio === 0 ? null : ratio,
      }),
  });
}

const budgeted = [
  ['ServiceItems', 'Training on site', 'Service', 3000],
  ['ProductItems', 'Licences', 'Product', 2400],
  ['OtherItems', 'Hosting', 'Other', 900],
] as const;

/** What the budget lists besides hours, where it lists anything. */
function planBudget(plan: Plan, { record, at, budgetMode, monthlyBudgetMode, account }: Job): void {
  const { timeline, random } = plan;
  const amount = (usual: number): number => priceIn(plan, account.currency, usual);
  const lists = [
    ...(budgetMode === 'summary' ? [] : (['projectBudget'] as const)),
    ...(monthlyBudgetMode === 'detailed' ? (['projectMonthlyBudget'] as const) : []),
  ];
  for (const list of lists) {
    const factor = list === 'projectBudget' ? 1 : 0.1;
    for (const [kind, description, item, usual] of random.some(budgeted, random.between(1, 3)))
      timeline.make(at + 40_000, (praxis) =>
        praxis[`${list}${kind}`].create({
          projectId: record.id,
          invoiceItemId: plan.id('invoiceItems', item),
          description,
          fee: amount(usual * factor),
        }),
      );
    for (const [category, usual] of [
      ['Lodging', 2500],
      ['Ground Transportation', 1200],
    ] as const)
      timeline.make(at + 40_000, (praxis) =>
        praxis[`${list}Expenses`].create({
          projectId: record.id,
          expenseCategoryId: plan.id('expenseCategories', category),
          billableAmount: amount(usual * factor),
          nonBillableAmount: amount(usual * factor * 0.2),
          notes: 'Two journeys a month',
        }),
      );
  }
}

/** Rates that rise with the year; the first card holds what was agreed. */
function planRateCards(plan: Plan, { record, at, row, team, raise, usesRoles }: Job): void {
  if (row.billing !== 'tm' || row.months < 6) return;
  const roles = new Map(team.flatMap(({ role, rate }) => (role === undefined ? [] : [[role.record, rate] as const])));
  const rates = (factor: number) =>
    usesRoles
      ? { roleRates: [...roles].map(([role, rate]) => ({ projectRoleId: role.id, rate: cents(rate * factor) })) }
      : { memberRates: team.map(({ staff, rate }) => ({ memberId: staff.record.id, rate: cents(rate * factor) })) };
  plan.timeline.make(at + 50_000, (praxis) =>
    praxis.projectRateCards.create({
      projectId: record.id,
      notes: 'As agreed in the order',
      ...rates(1),
    }),
  );
  if (raise !== undefined)
    plan.timeline.make(at + 51_000, (praxis) =>
      praxis.projectRateCards.create({
        projectId: record.id,
        start: raise.from,
        notes: 'Yearly adjustment',
        ...rates(raise.factor),
      }),
    );
}

/** Revenue of fixed fees that is recognised by hand, and corrections. */
function planRevenue(plan: Plan, { record, at, isManual, start, end, fee }: Job): void {
  const { timeline, random, span } = plan;
  const months = isManual ? monthsFrom(start, end) : [];
  for (const month of months) {
    const date = lastOfMonth(month);
    if (date > span.last || month < span.first) continue;
    timeline.make(plan.during(date), (praxis) =>
      praxis.projectRevenueRecognitionEntries.create({
        projectId: record.id,
        date,
        amount: cents(fee / months.length),
        notes: `Progress in ${monthName(month)}`,
      }),
    );
  }
  const corrected = addDays(start, 50);
  if (random.chance(0.2) && corrected <= span.last && corrected >= span.first)
    timeline.make(Math.max(at + 55_000, plan.during(workdayFrom(corrected))), (praxis) =>
      praxis.projectRevenueAdjustments.create({
        projectId: record.id,
        date: corrected,
        revenueType: 'services',
        amount: -450,
        notes: 'Goodwill for the delayed start',
      }),
    );
}

const remarks = {
  excellent: ['On plan', 'The client is very happy', 'Ahead of the schedule'],
  fair: ['Slightly behind, but the date holds', 'Some rework after the last test', 'Budget is tight'],
  poor: ['Waiting for decisions of the client', 'More hours than planned', 'Two people short'],
} as const;

/** A report at the end of each second month. */
function planHealth(plan: Plan, { record, start, end, team }: Job): void {
  const { random, timeline, span } = plan;
  const lead = team[0]?.staff.record;
  for (const [place, month] of monthsFrom(start, end).entries()) {
    const date = lastOfMonth(month);
    if (place % 2 === 0 || date > span.last || month < span.first) continue;
    const rate = (): keyof typeof remarks => random.pick(['excellent', 'excellent', 'fair', 'fair', 'poor']);
    const ratings = { budget: rate(), schedule: rate(), client: rate(), team: rate() };
    const notes = { budget: random.pick(remarks[ratings.budget]), schedule: random.pick(remarks[ratings.schedule]) };
    timeline.make(
      plan.during(workdayFrom(date) > span.last ? date : workdayFrom(date)),
      (praxis) =>
        praxis.projectHealthReports.create({
          projectId: record.id,
          date,
          budgetHealthId: ratings.budget,
          budgetHealthNotes: notes.budget,
          scheduleHealthId: ratings.schedule,
          scheduleHealthNotes: notes.schedule,
          clientSatisfactionId: ratings.client,
          teamSatisfactionId: ratings.team,
        }),
      lead,
    );
  }
}
