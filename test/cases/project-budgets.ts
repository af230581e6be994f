// What a project plans to bill and to spend beside its hours: once, or every month.
import { type Case, done, example, type Made, refused, type World } from './case.ts';

interface Kind {
  /** The record as a project manager calls it. */
  readonly name: string;
  readonly group: string;
  readonly isMonthly: boolean;
}

const once = { useBudget: true, budgetMode: 'detailed' };
const monthly = { useMonthlyBudget: true, monthlyBudgetMode: 'detailed' };
const openFor = ({ isMonthly }: Kind) => (isMonthly ? monthly : once);
const mustBeOpen = ({ isMonthly }: Kind) =>
  `'projectId' must be a project with a detailed ${isMonthly ? '' : 'or aggregated '}${isMonthly ? 'monthly ' : ''}budget`;

const project = (make: World['make'], more: object) => make('project', { billingTypeId: 'tm', ...more });

/** Projects that take none of a kind: each with what is wrong with it. */
const closedFor = ({ isMonthly }: Kind): readonly (readonly [why: string, state: object])[] => [
  ['without a budget', {}],
  [
    'whose budget is a few totals alone',
    isMonthly ? { useMonthlyBudget: true, monthlyBudgetMode: 'summary' } : { useBudget: true, budgetMode: 'summary' },
  ],
  isMonthly ? ['with a budget that is not monthly', once] : ['with a monthly budget alone', monthly],
];

/** Projects that take them: each with what it is. */
const openTo = ({ isMonthly }: Kind): readonly (readonly [what: string, state: object])[] =>
  isMonthly
    ? [['with a detailed monthly budget', monthly]]
    : [
        ['with a detailed budget', once],
        ['whose hours come from its tasks', { useBudget: true, budgetMode: 'aggregated' }],
      ];

function itemCases(kind: Kind): Case[] {
  const { name, group } = kind;
  const path = `/${group}s`;
  const body = (item: Made, on: Made, fee = 100) => ({
    fee,
    description: 'Set-up',
    projectId: on.id,
    invoiceItemId: item.id,
  });
  const income = (make: World['make']) => make('invoice-item', { typeId: 'income' });
  const given =
    (more: object) =>
    async ({ make }: World) => ({ item: await income(make), on: await project(make, more) });
  const made = async ({ make }: World) => make(group, { fee: 100 });
  const projectOf = (record: Made) => `/projects/${(record['project'] as Made).id}`;
  return [
    ...openTo(kind).map(([what, state]) =>
      example({
        says: `${name} is planned on a billable project ${what}`,
        given: given(state),
        when: ({ item, on }) => ['POST', path, body(item, on, 1250.5)],
        gives: ({ on }) => done({ fee: 1250.5, project: { id: on.id } }),
      }),
    ),
    ...closedFor(kind).map(([why, state]) =>
      example({
        says: `${name} is not planned on a project ${why}`,
        given: given(state),
        when: ({ item, on }) => ['POST', path, body(item, on)],
        gives: refused(mustBeOpen(kind)),
      }),
    ),
    example({
      says: `${name} may be planned at no fee`,
      given: given(openFor(kind)),
      when: ({ item, on }) => ['POST', path, body(item, on, 0)],
      gives: done({ fee: 0 }),
    }),
    example({
      says: `${name} is not planned on a project that is not billed`,
      given: given({ ...openFor(kind), billingTypeId: 'non_billable' }),
      when: ({ item, on }) => ['POST', path, body(item, on)],
      gives: refused("'projectId' must be a billable project"),
    }),
    example({
      says: `${name} is not planned on a project that is neither billed nor budgeted, and is told of the first`,
      given: given({ billingTypeId: 'non_billable' }),
      when: ({ item, on }) => ['POST', path, body(item, on)],
      gives: refused("'projectId' must be a billable project"),
    }),
    example({
      says: `The fee of ${name} is changed once the project is not billed any more`,
      given: async (world) => {
        const record = await made(world);
        await world.send('PATCH', projectOf(record), { billingTypeId: 'non_billable' });
        return record;
      },
      when: ({ id }) => ['PATCH', `${path}/${id}`, { fee: 120 }],
      gives: done({ fee: 120 }),
    }),
    example({
      says: `The fee of ${name} is changed once the project has given up its budget`,
      given: async (world) => {
        const record = await made(world);
        await world.send(
          'PATCH',
          projectOf(record),
          kind.isMonthly ? { useMonthlyBudget: false } : { useBudget: false },
        );
        return record;
      },
      when: ({ id }) => ['PATCH', `${path}/${id}`, { fee: 120 }],
      gives: done({ fee: 120 }),
    }),
    example({
      says: `${name} may change its fee while the project is billed and budgeted`,
      given: made,
      when: ({ id }) => ['PATCH', `${path}/${id}`, { fee: 120.25 }],
      gives: done({ fee: 120.25 }),
    }),
    example({
      says: `${name} is not invoiced with an item for expenses`,
      given: async ({ make }) => ({
        item: await make('invoice-item', { typeId: 'expense' }),
        on: await project(make, openFor(kind)),
      }),
      when: ({ item, on }) => ['POST', path, body(item, on)],
      gives: refused("'invoiceItemId' must be an income item"),
    }),
    example({
      says: `${name} does not change to an item for expenses`,
      given: async (world) => ({
        record: await made(world),
        item: await world.make('invoice-item', { typeId: 'expense' }),
      }),
      when: ({ record, item }) => ['PATCH', `${path}/${record.id}`, { invoiceItemId: item.id }],
      gives: refused("'invoiceItemId' must be an income item"),
    }),
    example({
      says: `${name} may change to another item for income`,
      given: async (world) => ({ record: await made(world), item: await income(world.make) }),
      when: ({ record, item }) => ['PATCH', `${path}/${record.id}`, { invoiceItemId: item.id }],
      gives: ({ item }) => done({ invoiceItem: { id: item.id, name: item['name'] }, fee: 100 }),
    }),
  ];
}

function expenseCases(kind: Kind): Case[] {
  const { name, group } = kind;
  const path = `/${group}s`;
  const given =
    (more: object) =>
    async ({ make }: World) => ({
      category: await make('expense-category'),
      on: await project(make, more),
    });
  type Given = Awaited<ReturnType<ReturnType<typeof given>>>;
  const plans =
    (amounts: object) =>
    ({ category, on }: Given) =>
      ['POST', path, { projectId: on.id, expenseCategoryId: category.id, ...amounts }] as const;
  const open = openFor(kind);
  const unbilled = { ...open, billingTypeId: 'non_billable' };
  const made = (amounts: object) => (world: World) => world.make(group, { billableAmount: undefined, ...amounts });
  const changed = (amounts: object, state: object) => async (world: World) => {
    const record = await made(amounts)(world);
    await world.send('PATCH', `/projects/${(record['project'] as Made).id}`, state);
    return record;
  };
  return [
    ...openTo(kind).map(([what, state]) =>
      example({
        says: `${name} are planned on a project ${what}, billed and not billed apart`,
        given: given(state),
        when: plans({ billableAmount: 300.25, nonBillableAmount: 50 }),
        gives: ({ category, on }) =>
          done({
            billableAmount: 300.25,
            nonBillableAmount: 50,
            project: { id: on.id },
            expenseCategory: { id: category.id },
          }),
      }),
    ),
    ...closedFor(kind).map(([why, state]) =>
      example({
        says: `${name} are not planned on a project ${why}`,
        given: given(state),
        when: plans({ nonBillableAmount: 50 }),
        gives: refused(mustBeOpen(kind)),
      }),
    ),
    example({
      says: `${name} change once the project has given up its budget`,
      given: changed({ nonBillableAmount: 50 }, kind.isMonthly ? { useMonthlyBudget: false } : { useBudget: false }),
      when: ({ id }) => ['PATCH', `${path}/${id}`, { nonBillableAmount: 60 }],
      gives: done({ nonBillableAmount: 60 }),
    }),
    example({
      says: `${name} change once the budget is a few totals alone`,
      given: changed(
        { nonBillableAmount: 50 },
        kind.isMonthly ? { monthlyBudgetMode: 'summary' } : { budgetMode: 'summary' },
      ),
      when: ({ id }) => ['PATCH', `${path}/${id}`, { nonBillableAmount: 60 }],
      gives: done({ nonBillableAmount: 60 }),
    }),
    example({
      says: `${name} of which no part is billed are planned on a project that is not billed`,
      given: given(unbilled),
      when: plans({ nonBillableAmount: 50 }),
      gives: done({ billableAmount: null, nonBillableAmount: 50 }),
    }),
    example({
      says: `${name} are not billed on a project that is not billed`,
      given: given(unbilled),
      when: plans({ billableAmount: 10, nonBillableAmount: 50 }),
      gives: refused("'billableAmount' is not allowed"),
    }),
    example({
      says: `${name} are not billed on a project that is not billed, not even at 0`,
      given: given(unbilled),
      when: plans({ billableAmount: 0, nonBillableAmount: 50 }),
      gives: refused("'billableAmount' is not allowed"),
    }),
    example({
      says: `${name} get no billed part once the project is not billed`,
      given: changed({ nonBillableAmount: 50 }, { billingTypeId: 'non_billable' }),
      when: ({ id }) => ['PATCH', `${path}/${id}`, { billableAmount: 10 }],
      gives: refused("'billableAmount' is not allowed"),
    }),
    example({
      says: `${name} lose the billed part with the first change once the project is not billed`,
      given: changed({ billableAmount: 10, nonBillableAmount: 50 }, { billingTypeId: 'non_billable' }),
      when: ({ id }) => ['PATCH', `${path}/${id}`, { notes: 'Less' }],
      gives: done({ billableAmount: null, nonBillableAmount: 50, notes: 'Less' }),
    }),
    example({
      says: `${name} that are all billed need another part once the project is not billed`,
      given: changed({ billableAmount: 10 }, { billingTypeId: 'non_billable' }),
      when: ({ id }) => ['PATCH', `${path}/${id}`, { notes: 'Less' }],
      gives: refused("'billableAmount' is required"),
    }),
    example({
      says: `${name} need an amount, billed or not`,
      given: given(open),
      when: plans({ notes: 'Nothing yet' }),
      gives: refused("'billableAmount' is required"),
    }),
    example({
      says: `${name} need an amount on a project that is not billed, too`,
      given: given(unbilled),
      when: plans({ notes: 'Nothing yet' }),
      gives: refused("'billableAmount' is required"),
    }),
    example({
      says: `${name} may be planned at 0: that is an amount`,
      given: given(open),
      when: plans({ nonBillableAmount: 0 }),
      gives: done({ billableAmount: null, nonBillableAmount: 0 }),
    }),
    example({
      says: `${name} may be all billed`,
      given: given(open),
      when: plans({ billableAmount: 0.0001 }),
      gives: done({ billableAmount: 0.0001, nonBillableAmount: null }),
    }),
    example({
      says: `${name} keep one amount when the other one goes`,
      given: made({ billableAmount: 10, nonBillableAmount: 50 }),
      when: ({ id }) => ['PATCH', `${path}/${id}`, { billableAmount: null }],
      gives: done({ billableAmount: null, nonBillableAmount: 50 }),
    }),
    example({
      says: `${name} do not lose their last amount`,
      given: made({ nonBillableAmount: 50 }),
      when: ({ id }) => ['PATCH', `${path}/${id}`, { nonBillableAmount: null }],
      gives: refused("'billableAmount' is required"),
    }),
  ];
}

const items: readonly Kind[] = ['service', 'product', 'other'].flatMap((what) => [
  { name: `A ${what === 'other' ? 'further item' : what}`, group: `project-budget-${what}-item`, isMonthly: false },
  {
    name: `A monthly ${what === 'other' ? 'further item' : what}`,
    group: `project-monthly-budget-${what}-item`,
    isMonthly: true,
  },
]);

const expenses: readonly Kind[] = [
  { name: 'Expenses', group: 'project-budget-expense', isMonthly: false },
  { name: 'Monthly expenses', group: 'project-monthly-budget-expense', isMonthly: true },
];

export const projectBudgets: readonly Case[] = [...items.flatMap(itemCases), ...expenses.flatMap(expenseCases)];
