import { type Case, conflict, done, type Expected, example, type Made, refused, type World } from './case.ts';
import { project, at as projectAt } from './projects.ts';

const path = '/project-members';
const at = ({ id }: { readonly id: string }) => `${path}/${id}`;
const detailed = {
  ...{ useBudget: true, budgetMode: 'detailed' },
  ...{ useMonthlyBudget: true, monthlyBudgetMode: 'detailed' },
};
const budget = { billableHours: 12.5, nonBillableHours: 1 };
const memberId = async ({ make }: World, values?: Readonly<Record<string, unknown>>) =>
  (await make('member', values)).id;
const membership = (world: World, one: Made, member: string, values: object = {}) =>
  world.send('POST', path, { projectId: one.id, memberId: member, ...values });

/** Somebody joins a project that is so; of this is sent. */
const joining = (
  says: string,
  { of = {}, person = {} }: { of?: object; person?: Readonly<Record<string, unknown>> },
  sent: object,
  gives: Expected,
) =>
  example({
    says,
    given: async (world: World) => ({
      projectId: (await project(world, of)).id,
      memberId: await memberId(world, person),
    }),
    when: (ids) => ['POST', path, { ...ids, ...sent }],
    gives,
  });
/** Somebody is on a project that is so and became different then; this is sent. */
const staying = (
  says: string,
  { of = {}, values = {}, later }: { of?: object; values?: object; later?: object },
  sent: object,
  gives: Expected,
) =>
  example({
    says,
    given: async (world: World) => {
      const one = await project(world, of);
      const made = await membership(world, one, await memberId(world), values);
      if (later !== undefined) await world.send('PATCH', projectAt(one), later);
      return made;
    },
    when: (one) => ['PATCH', at(one), sent],
    gives,
  });

const internal = { billingTypeId: 'non_billable' };
const notBilled = refused("'isBillable' must be false on a project that is not billable");
const without = { useRoles: false };
const billing: readonly Case[] = [
  joining('Time of a member is billed where project and member are', {}, {}, done({ isBillable: true })),
  joining('Nothing is billed on a project that is not', { of: internal }, {}, done({ isBillable: false })),
  joining(
    'Nothing is billed of a member who is not',
    { person: { isBillable: false } },
    {},
    done({ isBillable: false }),
  ),
  joining(
    'A member may be billed against the rule of the house',
    { person: { isBillable: false } },
    { isBillable: true },
    done({ isBillable: true }),
  ),
  joining('A member may be left out of billing', {}, { isBillable: false }, done({ isBillable: false })),
  joining('Nobody is billed on a project that is not', { of: internal }, { isBillable: true }, notBilled),
  staying('Nobody comes to be billed on a project that is not', { of: internal }, { isBillable: true }, notBilled),
  staying(
    'The role of who was billed is changed once the project is not billed',
    { later: internal },
    { typeId: 'administrator' },
    done({ typeId: 'administrator' }),
  ),
  staying(
    'Who was billed can cease to be with the project',
    { later: internal },
    { isBillable: false },
    done({ isBillable: false }),
  ),
];

const noRate = refused("'rate' is not allowed");
const rates: readonly Case[] = [
  joining('Without roles each member has a rate', { of: without }, { rate: 120.5 }, done({ rate: 120.5 })),
  joining('With roles no member has a rate', {}, { rate: 120.5 }, noRate),
  joining('That there is no rate may be said', {}, { rate: null }, done({ rate: null })),
  staying('With roles no member gets a rate', {}, { rate: 1 }, noRate),
  staying('Without roles a member gets a rate', { of: without }, { rate: 1 }, done({ rate: 1 })),
  staying(
    'A rate goes with the next change once the project has roles',
    { of: without, values: { rate: 120.5 }, later: { useRoles: true } },
    { typeId: 'administrator' },
    done({ typeId: 'administrator', rate: null }),
  ),
];

/** A project with two roles, and a role of another project. */
const staffed = async (world: World, values: object = {}) => {
  const one = await project(world, values);
  const [first, second] = [
    await world.make('project-role', { projectId: one.id }),
    await world.make('project-role', { projectId: one.id }),
  ];
  const foreign = await world.make('project-role', { projectId: (await project(world)).id });
  return { one, first, second, foreign, member: await memberId(world) };
};
type Staffed = Awaited<ReturnType<typeof staffed>>;
const withRoles = (says: string, roles: (scene: Staffed) => readonly Made[], gives: (scene: Staffed) => Expected) => [
  example({
    says,
    given: (world: World) => staffed(world),
    when: (scene) => [
      ...(['POST', path] as const),
      { projectId: scene.one.id, memberId: scene.member, projectRoleIds: roles(scene).map(({ id }) => id) },
    ],
    gives,
  }),
  example({
    says: `${says} (later)`,
    given: async (world: World) => {
      const scene = await staffed(world);
      return { ...scene, made: await membership(world, scene.one, scene.member) };
    },
    when: (scene) => ['PATCH', at(scene.made), { projectRoleIds: roles(scene).map(({ id }) => id) }],
    gives,
  }),
];
const foreignRole = (place: number) => () => refused(`'projectRoleIds[${place}]' must be of the same project`);
const roles: readonly Case[] = [
  ...withRoles(
    'A member can have several roles of the project',
    ({ first, second }) => [second, first],
    ({ first, second }) => done({ projectRoles: [{ id: second.id }, { id: first.id }] }),
  ),
  ...withRoles(
    'A member may have no role',
    () => [],
    () => done({ projectRoles: [] }),
  ),
  ...withRoles('A member has no role of another project', ({ foreign }) => [foreign], foreignRole(0)),
  ...withRoles(
    'Not one of the roles of a member is of another project',
    ({ first, foreign }) => [first, foreign],
    foreignRole(1),
  ),
  example({
    says: 'On a project without roles a member has none',
    given: async (world: World) => {
      const scene = await staffed(world);
      await world.send('PATCH', projectAt(scene.one), without);
      return scene;
    },
    when: ({ one, member, first }) => [
      'POST',
      path,
      { projectId: one.id, memberId: member, projectRoleIds: [first.id] },
    ],
    gives: refused("'projectRoleIds' is not allowed"),
  }),
  example({
    says: 'Roles of a member go with the next change once the project has none',
    given: async (world: World) => {
      const scene = await staffed(world);
      const made = await membership(world, scene.one, scene.member, { projectRoleIds: [scene.first.id] });
      await world.send('PATCH', projectAt(scene.one), without);
      return made;
    },
    when: (made) => ['PATCH', at(made), { typeId: 'administrator' }],
    gives: done({ projectRoles: [] }),
  }),
];

const hours = (['budget', 'monthlyBudget'] as const).flatMap((key) => {
  const title = key === 'budget' ? 'budget' : 'monthly budget';
  const mode = key === 'budget' ? 'budgetMode' : 'monthlyBudgetMode';
  const none = refused(`'${key}' is not allowed`);
  const planned = { ...without, ...detailed };
  const sent = { [key]: budget };
  return [
    joining(`Hours of a member are planned in a detailed ${title}`, { of: planned }, sent, done(sent)),
    joining(`No hours of a member are planned by role (${title})`, { of: detailed }, sent, none),
    joining(
      `No hours of a member are planned in a summary (${title})`,
      { of: { ...planned, [mode]: 'summary' } },
      sent,
      none,
    ),
    joining(`No hours of a member are planned without a ${title}`, { of: without }, sent, none),
    staying(`Hours of a member are planned in a detailed ${title} later`, { of: planned }, sent, done(sent)),
    staying(`No hours of a member come to be planned by role (${title})`, { of: detailed }, sent, none),
    staying(
      `Planned hours go with the next change once the ${title} is a summary`,
      { of: planned, values: { budget, monthlyBudget: budget }, later: { [mode]: 'summary' } },
      { typeId: 'administrator' },
      done({ [key]: null, [key === 'budget' ? 'monthlyBudget' : 'budget']: budget }),
    ),
    staying(
      `Planned hours go with the next change once they are planned by role (${title})`,
      { of: planned, values: { budget, monthlyBudget: budget }, later: { useRoles: true } },
      { typeId: 'administrator' },
      done({ [key]: null }),
    ),
  ];
});

/** Two members of a project with two rate cards that name both, and a card of another project with one of them. */
const carded = async (world: World) => {
  const [one, other] = [await project(world), await project(world)];
  const [going, staying] = [await memberId(world), await memberId(world)];
  const made = await membership(world, one, going);
  await membership(world, one, staying);
  await membership(world, other, going);
  const card = (of: Made, rate: number, members: readonly string[], start?: string) =>
    world.send('POST', '/project-rate-cards', {
      ...{ projectId: of.id, memberRates: members.map((member) => ({ memberId: member, rate })) },
      ...(start === undefined ? {} : { start }),
    });
  const first = await card(one, 100, [going, staying]);
  const second = await card(one, 110, [staying, going], '2026-06-01');
  const elsewhere = await card(other, 90, [going]);
  return { made, going, staying, first, second, elsewhere };
};
const cardAt = ({ id }: Made) => `/project-rate-cards/${id}`;
const leaving: readonly Case[] = [
  example({
    says: 'Who leaves a project leaves all its rate cards, and no others',
    given: carded,
    when: ({ made }) => ['DELETE', at(made)],
    gives: done(),
    also: ({ going, staying, first, second, elsewhere }) => [
      [cardAt(first), { memberRates: [{ memberId: staying, rate: 100 }] }],
      [cardAt(second), { start: '2026-06-01', memberRates: [{ memberId: staying, rate: 110 }] }],
      [cardAt(elsewhere), { memberRates: [{ memberId: going, rate: 90 }] }],
    ],
  }),
  example({
    says: 'A project that goes takes its team and its rate cards along, and no others',
    given: carded,
    when: ({ made }) => ['DELETE', projectAt(made['project'] as Made)],
    gives: done(),
    also: ({ made, going, elsewhere }) => [
      [`${path}?projectId=${(made['project'] as Made).id}`, { results: [] }],
      [`/project-rate-cards?projectId=${(made['project'] as Made).id}`, { results: [] }],
      [`${path}?memberId=${going}`, { results: [{ member: { id: going } }] }],
      [cardAt(elsewhere), { memberRates: [{ memberId: going, rate: 90 }] }],
    ],
  }),
  example({
    says: 'Who leaves a project leaves its tasks',
    given: async (world: World) => {
      const one = await project(world);
      const [made, other] = [
        await membership(world, one, await memberId(world)),
        await membership(world, one, await memberId(world)),
      ];
      const projectMembers = [made, other].map(({ id }) => ({ id, hours: 2 }));
      return { made, other, task: await world.make('task', { projectId: one.id, projectMembers }) };
    },
    when: ({ made }) => ['DELETE', at(made)],
    gives: done(),
    also: ({ other, task }) => [[`/tasks/${task.id}`, { projectMembers: [{ id: other.id, hours: 2 }] }]],
  }),
];

/** A member of two projects, and another one of the first; one of them has left a trace on one of them. */
const traced = (
  says: string,
  leave: (world: World, memberId: string, projectId: string) => Promise<unknown>,
  whose: 'own' | 'of another' | 'elsewhere',
) =>
  example({
    says,
    given: async (world: World) => {
      const [one, other] = [await project(world), await project(world)];
      const [own, another] = [await memberId(world), await memberId(world)];
      const made = await membership(world, one, own);
      await membership(world, one, another);
      await membership(world, other, own);
      await leave(world, whose === 'of another' ? another : own, whose === 'elsewhere' ? other.id : one.id);
      return made;
    },
    when: (made) => ['DELETE', at(made)],
    gives: whose === 'own' ? conflict('The Project Member is in use and cannot be deleted.') : done(),
  });
const entry = async ({ make }: World, memberId: string, projectId: string) =>
  make('time-entry', { memberId, projectId, projectRoleId: (await make('project-role', { projectId })).id });
const item = async ({ make }: World, memberId: string, projectId: string) => {
  const report = await make('expense-report', { memberId });
  const category = await make('expense-category');
  const values = { expenseReportId: report.id, projectId, expenseCategoryId: category.id };
  return make('expense-item', {
    ...values,
    isBillable: false,
    amount: 10,
    markupMethod: undefined,
    markupRatio: undefined,
  });
};
const held: readonly Case[] = [
  traced('Who has time on a project stays on it', entry, 'own'),
  traced('Time of others holds nobody on a project', entry, 'of another'),
  traced('Time on other projects holds nobody', entry, 'elsewhere'),
  traced('Who has expenses on a project stays on it', item, 'own'),
  traced('Expenses of others hold nobody on a project', item, 'of another'),
  traced('Expenses on other projects hold nobody', item, 'elsewhere'),
];

export const projectTeam: readonly Case[] = [...billing, ...rates, ...roles, ...hours, ...leaving, ...held];
