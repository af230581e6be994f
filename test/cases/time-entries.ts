// Time of members: how it is measured, and what closes it.
import { type Asked, type Case, done, example, type Made, refused, type World } from './case.ts';
import { change, enter, entered, roleScene, scene, taskScene } from './time-scene.ts';

const byRange = { member: { trackTimeByDuration: false, trackTimeByTimeRange: true } };
const byBoth = { member: { trackTimeByDuration: true, trackTimeByTimeRange: true } };
const inRange = async (world: World) => {
  const found = await scene(world, byBoth);
  return { ...found, hour: { ...found.hour, minutes: undefined } };
};
const rangeEntered = async (world: World) =>
  entered(world, await inRange(world), { startTime: '09:00', endTime: '10:30' });

const times: readonly Case[] = [
  ...(
    [
      ['09:00', '10:30', 90],
      ['09:45', '10:10', 25],
      ['00:00', '23:59', 1439],
      ['09:59', '10:00', 1],
    ] as const
  ).map(([startTime, endTime, minutes]) =>
    example({
      says: `From ${startTime} to ${endTime} are ${minutes} minutes`,
      given: inRange,
      when: (given) => enter(given, { startTime, endTime }),
      gives: done({ startTime, endTime, minutes }),
    }),
  ),
  example({
    says: 'Minutes that are sent count, and not the times: a break is no work',
    given: inRange,
    when: (given) => enter(given, { startTime: '09:00', endTime: '10:30', minutes: 75 }),
    gives: done({ minutes: 75 }),
  }),
  example({
    says: 'Minutes that are sent are at most those from start to end',
    given: inRange,
    when: (given) => enter(given, { startTime: '12:00', endTime: '12:10', minutes: 11 }),
    gives: refused("'minutes' must be at most 10, the time from startTime to endTime"),
  }),
  example({
    says: 'Minutes that are changed are at most those from start to end',
    given: rangeEntered,
    when: (given) => change(given, { minutes: 91 }),
    gives: refused("'minutes' must be at most 90, the time from startTime to endTime"),
  }),
  example({
    says: 'A later end makes more minutes',
    given: rangeEntered,
    when: (given) => change(given, { endTime: '11:00' }),
    gives: done({ startTime: '09:00', endTime: '11:00', minutes: 120 }),
  }),
  example({
    says: 'Other times make other minutes, also if minutes were sent before',
    given: async (world) => entered(world, await inRange(world), { startTime: '09:00', endTime: '10:30', minutes: 75 }),
    when: (given) => change(given, { startTime: '08:00', endTime: '08:45' }),
    gives: done({ startTime: '08:00', endTime: '08:45', minutes: 45 }),
  }),
  example({
    says: 'Minutes that are sent with another end count',
    given: rangeEntered,
    when: (given) => change(given, { endTime: '11:00', minutes: 100 }),
    gives: done({ endTime: '11:00', minutes: 100 }),
  }),
  example({
    says: 'An end that is sent as it is leaves the minutes as they were entered',
    given: async (world) => entered(world, await inRange(world), { startTime: '09:00', endTime: '10:30', minutes: 75 }),
    when: (given) => change(given, { endTime: '10:30' }),
    gives: done({ endTime: '10:30', minutes: 75 }),
  }),
  example({
    says: 'Times that are added make the minutes',
    given: async (world) => entered(world, await scene(world, byBoth), { minutes: 60 }),
    when: (given) => change(given, { startTime: '09:00', endTime: '10:30' }),
    gives: done({ startTime: '09:00', endTime: '10:30', minutes: 90 }),
  }),
  example({
    says: 'More minutes by a later end count against what the day has left',
    given: async (world) => {
      const found = await inRange(world);
      await entered(world, found, { startTime: '00:00', endTime: '22:00' });
      return entered(world, found, { startTime: '22:00', endTime: '23:00' });
    },
    when: (given) => change(given, { startTime: '20:00' }),
    gives: refused("'minutes' must be at most 120, what is left of the member's day"),
  }),
  example({
    says: 'Minutes that are taken away are not counted from the times again',
    given: rangeEntered,
    when: (given) => change(given, { minutes: null }),
    gives: refused("'minutes' is required"),
  }),
  example({
    says: 'Time without times needs its minutes',
    given: inRange,
    when: (given) => enter(given),
    gives: refused("'minutes' is required"),
  }),
  example({
    says: 'A start needs an end',
    given: inRange,
    when: (given) => enter(given, { startTime: '09:00', minutes: 60 }),
    gives: refused("'endTime' is required"),
  }),
  example({
    says: 'An end needs a start',
    given: inRange,
    when: (given) => enter(given, { endTime: '09:00', minutes: 60 }),
    gives: refused("'startTime' is required"),
  }),
  example({
    says: 'A start does not lose its end',
    given: rangeEntered,
    when: (given) => change(given, { endTime: null }),
    gives: refused("'endTime' is required"),
  }),
  example({
    says: 'Start and end may go together',
    given: rangeEntered,
    when: (given) => change(given, { startTime: null, endTime: null }),
    gives: done({ startTime: null, endTime: null, minutes: 90 }),
  }),
  example({
    says: 'Time does not end when it starts',
    given: inRange,
    when: (given) => enter(given, { startTime: '09:00', endTime: '09:00', minutes: 60 }),
    gives: refused("'endTime' must be after startTime"),
  }),
  example({
    says: 'Time does not end before it starts',
    given: inRange,
    when: (given) => enter(given, { startTime: '09:00', endTime: '08:59', minutes: 60 }),
    gives: refused("'endTime' must be after startTime"),
  }),
  example({
    says: 'Time does not move its start behind its end',
    given: rangeEntered,
    when: (given) => change(given, { startTime: '10:30' }),
    gives: refused("'endTime' must be after startTime"),
  }),
  example({
    says: 'Time may move its start up to the minute before its end',
    given: rangeEntered,
    when: (given) => change(given, { startTime: '10:29' }),
    gives: done({ startTime: '10:29', minutes: 1 }),
  }),
  example({
    says: 'Members who track time by start and end enter both',
    given: (world) => scene(world, byRange),
    when: (given) => enter(given, { minutes: undefined, startTime: '09:00', endTime: '10:00' }),
    gives: done({ startTime: '09:00', minutes: 60 }),
  }),
  example({
    says: 'Members who track time in both ways may enter minutes alone',
    given: (world) => scene(world, byBoth),
    when: (given) => enter(given),
    gives: done({ startTime: null, minutes: 60 }),
  }),
];

interface Barrier {
  /** Whose, and what has become of it. */
  readonly says: string;
  readonly given: (world: World) => Promise<{ readonly hour: object }>;
  /** What closes it. */
  readonly close: (given: never) => Asked;
  readonly error: string;
  /** Whether it closes what is there to every change; else to those of what it looks at alone. */
  readonly closesChanges?: boolean;
}

/** What closes time to a member: for what is entered, and some for what is changed, but for no decision on what is there. */
function barrier({ says, given, close, error, closesChanges = false }: Barrier): Case[] {
  const shut = async (world: World, found: unknown) => {
    const [method, path, body] = close(found as never);
    await world.send(method, path, body);
  };
  const existing = (statusId: string) => async (world: World) => {
    const found = await entered(world, await given(world), { statusId });
    await shut(world, found);
    return found;
  };
  return [
    example({
      says: `${says}, no time is entered`,
      given: async (world) => {
        const found = await given(world);
        await shut(world, found);
        return found;
      },
      when: (found) => enter(found),
      gives: refused(error),
    }),
    example({
      says: `${says}, the minutes of what is there are ${closesChanges ? 'not changed' : 'changed'}`,
      given: existing('not_submitted'),
      when: (found) => change(found, { minutes: 90 }),
      gives: closesChanges ? refused(error) : done({ minutes: 90 }),
    }),
    example({
      says: `${says}, time that waits for it is still approved`,
      given: existing('pending_approval'),
      when: (found) => change(found, { statusId: 'approved' }),
      gives: done({ statusId: 'approved', minutes: 60 }),
    }),
  ];
}

interface Ids {
  readonly memberId: string;
  readonly projectId: string;
  readonly assignmentId: string;
  readonly taskId: string;
  readonly one: Made;
  readonly two: Made;
}

const closing =
  (path: (ids: Ids) => string, body: object | ((ids: Ids) => object)) =>
  (ids: Ids): Asked => ['PATCH', path(ids), typeof body === 'function' ? body(ids) : body];
const toMember = (body: object) => closing(({ memberId }) => `/members/${memberId}`, body);
const toProject = (body: object) => closing(({ projectId }) => `/projects/${projectId}`, body);
const toAssignment = (body: object | ((ids: Ids) => object)) =>
  closing(({ assignmentId }) => `/project-members/${assignmentId}`, body);
const toTask = (body: object) => closing(({ taskId }) => `/tasks/${taskId}`, body);
const billedScene = async (world: World) => {
  const found = await scene(world);
  return { ...found, hour: { ...found.hour, isBillable: true } };
};

const barriers: readonly Case[] = [
  barrier({
    says: 'Of a member who is not active',
    given: scene,
    close: toMember({ isActive: false }),
    error: "'memberId' must be an active member",
  }),
  barrier({
    says: 'Before the first day of a member',
    given: scene,
    close: toMember({ activeStartDate: '2026-03-03' }),
    error: "'date' must be on or after the member's activeStartDate",
  }),
  barrier({
    says: 'After the last day of a member',
    given: scene,
    close: toMember({ activeEndDate: '2026-03-01' }),
    error: "'date' must be on or before the member's activeEndDate",
  }),
  barrier({
    says: 'Without times of a member who tracks time by start and end',
    given: scene,
    close: toMember({ trackTimeByDuration: false, trackTimeByTimeRange: true }),
    error: "'startTime' must be sent: the member tracks time by start and end",
  }),
  barrier({
    says: 'With times of a member who tracks time by duration',
    given: async (world) => {
      const found = await scene(world, byBoth);
      return { ...found, hour: { ...found.hour, startTime: '09:00', endTime: '10:30' } };
    },
    close: toMember({ trackTimeByTimeRange: false }),
    error: "'startTime' must be left out: the member tracks time by duration",
  }),
  barrier({
    says: 'On a project that is locked',
    given: scene,
    close: toProject({ lockTimeAndExpenses: true }),
    error: "'projectId' must be a project that is not locked for time and expenses",
    closesChanges: true,
  }),
  barrier({
    says: 'Of a member who works on the project no more',
    given: scene,
    close: toAssignment({ isActive: false }),
    error: "'memberId' must be an active member of the project",
  }),
  barrier({
    says: 'Without a role on a project that uses roles by now',
    given: scene,
    close: toProject({ useRoles: true }),
    error: "'projectRoleId' is required",
  }),
  barrier({
    says: 'In a role that is not active',
    given: (world) => roleScene(world, 1),
    close: closing(({ one }) => `/project-roles/${one.id}`, { isActive: false }),
    error: "'projectRoleId' must be an active role",
  }),
  barrier({
    says: 'In a role that is the member’s no more, where time is tracked to assigned roles',
    given: async (world) => {
      const found = await roleScene(world, 1, { project: { trackTimeToAssignedRoles: true } });
      return { ...found, hour: { ...found.hour, projectRoleId: found.one.id } };
    },
    close: toAssignment(({ two }) => ({ projectRoleIds: [two.id] })),
    error: "'projectRoleId' must be a role assigned to the member",
  }),
  barrier({
    says: 'Without a task on a project that asks for tasks',
    given: scene,
    close: toProject({ requiresTasks: true }),
    error: "'taskId' is required",
  }),
  barrier({
    says: 'On a task that is locked',
    given: taskScene,
    close: toTask({ lockTime: true }),
    error: "'taskId' must be a task that is not locked for time",
  }),
  barrier({
    says: 'Without notes on a project that asks for them',
    given: scene,
    close: toProject({ requiresNotes: true }),
    error: "'notes' is required",
  }),
  barrier({
    says: 'Without notes on a task that asks for them',
    given: taskScene,
    close: toTask({ requireNotes: true }),
    error: "'notes' is required",
  }),
  barrier({
    says: 'To be billed, of a member whose time on the project is not billed',
    given: billedScene,
    close: toAssignment({ isBillable: false }),
    error: "'isBillable' must be false unless project, project member, role and task are billable",
  }),
  barrier({
    says: 'To be billed, on a project that is not billed by now',
    given: billedScene,
    close: toProject({ billingTypeId: 'non_billable' }),
    error: "'isBillable' must be false unless project, project member, role and task are billable",
  }),
].flat();

export const timeEntries: readonly Case[] = [...times, ...barriers];
