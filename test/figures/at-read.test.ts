// Fields that are taken when they are read: what they show, who may look at them, and what they cost.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workspace } from '../../src/app/workspace.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { parseBody } from '../../src/request/body.ts';
import { parseAddress } from '../../src/request/parse.ts';
import { oneByOne, type Together } from '../../src/storage/schema/session.ts';
import { descriptorFaults } from '../support/data/descriptor-faults.ts';
import { databases } from '../support/databases/databases.ts';
import { verified } from '../support/databases/verify.ts';
import { openQuietly } from '../support/databases/workspace.ts';
import { folders, type Json, onEveryDatabase } from '../support/service/praxis.ts';

type Made = Json & { readonly id: string };

onEveryDatabase(
  'what is taken at read',
  (context) => {
    const client = (name: string, more: Json = {}): Promise<Made> => context.make('client', { name, ...more });
    const bill = (clientId: string, more: Json = {}): Promise<Made> =>
      context.make('bill', { clientId, dueOn: '2026-03-04', lines: [{ work: 'Hull', amount: 90 }], ...more });
    const pay = (fromId: string, receivedOn: string, parts: readonly Json[]): Promise<Made> =>
      context.make('payment', { fromId, receivedOn, parts });
    const shown = async (path: string): Promise<Json> => {
      const { status, body } = await context.call('GET', path);
      expect([status, body]).toEqual([200, body]);
      return body as Json;
    };
    const part = (of: Made, amount: number): Json => ({ billId: of.id, amount });

    test('shows what is so when it is read, on create, get, list and update alike', async () => {
      const ada = await client('Ada', { code: 'A' });
      const one = await bill(ada.id);
      expect(one).toMatchObject({ paid: 0, open: 90, share: 0, payments: [], payers: [], lastPayment: null });
      const first = await pay(ada.id, '2026-03-06', [part(one, 10.5)]);
      const after = await shown(`/bills/${one.id}`);
      expect(after).toMatchObject({ paid: 10.5, open: 79.5, share: 0.12 });
      const { body: changed } = await context.call('PATCH', `/bills/${one.id}`, { note: 'x' });
      expect(changed).toEqual({ ...after, note: 'x' });
      const [listed] = await context.all('bill', `&clientId=${ada.id}`);
      expect(listed).toEqual(changed);
      await context.call('DELETE', `/payments/${first.id}`);
      expect(await shown(`/bills/${one.id}`)).toEqual({ ...one, note: 'x' });
    });

    test('is nothing that summaries tell records apart by, or add up', async () => {
      for (const [word, name] of [
        ['by', 'mood'],
        ['by', 'isOverdue'],
        ['by', 'lastPayment'],
        ['sum', 'open'],
        ['max', 'daysLate'],
      ])
        expect(await context.call('GET', `/summary/bills?${word}=${name}`)).toMatchObject({
          ...{ status: 400, body: { message: expect.stringContaining(`'${name}' is none`) } },
        });
    });

    test('shows records by name, with what is included, ids, and lists of both', async () => {
      const [ada, bob] = [await client('Ada'), await client('Bob')];
      const [one, two] = [await bill(ada.id), await bill(ada.id, { lines: [{ work: 'Mast', amount: 200 }] })];
      const late = await pay(bob.id, '2026-03-09', [part(two, 1), part(one, 2.25)]);
      const early = await pay(ada.id, '2026-03-07', [part(one, 3)]);
      await pay(bob.id, '2026-03-08', [part(one, 4)]);
      expect(await shown(`/bills/${one.id}`)).toMatchObject({
        payers: [
          { id: bob.id, name: 'Bob' },
          { id: ada.id, name: 'Ada' },
        ],
        lastPayment: {
          id: late.id,
          name: '2026-03-09',
          from: { id: bob.id, name: 'Bob' },
          receivedOn: '2026-03-09',
        },
        payments: [
          {
            payment: { id: late.id, name: '2026-03-09', receivedOn: '2026-03-09' },
            by: late.id,
            receivedOn: '2026-03-09',
            amount: 2.25,
            place: 1,
            isWhole: false,
            days: ['2026-03-09', '2026-03-10'],
          },
          { payment: { id: early.id }, amount: 3, place: 0, isWhole: true },
          { amount: 4 },
        ],
      });
      // A list of records, of which others look at what is taken at read: at what is open.
      expect(await shown(`/clients/${ada.id}`)).toMatchObject({
        bills: [{ id: one.id }, { id: two.id }],
        owed: 279.75,
        worst: two.id,
      });
      expect(await shown(`/clients/${bob.id}`)).toMatchObject({ bills: [], owed: 0, worst: null });
    });

    test('writes values as those of kept fields are, in the order of the fields', async () => {
      const ada = await client('Ada', { code: '' });
      const one = await bill(ada.id, {
        lines: [
          { work: 'a', amount: 0.1 },
          { work: 'é"\n', amount: -0.05 },
          { work: 'é"\n', amount: 1 },
        ],
        terms: { days: 3 },
      });
      expect(Object.keys(one)).toEqual(['id', ...Object.keys(descriptor.properties), 'createdAt']);
      // -0.05 / 3 is rounded away from zero, to the decimals of money.
      expect(one).toMatchObject({
        tags: ['a', 'é"\n'],
        rates: [0.0333, -0.0167, 0.3333],
        title: ' a',
        terms: { days: 3, until: '2026-03-07' },
      });
      expect(Object.keys(one['terms'] as Json)).toEqual(['days', 'until']);
      expect((await bill(ada.id))['terms']).toBeNull();
      expect((await bill(ada.id, { lines: [] }))['share']).toBeNull();
    });

    test('knows the day', async () => {
      const ada = await client('Ada');
      const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      const one = await bill(ada.id, { dueOn: day(-3) });
      expect([one['isOverdue'], one['mood']]).toEqual([true, 'late']);
      // Midnight may pass meanwhile.
      expect([3, 4]).toContain(one['daysLate']);
      expect(await bill(ada.id, { dueOn: day(2) })).toMatchObject({ isOverdue: false, mood: 'calm', daysLate: null });
      await pay(ada.id, day(0), [part(one, 90)]);
      expect(await shown(`/bills/${one.id}`)).toMatchObject({ isOverdue: false, mood: 'calm', daysLate: null });
    });

    test('is looked at by what is taken when a record is written, by defaults and by conditions', async () => {
      const ada = await client('Ada');
      const one = await bill(ada.id);
      await pay(ada.id, '2026-03-06', [part(one, 30)]);
      const made = await context.make('reminder', { billId: one.id, asked: undefined });
      expect(made).toMatchObject({ amount: 60, asked: 65, lastPayer: 'Ada', payers: 1, payerIds: 1, worstOpen: 60 });
      await pay(ada.id, '2026-03-07', [part(one, 60)]);
      expect(await shown(`/reminders/${made.id}`)).toMatchObject({ amount: 60 });
      const { status, body } = await context.call('POST', '/reminders', { billId: one.id });
      expect([status, (body as Json)['errors']]).toEqual([400, ["'billId' must be open"]]);
    });

    test('is not missed where a reference leads to nothing: that alone is told', async () => {
      const { status, body } = await context.call('POST', '/reminders', {
        billId: '01900000-0000-7000-8000-000000000000',
      });
      expect([status, (body as Json)['errors']]).toEqual([400, ["'billId' does not refer to an existing Bill"]]);
    });

    test('is not accepted, and no filter', async () => {
      const ada = await client('Ada');
      const { body } = await context.call('POST', '/bills', { clientId: ada.id, paid: 1, payerIds: [], payments: [] });
      expect((body as Json)['errors']).toEqual([
        "'paid' is not allowed",
        "'payments' is not allowed",
        "'payerIds' is not allowed",
      ]);
      expect((await context.call('GET', '/bills?open=3')).status).toBe(400);
    });

    test('lists that are kept follow what they look at, and can be filtered', async () => {
      const [ada, bob] = [await client('Ada'), await client('Bob')];
      const [one, two] = [await bill(ada.id), await bill(bob.id)];
      const made = await pay(ada.id, '2026-03-06', [part(two, 10), part(one, 20), part(two, 0.5)]);
      expect(made).toMatchObject({
        bills: [{ id: two.id }, { id: one.id }],
        clients: [{ id: bob.id }, { id: ada.id }],
        labels: ['much', 'little'],
        shares: [
          { bill: { id: two.id }, share: 0.33 },
          { bill: { id: one.id }, share: 0.66 },
          { bill: { id: two.id }, share: 0.02 },
        ],
      });
      const settledOf = async (): Promise<unknown> =>
        ((await shown(`/clients/${ada.id}`))['settled'] as Made[]).map(({ id }) => id);
      expect(await settledOf()).toEqual([two.id, one.id]);
      const { body } = await context.call('PATCH', `/payments/${made.id}`, { parts: [part(one, 1)] });
      expect(body).toMatchObject({ bills: [{ id: one.id }], shares: [{ share: 1 }], labels: ['little'] });
      expect(await settledOf()).toEqual([one.id]);
      expect((await context.all('client', `&settledId=${one.id}`)).map(({ id }) => id)).toEqual([ada.id]);
      await context.call('DELETE', `/payments/${made.id}`);
      expect(await settledOf()).toEqual([]);
      const many = await Promise.all([1, 2, 3, 4].map(() => bill(ada.id)));
      const parts = many.map((each) => part(each, 1));
      const refused = await context.call('POST', '/payments', { fromId: ada.id, parts });
      expect([refused.status, (refused.body as Json)['errors']]).toEqual([
        400,
        ["'billIds' must have at most 3 items"],
      ]);
      expect(await verified(context, 'atRead')).toEqual([]);
    });

    test('pages of many records show each its own', async () => {
      const ada = await client('Ada');
      const bills: Made[] = [];
      for (let n = 1; n <= 23; n += 1) bills.push(await bill(ada.id, { lines: [{ work: `${n}`, amount: n }] }));
      for (const [n, each] of bills.entries()) await pay(ada.id, '2026-03-07', [part(each, n % 2)]);
      const found = await context.all('bill', `&clientId=${ada.id}`);
      expect(found.map(({ open }) => open).toReversed()).toEqual(bills.map((_each, n) => n + 1 - (n % 2)));
    });
  },
  'atRead',
);

const { default: descriptor } = (await import('../domains/at-read/bill.json', { with: { type: 'json' } })) as {
  default: { properties: Json };
};

describe.each(databases.filter(({ isThere }) => isThere))('statements on $name', ({ open }) => {
  let workspace: Workspace;
  let asked: string[] = [];
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    const made = await open();
    closing.push(made.drop);
    const databaseUrl = made.url;
    workspace = await openQuietly({
      databaseUrl,
      resources: folders.atRead,
      setup: { workspaceName: 'x', workspaceCurrency: 'EUR', adminName: undefined, adminEmail: undefined },
    });
    const { database } = workspace;
    const all = database.all.bind(database);
    const watched = (sql: string, values: Parameters<typeof all>[1]) => {
      asked.push(sql);
      return all(sql, values);
    };
    const run = database.run.bind(database);
    Object.assign(database, {
      all: watched,
      together: (statements: Together) => oneByOne({ all: watched, run }, statements),
    });
  });
  afterAll(async () => {
    await workspace.close();
    for (const close of closing.toReversed()) await close();
  });

  const execute = async (operation: string, group: string, given: { id?: string; query?: string; body?: Json }) => {
    const endpoint = endpointsOf(workspace.registry).find(
      (each) => each.resource.name === group && each.operation === operation,
    );
    if (endpoint === undefined) throw new Error(`no ${operation} of ${group}`);
    const address = parseAddress(endpoint, given.id ?? '', given.query ?? '');
    const body = given.body === undefined ? undefined : parseBody(endpoint.resource, 'create', given.body);
    asked = [];
    const { body: answer } = await workspace.engine.execute({
      ...{ endpoint, caller: { tokenId: '', memberId: null }, ...address, body },
    });
    return JSON.parse(String(answer)) as Made;
  };

  test('a page takes as many as one record', async () => {
    const make = (group: string, body: Json): Promise<Made> => execute('create', group, { body });
    const counts: number[] = [];
    for (const size of [1, 40]) {
      const { id: clientId } = await make('client', { name: `Client ${size}` });
      for (let n = 0; n < size; n += 1) {
        const { id: billId } = await make('bill', { clientId, lines: [{ work: 'x', amount: 3 }] });
        for (const amount of [1, 2]) await make('payment', { fromId: clientId, parts: [{ billId, amount }] });
      }
      const page = await execute('list', 'bill', { query: `clientId=${clientId}&limit=40` });
      expect(page['results']).toHaveLength(size);
      counts.push(asked.length);
      const [first] = page['results'] as Made[];
      await execute('get', 'bill', { id: first?.id ?? '' });
      counts.push(asked.length);
    }
    expect(new Set(counts).size).toBe(1);
    // Fifteen figures: the bills, their lines shown and looked at, parts of payments, payments and their parts, clients, and
    // three fields that show records by name; and what parts and payments come to as a whole.
    expect(counts[0]).toBe(12);
  });

  test('a group without any asks nothing more', async () => {
    await execute('list', 'reminder', { query: 'limit=3' });
    expect(asked).toHaveLength(1);
  });
});

describe('what is taken at read and means nothing', () => {
  const faultsOf = (properties: Json, resource: Json = {}): string[] => {
    const note = {
      title: 'Note',
      description: 'A note.',
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 20, description: 'Name' },
        count: { type: ['integer', 'null'], description: 'Count' },
        parent: { reference: 'note', nullable: true, onDelete: 'clear', description: 'Parent' },
        ...properties,
      },
      required: ['name'],
      resource: {
        path: '/notes',
        shownAs: '{name}',
        operations: ['list', 'get', 'create', 'update', 'delete'],
        ...resource,
      },
    };
    return descriptorFaults('note', note);
  };
  const number = (formula: string, more: Json = {}): Json => ({
    type: ['integer', 'null'],
    description: 'Number',
    formula,
    ...more,
  });
  const read = { compute: 'onRead' };
  const many = number('notes.filter(n, n.parentId == id).count()', read);
  const items = (properties: Json, formula: string): Json => ({
    type: 'array',
    description: 'Items',
    items: { type: 'object', properties },
    formula,
    ...read,
  });
  const among = 'all.notes.filter(n, n.parentId == id)';

  test.each<[string, Json, string]>([
    [
      'a filter',
      { a: { ...many, filter: 'exact' } },
      '/properties/a/filter: the field is not stored, so it cannot be filtered',
    ],
    [
      'a condition beside it',
      { a: { ...many, when: 'count == 1' } },
      '/properties/a/when: has no effect with "compute": "onRead"',
    ],
    [
      'again beside it',
      { a: { ...many, recomputeIfChanged: ['count'] } },
      '/properties/a/recomputeIfChanged: needs "compute": "onCreate"; other formulas are computed at each write',
    ],
    [
      'a figure that is always true and looks at it',
      { a: many, b: number('a + 1') },
      '/properties/b/formula: reads "a", which is computed on read, so its changes are unknown; set when it is computed ("compute": "onWrite", "onCreate", "onRead")\n    a + 1\n    ^',
    ],
    [
      'the same through another one, of another record',
      { a: many, c: number('parent.a', read), b: number('c', { compute: 'always' }) },
      '/properties/b/formula: reads "c", which is computed on read, so its changes are unknown; set when it is computed ("compute": "onWrite", "onCreate", "onRead")\n    c\n    ^',
    ],
    [
      'a state that follows from it',
      {
        a: many,
        b: { type: 'boolean', default: false, description: 'B', becomes: [{ to: true, when: 'a == 1' }] },
      },
      '/properties/b/becomes/0/when: reads "a", which is computed on read, so its changes are unknown\n    a == 1\n    ^',
    ],
    [
      'the condition of a figure',
      { a: many, b: number('count', { when: 'a == 1' }) },
      '/properties/b/when: reads "a", which is computed on read, so its changes are unknown\n    a == 1\n    ^',
    ],
    [
      'a condition over the record alone',
      { a: many, b: { type: ['integer', 'null'], description: 'B', requiredWhen: 'a == 1' } },
      '/properties/b/requiredWhen: reads "a", which is computed on read, so it is not stored in the record\n    a == 1\n    ^',
    ],
    [
      'who acts',
      { a: { type: 'boolean', description: 'A', formula: 'actor == id', ...read } },
      '/properties/a/formula: reads "actor", but a field that is computed on read must be the same for every caller\n    actor == id\n    ^',
    ],
    [
      'the record before the write',
      { a: number('old.count', read) },
      '/properties/a/formula: reads "old", the record before the write, which is unknown here\n    old.count\n    ^',
    ],
    [
      'itself',
      { a: number('b', read), b: number('a', read) },
      '/properties/a/formula: reads "b", which depends on itself: b → a → b\n    b\n    ^',
    ],
    [
      'a path through it',
      {
        a: { reference: 'note', nullable: true, description: 'A', formula: `${among}.first()`, ...read },
        b: { type: ['integer', 'null'], description: 'B', lookup: 'a.count' },
      },
      '/properties/b/lookup: "a" is not stored, so a path cannot use it',
    ],
    [
      'a reference that includes it',
      { a: many, b: { reference: 'note', nullable: true, onDelete: 'clear', include: ['a'], description: 'B' } },
      '/properties/b/include/0: "a" is computed when its own record is read, so other records cannot show it',
    ],
    [
      'items of a list',
      {
        a: {
          type: 'array',
          maxItems: 5,
          default: [],
          description: 'A',
          items: { type: 'object', properties: { b: many } },
        },
      },
      '/properties/a/items/properties/b/compute: "onRead" has no effect inside a list; let a formula of the record compute the whole list',
    ],
    [
      'a list of another group',
      { a: { references: 'note', description: 'A', formula: `${among}.map(n, n.name)`, ...read } },
      '/properties/a/formula: gives a list with a text, but this field refers to a "note"',
    ],
    [
      'no list',
      { a: { references: 'note', description: 'A', formula: 'parent', ...read } },
      '/properties/a/formula: gives a record of "note", but this field is a list of references',
    ],
    [
      'items that are records',
      { a: items({ name: { type: 'string', maxLength: 20, description: 'Name' } }, among) },
      '/properties/a/formula: gives a list of a record of "note"; give its fields: .map(x, {\'id\': x.id})',
    ],
    [
      'items without one of their fields',
      { a: items({ name: { type: 'string', maxLength: 20, description: 'Name' } }, `${among}.map(n, {})`) },
      '/properties/a/formula: does not give "name" of the items',
    ],
    [
      'items with another field',
      {
        a: items({ name: { type: 'string', maxLength: 20, description: 'Name' } }, `${among}.map(n, {'nmae': n.name})`),
      },
      '/properties/a/formula: gives items "nmae", which they do not have; did you mean "name"?',
    ],
    [
      'items with a field of another type',
      {
        a: items(
          { name: { type: 'string', maxLength: 20, description: 'Name' } },
          `${among}.map(n, {'name': n.count})`,
        ),
      },
      '/properties/a/formula: as "name" of an item gives a number, but this field is a text',
    ],
  ])('%s', (_what, properties, fault) => {
    expect(faultsOf(properties)).toContain(fault);
  });

  test.each(['unique', 'indexes'])('a part of %s', (keyword) => {
    const kind = keyword === 'unique' ? 'a key' : 'an index';
    expect(faultsOf({ a: many }, { [keyword]: [['a']] })).toContain(
      `/resource/${keyword}/0/0: "a" is not kept, so it cannot be part of ${kind}`,
    );
  });

  test('the name of a record', () => {
    expect(faultsOf({ a: many }, { shownAs: '{a}' })).toContain(
      '/resource/shownAs: "a" is not stored, so a path cannot use it',
    );
  });
});
