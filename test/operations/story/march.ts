// March: an advance that is paid and drawn down, new rates, a client in another currency, and the end of the project.
import { expect, test } from 'vitest';
import { expectProblem } from '../../support/service/answers.ts';
import type { Context } from '../../support/service/praxis.ts';
import type { Asked, Teller } from './teller.ts';

export function drawTheAdvance({ make, change, see, list, the, at, refused, held }: Teller): void {
  const on = () => ({ projectId: the('the project') });
  const drawn = (amount: number) => ({ ...on(), amount, taxable: false, projectPrepaymentId: the('advance') });
  const february = (draw: number) => ({
    clientId: the('the client'),
    issuedOn: '2026-03-05',
    lines: [
      ...(
        [
          ['Mara in February', { quantity: 6, rate: 190 }],
          ['Ben in February', { amount: 933.33 }],
          ['Zoe in February', { quantity: 3.5, rate: 140 }],
        ] as const
      ).map(([name, price]) => ({ ...on(), ...price, sources: [{ typeId: 'time_entry', id: the(name) }] })),
      { ...on(), amount: 64.25, sources: [{ typeId: 'expense_item', id: the('bus') }] },
      drawn(draw),
    ],
  });
  const draw = (amount: number): Asked => ['POST', '/invoices', february(amount)];

  test('an advance is there once it is billed', async () => {
    const advance = { ...on(), date: '2026-03-02', description: 'Advance', amount: 3000 };
    await make('advance', '/project-prepayments', advance, { amountApplied: 0, amountRemaining: 0, invoiced: false });
    await refused(draw(-1), "'lines[4].amount' must be at least 0");
    const sources = [{ typeId: 'project_prepayment', id: the('advance') }];
    const bill = { clientId: the('the client'), issuedOn: '2026-03-02', statusId: 'issued' };
    await make(
      'bill of the advance',
      '/invoices',
      { ...bill, lines: [{ ...on(), amount: 3000, taxable: false, sources }] },
      { number: 'INV-0004', totalTax: 0, total: 3000, dueOn: '2026-04-01' },
    );
    await see('advance', { amountApplied: 0, amountRemaining: 3000, invoiced: true });
    await held(['PATCH', at('advance'), { amount: 4000 }], 'The Project Prepayment is read-only.');
    await make('payment of the advance', '/payments', {
      clientId: the('the client'),
      amount: 3000,
      invoices: [{ id: the('bill of the advance'), amount: 3000 }],
    });
    await see('bill of the advance', { statusId: 'paid', amountDue: 0 });
  });

  test('later bills draw on it, and give back when they are void', async () => {
    await refused(draw(5), "'lines[4].amount' must be less than 0");
    await refused(draw(-3000.01), "'lines[4].amount' must be at least -3000");
    await make('bill of February', '/invoices', february(-2000), {
      // 6 × 190; 400 ÷ 60 × 140; 3.5 × 140
      lines: [{ amount: 1140 }, { amount: 933.33 }, { amount: 490 }, { amount: 64.25 }, { amount: -2000 }],
      // 1140 + 933.33 + 490 + 64.25 − 2000; (1140 + 933.33 + 490) × 0.0825 = 211.474…
      ...{ subtotal: 627.58, totalTax: 211.47, total: 839.05 },
    });
    await see('advance', { amountApplied: 0, amountRemaining: 3000 });
    await change('bill of February', { statusId: 'issued' }, { statusId: 'issued', amountDue: 839.05 });
    // 3000 − 2000
    await see('advance', { amountApplied: 2000, amountRemaining: 1000 });
    await change('bill of February', { statusId: 'void' }, { statusId: 'void', amountDue: 0 });
    await see('advance', { amountApplied: 0, amountRemaining: 3000 });
    await see('Ben in February', { invoiced: false, invoice: null });

    await make(
      'bill again',
      '/invoices',
      { ...february(-2500), statusId: 'issued' },
      {
        // 627.58 − 500; + 211.47
        subtotal: 127.58,
        totalTax: 211.47,
        total: 339.05,
        number: 'INV-0006',
      },
    );
    // 3000 − 2500
    await see('advance', { amountApplied: 2500, amountRemaining: 500 });
    const more = { clientId: the('the client'), lines: [{ ...on(), amount: 600 }, drawn(-500.01)] };
    await refused(['POST', '/invoices', more], "'lines[1].amount' must be at least -500");
    await held(['DELETE', at('advance')], 'The Project Prepayment is read-only.');

    // A bill that the advance pays in full has nothing left to pay.
    const last = { clientId: the('the client'), lines: [{ ...on(), amount: 500, taxable: false }, drawn(-500)] };
    await make('last draw', '/invoices', last, { statusId: 'draft', total: 0, amountDue: 0 });
    await change('last draw', { statusId: 'issued' }, { statusId: 'paid', total: 0, amountDue: 0 });
    // 2500 + 500
    await see('advance', { amountApplied: 3000, amountRemaining: 0 });
    await list(`/invoices?projectId=${the('the project')}`, [
      { number: 'INV-0007', statusId: 'paid' },
      { number: 'INV-0006', statusId: 'issued' },
      { number: 'INV-0005', statusId: 'void' },
      { number: 'INV-0004', statusId: 'paid' },
      { number: 'INV-0002', statusId: 'void' },
      { number: 'INV-0001', statusId: 'paid' },
    ]);
  });
}

export function workInMarch(context: Context, teller: Teller): void {
  const { make, change, settle, remove, see, the, at, refused, held } = teller;

  test('new rates hold from the first of the month', async () => {
    const on = (name: string, date: string) => ({ memberId: the(name), projectId: the('the project'), date });
    await make(
      'Mara in March',
      '/time-entries',
      { ...on('Mara', '2026-03-03'), minutes: 300 },
      { rate: 210, costPerHour: 77.5 },
    );
    const consultant = { ...on('Ben', '2026-03-04'), projectRoleId: the('Consultant') };
    await make(
      'Ben in March',
      '/time-entries',
      { ...consultant, minutes: 480 },
      {
        // The new card says nothing of consultants, so the rate of the role; 9240 ÷ (18 Mondays to Thursdays × 8) = 64.1666…
        rate: 150,
        costPerHour: 64.1667,
      },
    );
    await change('Ben', { timesheetCapacityPolicy: 'timesheet' });
    await refused(
      ['POST', '/timesheets', { memberId: the('Ben'), start: '2026-03-02', end: '2026-03-08' }],
      // four days × 8
      "'hours' must be at least 32, the member's capacity",
    );
    await make(
      'March of Ben',
      '/timesheets',
      { memberId: the('Ben'), start: '2026-03-04', end: '2026-03-04' },
      { hours: 8 },
    );
  });

  test('the quarter has come to this', async () => {
    const end = { projectId: the('the project'), date: '2026-03-31', budgetHealthId: 'excellent' };
    await make(
      'report of March',
      '/project-health-reports',
      { ...end, teamSatisfactionId: 'excellent' },
      {
        // 3 + 3; 4025 + 300 + 480 = 4805, ÷ 60; + 1.5
        ...{ score: 6, billableHours: 80.08, nonBillableHours: 1.5, totalHours: 81.58 },
        // 10 891.666… + 5 × 210 + 8 × 150 = 13 141.67; + 1500 − 128.33
        servicesRevenue: 14513.34,
        // 14 513.34 + 1861.54 + 400 + 250
        ...{ expensesRevenue: 1861.54, totalRevenue: 17024.88 },
        // 4147.3466… + 5 × 77.50 + 8 × 64.1667 = 4147.3466… + 387.50 + 513.3336
        servicesCost: 5048.18,
        // 5048.18 + 1812.17; 17 024.88 − 6860.35; ÷ 17 024.88 = 0.5970397…
        ...{ expensesCost: 1812.17, totalCost: 6860.35, totalGrossProfit: 10164.53, totalGrossMargin: 0.59704 },
      },
    );
  });

  test('a project that is locked or completed takes no more', async () => {
    const entry = { memberId: the('Mara'), projectId: the('the project'), date: '2026-03-31', minutes: 60 };
    const expense = {
      ...{ expenseReportId: the('trip of Mara'), expenseCategoryId: the('Meals') },
      ...{ projectId: the('the project'), date: '2026-03-31', amount: 1 },
    };
    await change('the project', { lockTimeAndExpenses: true });
    const locked = "'projectId' must be a project that is not locked for time and expenses";
    await refused(['POST', '/time-entries', entry], locked);
    await refused(['PATCH', at('Mara in March'), { minutes: 60 }], locked);
    await refused(['POST', '/expense-items', expense], locked);
    const done = await change('the project', { lockTimeAndExpenses: false, statusId: 'completed' });
    expect(done['completedOn']).toMatch(/^\d{4}-\d\d-\d\d$/);
    await refused(['POST', '/time-entries', entry], "'projectId' must be an active project that takes time");
    await refused(['POST', '/expense-items', expense], "'projectId' must be an active project that takes expenses");
    await change('the project', { statusId: 'in_progress' }, { statusId: 'in_progress', completedOn: null });
    await see('Mara in March', { minutes: 300 });
    await change('Zoe on it', { isActive: false });
    await refused(
      ['POST', '/time-entries', { ...entry, memberId: the('Zoe') }],
      "'memberId' must be an active member of the project",
    );
  });
  test('without rate cards roles have their own rates', async () => {
    await settle({ features: ['pipeline', 'business_units'] });
    expectProblem(
      await context.call('GET', '/project-rate-cards'),
      403,
      "Feature 'Project Rate Cards' is not enabled.",
    );
    // 40 × 200 + 100 × 150 + 1500; + 800 + 250.50
    await see('the project', { budget: { servicesRevenue: 24500, revenue: 25550.5 } });
    await see('Mara in March', { rate: 210 });
    await change('Mara in March', { notes: 'On site' }, { rate: 200, costPerHour: 77.5 });
    await settle({ features: ['pipeline', 'business_units', 'project_rate_cards'] });
    // 40 × 190 + 100 × 140 + 1500
    await see('the project', { budget: { servicesRevenue: 23100, revenue: 24150.5 } });
    await change('Mara in March', { notes: null }, { rate: 210 });
  });

  test('a rate card and a raise that are taken back leave their days to what was before', async () => {
    await remove('first rates');
    await see('spring rates', { start: null, end: null, isBudgetRateCard: true });
    // 40 × 210 + 100 × 150 + 1500; + 800 + 250.50
    await see('the project', { budget: { servicesRevenue: 24900, revenue: 25950.5 } });
    await remove('raise of Mara');
    await see('cost of Mara', { end: null, totalCostPerHour: 72.5 });
    await held(['DELETE', at('cost of Mara')], 'The Cost Period is in use and cannot be deleted.');
    await see('Mara in March', { costPerHour: 77.5 });
    await change('Mara in March', { minutes: 240 }, { rate: 210, costPerHour: 72.5 });
    // Billed time stays as it was billed.
    await see('Mara 05', { rate: 190, costPerHour: 72.5, invoiced: true });
  });

  test('what has a history stays', async () => {
    for (const [name, title] of [
      ['the project', 'Project'],
      ['Mara on it', 'Project Member'],
      ['Lead', 'Project Role'],
      ['Build', 'Task'],
      ['Rollout', 'Task'],
      ['Vacation', 'Time Off Type'],
      ['Airfare', 'Expense Category'],
      ['Mara', 'Member'],
      ['Phase', 'Task Category'],
    ] as const)
      await held(['DELETE', at(name)], `The ${title} is in use and cannot be deleted.`);
  });
}
