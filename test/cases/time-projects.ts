// Time on projects: whether it is billed, in which role it is, and on which task.
import { type Case, done, example, refused, type World } from './case.ts';
import { change, enter, entered, roleScene, scene, taskScene } from './time-scene.ts';

const notBilled = "'isBillable' must be false unless project, project member, role and task are billable";

/** A role of the member and a task, both billed as the project and the member on it, but for what is said. */
async function billedScene(world: World, { project, assigned, role, task }: Record<string, object>) {
  const found = await roleScene(world, 1, { assigned: { ...assigned } });
  if (role !== undefined) await world.send('PATCH', `/project-roles/${found.one.id}`, role);
  const { id: taskId } = await world.make('task', { projectId: found.projectId, ...task });
  // Last: what is made on a project that is not billed is not billed itself.
  if (project !== undefined) await world.send('PATCH', `/projects/${found.projectId}`, project);
  return { ...found, taskId, hour: { ...found.hour, projectRoleId: found.one.id, taskId } };
}

const unbilled = { isBillable: false };
const sides: readonly (readonly [string, Record<string, object>])[] = [
  ['a project that is not billed', { project: { billingTypeId: 'non_billable' } }],
  ['a project on which the member is not billed', { assigned: unbilled }],
  ['a role that is not billed', { role: unbilled }],
  ['a task that is not billed', { task: unbilled }],
];

const billing: readonly Case[] = [
  example({
    says: 'Time is billed where project, member, role and task are',
    given: (world) => billedScene(world, {}),
    when: (given) => enter(given),
    gives: done({ isBillable: true }),
  }),
  example({
    says: 'Time without role and task is billed where project and member are',
    given: scene,
    when: (given) => enter(given, { isBillable: null }),
    gives: done({ isBillable: true }),
  }),
  example({
    says: 'Time that could be billed may be left unbilled',
    given: (world) => billedScene(world, {}),
    when: (given) => enter(given, { isBillable: false }),
    gives: done({ isBillable: false }),
  }),
  ...sides.flatMap(([where, parts]) => [
    example({
      says: `Time on ${where} is not billed`,
      given: (world) => billedScene(world, parts),
      when: (given) => enter(given),
      gives: done({ isBillable: false }),
    }),
    example({
      says: `Time on ${where} cannot be entered as billed`,
      given: (world) => billedScene(world, parts),
      when: (given) => enter(given, { isBillable: true }),
      gives: refused(notBilled),
    }),
    example({
      says: `Time on ${where} cannot become billed`,
      given: async (world) => entered(world, await billedScene(world, parts)),
      when: (given) => change(given, { isBillable: true }),
      gives: refused(notBilled),
    }),
  ]),
  example({
    says: 'Time that is billed does not move to a task that is not',
    given: async (world) => {
      const found = await entered(world, await taskScene(world));
      const { id: other } = await world.make('task', { projectId: found.projectId, isBillable: false });
      return { ...found, other };
    },
    when: (given) => change(given, { taskId: given.other }),
    gives: refused(notBilled),
  }),
  example({
    says: 'Time that is not billed may become billed where everything is',
    given: async (world) => entered(world, await billedScene(world, {}), unbilled),
    when: (given) => change(given, { isBillable: true }),
    gives: done({ isBillable: true }),
  }),
];

/** An entry, and another project of the same member. */
async function elsewhere(world: World, project: object) {
  const found = await entered(world, await scene(world));
  const other = await world.make('project', { billingTypeId: 'tm', useRoles: false, ...project });
  await world.make('project-member', { projectId: other.id, memberId: found.memberId });
  return { ...found, other };
}

const noTime = "'projectId' must be an active project that takes time";
const closed: readonly object[] = [
  { statusId: 'tentative' },
  { statusId: 'completed' },
  { statusId: 'cancelled' },
  { recordStatusId: 'archived' },
];
const named = (state: object): string => Object.values(state).join();

const projects: readonly Case[] = [
  ...['not_started', 'in_progress', 'paused'].map((statusId) =>
    example({
      says: `A project that is ${statusId} takes time`,
      given: (world) => scene(world, { project: { statusId } }),
      when: (given) => enter(given),
      gives: ({ projectId }) => done({ project: { id: projectId }, typeId: 'project_time' }),
    }),
  ),
  ...closed.flatMap((state) => [
    example({
      says: `A project that is ${named(state)} takes no time`,
      given: (world) => scene(world, { project: state }),
      when: (given) => enter(given),
      gives: refused(noTime),
    }),
    example({
      says: `Time does not move to a project that is ${named(state)}`,
      given: (world) => elsewhere(world, state),
      when: (given) => change(given, { projectId: given.other.id }),
      gives: refused(noTime),
    }),
    example({
      says: `Time on a project that has become ${named(state)} may still change`,
      given: async (world) => {
        const found = await entered(world, await scene(world));
        await world.send('PATCH', `/projects/${found.projectId}`, state);
        return found;
      },
      when: (given) => change(given, { minutes: 90, projectId: given.projectId }),
      gives: done({ minutes: 90 }),
    }),
  ]),
  example({
    says: 'Time may move to another project of the member',
    given: (world) => elsewhere(world, {}),
    when: (given) => change(given, { projectId: given.other.id }),
    gives: ({ other }) => done({ project: { id: other.id } }),
  }),
  example({
    says: 'Time does not move to a project that is locked',
    given: (world) => elsewhere(world, { lockTimeAndExpenses: true }),
    when: (given) => change(given, { projectId: given.other.id }),
    gives: refused("'projectId' must be a project that is not locked for time and expenses"),
  }),
  example({
    says: 'Time on a locked project is submitted again when it is sent as it was',
    given: async (world) => {
      const found = await entered(world, await scene(world), { statusId: 'rejected' });
      await world.send('PATCH', `/projects/${found.projectId}`, { lockTimeAndExpenses: true });
      return found;
    },
    when: (given) => change(given, { ...given.hour, statusId: 'pending_approval' }),
    gives: done({ statusId: 'pending_approval', minutes: 60 }),
  }),
  example({
    says: 'Time on a locked project is not changed along with its submission',
    given: async (world) => {
      const found = await entered(world, await scene(world), { statusId: 'rejected' });
      await world.send('PATCH', `/projects/${found.projectId}`, { lockTimeAndExpenses: true });
      return found;
    },
    when: (given) => change(given, { minutes: 90, statusId: 'pending_approval' }),
    gives: refused("'projectId' must be a project that is not locked for time and expenses"),
  }),
  example({
    says: 'A member enters no time on a project of others',
    given: async (world) => {
      const found = await scene(world);
      const { id: memberId } = await world.make('member');
      return { ...found, hour: { ...found.hour, memberId } };
    },
    when: (given) => enter(given),
    gives: refused("'memberId' must be an active member of the project"),
  }),
  ...(
    [
      ['a project that asks for notes', { requiresNotes: true }, {}],
      ['a task that asks for notes', {}, { requireNotes: true }],
    ] as const
  ).map(([where, project, task]) =>
    example({
      says: `Time with notes is entered on ${where}`,
      given: (world) => taskScene(world, task, { project }),
      when: (given) => enter(given, { notes: 'Kick-off' }),
      gives: done({ notes: 'Kick-off' }),
    }),
  ),
  example({
    says: 'Time on a project that asks for notes does not lose them',
    given: async (world) =>
      entered(world, await scene(world, { project: { requiresNotes: true } }), { notes: 'Kick-off' }),
    when: (given) => change(given, { notes: ' ' }),
    gives: refused("'notes' is required"),
  }),
];

/** The scene with a role of another project. */
async function strangeRole(world: World) {
  const found = await roleScene(world, 1);
  const { id: projectId } = await world.make('project', { billingTypeId: 'tm', useRoles: true });
  return { ...found, strange: await world.make('project-role', { projectId }) };
}

const roles: readonly Case[] = [
  example({
    says: 'The only role of a member need not be sent',
    given: (world) => roleScene(world, 1),
    when: (given) => enter(given),
    gives: ({ one }) => done({ projectRole: { id: one.id } }),
  }),
  example({
    says: 'A role that is sent goes before the only one of the member',
    given: (world) => roleScene(world, 1),
    when: (given) => enter(given, { projectRoleId: given.two.id }),
    gives: ({ two }) => done({ projectRole: { id: two.id } }),
  }),
  example({
    says: 'Of two roles of a member one must be sent',
    given: (world) => roleScene(world, 2),
    when: (given) => enter(given),
    gives: refused("'projectRoleId' is required"),
  }),
  example({
    says: 'A member without a role must send one',
    given: (world) => roleScene(world, 0),
    when: (given) => enter(given),
    gives: refused("'projectRoleId' is required"),
  }),
  example({
    says: 'Time that is sent without a role has none, and needs one',
    given: (world) => roleScene(world, 1),
    when: (given) => enter(given, { projectRoleId: null }),
    gives: refused("'projectRoleId' is required"),
  }),
  example({
    says: 'Time does not lose its role on a project that uses roles',
    given: async (world) => entered(world, await roleScene(world, 1)),
    when: (given) => change(given, { projectRoleId: null }),
    gives: refused("'projectRoleId' is required"),
  }),
  example({
    says: 'A project that uses no roles takes no time in one',
    given: async (world) => {
      const found = await roleScene(world, 1);
      await world.send('PATCH', `/projects/${found.projectId}`, { useRoles: false });
      return found;
    },
    when: (given) => enter(given, { projectRoleId: given.one.id }),
    gives: refused("'projectRoleId' is not allowed"),
  }),
  example({
    says: 'Time loses its role with the first change once the project uses no roles',
    given: async (world) => {
      const found = await entered(world, await roleScene(world, 1));
      await world.send('PATCH', `/projects/${found.projectId}`, { useRoles: false });
      return found;
    },
    when: (given) => change(given, { minutes: 90 }),
    gives: done({ minutes: 90, projectRole: null }),
  }),
  example({
    says: 'Time is not entered in a role of another project',
    given: strangeRole,
    when: (given) => enter(given, { projectRoleId: given.strange.id }),
    gives: refused("'projectRoleId' must be a role of the same project"),
  }),
  example({
    says: 'Time does not change to a role of another project',
    given: async (world) => entered(world, await strangeRole(world)),
    when: (given) => change(given, { projectRoleId: given.strange.id }),
    gives: refused("'projectRoleId' must be a role of the same project"),
  }),
  example({
    says: 'Time may change to another role of the project, assigned or not',
    given: async (world) => entered(world, await roleScene(world, 1)),
    when: (given) => change(given, { projectRoleId: given.two.id }),
    gives: ({ two }) => done({ projectRole: { id: two.id } }),
  }),
  example({
    says: 'Where time is tracked to assigned roles it may change to one of them',
    given: async (world) => {
      const found = await roleScene(world, 2, { project: { trackTimeToAssignedRoles: true } });
      return entered(world, found, { projectRoleId: found.one.id });
    },
    when: (given) => change(given, { projectRoleId: given.two.id }),
    gives: ({ two }) => done({ projectRole: { id: two.id } }),
  }),
  example({
    says: 'Where time is tracked to assigned roles it does not change to another',
    given: async (world) => entered(world, await roleScene(world, 1, { project: { trackTimeToAssignedRoles: true } })),
    when: (given) => change(given, { projectRoleId: given.two.id }),
    gives: refused("'projectRoleId' must be a role assigned to the member"),
  }),
];

export const timeOnProjects: readonly Case[] = [...billing, ...projects, ...roles];
