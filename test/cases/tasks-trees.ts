// What tasks are to each other, to the kinds of task, and to those who work on them.
import { type Case, done, type Expected, example, type Made, refused, type World } from './case.ts';

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
    says: 'A task that becomes a phase gives up its budget',
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
  ...[...parents, ...levels, ...kinds, ...budgets],
  ...[...staff('projectRoles', 'project-role', 'roles'), ...staff('projectMembers', 'project-member', 'members')],
];
