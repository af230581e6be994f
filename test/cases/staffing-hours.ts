// How many hours planned work comes to: over the days on which the member or placeholder works.
import { type Case, done, example, type Made, type World } from './case.ts';

const path = '/allocations';
const at = ({ id }: { readonly id: string }) => `${path}/${id}`;
type Values = Readonly<Record<string, unknown>>;

/** Who work is planned for. All of it is said, so that the hours of a case can be counted from the case alone. */
interface Person {
  readonly values?: Values;
  /** Hours from Monday to Sunday. */
  readonly week?: readonly number[];
  /** Hours from a day on. */
  readonly later?: readonly [start: string, week: readonly number[]];
  /** Dates of a holiday of theirs. */
  readonly holidays?: readonly string[];
  /** Days off: first and last. */
  readonly off?: readonly (readonly [start: string, end: string])[];
}
const fiveDays = [8, 8, 8, 8, 8, 0, 0];

async function person(world: World, { values, week = fiveDays, later, holidays, off = [] }: Person): Promise<Made> {
  const { make, send } = world;
  const holidayIds = holidays === undefined ? [] : [(await make('holiday', { occurrences: holidays })).id];
  const schedule = await make('holiday-schedule', { holidayIds });
  const member = await make('member', { activeStartDate: '2020-01-01', holidayScheduleId: schedule.id, ...values });
  const { results } = (await send('GET', `/availability-periods?memberId=${member.id}`)) as unknown as {
    results: readonly [Made];
  };
  await send('PATCH', `/availability-periods/${results[0].id}`, { hoursPerDay: week });
  if (later !== undefined)
    await send('POST', '/availability-periods', { memberId: member.id, start: later[0], hoursPerDay: later[1] });
  for (const [start, end] of off) await away(world, member, { start, end });
  return member;
}

/** Time off of a member. */
async function away({ make, send }: World, { id }: Made, values: Values): Promise<Made> {
  const timeOffTypeId = (await make('time-off-type')).id;
  return send('POST', path, {
    ...{ resourceTypeId: 'member', memberId: id, assignmentTypeId: 'time_off', timeOffTypeId },
    ...{ unit: 'day', hoursPerDay: 8 },
    ...values,
  });
}

const work = async ({ make }: World, { id }: Made, values: Values) => ({
  ...{ resourceTypeId: 'member', memberId: id, assignmentTypeId: 'project', projectId: (await make('project')).id },
  ...values,
});

/** Work that is planned so for such a person comes to these hours. */
const hours = (says: string, who: Person, values: Values, totalHours: number) =>
  example({
    says,
    given: async (world: World) => work(world, await person(world, who), values),
    when: (sent) => ['POST', path, sent],
    gives: done({ totalHours }),
  });

// 2 March 2026 is a Monday.
const week = { start: '2026-03-02', end: '2026-03-06' };
const fortnight = { start: '2026-03-02', end: '2026-03-15' };
const perDay = { unit: 'day', hoursPerDay: 4 };

const byDay: readonly Case[] = [
  // 5 × 4
  hours('Hours a day count from Monday to Friday', {}, { ...week, ...perDay }, 20),
  // 10 × 4
  hours('Hours a day do not count on the weekend', {}, { ...fortnight, ...perDay }, 40),
  hours('On a weekend nobody works', {}, { ...perDay, start: '2026-03-07', end: '2026-03-08' }, 0),
  // Monday, Wednesday, Friday, Saturday: 4 × 4
  hours(
    'Whoever works on Saturdays is planned on them',
    { week: [8, 0, 4, 0, 1, 2, 0] },
    { ...fortnight, ...perDay, end: '2026-03-08' },
    16,
  ),
  // 4 × 4
  hours('A holiday takes its day away', { holidays: ['2026-03-04'] }, { ...week, ...perDay }, 16),
  hours('A holiday on a weekend takes nothing away', { holidays: ['2026-03-07'] }, { ...fortnight, ...perDay }, 40),
  hours(
    'A holiday of other days takes nothing away',
    { holidays: ['2025-03-04', '2026-03-09'] },
    { ...week, ...perDay },
    20,
  ),
  hours(
    'Without a schedule there are no holidays',
    { values: { holidayScheduleId: null } },
    { ...week, ...perDay },
    20,
  ),
  // Wednesday to Friday
  hours(
    'Before the first working day nobody works',
    { values: { activeStartDate: '2026-03-04' } },
    { ...week, ...perDay },
    12,
  ),
  // Monday and Tuesday
  hours(
    'After the last working day nobody works',
    { values: { activeEndDate: '2026-03-03' } },
    { ...week, ...perDay },
    8,
  ),
  // Monday to Wednesday, then Friday alone
  hours(
    'Hours follow the availability from the day on which it starts',
    { later: ['2026-03-05', [0, 0, 0, 0, 8, 0, 0]] },
    { ...week, ...perDay },
    16,
  ),
  hours(
    'The first availability holds before its start, too',
    { values: { activeStartDate: null } },
    { ...week, ...perDay, start: '2019-03-04', end: '2019-03-08' },
    20,
  ),
  // 1826 days are 260 weeks and Thursday to Tuesday: 1304 × 8
  hours(
    'Five years are counted day by day',
    {},
    { start: '2026-01-01', end: '2030-12-31', unit: 'day', hoursPerDay: 8 },
    10432,
  ),
  example({
    says: 'A holiday that is not active takes nothing away',
    given: async (world: World) => {
      const member = await person(world, { holidays: ['2026-03-04'] });
      const schedule = await world.send('GET', `/holiday-schedules/${(member['holidaySchedule'] as Made).id}`);
      const [holiday] = schedule['holidays'] as readonly [Made];
      await world.send('PATCH', `/holidays/${holiday.id}`, { isActive: false });
      return work(world, member, { ...week, ...perDay });
    },
    when: (sent) => ['POST', path, sent],
    gives: done({ totalHours: 20 }),
  }),
];

const perWeek = { unit: 'week', hoursPerWeek: 40 };
const byWeek: readonly Case[] = [
  // 10 × 40 ÷ 5
  hours('Hours a week are shared among the days on which somebody works', {}, { ...fortnight, ...perWeek }, 80),
  // 3 × 40 ÷ 5
  hours('Of a part of a week its share counts', {}, { ...week, ...perWeek, start: '2026-03-04' }, 24),
  // 4 × 40 ÷ 5: the week still has five weekdays
  hours('A holiday takes its share of the week away', { holidays: ['2026-03-04'] }, { ...week, ...perWeek }, 32),
  // 2 × 10 ÷ 3 = 6.666…
  hours(
    'Whoever works three days has a third of the week in each',
    { week: [8, 0, 8, 0, 8, 0, 0] },
    { unit: 'week', hoursPerWeek: 10, start: '2026-03-02', end: '2026-03-04' },
    6.67,
  ),
  // 5 × 20 ÷ 5, then 2 × 20 ÷ 2
  hours(
    'The share of a day is that of the availability of that day',
    { later: ['2026-03-09', [8, 8, 0, 0, 0, 0, 0]] },
    { ...fortnight, unit: 'week', hoursPerWeek: 20 },
    40,
  ),
  // 3 × 0.01 ÷ 6 = 0.005
  hours(
    'Half of a hundredth of an hour is rounded up, once, at the end',
    { week: [1, 1, 1, 1, 1, 1, 0] },
    { unit: 'week', hoursPerWeek: 0.01, start: '2026-03-02', end: '2026-03-04' },
    0.01,
  ),
  hours('Whoever never works is planned for nothing', { week: [0, 0, 0, 0, 0, 0, 0] }, { ...week, ...perWeek }, 0),
];

const perMonth = { unit: 'month', hoursPerMonth: 110 };
const byMonth: readonly Case[] = [
  // March 2026 has 22 working days: 5 × 110 ÷ 22
  hours('Hours a month are shared among its working days', {}, { ...week, ...perMonth }, 25),
  hours('A whole month has its hours', {}, { ...perMonth, start: '2026-03-01', end: '2026-03-31' }, 110),
  // February has 20 working days: 2 × 110 ÷ 20, and 2 × 110 ÷ 22
  hours('Each month has shares of its own', {}, { ...perMonth, start: '2026-02-26', end: '2026-03-03' }, 21),
  // 12 months
  hours('A year has the hours of twelve months', {}, { ...perMonth, start: '2026-01-01', end: '2026-12-31' }, 1320),
  // 4 × 110 ÷ 21 = 20.952…
  hours(
    'A holiday leaves its share to the other days of the month',
    { holidays: ['2026-03-04'] },
    { ...week, ...perMonth },
    20.95,
  ),
  // 4 × 110 ÷ 22
  hours(
    'Time off takes its share of the month away',
    { off: [['2026-03-04', '2026-03-04']] },
    { ...week, ...perMonth },
    20,
  ),
  // 12 working days from the 16th on: 5 × 120 ÷ 12
  hours(
    'Whoever starts within a month has its hours from then on',
    { values: { activeStartDate: '2026-03-16' } },
    { start: '2026-03-02', end: '2026-03-20', unit: 'month', hoursPerMonth: 120 },
    50,
  ),
  hours(
    'A month in which nobody works has no hours',
    { values: { activeEndDate: '2026-02-28' } },
    { ...week, ...perMonth },
    0,
  ),
  // 2 × 110 ÷ 20, and nothing of March
  hours(
    'Months in which nobody works add nothing',
    { values: { activeEndDate: '2026-02-28' } },
    { ...perMonth, start: '2026-02-26', end: '2026-03-03' },
    11,
  ),
];

const inAll = { unit: 'allocation', hoursPerAllocation: 37.5 };
const ratio = (hoursRatioOfCapacity: number) => ({ unit: 'ratio_of_capacity', hoursRatioOfCapacity });
const inOther: readonly Case[] = [
  hours('Hours in all are what they are', {}, { ...week, ...inAll }, 37.5),
  hours(
    'Hours in all count also where nobody works',
    { off: [['2026-03-02', '2026-03-06']] },
    { ...week, ...inAll },
    37.5,
  ),
  // (4 × 8 + 4.5) × 0.25 = 9.125
  hours(
    'A share of the capacity goes by the hours of each day',
    { week: [8, 8, 8, 8, 4.5, 0, 0] },
    { ...week, ...ratio(0.25) },
    9.13,
  ),
  // (8 + 8 + 8) × 0.5
  hours(
    'A share of the capacity is none on holidays and days off',
    { holidays: ['2026-03-04'], off: [['2026-03-06', '2026-03-08']] },
    { ...week, ...ratio(0.5) },
    12,
  ),
  hours('No share of the capacity is nothing', {}, { ...week, ...ratio(0) }, 0),
];

/** Time off of the member of some work. */
const offOf = (world: World, sent: Values, values: Values) => away(world, { id: String(sent['memberId']) }, values);
const timeOff: readonly Case[] = [
  // Monday, Thursday, Friday
  hours('Days of time off do not count', { off: [['2026-03-03', '2026-03-04']] }, { ...week, ...perDay }, 12),
  // Thursday and Friday; nothing twice
  hours(
    'Days of time off that overlap are taken away once',
    {
      off: [
        ['2026-02-23', '2026-03-03'],
        ['2026-03-02', '2026-03-04'],
      ],
    },
    { ...week, ...perDay },
    8,
  ),
  hours(
    'Time off before and after takes nothing away',
    {
      off: [
        ['2026-02-23', '2026-03-01'],
        ['2026-03-07', '2026-03-20'],
      ],
    },
    { ...week, ...perDay },
    20,
  ),
  hours(
    'Work may be planned on days of time off',
    { off: [['2026-03-03', '2026-03-04']] },
    { ...week, ...perDay, allocateOnTimeOffDays: true },
    20,
  ),
  // 4 × 40 ÷ 5
  hours(
    'Time off takes its share of the week away',
    { off: [['2026-03-04', '2026-03-04']] },
    { ...week, ...perWeek },
    32,
  ),
  example({
    says: 'Time off of somebody else takes nothing away',
    given: async (world: World) => {
      await away(world, await person(world, {}), week);
      return work(world, await person(world, {}), { ...week, ...perDay });
    },
    when: (sent) => ['POST', path, sent],
    gives: done({ totalHours: 20 }),
  }),
  example({
    says: 'Time off counts its working days, also where there is time off already',
    given: async (world: World) => {
      const member = await person(world, { holidays: ['2026-03-04'], off: [['2026-03-02', '2026-03-03']] });
      return { ...(await work(world, member, week)), timeOffTypeId: (await world.make('time-off-type')).id };
    },
    when: ({ projectId: _none, ...sent }: Values) => [
      'POST',
      path,
      { ...sent, assignmentTypeId: 'time_off', unit: 'day', hoursPerDay: 8 },
    ],
    // 4 × 8: a holiday needs no time off
    gives: done({ totalHours: 32, allocateOnTimeOffDays: null }),
  }),
  example({
    says: 'Time off that is planned later leaves the hours of planned work until that changes',
    given: async (world: World) => {
      const sent: Values = await work(world, await person(world, {}), { ...week, ...perDay });
      return { sent, one: await world.send('POST', path, sent), type: (await world.make('time-off-type')).id };
    },
    when: ({ sent, type }) => [
      'POST',
      path,
      {
        ...{ resourceTypeId: 'member', memberId: sent['memberId'], assignmentTypeId: 'time_off', timeOffTypeId: type },
        ...{ ...week, unit: 'day', hoursPerDay: 8 },
      },
    ],
    gives: done({ totalHours: 40 }),
    also: ({ one }) => [[at(one), { totalHours: 20 }]],
  }),
  example({
    says: 'Any change of planned work counts its hours anew',
    given: async (world: World) => {
      const sent: Values = await work(world, await person(world, {}), { ...week, ...perDay });
      const one = await world.send('POST', path, sent);
      await offOf(world, sent, { ...week, end: '2026-03-03' });
      return one;
    },
    when: (one) => ['PATCH', at(one), { notes: 'Seen again' }],
    // Wednesday to Friday
    gives: done({ totalHours: 12 }),
  }),
];

const changes: readonly Case[] = [
  example({
    says: 'Planned work in another unit loses the amount of the one before',
    given: async (world: World) =>
      world.send('POST', path, await work(world, await person(world, {}), { ...week, ...perDay })),
    when: (one) => ['PATCH', at(one), { unit: 'week', hoursPerWeek: 30 }],
    gives: done({ hoursPerDay: null, hoursPerWeek: 30, totalHours: 30 }),
  }),
  example({
    says: 'Planned work that moves counts the days where it goes',
    given: async (world: World) =>
      world.send(
        'POST',
        path,
        await work(world, await person(world, { holidays: ['2026-03-09'] }), { ...week, ...perDay }),
      ),
    when: (one) => ['PATCH', at(one), { start: '2026-03-09', end: '2026-03-13' }],
    gives: done({ totalHours: 16 }),
  }),
  example({
    says: 'Whoever takes work over has hours by their own days',
    given: async (world: World) => ({
      one: await world.send('POST', path, await work(world, await person(world, {}), { ...week, ...perDay })),
      other: await person(world, { week: [8, 0, 0, 0, 0, 0, 0] }),
    }),
    when: ({ one, other }) => ['PATCH', at(one), { memberId: other.id }],
    gives: done({ totalHours: 4 }),
  }),
];

/** Work for a placeholder, planned while the workspace works these hours. */
const held = (says: string, hoursPerDay: readonly number[], values: Values, totalHours: number) =>
  example({
    says,
    given: async (world: World) => {
      await world.send('PATCH', '/workspace-settings', { hoursPerDay });
      const { memberId: _nobody, ...sent }: Values = await work(world, { id: '' }, values);
      const { id } = await world.make('resource-placeholder');
      const one = await world.send('POST', path, {
        ...{ ...sent, resourceTypeId: 'placeholder', resourcePlaceholderId: id },
      });
      await world.send('PATCH', '/workspace-settings', { hoursPerDay: fiveDays });
      return one;
    },
    when: (one) => ['GET', at(one)],
    gives: done({ totalHours, allocateOnTimeOffDays: null }),
  });
const fourDays = [10, 10, 10, 10, 0, 0, 0];
const placeholders: readonly Case[] = [
  held('A placeholder works on the days of the workspace', fourDays, { ...week, ...perDay }, 16),
  // 4 × 40 ÷ 4
  held('A week of a placeholder is one of the workspace', fourDays, { ...week, ...perWeek }, 40),
  // 40 × 0.2
  held('The capacity of a placeholder is that of the workspace', fourDays, { ...week, ...ratio(0.2) }, 8),
  // March 2026 has 18 days from Monday to Thursday: 4 × 90 ÷ 18
  held('A month of a placeholder is one of the workspace', fourDays, { ...week, unit: 'month', hoursPerMonth: 90 }, 20),
  held('A placeholder has no holidays', fiveDays, { ...perDay, start: '2026-12-21', end: '2026-12-25' }, 20),
];

export const staffingHours: readonly Case[] = [
  ...[...byDay, ...byWeek, ...byMonth, ...inOther, ...timeOff, ...changes, ...placeholders],
];
