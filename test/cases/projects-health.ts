// The figures of health reports: what a project has come to by a day. All in Danish crowns; some costs are in zloty.
import { billing, issuedFor } from './billing-scenes.ts';
import { type Case, done, example, type Made, type World } from './case.ts';
import { at as projectAt } from './projects.ts';

const path = '/project-health-reports';
const day = '2026-03-31';
const on = (date: string, values: object) => ({ date, ...values });

/** A zloty is 2 crowns in the first half of March 2026, and 3 from then on. */
async function keepRates({ all, send }: World) {
  const pair = { fromCurrency: 'PLN', toCurrency: 'DKK' };
  if ((await all('exchange-rate-period', '&fromCurrency=PLN&toCurrency=DKK')).length > 0) return;
  await send('POST', '/exchange-rate-periods', { ...pair, start: '2026-03-01', end: '2026-03-15', rate: 2 });
  await send('POST', '/exchange-rate-periods', { ...pair, start: '2026-03-16', end: '2026-12-31', rate: 3 });
}

interface Parts {
  readonly project?: object;
  /** In which currency the member costs 42 an hour. */
  readonly costCurrency?: string;
}

/** A member whose hour is billed at 100.5 works on a project, which has revenue and costs of every kind. */
async function engaged(world: World, { project = {}, costCurrency = 'PLN' }: Parts = {}) {
  const { make, send } = world;
  await keepRates(world);
  const memberId = (await make('member')).id;
  const kind = { billingTypeId: 'tm', useRoles: false, currency: 'DKK' };
  const one = await make('project', { ...kind, ...project });
  const projectId = one.id;
  const costs = { overrideCostRate: true, costCurrency, costPerHour: 40, overheadCostPerHour: 2 };
  await send('POST', '/project-members', { projectId, memberId, rate: 100.5, isBillable: true, ...costs });
  return { world, one, projectId, memberId };
}
type Engaged = Awaited<ReturnType<typeof engaged>>;

/** Ten hours and a half are rejected, an hour is too late; 151 minutes are billed, 30 are not. */
async function worked({ world, projectId, memberId }: Engaged) {
  const work = (date: string, minutes: number, values: object = {}) =>
    world.send('POST', '/time-entries', { date, minutes, projectId, memberId, ...values });
  await work('2026-03-02', 90);
  await work(day, 61);
  await work('2026-03-20', 30, { isBillable: false, statusId: 'approved' });
  await work('2026-03-20', 630, { statusId: 'rejected' });
  await work('2026-04-01', 60);
}

async function spent({ world, projectId, memberId }: Engaged) {
  const { make, send } = world;
  const expenseReportId = (await make('expense-report', { memberId })).id;
  const expenseCategoryId = (await make('expense-category')).id;
  const item = (values: object) =>
    send('POST', '/expense-items', { expenseReportId, expenseCategoryId, projectId, ...values });
  const tenth = { markupMethod: 'percentage', markupRatio: 0.1 };
  await item(on('2026-03-02', { amount: 100, currency: 'DKK', isBillable: true, ...tenth }));
  // 3.333 × 3 = 9.999, rounded to 10
  await item(on(day, { amount: 3.333, currency: 'PLN', isBillable: true }));
  await item(on('2026-03-10', { amount: 20, currency: 'DKK', isBillable: false }));
  // Nobody knows what this is in crowns.
  await item(on('2026-03-10', { amount: 1000, currency: 'ISK', isBillable: true }));
  await item(on('2026-03-10', { amount: 500, currency: 'DKK', statusId: 'rejected' }));
  await item(on('2026-04-01', { amount: 700, currency: 'DKK' }));
  const cost = (values: object) => make('project-expense', { projectId, expenseCategoryId, ...values });
  const added = { markupMethod: 'amount', markupAmount: 25 };
  await cost(on('2026-03-05', { amount: 200, isBillable: true, ...added }));
  await cost(on(day, { amount: 30, isBillable: false }));
  await cost(on('2026-04-01', { amount: 800, isBillable: true }));
}

async function sold({ world, projectId }: Engaged) {
  const sell = (what: string, date: string, fee: number) =>
    world.make(`project-${what}-item`, { projectId, date, fee });
  for (const what of ['service', 'product', 'other']) await sell(what, '2026-04-01', 999);
  await sell('service', day, 50.5);
  await sell('product', '2026-03-03', 30.25);
  await sell('other', '2026-03-03', 4);
  const adjust = (revenueType: string, amount: number, date = day) =>
    world.send('POST', '/project-revenue-adjustments', { projectId, revenueType, amount, date });
  await adjust('services', -10);
  await adjust('expenses', 5);
  await adjust('products', 7);
  await adjust('other_items', -1);
  await adjust('services', 5000, '2026-04-01');
}

async function full(world: World, parts: Parts = {}) {
  const scene = await engaged(world, parts);
  await worked(scene);
  await spent(scene);
  await sold(scene);
  return scene;
}

const reporting = (
  says: string,
  given: (world: World) => Promise<{ readonly projectId: string }>,
  shows: object,
  date = day,
) =>
  example({
    says,
    given,
    when: ({ projectId }) => ['POST', path, { projectId, date }],
    gives: done(shows),
  });
const make = ({ world, projectId }: Engaged, date = day) => world.send('POST', path, { projectId, date });
const at = ({ id }: Made) => `${path}/${id}`;

// 151 ÷ 60 = 2.5167, 30 ÷ 60 = 0.5
const hours = { billableHours: 2.52, nonBillableHours: 0.5, totalHours: 3.02 };
// Revenue 110 + 10 + 225 + 5; costs 100 + 20 + 10 + 200 + 30.
const expenses = { expensesRevenue: 350, expensesCost: 360 };
const nothing = {
  ...{ billableHours: 0, nonBillableHours: 0, totalHours: 0 },
  ...{ servicesRevenue: 0, expensesRevenue: 0, totalRevenue: 0 },
  ...{ servicesCost: 0, expensesCost: 0, totalCost: 0, totalGrossProfit: 0, totalGrossMargin: null },
};
const unplanned = {
  ...{ budgetBillableHours: null, budgetNonBillableHours: null, budgetServicesRevenue: null },
  ...{ budgetExpensesRevenue: null, budgetTotalRevenue: null },
};

const taken: readonly Case[] = [
  reporting('A project without anything has come to nothing', engaged, { ...nothing, ...unplanned, useBudget: false }),
  reporting('Hours count up to the day of the report, but those that are rejected', full, hours),
  reporting(
    'Expenses count up to that day, each in the currency of the project at the rate of its own day',
    full,
    expenses,
  ),
  // 100.03 ÷ 1.2 has no end; 300.09 ÷ 1.2 = 250.075.
  reporting(
    'Converted expenses are added up exactly, and rounded once',
    async (world) => {
      const scene = await engaged(world);
      const known = await world.all('exchange-rate-period', '&fromCurrency=DKK&toCurrency=GEL');
      const period = { fromCurrency: 'DKK', toCurrency: 'GEL', start: '2026-03-01', end: '2026-03-31', rate: 1.2 };
      if (known.length === 0) await world.send('POST', '/exchange-rate-periods', period);
      const expenseReportId = (await world.make('expense-report', { memberId: scene.memberId })).id;
      const expenseCategoryId = (await world.make('expense-category')).id;
      const { projectId } = scene;
      const item = { expenseReportId, expenseCategoryId, projectId, date: day, currency: 'GEL', amount: 100.03 };
      for (const _item of [1, 2, 3]) await world.send('POST', '/expense-items', { ...item, isBillable: true });
      return scene;
    },
    { expensesRevenue: 250.08, expensesCost: 250.08 },
  ),
  // From the first day on: 90 minutes, 110 crowns of expenses.
  reporting(
    'A report on an earlier day knows nothing of later ones',
    full,
    {
      ...{ billableHours: 1.5, nonBillableHours: 0, totalHours: 1.5 },
      ...{ expensesRevenue: 110, expensesCost: 100 },
    },
    '2026-03-02',
  ),
  example({
    says: 'What comes later leaves a report as it is',
    given: async (world: World) => {
      const scene = await engaged(world);
      return { ...scene, report: await make(scene) };
    },
    when: ({ projectId, memberId }) => [
      'POST',
      '/time-entries',
      { date: '2026-03-02', minutes: 60, projectId, memberId },
    ],
    gives: done(),
    also: ({ report }) => [[at(report), nothing]],
  }),
  example({
    says: 'A report that moves to another day takes the figures anew',
    given: async (world: World) => {
      const scene = await engaged(world);
      const report = await make(scene, '2026-03-01');
      await worked(scene);
      return report;
    },
    when: (report) => ['PATCH', at(report), { date: day }],
    gives: done(hours),
  }),
  example({
    says: 'Another rating takes no figure anew',
    given: async (world: World) => {
      const scene = await engaged(world);
      const report = await make(scene);
      await worked(scene);
      return report;
    },
    when: (report) => ['PATCH', at(report), { budgetHealthId: 'fair', date: day }],
    gives: done({ ...nothing, score: 2 }),
  }),
];

const planned = {
  ...{ useBudget: true, budgetMode: 'summary' },
  budget: {
    ...{ servicesRevenue: 1000, productsRevenue: 20, otherRevenue: 3 },
    ...{ billableExpenses: 100.5, nonBillableExpenses: 7, billableHours: 40, nonBillableHours: 8 },
  },
};
// Revenue 1023, and 100.5 of expenses.
const ofBudget = {
  ...{ useBudget: true, budgetBillableHours: 40, budgetNonBillableHours: 8, budgetServicesRevenue: 1000 },
  ...{ budgetExpensesRevenue: 100.5, budgetTotalRevenue: 1123.5 },
};
const withBudget = (world: World) => engaged(world, { project: planned });
/** A report of a project that is so, which becomes that; then this is sent. */
const budgeted = (says: string, of: object, later: object, sent: object, shows: object) =>
  example({
    says,
    given: async (world: World) => {
      const scene = await engaged(world, { project: of });
      const report = await make(scene);
      await world.send('PATCH', projectAt(scene.one), later);
      return report;
    },
    when: (report) => ['PATCH', at(report), sent],
    gives: done(shows),
  });
const moved = { date: '2026-04-30' };
const budgets: readonly Case[] = [
  reporting('A report shows the budget of the project', withBudget, ofBudget),
  budgeted('The budget in a report stays', planned, { budget: { billableHours: 50 } }, { notes: 'Fine' }, ofBudget),
  budgeted('A report that moves shows the budget as it is then', planned, { budget: { billableHours: 50 } }, moved, {
    ...{ ...ofBudget, budgetBillableHours: 50 },
  }),
  budgeted('A report of a project without a budget never gets one', {}, planned, moved, {
    ...{ ...unplanned, useBudget: false },
  }),
  budgeted('A report that moves has no budget once the project has none', planned, { useBudget: false }, moved, {
    ...{ ...unplanned, useBudget: true },
  }),
];

const fixed = { billingTypeId: 'fixed', revenueRecognitionMethod: 'invoiced' };
/** A fixed fee, of which one part is invoiced, another is not, and a third is for later. */
async function scheduled(world: World) {
  const scene = await engaged(world, { project: { ...fixed, currency: 'USD' } });
  const { one, projectId } = scene;
  const part = (date: string, fee: number) => world.make('project-billing-schedule-item', { projectId, date, fee });
  const [first, , third] = [await part(day, 400), await part('2026-03-01', 300), await part('2026-04-01', 200)];
  const clientId = (one['client'] as Made).id;
  const item = 'project_billing_schedule_item';
  await issuedFor(world, clientId, { lines: [billing(projectId, 600, [item, first as Made], [item, third as Made])] });
  await worked(scene);
  return scene;
}
/** A fixed fee that is recognised by hand. */
async function recognised(world: World) {
  const scene = await engaged(world, { project: { ...fixed, revenueRecognitionMethod: 'manual' } });
  const { projectId } = scene;
  const enter = (date: string, amount: number) =>
    world.send('POST', '/project-revenue-recognition-entries', { projectId, date, amount });
  await enter('2026-03-01', 120.25);
  await enter(day, -20);
  await enter('2026-04-01', 500);
  await world.make('project-billing-schedule-item', { projectId, date: day, fee: 77 });
  await worked(scene);
  return scene;
}
const methods: readonly Case[] = [
  reporting('A fixed fee is earned when it is invoiced, not when somebody works', scheduled, {
    ...{ ...hours, servicesRevenue: 400, totalRevenue: 400 },
  }),
  reporting('A fixed fee that is recognised by hand is earned as that says', recognised, {
    ...{ ...hours, servicesRevenue: 100.25, totalRevenue: 100.25 },
  }),
  reporting(
    'A project that is not billed any more earns nothing, and costs what it cost',
    async (world: World) => {
      const scene = await full(world);
      await world.send('PATCH', projectAt(scene.one), { billingTypeId: 'non_billable' });
      return scene;
    },
    { ...hours, servicesRevenue: 0, expensesRevenue: 0, totalRevenue: 0, expensesCost: 360, totalGrossMargin: null },
  ),
];

const rated: readonly Case[] = [
  // 151 × 100.5 ÷ 60 = 252.925, rounded 252.93; 50.5 of an item, 10 less by correction; 30.25 + 4 + 7 − 1 besides.
  reporting('Time is earned at its rates, with what is sold besides', full, {
    ...{ servicesRevenue: 293.43, totalRevenue: 683.68 },
  }),
  // 90 × 42 × 2 + 91 × 42 × 3 = 19026, ÷ 60 = 317.1; with 360 of expenses 677.1. Profit 683.68 − 677.1 = 6.58
  reporting('Time costs what its members cost, at the rate of each day', full, {
    ...{ servicesCost: 317.1, totalCost: 677.1, totalGrossProfit: 6.58, totalGrossMargin: 0.009624 },
  }),
  // 181 × 42 ÷ 60
  reporting('Costs in the currency of the project need no rate', (world) => full(world, { costCurrency: 'DKK' }), {
    ...{ servicesCost: 126.7, totalCost: 486.7, totalGrossProfit: 196.98 },
  }),
  reporting('Costs of which no rate is known are left out', (world) => full(world, { costCurrency: 'ISK' }), {
    ...{ servicesCost: 0, totalCost: 360, totalGrossProfit: 323.68 },
  }),
  reporting(
    'A loss is shown as such, with a margin below 0',
    async (world) => {
      const scene = await engaged(world, { costCurrency: 'DKK' });
      await worked(scene);
      await world.send('POST', '/project-revenue-adjustments', {
        ...{ projectId: scene.projectId, date: day, revenueType: 'services', amount: -200 },
      });
      return scene;
    },
    // 252.93 − 200 = 52.93, less 126.7; −73.77 ÷ 52.93
    { totalRevenue: 52.93, totalGrossProfit: -73.77, totalGrossMargin: -1.393728 },
  ),
];

export const projectHealth: readonly Case[] = [...taken, ...budgets, ...methods, ...rated];
