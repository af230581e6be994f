// What goes with a member: who approves, what is billed, which time off is taken; and what a delete asks for and leaves.
import { type Case, conflict, done, type Expected, example, type Made, refused, type World } from './case.ts';

type Values = Readonly<Record<string, unknown>>;
const at = ({ id }: Made) => `/members/${id}`;
const made = (world: World, values: Values = {}) =>
  world.send('POST', '/members', { name: 'Ada', email: `terms${world.unique}@example.com`, ...values });

/** A new member, of whom this is sent with the id of somebody else. */
const creating = (says: string, values: (other: string) => Values, gives: Expected) =>
  example({
    says,
    given: async (world: World) => ({ unique: world.unique, other: (await made(world)).id }),
    when: ({ unique, other }) => [
      'POST',
      '/members',
      { name: 'Grace', email: `more${unique}@example.com`, ...values(other) },
    ],
    gives,
  });
const changing = (says: string, values: (other: string) => Values, sent: (other: string) => Values, gives: Expected) =>
  example({
    says,
    given: async (world: World) => {
      const other = (await made(world)).id;
      return { other, one: await made(world, values(other)) };
    },
    when: ({ one, other }) => ['PATCH', at(one), sent(other)],
    gives,
  });
const nothing = () => ({});

const needsManager = refused("'managerId' is required");
const managers: readonly Case[] = [
  creating('A manager who approves time off is there', () => ({ timeOffApprovalMode: 'manager' }), needsManager),
  creating(
    'A manager who approves expenses is there',
    () => ({ internalExpenseApprovalMode: 'manager' }),
    needsManager,
  ),
  creating(
    'A manager can approve both',
    (managerId) => ({ timeOffApprovalMode: 'manager', internalExpenseApprovalMode: 'manager', managerId }),
    done({ timeOffApprovalMode: 'manager', timeOffApprover: null, internalExpenseApprover: null }),
  ),
  changing(
    'A manager who approves does not leave without another',
    (managerId) => ({ timeOffApprovalMode: 'manager', managerId }),
    () => ({ managerId: null }),
    needsManager,
  ),
  changing(
    'A manager leaves with the approval',
    (managerId) => ({ timeOffApprovalMode: 'manager', managerId }),
    () => ({ managerId: null, timeOffApprovalMode: 'auto' }),
    done({ manager: null, timeOffApprovalMode: 'auto' }),
  ),
];

/** The same for time off and for expenses. */
const approvers: readonly Case[] = [
  ['time off', 'timeOffApprovalMode', 'timeOffApprover'],
  ['expenses', 'internalExpenseApprovalMode', 'internalExpenseApprover'],
].flatMap(([what = '', mode = '', field = '']) => {
  const key = `${field}Id`;
  return [
    creating(`Somebody in particular approves ${what}`, (other) => ({ [mode]: 'member', [key]: other }), done()),
    creating(`Whoever approves ${what} is named`, () => ({ [mode]: 'member' }), refused(`'${key}' is required`)),
    creating(
      `Nobody approves ${what} that needs no approval`,
      (other) => ({ [key]: other }),
      refused(`'${key}' is not allowed`),
    ),
    changing(
      `Nobody approves ${what} any more that needs no approval`,
      (other) => ({ [mode]: 'member', [key]: other }),
      () => ({ [mode]: 'auto' }),
      done({ [mode]: 'auto', [field]: null }),
    ),
    changing(
      `The manager takes over from whoever approved ${what}`,
      (other) => ({ [mode]: 'member', [key]: other }),
      (managerId) => ({ [mode]: 'manager', managerId }),
      done({ [field]: null }),
    ),
  ];
});

const timeOffTypes: readonly Case[] = [
  creating(
    'Certain types of time off are named',
    () => ({ allowedTimeOffTypes: 'custom' }),
    refused("'timeOffTypeIds' is required"),
  ),
  creating(
    'Certain types of time off are some at least',
    () => ({ allowedTimeOffTypes: 'custom', timeOffTypeIds: [] }),
    refused("'timeOffTypeIds' is required"),
  ),
  example({
    says: 'Where all types of time off are allowed none is named',
    given: async (world: World) => ({ one: await made(world), type: await world.make('time-off-type') }),
    when: ({ one, type }) => ['PATCH', at(one), { timeOffTypeIds: [type.id] }],
    gives: refused("'timeOffTypeIds' is not allowed"),
  }),
  example({
    says: 'Certain types of time off are forgotten when all are allowed',
    given: async (world: World) => {
      const { id } = await world.make('time-off-type');
      return made(world, { allowedTimeOffTypes: 'custom', timeOffTypeIds: [id] });
    },
    when: (one) => ['PATCH', at(one), { allowedTimeOffTypes: 'all' }],
    gives: done({ allowedTimeOffTypes: 'all', timeOffTypes: [] }),
  }),
  example({
    says: 'The only type of time off that a member may take stays',
    given: async (world: World) => {
      const { id } = await world.make('time-off-type');
      await made(world, { allowedTimeOffTypes: 'custom', timeOffTypeIds: [id] });
      return id;
    },
    when: (id) => ['DELETE', `/time-off-types/${id}`],
    gives: conflict('The Time Off Type is in use and cannot be deleted.'),
  }),
  example({
    says: 'One of two types of time off that a member may take can go',
    given: async (world: World) => {
      const [one, two] = [await world.make('time-off-type'), await world.make('time-off-type')];
      const member = await made(world, { allowedTimeOffTypes: 'custom', timeOffTypeIds: [one.id, two.id] });
      return { one, two, member };
    },
    when: ({ one }) => ['DELETE', `/time-off-types/${one.id}`],
    gives: done(),
    also: ({ member, two }) => [[at(member), { timeOffTypes: [{ id: two.id }] }]],
  }),
];

const rates: readonly Case[] = [
  creating(
    'A rate is in the main currency unless it says otherwise',
    () => ({ defaultRate: 100 }),
    done({ defaultRate: 100, defaultRateCurrency: 'USD' }),
  ),
  creating(
    'A rate may be in another currency',
    () => ({ defaultRate: 100.0001, defaultRateCurrency: 'JPY' }),
    done({ defaultRate: 100.0001, defaultRateCurrency: 'JPY' }),
  ),
  creating(
    'Without a rate there is no currency of it',
    () => ({ defaultRateCurrency: 'EUR' }),
    refused("'defaultRateCurrency' is not allowed"),
  ),
  creating('A member needs no rate', nothing, done({ defaultRate: null, defaultRateCurrency: null })),
  changing(
    'The currency goes with the rate',
    () => ({ defaultRate: 100, defaultRateCurrency: 'EUR' }),
    () => ({ defaultRate: null }),
    done({ defaultRate: null, defaultRateCurrency: null }),
  ),
  changing(
    'A rate that comes later is in the main currency unless it says otherwise',
    nothing,
    () => ({ defaultRate: 80 }),
    done({ defaultRate: 80, defaultRateCurrency: 'USD' }),
  ),
];

const inUse = conflict('The Member is in use and cannot be deleted.');
/** Somebody who is in use so is not deleted. */
const used = (says: string, use: (world: World, id: string) => Promise<unknown>) =>
  example({
    says,
    given: async (world: World) => {
      const one = await made(world);
      await use(world, one.id);
      return one;
    },
    when: (one) => ['DELETE', at(one)],
    gives: inUse,
  });
const days = { start: '2026-03-02', end: '2026-03-06', unit: 'day', hoursPerDay: 8 };
const deletes: readonly Case[] = [
  used('A manager is not deleted', (world, managerId) => made(world, { managerId })),
  used('Who approves time off of somebody is not deleted', (world, timeOffApproverId) =>
    made(world, { timeOffApprovalMode: 'member', timeOffApproverId }),
  ),
  used('Who approves expenses of somebody is not deleted', (world, internalExpenseApproverId) =>
    made(world, { internalExpenseApprovalMode: 'member', internalExpenseApproverId }),
  ),
  used('Who is on a project is not deleted', ({ make }, memberId) => make('project-member', { memberId })),
  used('Who has planned time off is not deleted', async ({ make, send }, memberId) =>
    send('POST', '/allocations', {
      ...{ resourceTypeId: 'member', memberId, assignmentTypeId: 'time_off', ...days },
      timeOffTypeId: (await make('time-off-type')).id,
    }),
  ),
  example({
    says: 'Who goes is named nowhere any more',
    given: async (world: World) => {
      const { make } = world;
      const one = await made(world);
      const ownerId = one.id;
      const company = await make('company', { ownerId });
      return {
        ...{ one, company, contact: await make('contact', { ownerId }) },
        client: await make('client', { ownerId, salesRepresentativeId: ownerId }),
        activity: await make('pipeline-activity', { memberIds: [world.actor.id, ownerId] }),
        actor: world.actor,
      };
    },
    when: ({ one }) => ['DELETE', at(one)],
    gives: done(),
    also: ({ company, contact, client, activity, actor }) => [
      [`/companies/${company.id}`, { owner: null }],
      [`/contacts/${contact.id}`, { ownerId: null }],
      [`/clients/${client.id}`, { owner: null, salesRepresentative: null }],
      [`/pipeline-activities/${activity.id}`, { members: [{ id: actor.id }] }],
    ],
  }),
  example({
    says: 'Who is made inactive keeps projects and planned work',
    given: async (world: World) => {
      const one = await made(world, { loginEnabled: true });
      const { id: projectId } = await world.make('project');
      const work = { resourceTypeId: 'member', memberId: one.id, assignmentTypeId: 'project', projectId, ...days };
      return { one, planned: await world.send('POST', '/allocations', work) };
    },
    when: ({ one }) => ['PATCH', at(one), { isActive: false }],
    gives: done({ isActive: false, loginEnabled: false }),
    also: ({ one, planned }) => [
      [`/allocations/${planned.id}`, { member: { id: one.id }, totalHours: planned['totalHours'] }],
      [`/project-members?memberId=${one.id}`, { results: [{ isActive: true }] }],
    ],
  }),
];

const roleNamed = async ({ send }: World, name: string): Promise<Made> => {
  const { results } = (await send('GET', `/security-roles?name=${name}`)) as unknown as { results: readonly [Made] };
  return results[0];
};
const locked = conflict('The Security Role is read-only.');
const roles: readonly Case[] = [
  example({
    says: 'The role of administrators does not change',
    given: (world: World) => roleNamed(world, 'Administrator'),
    when: ({ id }) => ['PATCH', `/security-roles/${id}`, { name: 'Root' }],
    gives: locked,
  }),
  example({
    says: 'The role of administrators stays',
    given: (world: World) => roleNamed(world, 'Administrator'),
    when: ({ id }) => ['DELETE', `/security-roles/${id}`],
    gives: locked,
  }),
  example({
    says: 'A role that somebody has stays',
    given: async (world: World) => {
      const role = await world.make('security-role', { isDefault: false });
      await made(world, { securityRoleId: role.id });
      return role;
    },
    when: ({ id }) => ['DELETE', `/security-roles/${id}`],
    gives: conflict('The Security Role is in use and cannot be deleted.'),
  }),
  example({
    says: 'A new member has the role that is the default',
    given: async (world: World) => ({
      unique: world.unique,
      role: ((await world.all('security-role')) as unknown as readonly Made[]).find((one) => one['isDefault'] === true),
    }),
    when: ({ unique }) => ['POST', '/members', { name: 'Alan', email: `role${unique}@example.com` }],
    gives: ({ role }) => done({ securityRole: { id: role?.id } }),
  }),
];

export const peopleTerms: readonly Case[] = [
  ...[...managers, ...approvers, ...timeOffTypes, ...rates, ...deletes, ...roles],
];
