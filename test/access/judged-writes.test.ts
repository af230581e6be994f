// What callers with roles may write: the record as it is stored, the fields that they send, and what the write leaves.
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import type { Json } from '../support/service/praxis.ts';
import { withRoles } from './callers.ts';

const roles = {
  worker: {
    allow: [
      {
        on: ['entry'],
        to: ['read'],
        when: 'memberId == actor || member.managerId == actor',
        fields: { hide: ['rate'] },
      },
      {
        on: ['entry'],
        to: ['create', 'update', 'delete'],
        when: 'memberId == actor',
        fields: { write: ['memberId', 'projectId', 'date', 'minutes', 'notes', 'statusId'] },
      },
      {
        id: 'decide',
        on: ['entry'],
        to: ['update'],
        when: 'member.managerId == actor',
        after: "statusId in ['approved', 'rejected'] && old.statusId == 'pending'",
        fields: { write: ['statusId'] },
      },
      { on: ['project'], to: ['read'], when: 'staffings.exists(s, s.projectId == id && s.memberId == actor)' },
      { on: ['member'], to: ['read'], fields: { show: ['name', 'email', 'manager'] } },
    ],
    forbid: [
      {
        id: 'not-oneself',
        on: ['entry'],
        to: ['update'],
        when: "memberId == actor && statusId == 'pending'",
        after: "statusId == 'approved'",
        because: "Nobody approves time of one's own.",
      },
    ],
  },
  // Allows what the other forbids.
  approver: { allow: [{ on: ['entry'], to: ['update', 'read'] }] },
  // Both conditions say what it may make; of an update the first is of the record as it is stored.
  clerk: {
    allow: [
      { on: ['entry', 'member'], to: ['read'] },
      { on: ['entry'], to: ['create', 'update'], when: 'memberId == actor', after: 'minutes <= 60' },
    ],
    forbid: [{ on: ['entry'], to: ['create'], when: "statusId == 'approved'", after: 'minutes > 30' }],
  },
  // Leaves alone what is decided, and anybody may be told why.
  keeper: {
    allow: [{ on: ['entry'], to: ['read'] }],
    forbid: [
      { id: 'decided', on: ['entry'], to: ['update'], when: "statusId == 'approved'", because: 'It is decided.' },
      { id: 'kept', on: ['entry'], to: ['delete'], when: "statusId == 'approved'" },
    ],
  },
  // Sees nothing of what it makes.
  drop: {
    allow: [
      { on: ['client'], to: ['create'] },
      { on: ['entry'], to: ['create'] },
    ],
  },
  // Writes what is to come.
  planner: { allow: [{ on: ['entry'], to: ['read', 'create', 'update', 'delete'], when: 'date >= today' }] },
  owner: {
    allow: [
      { on: ['client'], to: ['read', 'write'], when: 'ownerId == actor' },
      { on: ['member'], to: ['read'], when: 'profileId == me.profileId', fields: { show: ['name'] } },
    ],
  },
};

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

/** What the service has written to its log. */
const lines: string[] = [];
const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });

withRoles('writes under roles', { folder: 'studio', roles, parts: { logger } }, (context) => {
  let ada: string;
  let ben: string;
  let cleo: string;
  let shared: string;
  let secret: string;

  beforeAll(async () => {
    const { make } = context;
    const person = async (name: string, more: Json = {}) =>
      (await make('member', { name, email: `${name.toLowerCase()}@example.com`, profileId: null, ...more })).id;
    ada = await person('Ada');
    ben = await person('Ben', { managerId: ada });
    cleo = await person('Cleo');
    const clientId = (await make('client', { name: 'Acme', ownerId: null })).id;
    shared = (await make('project', { name: 'Shared', clientId })).id;
    secret = (await make('project', { name: 'Secret', clientId })).id;
    await make('staffing', { projectId: shared, memberId: ben });
  });

  const entry = (more: Json = {}): Promise<Json & { readonly id: string }> =>
    context.make('entry', {
      memberId: ben,
      projectId: null,
      date: '2026-03-02',
      minutes: 60,
      statusId: 'open',
      ...more,
    });
  const stored = async (id: string): Promise<Json> => (await context.call('GET', `/entries/${id}`)).body as Json;
  const worker = (member: string | null) => context.as(member, 'worker');

  test('a record that is not seen is unknown to every write, whatever the body says', async () => {
    const { id } = await entry({ memberId: cleo });
    const ben_ = worker(ben);
    for (const body of [{ minutes: 5 }, { minutes: 'x' }, { rate: 1 }, { statusId: 'approved' }]) {
      const [hidden, unknown] = [
        await ben_('PATCH', `/entries/${id}`, body),
        await ben_('PATCH', `/entries/${unknownId}`, body),
      ];
      expect(hidden.status).toBe(404);
      expect(hidden.text.replaceAll(id, 'ID')).toBe(unknown.text.replaceAll(unknownId, 'ID'));
    }
    const gone = await ben_('DELETE', `/entries/${id}`);
    expect([gone.status, (gone.body as Json)['message']]).toEqual([404, `Object with id '${id}' not found.`]);
  });

  test('one that is seen and not to be written is refused before its body is judged', async () => {
    const { id } = await entry({ memberId: ben, statusId: 'open' });
    const ada_ = worker(ada);
    expect((await ada_('DELETE', `/entries/${id}`)).body).toEqual({
      status: 403,
      message: "Operation 'delete' of this 'Entry' is not granted.",
    });
    const fields = await ada_('PATCH', `/entries/${id}`, { minutes: 'x', notes: 'y', statusId: 'approved' });
    expect(fields.body).toEqual({
      status: 403,
      message: "Operation 'update' of this 'Entry' is not granted for 'minutes', 'notes'.",
    });
    expect((await ada_('PATCH', `/entries/${id}`, { statusId: 'approved' })).body).toEqual({
      status: 403,
      message: "Operation 'update' would leave this 'Entry' where it is not granted.",
    });
    expect(await stored(id)).toMatchObject({ statusId: 'open' });
  });

  test('a manager decides, and nobody about time of one’s own, whatever another role allows', async () => {
    const { id } = await entry({ statusId: 'pending' });
    const both = context.as(ben, 'worker', 'approver');
    expect((await both('PATCH', `/entries/${id}`, { statusId: 'approved' })).body).toEqual({
      status: 403,
      message: "Nobody approves time of one's own.",
    });
    expect(await stored(id)).toMatchObject({ statusId: 'pending' });
    const decided = await worker(ada)('PATCH', `/entries/${id}`, { statusId: 'approved' });
    expect(decided.body).toMatchObject({ id, statusId: 'approved' });
    expect(decided.body).not.toHaveProperty('rate');
  });

  test('what is forbidden of a record as it is stored is told, and of no other', async () => {
    const [open, decided] = [await entry({ statusId: 'pending' }), await entry({ statusId: 'approved' })];
    const kept = context.as(ben, 'worker', 'keeper');
    const refused = async (method: string, { id }: { readonly id: string }, body?: Json) =>
      Object((await kept(method, `/entries/${id}`, body)).body).message;
    expect(await refused('PATCH', decided, { minutes: 5 })).toBe('It is decided.');
    lines.length = 0;
    expect(await refused('DELETE', decided)).toBe("Operation 'delete' of this 'Entry' is not granted.");
    expect(lines.join('')).toContain('"refusedBy":"keeper/kept"');
    // One's own time is kept from being approved, not from being changed.
    expect(await refused('PATCH', open, { minutes: 5 })).toBeUndefined();
    expect(await stored(open.id)).toMatchObject({ minutes: 5 });
    expect((await kept('DELETE', `/entries/${open.id}`)).status).toBe(204);
  });

  test('the log tells which rule has refused, and nobody else is told', async () => {
    const { id } = await entry({ statusId: 'pending' });
    const [own, manages] = [worker(ben), worker(ada)];
    for (const [call, method, body, told] of [
      [own, 'PATCH', { statusId: 'approved' }, ['worker/not-oneself']],
      [manages, 'DELETE', undefined, [null]],
      [manages, 'PATCH', { minutes: 1 }, [null]],
      [own, 'GET', undefined, []],
    ] as const) {
      lines.length = 0;
      const { text } = await call(method, `/entries/${id}`, body);
      const found = lines.map((line) => JSON.parse(line) as Json).filter((line) => 'refusedBy' in line);
      expect(
        found.map(({ refusedBy }) => refusedBy),
        `${method} ${JSON.stringify(body)}`,
      ).toEqual(told);
      expect(text).not.toContain('not-oneself');
    }
  });

  test('a kept field that is sent as it is stored passes where it is shown', async () => {
    const { id } = await entry({ statusId: 'pending', rate: 80 });
    const ada_ = worker(ada);
    const same = await ada_('PATCH', `/entries/${id}`, { minutes: 60, date: '2026-03-02', statusId: 'rejected' });
    expect(same.body).toMatchObject({ statusId: 'rejected' });
    // A right guess is as wrong as any other.
    for (const rate of [80, 81])
      expect((await worker(ben)('PATCH', `/entries/${id}`, { rate })).body).toEqual({
        status: 403,
        message: "Operation 'update' of this 'Entry' is not granted for 'rate'.",
      });
  });

  test('an update that moves the record out of the rule writes nothing', async () => {
    const { id } = await entry();
    const moved = await worker(ben)('PATCH', `/entries/${id}`, { memberId: cleo });
    expect(moved.body).toEqual({
      status: 403,
      message: "Operation 'update' would leave this 'Entry' where it is not granted.",
    });
    expect(await stored(id)).toMatchObject({ member: { id: ben } });
  });

  test('a condition on the day goes by the day of the write', async () => {
    const planner = context.as(ben, 'planner');
    const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
    const [coming, old] = [await entry({ date: day(-2) }), await entry({ date: day(30) })];
    expect((await planner('PATCH', `/entries/${coming.id}`, { minutes: 61 })).body).toMatchObject({ minutes: 61 });
    expect((await planner('PATCH', `/entries/${coming.id}`, { date: day(31) })).status).toBe(403);
    expect((await planner('PATCH', `/entries/${old.id}`, { minutes: 61 })).status).toBe(404);
    expect((await planner('DELETE', `/entries/${coming.id}`)).status).toBe(204);
  });

  test('a create is judged as the record will be, and leaves nothing where it is refused', async () => {
    const before = (await context.all('entry')).length;
    const body = { date: '2026-03-03', minutes: 5 };
    const foreign = await worker(ben)('POST', '/entries', { ...body, memberId: cleo });
    expect(foreign.body).toEqual({
      status: 403,
      message: "Operation 'create' would leave this 'Entry' where it is not granted.",
    });
    expect((await worker(ben)('POST', '/entries', { ...body, rate: 5 })).body).toEqual({
      status: 403,
      message: "Operation 'create' of this 'Entry' is not granted for 'rate'.",
    });
    expect(await context.all('entry')).toHaveLength(before);
    const own = await worker(ben)('POST', '/entries', body);
    expect(own.body).toMatchObject({ member: { id: ben, name: 'Ben' }, minutes: 5 });
    expect(own.body).not.toHaveProperty('rate');
  });

  test('what is made must fulfil both conditions of what allows it, and not both of what forbids it', async () => {
    const clerk = context.as(ben, 'clerk');
    const made = async (more: Json): Promise<number> =>
      (await clerk('POST', '/entries', { memberId: ben, date: '2026-03-02', minutes: 60, ...more })).status;
    expect(await made({})).toBe(200);
    expect(await made({ minutes: 61 })).toBe(403);
    expect(await made({ memberId: cleo })).toBe(403);
    expect(await made({ statusId: 'approved' })).toBe(403);
    expect(await made({ statusId: 'approved', minutes: 30 })).toBe(200);
    const { id } = await entry({ minutes: 90 });
    const changed = async (more: Json): Promise<number> => (await clerk('PATCH', `/entries/${id}`, more)).status;
    expect(await changed({ minutes: 61 })).toBe(403);
    expect(await changed({ minutes: 20, memberId: cleo, statusId: 'approved' })).toBe(200);
    expect(await changed({ minutes: 10 })).toBe(403);
  });

  test('a body with a fault is told of it, where all else is as it is stored', async () => {
    const { id } = await entry({ memberId: ben, statusId: 'pending' });
    const wrong = await worker(ada)('PATCH', `/entries/${id}`, { statusId: 5, minutes: 60 });
    expect([wrong.status, Object(wrong.body).errors]).toEqual([400, [expect.stringContaining("'statusId' must be")]]);
    const other = await worker(ada)('PATCH', `/entries/${id}`, { statusId: 'approved', minutes: 'x' });
    expect(other.status).toBe(403);
  });

  test('references lead to what is seen, and stay where they are stored', async () => {
    const { id } = await entry({ projectId: secret });
    const ben_ = worker(ben);
    const missing = await ben_('PATCH', `/entries/${id}`, { projectId: unknownId });
    const other = (await context.make('project', { name: 'Other', clientId: (await context.make('client')).id })).id;
    const hidden = await ben_('PATCH', `/entries/${id}`, { projectId: other });
    expect(hidden.status).toBe(400);
    expect(hidden.text).toBe(missing.text);
    expect(hidden.body).toMatchObject({ errors: ["'projectId' does not refer to an existing Project"] });
    expect((await ben_('PATCH', `/entries/${id}`, { projectId: secret, minutes: 7 })).body).toMatchObject({
      minutes: 7,
      project: { id: secret },
    });
    expect((await ben_('PATCH', `/entries/${id}`, { projectId: shared })).body).toMatchObject({
      project: { id: shared, name: 'Shared' },
    });
    const made = await ben_('POST', '/entries', { date: '2026-03-03', minutes: 5, projectId: other });
    expect([made.status, made.text]).toEqual([400, missing.text]);
  });

  test('the answer to a write shows what its caller gets, and the id alone where that is nothing', async () => {
    const made = await context.as(ben, 'drop')('POST', '/clients', { name: 'Dropped' });
    expect([made.status, Object.keys(made.body as Json)]).toEqual([200, ['id']]);
  });

  test('who is nobody owns nothing, and two who are nothing are not alike', async () => {
    const { id } = await context.make('client', { name: 'Nobody’s', ownerId: null });
    const nobody = context.as(null, 'owner');
    expect((await nobody('GET', `/clients/${id}`)).status).toBe(404);
    expect((await nobody('PATCH', `/clients/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await nobody('GET', '/clients')).body).toEqual({ results: [], hasMore: false });
    const ben_ = context.as(ben, 'owner');
    expect((await ben_('GET', `/members/${cleo}`)).status).toBe(404);
    const made = await ben_('POST', '/clients', { name: 'Ben’s', ownerId: ben });
    expect(made.status).toBe(400);
    expect((await nobody('POST', '/clients', { name: 'No one’s' })).status).toBe(403);
  });

  test('in a batch each operation is judged by what those before it have left', async () => {
    const { id } = await entry();
    const operations = [
      { method: 'PATCH', path: `/entries/${id}`, body: { minutes: 11 } },
      { method: 'PATCH', path: `/entries/${id}`, body: { memberId: cleo } },
    ];
    const ben_ = worker(ben);
    const all = await ben_('POST', '/batch', { operations });
    expect(all.body).toMatchObject({
      status: 403,
      message: 'Operation 2 was refused, and nothing was done.',
      errors: ["Operation 'update' would leave this 'Entry' where it is not granted."],
    });
    expect(await stored(id)).toMatchObject({ minutes: 60 });
    const each = await ben_('POST', '/batch', { atomic: false, operations });
    expect((each.body as { results: Json[] }).results.map(({ status }) => status)).toEqual([200, 403]);
    expect(await stored(id)).toMatchObject({ minutes: 11, member: { id: ben } });
  });

  test('a kept answer is told again to who sees as much', async () => {
    const headers = { 'Idempotency-Key': `key-${Date.now()}` };
    const ben_ = worker(ben);
    const body = { date: '2026-03-04', minutes: 3 };
    const first = await ben_('POST', '/entries', body, { headers });
    const again = await ben_('POST', '/entries', body, { headers });
    expect([again.status, again.text]).toEqual([200, first.text]);
    const { id } = first.body as { id: string };
    await context.call('PATCH', `/entries/${id}`, { memberId: cleo });
    expect((await ben_('POST', '/entries', body, { headers })).status).toBe(403);
  });
});

const noter = {
  allow: [
    { on: ['invoice'], to: ['read'] },
    { on: ['invoice'], to: ['update'], fields: { write: ['notes'] } },
  ],
};

withRoles('items of lists under roles', { folder: 'product', roles: { noter } }, (context) => {
  test('their amounts are changed by who may write the list, also where these could be computed', async () => {
    const { id: clientId } = await context.make('client');
    const invoice = await context.make('invoice', { clientId, lines: [{ amount: 1, taxable: false }] });
    const [line] = (invoice as Json)['lines'] as Json[];
    const { id, kindId, invoiceItem } = line ?? {};
    const { id: invoiceItemId } = invoiceItem as Json;
    const send = (amount: number) => {
      const lines = [{ id, kindId, taxable: false, invoiceItemId, amount }];
      return context.as(null, 'noter')('PATCH', `/invoices/${invoice.id}`, { notes: 'x', lines });
    };
    expect((await send(1)).status).toBe(200);
    expect((await send(2)).body).toEqual({
      status: 403,
      message: "Operation 'update' of this 'Invoice' is not granted for 'lines'.",
    });
  });
});
