// How many hours a timesheet needs, where its member has promised the hours of a week.
import { type Case, done, example, refused, type World } from './case.ts';
import { entered, scene } from './time-scene.ts';
import { handIn } from './timesheets.ts';

const needs = (hours: number) => refused(`'hours' must be at least ${hours}, the member's capacity`);

/** A member of eight hours a day from Monday to Friday, with so many minutes on days from Monday, 2026-03-02, on. */
const having =
  (timesheetCapacityPolicy: string, minutes: readonly number[], member: object = {}) =>
  async (world: World) => {
    const found = await scene(world, { member: { timesheetCapacityPolicy, activeStartDate: '2020-01-01', ...member } });
    for (const [place, each] of minutes.entries())
      await entered(world, found, { date: `2026-03-0${place + 2}`, minutes: each });
    return found;
  };
const start = '2026-03-02';
const toTuesday = { start, end: '2026-03-03' };

/** A member whose Wednesday is a holiday. */
const onHoliday = (policy: string, minutes: readonly number[]) => async (world: World) => {
  const found = await having(policy, minutes)(world);
  const holiday = await world.make('holiday', { occurrences: ['2026-03-04'] });
  const schedule = await world.make('holiday-schedule', { holidayIds: [holiday.id] });
  await world.send('PATCH', `/members/${found.memberId}`, { holidayScheduleId: schedule.id });
  return found;
};

const whole = [480, 480, 480, 480, 480];

export const timesheetCapacity: readonly Case[] = [
  example({
    says: 'A timesheet without a policy may be that of a minute',
    given: having('unrestricted', [1]),
    when: (given) => handIn(given),
    gives: done({ hours: 0.02 }),
  }),
  example({
    says: 'A timesheet with the hours of its days is handed in',
    given: having('timesheet', [480, 480]),
    when: (given) => handIn(given, toTuesday),
    gives: done({ hours: 16 }),
  }),
  example({
    says: 'Hours of a timesheet may lie on any of its days',
    given: having('timesheet', [960, 1]),
    when: (given) => handIn(given, toTuesday),
    gives: done({ hours: 16.02 }),
  }),
  example({
    says: 'A timesheet with a minute less than the hours of its days is not handed in',
    given: having('timesheet', [480, 479]),
    when: (given) => handIn(given, toTuesday),
    gives: needs(16),
  }),
  example({
    says: 'Time on other days does not help a timesheet',
    given: having('timesheet', [480, 479, 60]),
    when: (given) => handIn(given, toTuesday),
    gives: needs(16),
  }),
  example({
    says: 'A timesheet of a part of the week does not have the hours of the week',
    given: having('week', [480, 480]),
    when: (given) => handIn(given, toTuesday),
    gives: needs(40),
  }),
  example({
    says: 'A timesheet with the hours of the week is handed in',
    given: having('week', whole),
    when: (given) => handIn(given),
    gives: done({ hours: 40 }),
  }),
  example({
    says: 'A timesheet of the days with all hours of the week is handed in, whatever its days',
    given: having('week', [1200, 1200]),
    when: (given) => handIn(given, toTuesday),
    gives: done({ hours: 40 }),
  }),
  example({
    says: 'A holiday needs no hours',
    given: onHoliday('timesheet', [480, 480]),
    when: (given) => handIn(given, { start, end: '2026-03-04' }),
    gives: done({ hours: 16 }),
  }),
  example({
    says: 'A week with a holiday needs the hours of its other days',
    given: onHoliday('week', [480, 480, 1, 480, 478]),
    when: (given) => handIn(given),
    // 480 + 481 + 480 + 478 = 1919 minutes of 32 hours
    gives: needs(32),
  }),
  example({
    says: 'Days before the first of a member need no hours',
    given: async (world) => {
      const found = await having('week', [])(world);
      await world.send('PATCH', `/members/${found.memberId}`, { activeStartDate: '2026-03-05' });
      return entered(world, found, { date: '2026-03-06', minutes: 959 });
    },
    when: (given) => handIn(given),
    // Thursday and Friday
    gives: needs(16),
  }),
  example({
    says: 'Time off fills a timesheet as work does',
    given: async (world) => {
      const found = await having('timesheet', [480])(world);
      const { id: timeOffTypeId } = await world.make('time-off-type');
      const { memberId } = found;
      await world.send('POST', '/time-entries', { memberId, date: '2026-03-03', minutes: 480, timeOffTypeId });
      return found;
    },
    when: (given) => handIn(given, toTuesday),
    gives: done({ hours: 16 }),
  }),
  example({
    says: 'A timesheet is decided on, whatever its hours are by now',
    given: async (world) => {
      await world.send('PATCH', '/workspace-settings', { timesheetAttestationStatement: null });
      const found = await having('timesheet', [480, 480])(world);
      const sheet = await world.send(...handIn(found, toTuesday));
      await world.send('POST', '/availability-periods', {
        memberId: found.memberId,
        start,
        hoursPerDay: [12, 12, 12, 12, 12, 0, 0],
      });
      return sheet;
    },
    when: ({ id }) => ['PATCH', `/timesheets/${id}`, { statusId: 'approved' }],
    gives: done({ statusId: 'approved' }),
  }),
];
