// What the document tells besides groups: access, the log, sign-in, each where it is there, and as the service answers it.
import { expect, test } from 'vitest';
import { shownToAll } from '../../src/access/shown-to-all.ts';
import { documentOf } from '../../src/app/access/described.ts';
import { loadRoles } from '../../src/app/registry.ts';
import { apiInfo, type DocumentInfo } from '../../src/endpoints/document/openapi.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { Administration } from '../../src/people/people.ts';
import { everyone } from '../people/everyone.ts';
import { Contract } from '../support/service/contract.ts';
import { newToken } from '../support/service/new-token.ts';
import { accessToken, type Folder, folders, onEveryDatabase, registryOf } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

/** Complete once the service has begun. */

interface Document {
  readonly paths: Readonly<Record<string, object>>;
  readonly tags: readonly { readonly name: string }[];
}

const made = (folder: Folder, parts: Partial<Parameters<typeof documentOf>[0]> = {}): Document => {
  const registry = registryOf(folder);
  const document = documentOf({ registry, endpoints: endpointsOf(registry), roles: undefined, ...parts });
  return JSON.parse(JSON.stringify(document)) as Document;
};

test('tells of the log, of sign-in and of roles where they are there', () => {
  const roles = loadRoles(`${folders.studio}/roles`, registryOf('studio'));
  const plain = made('studio');
  const all = made('studio', { roles, hasLog: true, signIn: ['password'] });
  const more = Object.keys(all.paths).filter((path) => !(path in plain.paths));
  expect(more).toEqual([
    '/changes',
    '/history/{group}/{id}',
    '/history/settings',
    '/writes/{write}',
    '/writes/{write}/undo',
    '/webhooks',
    '/webhooks/{id}',
    ...['secret', 'test', 'replay', 'skip', 'tries', 'parked', 'parked/{position}'].map(
      (each) => `/webhooks/{id}/${each}`,
    ),
    '/sign-in',
    '/sign-out',
  ]);
  expect(all.tags.map(({ name }) => name)).toEqual([
    ...plain.tags.map(({ name }) => name),
    'Changes',
    'Webhooks',
    'Sign-in',
  ]);
  for (const word of ['ChangeEntry', 'SignInForm', 'x-access', 'is not granted.'])
    expect([JSON.stringify(plain).includes(word), JSON.stringify(all).includes(word)], word).toEqual([
      word === 'is not granted.',
      true,
    ]);
  expect(JSON.stringify(plain)).not.toContain("of 'Client' is not granted");
});

/** Asks, and holds the answer against the document. */
const asked = async (
  address: string,
  contract: Contract,
  line: string,
  {
    body,
    token = accessToken,
    headers = {},
  }: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
) => {
  const answer = await send({ address }, line, {
    body,
    headers: { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity', ...headers },
  });
  const [method = '', path = ''] = line.split(' ');
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const { status, headers: got } = answer;
  const faults = contract.faultsOf({ method, path, sent, status, headers: Object.fromEntries(got), body: answer.body });
  expect(faults, `${line}: ${answer.text}`).toEqual([]);
  return answer;
};

const roles = loadRoles(`${folders.studio}/roles`, registryOf('studio'));
if (roles === undefined) throw new Error('the studio has no roles');
const info: DocumentInfo = { ...apiInfo, hasLog: true, roles: { told: [], shownToAll: shownToAll(roles) } };
const contract = new Contract(registryOf('studio'), info);

onEveryDatabase(
  'answers to what is no group',
  (context) => {
    const ask = (line: string, options = {}) => asked(context.address, contract, line, options);
    const tokenOf = (role: string) => newToken(context, { roles: [role] });

    test('are what the document says of access', async () => {
      const { id } = await context.make('client');
      const reader = await tokenOf('reader');
      const own = await ask('GET /access', { token: reader });
      expect(own.status).toBe(200);
      const again = { token: reader, headers: { 'If-None-Match': own.headers.get('etag') ?? '' } };
      expect((await ask('GET /access', again)).status).toBe(304);
      expect((await ask(`GET /access/clients/${id}`)).status).toBe(200);
      const member = await context.make('member');
      const told = await ask(`GET /access/clients/${id}?member=${member.id}`);
      expect(told.body.rules).toEqual([]);
      expect((await ask(`GET /access/clients/${id}?member=${member.id}`, { token: reader })).status).toBe(403);
      expect((await ask(`GET /access/clients/${member.id}`)).status).toBe(404);
      // What is hidden, and what roles do not grant.
      const client = await ask(`GET /clients/${id}`, { token: reader });
      expect(client.body).not.toHaveProperty('code');
      expect((await ask('POST /clients', { token: reader, body: { name: 'x' } })).status).toBe(403);
      expect((await ask('GET /summary/members', { token: reader })).status).toBe(403);
    });

    test('are what the document says of the log', async () => {
      const { id } = await context.make('client');
      await ask(`PATCH /clients/${id}`, { body: { name: 'Another' } });
      const history = await ask(`GET /history/clients/${id}?limit=1&figures=true`);
      const [{ write, entry }] = history.body.results;
      expect((await ask(`GET /history/clients/${id}?startingAfter=${entry}`)).body.results).toHaveLength(1);
      expect((await ask('GET /history/settings')).status).toBe(200);
      expect((await ask(`GET /writes/${write}`)).body.results).toHaveLength(1);
      expect((await ask(`POST /writes/${write}/undo`, { headers: { Prefer: 'tx=rollback' } })).status).toBe(200);
      expect((await ask(`POST /writes/${write}/undo`)).status).toBe(200);
      expect((await ask(`POST /writes/${write}/undo`)).status).toBe(409);
      expect((await ask(`GET /writes/${id}`)).status).toBe(404);
      const page = await ask('GET /changes?group=client,member&cause=caller,undo&operation=create,update&limit=1000');
      expect(page.body.results.length).toBeGreaterThan(2);
      expect((await ask(`GET /changes?after=${page.body.cursor}&wait=0`)).status).toBe(200);
      const other = String(page.body.cursor).replace(/^./, (first) => (first === '0' ? '1' : '0'));
      expect((await ask(`GET /changes?after=${other}`)).status).toBe(410);
      expect((await ask('GET /changes', { token: await tokenOf('reader') })).status).toBe(403);
    });

    test('are what the document says of webhooks', async () => {
      const made = await ask('POST /webhooks', { body: { url: 'https://example.com/hook', groups: ['client'] } });
      const path = `/webhooks/${made.body.id}`;
      expect((await ask('POST /webhooks', { body: { url: 'https://10.0.0.1/' } })).status).toBe(400);
      expect((await ask('GET /webhooks')).body.results).toHaveLength(1);
      expect((await ask(`PATCH ${path}`, { body: { state: 'paused', causes: ['caller'] } })).status).toBe(200);
      expect((await ask(`POST ${path}/secret`)).status).toBe(200);
      expect((await ask(`POST ${path}/skip`)).status).toBe(409);
      expect((await ask(`POST ${path}/replay`, { body: { after: made.body.cursor } })).status).toBe(200);
      expect((await ask(`POST ${path}/replay`, { body: {} })).status).toBe(400);
      for (const what of ['', '/tries', '/parked']) expect((await ask(`GET ${path}${what}`)).status).toBe(200);
      expect((await ask(`POST ${path}/parked`)).body).toEqual({ results: [], hasMore: false });
      expect((await ask(`POST ${path}/parked/5`)).status).toBe(404);
      expect((await ask(`DELETE ${path}`)).status).toBe(204);
      expect((await ask(`GET ${path}`)).status).toBe(404);
      expect((await ask('GET /webhooks', { token: await tokenOf('reader') })).status).toBe(403);
    });

    test('are what the document says of who acts for others', async () => {
      const { id } = await context.make('member');
      const headers = { 'Praxis-Member': id };
      expect((await ask('GET /access', { headers })).body.member).toMatchObject({ id });
      expect((await ask('GET /access', { headers, token: await tokenOf('reader') })).status).toBe(403);
    });
  },
  'studio',
  { parts: { roles, changes: 90 } },
);

const signIn = { ways: ['password'], sessionHours: 12, oidc: undefined, passwordCost: { ln: 4, r: 8, p: 1 } } as const;

onEveryDatabase(
  'answers to people',
  (context) => {
    test('are what the document says of signing in and out', async () => {
      const people = new Contract(context.registry, { ...apiInfo, signIn: ['password'] });
      const { id, email } = await context.make('member', { loginEnabled: true });
      const { workspace } = context;
      if (workspace?.people === undefined) throw new Error('nobody signs in');
      await new Administration(workspace.people, workspace.unit).givePassword([id], 'correct horse battery');
      const root = context.address.replace(/\/api$/, '');
      const enter = (password: string) => asked(root, people, 'POST /sign-in', { body: { name: email, password } });
      expect((await enter('wrong horse battery')).status).toBe(401);
      const { status, body } = await enter('correct horse battery');
      expect(status).toBe(200);
      expect((await asked(root, people, 'POST /sign-in', { body: { name: email } })).status).toBe(400);
      const out = (token: string) => asked(context.address, people, 'POST /sign-out', { token });
      expect((await out(body.token)).status).toBe(204);
      expect((await out(body.token)).status).toBe(401);
      expect((await out(accessToken)).status).toBe(403);
    });
  },
  'product',
  { parts: { roles: everyone(), signIn } },
);
