// What invoices bill: which records may be billed, once each, and what becomes of them.
import { billable, billing, draftFor, engagement, type SourceType, sourceGroups } from './billing-scenes.ts';
import { type Case, conflict, done, example, type Made, refused, type World } from './case.ts';

const paths: Readonly<Record<SourceType, string>> = {
  time_entry: '/time-entries',
  expense_item: '/expense-items',
  project_expense: '/project-expenses',
  project_billing_schedule_item: '/project-billing-schedule-items',
  project_service_item: '/project-service-items',
  project_product_item: '/project-product-items',
  project_other_item: '/project-other-items',
  project_prepayment: '/project-prepayments',
};
const types = Object.keys(sourceGroups) as readonly SourceType[];

/** A fixed-fee project, on which everything may be billed, with time and a service to bill. */
async function work(world: World) {
  const ids = await engagement(world, { billingTypeId: 'fixed' });
  const [time, service] = [
    await billable(world, 'time_entry', ids),
    await billable(world, 'project_service_item', ids),
  ];
  const lines = [
    billing(ids.projectId, 60, ['time_entry', time]),
    billing(ids.projectId, 40, ['project_service_item', service]),
  ];
  return { ...ids, time, service, lines };
}
type Work = Awaited<ReturnType<typeof work>>;

/** What the records say of it once the invoice bills them for good, or none does. */
const billedBy = ({ time, service }: Work, invoice: string | undefined) =>
  [
    [
      `/time-entries/${time.id}`,
      { invoiced: invoice !== undefined, invoice: invoice === undefined ? null : { id: invoice } },
    ],
    [`/project-service-items/${service.id}`, { invoiced: invoice !== undefined }],
  ] as const;

const effects: readonly Case[] = [
  ...types.map((type) =>
    example({
      says: `A ${type} is invoiced as soon as an invoice that bills it is issued`,
      given: async (world) => {
        const ids = await engagement(world, { billingTypeId: 'fixed' });
        const record = await billable(world, type, ids);
        const lines = [billing(ids.projectId, 10), billing(ids.projectId, 90, [type, record])];
        return { record, invoice: await draftFor(world, ids.clientId, { lines }) };
      },
      when: ({ invoice }) => ['PATCH', `/invoices/${invoice.id}`, { statusId: 'issued' }],
      gives: done({ statusId: 'issued' }),
      also: ({ record }) => [[`${paths[type]}/${record.id}`, { invoiced: true }]],
    }),
  ),
  example({
    says: 'A draft leaves what it bills as it is',
    given: work,
    when: ({ clientId, lines }) => ['POST', '/invoices', { clientId, lines }],
    gives: done({ statusId: 'draft' }),
    also: (scene) => billedBy(scene, undefined),
  }),
  example({
    says: 'Everything on all lines is invoiced, and time names its invoice',
    given: async (world) => {
      const scene = await work(world);
      return { ...scene, invoice: await draftFor(world, scene.clientId, { lines: scene.lines }) };
    },
    when: ({ invoice }) => ['PATCH', `/invoices/${invoice.id}`, { statusId: 'issued' }],
    gives: done({ statusId: 'issued' }),
    also: (scene) => billedBy(scene, scene.invoice.id),
  }),
  example({
    says: 'Several records on one line are all invoiced',
    given: async (world) => {
      const scene = await work(world);
      const { projectId, time, service } = scene;
      const second = await billable(world, 'time_entry', { projectId });
      const lines = [
        billing(projectId, 9, ['time_entry', time], ['time_entry', second], ['project_service_item', service]),
      ];
      return { ...scene, second, invoice: await draftFor(world, scene.clientId, { lines }) };
    },
    when: ({ invoice }) => ['PATCH', `/invoices/${invoice.id}`, { statusId: 'issued' }],
    gives: done({ statusId: 'issued' }),
    also: (scene) => [
      ...billedBy(scene, scene.invoice.id),
      [`/time-entries/${scene.second.id}`, { invoiced: true, invoice: { id: scene.invoice.id } }],
    ],
  }),
  ...['draft', 'void'].map((statusId) =>
    example({
      says: `What an invoice has billed is free again when it becomes ${statusId}`,
      given: async (world) => {
        const scene = await work(world);
        const { clientId, lines } = scene;
        return { ...scene, invoice: await draftFor(world, clientId, { lines, statusId: 'issued' }) };
      },
      when: ({ invoice }) => ['PATCH', `/invoices/${invoice.id}`, { statusId }],
      gives: done({ statusId }),
      also: (scene) => billedBy(scene, undefined),
    }),
  ),
  example({
    says: 'What is paid stays invoiced',
    given: async (world) => {
      const scene = await work(world);
      const { clientId, lines } = scene;
      return { ...scene, invoice: await draftFor(world, clientId, { lines, statusId: 'issued' }) };
    },
    when: ({ clientId, invoice }) => [
      'POST',
      '/payments',
      { clientId, currency: 'USD', amount: 100, invoices: [{ id: invoice.id, amount: 100 }] },
    ],
    gives: done(),
    also: (scene) => [[`/invoices/${scene.invoice.id}`, { statusId: 'paid' }], ...billedBy(scene, scene.invoice.id)],
  }),
  example({
    says: 'What is paid at once, for it costs nothing, is invoiced',
    given: async (world) => {
      const scene = await work(world);
      const { projectId, time, service } = scene;
      const lines = [billing(projectId, 0, ['time_entry', time], ['project_service_item', service])];
      return { ...scene, invoice: await draftFor(world, scene.clientId, { lines }) };
    },
    when: ({ invoice }) => ['PATCH', `/invoices/${invoice.id}`, { statusId: 'issued' }],
    gives: done({ statusId: 'paid' }),
    also: (scene) => billedBy(scene, scene.invoice.id),
  }),
  ...(['time_entry', 'expense_item', 'project_expense'] as const).map((type) =>
    example({
      says: `A ${type} of a project that is locked and completed since is invoiced all the same`,
      given: async (world) => {
        const ids = await engagement(world);
        const record = await billable(world, type, ids);
        const invoice = await draftFor(world, ids.clientId, { lines: [billing(ids.projectId, 9, [type, record])] });
        const closed = { lockTimeAndExpenses: true, statusId: 'completed', recordStatusId: 'archived' };
        await world.send('PATCH', `/projects/${ids.projectId}`, closed);
        return { record, invoice };
      },
      when: ({ invoice }) => ['PATCH', `/invoices/${invoice.id}`, { statusId: 'issued' }],
      gives: done({ statusId: 'issued' }),
      also: ({ record }) => [[`${paths[type]}/${record.id}`, { invoiced: true }]],
    }),
  ),
  example({
    says: 'What is left out as the draft is issued stays free',
    given: async (world) => {
      const scene = await work(world);
      return { ...scene, invoice: await draftFor(world, scene.clientId, { lines: scene.lines }) };
    },
    when: ({ invoice, lines }) => ['PATCH', `/invoices/${invoice.id}`, { statusId: 'issued', lines: lines.slice(1) }],
    gives: done({ statusId: 'issued' }),
    also: ({ time, service }) => [
      [`/time-entries/${time.id}`, { invoiced: false, invoice: null }],
      [`/project-service-items/${service.id}`, { invoiced: true }],
    ],
  }),
];

interface Unfit {
  readonly what: string;
  readonly type: SourceType;
  readonly body: object;
  readonly must: string;
}
const unfit: readonly Unfit[] = [
  {
    what: 'Time that nobody has approved',
    type: 'time_entry',
    body: { statusId: 'pending_approval' },
    must: 'billable and approved',
  },
  { what: 'Time that is not billable', type: 'time_entry', body: { isBillable: false }, must: 'billable and approved' },
  {
    what: 'An expense that nobody has approved',
    type: 'expense_item',
    body: { statusId: 'not_submitted' },
    must: 'billable and approved',
  },
  {
    what: 'An expense that is not billable',
    type: 'expense_item',
    body: { isBillable: false, markupMethod: undefined, markupRatio: undefined },
    must: 'billable and approved',
  },
  { what: 'A cost that is not billable', type: 'project_expense', body: { isBillable: false }, must: 'billable' },
];

const fitness: readonly Case[] = [
  ...unfit.map(({ what, type, body, must }) =>
    example({
      says: `${what} is not billed`,
      given: async (world) => {
        const ids = await engagement(world);
        return { ...ids, record: await billable(world, type, { ...ids, ...body }) };
      },
      when: ({ clientId, projectId, record }) => [
        'POST',
        '/invoices',
        { clientId, lines: [billing(projectId, 1), billing(projectId, 1, [type, record])] },
      ],
      gives: refused(`'lines[1].sources[0].id' must be ${must}`),
    }),
  ),
  example({
    says: 'All that may not be billed is told at once',
    given: async (world) => {
      const ids = await engagement(world);
      const open = await billable(world, 'time_entry', { ...ids, ...{ statusId: 'not_submitted' } });
      const elsewhere = await billable(world, 'time_entry', await engagement(world, { clientId: ids.clientId }));
      return { ...ids, sources: [['time_entry', open] as const, ['time_entry', elsewhere] as const] };
    },
    when: ({ clientId, projectId, sources }) => [
      'POST',
      '/invoices',
      { clientId, lines: [billing(projectId, 1, ...sources)] },
    ],
    gives: refused(
      "'lines[0].sources[0].id' must be billable and approved",
      "'lines[0].sources[1].id' must be of the line's project",
    ),
  }),
  example({
    says: 'A line without a project bills nothing of a project',
    given: work,
    when: ({ clientId, service }) => [
      'POST',
      '/invoices',
      { clientId, lines: [{ amount: 1, sources: [{ typeId: 'project_service_item', id: service.id }] }] },
    ],
    gives: refused("'lines[0].sources[0].id' must be of the line's project"),
  }),
  example({
    says: 'A draft gets no line for what may not be billed',
    given: async (world) => {
      const ids = await engagement(world);
      const entry = await billable(world, 'time_entry', { ...ids, ...{ statusId: 'rejected' } });
      return { ...ids, entry, invoice: await draftFor(world, ids.clientId) };
    },
    when: ({ invoice, projectId, entry }) => [
      'PATCH',
      `/invoices/${invoice.id}`,
      { lines: [billing(projectId, 1, ['time_entry', entry])] },
    ],
    gives: refused("'lines[0].sources[0].id' must be billable and approved"),
  }),
  example({
    says: 'Time whose approval is taken back is not invoiced by the draft that has it',
    given: async (world) => takenBack(world),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { statusId: 'issued' }],
    gives: refused("'lines[0].sources[0].id' must be billable and approved"),
  }),
  example({
    says: 'The draft may still be changed otherwise',
    given: async (world) => takenBack(world),
    when: ({ id }) => ['PATCH', `/invoices/${id}`, { notes: 'Ask Ada' }],
    gives: done({ statusId: 'draft', notes: 'Ask Ada' }),
  }),
];

/** A draft over time that is no longer approved. */
async function takenBack(world: World): Promise<Made> {
  const { clientId, time, lines } = await work(world);
  const invoice = await draftFor(world, clientId, { lines });
  await world.send('PATCH', `/time-entries/${time.id}`, { statusId: 'not_submitted' });
  return invoice;
}

const timeHeld = conflict('The Time Entry is in use and cannot be deleted.');
const once: readonly Case[] = [
  ...['draft', 'issued'].map((statusId) =>
    example({
      says: `What one invoice bills no other does, while the first is ${statusId}`,
      given: async (world) => {
        const scene = await work(world);
        await draftFor(world, scene.clientId, { lines: scene.lines, statusId });
        return scene;
      },
      when: ({ clientId, lines }) => ['POST', '/invoices', { clientId, lines: lines.slice(1) }],
      gives: conflict('The Project Service Item is in use and cannot be deleted.'),
    }),
  ),
  example({
    says: 'Another draft does not take over what a draft bills',
    given: async (world) => {
      const scene = await work(world);
      await draftFor(world, scene.clientId, { lines: scene.lines });
      return { ...scene, other: await draftFor(world, scene.clientId) };
    },
    when: ({ other, lines }) => ['PATCH', `/invoices/${other.id}`, { lines: lines.slice(0, 1) }],
    gives: timeHeld,
  }),
  example({
    says: 'Two lines do not bill the same',
    given: work,
    when: ({ clientId, lines }) => ['POST', '/invoices', { clientId, lines: [...lines, lines[0]] }],
    gives: timeHeld,
  }),
  example({
    says: 'One line does not bill the same twice',
    given: work,
    when: ({ clientId, projectId, time }) => [
      'POST',
      '/invoices',
      { clientId, lines: [billing(projectId, 1, ['time_entry', time], ['time_entry', time])] },
    ],
    gives: refused("'lines[0].sources' must be without duplicates"),
  }),
  example({
    says: 'A draft may keep what it bills on another line',
    given: async (world) => {
      const scene = await work(world);
      return { ...scene, invoice: await draftFor(world, scene.clientId, { lines: scene.lines }) };
    },
    when: ({ invoice, projectId, time, service }) => [
      'PATCH',
      `/invoices/${invoice.id}`,
      { lines: [billing(projectId, 100, ['project_service_item', service], ['time_entry', time])] },
    ],
    gives: ({ time, service }) => done({ lines: [{ sources: [{ id: service.id }, { id: time.id }] }] }),
  }),
  example({
    says: 'What a void invoice has billed may be billed again',
    given: async (world) => {
      const scene = await work(world);
      const { id } = await draftFor(world, scene.clientId, { lines: scene.lines, statusId: 'issued' });
      await world.send('PATCH', `/invoices/${id}`, { statusId: 'void' });
      return scene;
    },
    when: ({ clientId, lines }) => ['POST', '/invoices', { clientId, lines, statusId: 'issued' }],
    gives: done({ statusId: 'issued' }),
    also: ({ service }) => [[`/project-service-items/${service.id}`, { invoiced: true }]],
  }),
  example({
    says: 'What a deleted draft has billed may be billed again',
    given: async (world) => {
      const scene = await work(world);
      const { id } = await draftFor(world, scene.clientId, { lines: scene.lines });
      await world.send('DELETE', `/invoices/${id}`);
      return scene;
    },
    when: ({ clientId, lines }) => ['POST', '/invoices', { clientId, lines }],
    gives: done({ statusId: 'draft' }),
    also: (scene) => billedBy(scene, undefined),
  }),
];

export const billingSources: readonly Case[] = [...effects, ...fitness, ...once];
