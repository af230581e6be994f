// What an hour of a member is billed and costs, as it was when the entry was last written.
import type { Json } from '../support/service/praxis.ts';
import { type Case, done, example, type Made, type World } from './case.ts';
import { change, day, enter, entered, roleScene, scene } from './time-scene.ts';
import { handIn } from './timesheets.ts';

const euros = { currency: 'EUR' };
const entry = (made: Made) => `/time-entries/${made.id}`;
const billed = (rate: number) => ({ rate, rateCurrency: 'EUR' });
const notBilled = { rate: null, rateCurrency: null };

/** A member at 100 an hour on a project in euros, who else takes 80 euros. */
const onProject =
  (assigned: object = { rate: 100 }, member: object = {}) =>
  (world: World) =>
    scene(world, {
      project: euros,
      assigned,
      member: { defaultRate: 80, defaultRateCurrency: 'EUR', ...member },
    });

/** The same in a role, the first of two at 120 an hour. */
const inRole =
  (rate: number | null = 120) =>
  async (world: World) => {
    const found = await roleScene(world, 1, {
      project: euros,
      member: { defaultRate: 80, defaultRateCurrency: 'EUR' },
    });
    await world.send('PATCH', `/project-roles/${found.one.id}`, { rate });
    return found;
  };

interface Cards {
  readonly projectId: string;
}
/** Cards of a project: one for all days, and one from Monday on. */
async function withCards<S extends Cards>({ send }: World, found: S, first: Json, fromMonday: Json) {
  const { projectId } = found;
  await send('POST', '/project-rate-cards', { projectId, ...first });
  const card = await send('POST', '/project-rate-cards', { projectId, start: day, ...fromMonday });
  return { ...found, card };
}
const ofMember = (memberId: string, more: object) => ({ memberRates: [{ memberId, ...more }] });
const ofRole = ({ id }: Made, rate: number | null) => ({ roleRates: [{ projectRoleId: id, rate }] });

const memberCards = async (world: World) => {
  const found = await onProject()(world);
  return withCards(world, found, ofMember(found.memberId, { rate: 130 }), ofMember(found.memberId, { rate: 140 }));
};
const roleCards = async (world: World) => {
  const found = await inRole()(world);
  return withCards(world, found, ofRole(found.one, 150), {
    ...ofRole(found.one, 160),
    ...ofMember(found.memberId, { rate: 999 }),
  });
};
const withoutCards = (world: World) =>
  world.send('PATCH', '/workspace-settings', { features: ['business_units', 'pipeline'] });
const withAll = (world: World) =>
  world.send('PATCH', '/workspace-settings', { features: ['project_rate_cards', 'business_units', 'pipeline'] });

const bills: readonly Case[] = [
  example({
    says: 'An hour is billed at the rate of the project member, in the currency of the project',
    given: onProject(),
    when: (given) => enter(given),
    gives: done({ isBillable: true, ...billed(100) }),
  }),
  example({
    says: 'A rate of nothing is a rate',
    given: onProject({ rate: 0 }),
    when: (given) => enter(given),
    gives: done(billed(0)),
  }),
  example({
    says: 'An hour of a project member without a rate is billed at what the member takes',
    given: onProject({}),
    when: (given) => enter(given),
    gives: done(billed(80)),
  }),
  example({
    says: 'What the member takes in another currency than the project’s is no rate',
    given: onProject({}, { defaultRateCurrency: 'USD' }),
    when: (given) => enter(given),
    gives: done({ isBillable: true, ...notBilled }),
  }),
  example({
    says: 'An hour without any rate is billed at none',
    given: onProject({}, { defaultRate: null, defaultRateCurrency: null }),
    when: (given) => enter(given),
    gives: done({ isBillable: true, ...notBilled }),
  }),
  example({
    says: 'An hour that is not billed has no rate',
    given: onProject(),
    when: (given) => enter(given, { isBillable: false }),
    gives: done(notBilled),
  }),
  example({
    says: 'An hour in a role is billed at the rate of the role',
    given: inRole(),
    when: (given) => enter(given),
    gives: done(billed(120)),
  }),
  example({
    says: 'An hour in a role without a rate is billed at what the member takes',
    given: inRole(null),
    when: (given) => enter(given),
    gives: done(billed(80)),
  }),
  example({
    says: 'The rate card of the day goes before the project member: on its first day',
    given: async (world) => {
      await withAll(world);
      return memberCards(world);
    },
    when: (given) => enter(given),
    gives: done(billed(140)),
  }),
  example({
    says: 'The rate card of the day goes before the project member: on the day before, the card before',
    given: memberCards,
    when: (given) => enter(given, { date: '2026-03-01' }),
    gives: done(billed(130)),
  }),
  example({
    says: 'A rate card that has no rate of the member leaves the project member’s',
    given: async (world) => {
      const found = await onProject()(world);
      return withCards(world, found, ofMember(found.memberId, { rate: 130 }), ofMember(found.memberId, {}));
    },
    when: (given) => enter(given),
    gives: done(billed(100)),
  }),
  example({
    says: 'In a role the card’s rate of the role counts, and never its rate of the member',
    given: roleCards,
    when: (given) => enter(given),
    gives: done(billed(160)),
  }),
  example({
    says: 'In a role that the card does not know the role’s own rate counts, and not the card’s of the member',
    given: async (world) => {
      const found = await inRole()(world);
      return withCards(world, found, {}, ofMember(found.memberId, { rate: 999 }));
    },
    when: (given) => enter(given),
    gives: done(billed(120)),
  }),
  example({
    says: 'Rate cards of other projects do not count',
    given: async (world) => {
      const found = await onProject()(world);
      const other = await memberCards(world);
      await world.make('project-member', { projectId: other.projectId, memberId: found.memberId });
      await world.send('PATCH', `/project-rate-cards/${other.card.id}`, ofMember(found.memberId, { rate: 999 }));
      return found;
    },
    when: (given) => enter(given),
    gives: done(billed(100)),
  }),
  example({
    says: 'Rate cards count only while their feature is on',
    given: async (world) => {
      const found = await memberCards(world);
      await withoutCards(world);
      return found;
    },
    when: (given) => enter(given),
    gives: done(billed(100)),
  }),
  example({
    says: 'A rate that becomes another leaves the time that is there',
    given: async (world) => {
      await withAll(world);
      return entered(world, await onProject()(world));
    },
    when: ({ assignmentId }) => ['PATCH', `/project-members/${assignmentId}`, { rate: 200 }],
    gives: done({ rate: 200 }),
    also: (given) => [[entry(given.entry), billed(100)]],
  }),
  example({
    says: 'Whoever writes time takes its rate anew, whatever is changed',
    given: async (world) => {
      const found = await entered(world, await onProject()(world));
      await world.send('PATCH', `/project-members/${found.assignmentId}`, { rate: 200 });
      return found;
    },
    when: (given) => change(given, { notes: 'Kick-off' }),
    gives: done(billed(200)),
  }),
  example({
    says: 'Time that moves to a day of another card has the rate of that card',
    given: async (world) => entered(world, await memberCards(world)),
    when: (given) => change(given, { date: '2026-02-27' }),
    gives: done(billed(130)),
  }),
  example({
    says: 'Time that is no more to be billed loses its rate',
    given: async (world) => entered(world, await onProject()(world)),
    when: (given) => change(given, { isBillable: false }),
    gives: done(notBilled),
  }),
  ...(['approved', 'rejected'] as const).map((statusId) =>
    example({
      says: `A timesheet that is ${statusId} leaves rate and cost of its time as they were entered`,
      given: async (world) => {
        const found = await entered(world, await onProject()(world));
        await world.send('PATCH', '/workspace-settings', { timesheetAttestationStatement: null });
        await world.send('PATCH', `/project-members/${found.assignmentId}`, {
          rate: 200,
          overrideCostRate: true,
          costPerHour: 70,
        });
        return { ...found, sheet: await world.send(...handIn(found)) };
      },
      when: ({ sheet }) => ['PATCH', `/timesheets/${sheet.id}`, { statusId }],
      gives: done({ statusId }),
      also: (given) => [[entry(given.entry), { statusId, ...billed(100), costPerHour: 0, costCurrency: 'USD' }]],
    }),
  ),
  ...['rate', 'rateCurrency', 'costPerHour', 'costCurrency'].map((field) =>
    example({
      says: `Nobody enters the ${field} of time`,
      given: onProject(),
      when: (given) => enter(given, { [field]: null }),
      gives: { kind: 'refused', errors: [`'${field}' is not allowed`] },
    }),
  ),
];

const hourly = { currency: 'GBP', costPerHour: 50, overheadCostPerHour: 10.5 };
const monthly = { currency: 'GBP', costMethodId: 'fixed_monthly', costPerMonth: 8000, overheadCostPerMonth: 800 };

/** A member whose costs are these from 2020 on, working on a project. */
const costing =
  (period: object, { member = {}, assigned = {} }: Record<string, object> = {}) =>
  async (world: World) => {
    const found = await scene(world, { member: { activeStartDate: '2020-01-01', ...member }, assigned });
    const [own] = await world.all('cost-period', `&memberId=${found.memberId}`);
    await world.send('PATCH', `/cost-periods/${own?.['id']}`, period);
    return found;
  };
const costs = (costPerHour: number | null) =>
  done(costPerHour === null ? { costPerHour, costCurrency: null } : { costPerHour, costCurrency: 'GBP' });

/** Hours of the days of a week, from a day on. */
const available = async ({ send }: World, memberId: string, start: string, hoursPerDay: readonly number[]) =>
  send('POST', '/availability-periods', { memberId, start, hoursPerDay });
const workdays = (hours: number) => [hours, hours, hours, hours, hours, 0, 0];

/** A monthly cost, and something about the month of March 2026, which has 22 days from Monday to Friday: 176 hours. */
const inMonth = (
  says: string,
  happens: (world: World, memberId: string) => Promise<unknown>,
  costPerHour: number | null,
  date: string = day,
) =>
  example({
    says,
    given: async (world) => {
      const found = await costing(monthly)(world);
      await happens(world, found.memberId);
      return found;
    },
    when: (given) => enter(given, { date }),
    gives: costs(costPerHour),
  });

/** Gives a member a schedule with one holiday. */
const holiday =
  (occurrence: string, isActive = true) =>
  async ({ make, send }: World, memberId: string) => {
    const { id } = await make('holiday', { occurrences: [occurrence], isActive });
    const schedule = await make('holiday-schedule', { holidayIds: [id] });
    await send('PATCH', `/members/${memberId}`, { holidayScheduleId: schedule.id });
  };

const overridden = { overrideCostRate: true, costCurrency: 'JPY', costPerHour: 9000, overheadCostPerHour: 500 };
const onCard = (more: object) => async (world: World) => {
  await withAll(world);
  const found = await costing(hourly, { assigned: overridden })(world);
  return withCards(world, found, {}, ofMember(found.memberId, more));
};

/** A day off of a member. */
const off = (isPaid: boolean) => async (world: World) => {
  const { id: timeOffTypeId } = await world.make('time-off-type', { isPaid });
  const { memberId } = await costing(hourly)(world);
  return { hour: { date: day, minutes: 480, memberId, timeOffTypeId } };
};

const costCases: readonly Case[] = [
  example({
    says: 'An hour costs what the cost period of its day says, with the overhead',
    given: costing(hourly),
    when: (given) => enter(given),
    // 50 + 10.5
    gives: costs(60.5),
  }),
  example({
    says: 'An hour that is not billed costs as much',
    given: costing(hourly),
    when: (given) => enter(given, { isBillable: false }),
    gives: costs(60.5),
  }),
  ...(
    [
      ['2026-03-01', 60.5],
      ['2026-03-02', 71],
    ] as const
  ).map(([date, costPerHour]) =>
    example({
      says: `A cost period from the 2nd on counts for an hour on ${date}: ${costPerHour}`,
      given: async (world) => {
        const found = await costing(hourly)(world);
        const { memberId } = found;
        await world.send('POST', '/cost-periods', { memberId, start: day, currency: 'GBP', costPerHour: 71 });
        return found;
      },
      when: (given) => enter(given, { date }),
      gives: costs(costPerHour),
    }),
  ),
  example({
    says: 'The earliest cost period counts for all days before it',
    given: async (world) => {
      const found = await costing({ ...hourly, start: '2030-01-01' })(world);
      return found;
    },
    when: (given) => enter(given),
    gives: costs(60.5),
  }),
  // 8800 for 22 × 8 hours
  inMonth('A monthly cost is divided by the hours of the month', async () => undefined, 50),
  // 8800 for 20 × 8 hours in February: no hour of this month costs as much as in that
  inMonth('A monthly cost is divided by the hours of the month of the day', async () => undefined, 55, '2026-02-28'),
  // 8800 / (21 × 8) = 52.380952…
  inMonth('A holiday makes the hours of its month dearer', holiday('2026-03-17'), 52.381),
  inMonth('A holiday on a Sunday does not', holiday('2026-03-15'), 50),
  inMonth('A holiday that is not active does not, either', holiday('2026-03-17', false), 50),
  // 8800 / (10 × 8 + 12 × 4)
  inMonth(
    'Fewer working hours from the 16th on make the hours of the month dearer',
    (world, memberId) => available(world, memberId, '2026-03-16', workdays(4)),
    68.75,
  ),
  // From Monday the 2nd to Friday the 6th: 8800 / (5 × 8)
  inMonth(
    'Days after the last of a member are no working days',
    ({ send }, memberId) => send('PATCH', `/members/${memberId}`, { activeEndDate: '2026-03-06' }),
    220,
  ),
  // 8800 / (22 × 7.7) = 51.948051…
  inMonth(
    'A cost per hour keeps four decimals',
    (world, memberId) => available(world, memberId, '2026-01-01', workdays(7.7)),
    51.9481,
  ),
  inMonth(
    'In a month without working hours an hour costs nothing that could be told',
    (world, memberId) => available(world, memberId, '2026-01-01', [0, 0, 0, 0, 0, 0, 0]),
    null,
  ),
  example({
    says: 'What the project member costs on the project goes before the cost period, with the overhead',
    given: costing(hourly, { assigned: overridden }),
    when: (given) => enter(given),
    // 9000 + 500
    gives: done({ costPerHour: 9500, costCurrency: 'JPY' }),
  }),
  example({
    says: 'What the project member costs is nothing more without an overhead',
    given: costing(hourly, { assigned: { ...overridden, overheadCostPerHour: null } }),
    when: (given) => enter(given),
    gives: done({ costPerHour: 9000, costCurrency: 'JPY' }),
  }),
  example({
    says: 'What a rate card says a member costs goes before all else',
    given: onCard({ overrideCostRate: true, costCurrency: 'EUR', costPerHour: 61, overheadCostPerHour: 2.25 }),
    when: (given) => enter(given),
    gives: done({ costPerHour: 63.25, costCurrency: 'EUR' }),
  }),
  example({
    says: 'A rate card that says nothing of costs leaves those of the project member',
    given: onCard({ rate: 130 }),
    when: (given) => enter(given),
    gives: done({ rate: 130, costPerHour: 9500, costCurrency: 'JPY' }),
  }),
  example({
    says: 'What rate cards say of costs counts only while their feature is on',
    given: async (world) => {
      const found = await onCard({ overrideCostRate: true, costCurrency: 'EUR', costPerHour: 61 })(world);
      await withoutCards(world);
      return found;
    },
    when: (given) => enter(given),
    gives: done({ costPerHour: 9500, costCurrency: 'JPY' }),
  }),
  example({
    says: 'Paid time off costs what work does, and is billed to nobody',
    given: async (world) => {
      await withAll(world);
      return off(true)(world);
    },
    when: (given) => enter(given),
    gives: done({ costPerHour: 60.5, costCurrency: 'GBP', ...notBilled }),
  }),
  example({
    says: 'Unpaid time off costs nothing',
    given: off(false),
    when: (given) => enter(given),
    gives: costs(null),
  }),
  example({
    says: 'Another cost period leaves the time that is there',
    given: async (world) => entered(world, await costing(hourly)(world)),
    when: ({ memberId }) => ['POST', '/cost-periods', { memberId, start: '2026-01-01', costPerHour: 90 }],
    gives: done({ totalCostPerHour: 90 }),
    also: (given) => [[entry(given.entry), { costPerHour: 60.5 }]],
  }),
];

export const timeRates: readonly Case[] = [...bills, ...costCases];
