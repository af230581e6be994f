// What is refused, taken along and cleared when a project, or a part of one, goes.
import { billing, draftFor, line } from './billing-scenes.ts';
import { type Case, conflict, done, example, type Made, type World } from './case.ts';
import { at } from './projects.ts';
import { scene as timeScene } from './time-scene.ts';

const inUse = (human: string) => conflict(`The ${human} is in use and cannot be deleted.`);

/** Groups whose records go with their project, and what their paths are called beyond an `s`. */
const parts = [
  ...['project-member', 'project-role', 'project-health-report', 'project-rate-card', 'project-prepayment'],
  ...['project-budget-expense', 'project-budget-service-item', 'project-budget-product-item'],
  ...['project-budget-other-item', 'project-monthly-budget-expense', 'project-monthly-budget-service-item'],
  ...['project-monthly-budget-product-item', 'project-monthly-budget-other-item'],
  ...['project-service-item', 'project-product-item', 'project-other-item', 'project-revenue-adjustment'],
  ...['project-billing-schedule-item', 'project-revenue-recognition-entry', 'task', 'allocation'],
];
const pathOf = (group: string) => (group.endsWith('entry') ? `/${group.slice(0, -1)}ies` : `/${group}s`);

const planned = {
  ...{ billingTypeId: 'fixed', revenueRecognitionMethod: 'manual' },
  ...{ useBudget: true, budgetMode: 'detailed', useMonthlyBudget: true, monthlyBudgetMode: 'detailed' },
};
/** A project with a record of every kind that can belong to one, and a deal that it delivers. */
async function whole({ make }: World) {
  const one = await make('project', planned);
  const projectId = one.id;
  for (const group of parts) await make(group, { projectId });
  const role = await make('project-role', { projectId });
  const member = await make('project-member', { projectId, projectRoleIds: [role.id] });
  const phase = (await make('task-category', { type: 'rollup' })).id;
  const top = await make('task', { projectId, taskCategoryId: phase });
  const lists = { projectRoles: [{ id: role.id }], projectMembers: [{ id: member.id }] };
  await make('task', { projectId, parentId: top.id, budgetedHours: 3, ...lists });
  const deal = await make('opportunity', { projects: [{ id: projectId, amount: 10 }] });
  return { one, deal };
}

type Holding = readonly [what: string, hold: (world: World, projectId: string, clientId: string) => Promise<unknown>];
const holds: readonly Holding[] = [
  ['costs', ({ make }, projectId) => make('project-expense', { projectId })],
  ['time', ({ make }, projectId) => make('time-entry', { projectId })],
  ['expenses of members', ({ make }, projectId) => make('expense-item', { projectId })],
  [
    'lines of invoices',
    (world, projectId, clientId) => draftFor(world, clientId, { lines: [line(10, { projectId })] }),
  ],
  [
    'lines of credit notes',
    ({ make }, projectId, clientId) => make('credit-note', { clientId, lines: [line(10, { projectId })] }),
  ],
];

const projects: readonly Case[] = [
  example({
    says: 'A project goes with all that is planned of it, and the deals that it delivers forget it',
    given: whole,
    when: ({ one }) => ['DELETE', at(one)],
    gives: done(),
    also: ({ one, deal }) => [
      ...parts.map((group) => [`${pathOf(group)}?projectId=${one.id}`, { results: [] }] as const),
      [`/opportunities/${deal.id}`, { projects: [] }],
    ],
  }),
  ...holds.map(([what, hold]) =>
    example({
      says: `A project with ${what} stays, with all that belongs to it`,
      given: async (world: World) => {
        const { one } = await whole(world);
        await world.send('PATCH', at(one), { useRoles: false });
        await hold(world, one.id, (one['client'] as Made).id);
        return one;
      },
      when: (one) => ['DELETE', at(one)],
      gives: inUse('Project'),
    }),
  ),
];

/** A role that a member has, a card prices, a task names and somebody is planned for. */
async function role(world: World) {
  const { make } = world;
  const { id: projectId } = await make('project', { billingTypeId: 'tm' });
  const [one, other] = [await make('project-role', { projectId }), await make('project-role', { projectId })];
  const member = await make('project-member', { projectId, projectRoleIds: [one.id, other.id] });
  const card = await make('project-rate-card', {
    ...{ projectId, roleRates: [{ projectRoleId: one.id, rate: 5 }, { projectRoleId: other.id }] },
  });
  const task = await make('task', { projectId, projectRoles: [{ id: other.id, hours: 2 }, { id: one.id }] });
  const allocation = await make('allocation', { projectId, projectRoleId: one.id });
  return { world, projectId, one, other, member, card, task, allocation };
}

const roles: readonly Case[] = [
  example({
    says: 'A role that goes is forgotten by members, cards, tasks and plans',
    given: role,
    when: ({ one }) => ['DELETE', `/project-roles/${one.id}`],
    gives: done(),
    also: ({ other, member, card, task, allocation }) => [
      [`/project-members/${member.id}`, { projectRoles: [{ id: other.id }] }],
      [`/project-rate-cards/${card.id}`, { roleRates: [{ projectRoleId: other.id }] }],
      [`/tasks/${task.id}`, { projectRoles: [{ id: other.id, hours: 2 }] }],
      [`/allocations/${allocation.id}`, { projectRole: null }],
    ],
  }),
  example({
    says: 'A role with time stays',
    given: async (world: World) => {
      const scene = await role(world);
      const memberId = (scene.member['member'] as Made).id;
      await world.make('time-entry', { projectId: scene.projectId, memberId, projectRoleId: scene.one.id });
      return scene.one;
    },
    when: ({ id }) => ['DELETE', `/project-roles/${id}`],
    gives: inUse('Project Role'),
  }),
];

/** A phase with a task below it, on which an hour is planned or worked. */
async function phase(world: World) {
  const scene = await timeScene(world);
  const { projectId } = scene;
  const kind = (await world.make('task-category', { type: 'rollup' })).id;
  const top = await world.make('task', { projectId, taskCategoryId: kind });
  const task = await world.make('task', { projectId, parentId: top.id, budgetedHours: 4 });
  return { ...scene, world, top, task };
}
const tasks: readonly Case[] = [
  example({
    says: 'A phase goes with its tasks, and plans forget these',
    given: async (world: World) => {
      const scene = await phase(world);
      const { projectId, task } = scene;
      return { ...scene, allocation: await world.make('allocation', { projectId, taskId: task.id }) };
    },
    when: ({ top }) => ['DELETE', `/tasks/${top.id}`],
    gives: done(),
    also: ({ projectId, allocation }) => [
      [`/tasks?projectId=${projectId}`, { results: [] }],
      [`/allocations/${allocation.id}`, { task: null }],
    ],
  }),
  ...(['task', 'top'] as const).map((which) =>
    example({
      says: `A ${which === 'task' ? 'task with time' : 'phase above a task with time'} stays`,
      given: async (world: World) => {
        const scene = await phase(world);
        await world.send('POST', '/time-entries', { ...scene.hour, taskId: scene.task.id });
        return scene;
      },
      when: (scene) => ['DELETE', `/tasks/${scene[which].id}`],
      gives: inUse('Task'),
    }),
  ),
];

const words: readonly Case[] = [
  example({
    says: 'A tag that goes is taken off tasks and templates',
    given: async ({ make }: World) => {
      const tag = await make('task-tag');
      const [task, template] = [
        await make('task', { tagIds: [tag.id] }),
        await make('task-template', { tagIds: [tag.id] }),
      ];
      return { tag, task, template };
    },
    when: ({ tag }) => ['DELETE', `/task-tags/${tag.id}`],
    gives: done(),
    also: ({ task, template }) => [
      [`/tasks/${task.id}`, { tags: [] }],
      [`/task-templates/${template.id}`, { tags: [] }],
    ],
  }),
  ...(['task', 'task-template'] as const).map((group) =>
    example({
      says: `A category that a ${group.replace('task-', '')} has stays`,
      given: async ({ make }: World) => {
        const category = await make('task-category', { type: 'standard' });
        await make(group, { taskCategoryId: category.id });
        return category;
      },
      when: ({ id }) => ['DELETE', `/task-categories/${id}`],
      gives: inUse('Task Category'),
    }),
  ),
  example({
    says: 'A template that goes leaves the tasks that were made from it',
    given: async ({ make, send }: World) => {
      const template = await make('task-template');
      const { id: projectId } = await make('project');
      return { template, task: await send('POST', '/tasks', { projectId, taskTemplateId: template.id }) };
    },
    when: ({ template }) => ['DELETE', `/task-templates/${template.id}`],
    gives: done(),
    also: ({ template, task }) => [[`/tasks/${task.id}`, { name: template['name'] }]],
  }),
  ...(['project-type', 'project-group'] as const).map((group) =>
    example({
      says: `A project goes on without its ${group.replace('project-', '')}`,
      given: async ({ make }: World) => {
        const client = await make('client');
        const kind = await make(group, group === 'project-group' ? { clientId: client.id } : {});
        const key = group === 'project-group' ? 'projectGroup' : 'projectType';
        return { kind, key, one: await make('project', { clientId: client.id, [`${key}Id`]: kind.id }) };
      },
      when: ({ kind }) => ['DELETE', `/${group}s/${kind.id}`],
      gives: done(),
      also: ({ one, key }) => [[at(one), { [key]: null }]],
    }),
  ),
];

/** What an issued invoice has used of an advance holds it, and so does a draft. */
const advances: readonly Case[] = [
  example({
    says: 'An advance that a line uses up stays',
    given: async (world: World) => {
      const { make } = world;
      const client = await make('client', { currency: 'USD' });
      const { id: projectId } = await make('project', { clientId: client.id, billingTypeId: 'tm' });
      const advance = await make('project-prepayment', { projectId, amount: 50 });
      await draftFor(world, client.id, {
        statusId: 'issued',
        lines: [billing(projectId, 50, ['project_prepayment', advance])],
      });
      return advance;
    },
    when: ({ id }) => ['DELETE', `/project-prepayments/${id}`],
    gives: conflict('The Project Prepayment is read-only.'),
  }),
];

export const projectDeletes: readonly Case[] = [...projects, ...roles, ...tasks, ...words, ...advances];
