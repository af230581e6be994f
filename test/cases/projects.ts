import { type Case, conflict, done, type Expected, example, type Made, refused, type World } from './case.ts';

const path = '/projects';
export const at = ({ id }: { readonly id: string }) => `${path}/${id}`;

export const body = (client: Made, values: object = {}) => ({
  ...{ name: 'Website', clientId: client.id, billingTypeId: 'tm' },
  ...values,
});
export const project = async (world: World, values: object = {}, client?: Made) =>
  world.send('POST', path, body(client ?? (await world.make('client')), values));

/** A new project of a new client, of which this is sent. */
export const creating = (says: string, values: object, gives: Expected) =>
  example({
    says,
    given: ({ make }: World) => make('client'),
    when: (client) => ['POST', path, body(client, values)],
    gives,
  });
/** A project that is so, of which that is sent then. */
export const changing = (says: string, values: object, sent: object, gives: Expected) =>
  example({ says, given: (world: World) => project(world, values), when: (one) => ['PATCH', at(one), sent], gives });

/** A project of this name is made for a client who has projects of those names. */
const keyed = (says: string, names: readonly string[], name: string, key: string) =>
  example({
    says,
    given: async (world: World) => {
      const client = await world.make('client');
      for (const other of names) await project(world, { name: other }, client);
      await project(world, { name });
      return client;
    },
    when: (client) => ['POST', path, body(client, { name })],
    gives: done({ name, key }),
  });
const keys: readonly Case[] = [
  keyed('The key of a project is made from the name, for its client alone', [], 'Größe: 2. Phase', 'gro-e-2-phase'),
  keyed('A second project of a name has a 2 behind its key', ['New Website'], 'New website', 'new-website-2'),
  keyed('A third project of a name has a 3 behind its key', ['Site', 'Site'], 'Site', 'site-3'),
  keyed('A number that stands in the name is no number of a key', ['Site 2'], 'Site', 'site'),
  keyed('A number that the name of another project has is passed over', ['Site', 'Site 2'], 'Site', 'site-3'),
  keyed('A name without letters and digits gives the key project', [], '東京', 'project'),
  keyed('Such names are numbered as well', ['東京'], '京都', 'project-2'),
  example({
    says: 'A key that is sent is not changed where the client has it already',
    given: async (world: World) => {
      const client = await world.make('client');
      await project(world, { name: 'Site' }, client);
      return client;
    },
    when: (client) => ['POST', path, body(client, { key: 'site' })],
    gives: conflict('A Project with the same key already exists.'),
  }),
  changing(
    'Another name leaves the key as it is',
    { name: 'Site' },
    { name: 'Shop' },
    done({ name: 'Shop', key: 'site' }),
  ),
];

const backwards = refused("'end' must be on or after start");
const monthsBackwards = refused("'fixedRecurringEnd' must be on or after fixedRecurringStart");
const monthly = { billingTypeId: 'fixed_recurring' };
const year = { ...monthly, fixedRecurringStart: '2026-01-01', fixedRecurringEnd: '2026-12-01' };
const firstDay = 'must be the first day of a month';
const days: readonly Case[] = [
  creating(
    'A project may be planned for one day',
    { start: '2026-03-02', end: '2026-03-02' },
    done({ start: '2026-03-02', end: '2026-03-02' }),
  ),
  creating('A project does not end before it starts', { start: '2026-03-02', end: '2026-03-01' }, backwards),
  creating('A project may have an end alone', { end: '2026-03-01' }, done({ start: null, end: '2026-03-01' })),
  changing(
    'The end of a project does not move before its start',
    { start: '2026-03-02', end: '2026-03-31' },
    { end: '2026-03-01' },
    backwards,
  ),
  changing(
    'The start of a project does not move behind its end',
    { start: '2026-03-02', end: '2026-03-31' },
    { start: '2026-04-01' },
    backwards,
  ),
  changing(
    'A project that loses its end can start at any time',
    { start: '2026-03-02', end: '2026-03-31' },
    { start: '2026-04-01', end: null },
    done({ start: '2026-04-01', end: null }),
  ),
  creating(
    'A monthly fee may be for one month',
    { ...year, fixedRecurringEnd: '2026-01-01' },
    done({ fixedRecurringStart: '2026-01-01', fixedRecurringEnd: '2026-01-01' }),
  ),
  creating(
    'The last month of a fee is not before the first',
    { ...year, fixedRecurringEnd: '2025-12-01' },
    monthsBackwards,
  ),
  changing(
    'The first month of a fee does not move behind the last',
    year,
    { fixedRecurringStart: '2027-01-01' },
    monthsBackwards,
  ),
  creating(
    'The first month of a fee is given by its first day',
    { ...year, fixedRecurringStart: '2026-01-02' },
    refused(`'fixedRecurringStart' ${firstDay}`),
  ),
  creating(
    'The last month of a fee is given by its first day',
    { ...year, fixedRecurringEnd: '2026-12-31' },
    refused(`'fixedRecurringEnd' ${firstDay}`),
  ),
  creating(
    'Both months of a fee are told at once',
    { ...year, fixedRecurringStart: '2026-01-11', fixedRecurringEnd: '2026-12-10' },
    refused(`'fixedRecurringStart' ${firstDay}`, `'fixedRecurringEnd' ${firstDay}`),
  ),
  changing(
    'A month of a fee stays given by its first day',
    year,
    { fixedRecurringEnd: '2026-12-21' },
    refused(`'fixedRecurringEnd' ${firstDay}`),
  ),
];

const internal = async ({ all }: World) => (await all('client', '&key=internal'))[0] as Made;
const notInternal = refused("'billingTypeId' must be non_billable for the internal client");
const archived = async (world: World) => {
  const client = await world.make('client');
  await world.send('PATCH', `/clients/${client.id}`, { recordStatusId: 'archived' });
  return client;
};
const otherGroup = refused("'projectGroupId' must be a group of the same client");
/** A client with a group, and a group of another client. */
const grouped = async (world: World) => {
  const [client, other] = [await world.make('client'), await world.make('client')];
  const group = await world.make('project-group', { clientId: client.id });
  return { client, other, group, foreign: await world.make('project-group', { clientId: other.id }) };
};
const inGroup = async (world: World) => {
  const scene = await grouped(world);
  return { ...scene, one: await project(world, { projectGroupId: scene.group.id }, scene.client) };
};
const parties: readonly Case[] = [
  example({
    says: 'Work for the company itself is not billed',
    given: internal,
    when: (client) => ['POST', path, body(client, { billingTypeId: 'non_billable' })],
    gives: done({ isBillable: false }),
  }),
  ...['tm', 'fixed', 'fixed_recurring'].map((billingTypeId) =>
    example({
      says: `A project of the company itself cannot be billed (${billingTypeId})`,
      given: internal,
      when: (client) => ['POST', path, body(client, { billingTypeId })],
      gives: notInternal,
    }),
  ),
  example({
    says: 'A project of the company itself cannot come to be billed',
    given: async (world: World) => project(world, { billingTypeId: 'non_billable' }, await internal(world)),
    when: (one) => ['PATCH', at(one), { billingTypeId: 'tm' }],
    gives: notInternal,
  }),
  example({
    says: 'A billed project cannot become one of the company itself',
    given: async (world: World) => ({ client: await internal(world), one: await project(world) }),
    when: ({ client, one }) => ['PATCH', at(one), { clientId: client.id }],
    gives: notInternal,
  }),
  example({
    says: 'An archived client gets no new projects',
    given: archived,
    when: (client) => ['POST', path, body(client)],
    gives: refused("'clientId' must be an active client"),
  }),
  example({
    says: 'A project goes on when its client is archived',
    given: async (world: World) => {
      const client = await world.make('client');
      const one = await project(world, {}, client);
      await world.send('PATCH', `/clients/${client.id}`, { recordStatusId: 'archived' });
      return one;
    },
    when: (one) => ['PATCH', at(one), { statusId: 'in_progress' }],
    gives: done({ statusId: 'in_progress' }),
  }),
  example({
    says: 'A project may be handed to an archived client',
    given: async (world: World) => ({ client: await archived(world), one: await project(world) }),
    when: ({ client, one }) => ['PATCH', at(one), { clientId: client.id }],
    gives: ({ client }) => done({ client: { id: client.id } }),
  }),
  example({
    says: 'A project can belong to a group of its client',
    given: grouped,
    when: ({ client, group }) => ['POST', path, body(client, { projectGroupId: group.id })],
    gives: ({ group }) => done({ projectGroup: { id: group.id } }),
  }),
  example({
    says: 'A project does not begin in a group of another client',
    given: grouped,
    when: ({ client, foreign }) => ['POST', path, body(client, { projectGroupId: foreign.id })],
    gives: otherGroup,
  }),
  example({
    says: 'A project does not move to a group of another client',
    given: inGroup,
    when: ({ one, foreign }) => ['PATCH', at(one), { projectGroupId: foreign.id }],
    gives: otherGroup,
  }),
  example({
    says: 'A project does not keep its group when it goes to another client',
    given: inGroup,
    when: ({ one, other }) => ['PATCH', at(one), { clientId: other.id }],
    gives: otherGroup,
  }),
  example({
    says: 'A project can change client and group together',
    given: inGroup,
    when: ({ one, other, foreign }) => ['PATCH', at(one), { clientId: other.id, projectGroupId: foreign.id }],
    gives: ({ other, foreign }) => done({ client: { id: other.id }, projectGroup: { id: foreign.id } }),
  }),
];

const billing: readonly Case[] = [
  ...(['tm', 'fixed', 'fixed_recurring'] as const).map((billingTypeId) =>
    creating(
      `A project is billed unless it is said not to be (${billingTypeId})`,
      { billingTypeId },
      done({ isBillable: true }),
    ),
  ),
  creating('A project may not be billed', { billingTypeId: 'non_billable' }, done({ isBillable: false })),
  changing(
    'A project can come to be billed',
    { billingTypeId: 'non_billable' },
    { billingTypeId: 'fixed' },
    done({ isBillable: true }),
  ),
  changing('A project can cease to be billed', {}, { billingTypeId: 'non_billable' }, done({ isBillable: false })),
];

const team = (member: { readonly id: string }) => `/project-members?memberId=${member.id}`;
const administrators: readonly Case[] = [
  example({
    says: 'The administrator of a new project is on its team',
    given: async ({ make }: World) => ({ client: await make('client'), member: await make('member') }),
    when: ({ client, member }) => ['POST', path, body(client, { name: 'Shop', projectAdminId: member.id })],
    gives: done({ name: 'Shop' }),
    also: ({ member }) => [
      [
        team(member),
        { results: [{ typeId: 'administrator', isActive: true, isBillable: true, project: { name: 'Shop' } }] },
      ],
    ],
  }),
  example({
    says: 'The administrator of a project that is not billed is not billed',
    given: async ({ make }: World) => ({ client: await make('client'), member: await make('member') }),
    when: ({ client, member }) => [
      'POST',
      path,
      body(client, { billingTypeId: 'non_billable', projectAdminId: member.id }),
    ],
    gives: done(),
    also: ({ member }) => [[team(member), { results: [{ typeId: 'administrator', isBillable: false }] }]],
  }),
  example({
    says: 'Who makes a project administers it',
    byMember: true,
    given: async ({ make, actor, unique }: World) => ({ client: await make('client'), actor, name: `Shop ${unique}` }),
    when: ({ client, name }) => ['POST', path, body(client, { name })],
    gives: ({ name }) => done({ name }),
    also: ({ actor, name }) => [
      [`${team(actor)}&limit=1`, { results: [{ typeId: 'administrator', project: { name } }] }],
    ],
  }),
  example({
    says: 'Who makes a project can have somebody else administer it',
    byMember: true,
    given: async ({ make, actor }: World) => ({ client: await make('client'), actor, member: await make('member') }),
    when: ({ client, member }) => ['POST', path, body(client, { name: 'Not mine', projectAdminId: member.id })],
    gives: done(),
    also: ({ member }) => [[team(member), { results: [{ typeId: 'administrator', project: { name: 'Not mine' } }] }]],
  }),
  example({
    says: 'A project that no member makes has an empty team',
    given: (world: World) => project(world),
    when: ({ id }) => ['GET', `/project-members?projectId=${id}`],
    gives: done({ results: [] }),
  }),
  example({
    says: 'The administrator is told when the project is made, not later',
    given: async (world: World) => ({ one: await project(world), member: await world.make('member') }),
    when: ({ one, member }) => ['PATCH', at(one), { projectAdminId: member.id }],
    gives: refused("'projectAdminId' is not allowed"),
  }),
];

export const projects: readonly Case[] = [...[...keys, ...days, ...parties, ...billing, ...administrators]];
