// What the lines of an invoice say where nothing is sent, and what the invoice takes from them.
import { billable, draftFor, engagement, line, type SourceType } from './billing-scenes.ts';
import { senders } from './billing-senders.ts';
import { type Case, done, example, refused, type World } from './case.ts';

const ofClient = refused("'lines[1].projectId' must be of the same client");
const owners: readonly Case[] = [
  example({
    says: 'A line bills a project of the client',
    given: engagement,
    when: ({ clientId, projectId }) => ['POST', '/invoices', { clientId, lines: [line(1, { projectId })] }],
    gives: ({ projectId }) => done({ lines: [{ project: { id: projectId } }], projects: [{ id: projectId }] }),
  }),
  example({
    says: 'A line bills no project of another client',
    given: async (world) => ({ own: await engagement(world), other: await engagement(world) }),
    when: ({ own, other }) => [
      'POST',
      '/invoices',
      { clientId: own.clientId, lines: [own, other].map(({ projectId }) => line(1, { projectId })) },
    ],
    gives: ofClient,
  }),
  example({
    says: 'A draft gets no line for a project of another client',
    given: async (world) => {
      const { projectId } = await engagement(world);
      return { projectId, invoice: await draftFor(world, (await world.make('client')).id) };
    },
    when: ({ invoice, projectId }) => [
      'PATCH',
      `/invoices/${invoice.id}`,
      { lines: [line(1), line(2, { projectId }), line(3)] },
    ],
    gives: ofClient,
  }),
];

interface Taken {
  readonly type: SourceType;
  readonly kindId: string;
  /** The record says itself under which item it is billed, or its expense category, or the type of its project. */
  readonly by: 'record' | 'category' | 'project';
}

/** A record to bill whose invoice item is `item`. */
async function withItem(world: World, { type, by }: Taken) {
  const { make } = world;
  const item = await make('invoice-item', { typeId: by === 'category' ? 'expense' : 'income' });
  const projectType = by === 'project' ? await make('project-type', { invoiceItemId: item.id }) : undefined;
  const ids = await engagement(world, { billingTypeId: 'fixed', projectTypeId: projectType?.id });
  const category = by === 'category' ? await make('expense-category', { invoiceItemId: item.id }) : undefined;
  const own = by === 'record' ? { invoiceItemId: item.id } : { expenseCategoryId: category?.id };
  const record = await billable(world, type, { projectId: ids.projectId, ...(by === 'project' ? {} : own) });
  return { ...ids, item, source: { typeId: type, id: record.id } };
}

const taken: readonly Taken[] = [
  { type: 'time_entry', kindId: 'services', by: 'project' },
  { type: 'expense_item', kindId: 'expenses', by: 'category' },
  { type: 'project_expense', kindId: 'expenses', by: 'category' },
  { type: 'project_billing_schedule_item', kindId: 'services', by: 'record' },
  { type: 'project_service_item', kindId: 'services', by: 'record' },
  { type: 'project_product_item', kindId: 'products', by: 'record' },
  { type: 'project_other_item', kindId: 'other_items', by: 'record' },
  { type: 'project_prepayment', kindId: 'services', by: 'record' },
];
const product: Taken = { type: 'project_product_item', kindId: 'products', by: 'record' };

const defaults: readonly Case[] = [
  ...taken.map((one) =>
    example({
      says: `A line that bills a ${one.type} is one of ${one.kindId}, under the invoice item of its ${one.by}`,
      given: (world) => withItem(world, one),
      when: ({ clientId, projectId, source }) => [
        'POST',
        '/invoices',
        { clientId, lines: [line(7), line(1, { projectId, sources: [source] })] },
      ],
      gives: ({ item, source }) =>
        done({
          lines: [
            { kindId: 'services', invoiceItem: { name: 'Service' }, sources: [] },
            { kindId: one.kindId, invoiceItem: { id: item.id }, sources: [source] },
          ],
        }),
    }),
  ),
  example({
    says: 'The first of several records decides',
    given: async (world) => {
      const scene = await withItem(world, product);
      const other = await billable(world, 'project_service_item', scene);
      return { ...scene, sources: [scene.source, { typeId: 'project_service_item', id: other.id }] };
    },
    when: ({ clientId, projectId, sources }) => [
      'POST',
      '/invoices',
      { clientId, lines: [line(1, { projectId, sources })] },
    ],
    gives: ({ item, sources }) => done({ lines: [{ kindId: 'products', invoiceItem: { id: item.id }, sources }] }),
  }),
  example({
    says: 'What is sent goes before what the record says',
    given: async (world) => ({ ...(await withItem(world, product)), sent: await world.make('invoice-item') }),
    when: ({ clientId, projectId, source, sent }) => [
      'POST',
      '/invoices',
      { clientId, lines: [line(1, { projectId, sources: [source], kindId: 'services', invoiceItemId: sent.id })] },
    ],
    gives: ({ sent }) => done({ lines: [{ kindId: 'services', invoiceItem: { id: sent.id } }] }),
  }),
  example({
    says: 'Time of a project without a type is billed under Service',
    given: async (world) => {
      const ids = await engagement(world);
      return { ...ids, entry: await billable(world, 'time_entry', ids) };
    },
    when: ({ clientId, projectId, entry }) => [
      'POST',
      '/invoices',
      { clientId, lines: [line(1, { projectId, sources: [{ typeId: 'time_entry', id: entry.id }] })] },
    ],
    gives: done({ lines: [{ kindId: 'services', invoiceItem: { name: 'Service' } }] }),
  }),
  example({
    says: 'Lines that a draft gets later take the same from their records',
    given: async (world) => {
      const scene = await withItem(world, product);
      return { ...scene, invoice: await draftFor(world, scene.clientId) };
    },
    when: ({ invoice, projectId, source }) => [
      'PATCH',
      `/invoices/${invoice.id}`,
      { lines: [line(1, { projectId, sources: [source] })] },
    ],
    gives: ({ item }) => done({ lines: [{ kindId: 'products', invoiceItem: { id: item.id } }] }),
  }),
  example({
    says: 'Lines without records are of the kind of their invoice item, and numbered in their order',
    given: async ({ make }) => ({
      client: await make('client'),
      costs: await make('invoice-item', { typeId: 'expense' }),
      income: await make('invoice-item', { typeId: 'income' }),
    }),
    when: ({ client, costs, income }) => [
      'POST',
      '/invoices',
      {
        clientId: client.id,
        lines: [
          line(1, { invoiceItemId: income.id }),
          line(2, { invoiceItemId: costs.id }),
          line(3),
          line(4, { invoiceItemId: costs.id, kindId: 'other_items' }),
        ],
      },
    ],
    gives: done({
      lines: [
        { lineNumber: 1, kindId: 'services' },
        { lineNumber: 2, kindId: 'expenses' },
        { lineNumber: 3, kindId: 'services' },
        { lineNumber: 4, kindId: 'other_items' },
      ],
    }),
  }),
  example({
    says: 'Lines that remain are numbered anew',
    given: async (world) => {
      const { id } = await world.make('client');
      return draftFor(world, id, { lines: [line(1), line(2), line(3)] });
    },
    when: ({ id, lines }) => ['PATCH', `/invoices/${id}`, { lines: kept(lines, [2, 1]) }],
    gives: done({
      lines: [
        { lineNumber: 1, amount: 3 },
        { lineNumber: 2, amount: 2 },
      ],
      subtotal: 5,
    }),
  }),
];

/** Shown lines as a body that keeps them. */
const kept = (lines: unknown, places: readonly number[]): readonly object[] =>
  places.map((place) => {
    const { id, amount } = (lines as readonly { id: string; amount: number }[])[place] ?? { id: '', amount: 0 };
    return line(amount, { id });
  });

const kinds = ['services', 'expenses', 'products', 'other_items'];
const ofEachKind = kinds.map((kindId) => ({ amount: 1, kindId }));
const taxedIn = (...taxable: readonly string[]) =>
  done({ lines: kinds.map((kindId) => ({ kindId, taxable: taxable.includes(kindId) })) });

/** The workspace taxes services and products, a business unit expenses. */
async function taxing(world: World) {
  const { unit } = await senders(world);
  await world.send('PATCH', '/workspace-settings', { invoiceTaxableItems: ['services', 'products'] });
  return world.send('PATCH', `/business-units/${unit.id}`, { invoiceTaxableItems: ['expenses'] });
}

const taxable: readonly Case[] = [
  example({
    says: 'The kinds that the workspace names are taxed',
    given: async (world) => {
      const unit = await taxing(world);
      return world.make('client', { invoiceDetailsSource: 'workspace', businessUnitId: unit.id });
    },
    when: ({ id }) => ['POST', '/invoices', { clientId: id, lines: ofEachKind }],
    gives: taxedIn('services', 'products'),
  }),
  example({
    says: 'For clients of a business unit, the kinds that the unit names',
    given: async (world) => {
      const unit = await taxing(world);
      return world.make('client', { invoiceDetailsSource: 'business_unit', businessUnitId: unit.id });
    },
    when: ({ id }) => ['POST', '/invoices', { clientId: id, lines: ofEachKind }],
    gives: taxedIn('expenses'),
  }),
  example({
    says: 'For clients with words of their own, those of their business unit',
    given: async (world) => {
      const unit = await taxing(world);
      return world.make('client', { invoiceDetailsSource: 'custom', businessUnitId: unit.id });
    },
    when: ({ id }) => ['POST', '/invoices', { clientId: id, lines: ofEachKind }],
    gives: taxedIn('expenses'),
  }),
  example({
    says: 'For clients with words of their own and no business unit, those of the workspace',
    given: async (world) => {
      await taxing(world);
      return world.make('client', { invoiceDetailsSource: 'custom' });
    },
    when: ({ id }) => ['POST', '/invoices', { clientId: id, lines: ofEachKind }],
    gives: taxedIn('services', 'products'),
  }),
  example({
    says: 'Whether a line is taxed is as sent, whatever its kind; else by the kind of its record',
    given: async (world) => {
      await taxing(world);
      return withItem(world, product);
    },
    when: ({ clientId, projectId, source }) => [
      'POST',
      '/invoices',
      {
        clientId,
        lines: [
          { amount: 1, kindId: 'services', taxable: false },
          { amount: 1, kindId: 'expenses', taxable: true },
          { amount: 1, projectId, sources: [source] },
        ],
      },
    ],
    gives: done({ lines: [{ taxable: false }, { taxable: true }, { taxable: true }] }),
  }),
  example({
    says: 'Lines that are there stay as they are when the settings change',
    given: async (world) => {
      await senders(world);
      const { id } = await world.make('client');
      const invoice = await draftFor(world, id, { lines: ofEachKind });
      await taxing(world);
      return invoice;
    },
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { notes: 'Untaxed' }],
    gives: taxedIn(),
  }),
  example({
    says: 'Lines that a draft gets later are taxed by the settings of now',
    given: async (world) => {
      const { id } = await world.make('client');
      const invoice = await draftFor(world, id);
      await taxing(world);
      return invoice;
    },
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { lines: ofEachKind }],
    gives: taxedIn('services', 'products'),
  }),
];

/** Two projects of a client, with purchase orders. */
async function twoProjects(world: World) {
  const { make } = world;
  const { clientId, projectId } = await engagement(world, { poNumber: 'PO 1' });
  const other = await make('project', { clientId, billingTypeId: 'tm', poNumber: 'PO 2' });
  return { clientId, one: { projectId }, two: { projectId: other.id } };
}

const projects: readonly Case[] = [
  example({
    says: 'An invoice shows the projects of its lines in their order, each once, and no purchase order of several',
    given: twoProjects,
    when: ({ clientId, one, two }) => [
      'POST',
      '/invoices',
      { clientId, lines: [line(1), line(1, two), line(1, one), line(1, two)] },
    ],
    gives: ({ one, two }) => done({ projects: [{ id: two.projectId }, { id: one.projectId }], poNumber: null }),
  }),
  example({
    says: 'The purchase order of the only project is that of the invoice',
    given: twoProjects,
    when: ({ clientId, two }) => ['POST', '/invoices', { clientId, lines: [line(1, two), line(1), line(1, two)] }],
    gives: ({ two }) => done({ projects: [{ id: two.projectId }], poNumber: 'PO 2' }),
  }),
  example({
    says: 'An invoice without projects has no purchase order',
    given: twoProjects,
    when: ({ clientId }) => ['POST', '/invoices', { clientId, lines: [line(1)] }],
    gives: done({ projects: [], poNumber: null }),
  }),
  ...[null, 'PO 3'].map((poNumber) =>
    example({
      says: `A purchase order that is sent as ${poNumber} is kept`,
      given: twoProjects,
      when: ({ clientId, two }) => ['POST', '/invoices', { clientId, poNumber, lines: [line(1, two)] }],
      gives: done({ poNumber }),
    }),
  ),
  example({
    says: 'Other lines bring other projects, and leave the purchase order',
    given: async (world) => {
      const scene = await twoProjects(world);
      return { ...scene, invoice: await draftFor(world, scene.clientId, { lines: [line(1, scene.one)] }) };
    },
    when: ({ invoice, two }) => ['PATCH', `/invoices/${invoice.id}`, { lines: [line(1, two)] }],
    gives: ({ two }) => done({ projects: [{ id: two.projectId }], poNumber: 'PO 1' }),
  }),
];

export const billingLines: readonly Case[] = [...owners, ...defaults, ...taxable, ...projects];
