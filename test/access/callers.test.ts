// What callers may do with groups at all: by the roles of their tokens, and by those that their members hold at the moment.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canIn } from '../../src/app/access/can.ts';
import { loadRoles } from '../../src/app/registry.ts';
import { newToken } from '../support/service/new-token.ts';
import {
  accessToken,
  type Context,
  folders,
  isObject,
  type Json,
  onEveryDatabase,
  registryOf,
  startService,
} from '../support/service/praxis.ts';

const registry = registryOf('studio');
const roles = loadRoles(join(folders.studio, 'roles'), registry);

interface Asked {
  readonly token: string;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request with a token. */
async function ask(context: Context, request: string, { token, body, headers }: Asked) {
  const [method = '', path = ''] = request.split(' ');
  const answer = await fetch(`${context.address}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
    headers: answer.headers,
  };
}

const refused = (operation: string, title: string) => ({
  status: 403,
  message: `Operation '${operation}' of '${title}' is not granted.`,
});

onEveryDatabase(
  'rights of callers',
  (context) => {
    const people = async (name: string) => {
      const [profile] = await context.all('profile', `&name=${name}`);
      return profile ?? context.make('profile', { name });
    };
    let made = 0;
    const member = async (profile: string, part: Json = {}) => {
      made += 1;
      const { id: profileId } = await people(profile);
      return context.make('member', {
        name: `M${made}`,
        email: `m${made}@example.com`,
        profileId,
        managerId: null,
        ...part,
      });
    };

    test('a token with a role has its rights, and is refused by the group before anything else is told', async () => {
      const token = await newToken(context, { roles: ['reader'] });
      expect((await ask(context, 'GET /clients', { token })).status).toBe(200);
      const all = [
        ['GET /members', 'list', 'Member'],
        ['POST /clients?x=1', 'create', 'Client'],
        ['PATCH /clients/no-id?x=1', 'update', 'Client'],
        ['DELETE /clients/no-id', 'delete', 'Client'],
      ] as const;
      for (const [request, operation, title] of all) {
        const { status, body } = await ask(context, request, { token });
        expect([status, body], request).toEqual([403, refused(operation, title)]);
      }
      expect((await ask(context, 'GET /nowhere', { token })).status).toBe(404);
      expect((await ask(context, 'GET /explain/projects/x/minutes', { token })).body).toEqual(
        refused('get', 'Project'),
      );
      expect((await ask(context, 'GET /summary/projects', { token })).body).toEqual(refused('list', 'Project'));
    });

    test('a member has the roles that it holds, and those alone', async () => {
      const [chief, worker, nobody] = [await member('Chief'), await member('Worker'), await member('Guest')];
      await context.call('PATCH', `/profiles/${(await people('Chief')).id}`, { isChief: true });
      const tokens = await Promise.all([chief, worker, nobody].map(({ id }) => newToken(context, { memberId: id })));
      const [asChief = '', asWorker = '', asNobody = ''] = tokens;
      expect((await ask(context, 'GET /members', { token: asChief })).status).toBe(200);
      expect((await ask(context, 'GET /clients', { token: asWorker })).status).toBe(200);
      expect((await ask(context, 'POST /members', { token: asWorker, body: {} })).body).toEqual(
        refused('create', 'Member'),
      );
      expect((await ask(context, 'GET /clients', { token: asNobody })).body).toEqual(refused('list', 'Client'));
      const { body } = await ask(context, 'GET /access', { token: asNobody });
      expect(body).toMatchObject({ member: { id: nobody.id, name: nobody['name'] }, roles: [], may: [] });
    });

    test('a role that is taken away is gone with the next request, and one that is given is there', async () => {
      const worker = await member('Worker');
      const token = await newToken(context, { memberId: worker.id });
      const lists = async () => (await ask(context, 'GET /clients', { token })).status;
      expect(await lists()).toBe(200);
      await context.call('PATCH', `/members/${worker.id}`, { profileId: (await people('Guest')).id });
      expect(await lists()).toBe(403);
      await context.call('PATCH', `/members/${worker.id}`, { profileId: (await people('Worker')).id });
      expect(await lists()).toBe(200);
      // A write of one statement, to a group that another role looks at.
      const leads = async () => {
        const { body } = await ask(context, 'GET /access', { token });
        return isObject(body) ? body['roles'] : body;
      };
      expect(await leads()).toEqual(['worker']);
      await context.make('staffing', { memberId: worker.id, leads: true });
      expect(await leads()).toEqual(['lead', 'worker']);
      // And one to a record behind a reference.
      const { id: profileId } = await people('Worker');
      await context.call('PATCH', `/profiles/${profileId}`, { name: 'Retired' });
      expect(await leads()).toEqual(['lead']);
      await context.call('PATCH', `/profiles/${profileId}`, { name: 'Worker' });
      expect(await leads()).toEqual(['lead', 'worker']);
    });

    test('a role that another process takes away is gone within 5 seconds', async () => {
      const other = await startService('studio', context.databaseUrl, { roles });
      try {
        const [worker, guest] = [await member('Worker'), await people('Guest')];
        const token = await newToken(context, { memberId: worker.id });
        const lists = async () => (await ask(other, 'GET /clients', { token })).status;
        expect(await lists()).toBe(200);
        await context.call('PATCH', `/members/${worker.id}`, { profileId: guest.id });
        await expect.poll(lists, { timeout: 6000, interval: 250 }).toBe(403);
      } finally {
        await other.stop();
      }
    }, 30_000);

    test('a batch is refused by the operation that is not granted', async () => {
      const token = await newToken(context, { roles: ['desk'] });
      const create = (name: string) => ({ method: 'POST', path: '/clients', body: { name } });
      const remove = { method: 'DELETE', path: '/clients/01890a5d-ac96-774b-bcce-b302099a8057' };
      const all = await ask(context, 'POST /batch', { token, body: { operations: [create('Whole'), remove] } });
      expect([all.status, all.body]).toEqual([
        403,
        {
          status: 403,
          message: 'Operation 2 was refused, and nothing was done.',
          errors: ["Operation 'delete' of 'Client' is not granted."],
        },
      ]);
      expect(await context.all('client', '&nameContains=Whole')).toEqual([]);
    });

    test('what is no operation of a group is granted by itself', async () => {
      const metrics = async (token: string) => {
        const answer = await fetch(`${context.address.replace('/api', '')}/metrics`, {
          headers: { Authorization: `Bearer ${token}` },
        });
        return { status: answer.status, text: await answer.text() };
      };
      const chief = await metrics(await newToken(context, { roles: ['chief'] }));
      expect(chief.status).toBe(200);
      expect(chief.text).toMatch(/praxis_refusals_total\{cause="access-denied"\} [1-9]/);
      const { status, text } = await metrics(await newToken(context, { roles: ['reader'] }));
      expect([status, text]).toEqual([403, '{"status":403,"message":"\'metrics\' is not granted."}']);
    });

    test('who acts for another may do what both may, and only who is granted that', async () => {
      const [chief, worker] = [await newToken(context, { roles: ['chief'] }), await member('Worker')];
      const acting = (token: string, id: string) => ({ token, headers: { 'Praxis-Member': id } });
      const asked = await ask(context, 'GET /access', acting(chief, worker.id));
      expect(asked.body).toMatchObject({ member: { id: worker.id }, roles: ['chief', 'worker'], may: [] });
      expect((await ask(context, 'GET /clients', acting(chief, worker.id))).status).toBe(200);
      expect((await ask(context, 'DELETE /clients/x', acting(chief, worker.id))).body).toEqual(
        refused('delete', 'Client'),
      );
      expect((await ask(context, 'DELETE /clients/x', acting(accessToken, worker.id))).body).toEqual(
        refused('delete', 'Client'),
      );
      const entry = { date: '2026-03-02', minutes: 30, projectId: null };
      const made = await ask(context, 'POST /entries', { ...acting(accessToken, worker.id), body: entry });
      expect(made).toMatchObject({ status: 200, body: { member: { id: worker.id } } });
      const reader = await newToken(context, { roles: ['reader'] });
      expect((await ask(context, 'GET /clients', acting(reader, worker.id))).body).toEqual({
        status: 403,
        message: "'act' is not granted.",
      });
      for (const wrong of ['x', '01890a5d-ac96-774b-bcce-b302099a8057'])
        expect((await ask(context, 'GET /clients', acting(chief, wrong))).body).toEqual({
          status: 400,
          message: "Header 'Praxis-Member' must be the id of a Member.",
        });
    });

    test('whoever asks is told what it may do with each group', async () => {
      const token = await newToken(context, { roles: ['worker'] });
      const { body, headers } = await ask(context, 'GET /access', { token });
      expect(body).toMatchObject({
        member: null,
        roles: ['worker'],
        limits: { readOnly: false, allow: [] },
        groups: {
          client: { list: 'all', get: 'all', create: 'no', update: 'no', delete: 'no', hidden: ['code'], kept: [] },
          entry: {
            list: 'some',
            create: 'some',
            update: 'some',
            delete: 'some',
            history: 'no',
            hidden: ['rate'],
            kept: ['rate'],
          },
          settings: { get: 'all', update: 'no' },
        },
      });
      expect(isObject(body) && isObject(body['groups']) ? Object.keys(body['groups']) : []).toEqual(
        [...registry.resources.keys()].toSorted(),
      );
      const etag = headers.get('etag') ?? '';
      expect((await ask(context, 'GET /access', { token, headers: { 'If-None-Match': etag } })).status).toBe(304);
      const all = await ask(context, 'GET /access', { token: accessToken });
      expect(all.body).toMatchObject({ roles: [], may: ['metrics', 'changes', 'webhooks', 'access', 'act'] });
      expect((await ask(context, 'GET /access?x=1', { token })).body).toEqual({
        status: 400,
        message: "Parameter 'x' is not allowed.",
      });
    });

    test('whoever has no token reads names of roles alone, and which fields are not shown to all', async () => {
      const root = context.address.replace(/\/api$/, '');
      const page = await (await fetch(`${root}/docs/access`)).text();
      expect(page).toContain('Records time, and sees the projects of which one is part.');
      // Roles and groups, a letter an operation, small under a condition; and the same in words, by group.
      const row = /<tr data-group="entry"><th scope="row">.*<\/tr>/.exec(page)?.[0] ?? '';
      expect([...row.matchAll(/<code>([^<]*)<\/code>/g)].map(([, cell]) => cell)).toEqual([
        ...['CRUDLH', '------', '-ru-lh', '------', 'crudl-'],
      ]);
      const ofGroup = await (await fetch(`${root}/docs/groups/client`)).text();
      expect(ofGroup).toContain(
        '<th scope="row" data-role="desk">Front desk</th><td data-label="On all records">create, get, update, list</td>',
      );
      const search = await (await fetch(`${root}/docs/search.json`)).text();
      expect(search).toContain('Chief: create, get, update, delete, list, history');
      const document = (await (await fetch(`${root}/openapi.json`)).json()) as {
        readonly 'x-access': readonly object[];
        readonly components: { readonly schemas: Readonly<Record<string, { readonly required: readonly string[] }>> };
      };
      expect(document['x-access']).toContainEqual({
        name: 'desk',
        title: 'Front desk',
        description: 'Writes clients; held by tokens alone.',
      });
      expect(document.components.schemas['Client']?.required).not.toContain('code');
      expect(document.components.schemas['Client']?.required).toEqual(expect.arrayContaining(['id', 'name']));
      expect(document.components.schemas['Profile']?.required).toContain('isChief');
      for (const text of [page, JSON.stringify(document)]) expect(text).not.toContain('me.isActive');
    });

    test('rules and their conditions are in the document of who may ask for others', async () => {
      const root = context.address.replace(/\/api$/, '');
      const rolesFor = async (token: string | undefined) => {
        const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
        const answer = await fetch(`${root}/openapi.json`, { headers });
        expect(answer.headers.get('vary')).toContain('Authorization');
        const body = (await answer.json()) as { readonly 'x-access'?: readonly Json[] };
        return { status: answer.status, role: body['x-access']?.find(({ name }) => name === 'worker') };
      };
      const anybody = await rolesFor(undefined);
      expect(Object.keys(anybody.role ?? {})).toEqual(['name', 'title', 'description']);
      expect(await rolesFor(await newToken(context, { roles: ['worker'] }))).toEqual(anybody);
      expect((await rolesFor('praxis_of-nobody')).status).toBe(401);
      for (const token of [accessToken, await newToken(context, { roles: ['chief'] })]) {
        const { role } = await rolesFor(token);
        expect(role).toMatchObject({
          heldBy: {
            formula: "me.isActive && me.profile.name == 'Worker'",
            words: 'me.isActive is true and me.profile.name is Worker',
          },
          may: [],
        });
        expect(role?.['rules']).toContainEqual({
          ...{ id: 'worker/own-time', effect: 'allow', on: ['entry'], to: ['list', 'get'] },
          when: {
            formula: 'memberId == actor || member.managerId == actor',
            words: 'memberId is actor or member.managerId is actor',
          },
          fields: { hide: ['rate'] },
        });
      }
    });

    test('the history of a record is shown to who is shown the record, and to nobody else', async () => {
      const { id: memberId } = await member('Worker');
      const { id } = await context.make('entry', { memberId, projectId: null });
      const chief = await ask(context, `GET /history/entries/${id}`, {
        token: await newToken(context, { roles: ['chief'] }),
      });
      expect([chief.status, chief.body]).toEqual([200, expect.objectContaining({ results: [expect.anything()] })]);
      // Nobody acts, so that the condition of its rule does not hold.
      const lead = await ask(context, `GET /history/entries/${id}`, {
        token: await newToken(context, { roles: ['lead'] }),
      });
      expect([lead.status, lead.body]).toEqual([404, { status: 404, message: `Object with id '${id}' not found.` }]);
    });

    test('of a record it is told which rules decide, and to who may ask for others what they have seen', async () => {
      const [boss, worker] = [await member('Worker'), await member('Worker')];
      await context.call('PATCH', `/members/${worker.id}`, { managerId: boss.id });
      const entry = await context.make('entry', { memberId: worker.id, statusId: 'pending', projectId: null });
      const path = `GET /access/entries/${entry.id}`;
      const own = await ask(context, path, { token: await newToken(context, { memberId: worker.id }) });
      expect(own.body).toEqual({
        operations: {
          list: { allowed: true, by: ['worker/own-time'], forbiddenBy: [] },
          get: { allowed: true, by: ['worker/own-time'], forbiddenBy: [] },
          update: {
            allowed: false,
            by: ['worker/write-own-time'],
            forbiddenBy: ['worker/not-oneself'],
            because: "Nobody approves time of one's own.",
            mayDependOnChange: true,
          },
          delete: { allowed: true, by: ['worker/write-own-time'], forbiddenBy: [] },
          history: { allowed: false, by: [], forbiddenBy: [] },
        },
        hidden: ['rate'],
        kept: [],
      });
      const { id: strangerId } = await member('Worker');
      const stranger = await newToken(context, { memberId: strangerId });
      expect(await ask(context, path, { token: stranger })).toMatchObject({
        status: 404,
        body: { message: `Object with id '${entry.id}' not found.` },
      });
      const unseen = await ask(context, `${path}?member=${strangerId}`, { token: accessToken });
      expect(unseen.body).toMatchObject({
        operations: {},
        rules: expect.arrayContaining([expect.objectContaining({ rule: 'worker/own-time', holds: false })]),
      });
      const told = await canIn(context.workspace, { who: strangerId, operation: 'get', target: `entry/${entry.id}` });
      expect(told).toMatchObject({
        allowed: false,
        refusal: `it is not visible: Object with id '${entry.id}' not found.`,
        others: expect.arrayContaining([expect.objectContaining({ rule: 'worker/own-time', line: 16 })]),
      });
      const other = await ask(context, `${path}?member=${boss.id}`, { token: accessToken });
      expect(other.body).toMatchObject({ operations: { update: { allowed: true, by: ['worker/decide'] } } });
      const rules = isObject(other.body) ? (other.body['rules'] as Json[]) : [];
      expect(rules.find(({ rule }) => rule === 'worker/own-time')).toMatchObject({
        line: 16,
        holds: true,
        condition: 'memberId == actor || member.managerId == actor',
        parts: [{ memberId: worker.id }, { actor: boss.id }, { 'member.managerId': boss.id }],
      });
      // What is looked for among other records is no value of this one.
      const project = await context.make('project');
      await context.make('staffing', { projectId: project.id, memberId: boss.id, leads: true });
      await context.call('PATCH', `/entries/${entry.id}`, { projectId: project.id });
      const led = (await ask(context, `${path}?member=${boss.id}`, { token: accessToken })).body as { rules: Json[] };
      expect(led.rules.find(({ rule }) => rule === 'lead/approve')).toMatchObject({ holds: true, parts: [] });
      expect((await ask(context, `${path}?member=${boss.id}`, { token: stranger })).body).toEqual({
        status: 403,
        message: "'access' is not granted.",
      });
    });
  },
  'studio',
  { parts: { roles, changes: 90 } },
);
