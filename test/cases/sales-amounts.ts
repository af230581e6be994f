// What opportunities are worth, and what is done about them.
import { type Case, done, example, type Made, refused, type World } from './case.ts';
import { aMoment, at, deal, later, stage } from './sales-pipeline.ts';

/** What an opportunity is worth today: amount, probability, currency, and the product in units of the currency. */
const worths: readonly (readonly [
  says: string,
  amount: number | null,
  probability: number,
  currency: string,
  worth: number | null,
])[] = [
  // 10.01 × 0.5 = 5.005
  ['half a cent counts as one', 10.01, 0.5, 'EUR', 5.01],
  // 10.0099 × 0.5 = 5.00495
  ['less than half a cent counts as none', 10.0099, 0.5, 'EUR', 5],
  // 101 × 0.5 = 50.5
  ['yen have no cents, and half of one counts as one', 101, 0.5, 'JPY', 51],
  // 1.001 × 0.5 = 0.5005
  ['dinars of Kuwait have a thousand fils, and half of one counts as one', 1.001, 0.5, 'KWD', 0.501],
  // 33.33 × 0.3333 = 11.108889
  ['it is rounded once', 33.33, 0.3333, 'EUR', 11.11],
  ['nothing is nothing', 0, 0.5, 'EUR', 0],
  ['without an amount it has no worth', null, 0.5, 'EUR', null],
];

const amounts: readonly Case[] = [
  ...worths.map(([says, amount, probability, currency, worth]) =>
    example({
      says: `An opportunity weighs its amount by its probability: ${says}`,
      given: async ({ make }) => ({ company: await make('company'), to: await stage(make) }),
      when: ({ company, to }) => [
        'POST',
        '/opportunities',
        { name: 'Relaunch', companyId: company.id, opportunityStageId: to.id, amount, probability, currency },
      ],
      gives: done({ amount, weightedAmount: worth }),
    }),
  ),
  example({
    says: 'An opportunity is weighed anew when its currency changes',
    given: async ({ make }) => deal(make, await stage(make), { amount: 11, probability: 0.5, currency: 'EUR' }),
    when: (one) => ['PATCH', at(one), { currency: 'JPY' }],
    // 11 × 0.5 = 5.5
    gives: done({ amount: 11, weightedAmount: 6 }),
  }),
  example({
    says: 'An opportunity without an amount any more has no worth',
    given: async ({ make }) => deal(make, await stage(make), { amount: 10.01, probability: 0.5, currency: 'EUR' }),
    when: (one) => ['PATCH', at(one), { amount: null }],
    gives: done({ amount: null, weightedAmount: null }),
  }),
  example({
    says: 'An opportunity may be expected to close on the day on which it opens',
    given: async ({ make }) => ({ company: await make('company'), to: await stage(make) }),
    when: ({ company, to }) => [
      'POST',
      '/opportunities',
      {
        name: 'Relaunch',
        companyId: company.id,
        opportunityStageId: to.id,
        openDate: '2026-03-02',
        closeDate: '2026-03-02',
      },
    ],
    gives: done({ openDate: '2026-03-02', closeDate: '2026-03-02' }),
  }),
  example({
    says: 'An opportunity is not expected to close before it opens',
    given: async ({ make }) => ({ company: await make('company'), to: await stage(make) }),
    when: ({ company, to }) => [
      'POST',
      '/opportunities',
      {
        name: 'Relaunch',
        companyId: company.id,
        opportunityStageId: to.id,
        openDate: '2026-03-02',
        closeDate: '2026-03-01',
      },
    ],
    gives: refused("'closeDate' must be on or after openDate"),
  }),
  example({
    says: 'An opportunity does not move its opening behind its expected close',
    given: async ({ make }) => deal(make, await stage(make), { openDate: '2026-03-02', closeDate: '2026-03-05' }),
    when: (one) => ['PATCH', at(one), { openDate: '2026-03-06' }],
    gives: refused("'closeDate' must be on or after openDate"),
  }),
  example({
    says: 'An opportunity without an expected close may open any day',
    given: async ({ make }) => deal(make, await stage(make), { openDate: '2026-03-02', closeDate: '2026-03-05' }),
    when: (one) => ['PATCH', at(one), { openDate: '2027-01-01', closeDate: null }],
    gives: done({ openDate: '2027-01-01', closeDate: null }),
  }),
  example({
    says: 'A change of an opportunity tells when it was made',
    given: async ({ make }) => {
      const one = await deal(make, await stage(make));
      await aMoment();
      return one;
    },
    when: (one) => ['PATCH', at(one), { nextSteps: 'Call' }],
    gives: (one) => done({ modifiedAt: later(one['modifiedAt']) }),
  }),
  example({
    says: 'A request that changes nothing of an opportunity leaves its time of change',
    given: async ({ make }) => {
      const one = await deal(make, await stage(make));
      await aMoment();
      return one;
    },
    when: (one) => ['PATCH', at(one), { name: one['name'] }],
    gives: (one) => done({ modifiedAt: one['modifiedAt'] }),
  }),
];

const spent = (deals: readonly (readonly [Made, number])[]) =>
  deals.map(([one, timeSpent]) => [at(one), { timeSpent }] as const);

/** Two opportunities, and an activity of 30 minutes about the first. */
async function call({ make }: World) {
  const to = await stage(make);
  const [one, two] = [await deal(make, to), await deal(make, to)];
  const first = await make('pipeline-activity', { opportunityIds: [one.id], duration: 30 });
  return { one, two, first, activity: `/pipeline-activities/${first.id}` };
}
const activityOf = async (world: World) => ({
  ...(await call(world)),
  type: await world.make('pipeline-activity-type', { typeId: 'call' }),
});
const body = (type: Made, more: object) => ({
  subject: 'Call',
  date: '2026-03-02',
  pipelineActivityTypeId: type.id,
  ...more,
});

const activities: readonly Case[] = [
  example({
    says: 'The time of an activity counts for every opportunity that it is about, beside that of others',
    given: activityOf,
    when: ({ type, one, two }) => [
      'POST',
      '/pipeline-activities',
      body(type, { duration: 45, opportunityIds: [one.id, two.id] }),
    ],
    gives: done({ duration: 45 }),
    also: ({ one, two }) =>
      spent([
        [one, 75],
        [two, 45],
      ]),
  }),
  example({
    says: 'An activity without a duration adds no time',
    given: activityOf,
    when: ({ type, one }) => ['POST', '/pipeline-activities', body(type, { opportunityIds: [one.id] })],
    gives: done({ duration: null }),
    also: ({ one }) => spent([[one, 30]]),
  }),
  example({
    says: 'Another duration of an activity replaces the old one',
    given: call,
    when: ({ activity }) => ['PATCH', activity, { duration: 20 }],
    gives: done({ duration: 20 }),
    also: ({ one, two }) =>
      spent([
        [one, 20],
        [two, 0],
      ]),
  }),
  example({
    says: 'An activity that loses its duration takes its time back',
    given: call,
    when: ({ activity }) => ['PATCH', activity, { duration: null }],
    gives: done({ duration: null }),
    also: ({ one }) => spent([[one, 0]]),
  }),
  example({
    says: 'An activity that turns out to be about another opportunity counts there, and no more where it did',
    given: call,
    when: ({ activity, two }) => ['PATCH', activity, { opportunityIds: [two.id], duration: 50 }],
    gives: done({ duration: 50 }),
    also: ({ one, two }) =>
      spent([
        [one, 0],
        [two, 50],
      ]),
  }),
  example({
    says: 'The time of an activity that is deleted is taken back, that of others stays',
    given: async (world) => {
      const scene = await call(world);
      await world.make('pipeline-activity', { opportunityIds: [scene.two.id, scene.one.id], duration: 5 });
      return scene;
    },
    when: ({ activity }) => ['DELETE', activity],
    gives: done(),
    also: ({ one, two }) =>
      spent([
        [one, 5],
        [two, 5],
      ]),
  }),
  example({
    says: 'An activity is that of the member who enters it',
    byMember: true,
    given: async (world) => ({ ...(await activityOf(world)), actor: world.actor }),
    when: ({ type }) => ['POST', '/pipeline-activities', body(type, {})],
    gives: ({ actor }) => done({ members: [{ id: actor.id, name: actor['name'] }] }),
  }),
  example({
    says: 'An activity is that of the members who are sent, and of nobody else',
    byMember: true,
    given: async (world) => ({ ...(await activityOf(world)), colleague: await world.make('member') }),
    when: ({ type, colleague }) => ['POST', '/pipeline-activities', body(type, { memberIds: [colleague.id] })],
    gives: ({ colleague }) => done({ members: [{ id: colleague.id }] }),
  }),
  example({
    says: 'An activity may be sent as that of nobody',
    byMember: true,
    given: activityOf,
    when: ({ type }) => ['POST', '/pipeline-activities', body(type, { memberIds: [] })],
    gives: done({ members: [] }),
  }),
  example({
    says: 'An activity that a program enters for no member is that of nobody',
    given: activityOf,
    when: ({ type }) => ['POST', '/pipeline-activities', body(type, {})],
    gives: done({ members: [] }),
  }),
  example({
    says: 'A member who changes an activity of others does not become one of them',
    byMember: true,
    given: call,
    when: ({ activity }) => ['PATCH', activity, { subject: 'Long call' }],
    gives: done({ subject: 'Long call', members: [] }),
  }),
];

export const salesAmounts: readonly Case[] = [...amounts, ...activities];
