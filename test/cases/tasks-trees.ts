// What tasks are to each other, to the kinds of task, and to those who work on them.
import { type Asked, type Case, done, type Expected, example, type Made, refused, type World } from './case.ts';

const path = '/tasks';
const at = ({ id }: { readonly id: string }) => `${path}/${id}`;

/** A project with the two kinds of task. */
async function ground(world: World) {
  const kind = async (type: string) => (await world.make('task-category', { type })).id;
  const projectId = (await world.make('project')).id;
  const [phase, work] = [await kind('rollup'), await kind('standard')];
  const add = (taskCategoryId: string, parentId?: string) =>
    world.send('POST', path, {
      projectId,
      name: 'Step',
      taskCategoryId,
      ...(parentId === undefined ? {} : { parentId }),
    });
  return { world, projectId, phase, work, add, kind };
}
type Ground = Awaited<ReturnType<typeof ground>>;
/** `count` phases, each below the one before. */
async function line({ add, phase }: Ground, count: number): Promise<Made[]> {
  const tasks: Made[] = [];
  for (let place = 0; place < count; place += 1) tasks.push(await add(phase, tasks.at(-1)?.id));
  return tasks;
}
const body = (scene: Ground, parent: Made | undefined, taskCategoryId = scene.work) => ({
  ...{ projectId: scene.projectId, name: 'Step', taskCategoryId, parentId: parent?.id },
});

const otherProject = refused("'parentId' must be a task of the same project");
const noRollup = refused("'parentId' must be a rollup task");
const parents: readonly Case[] = [
  example({
    says: 'A task can stand below a phase of its project',
    given: async (world: World) => {
      const scene = await ground(world);
      return { scene, parent: await scene.add(scene.phase) };
    },
    when: ({ scene, parent }) => ['POST', path, body(scene, parent)],
    gives: ({ parent }) => done({ parent: { id: parent.id } }),
  }),
  example({
    says: 'A task does not begin below a phase of another project',
    given: async (world: World) => {
      const [scene, other] = [await ground(world), await ground(world)];
      return { scene, parent: await other.add(other.phase) };
    },
    when: ({ scene, parent }) => ['POST', path, body(scene, parent)],
    gives: otherProject,
  }),
  example({
    says: 'A task does not move below a phase of another project',
    given: async (world: World) => {
      const [scene, other] = [await ground(world), await ground(world)];
      return { one: await scene.add(scene.work), parent: await other.add(other.phase) };
    },
    when: ({ one, parent }) => ['PATCH', at(one), { parentId: parent.id }],
    gives: otherProject,
  }),
  example({
    says: 'A task does not begin below another task that is no phase',
    given: async (world: World) => {
      const scene = await ground(world);
      return { scene, parent: await scene.add(scene.work) };
    },
    when: ({ scene, parent }) => ['POST', path, body(scene, parent)],
    gives: noRollup,
  }),
  example({
    says: 'A task does not move below another task that is no phase',
    given: async (world: World) => {
      const scene = await ground(world);
      return { one: await scene.add(scene.work), parent: await scene.add(scene.work) };
    },
    when: ({ one, parent }) => ['PATCH', at(one), { parentId: parent.id }],
    gives: noRollup,
  }),
  example({
    says: 'A task that is no phase is told that alone when it is put below itself',
    given: async (world: World) => {
      const scene = await ground(world);
      return scene.add(scene.work);
    },
    when: (one) => ['PATCH', at(one), { parentId: one.id }],
    gives: noRollup,
  }),
  example({
    says: 'A task can leave its phase',
    given: async (world: World) => {
      const scene = await ground(world);
      return scene.add(scene.work, (await scene.add(scene.phase)).id);
    },
    when: (one) => ['PATCH', at(one), { parentId: null }],
    gives: done({ parent: null }),
  }),
];

const loop = "'parentId' must be another Task, and not lead back to this one";
const deep = "'parentId' must be a Task with at most 5 levels";
/** Of so many phases below each other, one moves below another one. */
const circle = (says: string, count: number, [from, to]: readonly [number, number], gives: Expected) =>
  example({
    says,
    given: async (world: World) => line(await ground(world), count),
    when: (tasks) => ['PATCH', at(tasks[from] as Made), { parentId: (tasks[to] as Made).id }],
    gives,
  });
/** Of so many phases below each other the first moves below the last of so many others. */
const joined = (says: string, own: number, others: number, gives: Expected) =>
  example({
    says,
    given: async (world: World) => {
      const scene = await ground(world);
      return { own: await line(scene, own), others: await line(scene, others) };
    },
    when: ({ own, others: above }) => ['PATCH', at(own[0] as Made), { parentId: (above.at(-1) as Made).id }],
    gives,
  });
/** A new task below so many phases. */
const level = (says: string, count: number, gives: Expected) =>
  example({
    says,
    given: async (world: World) => {
      const scene = await ground(world);
      return { scene, tasks: await line(scene, count) };
    },
    when: ({ scene, tasks }) => ['POST', path, body(scene, tasks.at(-1))],
    gives,
  });
const levels: readonly Case[] = [
  circle('A phase does not stand below itself', 1, [0, 0], refused(loop)),
  circle('Two phases do not stand below each other', 2, [0, 1], refused(loop)),
  circle('A phase does not stand below one that stands below it', 3, [0, 2], refused(loop)),
  circle('A phase can move up to one that it stands below', 3, [2, 0], done()),
  level('A task can stand on the fifth level', 4, done()),
  level('No task stands on a sixth level', 5, refused(deep)),
  joined('A phase can move with what is below it as far as the fifth level', 2, 3, done()),
  joined('A phase does not move where what is below it would be on a sixth level', 3, 3, refused(deep)),
  joined('A phase alone can move to the fifth level', 1, 4, done()),
  joined('A phase alone does not move to a sixth level', 1, 5, refused(deep)),
  joined('Five levels do not move below another phase', 5, 1, refused(deep)),
  example({
    says: 'The deepest of several branches counts',
    given: async (world: World) => {
      const scene = await ground(world);
      const [top, target] = [await scene.add(scene.phase), await line(scene, 3)];
      await scene.add(scene.work, top.id);
      const branch = await scene.add(scene.phase, top.id);
      await scene.add(scene.work, branch.id);
      await scene.add(scene.work, top.id);
      return { top, target };
    },
    when: ({ top, target }) => ['PATCH', at(top), { parentId: target[2]?.id }],
    gives: refused(deep),
  }),
];

const sameType = refused("'taskCategoryId' must be of the same type while the task has tasks or time entries");
/** A task of one kind, which something makes use of, is to be of another one. */
const turned = (
  says: string,
  [from, to]: readonly ['phase' | 'work', 'rollup' | 'standard'],
  use: (scene: Ground, one: Made) => Promise<unknown>,
  gives: Expected,
) =>
  example({
    says,
    given: async (world: World) => {
      const scene = await ground(world);
      const one = await scene.add(scene[from]);
      await use(scene, one);
      return { one, taskCategoryId: await scene.kind(to) };
    },
    when: ({ one, taskCategoryId }) => ['PATCH', at(one), { taskCategoryId }],
    gives,
  });
const below = (scene: Ground, one: Made) => scene.add(scene.work, one.id);
const time = async ({ world, projectId }: Ground, one: Made) =>
  world.make('time-entry', {
    ...{ projectId, taskId: one.id, projectRoleId: (await world.make('project-role', { projectId })).id },
  });
const nothing = async () => undefined;
const kinds: readonly Case[] = [
  turned('A phase that has tasks stays a phase', ['phase', 'standard'], below, sameType),
  turned('A task that has time stays a task', ['work', 'rollup'], time, sameType),
  turned('A phase that has tasks can be one of another category', ['phase', 'rollup'], below, done()),
  turned('A task that has time can be one of another category', ['work', 'standard'], time, done()),
  turned(
    'An empty phase can become a task',
    ['phase', 'standard'],
    nothing,
    done({ taskCategory: { type: 'standard' } }),
  ),
  turned(
    'A task without time can become a phase',
    ['work', 'rollup'],
    nothing,
    done({ taskCategory: { type: 'rollup' } }),
  ),
];

const own = { budgetedHours: 10.5, budgetedServicesRevenue: 1200.25 };
const budgeted = (says: string, kind: 'phase' | 'work', sent: object, gives: Expected) => [
  example({
    says,
    given: ground,
    when: (scene) => ['POST', path, { ...body(scene, undefined, scene[kind]), ...sent }],
    gives,
  }),
  example({
    says: `${says} (later)`,
    given: async (world: World) => {
      const scene = await ground(world);
      return scene.add(scene[kind]);
    },
    when: (one) => ['PATCH', at(one), sent],
    gives,
  }),
];
const budgets: readonly Case[] = [
  ...budgeted('A task has a budget of its own', 'work', own, done(own)),
  ...budgeted(
    'A phase has no hours of its own',
    'phase',
    { budgetedHours: 1 },
    refused("'budgetedHours' is not allowed"),
  ),
  ...budgeted(
    'A phase has no revenue of its own',
    'phase',
    { budgetedServicesRevenue: 0 },
    refused("'budgetedServicesRevenue' is not allowed"),
  ),
  ...budgeted('That a phase has no hours may be said', 'phase', { budgetedHours: null }, done({ budgetedHours: null })),
  example({
    says: 'A task that becomes a phase gives up its own budget for that of the tasks below, which are none',
    given: async (world: World) => {
      const scene = await ground(world);
      const one = await scene.add(scene.work);
      await world.send('PATCH', at(one), own);
      return { one, phase: scene.phase };
    },
    when: ({ one, phase }) => ['PATCH', at(one), { taskCategoryId: phase }],
    gives: done({ budgetedHours: null, budgetedServicesRevenue: null }),
  }),
];

const rolled = { budgetedHours: 15.75, budgetedServicesRevenue: 1200.25 };
/** A phase with two tasks below it, one of them below a phase of its own; and an empty phase. */
async function tree(world: World) {
  const scene = await ground(world);
  const [top, empty] = [await scene.add(scene.phase), await scene.add(scene.phase)];
  const inner = await scene.add(scene.phase, top.id);
  const [near, far] = [await scene.add(scene.work, top.id), await scene.add(scene.work, inner.id)];
  await world.send('PATCH', at(near), { budgetedHours: 5.25 });
  await world.send('PATCH', at(far), own);
  return { world, scene, top, empty, inner, near, far };
}
type Tree = Awaited<ReturnType<typeof tree>>;
const figures = (hours: number | null, revenue: number | null) => ({
  budgetedHours: hours,
  budgetedServicesRevenue: revenue,
});
/** What one request makes of the sums of a tree. */
const summed = (
  says: string,
  when: (scene: Tree) => Asked,
  { top, inner, empty = figures(null, null) }: { top: object; inner: object; empty?: object },
) =>
  example({
    says,
    given: tree,
    when,
    gives: done(),
    also: (scene) => [
      [at(scene.top), top],
      [at(scene.inner), inner],
      [at(scene.empty), empty],
    ],
  });
const untouched = { inner: figures(10.5, 1200.25) };
const sums: readonly Case[] = [
  // 5.25 + 10.5 hours; one of the two tasks has a revenue.
  summed('A phase has the hours and the revenue of all tasks below it', ({ top }) => ['GET', at(top)], {
    ...{ top: rolled, inner: own },
  }),
  // 5.25 + 8
  summed('Other hours of a task go up to all phases above', ({ far }) => ['PATCH', at(far), { budgetedHours: 8 }], {
    ...{ top: figures(13.25, 1200.25), inner: figures(8, 1200.25) },
  }),
  // 1200.25 + 99.75
  summed(
    'Revenue that a task gets adds to its phase, and to no phase below',
    ({ near }) => ['PATCH', at(near), { budgetedServicesRevenue: 99.75 }],
    { top: figures(15.75, 1300), ...untouched },
  ),
  summed('A sum of 0 is not none', ({ far }) => ['PATCH', at(far), figures(0, 0)], {
    ...{ top: figures(5.25, 0), inner: figures(0, 0) },
  }),
  summed('A phase has no sum while no task below has a value', ({ far }) => ['PATCH', at(far), figures(null, null)], {
    ...{ top: figures(5.25, null), inner: figures(null, null) },
  }),
  // 5.25 + 10.5 + 1
  summed(
    'A new task adds to its phase',
    ({ scene, top }) => ['POST', path, { ...body(scene, top), budgetedHours: 1 }],
    { top: figures(16.75, 1200.25), ...untouched },
  ),
  summed('A task that goes takes its hours along', ({ near }) => ['DELETE', at(near)], {
    ...{ top: figures(10.5, 1200.25), ...untouched },
  }),
  summed(
    'A task that moves takes its hours along to the other phase',
    ({ far, empty }) => ['PATCH', at(far), { parentId: empty.id }],
    { top: figures(5.25, null), inner: figures(null, null), empty: figures(10.5, 1200.25) },
  ),
  summed(
    'A phase that moves takes along what is below it',
    ({ inner, empty }) => ['PATCH', at(inner), { parentId: empty.id }],
    { top: figures(5.25, null), inner: figures(10.5, 1200.25), empty: figures(10.5, 1200.25) },
  ),
  summed('A task that leaves its phase stands for itself', ({ near }) => ['PATCH', at(near), { parentId: null }], {
    top: figures(10.5, 1200.25),
    ...untouched,
  }),
  summed(
    'An empty phase that becomes a task with hours adds them nowhere else',
    ({ scene, empty }) => ['PATCH', at(empty), { taskCategoryId: scene.work, budgetedHours: 3 }],
    { top: rolled, ...untouched, empty: figures(3, null) },
  ),
  summed('Other words of a task change no sum', ({ far }) => ['PATCH', at(far), { notes: 'Later' }], {
    ...{ top: rolled, ...untouched },
  }),
  example({
    says: 'A phase that goes takes its tasks along, and their hours off the phase above',
    given: tree,
    when: ({ inner }) => ['DELETE', at(inner)],
    gives: done(),
    also: ({ scene, top }) => [
      [at(top), figures(5.25, null)],
      [`${path}?projectId=${scene.projectId}&startingAfter=${top.id}`, { results: [] }],
    ],
  }),
  example({
    says: 'More hours than a phase can hold are refused',
    given: tree,
    when: ({ near }) => ['PATCH', at(near), { budgetedHours: 9_999_999.99 }],
    gives: refused("'budgetedHours' must be a number with at most 9 digits"),
  }),
  example({
    says: 'The hours of a phase with tasks are not typed in',
    given: tree,
    when: ({ top }) => ['PATCH', at(top), { budgetedHours: 20, budgetedServicesRevenue: 1200.25 }],
    gives: refused("'budgetedHours' is not allowed", "'budgetedServicesRevenue' is not allowed"),
  }),
  example({
    says: 'A task whose hours are capped needs hours',
    given: ground,
    when: (scene) => ['POST', path, { ...body(scene, undefined), capHours: true }],
    gives: refused("'budgetedHours' is required"),
  }),
  example({
    says: 'A task whose hours are capped does not lose them',
    given: async (world: World) => {
      const scene = await ground(world);
      return world.send('POST', path, { ...body(scene, undefined), capHours: true, budgetedHours: 4 });
    },
    when: (one) => ['PATCH', at(one), { budgetedHours: null }],
    gives: refused("'budgetedHours' is required"),
  }),
  example({
    says: 'The hours of a task are not capped while it has none',
    given: async (world: World) => {
      const scene = await ground(world);
      return scene.add(scene.work);
    },
    when: (one) => ['PATCH', at(one), { capHours: true }],
    gives: refused("'budgetedHours' is required"),
  }),
  example({
    says: 'The hours of a phase are capped by what is below it, if anything',
    given: tree,
    when: ({ empty }) => ['PATCH', at(empty), { capHours: true }],
    gives: done({ capHours: true, budgetedHours: null }),
  }),
];

/** Two who work on a project, and one on another, as `list` of a task names them. */
const staff = (list: 'projectRoles' | 'projectMembers', group: string, words: string): Case[] => {
  const scene = async (world: World) => {
    const [here, there] = [await ground(world), await ground(world)];
    const make = (projectId: string) => world.make(group, { projectId });
    const [first, second, foreign] = [
      await make(here.projectId),
      await make(here.projectId),
      await make(there.projectId),
    ];
    return { here, first, second, foreign, one: await here.add(here.work) };
  };
  const item = ({ id }: Made, hours?: number) => ({ id, ...(hours === undefined ? {} : { hours }) });
  const strange = (place: number) => refused(`'${list}[${place}].id' must be of the same project`);
  return [
    example({
      says: `Several ${words} of the project can work on a task`,
      given: scene,
      when: ({ here, first, second }) => [
        'POST',
        path,
        { ...body(here, undefined), [list]: [item(second, 2.5), item(first)] },
      ],
      gives: ({ first, second }) => done({ [list]: [item(second, 2.5), { id: first.id, hours: null }] }),
    }),
    example({
      says: `No ${words} of another project work on a task`,
      given: scene,
      when: ({ here, first, foreign }) => [
        'POST',
        path,
        { ...body(here, undefined), [list]: [item(first), item(foreign)] },
      ],
      gives: strange(1),
    }),
    example({
      says: `No ${words} of another project come to work on a task`,
      given: scene,
      when: ({ one, first, foreign }) => ['PATCH', at(one), { [list]: [item(foreign, 1), item(first)] }],
      gives: strange(0),
    }),
    example({
      says: `Other ${words} of the project can come to work on a task`,
      given: scene,
      when: ({ one, first }) => ['PATCH', at(one), { [list]: [item(first, 0)] }],
      gives: ({ first }) => done({ [list]: [item(first, 0)] }),
    }),
  ];
};

export const taskTrees: readonly Case[] = [
  ...[...parents, ...levels, ...kinds, ...budgets, ...sums],
  ...[...staff('projectRoles', 'project-role', 'roles'), ...staff('projectMembers', 'project-member', 'members')],
];
