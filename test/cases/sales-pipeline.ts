// Opportunities on their way through the stages of a pipeline.
import { expect } from 'vitest';
import { type Case, conflict, done, example, type Made, refused, type World } from './case.ts';

/** A stage, in a pipeline of its own unless it is given one. */
export async function stage(make: World['make'], more: object = {}): Promise<Made> {
  const { id: opportunityPipelineId } = await make('opportunity-pipeline');
  return make('opportunity-stage', { statusId: 'open', opportunityPipelineId, ...more });
}
export const deal = (make: World['make'], stage: Made, more: object = {}) =>
  make('opportunity', { opportunityStageId: stage.id, ...more });
export const at = ({ id }: Made) => `/opportunities/${id}`;

/** A zone in which it is another day than in Greenwich, now and in an hour. */
const zone = () => (new Date().getUTCHours() >= 11 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago');
const dayIn = (timeZone: string, ms: number) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(ms);
/** The day in a zone; the one before as well for a moment after midnight. */
const today = (timeZone: string) =>
  expect.toSatisfy((day) => [0, 60_000].some((ago) => day === dayIn(timeZone, Date.now() - ago)), 'today');
const isIn = (send: World['send'], timeZoneId: string) => send('PATCH', '/workspace-settings', { timeZoneId });

/** Times are told in milliseconds: two in the same one could not be told apart. */
export const aMoment = () => new Promise((resolve) => setTimeout(resolve, 5));
export const later = (than: unknown) => expect.toSatisfy((time) => time > String(than), 'later');

/** An opportunity in an open stage, with stages of its pipeline to go to. */
async function path({ make, send }: World) {
  await isIn(send, 'UTC');
  const open = await stage(make, { probability: 0.25 });
  const opportunityPipelineId = open['opportunityPipelineId'];
  const next = await stage(make, { probability: 0.5, opportunityPipelineId });
  const won = await stage(make, { statusId: 'won', probability: 1, opportunityPipelineId });
  const lost = await stage(make, { statusId: 'lost', probability: 0, opportunityPipelineId });
  return { open, next, won, lost, one: await deal(make, open, { amount: 1000, currency: 'EUR', closeDate: null }) };
}
const moved = (to: 'next' | 'won' | 'lost') => async (world: World) => {
  const scene = await path(world);
  await world.send('PATCH', at(scene.one), { opportunityStageId: scene[to].id });
  return scene;
};

const stages: readonly Case[] = [
  example({
    says: 'An opportunity is closed today when its stage becomes a won one, and every other one of the stage with it',
    given: async (world) => {
      const scene = await path(world);
      return { ...scene, two: await deal(world.make, scene.open), other: await deal(world.make, scene.next) };
    },
    when: ({ open }) => ['PATCH', `/opportunity-stages/${open.id}`, { statusId: 'won' }],
    gives: done({ statusId: 'won', probability: 0.25 }),
    also: ({ one, two, other }) => [
      [at(one), { closedOn: today('UTC'), opportunityStage: { statusId: 'won' }, probability: 0.25 }],
      [at(two), { closedOn: today('UTC'), opportunityStage: { statusId: 'won' } }],
      [at(other), { closedOn: null, opportunityStage: { statusId: 'open' } }],
      [
        `/opportunities?statusId=won&opportunityPipelineId=${(one['opportunityPipeline'] as Made).id}`,
        { results: [{ id: two.id }, { id: one.id }] },
      ],
    ],
  }),
  example({
    says: 'An opportunity is closed today when its stage becomes a lost one, and that is a change of it',
    given: async (world) => {
      const scene = await path(world);
      await aMoment();
      return scene;
    },
    when: ({ open }) => ['PATCH', `/opportunity-stages/${open.id}`, { statusId: 'lost' }],
    gives: done({ statusId: 'lost' }),
    also: ({ one }) => [
      [
        at(one),
        { closedOn: today('UTC'), opportunityStage: { statusId: 'lost' }, modifiedAt: later(one['modifiedAt']) },
      ],
    ],
  }),
  example({
    says: 'An opportunity is closed anew when its won stage becomes a lost one',
    given: async (world) => {
      const scene = await path(world);
      await isIn(world.send, zone());
      await world.send('PATCH', at(scene.one), { opportunityStageId: scene.won.id });
      await isIn(world.send, 'UTC');
      return scene;
    },
    when: ({ won }) => ['PATCH', `/opportunity-stages/${won.id}`, { statusId: 'lost' }],
    gives: done({ statusId: 'lost', probability: 1 }),
    also: ({ one }) => [[at(one), { closedOn: today('UTC'), opportunityStage: { statusId: 'lost' } }]],
  }),
  example({
    says: 'An opportunity is closed no more when its stage becomes an open one',
    given: moved('won'),
    when: ({ won }) => ['PATCH', `/opportunity-stages/${won.id}`, { statusId: 'open' }],
    gives: done({ statusId: 'open' }),
    also: ({ one }) => [
      [at(one), { closedOn: null }],
      [`/opportunities?statusId=won&opportunityPipelineId=${(one['opportunityPipeline'] as Made).id}`, { results: [] }],
    ],
  }),
  example({
    says: 'Another name or probability of a stage changes nothing in its opportunities',
    given: path,
    when: ({ open }) => ['PATCH', `/opportunity-stages/${open.id}`, { name: 'First talks', probability: 0.3 }],
    gives: done({ name: 'First talks', probability: 0.3, statusId: 'open' }),
    also: ({ one }) => [
      [at(one), { probability: 0.25, weightedAmount: 250, closedOn: null, modifiedAt: one['modifiedAt'] }],
    ],
  }),
  example({
    says: 'A won stage is certain unless it says otherwise',
    given: ({ make }) => make('opportunity-pipeline'),
    when: ({ id }) => ['POST', '/opportunity-stages', { name: 'Signed', statusId: 'won', opportunityPipelineId: id }],
    gives: done({ statusId: 'won', probability: 1 }),
  }),
  example({
    says: 'A stage that is not won has no probability unless it says so',
    given: ({ make }) => make('opportunity-pipeline'),
    when: ({ id }) => ['POST', '/opportunity-stages', { name: 'First talks', opportunityPipelineId: id }],
    gives: done({ statusId: 'open', probability: 0 }),
  }),
];

const walk: readonly Case[] = [
  example({
    says: 'A new opportunity has the probability, the pipeline and the status of its stage, and is not closed',
    given: async ({ make }) => ({
      company: await make('company', { currency: 'EUR' }),
      to: await stage(make, { probability: 0.4 }),
    }),
    when: ({ company, to }) => [
      'POST',
      '/opportunities',
      { name: 'Relaunch', companyId: company.id, opportunityStageId: to.id, amount: 1000 },
    ],
    gives: ({ to }) =>
      done({
        probability: 0.4,
        currency: 'EUR',
        weightedAmount: 400,
        closedOn: null,
        opportunityStage: { id: to.id, statusId: 'open' },
        opportunityPipeline: { id: to['opportunityPipelineId'] },
        owner: null,
      }),
    also: ({ company, to }) => [
      [
        `/opportunities?statusId=open&opportunityPipelineId=${to['opportunityPipelineId']}`,
        { results: [{ company: { id: company.id } }] },
      ],
    ],
  }),
  example({
    says: 'The probability of a new opportunity may differ from that of its stage, 0 included',
    given: async ({ make }) => ({ company: await make('company'), to: await stage(make, { probability: 0.4 }) }),
    when: ({ company, to }) => [
      'POST',
      '/opportunities',
      { name: 'Relaunch', companyId: company.id, opportunityStageId: to.id, amount: 1000, probability: 0 },
    ],
    gives: done({ probability: 0, weightedAmount: 0 }),
  }),
  example({
    says: 'A new opportunity in a won stage is closed today, as days go in the workspace',
    given: async ({ make, send }) => {
      const timeZone = zone();
      await isIn(send, timeZone);
      return { timeZone, company: await make('company'), to: await stage(make, { statusId: 'won', probability: 1 }) };
    },
    when: ({ company, to }) => [
      'POST',
      '/opportunities',
      { name: 'Relaunch', companyId: company.id, opportunityStageId: to.id },
    ],
    gives: ({ timeZone }) => done({ closedOn: today(timeZone), openDate: today(timeZone) }),
  }),
  example({
    says: 'In the next open stage an opportunity has its probability, and stays open',
    given: path,
    when: ({ one, next }) => ['PATCH', at(one), { opportunityStageId: next.id }],
    // 1000 × 0.5
    gives: ({ next }) =>
      done({ probability: 0.5, weightedAmount: 500, closedOn: null, opportunityStage: { id: next.id } }),
  }),
  example({
    says: 'An opportunity that enters a won stage is closed today, with the probability of the stage',
    given: path,
    when: ({ one, won }) => ['PATCH', at(one), { opportunityStageId: won.id }],
    gives: done({
      probability: 1,
      weightedAmount: 1000,
      closedOn: today('UTC'),
      opportunityStage: { statusId: 'won' },
    }),
    also: ({ one, won }) => [
      [`/opportunities?statusId=won&opportunityStageId=${won.id}`, { results: [{ id: one.id }] }],
    ],
  }),
  example({
    says: 'An opportunity that enters a lost stage is closed today, and is worth nothing',
    given: path,
    when: ({ one, lost }) => ['PATCH', at(one), { opportunityStageId: lost.id }],
    gives: done({ probability: 0, weightedAmount: 0, closedOn: today('UTC'), opportunityStage: { statusId: 'lost' } }),
  }),
  example({
    says: 'An opportunity that goes back to an open stage is open again',
    given: moved('won'),
    when: ({ one, open }) => ['PATCH', at(one), { opportunityStageId: open.id }],
    gives: done({ probability: 0.25, weightedAmount: 250, closedOn: null, opportunityStage: { statusId: 'open' } }),
  }),
  example({
    says: 'A change of stage with a probability takes the one that is sent',
    given: path,
    when: ({ one, next }) => ['PATCH', at(one), { opportunityStageId: next.id, probability: 0.9 }],
    gives: done({ probability: 0.9, weightedAmount: 900 }),
  }),
  example({
    says: 'A probability that differs from the stage stays while the stage does',
    given: async (world) => {
      const scene = await path(world);
      await world.send('PATCH', at(scene.one), { probability: 0.9 });
      return scene;
    },
    when: ({ one, open }) => ['PATCH', at(one), { opportunityStageId: open.id, nextSteps: 'Call' }],
    gives: done({ probability: 0.9, weightedAmount: 900, nextSteps: 'Call' }),
  }),
  example({
    says: 'Going on in a stage of another pipeline takes the opportunity there',
    given: async (world) => ({ ...(await path(world)), other: await stage(world.make, { probability: 0.1 }) }),
    when: ({ one, other }) => ['PATCH', at(one), { opportunityStageId: other.id }],
    gives: ({ other }) =>
      done({ opportunityPipeline: { id: other['opportunityPipelineId'] }, probability: 0.1, weightedAmount: 100 }),
    also: ({ one, other }) => [
      [`/opportunities?opportunityPipelineId=${other['opportunityPipelineId']}`, { results: [{ id: one.id }] }],
      [`/opportunities?opportunityPipelineId=${(one['opportunityPipeline'] as Made).id}`, { results: [] }],
    ],
  }),
  example({
    says: 'A closed opportunity keeps its day when something else about it changes',
    given: async (world) => {
      const scene = await path(world);
      const timeZone = zone();
      await isIn(world.send, timeZone);
      await world.send('PATCH', at(scene.one), { opportunityStageId: scene.won.id });
      await isIn(world.send, 'UTC');
      return { ...scene, timeZone };
    },
    when: ({ one }) => ['PATCH', at(one), { nextSteps: 'Celebrate' }],
    gives: ({ timeZone }) => done({ closedOn: today(timeZone), nextSteps: 'Celebrate' }),
  }),
  example({
    says: 'From a won to a lost stage an opportunity is closed anew',
    given: async (world) => {
      const scene = await path(world);
      await isIn(world.send, zone());
      await world.send('PATCH', at(scene.one), { opportunityStageId: scene.won.id });
      await isIn(world.send, 'UTC');
      return scene;
    },
    when: ({ one, lost }) => ['PATCH', at(one), { opportunityStageId: lost.id }],
    gives: done({ closedOn: today('UTC') }),
  }),
  example({
    says: 'A new opportunity does not begin in a stage that is not active',
    given: async ({ make }) => ({ company: await make('company'), to: await stage(make, { isActive: false }) }),
    when: ({ company, to }) => [
      'POST',
      '/opportunities',
      { name: 'Relaunch', companyId: company.id, opportunityStageId: to.id },
    ],
    gives: refused("'opportunityStageId' must be an active stage"),
  }),
  example({
    says: 'An opportunity does not move to a stage that is not active',
    given: async (world) => {
      const scene = await path(world);
      await world.send('PATCH', `/opportunity-stages/${scene.next.id}`, { isActive: false });
      return scene;
    },
    when: ({ one, next }) => ['PATCH', at(one), { opportunityStageId: next.id }],
    gives: refused("'opportunityStageId' must be an active stage"),
  }),
  example({
    says: 'An opportunity may stay in a stage that is not active any more, and change',
    given: async (world) => {
      const scene = await path(world);
      await world.send('PATCH', `/opportunity-stages/${scene.open.id}`, { isActive: false });
      return scene;
    },
    when: ({ one, open }) => ['PATCH', at(one), { opportunityStageId: open.id, amount: 2000 }],
    gives: done({ amount: 2000, weightedAmount: 500 }),
  }),
];

/** The id of no record. */
const nowhere = '00000000-0000-7000-8000-00000000dead';
const lost: readonly Case[] = [
  example({
    says: 'A new opportunity in a stage that is not there is told so, though it asks for nothing of the stage',
    given: ({ make }: World) => make('company', { currency: 'EUR' }),
    when: ({ id }) => [
      'POST',
      '/opportunities',
      { name: 'Relaunch', companyId: id, opportunityStageId: nowhere, probability: 0.5 },
    ],
    gives: refused("'opportunityStageId' does not refer to an existing Opportunity Stage"),
  }),
];

const ended: readonly Case[] = [
  example({
    says: 'A pipeline is not deleted while one of its stages holds an opportunity',
    given: path,
    when: ({ open }) => ['DELETE', `/opportunity-pipelines/${String(open['opportunityPipelineId'])}`],
    gives: conflict('The Opportunity Pipeline is in use and cannot be deleted.'),
    also: ({ one, open }) => [[at(one), { opportunityStage: { id: open.id } }]],
  }),
  example({
    says: 'A pipeline without opportunities is deleted with its stages',
    given: async (world) => {
      const scene = await path(world);
      await world.send('DELETE', at(scene.one));
      return scene;
    },
    when: ({ open }) => ['DELETE', `/opportunity-pipelines/${String(open['opportunityPipelineId'])}`],
    gives: done(),
    also: ({ open }) => [
      [`/opportunity-stages?opportunityPipelineId=${String(open['opportunityPipelineId'])}`, { results: [] }],
    ],
  }),
];

export const salesPipeline: readonly Case[] = [...stages, ...walk, ...lost, ...ended];
