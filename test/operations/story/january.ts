// January: work and its caps, weeks that are handed in, sent back and approved, expenses, and what the month has come to.
import { test } from 'vitest';
import type { Teller } from './teller.ts';

export function workInJanuary({ make, change, see, the, at, refused }: Teller): void {
  const hours = (name: string, date: string, minutes: number, more: object = {}) => ({
    ...{ memberId: the(name), projectId: the('the project'), date: `2026-01-${date}`, minutes },
    ...more,
  });
  const enter = (name: string, date: string, minutes: number, more: object = {}, shows = {}) =>
    make(`${name} ${date}`, '/time-entries', hours(name, date, minutes, more), shows);

  test('time is billed by the card of its day and costs what its member costs then', async () => {
    const lead = { projectRole: { name: 'Lead' }, isBillable: true, rate: 190, rateCurrency: 'USD' };
    const design = { taskId: the('Design') };
    // 60 + 12.50
    await enter('Mara', '05', 480, design, { ...lead, costPerHour: 72.5, costCurrency: 'USD', invoiced: false });
    await enter('Mara', '06', 480, design, lead);
    await enter('Mara', '07', 240, design, lead);
    await enter('Mara', '08', 240, design, lead);
    const build = { taskId: the('Build'), projectRoleId: the('Consultant') };
    // 9240 ÷ (21 working days × 8), for the 1st is a holiday
    const consultant = { isBillable: true, rate: 140, costPerHour: 55 };
    await enter('Ben', '05', 450, build, consultant);
    await enter('Ben', '06', 450, build, consultant);
    await enter('Ben', '07', 300, build, consultant);
    await enter(
      'Ben',
      '08',
      90,
      { projectRoleId: the('Coordination') },
      { isBillable: false, rate: null, rateCurrency: null, costPerHour: 55 },
    );
    // 30 + 5, which the project says of her
    await enter(
      'Zoe',
      '09',
      445,
      { taskId: the('Build') },
      { projectRole: { name: 'Consultant' }, rate: 140, costPerHour: 35 },
    );
    await make(
      'day off',
      '/time-entries',
      { memberId: the('Mara'), date: '2026-01-12', minutes: 480, timeOffTypeId: the('Vacation') },
      { typeId: 'time_off', isBillable: false, rate: null, costPerHour: 72.5, project: null },
    );
  });

  test('time beyond what project, task and member have left is refused', async () => {
    const refusedHours = (body: object, ...texts: readonly string[]) =>
      refused(['POST', '/time-entries', { ...body }], ...texts);
    // 24 × 60 − (480 + 480 + 240 + 240)
    await refusedHours(
      hours('Mara', '09', 1, { taskId: the('Design') }),
      "'minutes' must be at most 0, what is left of the 24 hours of the task",
    );
    // 10 × 60 − 240
    await refusedHours(
      hours('Mara', '08', 361),
      "'minutes' must be at most 360, what is left of the 10 hours that the project takes of a member a day",
    );
    // 20 × 60 − (450 + 450 + 300)
    await refusedHours(
      hours('Ben', '09', 15, { taskId: the('Build'), projectRoleId: the('Consultant') }),
      "'minutes' must be at most 0, what is left of the member's 20 hours on the task",
    );
    await refused(
      ['PATCH', at('Mara 07'), { minutes: 241 }],
      "'minutes' must be at most 240, what is left of the 24 hours of the task",
    );
    await refusedHours(hours('Mara', '09', 60, { taskId: the('Rollout') }), "'taskId' must be a standard task");
    await refusedHours(hours('Ben', '09', 60), "'projectRoleId' is required");
    await refusedHours(
      hours('Mara', '09', 60, { projectRoleId: the('Consultant') }),
      "'projectRoleId' must be a role assigned to the member",
    );
    await refusedHours(
      hours('Ben', '09', 60, { projectRoleId: the('Coordination'), isBillable: true }),
      "'isBillable' must be false unless project, project member, role and task are billable",
    );
    await refusedHours(
      hours('Mara', '09', 60, { startTime: '09:00', endTime: '10:00' }),
      "'startTime' must be left out: the member tracks time by duration",
    );
    await refusedHours(
      hours('Ada', '09', 60, { projectRoleId: the('Coordination') }),
      "'memberId' must be an active member of the project",
    );
  });

  test('a task that is done takes no more time', async () => {
    await change('Design', { statusId: 'completed' });
    await refused(
      ['POST', '/time-entries', hours('Mara', '09', 60, { taskId: the('Design') })],
      "'taskId' must be an active task that is not completed",
    );
    await see('Mara 08', { task: { name: 'Design' }, minutes: 240 });
  });
}

export function handInJanuary({ make, change, remove, see, list, the, at, refused, held }: Teller): void {
  const week = (name: string) => ({ memberId: the(name), start: '2026-01-05', end: '2026-01-11' });
  const confirm = (name: string) =>
    make(
      `word of ${name}`,
      '/timesheet-attestations',
      { timesheetId: the(`week of ${name}`), isConfirmed: true },
      { statement: 'I have worked these hours.', member: { id: the(name) } },
    );

  test('a week that is handed in waits, and nobody touches its time', async () => {
    await make('week of Mara', '/timesheets', week('Mara'), {
      // (480 + 480 + 240 + 240) ÷ 60
      ...{ hours: 24, statusId: 'pending_approval' },
      timeEntries: [{ minutes: 480 }, { minutes: 480 }, { minutes: 240 }, { minutes: 240 }],
    });
    await see('Mara 05', { statusId: 'pending_approval', timesheet: { id: the('week of Mara') } });
    // On the 12th she was off: another week.
    await see('day off', { statusId: 'not_submitted', timesheet: null });

    await held(['PATCH', at('Mara 05'), { minutes: 60 }], 'The Time Entry is read-only.');
    await held(['DELETE', at('Mara 05')], 'The Time Entry is read-only.');
    await held(
      ['POST', '/timesheets', { ...week('Mara'), end: '2026-01-05' }],
      'A Timesheet with overlapping dates already exists.',
    );
    await refused(
      ['POST', '/timesheets', { ...week('Mara'), start: '2026-01-11', end: '2026-01-12' }],
      "'end' must be in the same week as start",
    );
    await refused(
      ['POST', '/timesheets', { ...week('Mara'), start: '2026-01-19', end: '2026-01-25' }],
      "'start' must be the start of a period with time entries",
    );
    await refused(
      [
        'POST',
        '/time-entries',
        { memberId: the('Mara'), projectId: the('the project'), date: '2026-01-09', minutes: 60 },
      ],
      "'date' must be outside of the member's submitted timesheets",
    );
  });

  test('it is approved once the member stands by it', async () => {
    await refused(
      ['PATCH', at('week of Mara'), { statusId: 'approved' }],
      "'statusId' must be pending_approval or rejected until the member has confirmed the timesheet",
    );
    await confirm('Mara');
    await held(
      ['POST', '/timesheet-attestations', { timesheetId: the('week of Mara'), isConfirmed: true }],
      'A Timesheet Attestation with the same timesheet already exists.',
    );
    await change('week of Mara', { statusId: 'approved' }, { statusId: 'approved', hours: 24 });
    await see('Mara 08', { statusId: 'approved', rate: 190 });
    await held(['DELETE', at('word of Mara')], 'The Timesheet Attestation is read-only.');
    await refused(
      ['PATCH', at('Mara 08'), { statusId: 'not_submitted' }],
      "'statusId' must be other than not_submitted inside a timesheet",
    );
  });

  test('one entry is sent back, and with it the week, until it is mended', async () => {
    // (450 + 450 + 300 + 90) ÷ 60
    await make('week of Ben', '/timesheets', week('Ben'), { hours: 21.5, statusId: 'pending_approval' });
    await change('Ben 07', { statusId: 'rejected' });
    await see('week of Ben', { statusId: 'rejected', hours: 21.5 });
    await make(
      'report of the 9th',
      '/project-health-reports',
      { projectId: the('the project'), date: '2026-01-09' },
      {
        // Without the 300 that are sent back: 480 + 480 + 240 + 240 + 450 + 450 + 445 = 2785, ÷ 60; 90 ÷ 60; 46.42 + 1.5
        ...{ billableHours: 46.42, nonBillableHours: 1.5, totalHours: 47.92 },
        // 24 × 190 + (15 + 445 ÷ 60) × 140 = 4560 + 2100 + 1038.333…
        ...{ servicesRevenue: 7698.33, expensesRevenue: 0, totalRevenue: 7698.33 },
        // 24 × 72.50 + (15 + 1.5) × 55 + 445 ÷ 60 × 35 = 1740 + 907.50 + 259.583…
        ...{ servicesCost: 2907.08, expensesCost: 0, totalCost: 2907.08 },
        // 7698.33 − 2907.08; ÷ 7698.33
        ...{ totalGrossProfit: 4791.25, totalGrossMargin: 0.622375, score: null },
      },
    );
    // What is sent back counts in no cap, until it is submitted again: 20 × 60 − (450 + 450)
    await change('Ben 07', { minutes: 301 }, { minutes: 301, statusId: 'rejected' });
    await refused(
      ['PATCH', at('Ben 07'), { statusId: 'pending_approval' }],
      "'minutes' must be at most 300, what is left of the member's 20 hours on the task",
    );
    await change('Ben 07', { minutes: 270 }, { minutes: 270, statusId: 'rejected', rate: 140, costPerHour: 55 });
    // 21.5 − 0.5
    await see('week of Ben', { statusId: 'rejected', hours: 21 });
    await change('Ben 07', { statusId: 'pending_approval' });
    await see('week of Ben', { statusId: 'pending_approval', hours: 21 });
    await confirm('Ben');
    await change('week of Ben', { statusId: 'approved' });
    await see('Ben 07', { statusId: 'approved', minutes: 270 });
    await see('Ben 08', { statusId: 'approved', isBillable: false });

    // 445 ÷ 60 = 7.4166…
    await make('week of Zoe', '/timesheets', week('Zoe'), { hours: 7.42 });
    await confirm('Zoe');
    await change('week of Zoe', { statusId: 'approved' });
    await list('/timesheets', [{ hours: 7.42 }, { hours: 21 }, { hours: 24 }]);
    await refused(
      ['PATCH', at('week of Zoe'), { statusId: 'rejected' }],
      "'statusId' cannot change from 'approved' to 'rejected'",
    );
  });
  test('a week of time off that nobody need approve is approved as it is handed in', async () => {
    const off = { memberId: the('Mara'), start: '2026-01-12', end: '2026-01-18' };
    await make('week off', '/timesheets', off, { hours: 8, statusId: 'approved', timeEntries: [{ minutes: 480 }] });
    await see('day off', { statusId: 'approved', timesheet: { id: the('week off') } });
    await remove('week off');
    await see('day off', { statusId: 'not_submitted', timesheet: null });
  });
}

export function spendInJanuary({ make, change, see, the, at, refused, held }: Teller): void {
  const item = (report: string, category: string, date: string, values: object) => ({
    ...{ expenseReportId: the(report), expenseCategoryId: the(category), projectId: the('the project') },
    ...{ date: `2026-01-${date}`, ...values },
  });
  const spend = (name: string, category: string, date: string, values: object, shows: object) =>
    make(name, '/expense-items', item('trip of Mara', category, date, values), { ...shows });

  test('expenses are marked up, counted by unit, in any currency', async () => {
    const trip = { memberId: the('Mara'), title: 'January on site', date: '2026-01-31' };
    await make('trip of Mara', '/expense-reports', trip, { number: 1 });
    await spend(
      'flight',
      'Airfare',
      '20',
      { amount: 412.4, markupMethod: 'percentage', markupRatio: 0.1 },
      {
        // 412.40 × 0.1; + 412.40
        currency: 'USD',
        markup: 41.24,
        total: 453.64,
        isBillable: true,
        member: { id: the('Mara') },
        receipts: [],
      },
    );
    await spend(
      'drive',
      'Mileage',
      '21',
      { unitCount: 120.5 },
      {
        // 120.5 km × 0.30
        unitAmount: 0.3,
        amount: 36.15,
        markup: null,
        total: 36.15,
        expenseCategory: { unitName: 'km' },
      },
    );
    await spend('lunch', 'Meals', '21', { amount: 58.37, isBillable: false }, { total: 58.37, isBillable: false });
    await spend(
      'hotel',
      'Lodging',
      '22',
      { amount: 310, currency: 'EUR', markupMethod: 'amount', markupAmount: 15 },
      {
        // 310 + 15
        currency: 'EUR',
        markup: 15,
        total: 325,
      },
    );
    await make('trip of Ben', '/expense-reports', { ...trip, memberId: the('Ben') }, { number: 2 });
    await make(
      'taxi',
      '/expense-items',
      item('trip of Ben', 'Ground Transportation', '30', { amount: 99, statusId: 'rejected' }),
    );
    await make(
      'crane',
      '/project-expenses',
      {
        ...{
          projectId: the('the project'),
          expenseCategoryId: the('Other'),
          vendor: 'Crane Rental',
          date: '2026-01-23',
        },
        ...{ amount: 900, markupMethod: 'amount', markupAmount: 50 },
      },
      // 900 + 50
      { isBillable: true, markup: 50, total: 950, invoiced: false },
    );

    await refused(
      ['POST', '/expense-items', item('trip of Mara', 'Mileage', '21', { amount: 9, unitCount: 1 })],
      "'amount' is not allowed",
    );
    await refused(['POST', '/expense-items', item('trip of Mara', 'Mileage', '21', {})], "'unitCount' is required");
    await refused(['PATCH', at('lunch'), { markupMethod: 'amount', markupAmount: 5 }], "'markupMethod' is not allowed");
    await refused(['PATCH', at('flight'), { markupRatio: null }], "'markupRatio' is required");
    await refused(
      ['PATCH', at('hotel'), { expenseReportId: the('trip of Ben') }],
      "'expenseReportId' must be a report of the same member",
    );
  });

  test('what needs a receipt is submitted with one, and then both are held', async () => {
    await change('Airfare', { requireReceipt: true });
    await refused(
      ['PATCH', at('flight'), { statusId: 'pending_approval' }],
      "'statusId' must be not_submitted until the item has a receipt",
    );
    const scan = { contentType: 'application/pdf', url: 'https://files.example/flight.pdf' };
    await make(
      'ticket',
      '/expense-receipts',
      { ...scan, fileName: 'flight.pdf', expenseItemId: the('flight') },
      { member: { id: the('Mara') }, expenseItem: { id: the('flight') } },
    );
    await see('flight', { receipts: [{ id: the('ticket'), name: 'flight.pdf' }] });
    for (const name of ['flight', 'drive', 'lunch', 'hotel']) {
      await change(name, { statusId: 'pending_approval' });
      await change(name, { statusId: 'approved' });
    }
    await held(['DELETE', at('ticket')], 'The Expense Receipt is read-only.');
    await held(['PATCH', at('flight'), { amount: 400 }], 'The Expense Item is read-only.');
    await held(['DELETE', at('trip of Mara')], 'The Expense Report is in use and cannot be deleted.');
    await refused(
      ['PATCH', at('taxi'), { statusId: 'approved' }],
      "'statusId' cannot change from 'rejected' to 'approved'",
    );
  });
}

export function closeJanuary({ make, the, refused, held }: Teller): void {
  test('a workshop, licences and a correction belong to the month too', async () => {
    const extra = (kind: string, values: object) => ({
      projectId: the('the project'),
      date: '2026-01-20',
      invoiceItemId: the(`${kind} item`),
      ...values,
    });
    const workshop = extra('Service', { description: 'Process workshop', quantity: 2, rate: 750 });
    await make('workshop', '/project-service-items', workshop, { fee: 1500, invoiced: false });
    await refused(['POST', '/project-service-items', { ...workshop, fee: 1499 }], "'fee' must be 1500");
    // 12 × 33.3333 = 399.9996
    const licences = extra('Product', { description: 'Licences', quantity: 12, rate: 33.3333 });
    await make('licences', '/project-product-items', licences, { fee: 400 });
    await make('correction', '/project-revenue-adjustments', {
      projectId: the('the project'),
      date: '2026-01-31',
      revenueType: 'services',
      amount: -128.33,
    });
  });

  test('the month has come to this', async () => {
    const end = { projectId: the('the project'), date: '2026-01-31' };
    const ratings = { budgetHealthId: 'excellent', scheduleHealthId: 'fair', clientSatisfactionId: 'poor' };
    await make(
      'report of January',
      '/project-health-reports',
      { ...end, ...ratings },
      {
        // 3 + 2 + 1
        score: 6,
        // Mara 1440, Ben 450 + 450 + 270, Zoe 445: 3055 ÷ 60; Ben 90 ÷ 60; 50.92 + 1.5
        ...{ billableHours: 50.92, nonBillableHours: 1.5, totalHours: 52.42 },
        // 24 × 190 + (19.5 + 445 ÷ 60) × 140 = 4560 + 2730 + 1038.333… = 8328.33; + workshop 1500 − 128.33
        servicesRevenue: 9700,
        // flight 453.64, drive 36.15, hotel 325 EUR × 1.1 = 357.50, crane 950; no lunch, no taxi
        expensesRevenue: 1797.29,
        // 9700 + 1797.29 + licences 400
        totalRevenue: 11897.29,
        // 24 × 72.50 + (19.5 + 1.5) × 55 + 445 ÷ 60 × 35 = 1740 + 1155 + 259.583…
        servicesCost: 3154.58,
        // 412.40 + 36.15 + 58.37 + 310 EUR × 1.1 = 341, + crane 900
        expensesCost: 1747.92,
        // 3154.58 + 1747.92; 11 897.29 − 4902.50; ÷ 11 897.29 = 0.5879313…
        ...{ totalCost: 4902.5, totalGrossProfit: 6994.79, totalGrossMargin: 0.587931 },
        ...{ useBudget: true, budgetBillableHours: 140, budgetNonBillableHours: 16, budgetServicesRevenue: 23100 },
        // 24 150.50 + 2000
        ...{ budgetExpensesRevenue: 2000, budgetTotalRevenue: 26150.5 },
      },
    );
    await held(['POST', '/project-health-reports', end], 'A Project Health Report with the same date already exists.');
  });
}
