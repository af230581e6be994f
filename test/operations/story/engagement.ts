// What is agreed with the client: the project with its roles, rates and budgets, who will work on it and when, and its tasks.
import { test } from 'vitest';
import type { Teller } from './teller.ts';

export function agreeOnTheProject({ make, know, change, remove, see, list, the, at, refused, held }: Teller): void {
  test('the project takes over what the client has, and the one who leads it', async () => {
    await make(
      'the project',
      '/projects',
      {
        ...{ name: 'Yard Management', clientId: the('the client'), billingTypeId: 'tm', poNumber: 'PO-77' },
        ...{ start: '2026-01-05', end: '2026-03-31', statusId: 'in_progress', trackTimeToAssignedRoles: true },
        ...{ capMaxMemberHoursPerDay: true, maxMemberHoursPerDay: 10, projectAdminId: the('Mara') },
        ...{ useBudget: true, budgetMode: 'detailed', useMonthlyBudget: true, monthlyBudgetMode: 'detailed' },
      },
      {
        ...{ key: 'yard-management', currency: 'USD', isBillable: true, completedOn: null, timeApprovalMode: 'manual' },
        ...{ budget: { revenue: 0, billableHours: 0 }, monthlyBudget: { revenue: 0, billableHours: 0 } },
      },
    );
    await list(`/project-members?projectId=${the('the project')}`, [
      { member: { id: the('Mara') }, typeId: 'administrator', isBillable: true, rate: null },
    ]);
    await change('the deal', { projects: [{ id: the('the project'), amount: 64000 }] });
    await list(`/pipeline-activities?opportunityId=${the('the deal')}&limit=1`, [
      { subject: 'Project Assignment', content: 'projects: – → Yard Management 64000' },
    ]);
    await refused(
      [
        'POST',
        '/projects',
        { name: 'Internal', billingTypeId: 'tm', clientId: the('the client'), fixedFee: 1, useBudget: true },
      ],
      "'fixedFee' is not allowed",
      "'budgetMode' is required",
    );
  });

  test('roles have rates and planned hours, of which the budgets come', async () => {
    const role = (name: string, values: object) =>
      make(name, '/project-roles', { projectId: the('the project'), name, ...values });
    const hours = (billableHours: number | null, nonBillableHours: number | null = null) => ({
      billableHours,
      nonBillableHours,
    });
    await role('Lead', { rate: 200, budget: hours(40, 4), monthlyBudget: hours(10) });
    await role('Consultant', { rate: 150, budget: hours(100), monthlyBudget: hours(30) });
    await role('Coordination', { isBillable: false, budget: hours(null, 12) });
    await see('the project', {
      // 40 × 200 + 100 × 150 = 8000 + 15 000; 40 + 100; 4 + 12
      budget: { servicesRevenue: 23000, billableHours: 140, nonBillableHours: 16 },
      // 10 × 200 + 30 × 150 = 2000 + 4500; 10 + 30
      monthlyBudget: { servicesRevenue: 6500, billableHours: 40, nonBillableHours: 0 },
    });
    await held(
      ['POST', '/project-roles', { projectId: the('the project'), name: 'lead ' }],
      'A Project Role with the same name already exists.',
    );
    await refused(['PATCH', at('Coordination'), { rate: 90 }], "'rate' is not allowed");
    await refused(
      ['PATCH', at('the project'), { budget: { billableHours: 200 } }],
      "'budget.billableHours' is not allowed",
    );
  });

  test('rate cards price the project from a day on, one of them its budgets', async () => {
    const rates = (lead: number, consultant?: number) => ({
      projectId: the('the project'),
      roleRates: [
        { projectRoleId: the('Lead'), rate: lead },
        ...(consultant === undefined ? [] : [{ projectRoleId: the('Consultant'), rate: consultant }]),
      ],
    });
    await refused(['POST', '/project-rate-cards', { ...rates(190), start: '2026-01-01' }], "'start' is not allowed");
    await make('first rates', '/project-rate-cards', rates(190, 140), {
      isBudgetRateCard: true,
      start: null,
      end: null,
    });
    // 40 × 190 + 100 × 140 = 7600 + 14 000; a month 10 × 190 + 30 × 140 = 1900 + 4200
    await see('the project', { budget: { servicesRevenue: 21600 }, monthlyBudget: { servicesRevenue: 6100 } });
    await refused(['POST', '/project-rate-cards', rates(210)], "'start' is required");
    await make(
      'spring rates',
      '/project-rate-cards',
      { ...rates(210), start: '2026-03-01' },
      { isBudgetRateCard: false, end: null },
    );
    await see('first rates', { start: null, end: '2026-02-28' });
    await held(
      ['POST', '/project-rate-cards', { ...rates(220), start: '2026-03-01' }],
      'A Project Rate Card with the same start already exists.',
    );
    await change('spring rates', { isBudgetRateCard: true });
    await see('first rates', { isBudgetRateCard: false });
    // No rate for consultants on it, so their own: 40 × 210 + 100 × 150 = 8400 + 15 000; a month 2100 + 4500
    await see('the project', { budget: { servicesRevenue: 23400 }, monthlyBudget: { servicesRevenue: 6600 } });
    await change('first rates', { isBudgetRateCard: true });
    await refused(['PATCH', at('first rates'), { start: '2026-01-05' }], "'start' is not allowed");
  });

  test('what else is planned is itemised', async () => {
    for (const item of ['Service', 'Product', 'Other']) await know(`${item} item`, '/invoice-items', `name=${item}`);
    for (const category of ['Airfare', 'Lodging', 'Meals', 'Ground Transportation', 'Mileage', 'Other'])
      await know(category, '/expense-categories');
    const plan = (name: string, group: string, values: object) =>
      make(name, `/project-${group}`, { projectId: the('the project'), ...values });
    const fee = (kind: string, amount: number) => ({
      description: `Planned ${kind}`,
      invoiceItemId: the(`${kind} item`),
      fee: amount,
    });
    await plan('planned workshop', 'budget-service-items', fee('Service', 1500));
    await plan('planned licences', 'budget-product-items', fee('Product', 800));
    await plan('planned extras', 'budget-other-items', fee('Other', 250.5));
    await plan('planned flights', 'budget-expenses', {
      expenseCategoryId: the('Airfare'),
      billableAmount: 2000,
      nonBillableAmount: 300,
    });
    await plan('planned meals', 'budget-expenses', { expenseCategoryId: the('Meals'), nonBillableAmount: 450 });
    await plan('monthly support', 'monthly-budget-product-items', fee('Product', 99.95));
    await plan('monthly flights', 'monthly-budget-expenses', {
      expenseCategoryId: the('Airfare'),
      billableAmount: 400,
    });
    await see('the project', {
      budget: {
        // 21 600 + 1500; with 800 and 250.50
        ...{ servicesRevenue: 23100, productsRevenue: 800, otherRevenue: 250.5, revenue: 24150.5 },
        // 300 + 450
        ...{ billableExpenses: 2000, nonBillableExpenses: 750, billableHours: 140, nonBillableHours: 16 },
      },
      monthlyBudget: {
        // 6100 + 99.95
        ...{ servicesRevenue: 6100, productsRevenue: 99.95, otherRevenue: 0, revenue: 6199.95 },
        ...{ billableExpenses: 400, nonBillableExpenses: 0, billableHours: 40, nonBillableHours: 0 },
      },
    });
    await make('pro bono', '/projects', {
      name: 'Pro bono',
      clientId: the('the client'),
      billingTypeId: 'non_billable',
    });
    await refused(
      ['POST', '/project-budget-service-items', { projectId: the('pro bono'), ...fee('Service', 1) }],
      "'projectId' must be a billable project",
    );
    await remove('pro bono');
    await held(
      [
        'POST',
        '/project-budget-expenses',
        { projectId: the('the project'), expenseCategoryId: the('Meals'), billableAmount: 1 },
      ],
      'A Project Budget Expense with the same expenseCategory already exists.',
    );
  });
}

export function planTheWork({ make, know, change, list, the, at, refused }: Teller): void {
  const on = (values: object) => ({ assignmentTypeId: 'project', projectId: the('the project'), ...values });
  const by = (name: string, values: object) => on({ resourceTypeId: 'member', memberId: the(name), ...values });

  test('the team has roles', async () => {
    await know('Mara on it', '/project-members', `projectId=${the('the project')}&memberId=${the('Mara')}`);
    await change('Mara on it', { projectRoleIds: [the('Lead')] }, { projectRoles: [{ name: 'Lead' }] });
    const seat = { projectId: the('the project'), memberId: the('Ben') };
    await make('Ben on it', '/project-members', { ...seat, projectRoleIds: [the('Consultant'), the('Coordination')] });
    await refused(['PATCH', at('Ben on it'), { rate: 100 }], "'rate' is not allowed");
  });

  test('planned hours pass over holidays and time off', async () => {
    await know('Vacation', '/time-off-types');
    const off = { start: '2026-01-12', end: '2026-01-13', unit: 'day', hoursPerDay: 8 };
    await make(
      'Mara off',
      '/allocations',
      {
        ...off,
        resourceTypeId: 'member',
        memberId: the('Mara'),
        assignmentTypeId: 'time_off',
        timeOffTypeId: the('Vacation'),
      },
      // 2 days × 8
      { totalHours: 16, isBillable: false },
    );
    const fortnight = { start: '2026-01-05', end: '2026-01-16', unit: 'day', hoursPerDay: 8 };
    await make('Mara planned', '/allocations', by('Mara', { ...fortnight, projectRoleId: the('Lead') }), {
      // (10 working days − 2 off) × 8
      totalHours: 64,
      isBillable: true,
      bookingTypeId: 'confirmed',
      allocateOnTimeOffDays: false,
    });
    await change('Mara planned', { allocateOnTimeOffDays: true }, { totalHours: 80 });
    const february = { start: '2026-02-09', end: '2026-02-20' };
    await make('Ben by week', '/allocations', by('Ben', { ...february, unit: 'week', hoursPerWeek: 20 }), {
      // 20 ÷ 5 weekdays × 9, without the 16th
      totalHours: 36,
    });
    await make(
      'Ben by month',
      '/allocations',
      by('Ben', { start: '2026-01-15', end: '2026-02-13', unit: 'month', hoursPerMonth: 84 }),
      // 12 of the 21 days on which he works in January: 48; 10 of the 19 in February: 44.2105…
      { totalHours: 92.21 },
    );
    const march = { start: '2026-03-02', end: '2026-03-13', unit: 'ratio_of_capacity', hoursRatioOfCapacity: 0.25 };
    await make('Ben by share', '/allocations', by('Ben', { ...march, projectRoleId: the('Coordination') }), {
      // two weeks of 4 days: 8 × 8 × 0.25
      totalHours: 16,
      isBillable: false,
    });
    await make('Engineer', '/resource-placeholders', { name: 'Engineer', rate: 110 }, { rateCurrency: 'USD' });
    const stand = { resourceTypeId: 'placeholder', resourcePlaceholderId: the('Engineer') };
    await make('somebody', '/allocations', on({ ...stand, ...february, unit: 'day', hoursPerDay: 6 }), {
      // nobody’s holidays: 10 × 6
      totalHours: 60,
      isBillable: true,
      allocateOnTimeOffDays: null,
    });

    await refused(
      ['POST', '/allocations', { ...stand, ...off, assignmentTypeId: 'time_off', timeOffTypeId: the('Vacation') }],
      "'assignmentTypeId' must be project unless the resource is a member",
    );
    await refused(['PATCH', at('Ben by week'), { hoursPerDay: 4 }], "'hoursPerDay' is not allowed");
    await change('Engineer', { isActive: false });
    await refused(
      ['PATCH', at('somebody'), { hoursPerDay: 4 }],
      "'resourcePlaceholderId' must be an active placeholder",
    );
  });

  test('whoever is planned for the project joins it', async () => {
    const days = { start: '2026-02-01', end: '2026-02-28', unit: 'allocation', hoursPerAllocation: 60 };
    await make('Zoe planned', '/allocations', by('Zoe', { ...days, projectRoleId: the('Consultant') }), {
      totalHours: 60,
    });
    await list(`/project-members?projectId=${the('the project')}`, [
      { member: { name: 'Zoe Stone' }, typeId: 'collaborator' },
      { member: { name: 'Ben Stone' } },
      { member: { name: 'Mara Stone' } },
    ]);
    await know('Zoe on it', '/project-members', `projectId=${the('the project')}&memberId=${the('Zoe')}`);
    await refused(['PATCH', at('Zoe on it'), { overrideCostRate: true }], "'costPerHour' is required");
    await change(
      'Zoe on it',
      { projectRoleIds: [the('Consultant')], overrideCostRate: true, costPerHour: 30, overheadCostPerHour: 5 },
      { costCurrency: 'USD', costPerHour: 30, overheadCostPerHour: 5, projectRoles: [{ name: 'Consultant' }] },
    );
  });
}

export function planTheTasks({ make, know, change, see, the, at, refused, held }: Teller): void {
  test('tasks add up to those above them', async () => {
    await know('Phase', '/task-categories');
    const task = (name: string, values: object = {}) =>
      make(name, '/tasks', { projectId: the('the project'), name, ...values });
    await task('Rollout', { taskCategoryId: the('Phase') });
    await see('Rollout', { budgetedHours: null, budgetedServicesRevenue: null, position: 1 });
    const below = { parentId: the('Rollout') };
    await task('Design', { ...below, budgetedHours: 24, capHours: true, budgetedServicesRevenue: 4560 });
    await task('Build', {
      ...{ ...below, budgetedHours: 60, budgetedServicesRevenue: 8400, capAssignedHours: true },
      projectMembers: [{ id: the('Ben on it'), hours: 20 }, { id: the('Zoe on it') }],
    });
    // 24 + 60; 4560 + 8400
    await see('Rollout', { budgetedHours: 84, budgetedServicesRevenue: 12960 });
    await change('Build', { budgetedHours: 66 }, { budgetedHours: 66, position: 2 });
    // 24 + 66
    await see('Rollout', { budgetedHours: 90, budgetedServicesRevenue: 12960 });

    await refused(['PATCH', at('Rollout'), { budgetedHours: 100 }], "'budgetedHours' is not allowed");
    await refused(['PATCH', at('Design'), { budgetedHours: null }], "'budgetedHours' is required");
    await refused(['PATCH', at('Build'), { parentId: the('Design') }], "'parentId' must be a rollup task");
    await held(['PATCH', at('Phase'), { type: 'standard' }], 'The Task Category is read-only.');
  });
}
