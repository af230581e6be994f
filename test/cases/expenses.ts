// Expenses of members: what they ask for, whom they may be billed to, their reports and categories.
import { approval } from './approval.ts';
import { type Asked, type Case, conflict, done, example, refused, type World } from './case.ts';
import { change, enter, entered, projectScene, scene } from './expense-scene.ts';

interface Barrier {
  readonly says: string;
  readonly given: (world: World) => Promise<{ readonly expense: object }>;
  readonly close: (given: never) => Asked;
  readonly error: string;
  /** Whether it closes what is there to every change; else to those of what it looks at alone. */
  readonly closesChanges?: boolean;
}

/** What closes expenses to a member: for what is entered, and some for what is changed, but for no decision on what is there. */
function barrier({ says, given, close, error, closesChanges = false }: Barrier): Case[] {
  const existing = (statusId: string) => async (world: World) => {
    const found = await entered(world, await given(world), { statusId });
    await world.send(...close(found as never));
    return found;
  };
  return [
    example({
      says: `${says}, no expense is entered`,
      given: async (world) => {
        const found = await given(world);
        await world.send(...close(found as never));
        return found;
      },
      when: (found) => enter(found),
      gives: refused(error),
    }),
    example({
      says: `${says}, the vendor of what is there is ${closesChanges ? 'not changed' : 'changed'}`,
      given: existing('not_submitted'),
      when: (found) => change(found, { vendor: 'Rail' }),
      gives: closesChanges ? refused(error) : done({ vendor: 'Rail' }),
    }),
    example({
      says: `${says}, an expense that waits for it is still approved`,
      given: existing('pending_approval'),
      when: (found) => change(found, { statusId: 'approved' }),
      gives: done({ statusId: 'approved', amount: 100 }),
    }),
  ];
}

type Scene = Awaited<ReturnType<typeof projectScene>>;
const toCategory =
  (body: object) =>
  ({ expenseCategoryId }: Scene): Asked => ['PATCH', `/expense-categories/${expenseCategoryId}`, body];
const toProject =
  (body: object) =>
  ({ projectId }: Scene): Asked => ['PATCH', `/projects/${projectId}`, body];
const toAssignment =
  (body: object) =>
  ({ assignmentId }: Scene): Asked => ['PATCH', `/project-members/${assignmentId}`, body];
const notMember = "'projectId' must be a project of which the member is an active member";
const locked = "'projectId' must be a project that is not locked for time and expenses";

const barriers: readonly Case[] = [
  barrier({
    says: 'Without attendees in a category that asks for them',
    given: scene,
    close: toCategory({ requireAttendees: true }),
    error: "'attendees' is required",
    closesChanges: true,
  }),
  barrier({
    says: 'Without notes in a category that asks for them',
    given: scene,
    close: toCategory({ requireNotes: true }),
    error: "'notes' is required",
    closesChanges: true,
  }),
  barrier({
    says: 'On a project that is locked',
    given: projectScene,
    close: toProject({ lockTimeAndExpenses: true }),
    error: locked,
    closesChanges: true,
  }),
  barrier({
    says: 'Of a member who works on the project no more',
    given: projectScene,
    close: toAssignment({ isActive: false }),
    error: notMember,
  }),
  barrier({
    says: 'To be billed on a project that is not',
    given: async (world) => {
      const found = await projectScene(world);
      return { ...found, expense: { ...found.expense, isBillable: true } };
    },
    close: toProject({ billingTypeId: 'non_billable' }),
    error: "'isBillable' must be false on a project that is not billable",
  }),
].flat();

const asked: readonly Case[] = [
  ...(['attendees', 'notes'] as const).map((field) =>
    example({
      says: `An expense with ${field} is entered in a category that asks for them`,
      given: (world) => scene(world, { category: { requireAttendees: true, requireNotes: true } }),
      when: (given) => enter(given, { attendees: 'Ann', notes: 'Lunch', [field]: `${field}!` }),
      gives: done({ [field]: `${field}!` }),
    }),
  ),
  example({
    says: 'An expense is not billed without a project',
    given: scene,
    when: (given) => enter(given, { isBillable: true }),
    gives: refused("'isBillable' must be false without a project"),
  }),
  example({
    says: 'An expense without a project is not billed unless it says so',
    given: scene,
    when: (given) => enter(given),
    gives: done({ isBillable: false, project: null }),
  }),
  example({
    says: 'An expense on a billed project is billed unless it says otherwise',
    given: projectScene,
    when: (given) => enter(given),
    gives: ({ projectId }) => done({ isBillable: true, project: { id: projectId } }),
  }),
  example({
    says: 'An expense on a billed project may be left unbilled',
    given: projectScene,
    when: (given) => enter(given, { isBillable: false }),
    gives: done({ isBillable: false }),
  }),
  example({
    says: 'An expense on a project that is not billed is not, either',
    given: (world) => projectScene(world, { project: { billingTypeId: 'non_billable' } }),
    when: (given) => enter(given),
    gives: done({ isBillable: false }),
  }),
  example({
    says: 'An expense that is billed does not lose its project',
    given: async (world) => entered(world, await projectScene(world)),
    when: (given) => change(given, { projectId: null }),
    gives: refused("'isBillable' must be false without a project"),
  }),
  example({
    says: 'An expense that is not billed may lose its project',
    given: async (world) => entered(world, await projectScene(world), { isBillable: false }),
    when: (given) => change(given, { projectId: null }),
    gives: done({ project: null }),
  }),
  example({
    says: 'A member enters no expense on a project of others',
    given: async (world) => ({ ...(await scene(world)), other: await world.make('project') }),
    when: (given) => enter(given, { projectId: given.other.id, isBillable: false }),
    gives: refused(notMember),
  }),
  example({
    says: 'An expense does not move to a project of others',
    given: async (world) => ({ ...(await entered(world, await scene(world))), other: await world.make('project') }),
    when: (given) => change(given, { projectId: given.other.id }),
    gives: refused(notMember),
  }),
];

const noExpenses = "'projectId' must be an active project that takes expenses";
const closed: readonly object[] = [
  { statusId: 'tentative' },
  { statusId: 'completed' },
  { statusId: 'cancelled' },
  { recordStatusId: 'archived' },
];
const moving = async (world: World, project: object) => {
  const found = await projectScene(world, { project });
  return entered(world, found, { projectId: undefined, isBillable: false });
};

const projects: readonly Case[] = [
  ...['not_started', 'in_progress', 'paused'].map((statusId) =>
    example({
      says: `A project that is ${statusId} takes expenses`,
      given: (world) => projectScene(world, { project: { statusId } }),
      when: (given) => enter(given),
      gives: ({ projectId }) => done({ project: { id: projectId } }),
    }),
  ),
  ...closed.flatMap((state) => [
    example({
      says: `A project that is ${Object.values(state)} takes no expenses`,
      given: (world) => projectScene(world, { project: state }),
      when: (given) => enter(given),
      gives: refused(noExpenses),
    }),
    example({
      says: `An expense does not move to a project that is ${Object.values(state)}`,
      given: (world) => moving(world, state),
      when: (given) => change(given, { projectId: given.projectId }),
      gives: refused(noExpenses),
    }),
    example({
      says: `An expense on a project that has become ${Object.values(state)} may still change`,
      given: async (world) => {
        const found = await entered(world, await projectScene(world));
        await world.send('PATCH', `/projects/${found.projectId}`, state);
        return found;
      },
      when: (given) => change(given, { vendor: 'Rail', projectId: given.projectId }),
      gives: done({ vendor: 'Rail' }),
    }),
  ]),
  example({
    says: 'An expense may move to a project of its member, and stays unbilled',
    given: (world) => moving(world, {}),
    when: (given) => change(given, { projectId: given.projectId }),
    gives: ({ projectId }) => done({ project: { id: projectId }, isBillable: false }),
  }),
  example({
    says: 'An expense does not move to a project that is locked',
    given: (world) => moving(world, { lockTimeAndExpenses: true }),
    when: (given) => change(given, { projectId: given.projectId }),
    gives: refused(locked),
  }),
];

const reports: readonly Case[] = [
  example({
    says: 'A report has the number after the last one',
    given: async ({ make }) => {
      const { id: memberId } = await make('member');
      return { memberId, last: await make('expense-report') };
    },
    when: ({ memberId }) => ['POST', '/expense-reports', { title: 'March', memberId, date: '2026-03-31' }],
    gives: ({ last, memberId }) => done({ number: Number(last['number']) + 1, member: { id: memberId } }),
  }),
  example({
    says: 'A number of a report that is gone is not given again',
    given: async ({ make, send }) => {
      const { id: memberId } = await make('member');
      const last = await make('expense-report');
      await send('DELETE', `/expense-reports/${last.id}`);
      return { memberId, last };
    },
    when: ({ memberId }) => ['POST', '/expense-reports', { title: 'March', memberId }],
    gives: ({ last }) => done({ number: Number(last['number']) + 1 }),
  }),
  example({
    says: 'A report keeps its number',
    given: ({ make }) => make('expense-report'),
    when: ({ id }) => ['PATCH', `/expense-reports/${id}`, { title: 'April' }],
    gives: (report) => done({ title: 'April', number: report['number'] }),
  }),
  example({
    says: 'An expense is that of the member of its report',
    given: scene,
    when: (given) => enter(given),
    gives: ({ memberId, report }) => done({ member: { id: memberId }, expenseReport: { id: report.id } }),
    also: ({ memberId, report }) => [
      [`/expense-items?memberId=${memberId}`, { results: [{ expenseReport: { id: report.id } }] }],
    ],
  }),
  example({
    says: 'An expense may move to another report of its member',
    given: async (world) => {
      const found = await entered(world, await scene(world));
      return { ...found, other: await world.make('expense-report', { memberId: found.memberId }) };
    },
    when: (given) => change(given, { expenseReportId: given.other.id }),
    gives: ({ other, memberId }) => done({ expenseReport: { id: other.id }, member: { id: memberId } }),
  }),
  example({
    says: 'An expense does not move to a report of another member',
    given: async (world) => {
      const found = await entered(world, await scene(world));
      const { id: memberId } = await world.make('member');
      return { ...found, other: await world.make('expense-report', { memberId }) };
    },
    when: (given) => change(given, { expenseReportId: given.other.id }),
    gives: refused("'expenseReportId' must be a report of the same member"),
  }),
  ...(['pending_approval', 'approved'] as const).map((statusId) =>
    example({
      says: `A report is not deleted while one of its expenses is ${statusId}`,
      given: async (world) => {
        const found = await scene(world);
        await entered(world, found);
        return entered(world, found, { statusId });
      },
      when: ({ report }) => ['DELETE', `/expense-reports/${report.id}`],
      gives: conflict('The Expense Report is in use and cannot be deleted.'),
    }),
  ),
  example({
    says: 'A report that is deleted takes its expenses along, submitted or sent back, and their receipts',
    given: async (world) => {
      const found = await scene(world);
      await entered(world, found);
      const { item } = await entered(world, found, { statusId: 'rejected' });
      await world.make('expense-receipt', { memberId: found.memberId, expenseItemId: item.id });
      const other = await entered(world, await scene(world), { statusId: 'approved' });
      return { ...found, other: other.item };
    },
    when: ({ report }) => ['DELETE', `/expense-reports/${report.id}`],
    gives: done(),
    also: ({ memberId, other }) => [
      [`/expense-reports?memberId=${memberId}`, { results: [] }],
      [`/expense-items?memberId=${memberId}`, { results: [] }],
      [`/expense-receipts?memberId=${memberId}`, { results: [] }],
      [`/expense-items/${other.id}`, { statusId: 'approved' }],
    ],
  }),
];

const approvals = approval({
  name: 'An expense',
  title: 'Expense Item',
  path: '/expense-items',
  made: async (world, statusId) => (await entered(world, await scene(world), { statusId })).item,
  edit: { vendor: 'Rail' },
});

const categories: readonly Case[] = [
  example({
    says: 'A category counts units with their name and their price',
    when: () => ['POST', '/expense-categories', { name: 'Miles', unitName: 'mi', unitAmount: 0.45 }],
    gives: done({ unitName: 'mi', unitAmount: 0.45, invoiceItem: { name: 'Expense' } }),
  }),
  example({
    says: 'A category counts no units without a name and a price of them',
    when: () => ['POST', '/expense-categories', { name: 'Taxi' }],
    gives: done({ unitName: null, unitAmount: null }),
  }),
  example({
    says: 'A category may count units that are free',
    when: () => ['POST', '/expense-categories', { name: 'Steps', unitName: 'step', unitAmount: 0 }],
    gives: done({ unitName: 'step', unitAmount: 0 }),
  }),
  example({
    says: 'Units of a category need a price',
    when: () => ['POST', '/expense-categories', { name: 'Nights', unitName: 'night' }],
    gives: refused("'unitAmount' is required"),
  }),
  example({
    says: 'A price of units needs their name, and so does one of 0',
    when: () => ['POST', '/expense-categories', { name: 'Nights', unitAmount: 0 }],
    gives: refused("'unitName' is required"),
  }),
  example({
    says: 'Units of a category do not lose their price',
    given: ({ make }) => make('expense-category', { unitName: 'km', unitAmount: 0.3 }),
    when: ({ id }) => ['PATCH', `/expense-categories/${id}`, { unitAmount: null }],
    gives: refused("'unitAmount' is required"),
  }),
  example({
    says: 'A category may give up its units with their price',
    given: ({ make }) => make('expense-category', { unitName: 'km', unitAmount: 0.3 }),
    when: ({ id }) => ['PATCH', `/expense-categories/${id}`, { unitName: '', unitAmount: null }],
    gives: done({ unitName: null, unitAmount: null }),
  }),
  example({
    says: 'A category is invoiced with an item for expenses of its own',
    given: ({ make }) => make('invoice-item', { typeId: 'expense' }),
    when: ({ id }) => ['POST', '/expense-categories', { name: 'Visa', invoiceItemId: id }],
    gives: ({ id }) => done({ invoiceItem: { id } }),
  }),
  example({
    says: 'A category is not invoiced with an item for income',
    given: ({ make }) => make('invoice-item', { typeId: 'income' }),
    when: ({ id }) => ['POST', '/expense-categories', { name: 'Visum', invoiceItemId: id }],
    gives: refused("'invoiceItemId' must be an expense item"),
  }),
  example({
    says: 'A category does not change to an item for income',
    given: async ({ make }) => ({
      category: await make('expense-category'),
      item: await make('invoice-item', { typeId: 'income' }),
    }),
    when: ({ category, item }) => ['PATCH', `/expense-categories/${category.id}`, { invoiceItemId: item.id }],
    gives: refused("'invoiceItemId' must be an expense item"),
  }),
];

export const expenses: readonly Case[] = [...barriers, ...asked, ...projects, ...reports, ...approvals, ...categories];
