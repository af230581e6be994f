// Advances that clients pay on projects: invoiced first, and used up by later invoices.
import { billable, billing, draftFor, engagement, issuedFor, line } from './billing-scenes.ts';
import { type Case, done, example, type Made, refused, type World } from './case.ts';

/** An advance of 100 that is invoiced, and work for 500 to use it on. */
async function advance(world: World) {
  const ids = await engagement(world);
  const prepayment = await billable(world, 'project_prepayment', { ...ids, ...{ amount: 100 } });
  const lines = [billing(ids.projectId, 100, ['project_prepayment', prepayment])];
  const invoice = await issuedFor(world, ids.clientId, { lines });
  return { ...ids, prepayment, invoice, path: `/project-prepayments/${prepayment.id}` };
}
type Advance = Awaited<ReturnType<typeof advance>>;

/** Lines over work for 500 that use up so much of an advance each. */
const using = ({ projectId, prepayment }: { projectId: string; prepayment: Made }, ...amounts: readonly number[]) => [
  line(500, { projectId }),
  ...amounts.map((amount) => line(amount, { projectId, projectPrepaymentId: prepayment.id })),
];

/** An invoice that uses up so much of the advance. */
async function used(world: World, amount: number, statusId = 'issued') {
  const scene = await advance(world);
  const user = await draftFor(world, scene.clientId, { statusId, lines: using(scene, amount) });
  return { ...scene, user };
}

const worth = (invoiced: boolean, amountApplied: number, amountRemaining: number) => ({
  ...{ invoiced, amount: 100, amountApplied, amountRemaining },
});

const values: readonly Case[] = [
  example({
    says: 'An advance is worth its amount once it is invoiced',
    given: async (world) => {
      const ids = await engagement(world);
      const prepayment = await billable(world, 'project_prepayment', { ...ids, ...{ amount: 100 } });
      const lines = [billing(ids.projectId, 100, ['project_prepayment', prepayment])];
      return { prepayment, invoice: await draftFor(world, ids.clientId, { lines }) };
    },
    when: ({ invoice }) => ['PATCH', `/invoices/${invoice.id}`, { statusId: 'issued' }],
    gives: done(),
    also: ({ prepayment }) => [[`/project-prepayments/${prepayment.id}`, worth(true, 0, 100)]],
  }),
  example({
    says: 'An advance that only a draft bills is worth nothing yet',
    given: async (world) => {
      const ids = await engagement(world);
      return { ...ids, prepayment: await billable(world, 'project_prepayment', { ...ids, ...{ amount: 100 } }) };
    },
    when: ({ clientId, projectId, prepayment }) => [
      'POST',
      '/invoices',
      { clientId, lines: [billing(projectId, 100, ['project_prepayment', prepayment])] },
    ],
    gives: done(),
    also: ({ prepayment }) => [[`/project-prepayments/${prepayment.id}`, worth(false, 0, 0)]],
  }),
  example({
    says: 'An advance is worth nothing once its invoice is taken back',
    given: advance,
    when: ({ invoice }) => ['PATCH', `/invoices/${invoice.id}`, { statusId: 'draft' }],
    gives: done({ statusId: 'draft' }),
    also: ({ path }) => [[path, worth(false, 0, 0)]],
  }),
  example({
    says: 'What an issued invoice uses of an advance is gone',
    given: async (world) => used(world, -60.01, 'draft'),
    when: ({ user }) => ['PATCH', `/invoices/${user.id}`, { statusId: 'issued' }],
    gives: done({ total: 439.99 }),
    also: ({ path }) => [[path, worth(true, 60.01, 39.99)]],
  }),
  example({
    says: 'A draft uses nothing of an advance yet',
    given: advance,
    when: (scene) => ['POST', '/invoices', { clientId: scene.clientId, taxRateId: null, lines: using(scene, -60) }],
    gives: done({ statusId: 'draft', total: 440 }),
    also: ({ path }) => [[path, worth(true, 0, 100)]],
  }),
  example({
    says: 'Several invoices and several lines use up one advance together',
    given: async (world) => used(world, -30),
    when: (scene) => [
      'POST',
      '/invoices',
      { clientId: scene.clientId, statusId: 'issued', lines: using(scene, -20.5, -9.25) },
    ],
    gives: done(),
    // 30 + 20.5 + 9.25
    also: ({ path }) => [[path, worth(true, 59.75, 40.25)]],
  }),
  ...['draft', 'void'].map((statusId) =>
    example({
      says: `What an invoice has used is there again when it becomes ${statusId}`,
      given: async (world) => {
        const scene = await used(world, -30);
        const lines = using(scene, -20);
        return { ...scene, second: await issuedFor(world, scene.clientId, { lines }) };
      },
      when: ({ second }) => ['PATCH', `/invoices/${second.id}`, { statusId }],
      gives: done({ statusId }),
      also: ({ path }) => [[path, worth(true, 30, 70)]],
    }),
  ),
  example({
    says: 'What a paid invoice has used stays used',
    given: async (world) => used(world, -100),
    when: ({ clientId, user }) => [
      'POST',
      '/payments',
      { clientId, currency: 'USD', amount: 400, invoices: [{ id: user.id, amount: 400 }] },
    ],
    gives: done(),
    also: ({ path, user }) => [
      [`/invoices/${user.id}`, { statusId: 'paid' }],
      [path, worth(true, 100, 0)],
    ],
  }),
  example({
    says: 'What paid invoices have used still counts when another uses more',
    given: async (world) => {
      const scene = await used(world, -60);
      const { clientId, user } = scene;
      const invoices = [{ id: user.id, amount: 440 }];
      await world.make('payment', { clientId, currency: 'USD', amount: 440, invoices });
      return scene;
    },
    when: (scene) => ['POST', '/invoices', { clientId: scene.clientId, statusId: 'issued', lines: using(scene, -20) }],
    gives: done(),
    also: ({ path, user }) => [
      [`/invoices/${user.id}`, { statusId: 'paid' }],
      [path, worth(true, 80, 20)],
    ],
  }),
  example({
    says: 'An advance that pays an invoice whole is used up',
    given: advance,
    when: ({ clientId, projectId, prepayment }) => [
      'POST',
      '/invoices',
      {
        ...{ clientId, taxRateId: null, statusId: 'issued' },
        lines: [line(100, { projectId }), line(-100, { projectId, projectPrepaymentId: prepayment.id })],
      },
    ],
    gives: done({ statusId: 'paid', total: 0 }),
    also: ({ path }) => [[path, worth(true, 100, 0)]],
  }),
  example({
    says: 'Two advances on one invoice are used each by its own line',
    given: async (world) => {
      const scene = await advance(world);
      const { clientId, projectId } = scene;
      const other = await billable(world, 'project_prepayment', { projectId, ...{ amount: 100 } });
      await issuedFor(world, clientId, { lines: [billing(projectId, 100, ['project_prepayment', other])] });
      return { ...scene, other };
    },
    when: (scene) => [
      'POST',
      '/invoices',
      {
        ...{ clientId: scene.clientId, statusId: 'issued' },
        lines: [...using(scene, -10), line(-20, { projectId: scene.projectId, projectPrepaymentId: scene.other.id })],
      },
    ],
    gives: done(),
    also: ({ path, other }) => [
      [path, worth(true, 10, 90)],
      [`/project-prepayments/${other.id}`, worth(true, 20, 80)],
    ],
  }),
  example({
    says: 'An advance whose own invoice is void is worth nothing, though another invoice has used it',
    given: async (world) => used(world, -60),
    when: ({ invoice }) => ['PATCH', `/invoices/${invoice.id}`, { statusId: 'void' }],
    gives: done({ statusId: 'void' }),
    also: ({ path }) => [[path, worth(false, 60, 0)]],
  }),
];

const draft = (scene: Advance, ...amounts: readonly number[]) =>
  ['POST', '/invoices', { clientId: scene.clientId, lines: using(scene, ...amounts) }] as const;

const limits: readonly Case[] = [
  example({
    says: 'An advance may be used up whole',
    given: advance,
    when: (scene) => draft(scene, -60, -40),
    gives: done({ lines: [{}, { amount: -60 }, { amount: -40 }] }),
  }),
  example({
    says: 'No more of an advance is used than there is',
    given: advance,
    when: (scene) => draft(scene, -100.01),
    gives: refused("'lines[1].amount' must be at least -100"),
  }),
  example({
    says: 'No more of an advance is used than there is, whoever has the number already',
    given: async (world) => {
      const scene = await advance(world);
      return {
        ...scene,
        other: await draftFor(world, scene.clientId, { lines: [line(1, { projectId: scene.projectId })] }),
      };
    },
    when: (scene) => [
      'POST',
      '/invoices',
      { clientId: scene.clientId, number: scene.other.number, lines: using(scene, -100.01) },
    ],
    gives: refused("'lines[1].amount' must be at least -100"),
  }),
  example({
    says: 'Lines together use no more than there is',
    given: advance,
    when: (scene) => draft(scene, -60, -40.01),
    gives: refused("'lines[2].amount' must be at least -100"),
  }),
  example({
    says: 'What others have used is not there any more',
    given: async (world) => used(world, -60),
    when: (scene) => draft(scene, -40.01),
    gives: refused("'lines[1].amount' must be at least -40"),
  }),
  example({
    says: 'What others have left may be used',
    given: async (world) => used(world, -60),
    when: (scene) => draft(scene, -40),
    gives: done(),
  }),
  example({
    says: 'A line that uses an advance lowers the invoice',
    given: advance,
    when: (scene) => draft(scene, 0),
    gives: refused("'lines[1].amount' must be less than 0"),
  }),
  example({
    says: 'A line lowers it by quantity and rate as well',
    given: advance,
    when: ({ clientId, projectId, prepayment }) => [
      'POST',
      '/invoices',
      { clientId, lines: [{ quantity: 2, rate: -50.01, projectId, projectPrepaymentId: prepayment.id }] },
    ],
    // 100.02
    gives: refused("'lines[0].amount' must be at least -100"),
  }),
  example({
    says: 'An advance is used on its own project',
    given: async (world) => {
      const scene = await advance(world);
      const { clientId } = scene;
      return { ...scene, elsewhere: await world.make('project', { clientId, billingTypeId: 'tm' }) };
    },
    when: ({ clientId, prepayment, elsewhere }) => [
      'POST',
      '/invoices',
      { clientId, lines: [line(-1, { projectId: elsewhere.id, projectPrepaymentId: prepayment.id })] },
    ],
    gives: refused("'lines[0].projectPrepaymentId' must be of the line's project"),
  }),
  example({
    says: 'An advance is not used on a line without a project',
    given: advance,
    when: ({ clientId, prepayment }) => [
      'POST',
      '/invoices',
      { clientId, lines: [line(-1, { projectPrepaymentId: prepayment.id })] },
    ],
    gives: refused("'lines[0].projectPrepaymentId' must be of the line's project"),
  }),
  example({
    says: 'An advance that is not invoiced cannot be used',
    given: async (world) => {
      const ids = await engagement(world);
      const prepayment = await billable(world, 'project_prepayment', { ...ids, ...{ amount: 100 } });
      return { ...ids, prepayment };
    },
    when: (scene) => ['POST', '/invoices', { clientId: scene.clientId, lines: using(scene, -1) }],
    gives: refused("'lines[1].amount' must be at least 0"),
  }),
  example({
    says: 'A draft does not come to use more than there is',
    given: async (world) => used(world, -60, 'draft'),
    when: (scene) => ['PATCH', `/invoices/${scene.user.id}`, { lines: using(scene, -100.01) }],
    gives: refused("'lines[1].amount' must be at least -100"),
  }),
  example({
    says: 'A draft is not issued once others have used what it counts on',
    given: async (world) => {
      const scene = await used(world, -60, 'draft');
      await issuedFor(world, scene.clientId, { lines: using(scene, -40.01) });
      return scene;
    },
    when: ({ user }) => ['PATCH', `/invoices/${user.id}`, { statusId: 'issued' }],
    gives: refused("'lines[1].amount' must be at least -59.99"),
  }),
  example({
    says: 'A draft whose advance others have used may still be changed otherwise',
    given: async (world) => {
      const scene = await used(world, -60, 'draft');
      await issuedFor(world, scene.clientId, { lines: using(scene, -40.01) });
      return scene;
    },
    when: ({ user }) => ['PATCH', `/invoices/${user.id}`, { notes: 'Less of the advance' }],
    gives: done({ notes: 'Less of the advance' }),
  }),
  example({
    says: 'An invoice that has used up an advance is taken back with its lines',
    given: async (world) => used(world, -100),
    when: ({ user }) => ['PATCH', `/invoices/${user.id}`, { statusId: 'draft' }],
    gives: done({ statusId: 'draft', lines: [{}, { amount: -100 }] }),
    also: ({ path }) => [[path, worth(true, 0, 100)]],
  }),
  example({
    says: 'An issued invoice that has used up an advance may get other notes',
    given: async (world) => used(world, -100),
    when: (scene) => ['PATCH', `/invoices/${scene.user.id}`, { notes: 'Sent', poNumber: 'PO 1' }],
    gives: done({ statusId: 'issued', notes: 'Sent' }),
    also: ({ path }) => [[path, worth(true, 100, 0)]],
  }),
];

export const billingPrepayments: readonly Case[] = [...values, ...limits];
