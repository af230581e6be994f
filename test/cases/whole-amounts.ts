// Amounts in currencies without minor units: whole, as nothing could settle a fraction.
import { type Case, example, type Made, refused, type World } from './case.ts';

interface Amounts {
  readonly says: string;
  readonly group: string;
  /** Values of a record in yen. */
  readonly values: object | ((world: World) => Promise<object>);
  /** An update with fractions, in whole and in part. */
  readonly update: object;
  /** The fields that have them. */
  readonly refuses: readonly string[];
}

const JPY = { currency: 'JPY' };

/** The path of the records of a group. */
const pathOf = (group: string): string => `/${group.replace(/y$/, 'ie')}s`;

const whole = ({ says, group, values, update, refuses }: Amounts): Case =>
  example({
    says,
    given: async (world) => world.make(group, typeof values === 'function' ? await values(world) : values),
    when: ({ id }: Made) => ['PATCH', `${pathOf(group)}/${id}`, update],
    gives: refused(...refuses.map((field) => `'${field}' must be a whole number, because JPY has no minor units`)),
  });

/** Values of what a project in yen has. */
const ofProject =
  (values: object = {}, terms: object = {}) =>
  async ({ make }: World): Promise<object> => {
    const { id } = await make('project', { ...JPY, billingTypeId: 'tm', ...terms });
    return { ...values, projectId: id };
  };

/** A fraction in the one amount that a group has, in the currency of its project. */
const single = (group: string, field: string, says: string, terms: object = {}): Case =>
  whole({
    says: `${says} in yen is whole`,
    ...{ group, values: ofProject({ [field]: 10 }, terms), update: { [field]: 10.5 }, refuses: [field] },
  });

const fixed = { billingTypeId: 'fixed', fixedFee: 100 };

const detailed = {
  ...{ useBudget: true, budgetMode: 'detailed', useMonthlyBudget: true, monthlyBudgetMode: 'detailed' },
};

export const wholeAmounts: readonly Case[] = [
  whole({
    says: 'The fixed fee of a project in yen is whole',
    ...{ group: 'project', values: { ...JPY, billingTypeId: 'fixed', fixedFee: 100 } },
    ...{ update: { fixedFee: 100.5 }, refuses: ['fixedFee'] },
  }),
  whole({
    says: 'The recurring fee of a project in yen is whole',
    group: 'project',
    values: {
      ...{ ...JPY, billingTypeId: 'fixed_recurring', fixedRecurringFee: 100 },
      ...{ fixedRecurringStart: '2026-01-01', fixedRecurringEnd: '2026-06-01' },
    },
    ...{ update: { fixedRecurringFee: 100.5 }, refuses: ['fixedRecurringFee'] },
  }),
  single('project-prepayment', 'amount', 'An advance'),
  single('project-billing-schedule-item', 'fee', 'A billed item of a schedule', fixed),
  single('project-service-item', 'fee', 'The fee of a service'),
  single('project-product-item', 'fee', 'The fee of a product'),
  single('project-other-item', 'fee', 'The fee of another item'),
  single('project-budget-service-item', 'fee', 'A budgeted service', detailed),
  single('project-budget-product-item', 'fee', 'A budgeted product', detailed),
  single('project-budget-other-item', 'fee', 'Another budgeted item', detailed),
  single('project-monthly-budget-service-item', 'fee', 'A monthly service', detailed),
  single('project-monthly-budget-product-item', 'fee', 'A monthly product', detailed),
  single('project-monthly-budget-other-item', 'fee', 'Another monthly item', detailed),
  single('project-revenue-adjustment', 'amount', 'A correction of revenue'),
  single('project-revenue-recognition-entry', 'amount', 'Earned revenue', {
    ...fixed,
    revenueRecognitionMethod: 'manual',
  }),
  ...['project-budget-expense', 'project-monthly-budget-expense'].map((group) =>
    whole({
      says: `The amounts of a ${group} in yen are whole`,
      ...{ group, values: ofProject({ billableAmount: 1, nonBillableAmount: 2 }, detailed) },
      update: { billableAmount: 0.5, nonBillableAmount: 2.25 },
      refuses: ['billableAmount', 'nonBillableAmount'],
    }),
  ),
  whole({
    says: 'The cost of a project in yen and its markup are whole',
    ...{ group: 'project-expense', values: ofProject({ amount: 10, isBillable: true }) },
    update: { amount: 10.5, markupMethod: 'amount', markupAmount: 0.5 },
    refuses: ['amount', 'markupAmount'],
  }),
  whole({
    says: 'An expense in yen and its markup are whole',
    group: 'expense-item',
    values: async (world: World) => ({ ...(await ofProject({ amount: 10, isBillable: true })(world)), ...JPY }),
    update: { amount: 10.5, markupMethod: 'amount', markupAmount: 0.5 },
    refuses: ['amount', 'markupAmount'],
  }),
  whole({
    says: 'The discount and the lines of an invoice in yen are whole',
    ...{ group: 'invoice', values: JPY },
    update: {
      ...{ discountMethod: 'amount', discountAmount: 0.5 },
      lines: [{ amount: 10 }, { quantity: 3, rate: 0.5 }, { amount: 10.25 }],
    },
    refuses: ['discountAmount', 'lines[2].amount'],
  }),
  whole({
    says: 'An invoice with fractions does not change to a currency without them',
    ...{ group: 'invoice', values: { currency: 'EUR', lines: [{ amount: 10.25 }] } },
    ...{ update: JPY, refuses: ['lines[0].amount'] },
  }),
  whole({
    says: 'The lines of a credit note in yen are whole',
    ...{ group: 'credit-note', values: JPY, update: { lines: [{ amount: 10.25 }] } },
    refuses: ['lines[0].amount'],
  }),
  whole({
    says: 'A payment in yen is whole',
    ...{ group: 'payment', values: { ...JPY, amount: 1234, invoices: [] } },
    ...{ update: { amount: 1234.99 }, refuses: ['amount'] },
  }),
  ...(['payment', 'credit-note'] as const).map((group) =>
    example({
      says: `A ${group} in yen settles whole amounts of invoices`,
      given: async ({ make, send }) => {
        const { id: clientId } = await make('client', JPY);
        const { id: invoiceId } = await make('invoice', { clientId, ...JPY, lines: [{ amount: 100 }] });
        await send('PATCH', `/invoices/${invoiceId}`, { statusId: 'issued' });
        const values = group === 'payment' ? { amount: 100, invoices: [] } : { lines: [{ amount: 100 }] };
        const { id } = await make(group, { clientId, ...JPY, ...values });
        if (group === 'credit-note') await send('PATCH', `/credit-notes/${id}`, { statusId: 'issued' });
        return { id, invoiceId };
      },
      when: ({ id, invoiceId }) => ['PATCH', `/${group}s/${id}`, { invoices: [{ id: invoiceId, amount: 0.5 }] }],
      gives: refused("'invoices[0].amount' must be a whole number, because JPY has no minor units"),
    }),
  ),
  whole({
    says: 'A deal in yen and its parts are whole',
    group: 'opportunity',
    values: async ({ make }) => ({ ...JPY, amount: 10, projects: [{ id: (await make('project')).id, amount: 5 }] }),
    update: { amount: 10.5 },
    refuses: ['amount'],
  }),
  example({
    says: 'The parts of a deal in yen are whole',
    given: async ({ make }) => ({
      project: await make('project'),
      deal: await make('opportunity', { ...JPY, amount: 10 }),
    }),
    when: ({ project, deal }) => [
      'PATCH',
      `/opportunities/${deal.id}`,
      { projects: [{ id: project.id, amount: 0.5 }] },
    ],
    gives: refused("'projects[0].amount' must be a whole number, because JPY has no minor units"),
  }),
  whole({
    says: 'The revenue of a company in yen is whole',
    ...{ group: 'company', values: { ...JPY, revenue: 10 } },
    ...{ update: { revenue: 10.5 }, refuses: ['revenue'] },
  }),
  whole({
    says: 'The amount of a spend tier in yen is whole',
    ...{ group: 'company-spend-tier', values: { ...JPY, amount: 10 } },
    ...{ update: { amount: 10.5 }, refuses: ['amount'] },
  }),
  whole({
    says: 'Costs per month in yen are whole',
    group: 'cost-period',
    values: { ...JPY, costMethodId: 'fixed_monthly', costPerMonth: 10, overheadCostPerMonth: 0 },
    update: { costPerMonth: 10.5, overheadCostPerMonth: 0.5 },
    refuses: ['costPerMonth', 'overheadCostPerMonth'],
  }),
];
