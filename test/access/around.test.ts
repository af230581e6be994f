// What leads around what a caller sees: what follows from writes, lists of others, tags, keys, counts of what uses a record.
import { expect, test } from 'vitest';
import type { Answer } from '../support/service/client.ts';
import type { Json } from '../support/service/praxis.ts';
import { withRoles } from './callers.ts';

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
const notFound = (id: string) => ({ status: 404, message: `Object with id '${id}' not found.` });

withRoles(
  'effects',
  { folder: 'choir', roles: { asker: { allow: [{ on: ['request', 'singer'], to: ['read', 'create'] }] } } },
  (context) => {
    test('write groups in which their caller has no right', async () => {
      const { id: singerId } = await context.make('singer');
      const asker = context.as(null, 'asker');
      expect((await asker('POST', '/requests', { singerId, row: 3 })).status).toBe(200);
      expect((await context.all('seat')).filter(({ singer }) => (singer as Json)['id'] === singerId)).toHaveLength(1);
      for (const [method, path] of [
        ['GET', '/seats'],
        ['POST', '/seats'],
      ] as const)
        expect((await asker(method, path, method === 'POST' ? { singerId } : undefined)).status).toBe(403);
    });
  },
);

withRoles(
  'lists of what refers to a record',
  {
    folder: 'shop',
    roles: {
      clerk: {
        allow: [
          { on: ['shelf'], to: ['read'] },
          { on: ['product'], to: ['read'], when: 'price < 10', fields: { hide: ['price'] } },
        ],
      },
    },
  },
  (context) => {
    test('hold what is seen of it', async () => {
      const shelf = await context.make('shelf', { name: 'Top' });
      const cheap = await context.make('product', { name: 'Cheap', price: 2, shelfId: shelf.id });
      const dear = await context.make('product', { name: 'Dear', price: 90, shelfId: shelf.id });
      const clerk = context.as(null, 'clerk');
      for (const path of [`/shelves/${shelf.id}`, `/shelves/${shelf.id}?fields=products`]) {
        const { body, text } = await clerk('GET', path);
        expect((body as Json)['products'], path).toEqual([{ id: cheap.id, name: 'Cheap' }]);
        expect(text).not.toContain('Dear');
      }
      const expanded = await clerk('GET', `/shelves/${shelf.id}?expand=products,dearest`);
      expect(expanded.text).not.toContain('Dear');
      expect(expanded.text).not.toContain('price');
      expect((await context.call('GET', `/shelves/${shelf.id}`)).text).toContain(dear.id);
    });
  },
);

withRoles(
  'kept answers with lists',
  {
    folder: 'shop',
    roles: {
      till: {
        allow: [
          { on: ['order'], to: ['read', 'create'], fields: { hide: ['points'] } },
          { on: ['customer', 'product'], to: ['read'], when: "name != 'Secret'" },
        ],
      },
    },
  },
  (context) => {
    test('are told again to who sees every item of them', async () => {
      const { id: customerId } = await context.make('customer', { name: 'Ada' });
      const { id: productId } = await context.make('product', { name: 'Tea', price: 2 });
      const lines = [1, 2].map((quantity) => ({ productId, quantity, parcels: [{ count: quantity }] }));
      const body = { customerId, agentId: null, day: '2026-03-02', lines };
      const sent = { headers: { 'Idempotency-Key': `lists-${productId}` } };
      const till = context.as(null, 'till');
      const first = await till('POST', '/orders', body, sent);
      const again = await till('POST', '/orders', body, sent);
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect((again.body as Json)['lines']).toHaveLength(2);
      await context.call('PATCH', `/orders/${(first.body as Json)['id']}`, { lines: lines.slice(1) });
      expect((await till('POST', '/orders', body, sent)).status).toBe(403);
    });
  },
);

const own = 'memberId == actor';
const roles = {
  worker: {
    heldBy: "me.email in ['w@example.com']",
    allow: [
      { on: ['entry'], to: ['read'], when: own, fields: { hide: ['rate'] } },
      { on: ['entry'], to: ['update'], when: `${own} && statusId == 'open'` },
      { on: ['project', 'member'], to: ['read'], fields: { show: ['name'] } },
      { on: ['client'], to: ['read', 'create', 'update'], when: 'code == null' },
    ],
  },
  blind: {
    allow: [{ on: ['client'], to: ['read', 'create', 'update'], fields: { hide: ['name'] } }],
    forbid: [{ on: ['client'], to: ['update'], when: "code == 'closed'", because: 'It is closed.' }],
  },
  lead: {
    allow: [
      { on: ['entry'], to: ['read'], when: "statusId == 'approved'", fields: { hide: ['notes'] } },
      { on: ['project', 'staffing'], to: ['read', 'delete'] },
    ],
    may: ['act'],
  },
};

withRoles('around what roles show', { folder: 'studio', roles }, (context) => {
  const firm = async (): Promise<{ readonly ben: string; readonly entry: Json & { readonly id: string } }> => {
    const found = await context.all('member', '&email=w@example.com').catch(() => []);
    const known = found.find(({ email }) => email === 'w@example.com');
    const ben = known ?? (await context.make('member', { name: 'Ben', email: 'w@example.com', managerId: null }));
    const entry = await context.make('entry', { memberId: ben.id, rate: 90, notes: 'n', projectId: null, minutes: 60 });
    return { ben: ben.id, entry };
  };
  const tagOf = ({ headers }: Answer): string => String(headers['etag']);

  test('a tag is of what is shown, and a condition on it is judged behind what is granted', async () => {
    const { ben, entry } = await firm();
    const path = `/entries/${entry.id}`;
    const worker = context.as(ben, 'worker');
    const [full, part] = [await context.call('GET', path), await worker('GET', path)];
    expect(tagOf(part)).not.toBe(tagOf(full));
    const again = (tag: string) => worker('GET', path, undefined, { headers: { 'If-None-Match': tag } });
    expect((await again(tagOf(part))).status).toBe(304);
    expect((await again(tagOf(full))).status).toBe(200);
    // What is hidden has changed: its tag is another by its version, and tells nothing of the value.
    await context.call('PATCH', path, { rate: 91 });
    const patch = (body: Json, tag: string, of = path) => worker('PATCH', of, body, { headers: { 'If-Match': tag } });
    expect((await patch({ notes: 'x' }, tagOf(part))).status).toBe(412);
    expect((await patch({ notes: 'x' }, tagOf(await worker('GET', path)))).status).toBe(200);
    await context.call('PATCH', path, { statusId: 'approved' });
    const refused = await patch({ notes: 'y' }, tagOf(part));
    expect(refused.body).toEqual({ status: 403, message: "Operation 'update' of this 'Entry' is not granted." });
    // Before anything is told of the body.
    expect((await patch({ minutes: 'x', nonsense: 1 }, tagOf(part))).body).toEqual(refused.body);
    const { id: memberId } = await context.make('member', { managerId: null });
    const foreign = await context.make('entry', { memberId, projectId: null });
    const foreignTag = tagOf(await context.call('GET', `/entries/${foreign.id}`));
    for (const tag of [foreignTag, '"x"', '*'])
      for (const id of [foreign.id, unknownId])
        expect((await patch({ notes: 'y' }, tag, `/entries/${id}`)).body).toEqual(notFound(id));
  });

  test('an export holds all that is seen, though its order goes by a field that is hidden', async () => {
    const { ben } = await firm();
    const { id } = await context.make('project', { name: 'Exported' });
    const { status, text } = await context.as(ben, 'worker')('GET', '/export/projects');
    const lines = text.trim().split('\n');
    expect([status, lines.includes(`{"id":"${id}","name":"Exported"}`)]).toEqual([200, true]);
    expect(lines.at(-1)).toBe(`{"end":true,"count":${(await context.all('project')).length}}`);
  });

  test('a put by a key makes, changes and is refused as the write that it is', async () => {
    const { ben } = await firm();
    const worker = context.as(ben, 'worker');
    const put = (name: string, body: Json) => worker('PUT', `/clients?name=${name}`, body);
    const made = await put('Acme', {});
    expect([made.status, made.body]).toEqual([200, expect.objectContaining({ name: 'Acme' })]);
    expect((await put('Acme', {})).status).toBe(200);
    // It would leave what the rule does not cover.
    const left = await put('Acme', { code: 'A1' });
    expect(left.body).toEqual({
      status: 403,
      message: "Operation 'update' would leave this 'Client' where it is not granted.",
    });
    const { id } = await context.make('client', { name: 'Secret', code: 'S1' });
    const unseen = await put('Secret', { code: null });
    // That a value of a unique key is taken is told to whoever writes it.
    expect([unseen.status, unseen.text.includes('S1')]).toEqual([409, false]);
    expect((await context.call('GET', `/clients/${id}`)).body).toMatchObject({ code: 'S1' });
  });

  test('a put by a key that is hidden does not tell whose it is', async () => {
    const { id } = await context.make('client', { name: 'Hidden Ltd', code: null });
    const blind = context.as(null, 'blind');
    for (const headers of [{}, { Prefer: 'tx=rollback' }, { 'If-Match': '*' }]) {
      const { status, text } = await blind('PUT', '/clients?name=Hidden Ltd', { code: 'X' }, { headers });
      expect([status, text.includes(id)], text).toEqual([409, false]);
    }
    const operations = [{ method: 'PUT', path: '/clients?name=Hidden Ltd', body: { code: 'X' } }];
    const batch = await blind('POST', '/batch', { atomic: false, operations });
    expect([batch.status, batch.text.includes(id)]).toEqual([200, false]);
    expect((await context.call('GET', `/clients/${id}`)).body).toMatchObject({ code: null });
    // Nor that it is one which must not be changed.
    await context.make('client', { name: 'Closed Ltd', code: 'closed' });
    const closed = await blind('PUT', '/clients?name=Closed Ltd', { code: 'X' });
    expect([closed.status, closed.text]).toEqual([409, expect.stringContaining('already exists')]);
    // One that the caller makes is the caller's to name.
    const made = await blind('PUT', '/clients?name=New Ltd', { code: 'Y' });
    expect([made.status, made.text.includes('New Ltd')]).toEqual([200, false]);
  });

  test('what uses a record is counted as far as it is listed', async () => {
    const { ben } = await firm();
    const project = await context.make('project', { name: 'Used' });
    await context.make('staffing', { projectId: project.id, memberId: ben });
    const lead = context.as(null, 'lead');
    const trial = { headers: { Prefer: 'tx=rollback' } };
    const told = await lead('DELETE', `/projects/${project.id}`, undefined, trial);
    expect([told.status, told.body]).toEqual([200, { deletes: { projects: 1, staffings: 1 }, clears: {} }]);
    await context.make('entry', { memberId: ben, projectId: project.id });
    await context.make('entry', { memberId: ben, projectId: project.id });
    for (const options of [trial, {}]) {
      const refused = await lead('DELETE', `/projects/${project.id}`, undefined, options);
      // How many entries there are is not for who sees some of them alone.
      expect([refused.status, (refused.body as Json)['usedBy']]).toEqual([409, [{ group: null }]]);
    }
    expect(((await context.call('DELETE', `/projects/${project.id}`)).body as Json)['usedBy']).toEqual([
      { group: 'entries', count: 2 },
    ]);
  });

  test('who acts for another sees what both see', async () => {
    const { ben } = await firm();
    const lead = context.as(null, 'lead');
    const approved = await context.make('entry', { memberId: ben, statusId: 'approved', projectId: null, rate: 5 });
    const { id: memberId } = await context.make('member', { managerId: null });
    const other = await context.make('entry', { memberId, statusId: 'approved', projectId: null });
    const headers = { 'Praxis-Member': ben };
    const idsOf = (body: unknown): unknown[] => (body as { results: Json[] }).results.map(({ id }) => id);
    const alone = await lead('GET', '/entries?limit=100');
    expect(idsOf(alone.body)).toContain(other.id);
    const acting = await lead('GET', '/entries?limit=100&count=true', undefined, { headers });
    expect(idsOf(acting.body)).toContain(approved.id);
    const expected = (await context.all('entry'))
      .filter(({ statusId, member }) => statusId === 'approved' && (member as Json)['id'] === ben)
      .map(({ id }) => id);
    expect(idsOf(acting.body)).toEqual(expected);
    expect((acting.body as Json)['count']).toBe(expected.length);
    for (const record of (acting.body as { results: Json[] }).results)
      expect(Object.keys(record).filter((name) => name === 'rate' || name === 'notes')).toEqual([]);
    for (const query of ['rateAtLeast=1', 'notesContains=n', 'sort=rate'])
      expect((await lead('GET', `/entries?${query}`, undefined, { headers })).status, query).toBe(400);
    const told = (await lead('GET', `/access/entries/${approved.id}`, undefined, { headers })).body as Json;
    expect(told['hidden']).toEqual(['rate', 'notes']);
    for (const id of [other.id, unknownId])
      expect((await lead('GET', `/entries/${id}`, undefined, { headers })).body).toEqual(notFound(id));
  });
});

const everything = [{ on: ['staffing', 'entry'], to: ['*'] }];
withRoles(
  'what the log tells',
  {
    folder: 'studio',
    parts: { changes: 90 },
    roles: {
      auditor: {
        allow: [...everything, { on: ['member'], to: ['read'], fields: { hide: ['name'] } }],
        may: ['changes'],
      },
      deaf: { allow: everything },
      knower: { allow: [...everything, { on: ['member'], to: ['read'] }], may: ['changes'] },
    },
  },
  (context) => {
    test('is where it stands, to those who may follow it', async () => {
      const isTold = async (role: string): Promise<boolean> =>
        'praxis-moment' in (await context.as(null, role)('GET', '/export/staffings')).headers;
      expect([await isTold('deaf'), await isTold('knower')]).toEqual([false, true]);
    });

    test('is what records are called where all is shown that they are called by', async () => {
      const ben = await context.make('member', { name: 'Ben Secret' });
      const { id } = await context.make('staffing', { memberId: ben.id });
      await context.as(ben.id, 'knower')('PATCH', `/staffings/${id}`, { leads: true });
      for (const [role, isTold] of [
        ['auditor', false],
        ['knower', true],
      ] as const)
        for (const path of ['/changes?limit=100', `/history/staffings/${id}`]) {
          const { status, text } = await context.as(null, role)('GET', path);
          expect([role, path, status, text.includes('Ben Secret')]).toEqual([role, path, 200, isTold]);
          expect(text).toContain(ben.id);
        }
    });
  },
);

const periods = { on: ['cost-period'], to: ['read'] };
withRoles(
  'the columns of an export',
  {
    folder: 'product',
    roles: {
      // Costs, and not whose they are.
      auditor: {
        allow: [
          { ...periods, fields: { hide: ['memberId'] } },
          { on: ['project'], to: ['read'], fields: { hide: ['client', 'projectType'] } },
          { on: ['task'], to: ['read'] },
        ],
      },
      reader: { allow: [periods] },
    },
  },
  (context) => {
    test('are those that are shown, and none that is written alone leads to a record', async () => {
      const { id: memberId } = await context.make('member', { name: 'Secret Name' });
      await context.make('cost-period', { memberId, costPerHour: 77 });
      const tableFor = async (role: string, query = '') =>
        (await context.as(null, role)('GET', `/export/cost-periods?format=csv${query}`)).text;
      const whole = await tableFor('reader');
      expect([whole.split('\r\n')[0]?.split(',').includes('memberId'), whole.includes(memberId)]).toEqual([true, true]);
      const seen = await tableFor('auditor');
      expect([seen.includes('77'), seen.includes('memberId'), seen.includes(memberId)]).toEqual([true, false, false]);
      const auditor = context.as(null, 'auditor');
      for (const path of ['/cost-periods?', '/export/cost-periods?', '/summary/cost-periods?'])
        for (const query of [`memberId=${memberId}`, 'fields=memberId', 'by=memberId'])
          expect((await auditor('GET', path + query)).status, path + query).toBe(400);
      await context.make('task', { projectId: (await context.make('project', { name: 'Secret project' })).id });
      const head = (await auditor('GET', '/export/projects?format=csv')).text.split('\r\n')[0]?.split(',') ?? [];
      expect(head.filter((name) => /^(client|projectType)/.test(name))).toEqual([]);
      expect(head).toContain('projectGroup.id');
    });
  },
);

withRoles(
  'figures that are taken when they are read',
  {
    folder: 'atRead',
    roles: {
      clerk: {
        allow: [
          { on: ['bill', 'client'], to: ['read'] },
          { on: ['payment'], to: ['read'], fields: { hide: ['receivedOn'] } },
        ],
      },
    },
  },
  (context) => {
    test('call the records that they name as these are seen, where all else of the record is shown', async () => {
      const { id: clientId } = await context.make('client');
      const bill = await context.make('bill', { clientId, lines: [{ work: 'Hull', amount: 9 }] });
      const parts = [{ billId: bill.id, amount: 1 }];
      const { id } = await context.make('payment', { fromId: clientId, receivedOn: '2026-03-06', parts });
      const seen = (await context.call('GET', `/bills/${bill.id}`)).body as Json;
      const from = expect.objectContaining({ id: clientId });
      expect(seen).toMatchObject({ lastPayment: { id, name: '2026-03-06', from } });
      const { body } = await context.as(null, 'clerk')('GET', `/bills/${bill.id}`);
      expect(body).toEqual({
        ...seen,
        lastPayment: { id, from },
        payments: (seen['payments'] as Json[]).map((each) => ({ ...each, payment: { id } })),
      });
    });
  },
);
