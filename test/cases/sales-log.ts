// What the service itself notes of the pipeline: an activity for each kind of change of an opportunity or a company.
import { type Case, conflict, done, example, type Made, type World } from './case.ts';
import { todayOf } from './days.ts';
import { at, deal, stage } from './sales-pipeline.ts';

type Values = Readonly<Record<string, unknown>>;
const noted = ({ id }: Made) => `/pipeline-activities?limit=100&opportunityId=${id}`;
const notedOf = ({ id }: Made) => `/pipeline-activities?limit=100&companyId=${id}`;
/** Those that the service has noted, the last first: subject and text. */
const notes = (...texts: readonly (readonly [subject: string, content: unknown])[]) => ({
  results: texts.map(([subject, content]) => ({ subject, content, readOnly: true })),
});

/** An opportunity of which little is said. */
async function scene(world: World, values: Values = {}) {
  const today = await todayOf(world);
  const open = await stage(world.make, { name: `Talks ${world.unique}`, probability: 0.25 });
  const company = await world.make('company', { name: `Acme ${world.unique}`, currency: 'EUR' });
  const bare = { name: 'Relaunch', ...{ openDate: '2026-01-01', closeDate: null, ownerId: null, projects: [] } };
  const one = await deal(world.make, open, {
    ...{ companyId: company.id, description: null, nextSteps: null, amount: 1000, priorityId: null, tagIds: [] },
    ...{ contactIds: [], ...bare, ...values },
  });
  return { today, open, company, one, actor: world.actor };
}

/** A change of an opportunity, and what is noted of it. */
const change = (
  says: string,
  values: Values,
  sent: Values,
  ...texts: readonly (readonly [subject: string, content: unknown])[]
) =>
  example({
    says,
    given: (world: World) => scene(world, values),
    when: ({ one }) => ['PATCH', at(one), sent],
    gives: done(),
    also: ({ one }) => [[noted(one), notes(...texts)]],
  });

const plain: readonly Case[] = [
  change('A new amount is noted', {}, { amount: 1200.5 }, ['Amount Change', 'amount: 1000 → 1200.5']),
  change('An amount that is gone is noted', {}, { amount: null }, ['Amount Change', 'amount: 1000 → –']),
  change('A first amount is noted', { amount: null }, { amount: 0 }, ['Amount Change', 'amount: – → 0']),
  change('Another probability is noted', {}, { probability: 0.5 }, ['Probability Change', 'probability: 0.25 → 0.5']),
  change('An expected close is noted', {}, { closeDate: '2026-12-01' }, [
    ...(['Expected Close Date Change', 'closeDate: – → 2026-12-01'] as const),
  ]),
  change('Another opening is noted', {}, { openDate: '2026-02-01' }, [
    ...(['Open Date Change', 'openDate: 2026-01-01 → 2026-02-01'] as const),
  ]),
  change('Next steps are noted', { nextSteps: 'Call' }, { nextSteps: 'Visit\nWrite' }, [
    ...(['Next Steps Change', 'nextSteps: Call → Visit\nWrite'] as const),
  ]),
  change(
    'All other changes are noted together, in the order of the record',
    { description: 'Old' },
    { priorityId: 'high', name: 'Redesign', description: null, currency: 'USD' },
    ['Edit', 'name: Relaunch → Redesign\ndescription: Old → –\ncurrency: EUR → USD\npriorityId: – → high'],
  ),
  change(
    'Each kind of change is noted by itself',
    {},
    { crmOneId: 'A-1', nextSteps: 'Call', amount: 5, openDate: '2026-01-02' },
    ['Edit', 'crmOneId: – → A-1'],
    ['Next Steps Change', 'nextSteps: – → Call'],
    ['Open Date Change', 'openDate: 2026-01-01 → 2026-01-02'],
    ['Amount Change', 'amount: 1000 → 5'],
  ),
  change('What stays as it is is not noted', {}, { amount: 1000, name: 'Relaunch', tagIds: [], projects: [] }),
  change('Only what has changed is noted', {}, { amount: 1000, name: 'Redesign' }, [
    'Edit',
    'name: Relaunch → Redesign',
  ]),
  change(
    'What is noted is cut to the length of an activity',
    { nextSteps: 'a'.repeat(3000) },
    { nextSteps: '😀'.repeat(3000) },
    // 'nextSteps: ', 3000 letters, ' → ', and 1986 of the new ones
    ['Next Steps Change', `nextSteps: ${'a'.repeat(3000)} → ${'😀'.repeat(1986)}`],
  ),
  example({
    says: 'What is noted is by whoever acts, today, about the opportunity and its company',
    given: scene,
    when: ({ one }) => ['PATCH', at(one), { amount: 7 }],
    gives: done({ amount: 7 }),
    byMember: true,
    also: ({ actor, one, company, today }) => [
      [
        noted(one),
        {
          results: [
            {
              ...{
                subject: 'Amount Change',
                content: 'amount: 1000 → 7',
                direction: null,
                date: today,
                duration: null,
              },
              ...{ readOnly: true, pipelineActivityType: { name: 'Amount Change' }, contacts: [] },
              ...{ members: [{ id: actor.id }], opportunities: [{ id: one.id }] },
              companies: [{ id: company.id, name: company['name'] }],
            },
          ],
        },
      ],
    ],
  }),
  example({
    says: 'What a program has changed is noted of nobody',
    given: scene,
    when: ({ one }) => ['PATCH', at(one), { amount: 7 }],
    gives: done(),
    also: ({ one }) => [[noted(one), { results: [{ members: [] }] }]],
  }),
  example({
    says: 'A new opportunity is not noted',
    given: scene,
    when: ({ one }) => ['GET', noted(one)],
    gives: done({ results: [] }),
  }),
  example({
    says: 'What is noted takes no time of an opportunity, and changes nothing of it',
    given: async (world: World) => {
      const { one } = await scene(world);
      return world.send('PATCH', at(one), { amount: 7 });
    },
    when: (one) => ['GET', at(one)],
    gives: (one) => done({ timeSpent: 0, modifiedAt: one['modifiedAt'], amount: 7 }),
  }),
];

const references: readonly Case[] = [
  example({
    says: 'Another stage is noted by name, and the probability that follows it',
    given: async (world: World) => {
      const found = await scene(world);
      const { opportunityPipelineId } = found.open;
      return { ...found, next: await stage(world.make, { name: 'Offer', probability: 0.5, opportunityPipelineId }) };
    },
    when: ({ one, next }) => ['PATCH', at(one), { opportunityStageId: next.id }],
    gives: done({ probability: 0.5 }),
    also: ({ one, open }) => [
      [
        noted(one),
        notes(
          ['Probability Change', 'probability: 0.25 → 0.5'],
          ['Stage Change', `opportunityStage: ${String(open['name'])} → Offer`],
        ),
      ],
    ],
  }),
  example({
    says: 'Another stage of the same probability is noted alone',
    given: async (world: World) => {
      const found = await scene(world);
      return { ...found, next: await stage(world.make, { name: 'Offer', probability: 0.25 }) };
    },
    when: ({ one, next }) => ['PATCH', at(one), { opportunityStageId: next.id }],
    gives: done(),
    also: ({ one, open }) => [
      [noted(one), notes(['Stage Change', `opportunityStage: ${String(open['name'])} → Offer`])],
    ],
  }),
  example({
    says: 'The stage that becomes a won one closes its opportunities, and nothing is noted of them',
    given: scene,
    when: ({ open }) => ['PATCH', `/opportunity-stages/${open.id}`, { statusId: 'won' }],
    gives: done(),
    also: ({ one, today }) => [
      [at(one), { closedOn: today }],
      [noted(one), { results: [] }],
    ],
  }),
  example({
    says: 'Another owner is noted by name',
    given: async (world: World) => {
      const first = await world.make('member', { name: 'Ada' });
      return { ...(await scene(world, { ownerId: first.id })), next: await world.make('member', { name: 'Grace' }) };
    },
    when: ({ one, next }) => ['PATCH', at(one), { ownerId: next.id }],
    gives: done(),
    also: ({ one }) => [[noted(one), notes(['Owner Change', 'owner: Ada → Grace'])]],
  }),
  example({
    says: 'An owner who is deleted leaves without a note',
    given: async (world: World) => {
      const owner = await world.make('member', { name: 'Ada' });
      return { ...(await scene(world, { ownerId: owner.id })), owner };
    },
    when: ({ owner }) => ['DELETE', `/members/${owner.id}`],
    gives: done(),
    also: ({ one }) => [
      [at(one), { owner: null }],
      [noted(one), { results: [] }],
    ],
  }),
  example({
    says: 'Another company is noted by name, about the new one',
    given: async (world: World) => {
      const name = `Other ${world.unique}`;
      return { ...(await scene(world)), other: await world.make('company', { name }) };
    },
    when: ({ one, other }) => ['PATCH', at(one), { companyId: other.id }],
    gives: done(),
    also: ({ one, company, other }) => [
      [noted(one), notes(['Edit', `company: ${String(company['name'])} → ${String(other['name'])}`])],
      [notedOf(company), { results: [] }],
      [notedOf(other), { results: [{ subject: 'Edit' }] }],
    ],
  }),
  example({
    says: 'Lists are noted with the names in their order',
    given: async (world: World) => {
      const { make, unique } = world;
      const [big, key, old] = [`Big ${unique}`, `Key ${unique}`, `Old ${unique}`];
      const tags = [];
      for (const name of [big, key, old]) tags.push(await make('opportunity-tag', { name }));
      const [a, b, c] = tags as [Made, Made, Made];
      return { ...(await scene(world, { tagIds: [c.id] })), to: [b.id, a.id], words: `tags: ${old} → ${key}, ${big}` };
    },
    when: ({ one, to }) => ['PATCH', at(one), { tagIds: to }],
    gives: done(),
    also: ({ one, words }) => [[noted(one), notes(['Edit', words])]],
  }),
  example({
    says: 'Projects are noted by name, with their parts of the deal',
    given: async (world: World) => ({
      ...(await scene(world)),
      web: await world.make('project', { name: 'Website' }),
      app: await world.make('project', { name: 'App' }),
    }),
    when: ({ one, web, app }) => ['PATCH', at(one), { projects: [{ id: web.id, amount: 500 }, { id: app.id }] }],
    gives: done(),
    also: ({ one }) => [[noted(one), notes(['Project Assignment', 'projects: – → Website 500, App'])]],
  }),
];

const revenue = { name: 'Initech', currency: 'EUR', revenue: 1000, clientId: null };
const company = async (world: World, values: Values = {}) =>
  world.make('company', { ...revenue, name: `Initech ${world.unique}`, ...values });
const companies: readonly Case[] = [
  example({
    says: 'Another revenue of a company is noted',
    given: company,
    when: ({ id }) => ['PATCH', `/companies/${id}`, { revenue: 2500000 }],
    gives: done({ revenue: 2500000 }),
    also: (one) => [
      [
        notedOf(one),
        {
          results: [
            {
              ...{ subject: 'Revenue Change', content: 'revenue: 1000 → 2500000', readOnly: true, opportunities: [] },
              ...{ pipelineActivityType: { name: 'Revenue Change' }, companies: [{ id: one.id }], members: [] },
            },
          ],
        },
      ],
    ],
  }),
  example({
    says: 'The client that a company becomes is noted, beside a new revenue',
    given: async (world: World) => ({
      one: await company(world, { revenue: null }),
      client: await world.make('client', { name: `Initech Client ${world.unique}` }),
    }),
    when: ({ one, client }) => [
      'PATCH',
      `/companies/${one.id}`,
      { clientId: client.id, revenue: 5, name: one['name'] },
    ],
    gives: done(),
    also: ({ one, client }) => [
      [
        notedOf(one),
        notes(['Client Assignment', `client: – → ${String(client['name'])}`], ['Revenue Change', 'revenue: – → 5']),
      ],
    ],
  }),
  example({
    says: 'Other changes of a company are not noted',
    given: company,
    when: ({ id }) => ['PATCH', `/companies/${id}`, { description: 'Printers', revenue: 1000 }],
    gives: done(),
    also: (one) => [[notedOf(one), { results: [] }]],
  }),
  example({
    says: 'What is noted of a company goes with it, and what members wrote stays',
    given: async (world: World) => {
      const one = await company(world);
      await world.send('PATCH', `/companies/${one.id}`, { revenue: 1 });
      return {
        one,
        own: await world.make('pipeline-activity', { subject: 'Call', companyIds: [one.id] }),
        other: await noteOf(world),
      };
    },
    when: ({ one }) => ['DELETE', `/companies/${one.id}`],
    gives: done(),
    also: ({ one, own, other }) => [
      [notedOf(one), { results: [] }],
      [`/pipeline-activities/${own.id}`, { subject: 'Call', companies: [] }],
      [`/pipeline-activities/${other.id}`, { readOnly: true }],
    ],
  }),
];

/** An activity that the service has noted. */
async function noteOf(world: World): Promise<Made> {
  const { one } = await scene(world);
  await world.send('PATCH', at(one), { amount: 5 });
  const { results } = (await world.send('GET', noted(one))) as unknown as { results: readonly [Made] };
  return results[0];
}
const readOnly = conflict('The Pipeline Activity is read-only.');
const kept: readonly Case[] = [
  example({
    says: 'What the service has noted is not changed',
    given: noteOf,
    when: ({ id }) => ['PATCH', `/pipeline-activities/${id}`, { subject: 'Nothing' }],
    gives: readOnly,
  }),
  example({
    says: 'What the service has noted is not deleted',
    given: noteOf,
    when: ({ id }) => ['DELETE', `/pipeline-activities/${id}`],
    gives: readOnly,
  }),
  example({
    says: 'What is noted of an opportunity goes with it, and what members wrote stays',
    given: async (world: World) => {
      const { one, company: held } = await scene(world);
      await world.send('PATCH', at(one), { amount: 5 });
      const values = { subject: 'Call', duration: 10, opportunityIds: [one.id] };
      return { one, held, own: await world.make('pipeline-activity', values) };
    },
    when: ({ one }) => ['DELETE', at(one)],
    gives: done(),
    also: ({ one, held, own }) => [
      [noted(one), { results: [] }],
      [notedOf(held), { results: [] }],
      [`/pipeline-activities/${own.id}`, { subject: 'Call', opportunities: [] }],
    ],
  }),
  example({
    says: 'A company without opportunities any more can go',
    given: async (world: World) => {
      const { one, company: held } = await scene(world);
      await world.send('PATCH', at(one), { amount: 5 });
      await world.send('DELETE', at(one));
      return held;
    },
    when: ({ id }) => ['DELETE', `/companies/${id}`],
    gives: done(),
  }),
];

export const salesLog: readonly Case[] = [...plain, ...references, ...companies, ...kept];
