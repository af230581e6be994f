import { type Case, done, type Expected, example, type Made, refused, type World } from './case.ts';
import { chain } from './chains.ts';
import { dayAfter, toAnotherDay, todayOf } from './days.ts';

const person = ({ unique }: World, values: object = {}) => ({
  name: 'Grace Hopper',
  email: `grace${unique}@example.com`,
  ...values,
});
const at = ({ id }: { readonly id: string }) => `/members/${id}`;
const made = (world: World, values?: object) => world.send('POST', '/members', person(world, values));

/** A new member of whom this is sent. */
const creating = (says: string, values: object, gives: Expected) =>
  example({
    says,
    given: async (world) => person(world, values),
    when: (body) => ['POST', '/members', body],
    gives,
  });

/** A member who is so, of whom that is sent then. */
const changing = (says: string, values: object, sent: object, gives: Expected) =>
  example({ says, given: (world) => made(world, values), when: (one) => ['PATCH', at(one), sent], gives });

const days: readonly Case[] = [
  creating(
    'A member may work for a single day',
    { activeStartDate: '2026-03-02', activeEndDate: '2026-03-02' },
    done({ activeStartDate: '2026-03-02', activeEndDate: '2026-03-02' }),
  ),
  creating(
    'A member does not leave before the first working day',
    { activeStartDate: '2026-03-02', activeEndDate: '2026-03-01' },
    refused("'activeEndDate' must be on or after activeStartDate"),
  ),
  creating(
    'The last working day of a member needs no first one',
    { activeEndDate: '2020-12-31' },
    done({ activeStartDate: null, activeEndDate: '2020-12-31' }),
  ),
  changing(
    'A first working day does not move behind the last one',
    { activeStartDate: '2026-01-01', activeEndDate: '2026-12-31' },
    { activeStartDate: '2027-01-01' },
    refused("'activeEndDate' must be on or after activeStartDate"),
  ),
  changing(
    'A first working day may move to the last one',
    { activeStartDate: '2026-01-01', activeEndDate: '2026-12-31' },
    { activeStartDate: '2026-12-31' },
    done({ activeStartDate: '2026-12-31', activeEndDate: '2026-12-31' }),
  ),
];

const tracking: readonly Case[] = [
  creating(
    'A member may track time by ranges alone',
    { trackTimeByDuration: false, trackTimeByTimeRange: true },
    done({ trackTimeByDuration: false, trackTimeByTimeRange: true }),
  ),
  creating(
    'A member may track time in both ways',
    { trackTimeByDuration: true, trackTimeByTimeRange: true },
    done({ trackTimeByDuration: true, trackTimeByTimeRange: true }),
  ),
  creating(
    'A member can track time in at least one way',
    { trackTimeByDuration: false },
    refused("'trackTimeByDuration' must be true unless trackTimeByTimeRange is true"),
  ),
  changing(
    'The last way to track time stays',
    { trackTimeByDuration: false, trackTimeByTimeRange: true },
    { trackTimeByTimeRange: false },
    refused("'trackTimeByDuration' must be true unless trackTimeByTimeRange is true"),
  ),
  changing(
    'One way to track time can take the place of the other',
    { trackTimeByDuration: false, trackTimeByTimeRange: true },
    { trackTimeByDuration: true, trackTimeByTimeRange: false },
    done({ trackTimeByDuration: true, trackTimeByTimeRange: false }),
  ),
];

const signIn: readonly Case[] = [
  creating('A member may sign in from the beginning', { loginEnabled: true }, done({ loginEnabled: true })),
  creating(
    'A new member who is inactive cannot sign in',
    { isActive: false, loginEnabled: true },
    done({ isActive: false, loginEnabled: false }),
  ),
  changing(
    'Who is made inactive can no longer sign in',
    { loginEnabled: true },
    { isActive: false },
    done({ isActive: false, loginEnabled: false }),
  ),
  changing(
    'Who is made inactive is not let in with that',
    {},
    { isActive: false, loginEnabled: true },
    done({ isActive: false, loginEnabled: false }),
  ),
  changing(
    'Who is inactive cannot be let in',
    { isActive: false },
    { loginEnabled: true },
    done({ isActive: false, loginEnabled: false }),
  ),
  changing(
    'Who becomes active again is not let in by that alone',
    { isActive: false, loginEnabled: true },
    { isActive: true },
    done({ isActive: true, loginEnabled: false }),
  ),
  changing(
    'Another change of an active member leaves the sign-in alone',
    { loginEnabled: true },
    { isActive: true, internalNotes: 'Back from leave' },
    done({ isActive: true, loginEnabled: true }),
  ),
];

const notLetIn = refused("'invitationStatusId' must be invited only with loginEnabled");
const invited = { loginEnabled: true, invitationStatusId: 'invited' };
const notInvited = refused("'invitationStatusId' must be one of not_invited");
/** A member with an invitation, who is then sent this. */
const changingInvited = (says: string, sent: object, gives: Expected) =>
  example({
    says,
    given: async (world) => {
      const one = await made(world, { loginEnabled: true });
      await world.send('PATCH', at(one), invited);
      return one;
    },
    when: (one) => ['PATCH', at(one), sent],
    gives,
  });
const invitation: readonly Case[] = [
  creating('A new member is not invited yet', invited, notInvited),
  creating('A new member has not accepted yet', { loginEnabled: true, invitationStatusId: 'accepted' }, notInvited),
  changing(
    'A member who may sign in can be invited',
    { loginEnabled: true },
    { invitationStatusId: 'invited' },
    done(invited),
  ),
  changing('A member can be let in and invited at once', {}, invited, done(invited)),
  changing('A member who may not sign in is not invited', {}, { invitationStatusId: 'invited' }, notLetIn),
  changing('A member who is inactive is not invited', { isActive: false }, invited, notLetIn),
  changingInvited(
    'An invited member may lose the sign-in and stays invited',
    { loginEnabled: false },
    done({ invitationStatusId: 'invited', loginEnabled: false }),
  ),
  changingInvited(
    'Sending the invitation of an invited member again asks for nothing',
    { invitationStatusId: 'invited', loginEnabled: false },
    done({ invitationStatusId: 'invited', loginEnabled: false }),
  ),
  changingInvited(
    'An invitation can be accepted after the sign-in is gone',
    { invitationStatusId: 'accepted', loginEnabled: false },
    done({ invitationStatusId: 'accepted', loginEnabled: false }),
  ),
];

/** `count` members of whom each reports to the next. */
async function line(world: World, count: number): Promise<Made[]> {
  const members: Made[] = [];
  for (let place = 0; place < count; place += 1)
    members.unshift(await made(world, place === 0 ? {} : { managerId: members[0]?.id }));
  return members;
}
const loop = refused("'managerId' must be another Member, and not lead back to this one");
const reporting = (says: string, count: number, [from, to]: readonly [number, number], gives: Expected) =>
  example({
    says,
    given: (world) => line(world, count),
    when: (members) => ['PATCH', at(members[from] as Made), { managerId: (members[to] as Made).id }],
    gives,
  });
const managers: readonly Case[] = [
  reporting('Nobody is their own manager', 1, [0, 0], loop),
  reporting('Two members are not the managers of each other', 2, [1, 0], loop),
  reporting('A line of managers does not lead back to where it starts', 4, [3, 0], loop),
  reporting('A manager can report to somebody below who does not report back', 3, [0, 2], done()),
  example({
    says: 'A manager can join the line of somebody else',
    given: async (world) => ({ own: await line(world, 2), other: await line(world, 2) }),
    when: ({ own, other }) => ['PATCH', at(own[1] as Made), { managerId: other[0]?.id }],
    gives: ({ other }) => done({ manager: { id: other[0]?.id } }),
  }),
  example({
    says: 'The top of a line can change places with who is below',
    given: async (world) => {
      const [low, high] = await line(world, 2);
      await world.send('PATCH', at(low as Made), { managerId: null });
      return { low, high };
    },
    when: ({ low, high }) => ['PATCH', at(high as Made), { managerId: (low as Made).id }],
    gives: ({ low }) => done({ manager: { id: (low as Made).id } }),
  }),
];

const periodsOf = (says: string, path: string, values: object, first: object) =>
  example({
    says,
    given: (world) => made(world, values),
    when: ({ id }) => ['GET', `${path}?memberId=${id}`],
    gives: done({ results: [{ ...first, isDefault: true, end: null }] }),
  });
const hired = { activeStartDate: '2026-03-02' };
const firstPeriods: readonly Case[] = [
  creating('A new member starts paid by the hour', hired, done({ ...hired, costMethodId: 'hourly' })),
  periodsOf(
    'A new member works the hours of the workspace from the first working day',
    '/availability-periods',
    hired,
    {
      ...{ start: '2026-03-02', hoursPerDay: [8, 8, 8, 8, 8, 0, 0] },
    },
  ),
  periodsOf('A new member costs nothing yet, in the main currency', '/cost-periods', hired, {
    ...{ start: '2026-03-02', currency: 'USD', costMethodId: 'hourly' },
    ...{ costPerHour: 0, overheadCostPerHour: 0, totalCostPerHour: 0 },
    ...{ costPerMonth: null, overheadCostPerMonth: null, totalCostPerMonth: null },
  }),
  periodsOf('A new member has no target yet', '/utilization-target-periods', hired, {
    ...{ start: '2026-03-02', targetPercentage: null },
  }),
  ...['/availability-periods', '/cost-periods', '/utilization-target-periods'].map((path) =>
    example({
      says: `Without a first working day a new member starts today (${path.slice(1).replaceAll('-', ' ')})`,
      given: async (world) => ({ today: await todayOf(world), member: await made(world) }),
      when: ({ member }) => ['GET', `${path}?memberId=${member.id}`],
      gives: ({ today }) => done({ results: [{ start: today, isDefault: true, end: null }] }),
    }),
  ),
  example({
    says: 'A new member takes the hours that the workspace has on that day',
    given: async (world) => {
      const week = (hoursPerDay: readonly number[]) => world.send('PATCH', '/workspace-settings', { hoursPerDay });
      await week([7.5, 7.5, 7.5, 7.5, 6, 0, 1.25]);
      const member = await made(world, hired);
      await week([8, 8, 8, 8, 8, 0, 0]);
      return member;
    },
    when: ({ id }) => ['GET', `/availability-periods?memberId=${id}`],
    gives: done({ results: [{ hoursPerDay: [7.5, 7.5, 7.5, 7.5, 6, 0, 1.25] }] }),
  }),
];

const weeks: readonly Case[] = [
  example({
    says: 'The hours of a week are changed, not taken away',
    given: async (world) => {
      const { results } = (await world.send(
        'GET',
        `/availability-periods?memberId=${(await made(world, hired)).id}`,
      )) as unknown as { results: readonly [Made] };
      return results[0];
    },
    when: ({ id }) => ['PATCH', `/availability-periods/${id}`, { hoursPerDay: null }],
    gives: refused("'hoursPerDay' is required"),
  }),
];

const cost = ({ send }: World, member: Made, start: string, values: object = {}) =>
  send('POST', '/cost-periods', { memberId: member.id, start, ...values });

/** The cost method of a member whose periods start so many days from today. */
const inEffect = (says: string, starts: readonly (readonly [number, string])[], costMethodId: string) =>
  example({
    says,
    given: async (world) => {
      const today = await todayOf(world);
      const [[first, method] = [0, 'hourly'], ...others] = starts;
      const member = await made(world, { activeStartDate: dayAfter(today, first) });
      const { results } = (await world.send('GET', `/cost-periods?memberId=${member.id}`)) as unknown as {
        results: Made[];
      };
      await world.send('PATCH', `/cost-periods/${results[0]?.id}`, { costMethodId: method });
      for (const [start, other] of others) await cost(world, member, dayAfter(today, start), { costMethodId: other });
      return member;
    },
    when: (member) => ['GET', at(member)],
    gives: done({ costMethodId }),
  });
const methods: readonly Case[] = [
  inEffect(
    'The cost method of a member is that of the last period that has begun',
    [
      [-900, 'hourly'],
      [-30, 'fixed_hourly'],
      [300, 'fixed_monthly'],
    ],
    'fixed_hourly',
  ),
  inEffect(
    'A cost period counts from the day on which it starts',
    [
      [-900, 'hourly'],
      [0, 'fixed_monthly'],
    ],
    'fixed_monthly',
  ),
  inEffect(
    'A cost period that starts tomorrow does not count today',
    [
      [-900, 'fixed_hourly'],
      [1, 'fixed_monthly'],
    ],
    'fixed_hourly',
  ),
  inEffect(
    'Before the first cost period its method holds already',
    [
      [20, 'fixed_monthly'],
      [30, 'hourly'],
    ],
    'fixed_monthly',
  ),
  example({
    says: 'A cost period starts with the day where the workspace is, at once when it moves',
    given: async (world) => {
      const today = await todayOf(world);
      const { timeZoneId } = await world.send('GET', '/workspace-settings');
      const member = await made(world, { activeStartDate: dayAfter(today, -900) });
      await cost(world, member, today, { costMethodId: 'fixed_monthly' });
      // Where it is yesterday or tomorrow, another method holds.
      await toAnotherDay(world);
      await cost(world, member, dayAfter(today, 1), { costMethodId: 'fixed_hourly' });
      return { member, timeZoneId };
    },
    when: ({ timeZoneId }) => ['PATCH', '/workspace-settings', { timeZoneId }],
    gives: ({ timeZoneId }) => done({ timeZoneId }),
    also: ({ member }) => [[at(member), { costMethodId: 'fixed_monthly' }]],
  }),
];

/** A cost period of which this is sent. */
const costing = (says: string, values: object, gives: Expected) =>
  example({
    says,
    given: ({ make }) => make('member', hired),
    when: ({ id }) => ['POST', '/cost-periods', { memberId: id, start: '2026-06-01', ...values }],
    gives,
  });
const recosting = (says: string, values: object, sent: object, gives: Expected) =>
  example({
    says,
    given: async (world) => cost(world, await made(world, hired), '2026-06-01', values),
    when: ({ id }) => ['PATCH', `/cost-periods/${id}`, sent],
    gives,
  });
const monthly = { costMethodId: 'fixed_monthly' };
const costs: readonly Case[] = [
  // 80.25 + 12.1234 = 92.3734: a sum is not rounded.
  costing(
    'An hour costs labour and overhead together',
    { costPerHour: 80.25, overheadCostPerHour: 12.1234 },
    done({ costPerHour: 80.25, overheadCostPerHour: 12.1234, totalCostPerHour: 92.3734, totalCostPerMonth: null }),
  ),
  costing(
    'An hour without overhead costs its labour',
    { costPerHour: 80.25 },
    done({ overheadCostPerHour: 0, totalCostPerHour: 80.25 }),
  ),
  costing('An hour may cost overhead alone', { overheadCostPerHour: 7 }, done({ costPerHour: 0, totalCostPerHour: 7 })),
  // 0.1 + 0.2 is 0.3, not 0.30000000000000004; yen keep what was sent of them.
  costing(
    'Sums of costs are exact in every currency',
    { currency: 'JPY', costPerHour: 0.1, overheadCostPerHour: 0.2 },
    done({ currency: 'JPY', totalCostPerHour: 0.3 }),
  ),
  costing(
    'A month costs labour and overhead together',
    { ...monthly, costPerMonth: 4000.5, overheadCostPerMonth: 999.5001 },
    // 4000.5 + 999.5001 = 5000.0001
    done({ totalCostPerMonth: 5000.0001, costPerHour: null, overheadCostPerHour: null, totalCostPerHour: null }),
  ),
  costing(
    'A cost that is too large to be kept is refused',
    { costPerHour: 99_999_999_999_999, overheadCostPerHour: 1 },
    refused("'totalCostPerHour' must be a number with at most 15 digits"),
  ),
  costing(
    'A monthly cost that is too large to be kept is refused',
    { ...monthly, costPerMonth: 99_999_999_999_999, overheadCostPerMonth: 1 },
    refused("'totalCostPerMonth' must be a number with at most 15 digits"),
  ),
  recosting(
    'A new cost per hour changes the total',
    { costPerHour: 80, overheadCostPerHour: 12 },
    { costPerHour: 90.5 },
    done({ overheadCostPerHour: 12, totalCostPerHour: 102.5 }),
  ),
  recosting(
    'A new overhead per month changes the total',
    { ...monthly, costPerMonth: 5000, overheadCostPerMonth: 1 },
    { overheadCostPerMonth: 250 },
    done({ costPerMonth: 5000, totalCostPerMonth: 5250 }),
  ),
  recosting(
    'Who is paid by the month from now on has no costs per hour',
    { costPerHour: 80, overheadCostPerHour: 12 },
    { ...monthly, costPerMonth: 5000 },
    done({
      ...{ costPerHour: null, overheadCostPerHour: null, totalCostPerHour: null },
      ...{ costPerMonth: 5000, overheadCostPerMonth: 0, totalCostPerMonth: 5000 },
    }),
  ),
  recosting(
    'Who is paid by the hour from now on has no costs per month',
    { ...monthly, costPerMonth: 5000, overheadCostPerMonth: 1 },
    { costMethodId: 'fixed_hourly' },
    done({
      ...{ costPerHour: 0, overheadCostPerHour: 0, totalCostPerHour: 0 },
      ...{ costPerMonth: null, overheadCostPerMonth: null, totalCostPerMonth: null },
    }),
  ),
];

export const people: readonly Case[] = [
  ...[...days, ...tracking, ...signIn, ...invitation, ...managers, ...firstPeriods, ...weeks, ...methods, ...costs],
  ...chain({ path: '/cost-periods', human: 'Cost Period' }),
  ...chain({ path: '/utilization-target-periods', human: 'Utilization Target Period', body: { targetPercentage: 80 } }),
];
