// What the role, the task and the billing of planned work depend on.
import { type Case, done, type Expected, example, type Made, refused, type World } from './case.ts';

const path = '/allocations';
const at = ({ id }: { readonly id: string }) => `${path}/${id}`;
const day = { start: '2026-03-02', end: '2026-03-06', unit: 'day', hoursPerDay: 4 };
type Values = Readonly<Record<string, unknown>>;

/** Who and what work can be planned with: each of them can be said not to be billed. */
interface Parts {
  readonly project?: Values;
  readonly member?: Values;
  readonly role?: Values;
  readonly task?: Values;
  readonly placeholder?: Values;
}
async function scene({ make }: World, { project, member, role, task, placeholder }: Parts) {
  const projectId = (await make('project', project)).id;
  const ids: Record<string, string> = { projectId };
  if (placeholder === undefined) ids['memberId'] = (await make('member', member)).id;
  else ids['resourcePlaceholderId'] = (await make('resource-placeholder', placeholder)).id;
  if (role !== undefined) ids['projectRoleId'] = (await make('project-role', { projectId, ...role })).id;
  if (task !== undefined) ids['taskId'] = (await make('task', { projectId, ...task })).id;
  return {
    ...{ resourceTypeId: placeholder === undefined ? 'member' : 'placeholder', assignmentTypeId: 'project' },
    ...{ ...day, ...ids },
  };
}
const planned = (says: string, parts: Parts, isBillable: boolean) => [
  example({
    says,
    given: (world: World) => scene(world, parts),
    when: (sent) => ['POST', path, sent],
    gives: done({ isBillable }),
  }),
];
const no = { isBillable: false };
const yes = { isBillable: true };
const internal = { billingTypeId: 'non_billable' };
const billing: readonly Case[] = [
  ...planned('Planned work is billed where project and member are', {}, true),
  ...planned('Planned work is billed where role and task are as well', { role: yes, task: yes }, true),
  ...planned('Planned work of a project that is not billed is not', { project: internal }, false),
  ...planned('Planned work of a member who is not billed is not', { member: no }, false),
  ...planned('Planned work in a role that is not billed is not', { role: no, task: yes }, false),
  ...planned('Planned work on a task that is not billed is not', { role: yes, task: no }, false),
  ...planned('Planned work of a placeholder is billed where that is', { placeholder: yes, role: yes, task: yes }, true),
  ...planned('Planned work of a placeholder that is not billed is not', { placeholder: no }, false),
  example({
    says: 'Whether work is billed follows the member who takes it over',
    given: async (world: World) => ({
      one: await world.send('POST', path, await scene(world, {})),
      other: await world.make('member', no),
    }),
    when: ({ one, other }) => ['PATCH', at(one), { memberId: other.id }],
    gives: done(no),
  }),
  example({
    says: 'Whether work is billed is seen anew with each change of it',
    given: async (world: World) => {
      const sent: Values = await scene(world, { member: no });
      const one = await world.send('POST', path, sent);
      await world.send('PATCH', `/members/${String(sent['memberId'])}`, yes);
      return one;
    },
    when: (one) => ['PATCH', at(one), { notes: 'Now billed' }],
    gives: done(yes),
  }),
  example({
    says: 'Work that becomes time off is not billed',
    given: async (world: World) => ({
      one: await world.send('POST', path, await scene(world, {})),
      type: await world.make('time-off-type'),
    }),
    when: ({ one, type }) => [
      'PATCH',
      at(one),
      { assignmentTypeId: 'time_off', projectId: null, timeOffTypeId: type.id },
    ],
    gives: done({ ...no, project: null, assignmentTypeId: 'time_off' }),
  }),
];

/** Planned work, and something else that belongs to another project, or is of another kind. */
const other = async (world: World, group: string, of: 'same' | 'other', values: Values = {}) => {
  const sent: Values = await scene(world, {});
  const projectId = of === 'same' ? sent['projectId'] : (await world.make('project')).id;
  return { sent, other: await world.make(group, { projectId, ...values }) };
};
const linking = (
  says: string,
  key: 'projectRoleId' | 'taskId',
  make: (world: World) => Promise<{ sent: Values; other: Made }>,
  gives: Expected,
) => [
  example({
    says,
    given: make,
    when: (given) => ['POST', path, { ...given.sent, [key]: given.other.id }],
    gives,
  }),
  example({
    says: `${says} (later)`,
    given: async (world: World) => {
      const given = await make(world);
      return { ...given, one: await world.send('POST', path, given.sent) };
    },
    when: (given) => ['PATCH', at(given.one), { [key]: given.other.id }],
    gives,
  }),
];
const phase = async (world: World) => {
  const { id } = await world.make('task-category', { type: 'rollup' });
  return other(world, 'task', 'same', { taskCategoryId: id });
};
const links: readonly Case[] = [
  ...linking(
    'Work is planned in a role of the project',
    'projectRoleId',
    (world) => other(world, 'project-role', 'same'),
    done(),
  ),
  ...linking(
    'Work is not planned in a role of another project',
    'projectRoleId',
    (world) => other(world, 'project-role', 'other'),
    refused("'projectRoleId' must be a role of the same project"),
  ),
  ...linking('Work is planned on a task of the project', 'taskId', (world) => other(world, 'task', 'same'), done()),
  ...linking(
    'Work is not planned on a task of another project',
    'taskId',
    (world) => other(world, 'task', 'other'),
    refused("'taskId' must be a task of the same project"),
  ),
  ...linking('Work is not planned on a phase', 'taskId', phase, refused("'taskId' must be a standard task")),
  example({
    says: 'Work does not keep role and task when it moves to another project',
    given: async (world: World) => ({
      one: await world.send('POST', path, await scene(world, { role: yes, task: yes })),
      project: await world.make('project'),
    }),
    when: ({ one, project }) => ['PATCH', at(one), { projectId: project.id }],
    gives: refused("'projectRoleId' must be a role of the same project", "'taskId' must be a task of the same project"),
  }),
  example({
    says: 'Work moves to another project without role and task',
    given: async (world: World) => ({
      one: await world.send('POST', path, await scene(world, { role: yes, task: yes })),
      project: await world.make('project'),
    }),
    when: ({ one, project }) => ['PATCH', at(one), { projectId: project.id, projectRoleId: null, taskId: null }],
    gives: ({ project }) => done({ project: { id: project.id }, projectRole: null, task: null }),
  }),
];

/** Work in a role, of a project that has given up its roles then. */
const withoutRoles = async (world: World) => {
  const sent: Values = await scene(world, { role: yes });
  const one = await world.send('POST', path, sent);
  await world.send('PATCH', `/projects/${String(sent['projectId'])}`, { useRoles: false });
  return { sent, one };
};
const noRole = refused("'projectRoleId' is not allowed");
const roles: readonly Case[] = [
  example({
    says: 'On a project without roles no work is planned in one',
    given: withoutRoles,
    when: ({ sent }) => ['POST', path, sent],
    gives: noRole,
  }),
  example({
    says: 'On a project without roles work is planned without one',
    given: withoutRoles,
    when: ({ sent }) => ['POST', path, { ...sent, projectRoleId: null }],
    gives: done({ projectRole: null }),
  }),
  example({
    says: 'On a project without roles planned work gets none',
    given: withoutRoles,
    when: ({ sent, one }) => ['PATCH', at(one), { projectRoleId: sent['projectRoleId'] }],
    gives: noRole,
  }),
  example({
    says: 'The role of planned work goes with the next change once the project has none',
    given: withoutRoles,
    when: ({ one }) => ['PATCH', at(one), { notes: 'Next week' }],
    gives: done({ projectRole: null, notes: 'Next week' }),
  }),
];

export const staffingRules: readonly Case[] = [...billing, ...links, ...roles];
