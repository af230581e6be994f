import { type Case, conflict, done, type Expected, example, type Made, refused, type World } from './case.ts';
import { onAnotherDay, todayOf } from './days.ts';
import { oneDefault } from './one-default.ts';
import { taskTrees } from './tasks-trees.ts';

const path = '/tasks';
const at = ({ id }: { readonly id: string }) => `${path}/${id}`;
const categories = '/task-categories';
const category = ({ send, unique }: World, type: string, values: object = {}) =>
  send('POST', categories, { name: `Kind ${unique}`, type, ...values });
const internal = { billingTypeId: 'non_billable' };
const task = async ({ make, send }: World, values: object = {}, of: Readonly<Record<string, unknown>> = {}) =>
  send('POST', path, { projectId: (await make('project', of)).id, name: 'Kick-off', ...values });

/** A new task of a project that is so. */
const adding = (says: string, of: Readonly<Record<string, unknown>>, sent: object, gives: Expected) =>
  example({
    says,
    given: ({ make }: World) => make('project', of),
    when: ({ id }) => ['POST', path, { projectId: id, name: 'Kick-off', ...sent }],
    gives,
  });
const changing = (says: string, values: object, sent: object, gives: Expected) =>
  example({ says, given: (world: World) => task(world, values), when: (one) => ['PATCH', at(one), sent], gives });

const backwards = refused("'end' must be on or after start");
const march = { start: '2026-03-02', end: '2026-03-31' };
const days: readonly Case[] = [
  adding(
    'A task may end on the day on which it starts',
    {},
    { start: '2026-03-02', end: '2026-03-02' },
    done({ start: '2026-03-02', end: '2026-03-02' }),
  ),
  adding('A task does not end before it starts', {}, { start: '2026-03-02', end: '2026-03-01' }, backwards),
  adding('A task may have a start alone', {}, { start: '2026-03-02' }, done({ start: '2026-03-02', end: null })),
  changing('The end of a task does not move before its start', march, { end: '2026-03-01' }, backwards),
  changing('The start of a task does not move behind its end', march, { start: '2026-04-01' }, backwards),
];

const notBilled = refused("'isBillable' must be false on a project that is not billable");
const billing: readonly Case[] = [
  adding('A task is billed as its project is', {}, {}, done({ isBillable: true })),
  adding('A task of a project that is not billed is not billed', internal, {}, done({ isBillable: false })),
  adding('A task need not be billed', {}, { isBillable: false }, done({ isBillable: false })),
  adding('No task is billed on a project that is not', internal, { isBillable: true }, notBilled),
  example({
    says: 'No task comes to be billed on a project that is not',
    given: (world: World) => task(world, {}, internal),
    when: (one) => ['PATCH', at(one), { isBillable: true }],
    gives: notBilled,
  }),
  example({
    says: 'The name of a billed task is changed once its project is not billed',
    given: async (world: World) => {
      const one = await task(world);
      await world.send('PATCH', `/projects/${(one['project'] as Made).id}`, internal);
      return one;
    },
    when: (one) => ['PATCH', at(one), { name: 'Close-down' }],
    gives: done({ name: 'Close-down' }),
  }),
];

/** A project, and a template that is so beside a tag. */
const templated = async (world: World, values: object, of: Readonly<Record<string, unknown>>) => {
  const [kind, tag] = [await category(world, 'standard'), await world.make('task-tag')];
  const template = await world.send('POST', '/task-templates', {
    ...{ name: `Template ${world.unique}`, taskCategoryId: kind.id, tagIds: [tag.id] },
    ...values,
  });
  return { one: await world.make('project', of), template, kind, tag };
};
type Templated = Awaited<ReturnType<typeof templated>>;
const copying = (
  says: string,
  { values = {}, of = {} }: { values?: object; of?: Readonly<Record<string, unknown>> },
  sent: object,
  gives: Expected | ((scene: Templated) => Expected),
) =>
  example({
    says,
    given: (world: World) => templated(world, values, of),
    when: ({ one, template }) => ['POST', path, { projectId: one.id, taskTemplateId: template.id, ...sent }],
    gives,
  });
const written = { notes: 'Bring the plan', budgetHours: 12.25 };
const templates: readonly Case[] = [
  copying(
    'A task is made from a template with all that this says',
    { values: written },
    {},
    ({ template, kind, tag }) =>
      done({
        ...{ name: template['name'], notes: 'Bring the plan', isBillable: true, budgetedHours: 12.25 },
        ...{ taskCategory: { id: kind.id, type: 'standard' }, tags: [{ id: tag.id }] },
      }),
  ),
  copying(
    'What is said of a task goes before its template',
    { values: written },
    { name: 'Kick-off', notes: null, isBillable: false, budgetedHours: 3, tagIds: [] },
    done({ name: 'Kick-off', notes: null, isBillable: false, budgetedHours: 3, tags: [] }),
  ),
  example({
    says: 'The category that is said of a task goes before that of its template',
    given: async (world: World) => ({ ...(await templated(world, {}, {})), other: await category(world, 'standard') }),
    when: ({ one, template, other }) => [
      'POST',
      path,
      { projectId: one.id, taskTemplateId: template.id, taskCategoryId: other.id },
    ],
    gives: ({ other }) => done({ taskCategory: { id: other.id } }),
  }),
  copying(
    'What a template leaves open is open in its task',
    { values: { tagIds: [] } },
    {},
    done({ notes: null, budgetedHours: null, tags: [] }),
  ),
  copying('A budget of no hours is copied as such', { values: { budgetHours: 0 } }, {}, done({ budgetedHours: 0 })),
  copying(
    'A template that is not billed gives no billed task',
    { values: { isBillable: false } },
    {},
    done({ isBillable: false }),
  ),
  copying(
    'A billed template gives no billed task where the project is not',
    { of: internal },
    {},
    done({ isBillable: false }),
  ),
  copying('No template makes up for a project that is not billed', { of: internal }, { isBillable: true }, notBilled),
  adding('A task without a template has a name of its own', {}, { name: undefined }, refused("'name' is required")),
];

const places: readonly Case[] = [
  adding('The first task stands at 1', {}, {}, done({ position: 1 })),
  example({
    says: 'A new task stands behind the last one of its project',
    given: async (world: World) => {
      const [one, other] = [await world.make('project'), await world.make('project')];
      const add = (projectId: string, position?: number) => world.make('task', { projectId, position });
      for (const position of [7, 3]) await add(one.id, position);
      await add(other.id, 20);
      return one;
    },
    when: ({ id }) => ['POST', path, { projectId: id, name: 'Review' }],
    gives: done({ position: 8 }),
  }),
  example({
    says: 'A new task stands behind the last one below the same task',
    given: async (world: World) => {
      const phase = await category(world, 'rollup');
      const parent = await task(world, { taskCategoryId: phase.id, position: 40 });
      const projectId = (parent['project'] as Made).id;
      await world.make('task', { projectId, parentId: parent.id, position: 4 });
      await world.make('task', { projectId, position: 50 });
      return { parent, projectId };
    },
    when: ({ parent, projectId }) => ['POST', path, { projectId, parentId: parent.id, name: 'Review' }],
    gives: done({ position: 5 }),
  }),
  adding(
    'A task that is said to have no place stands behind the others',
    {},
    { position: null },
    done({ position: 1 }),
  ),
  adding('A task stands where it is said to', {}, { position: 0 }, done({ position: 0 })),
  example({
    says: 'Two tasks may stand in one place',
    given: (world: World) => task(world, { position: 5 }),
    when: ({ project }) => ['POST', path, { projectId: (project as Made).id, name: 'Review', position: 5 }],
    gives: done({ position: 5 }),
  }),
];

const dated = (says: string, values: object, sent: object, isToday: boolean) =>
  example({
    says,
    given: async (world: World) => ({ today: await todayOf(world), one: await task(world, values) }),
    when: ({ one }) => ['PATCH', at(one), sent],
    gives: ({ today }) => done({ completedOn: isToday ? today : null }),
  });
const completed: readonly Case[] = [
  example({
    says: 'A task that is completed when it is made was completed today',
    given: async (world: World) => ({ today: await todayOf(world), one: await world.make('project') }),
    when: ({ one }) => ['POST', path, { projectId: one.id, name: 'Kick-off', statusId: 'completed' }],
    gives: ({ today }) => done({ completedOn: today }),
  }),
  adding('A new task has not been completed', {}, {}, done({ statusId: 'not_started', completedOn: null })),
  dated('A task is completed on the day on which that is said', {}, { statusId: 'completed' }, true),
  dated('A task that goes on is no longer completed', { statusId: 'completed' }, { statusId: 'in_progress' }, false),
  example({
    says: 'A completed task keeps its day through other changes',
    given: (world: World) => onAnotherDay(world, () => task(world, { statusId: 'completed' })),
    when: (one) => ['PATCH', at(one), { notes: 'Well done', statusId: 'completed' }],
    gives: ({ completedOn }) => done({ completedOn, notes: 'Well done' }),
  }),
];

const onlyStandard = refused("'isDefault' must be false unless the category is a standard one");
const used = async (world: World, type: string) => {
  const kind = await category(world, type);
  await task(world, { taskCategoryId: kind.id });
  return kind;
};
const kinds: readonly Case[] = [
  example({
    says: 'New tasks are no phases unless that is said',
    given: async ({ unique }: World) => ({ name: `Kind ${unique}`, type: 'rollup', isDefault: true }),
    when: (body) => ['POST', categories, body],
    gives: onlyStandard,
  }),
  example({
    says: 'A category for phases does not become that of new tasks',
    given: (world: World) => category(world, 'rollup'),
    when: ({ id }) => ['PATCH', `${categories}/${id}`, { isDefault: true }],
    gives: onlyStandard,
  }),
  example({
    says: 'The category of new tasks does not become one for phases',
    given: (world: World) => category(world, 'standard', { isDefault: true }),
    when: ({ id }) => ['PATCH', `${categories}/${id}`, { type: 'rollup' }],
    gives: onlyStandard,
  }),
  example({
    says: 'A category that no task has can become one for phases',
    given: (world: World) => category(world, 'standard'),
    when: ({ id }) => ['PATCH', `${categories}/${id}`, { type: 'rollup' }],
    gives: done({ type: 'rollup' }),
  }),
  ...(['standard', 'rollup'] as const).map((type) =>
    example({
      says: `A category that a task has keeps its kind (${type})`,
      given: (world: World) => used(world, type),
      when: ({ id }) => ['PATCH', `${categories}/${id}`, { type: type === 'rollup' ? 'standard' : 'rollup' }],
      gives: conflict('The Task Category is read-only.'),
    }),
  ),
  example({
    says: 'A category that a task has can change in everything else',
    given: (world: World) => used(world, 'standard'),
    when: ({ id }) => ['PATCH', `${categories}/${id}`, { type: 'standard', color: 'teal' }],
    gives: done({ color: 'teal' }),
  }),
  example({
    says: 'A template does not hold the kind of its category',
    given: async (world: World) => {
      const kind = await category(world, 'standard');
      await world.make('task-template', { taskCategoryId: kind.id });
      return kind;
    },
    when: ({ id }) => ['PATCH', `${categories}/${id}`, { type: 'rollup' }],
    gives: done({ type: 'rollup' }),
  }),
];

const noPhase = refused("'taskCategoryId' must be a standard category");
const templateKinds: readonly Case[] = [
  example({
    says: 'A template is for tasks',
    given: async (world: World) => ({
      name: `Template ${world.unique}`,
      taskCategoryId: (await category(world, 'standard')).id,
    }),
    when: (body) => ['POST', '/task-templates', body],
    gives: ({ taskCategoryId }) => done({ taskCategory: { id: taskCategoryId, type: 'standard' } }),
  }),
  example({
    says: 'A template is not for phases',
    given: async (world: World) => ({
      name: `Template ${world.unique}`,
      taskCategoryId: (await category(world, 'rollup')).id,
    }),
    when: (body) => ['POST', '/task-templates', body],
    gives: noPhase,
  }),
  example({
    says: 'A template does not come to be for phases',
    given: async (world: World) => ({
      template: await world.make('task-template'),
      phase: await category(world, 'rollup'),
    }),
    when: ({ template, phase }) => ['PATCH', `/task-templates/${template.id}`, { taskCategoryId: phase.id }],
    gives: noPhase,
  }),
];

export const tasks: readonly Case[] = [
  ...[...days, ...billing, ...templates, ...places, ...completed, ...taskTrees, ...kinds, ...templateKinds],
  ...oneDefault({ path: categories, human: 'Task Category', body: { type: 'standard' } }),
];
