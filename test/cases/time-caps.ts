// How much time a day, a project and a task take.
import type { Json } from '../support/service/praxis.ts';
import { type Case, done, example, type Made, refused, type World } from './case.ts';
import { change, day, enter, entered, scene, taskScene } from './time-scene.ts';

type Entry = readonly [date: string, minutes: number, more?: object];

/** What is left, as the refusal tells it. */
const ofDay = (left: number) => refused(`'minutes' must be at most ${left}, what is left of the member's day`);
const ofProject = (left: number, hours: number, span: string) =>
  refused(
    `'minutes' must be at most ${left}, what is left of the ${hours} hours that the project takes of a member a ${span}`,
  );
const ofTask = (left: number, hours: number) =>
  refused(`'minutes' must be at most ${left}, what is left of the ${hours} hours of the task`);
const ofSeat = (left: number, hours: number) =>
  refused(`'minutes' must be at most ${left}, what is left of the member's ${hours} hours on the task`);

type Found = Awaited<ReturnType<typeof scene>>;

/** The scene with entries; the last of them is `entry`. */
async function worked<S extends Found>(world: World, found: S, entries: readonly Entry[]) {
  const made: Made[] = [];
  for (const [date, minutes, more] of entries)
    made.push((await entered(world, found, { date, minutes, ...more })).entry);
  return { ...found, entry: made.at(-1) as Made, entries: made };
}
const having =
  (entries: readonly Entry[], project: object = {}) =>
  async (world: World) =>
    worked(world, await scene(world, { project }), entries);

const days: readonly Case[] = [
  example({
    says: 'A day takes 1440 minutes of a member',
    given: having([[day, 1000]]),
    when: (given) => enter(given, { minutes: 440 }),
    gives: done({ minutes: 440 }),
  }),
  example({
    says: 'A day takes no minute more',
    given: having([[day, 1000]]),
    when: (given) => enter(given, { minutes: 441 }),
    gives: ofDay(440),
  }),
  example({
    says: 'A full day takes nothing more',
    given: having([[day, 1440]]),
    when: (given) => enter(given, { minutes: 1 }),
    gives: ofDay(0),
  }),
  example({
    says: 'The time of a day is that of all projects, and time off',
    given: async (world) => {
      const found = await having([[day, 700]])(world);
      const other = await world.make('project', { billingTypeId: 'tm', useRoles: false });
      await world.make('project-member', { projectId: other.id, memberId: found.memberId });
      await entered(world, found, { projectId: other.id, minutes: 400 });
      const { id: timeOffTypeId } = await world.make('time-off-type');
      return { hour: { date: day, memberId: found.memberId, timeOffTypeId } };
    },
    when: (given) => enter(given, { minutes: 341 }),
    // 1440 − 700 − 400
    gives: ofDay(340),
  }),
  example({
    says: 'Rejected time fills a day, too',
    given: having([[day, 1000, { statusId: 'rejected' }]]),
    when: (given) => enter(given, { minutes: 441 }),
    gives: ofDay(440),
  }),
  example({
    says: 'The days before and after are days of their own',
    given: having([
      ['2026-03-01', 1440],
      ['2026-03-03', 1440],
    ]),
    when: (given) => enter(given, { minutes: 1440 }),
    gives: done({ minutes: 1440 }),
  }),
  example({
    says: 'The day of a colleague is another one',
    given: async (world) => {
      await having([[day, 1440]])(world);
      return scene(world);
    },
    when: (given) => enter(given, { minutes: 1440 }),
    gives: done({ minutes: 1440 }),
  }),
  example({
    says: 'Time does not grow beyond its day',
    given: having([
      [day, 1000],
      [day, 400],
    ]),
    when: (given) => change(given, { minutes: 441 }),
    gives: ofDay(440),
  }),
  example({
    says: 'Time does not move to a day that is full',
    given: having([
      ['2026-03-03', 1400],
      [day, 60],
    ]),
    when: (given) => change(given, { date: '2026-03-03' }),
    gives: ofDay(40),
  }),
  example({
    says: 'Time that moves away leaves its day to other time',
    given: async (world) => {
      const found = await having([[day, 1440]])(world);
      await world.send(...change(found, { date: '2026-03-03' }));
      return found;
    },
    when: (given) => enter(given, { minutes: 1440 }),
    gives: done({ minutes: 1440 }),
  }),
];

const capDay = { capMaxMemberHoursPerDay: true, maxMemberHoursPerDay: 8 };
const capWeek = { capMaxMemberHoursPerWeek: true, maxMemberHoursPerWeek: 20 };
const capMonth = { capMaxMemberHoursPerMonth: true, maxMemberHoursPerMonth: 40 };
const without = { ...capDay, capMaxMemberHoursPerDay: false, maxMemberHoursPerDay: null };

const projects: readonly Case[] = [
  example({
    says: 'A project takes its hours of a member a day',
    given: having([[day, 300]], capDay),
    when: (given) => enter(given, { minutes: 180 }),
    gives: done({ minutes: 180 }),
  }),
  example({
    says: 'A project takes no minute more of a member a day',
    given: having([[day, 300]], capDay),
    when: (given) => enter(given, { minutes: 181 }),
    gives: ofProject(180, 8, 'day'),
  }),
  example({
    says: 'Hours are counted to the minute',
    given: having([], { ...capDay, maxMemberHoursPerDay: 7.55 }),
    when: (given) => enter(given, { minutes: 453 }),
    gives: done({ minutes: 453 }),
  }),
  example({
    says: 'A part of a minute is none',
    given: having([], { ...capDay, maxMemberHoursPerDay: 7.51 }),
    when: (given) => enter(given, { minutes: 451 }),
    // 450.6 minutes
    gives: ofProject(450, 7.51, 'day'),
  }),
  example({
    says: 'A project without a cap takes whole days',
    given: having([[day, 1000]], without),
    when: (given) => enter(given, { minutes: 440 }),
    gives: done({ minutes: 440 }),
  }),
  example({
    says: 'Time on other projects is not counted against the cap of one',
    given: async (world) => {
      const found = await having([[day, 400]], capDay)(world);
      const other = await world.make('project', { billingTypeId: 'tm', useRoles: false, ...capDay });
      await world.make('project-member', { projectId: other.id, memberId: found.memberId });
      return { hour: { ...found.hour, projectId: other.id } };
    },
    when: (given) => enter(given, { minutes: 480 }),
    gives: done({ minutes: 480 }),
  }),
  example({
    says: 'Each member has the cap to themselves',
    given: async (world) => {
      const found = await having([[day, 480]], capDay)(world);
      const { id: memberId } = await world.make('member');
      await world.make('project-member', { projectId: found.projectId, memberId });
      return { hour: { ...found.hour, memberId } };
    },
    when: (given) => enter(given, { minutes: 480 }),
    gives: done({ minutes: 480 }),
  }),
  example({
    says: 'Rejected time is not counted against the cap of a project',
    given: having([[day, 300, { statusId: 'rejected' }]], capDay),
    when: (given) => enter(given, { minutes: 480 }),
    gives: done({ minutes: 480 }),
  }),
  example({
    says: 'Rejected time is not submitted again where other time has taken its place',
    given: having(
      [
        [day, 480],
        [day, 300, { statusId: 'rejected' }],
      ],
      capDay,
    ),
    when: (given) => change(given, { statusId: 'pending_approval' }),
    gives: ofProject(0, 8, 'day'),
  }),
  example({
    says: 'A week is not handed in with rejected time whose place other time has taken',
    given: having(
      [
        [day, 200],
        [day, 300, { statusId: 'rejected' }],
      ],
      capDay,
    ),
    when: ({ memberId }) => ['POST', '/timesheets', { memberId, start: day, end: '2026-03-08' }],
    // 480 − 200 are left, which 300 exceed.
    gives: ofProject(280, 8, 'day'),
  }),
  example({
    says: 'Time beyond a cap that has been lowered may still be described',
    given: async (world) => {
      const found = await having([[day, 480]], capDay)(world);
      await world.send('PATCH', `/projects/${found.projectId}`, { maxMemberHoursPerDay: 4 });
      return found;
    },
    when: (given) => change(given, { notes: 'Kick-off' }),
    gives: done({ notes: 'Kick-off', minutes: 480 }),
  }),
  example({
    says: 'Time beyond a cap that has been lowered may become less',
    given: async (world) => {
      const found = await having([[day, 480]], capDay)(world);
      await world.send('PATCH', `/projects/${found.projectId}`, { maxMemberHoursPerDay: 4 });
      return found;
    },
    when: (given) => change(given, { minutes: 420 }),
    gives: done({ minutes: 420 }),
  }),
  example({
    says: 'Time beyond a cap that has been lowered does not become more',
    given: async (world) => {
      const found = await having([[day, 480]], capDay)(world);
      await world.send('PATCH', `/projects/${found.projectId}`, { maxMemberHoursPerDay: 4 });
      return found;
    },
    when: (given) => change(given, { minutes: 481 }),
    gives: ofProject(240, 4, 'day'),
  }),
  example({
    says: 'Time beyond a cap that has been lowered is approved all the same',
    given: async (world) => {
      const found = await having([[day, 480, { statusId: 'pending_approval' }]], capDay)(world);
      await world.send('PATCH', `/projects/${found.projectId}`, { maxMemberHoursPerDay: 4 });
      return found;
    },
    when: (given) => change(given, { statusId: 'approved' }),
    gives: done({ statusId: 'approved' }),
  }),
  // 2026-02-23 is a Monday, 2026-03-01 the Sunday of its week: a week over two months.
  example({
    says: 'A project takes its hours of a member from Monday to Sunday, over the end of a month',
    given: having(
      [
        ['2026-02-22', 600],
        ['2026-02-23', 600],
        ['2026-03-02', 600],
      ],
      capWeek,
    ),
    when: (given) => enter(given, { date: '2026-03-01', minutes: 600 }),
    gives: done({ minutes: 600 }),
  }),
  example({
    says: 'A project takes no minute more of a member a week',
    given: having(
      [
        ['2026-02-23', 600],
        ['2026-02-25', 580],
      ],
      capWeek,
    ),
    when: (given) => enter(given, { date: '2026-03-01', minutes: 21 }),
    // 1200 − 600 − 580
    gives: ofProject(20, 20, 'week'),
  }),
  example({
    says: 'Time may move to another day of a full week',
    given: having(
      [
        ['2026-02-23', 600],
        ['2026-02-25', 600],
      ],
      capWeek,
    ),
    when: (given) => change(given, { date: '2026-03-01' }),
    gives: done({ date: '2026-03-01' }),
  }),
  example({
    says: 'Time does not move into a full week',
    given: having(
      [
        ['2026-02-23', 600],
        ['2026-02-25', 600],
        ['2026-03-02', 60],
      ],
      capWeek,
    ),
    when: (given) => change(given, { date: '2026-03-01' }),
    gives: ofProject(0, 20, 'week'),
  }),
  example({
    says: 'A project takes its hours of a member from the first to the last of a month',
    given: having(
      [
        ['2026-02-28', 1200],
        ['2026-03-01', 1200],
        ['2026-04-01', 1200],
      ],
      capMonth,
    ),
    when: (given) => enter(given, { date: '2026-03-31', minutes: 1200 }),
    gives: done({ minutes: 1200 }),
  }),
  example({
    says: 'A project takes no minute more of a member a month',
    given: having(
      [
        ['2026-03-01', 1200],
        ['2026-03-15', 1100],
      ],
      capMonth,
    ),
    when: (given) => enter(given, { date: '2026-03-31', minutes: 101 }),
    // 2400 − 1200 − 1100
    gives: ofProject(100, 40, 'month'),
  }),
];

/** A task with a budget of ten hours, which two members work on. */
const budgeted =
  (task: object, ...entries: readonly Entry[]) =>
  async (world: World) => {
    const found = await taskScene(world, { budgetedHours: 10, ...task });
    const { id: colleagueId } = await world.make('member');
    const seat = await world.make('project-member', { projectId: found.projectId, memberId: colleagueId });
    return { ...(await worked(world, found, entries)), colleagueId, seat };
  };
const assigning =
  (hours: number | null, task: object, ...entries: readonly Entry[]) =>
  async (world: World) => {
    const found = await budgeted({ capAssignedHours: true, ...task }, ...entries)(world);
    const { taskId, assignmentId } = found;
    await world.send('PATCH', `/tasks/${taskId}`, { projectMembers: [{ id: assignmentId, hours }] });
    return found;
  };
const fromColleague = ({ hour, colleagueId }: { hour: Json; colleagueId: string }) => ({
  hour: { ...hour, memberId: colleagueId },
});

const tasks: readonly Case[] = [
  example({
    says: 'A task with a cap takes its hours of all members together',
    given: budgeted({ capHours: true }, [day, 400]),
    when: (given) => enter(fromColleague(given), { date: '2026-08-03', minutes: 200 }),
    gives: done({ minutes: 200 }),
  }),
  example({
    says: 'A task with a cap takes no minute more of all members together',
    given: budgeted({ capHours: true }, [day, 400]),
    when: (given) => enter(fromColleague(given), { date: '2026-08-03', minutes: 201 }),
    gives: ofTask(200, 10),
  }),
  example({
    says: 'Rejected time is not counted against the cap of a task',
    given: budgeted({ capHours: true }, [day, 400, { statusId: 'rejected' }]),
    when: (given) => enter(given, { minutes: 600 }),
    gives: done({ minutes: 600 }),
  }),
  example({
    says: 'A task without a cap takes time beyond its budget',
    given: budgeted({ capHours: false }, [day, 600]),
    when: (given) => enter(given, { minutes: 600 }),
    gives: done({ minutes: 600 }),
  }),
  example({
    says: 'Time does not move to a task that is full',
    given: async (world) => {
      const found = await budgeted({ capHours: true }, [day, 600])(world);
      const other = await world.make('task', { projectId: found.projectId });
      return entered(world, found, { taskId: other.id });
    },
    when: (given) => change(given, { taskId: given.taskId }),
    gives: ofTask(0, 10),
  }),
  example({
    says: 'Time on a full task may move to a colleague',
    given: budgeted({ capHours: true }, [day, 600]),
    when: (given) => change(given, { memberId: given.colleagueId }),
    gives: ({ colleagueId }) => done({ member: { id: colleagueId } }),
  }),
  example({
    says: 'A member takes no more than their own hours on a task that caps these',
    given: assigning(5, {}, [day, 200]),
    when: (given) => enter(given, { date: '2026-05-04', minutes: 101 }),
    // 300 − 200
    gives: ofSeat(100, 5),
  }),
  example({
    says: 'A member takes their own hours on a task that caps these',
    given: assigning(5, {}, [day, 200]),
    when: (given) => enter(given, { date: '2026-05-04', minutes: 100 }),
    gives: done({ minutes: 100 }),
  }),
  example({
    says: 'The hours of one member on a task bind no other',
    given: assigning(5, {}, [day, 300]),
    when: (given) => enter(fromColleague(given), { minutes: 600 }),
    gives: done({ minutes: 600 }),
  }),
  example({
    says: 'Time does not move to a colleague whose hours on the task are taken',
    given: async (world) => {
      const found = await budgeted({ capAssignedHours: true })(world);
      await world.send('PATCH', `/tasks/${found.taskId}`, { projectMembers: [{ id: found.seat.id, hours: 0.5 }] });
      return entered(world, found);
    },
    when: (given) => change(given, { memberId: given.colleagueId }),
    gives: ofSeat(30, 0.5),
  }),
  example({
    says: 'A member who is on a task without hours is bound by none',
    given: assigning(null, {}, [day, 300]),
    when: (given) => enter(given, { minutes: 600 }),
    gives: done({ minutes: 600 }),
  }),
  example({
    says: 'The hours of a member bind nobody on a task that does not cap them',
    given: assigning(5, { capAssignedHours: false }, [day, 300]),
    when: (given) => enter(given, { minutes: 600 }),
    gives: done({ minutes: 600 }),
  }),
];

export const timeCaps: readonly Case[] = [...days, ...projects, ...tasks];
