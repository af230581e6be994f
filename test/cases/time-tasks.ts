// Time on tasks: which of them take it, and from whom.
import { type Case, done, example, refused, type World } from './case.ts';
import { change, enter, entered, roleScene, scene, taskScene } from './time-scene.ts';

/** An entry, and a task that it may move to. */
async function beside(world: World, task: object, project: object = {}) {
  const found = await entered(world, await taskScene(world, {}, { project }));
  return { ...found, other: await world.make('task', { projectId: found.projectId, ...task }) };
}

const rollup = async (world: World) => {
  const category = await world.make('task-category', { type: 'rollup' });
  return beside(world, { taskCategoryId: category.id });
};
const strange = async (world: World) => {
  const project = await world.make('project', { billingTypeId: 'tm', useRoles: false });
  return beside(world, { projectId: project.id });
};
const onto = (given: Awaited<ReturnType<typeof beside>>) => enter(given, { taskId: given.other.id });
const move = (given: Awaited<ReturnType<typeof beside>>) => change(given, { taskId: given.other.id });

const notActive = "'taskId' must be an active task that is not completed";
const closed = [{ statusId: 'completed' }, { recordStatusId: 'archived' }];

const tasks: readonly Case[] = [
  ...['not_started', 'in_progress'].map((statusId) =>
    example({
      says: `A task that is ${statusId} takes time`,
      given: (world) => taskScene(world, { statusId }),
      when: (given) => enter(given),
      gives: ({ taskId }) => done({ task: { id: taskId } }),
    }),
  ),
  ...closed.flatMap((state) => [
    example({
      says: `A task that is ${Object.values(state)} takes no time`,
      given: (world) => taskScene(world, state),
      when: (given) => enter(given),
      gives: refused(notActive),
    }),
    example({
      says: `Time does not move to a task that is ${Object.values(state)}`,
      given: (world) => beside(world, state),
      when: move,
      gives: refused(notActive),
    }),
    example({
      says: `Time on a task that has become ${Object.values(state)} may still change`,
      given: async (world) => {
        const found = await entered(world, await taskScene(world));
        await world.send('PATCH', `/tasks/${found.taskId}`, state);
        return found;
      },
      when: (given) => change(given, { minutes: 90, taskId: given.taskId }),
      gives: done({ minutes: 90 }),
    }),
  ]),
  example({
    says: 'Time may move to another task of the project',
    given: (world) => beside(world, {}),
    when: move,
    gives: ({ other }) => done({ task: { id: other.id } }),
  }),
  example({
    says: 'A task of another project takes no time of this one',
    given: strange,
    when: onto,
    gives: refused("'taskId' must be a task of the same project"),
  }),
  example({
    says: 'Time does not move to a task of another project',
    given: strange,
    when: move,
    gives: refused("'taskId' must be a task of the same project"),
  }),
  example({
    says: 'A task that sums up others takes no time itself',
    given: rollup,
    when: onto,
    gives: refused("'taskId' must be a standard task"),
  }),
  example({
    says: 'Time does not move to a task that sums up others',
    given: rollup,
    when: move,
    gives: refused("'taskId' must be a standard task"),
  }),
  example({
    says: 'Time does not move to a task that is locked',
    given: (world) => beside(world, { lockTime: true }),
    when: move,
    gives: refused("'taskId' must be a task that is not locked for time"),
  }),
  example({
    says: 'Time on a project that asks for tasks is on one',
    given: (world) => taskScene(world, {}, { project: { requiresTasks: true } }),
    when: (given) => enter(given),
    gives: ({ taskId }) => done({ task: { id: taskId } }),
  }),
  example({
    says: 'Time on a project that asks for tasks does not lose its task',
    given: (world) => beside(world, {}, { requiresTasks: true }),
    when: (given) => change(given, { taskId: null }),
    gives: refused("'taskId' is required"),
  }),
  example({
    says: 'Time on a project that asks for no tasks may lose its task',
    given: (world) => beside(world, {}),
    when: (given) => change(given, { taskId: null }),
    gives: done({ task: null }),
  }),
];

const notAssigned = "'taskId' must be a task that the member is assigned to";
const exclusive = { forAssignedOnly: true };

/** A member with the first of two roles, and a task for those who are assigned to it alone: `to` says who that is. */
async function reserved(
  world: World,
  to: 'member' | 'role one' | 'role two' | 'colleague' | 'nobody',
  task: object = exclusive,
) {
  const found = await roleScene(world, 1);
  const { projectId } = found;
  const colleague =
    to === 'colleague' ? [{ id: (await world.make('project-member', { projectId })).id, hours: 8 }] : [];
  const role =
    to === 'role one' ? [{ id: found.one.id, hours: 8 }] : to === 'role two' ? [{ id: found.two.id, hours: 8 }] : [];
  const { id: taskId } = await world.make('task', {
    projectId,
    ...task,
    projectMembers: to === 'member' ? [{ id: found.assignmentId, hours: 8 }] : colleague,
    projectRoles: role,
  });
  return { ...found, taskId, hour: { ...found.hour, projectRoleId: found.one.id, taskId } };
}

const assignments: readonly Case[] = [
  ...(['member', 'role one'] as const).map((to) =>
    example({
      says: `A task for those assigned takes the time of the ${to === 'member' ? 'member' : 'role'} who is`,
      given: (world) => reserved(world, to),
      when: (given) => enter(given),
      gives: ({ taskId }) => done({ task: { id: taskId } }),
    }),
  ),
  ...(['role two', 'colleague', 'nobody'] as const).map((to) =>
    example({
      says: `A task for those assigned takes no time of a member while ${to} is`,
      given: (world) => reserved(world, to),
      when: (given) => enter(given),
      gives: refused(notAssigned),
    }),
  ),
  example({
    says: 'A task that a colleague is assigned to takes time of everybody unless it is for those assigned alone',
    given: (world) => reserved(world, 'colleague', { forAssignedOnly: false }),
    when: (given) => enter(given),
    gives: ({ taskId }) => done({ task: { id: taskId } }),
  }),
  example({
    says: 'A task for those assigned may be reached by changing to a role that is',
    given: (world) => reserved(world, 'role two'),
    when: (given) => enter(given, { projectRoleId: given.two.id }),
    gives: ({ two }) => done({ projectRole: { id: two.id } }),
  }),
  example({
    says: 'Time does not move to a task for others',
    given: async (world) => {
      const found = await entered(world, await roleScene(world, 1));
      return { ...found, other: await world.make('task', { projectId: found.projectId, ...exclusive }) };
    },
    when: (given) => change(given, { taskId: given.other.id }),
    gives: refused(notAssigned),
  }),
  example({
    says: 'Time on a task for a role does not change to another role',
    given: async (world) => entered(world, await reserved(world, 'role one')),
    when: (given) => change(given, { projectRoleId: given.two.id }),
    gives: refused(notAssigned),
  }),
  example({
    says: 'Time of a member on a project without roles is on a task for that member',
    given: async (world) => {
      const found = await scene(world);
      const projectMembers = [{ id: found.assignmentId, hours: 8 }];
      const { id: taskId } = await world.make('task', { projectId: found.projectId, ...exclusive, projectMembers });
      return { ...found, hour: { ...found.hour, taskId } };
    },
    when: (given) => enter(given),
    gives: done({ projectRole: null }),
  }),
  example({
    says: 'Time that waits for it is approved on a task that has come to be for others',
    given: async (world) => {
      const found = await entered(world, await taskScene(world), { statusId: 'pending_approval' });
      await world.send('PATCH', `/tasks/${found.taskId}`, exclusive);
      return found;
    },
    when: (given) => change(given, { statusId: 'approved' }),
    gives: done({ statusId: 'approved' }),
  }),
];

export const timeOnTasks: readonly Case[] = [...tasks, ...assignments];
