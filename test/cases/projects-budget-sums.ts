// What the budgets of a project come to: from its roles or members, its tasks, its items and the card that prices them.
import { type Asked, type Case, done, type Expected, example, type Made, refused, type World } from './case.ts';
import { at, project } from './projects.ts';

const kinds = {
  budget: { title: 'budget', items: 'project-budget' },
  monthlyBudget: { title: 'monthly budget', items: 'project-monthly-budget' },
} as const;
type Key = keyof typeof kinds;
const empty = {
  ...{ revenue: 0, servicesRevenue: 0, productsRevenue: 0, otherRevenue: 0 },
  ...{ billableExpenses: 0, nonBillableExpenses: 0, billableHours: 0, nonBillableHours: 0 },
};
const detailed = {
  ...{ currency: 'EUR', useBudget: true, budgetMode: 'detailed' },
  ...{ useMonthlyBudget: true, monthlyBudgetMode: 'detailed' },
};
const hours = (billableHours: number | null, nonBillableHours: number | null = null) => ({
  billableHours,
  nonBillableHours,
});

/** Items of each kind, and expenses of two categories, are planned on a project. */
async function plan(world: World, key: Key, { id: projectId }: Made) {
  const { items } = kinds[key];
  const make = (what: string, values: Readonly<Record<string, unknown>>) =>
    world.make(`${items}-${what}`, { projectId, ...values });
  return {
    service: await make('service-item', { fee: 200.1234 }),
    product: await make('product-item', { fee: 30 }),
    other: await make('other-item', { fee: 5.5 }),
    expense: await make('expense', { billableAmount: 12.25, nonBillableAmount: 3 }),
    further: await make('expense', { billableAmount: undefined, nonBillableAmount: 4 }),
  };
}
/** Of the items alone. */
const planned = {
  ...{ servicesRevenue: 200.1234, productsRevenue: 30, otherRevenue: 5.5, revenue: 235.6234 },
  ...{ billableExpenses: 12.25, nonBillableExpenses: 7 },
};

/** Two roles work on a project: 10 hours at 100.5 and 4.25 at 80, and 1.5 that are not billed. */
async function byRoles(world: World, key: Key, values: object = {}) {
  const one = await project(world, { ...detailed, ...values });
  const add = (name: string, rate: number, part: object) =>
    world.send('POST', '/project-roles', { projectId: one.id, name, rate, [key]: part });
  const first = await add('Lead', 100.5, hours(10, 1.5));
  const second = await add('Developer', 80, hours(4.25));
  return { world, key, one, first, second, ...(await plan(world, key, one)) };
}
/** The same by two members. */
async function byMembers(world: World, key: Key, values: object = {}) {
  const one = await project(world, { ...detailed, useRoles: false, ...values });
  const add = async (rate: number, part: object) =>
    world.send('POST', '/project-members', {
      ...{ projectId: one.id, memberId: (await world.make('member')).id },
      ...{ rate, [key]: part },
    });
  const first = await add(100.5, hours(10, 1.5));
  const second = await add(80, hours(4.25));
  return { world, key, one, first, second, ...(await plan(world, key, one)) };
}
type Scene = Awaited<ReturnType<typeof byRoles>>;

// Hours 10 + 4.25. Services 10 × 100.5 + 4.25 × 80 = 1345, and 200.1234 of the item.
const whole = {
  ...planned,
  ...{ servicesRevenue: 1545.1234, revenue: 1580.6234 },
  ...hours(14.25, 1.5),
};
/** Another revenue of services. */
const services = (servicesRevenue: number, revenue: number) => ({ servicesRevenue, revenue });

interface Making {
  readonly given: (world: World) => Promise<Scene>;
  readonly when: (scene: Scene) => Asked;
  /** What the budget is then. */
  readonly makes: object | null;
}
const making = (says: string, key: Key, { given, when, makes }: Making) =>
  example({ says, given, when, gives: done(), also: ({ one }) => [[at(one), { [key]: makes }]] });

/** What holds of roles and of members alike. */
function casesOfTeams(key: Key, team: 'role' | 'member'): Case[] {
  const { title } = kinds[key];
  const path = `/project-${team}s`;
  const scene = team === 'role' ? byRoles : byMembers;
  const given = (world: World) => scene(world, key);
  const becomes = (says: string, when: Making['when'], makes: object) =>
    making(`${says} (${title} by ${team})`, key, { given, when, makes });
  const change =
    (values: object) =>
    ({ first }: Scene) =>
      ['PATCH', `${path}/${first.id}`, values] as const;
  const card = team === 'role' ? 'roleRates' : 'memberRates';
  const rated = ({ first }: Scene, rate: number | null) => ({
    [card]: [team === 'role' ? { projectRoleId: first.id, rate } : { memberId: (first['member'] as Made).id, rate }],
  });
  /** A first card, and one that starts later. */
  const priced = (rate: number | null) => async (world: World) => {
    const found = await given(world);
    const projectId = found.one.id;
    const first = await world.send('POST', '/project-rate-cards', { projectId, ...rated(found, rate) });
    const later = { projectId, start: '2030-01-01', ...rated(found, 200) };
    return { ...found, card: first, later: await world.send('POST', '/project-rate-cards', later) };
  };
  type Priced = Scene & { readonly card: Made; readonly later: Made };
  const byCard = (says: string, rate: number | null, when: (scene: Priced) => Asked, makes: object) =>
    making(`${says} (${title} by ${team})`, key, {
      ...{ given: priced(rate), makes },
      when: when as Making['when'],
    });
  const show = ({ one }: Scene): Asked => ['GET', at(one)];
  return [
    becomes('A detailed budget is the sum of all that is planned', show, whole),
    // 12 × 100.5 + 340 + 200.1234, and 35.5 of products and others
    becomes('More hours are more revenue', change({ [key]: hours(12) }), {
      ...{ ...hours(16.25, 0), ...services(1746.1234, 1781.6234) },
    }),
    becomes('No hours are no revenue', change({ [key]: null }), {
      // 340 + 200.1234
      ...{ ...hours(4.25, 0), ...services(540.1234, 575.6234) },
    }),
    // 10 × 90.25 + 340 + 200.1234
    becomes('Another rate is another revenue', change({ rate: 90.25 }), services(1442.6234, 1478.1234)),
    becomes('Hours without a rate are hours all the same', change({ rate: null }), {
      ...{ ...hours(14.25, 1.5), ...services(540.1234, 575.6234) },
    }),
    becomes('What is not billed any more has no rate', change({ isBillable: false }), {
      ...{ ...hours(14.25, 1.5), ...services(540.1234, 575.6234) },
    }),
    becomes('Whoever leaves takes the hours along', ({ first }) => ['DELETE', `${path}/${first.id}`], {
      ...{ ...hours(4.25, 0), ...services(540.1234, 575.6234) },
    }),
    becomes('Other changes leave the budget', change({ isActive: false }), whole),
    // 100.55 × 10 + 340 = 1345.5 → 1346 yen, and the fee as it was typed in
    making(`Hours at their rates are rounded to the project's currency, fees are not (${title} by ${team})`, key, {
      given: async (world) => {
        const found = await given(world);
        await world.send('PATCH', `${path}/${found.first.id}`, { rate: 100.55 });
        return found;
      },
      when: ({ one }) => ['PATCH', at(one), { currency: 'JPY' }],
      makes: services(1546.1234, 1581.6234),
    }),
    // 1 × 0.004 + 1 × 0.004 = 0.008 → 0.01; each by itself would be nothing.
    making(`The sum is rounded, not each part (${title} by ${team})`, key, {
      given: async (world) => {
        const found = await given(world);
        await world.send('PATCH', `${path}/${found.first.id}`, { rate: 0.004, [key]: hours(1) });
        return found;
      },
      when: ({ second }) => ['PATCH', `${path}/${second.id}`, { rate: 0.004, [key]: hours(1) }],
      makes: services(200.1334, 235.6334),
    }),
    // 10 × 120 + 4.25 × 80 + 200.1234
    byCard('The card that prices the budget goes before own rates', 120, show, services(1740.1234, 1775.6234)),
    byCard('A card without a rate leaves the own one', null, show, services(1545.1234, 1580.6234)),
    byCard(
      'Another rate on that card is another revenue',
      120,
      (found) => ['PATCH', `/project-rate-cards/${found.card.id}`, rated(found, 0)],
      // 340 + 200.1234
      services(540.1234, 575.6234),
    ),
    byCard(
      'Another rate on another card changes nothing',
      120,
      (found) => ['PATCH', `/project-rate-cards/${found.later.id}`, rated(found, 0)],
      services(1740.1234, 1775.6234),
    ),
    byCard(
      'Another card takes the budget over',
      120,
      ({ later }) => ['PATCH', `/project-rate-cards/${later.id}`, { isBudgetRateCard: true }],
      // 10 × 200 + 340 + 200.1234
      services(2540.1234, 2575.6234),
    ),
    byCard(
      'The card that goes leaves the budget to the next one',
      120,
      (found) => ['DELETE', `/project-rate-cards/${found.card.id}`],
      services(2540.1234, 2575.6234),
    ),
  ];
}

function casesOf(key: Key): Case[] {
  const { title, items } = kinds[key];
  const other = key === 'budget' ? 'monthlyBudget' : 'budget';
  const [use, mode] = key === 'budget' ? ['useBudget', 'budgetMode'] : ['useMonthlyBudget', 'monthlyBudgetMode'];
  const given = (world: World) => byRoles(world, key);
  const becomes = (says: string, when: Making['when'], makes: object | null) =>
    making(`${says} (${title})`, key, { given, when, makes });
  const path = (what: string, { id }: Made) => `/${items}-${what}s/${id}`;
  return [
    ...[...casesOfTeams(key, 'role'), ...casesOfTeams(key, 'member')],
    example({
      says: `What is planned for a ${title} counts for no other (${title})`,
      given,
      when: ({ one }) => ['GET', at(one)],
      gives: done({ [key]: whole, [other]: empty }),
    }),
    // 1345 + 300
    becomes(
      'Another fee of a service is another revenue of services',
      ({ service }) => ['PATCH', path('service-item', service), { fee: 300 }],
      { ...whole, ...services(1645, 1680.5) },
    ),
    becomes(
      'Another fee of a product is another revenue of products',
      ({ product }) => ['PATCH', path('product-item', product), { fee: 30.0001 }],
      { ...whole, productsRevenue: 30.0001, revenue: 1580.6235 },
    ),
    becomes('What is no longer planned counts no more', ({ other: one }) => ['DELETE', path('other-item', one)], {
      ...{ ...whole, otherRevenue: 0, revenue: 1575.1234 },
    }),
    becomes(
      'Expenses that are planned to be billed count as such',
      ({ further }) => ['PATCH', path('expense', further), { billableAmount: 1.75, nonBillableAmount: null }],
      { ...whole, billableExpenses: 14, nonBillableExpenses: 3 },
    ),
    becomes('Expenses that go count no more', ({ expense }) => ['DELETE', path('expense', expense)], {
      ...{ ...whole, billableExpenses: 0, nonBillableExpenses: 4 },
    }),
    becomes(
      'Other words of an item change nothing',
      ({ service }) => ['PATCH', path('service-item', service), { description: 'Audit' }],
      whole,
    ),
    becomes(
      'A project that is not billed any more has no revenue, but its hours and costs',
      ({ one }) => ['PATCH', at(one), { billingTypeId: 'non_billable' }],
      { ...empty, nonBillableExpenses: 7, ...hours(14.25, 1.5) },
    ),
    // The roles count no more, and no member has hours.
    becomes('Without roles the hours of members count', ({ one }) => ['PATCH', at(one), { useRoles: false }], {
      ...{ ...planned, ...hours(0, 0) },
    }),
    becomes(
      'A budget that is to be typed in starts from what it was',
      ({ one }) => ['PATCH', at(one), { [mode]: 'summary', [key]: { productsRevenue: 31 } }],
      { ...whole, productsRevenue: 31, revenue: 1581.6234 },
    ),
    making(`A typed-in budget does not follow what is planned (${title})`, key, {
      given: async (world) => {
        const scene = await given(world);
        await world.send('PATCH', at(scene.one), { [mode]: 'summary', [key]: { billableHours: 1 } });
        return scene;
      },
      when: ({ first }) => ['DELETE', `/project-roles/${first.id}`],
      makes: { ...whole, billableHours: 1 },
    }),
    making(`What is planned counts again once the budget is detailed again (${title})`, key, {
      given: async (world) => {
        const scene = await given(world);
        await world.send('PATCH', at(scene.one), { [mode]: 'summary', [key]: { billableHours: 1, otherRevenue: 0 } });
        return scene;
      },
      when: ({ one }) => ['PATCH', at(one), { [mode]: 'detailed' }],
      makes: whole,
    }),
    becomes('Who gives the budget up has none', ({ one }) => ['PATCH', at(one), { [use]: false }], null),
    making(`A budget that is taken up again counts what is planned (${title})`, key, {
      given: async (world) => {
        const scene = await given(world);
        await world.send('PATCH', at(scene.one), { [use]: false });
        return scene;
      },
      when: ({ one }) => ['PATCH', at(one), { [use]: true, [mode]: 'detailed' }],
      makes: whole,
    }),
    example({
      says: `No more is planned than a ${title} can hold`,
      given,
      when: ({ one }) => [
        'POST',
        '/project-roles',
        // 9 999 990 + 14.25 hours
        { projectId: one.id, name: 'Crowd', [key]: hours(9_999_990) },
      ],
      gives: refused(`'${key}.billableHours' must be a number with at most 9 digits`),
      also: ({ one }) => [[at(one), { [key]: whole }]],
    }),
  ];
}

/** Three tasks, two of them below a phase; the role has hours, too, which do not count here. */
async function byTasks(world: World) {
  const scene = await byRoles(world, 'budget');
  const { one } = scene;
  const phase = (await world.make('task-category', { type: 'rollup' })).id;
  const add = (values: object) => world.send('POST', '/tasks', { projectId: one.id, name: 'Step', ...values });
  const top = await add({ taskCategoryId: phase });
  const build = await add({ parentId: top.id, budgetedHours: 10.5, budgetedServicesRevenue: 1200.25 });
  const talk = await add({ parentId: top.id, budgetedHours: 3, isBillable: false });
  const check = await add({ budgetedHours: 2, budgetedServicesRevenue: 99 });
  await world.send('PATCH', at(one), { budgetMode: 'aggregated' });
  return { ...scene, phase, top, build, talk, check };
}
type Tasks = Awaited<ReturnType<typeof byTasks>>;
// 10.5 + 2 hours are billed, 3 are not. 1200.25 + 99 + 200.1234
const ofTasks = { ...planned, ...hours(12.5, 3), ...services(1499.3734, 1534.8734) };
const aggregated = (says: string, when: (scene: Tasks) => Asked, makes: object, gives: Expected = done()) =>
  example({ says, given: byTasks, when, gives, also: ({ one }) => [[at(one), { budget: makes }]] });

const tasks: readonly Case[] = [
  aggregated('An aggregated budget is the sum of the tasks and of the items', ({ one }) => ['GET', at(one)], ofTasks),
  aggregated(
    'Phases count no second time, however deep a task stands',
    ({ talk, phase, top, one }) => [
      'POST',
      '/tasks',
      { projectId: one.id, name: 'Inner', parentId: top.id, taskCategoryId: phase, notes: String(talk.id) },
    ],
    ofTasks,
  ),
  aggregated(
    'Other hours of a task are other hours of the budget',
    ({ build }) => [...(['PATCH', `/tasks/${build.id}`, { budgetedHours: 20 }] as const)],
    { ...ofTasks, ...hours(22, 3) },
  ),
  aggregated(
    'Hours of a task that is not billed any more are not billed, and its revenue stays as it is typed in',
    ({ build }) => ['PATCH', `/tasks/${build.id}`, { isBillable: false }],
    { ...ofTasks, ...hours(2, 13.5) },
  ),
  // 99 + 200.1234
  aggregated('A phase that goes takes its tasks off the budget', ({ top }) => ['DELETE', `/tasks/${top.id}`], {
    ...{ ...planned, ...hours(2, 0), ...services(299.1234, 334.6234) },
  }),
  aggregated(
    'A task that becomes a phase counts no more',
    ({ check, phase }) => ['PATCH', `/tasks/${check.id}`, { taskCategoryId: phase }],
    // 1200.25 + 200.1234
    { ...planned, ...hours(10.5, 3), ...services(1400.3734, 1435.8734) },
  ),
  aggregated(
    'Hours of roles are none of an aggregated budget',
    ({ first }) => ['DELETE', `/project-roles/${first.id}`],
    {
      ...ofTasks,
    },
  ),
  aggregated(
    'A budget that becomes detailed counts the roles instead of the tasks',
    ({ one }) => ['PATCH', at(one), { budgetMode: 'detailed' }],
    whole,
  ),
  aggregated(
    'What is budgeted for tasks stays where the project is not billed any more, and items count no more',
    ({ one }) => ['PATCH', at(one), { billingTypeId: 'non_billable' }],
    { ...empty, nonBillableExpenses: 7, ...hours(12.5, 3), ...services(1299.25, 1299.25) },
  ),
];

const features = ['project_rate_cards', 'business_units', 'pipeline'];
/** A project whose card has another rate than the role: 10 × 120 + 4.25 × 80 + 200.1234 instead of 1545.1234. */
async function carded(world: World) {
  const scene = await byRoles(world, 'budget');
  const roleRates = [{ projectRoleId: scene.first.id, rate: 120 }];
  await world.send('POST', '/project-rate-cards', { projectId: scene.one.id, roleRates });
  return scene;
}
const gated: readonly Case[] = [
  example({
    says: 'Cards price no budget while there are no rate cards',
    given: carded,
    when: () => ['PATCH', '/workspace-settings', { features: features.slice(1) }],
    gives: done(),
    also: ({ one }) => [[at(one), { budget: services(1545.1234, 1580.6234) }]],
  }),
  example({
    says: 'Cards price the budgets again once there are rate cards again',
    given: async (world: World) => {
      await world.send('PATCH', '/workspace-settings', { features });
      const scene = await carded(world);
      await world.send('PATCH', '/workspace-settings', { features: features.slice(1) });
      return scene;
    },
    when: () => ['PATCH', '/workspace-settings', { features }],
    gives: done(),
    also: ({ one }) => [[at(one), { budget: services(1740.1234, 1775.6234) }]],
  }),
];

export const sumsOfBudgets: readonly Case[] = [...casesOf('budget'), ...casesOf('monthlyBudget'), ...tasks, ...gated];
