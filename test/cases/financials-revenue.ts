// Advances, and what is earned on a project beside its invoices.
import type { Overrides } from '../support/data/records.ts';
import { type Case, done, example, refused, type World } from './case.ts';

const notBillable = refused("'projectId' must be a billable project");

/** A record of a project, whose billing has changed since. */
async function changedSince(
  { make, send }: World,
  group: string,
  { project, now }: { project: Overrides; now: Overrides },
) {
  const { id: projectId } = await make('project', project);
  const record = await make(group, { projectId });
  await send('PATCH', `/projects/${projectId}`, now);
  return record;
}

const projectOf = ({ make }: World, billingTypeId: string, more: object = {}) =>
  make('project', { billingTypeId, ...more });

const onceBilled = { project: { billingTypeId: 'tm' }, now: { billingTypeId: 'non_billable' } };

const text = { date: '2026-03-01', description: 'Advance' };
const advances: readonly Case[] = [
  example({
    says: 'A client pays in advance on a project that is billed, under Service where nothing is said',
    given: (world) => projectOf(world, 'tm'),
    when: ({ id }) => ['POST', '/project-prepayments', { ...text, amount: 100, projectId: id }],
    gives: done({
      ...{ amount: 100, amountApplied: 0, amountRemaining: 0, invoiced: false },
      invoiceItem: { name: 'Service' },
    }),
  }),
  example({
    says: 'Nobody pays in advance on a project that is not billed',
    given: (world) => projectOf(world, 'non_billable'),
    when: ({ id }) => ['POST', '/project-prepayments', { ...text, amount: 100, projectId: id }],
    gives: notBillable,
  }),
  example({
    says: 'The amount of an advance is changed once its project is not billed any more',
    given: (world) => changedSince(world, 'project-prepayment', onceBilled),
    when: ({ id }) => ['PATCH', `/project-prepayments/${id}`, { amount: 50 }],
    gives: done({ amount: 50 }),
  }),
  example({
    says: 'An advance is income',
    given: async (world) => ({
      projectId: (await projectOf(world, 'tm')).id,
      invoiceItemId: (await world.make('invoice-item', { typeId: 'expense' })).id,
    }),
    when: (ids) => ['POST', '/project-prepayments', { ...text, amount: 100, ...ids }],
    gives: refused("'invoiceItemId' must be an income item"),
  }),
  example({
    says: 'An advance does not come under an item of expenses',
    given: async ({ make }) => ({
      advance: await make('project-prepayment'),
      costs: await make('invoice-item', { typeId: 'expense' }),
    }),
    when: ({ advance, costs }) => ['PATCH', `/project-prepayments/${advance.id}`, { invoiceItemId: costs.id }],
    gives: refused("'invoiceItemId' must be an income item"),
  }),
  example({
    says: 'An advance may come under another item of income, and be of another amount',
    given: async ({ make }) => ({
      advance: await make('project-prepayment'),
      income: await make('invoice-item', { typeId: 'income' }),
    }),
    when: ({ advance, income }) => [
      'PATCH',
      `/project-prepayments/${advance.id}`,
      { invoiceItemId: income.id, amount: 0.01 },
    ],
    gives: ({ income }) => done({ amount: 0.01, amountRemaining: 0, invoiceItem: { id: income.id } }),
  }),
];

const correction = { date: '2026-03-01', revenueType: 'services' };
const notNothing = refused("'amount' must be other than 0");
const adjustments: readonly Case[] = [
  ...[0.0001, -0.0001].map((amount) =>
    example({
      says: `Revenue is corrected by ${amount}`,
      given: (world) => projectOf(world, 'tm'),
      when: ({ id }) => ['POST', '/project-revenue-adjustments', { ...correction, amount, projectId: id }],
      gives: done({ amount }),
    }),
  ),
  example({
    says: 'Revenue is not corrected by nothing',
    given: (world) => projectOf(world, 'tm'),
    when: ({ id }) => ['POST', '/project-revenue-adjustments', { ...correction, amount: 0, projectId: id }],
    gives: notNothing,
  }),
  example({
    says: 'A correction of revenue does not become nothing',
    given: ({ make }) => make('project-revenue-adjustment'),
    when: ({ id }) => ['PATCH', `/project-revenue-adjustments/${id}`, { amount: 0 }],
    gives: notNothing,
  }),
  example({
    says: 'Revenue of a project that is not billed is not corrected',
    given: (world) => projectOf(world, 'non_billable'),
    when: ({ id }) => ['POST', '/project-revenue-adjustments', { ...correction, amount: 1, projectId: id }],
    gives: notBillable,
  }),
  example({
    says: 'The notes of a correction are changed once its project is not billed any more',
    given: (world) => changedSince(world, 'project-revenue-adjustment', onceBilled),
    when: ({ id }) => ['PATCH', `/project-revenue-adjustments/${id}`, { notes: 'Late' }],
    gives: done({ notes: 'Late' }),
  }),
  example({
    says: 'A correction of a billed project is changed',
    given: ({ make }) => make('project-revenue-adjustment'),
    when: ({ id }) => ['PATCH', `/project-revenue-adjustments/${id}`, { notes: 'In time', amount: 5 }],
    gives: done({ notes: 'In time', amount: 5 }),
  }),
];

const manual = { revenueRecognitionMethod: 'manual' };
const notFixed = refused("'projectId' must be a fixed-fee project");
const notManual = refused("'projectId' must be a project with manual revenue recognition");
const recognition: readonly Case[] = [
  ...['fixed', 'fixed_recurring'].flatMap((billingTypeId) => [
    example({
      says: `Revenue of a project that is billed as ${billingTypeId} is entered by hand`,
      given: (world) => projectOf(world, billingTypeId, manual),
      when: ({ id }) => [
        'POST',
        '/project-revenue-recognition-entries',
        { date: '2026-03-01', amount: -5.5, projectId: id },
      ],
      gives: done({ amount: -5.5 }),
    }),
    example({
      says: `It is not entered where it follows the invoices of a project that is billed as ${billingTypeId}`,
      given: (world) => projectOf(world, billingTypeId, { revenueRecognitionMethod: 'invoiced' }),
      when: ({ id }) => [
        'POST',
        '/project-revenue-recognition-entries',
        { date: '2026-03-01', amount: 1, projectId: id },
      ],
      gives: notManual,
    }),
  ]),
  ...['tm', 'non_billable'].map((billingTypeId) =>
    example({
      says: `Revenue of a project that is billed as ${billingTypeId} is not entered by hand`,
      given: (world) => projectOf(world, billingTypeId),
      when: ({ id }) => [
        'POST',
        '/project-revenue-recognition-entries',
        { date: '2026-03-01', amount: 1, projectId: id },
      ],
      gives: notFixed,
    }),
  ),
  example({
    says: 'The amount of entered revenue is changed once its project is billed by time spent',
    given: (world) => {
      const project = { billingTypeId: 'fixed', ...manual };
      return changedSince(world, 'project-revenue-recognition-entry', { project, now: { billingTypeId: 'tm' } });
    },
    when: ({ id }) => ['PATCH', `/project-revenue-recognition-entries/${id}`, { amount: 2 }],
    gives: done({ amount: 2 }),
  }),
  example({
    says: 'The amount of entered revenue is changed once it follows the invoices',
    given: (world) => {
      const [project, now] = [{ billingTypeId: 'fixed', ...manual }, { revenueRecognitionMethod: 'invoiced' }];
      return changedSince(world, 'project-revenue-recognition-entry', { project, now });
    },
    when: ({ id }) => ['PATCH', `/project-revenue-recognition-entries/${id}`, { amount: 2 }],
    gives: done({ amount: 2 }),
  }),
  example({
    says: 'Entered revenue is changed, and may be nothing',
    given: ({ make }) => make('project-revenue-recognition-entry'),
    when: ({ id }) => ['PATCH', `/project-revenue-recognition-entries/${id}`, { amount: 0 }],
    gives: done({ amount: 0 }),
  }),
];

export const financialsRevenue: readonly Case[] = [...advances, ...adjustments, ...recognition];
