// Roles agreed with one client: of their own, or with all that a role of the workspace says.
import { type Case, conflict, done, example, type Made, refused, type World } from './case.ts';

const role = ({ send }: World, values: object) => send('POST', '/client-roles', values);

/** A role of the workspace that says everything, and a client. */
async function scene({ make, unique }: World, more: object = {}) {
  const [discipline, practice, location] = [await make('discipline'), await make('practice'), await make('location')];
  const workspaceRole = await make('workspace-role', {
    ...{ name: `Role ${unique}`, rate: 120.5, currency: 'GBP', ...more },
    ...{ disciplineId: discipline.id, practiceId: practice.id, locationId: location.id },
  });
  const client = await make('client', { currency: 'CHF' });
  const own = { clientId: client.id, name: `Own ${unique}` };
  return { client, workspaceRole, own, shows: { discipline, practice, location } };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** A role of the client that is linked to that of the workspace. */
async function linked(world: World, more: object = {}) {
  const given = await scene(world, more);
  const { client, workspaceRole } = given;
  return { ...given, made: await role(world, { clientId: client.id, workspaceRoleId: workspaceRole.id }) };
}
async function single(world: World, more: object = {}) {
  const given = await scene(world);
  return { ...given, made: await role(world, { ...given.own, ...more }) };
}
const at = ({ made }: { readonly made: Made }) => `/client-roles/${made.id}`;

const own: readonly Case[] = [
  example({
    says: 'A role of a client needs a name, for it has none from elsewhere',
    given: scene,
    when: ({ client }) => ['POST', '/client-roles', { clientId: client.id, rate: 90 }],
    gives: refused("'name' is required"),
  }),
  example({
    says: 'A role of a client is billed, in the currency of the client',
    given: scene,
    when: (given) => ['POST', '/client-roles', { ...given.own, rate: 90.1234 }],
    gives: ({ own: { name } }) =>
      done({ name, isBillable: true, rate: 90.1234, currency: 'CHF', workspaceRole: null, discipline: null }),
  }),
  example({
    says: 'A role of a client may have a currency of its own, and no rate',
    given: scene,
    when: (given) => ['POST', '/client-roles', { ...given.own, currency: 'JPY' }],
    gives: done({ rate: null, currency: 'JPY' }),
  }),
  example({
    says: 'A role that is not billed has neither rate nor currency',
    given: scene,
    when: (given) => ['POST', '/client-roles', { ...given.own, isBillable: false }],
    gives: done({ isBillable: false, rate: null, currency: null }),
  }),
  example({
    says: 'A role that is not billed takes neither rate nor currency',
    given: scene,
    when: (given) => ['POST', '/client-roles', { ...given.own, isBillable: false, rate: 90, currency: 'CHF' }],
    gives: refused("'rate' is not allowed", "'currency' is not allowed"),
  }),
  example({
    says: 'A role that is no longer billed loses rate and currency',
    given: (world) => single(world, { rate: 90 }),
    when: (given) => ['PATCH', at(given), { isBillable: false }],
    gives: done({ isBillable: false, rate: null, currency: null }),
  }),
  example({
    says: 'A role that is billed again has the currency of the client, and no rate yet',
    given: (world) => single(world, { isBillable: false }),
    when: (given) => ['PATCH', at(given), { isBillable: true }],
    gives: done({ isBillable: true, rate: null, currency: 'CHF' }),
  }),
  example({
    says: 'A name is taken once for a client, in any letter case',
    given: single,
    when: (given) => ['POST', '/client-roles', { ...given.own, name: given.own.name.toUpperCase() }],
    gives: conflict('A Client Role with the same name already exists.'),
  }),
  example({
    says: 'Another client may have a role of the same name',
    given: async (world) => ({ ...(await single(world)), other: await world.make('client') }),
    when: ({ own: { name }, other }) => ['POST', '/client-roles', { clientId: other.id, name }],
    gives: ({ own: { name } }) => done({ name }),
  }),
  example({
    says: 'A role does not move to another client, nor to a role of the workspace',
    given: async (world) => ({ ...(await single(world)), other: await world.make('client') }),
    when: ({ made, other, workspaceRole }) => [
      'PATCH',
      `/client-roles/${made.id}`,
      { clientId: other.id, workspaceRoleId: workspaceRole.id },
    ],
    gives: refused("'clientId' is not allowed", "'workspaceRoleId' is not allowed"),
  }),
];

const shown = ({ workspaceRole, shows }: Scene) => ({
  ...{ name: workspaceRole['name'], isBillable: true, rate: 120.5, currency: 'GBP' },
  workspaceRole: { id: workspaceRole.id },
  ...Object.fromEntries(Object.entries(shows).map(([key, { id }]) => [key, { id }])),
});

const links: readonly Case[] = [
  example({
    says: 'A linked role says all that the role of the workspace says',
    given: (world) => scene(world),
    when: ({ client, workspaceRole }) => [
      'POST',
      '/client-roles',
      { clientId: client.id, workspaceRoleId: workspaceRole.id },
    ],
    gives: (given) => done(shown(given)),
  }),
  example({
    says: 'A linked role follows the role of the workspace',
    given: (world) => linked(world),
    when: ({ workspaceRole }) => [
      'PATCH',
      `/workspace-roles/${workspaceRole.id}`,
      { rate: 130, currency: 'EUR', practiceId: null },
    ],
    gives: done({ rate: 130 }),
    also: (given) => [[at(given), { ...shown(given), rate: 130, currency: 'EUR', practice: null }]],
  }),
  example({
    says: 'A role linked to one that is not billed is not billed',
    given: (world) => scene(world, { isBillable: false, rate: undefined, currency: undefined }),
    when: ({ client, workspaceRole }) => [
      'POST',
      '/client-roles',
      { clientId: client.id, workspaceRoleId: workspaceRole.id },
    ],
    gives: done({ isBillable: false, rate: null, currency: null }),
  }),
  example({
    says: 'A linked role says nothing of its own',
    given: (world) => scene(world),
    when: ({ client, workspaceRole, shows: { discipline, practice, location } }) => [
      'POST',
      '/client-roles',
      {
        ...{ clientId: client.id, workspaceRoleId: workspaceRole.id, name: 'Own', isBillable: true, rate: 1 },
        ...{ currency: 'EUR', disciplineId: discipline.id, practiceId: practice.id, locationId: location.id },
      },
    ],
    gives: refused(
      ...['name', 'isBillable', 'rate', 'currency', 'disciplineId', 'practiceId', 'locationId'].map(
        (key) => `'${key}' is not allowed`,
      ),
    ),
  }),
  example({
    says: 'A linked role gets nothing of its own later',
    given: (world) => linked(world),
    when: (given) => ['PATCH', at(given), { rate: 1, practiceId: given.shows.practice.id }],
    gives: refused("'rate' is not allowed", "'practiceId' is not allowed"),
  }),
  example({
    says: 'A client is linked once to a role of the workspace',
    given: (world) => linked(world),
    when: ({ client, workspaceRole }) => [
      'POST',
      '/client-roles',
      { clientId: client.id, workspaceRoleId: workspaceRole.id },
    ],
    gives: conflict('A Client Role with the same workspaceRole already exists.'),
  }),
  example({
    says: 'A client is linked to several roles of the workspace',
    given: async (world) => ({ ...(await linked(world)), other: await world.make('workspace-role') }),
    when: ({ client, other }) => ['POST', '/client-roles', { clientId: client.id, workspaceRoleId: other.id }],
    gives: ({ other }) => done({ name: other['name'] }),
  }),
  example({
    says: 'A role of its own may be named as one that is linked',
    given: (world) => linked(world),
    when: ({ client, workspaceRole }) => [
      'POST',
      '/client-roles',
      { clientId: client.id, name: workspaceRole['name'] },
    ],
    gives: ({ workspaceRole }) => done({ name: workspaceRole['name'], workspaceRole: null }),
  }),
  example({
    says: 'A linked role is found by the name that it shows',
    given: (world) => linked(world),
    when: ({ workspaceRole }) => ['GET', `/client-roles?name=${encodeURIComponent(String(workspaceRole['name']))}`],
    gives: ({ made }) => done({ results: [{ id: made.id }] }),
  }),
  example({
    says: 'A role of the workspace that clients are linked to is not deleted',
    given: (world) => linked(world),
    when: ({ workspaceRole }) => ['DELETE', `/workspace-roles/${workspaceRole.id}`],
    gives: conflict('The Workspace Role is in use and cannot be deleted.'),
  }),
  example({
    says: 'A role of the workspace is deleted once no client is linked to it',
    given: async (world) => {
      const given = await linked(world);
      await world.send('DELETE', at(given));
      return given;
    },
    when: ({ workspaceRole }) => ['DELETE', `/workspace-roles/${workspaceRole.id}`],
    gives: done(),
  }),
];

const goes: readonly Case[] = [
  example({
    says: 'A client who goes takes roles and groups of projects along, and companies forget it',
    given: async (world) => {
      const given = await linked(world);
      const { id: clientId } = given.client;
      await role(world, given.own);
      await world.make('project-group', { clientId });
      return { clientId, company: await world.make('company', { clientId }) };
    },
    when: ({ clientId }) => ['DELETE', `/clients/${clientId}`],
    gives: done(),
    also: ({ clientId, company }) => [
      [`/client-roles?clientId=${clientId}`, { results: [] }],
      [`/project-groups?clientId=${clientId}`, { results: [] }],
      [`/companies/${company.id}`, { client: null }],
    ],
  }),
  ...(['project', 'invoice', 'credit-note', 'payment'] as const).map((group) =>
    example({
      says: `A client with a ${group} is not deleted, nor are its roles`,
      given: async (world) => {
        const given = await linked(world);
        await world.make(group, { clientId: given.client.id });
        return given;
      },
      when: ({ client }) => ['DELETE', `/clients/${client.id}`],
      gives: conflict('The Client is in use and cannot be deleted.'),
      also: (given) => [[at(given), shown(given)]],
    }),
  ),
  example({
    says: 'A client who is archived and comes back is billed again',
    given: async (world) => {
      const { id } = await world.make('client', { recordStatusId: 'archived' });
      await world.send('PATCH', `/clients/${id}`, { recordStatusId: 'active' });
      return id;
    },
    when: (clientId) => ['POST', '/invoices', { clientId }],
    gives: (clientId) => done({ client: { id: clientId } }),
  }),
  ...(['PATCH', 'DELETE'] as const).map((method) =>
    example({
      says: `The firm itself is not ${method === 'PATCH' ? 'archived' : 'deleted'}`,
      given: async ({ all }) => (await all('client', '&key=internal'))[0]?.id,
      when: (id) =>
        method === 'PATCH' ? [method, `/clients/${id}`, { recordStatusId: 'archived' }] : [method, `/clients/${id}`],
      gives: conflict('The Client is read-only.'),
    }),
  ),
];

export const clientRoles: readonly Case[] = [...own, ...links, ...goes];
