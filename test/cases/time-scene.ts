// Members on projects, as cases about time need them.
import type { Asked, Made, World } from './case.ts';

/** A Monday. */
export const day = '2026-03-02';

interface Parts {
  readonly project?: object;
  readonly member?: object;
  readonly assigned?: object;
}

/** A member on a project without roles, and the body of an hour of theirs. */
export async function scene({ make }: World, { project, member, assigned }: Parts = {}) {
  const { id: memberId } = await make('member', { ...member });
  const { id: projectId } = await make('project', { billingTypeId: 'tm', useRoles: false, ...project });
  const { id: assignmentId } = await make('project-member', { projectId, memberId, ...assigned });
  return { memberId, projectId, assignmentId, hour: { date: day, minutes: 60, memberId, projectId } };
}

/** A member on a project with two roles, of which the member has the first `held`. */
export async function roleScene({ make }: World, held: number, { project, member, assigned }: Parts = {}) {
  const { id: memberId } = await make('member', { ...member });
  const { id: projectId } = await make('project', { billingTypeId: 'tm', useRoles: true, ...project });
  const [one, two] = [await make('project-role', { projectId }), await make('project-role', { projectId })];
  const projectRoleIds = [one.id, two.id].slice(0, held);
  const { id: assignmentId } = await make('project-member', { projectId, memberId, projectRoleIds, ...assigned });
  return { memberId, projectId, assignmentId, one, two, hour: { date: day, minutes: 60, memberId, projectId } };
}

/** The same with a task of the project, which the hour is on. */
export async function taskScene(world: World, task: object = {}, parts: Parts = {}) {
  const made = await scene(world, parts);
  const { id: taskId } = await world.make('task', { projectId: made.projectId, ...task });
  return { ...made, taskId, hour: { ...made.hour, taskId } };
}

interface WithHour {
  readonly hour: object;
}

export const enter = ({ hour }: WithHour, more: object = {}): Asked => ['POST', '/time-entries', { ...hour, ...more }];

/** The scene with an entry that is made of its hour. */
export async function entered<S extends WithHour>({ send }: World, found: S, more: object = {}) {
  return { ...found, entry: await send('POST', '/time-entries', { ...found.hour, ...more }) };
}

export const change = ({ entry }: { readonly entry: Made }, body: object): Asked => [
  'PATCH',
  `/time-entries/${entry.id}`,
  body,
];
