// A ledger: what stands on the accounts of one book on one day, as a record that is computed and refers to others.
import { beforeAll, expect, test } from 'vitest';
import { apiInfo, openApiDocument } from '../../src/endpoints/document/openapi.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { withRoles } from '../access/callers.ts';
import { type Json, onEveryDatabase, registryOf } from '../support/service/praxis.ts';

onEveryDatabase(
  'a ledger',
  (context) => {
    const ids: Record<string, string> = {};
    const made = async (name: string, group: string, body: Json): Promise<void> => {
      ids[name] = (await context.make(group, body)).id;
    };
    const get = (query: string) => context.call('GET', `/trial-balance${query}`);

    beforeAll(async () => {
      await made('firm', 'book', { name: 'Firm', closedOn: '2026-03-31' });
      await made('other', 'book', { name: 'Other', closedOn: null });
      await made('bank', 'account', { bookId: ids['firm'], code: '1000 Bank' });
      await made('sales', 'account', { bookId: ids['firm'], code: '4000 Sales' });
      await made('idle', 'account', { bookId: ids['firm'], code: '9000 Idle' });
      for (const [day, amount] of [
        ['2026-03-01', 120.5],
        ['2026-04-02', 30],
      ] as const) {
        await context.make('posting', { accountId: ids['bank'], day, amount });
        await context.make('posting', { accountId: ids['sales'], day, amount: -amount });
      }
    });

    test('shows the records that its parameters and formulas lead to', async () => {
      const [bank, sales, idle] = ['bank', 'sales', 'idle'].map((name) => ids[name]);
      expect(await get(`?bookId=${ids['firm']}&day=2026-12-31`)).toMatchObject({
        status: 200,
        body: {
          book: { id: ids['firm'], name: 'Firm' },
          accountId: null,
          day: '2026-12-31',
          title: 'Firm on 31/12',
          rows: [
            { account: { id: bank, name: '1000 Bank' }, balance: 150.5 },
            { account: { id: sales, name: '4000 Sales' }, balance: -150.5 },
            { account: { id: idle, name: '9000 Idle' }, balance: 0 },
          ],
          first: { id: bank, name: '1000 Bank' },
          inUse: [
            { id: bank, name: '1000 Bank' },
            { id: sales, name: '4000 Sales' },
          ],
          total: 0,
        },
      });
    });

    test('takes a default from what a parameter leads to', async () => {
      const { body } = await get(`?bookId=${ids['firm']}&accountId=${ids['bank']}`);
      expect(body).toMatchObject({ day: '2026-03-31', accountId: ids['bank'], rows: [{ balance: 120.5 }] });
      const { body: none } = await get(`?bookId=${ids['other']}`);
      expect(none).toMatchObject({ day: '2026-12-31', rows: [], first: null, inUse: [], total: 0 });
    });

    test('refuses a parameter that is missing, malformed, or names nothing', async () => {
      const refused = (message: string) => ({ status: 400, body: { status: 400, message } });
      expect(await get('')).toMatchObject(refused("Parameter 'bookId' is required."));
      expect(await get('?bookId=x')).toMatchObject(refused("Parameter 'bookId' is not a valid UUID."));
      expect(await get(`?bookId=${ids['bank']}`)).toMatchObject(
        refused("Parameter 'bookId' does not refer to a known record."),
      );
      expect(await get(`?bookId=${ids['firm']}&accountId=${ids['firm']}`)).toMatchObject(
        refused("Parameter 'accountId' does not refer to a known record."),
      );
    });
  },
  'ledger',
);

const roles = {
  clerk: {
    allow: [
      { on: ['book'], to: ['read'], when: "name == 'Firm'" },
      { on: ['account'], to: ['read'], when: "code != '9000 Idle'" },
      { on: ['trial-balance'], to: ['read'] },
    ],
  },
  guest: {
    allow: [
      { on: ['book'], to: ['read'] },
      { on: ['trial-balance'], to: ['read'] },
    ],
  },
};

withRoles('a ledger of callers with roles', { folder: 'ledger', roles }, (context) => {
  test('shows the records alone that a caller sees, and takes no others', async () => {
    const firm = await context.make('book', { name: 'Firm', closedOn: null });
    const other = await context.make('book', { name: 'Other', closedOn: null });
    const bank = await context.make('account', { bookId: firm.id, code: '1000 Bank' });
    const idle = await context.make('account', { bookId: firm.id, code: '9000 Idle' });
    const clerk = context.as(null, 'clerk');
    expect((await clerk('GET', `/trial-balance?bookId=${other.id}`)).body).toEqual({
      status: 400,
      message: "Parameter 'bookId' does not refer to a known record.",
    });
    expect((await clerk('GET', `/trial-balance?bookId=${firm.id}&accountId=${idle.id}`)).status).toBe(400);
    expect((await clerk('GET', `/trial-balance?bookId=${firm.id}`)).body).toMatchObject({
      book: { id: firm.id, name: 'Firm' },
      rows: [{ account: { id: bank.id, name: '1000 Bank' } }, { account: null }],
    });
    const { body } = await context.as(null, 'guest')('GET', `/trial-balance?bookId=${firm.id}`);
    expect(body).toMatchObject({ rows: [{ account: null }, { account: null }], first: null });
  });
});

test('the document says which parameters a request must bring', () => {
  const registry = registryOf('ledger');
  const document = openApiDocument(registry, endpointsOf(registry), apiInfo);
  const { paths } = JSON.parse(JSON.stringify(document)) as { paths: Record<string, { get: { parameters: Json[] } }> };
  const text = JSON.stringify(document.components);
  const { schemas } = JSON.parse(text) as { schemas: Record<string, Json> };
  // References of records that are kept can be expanded, those of a computed record cannot.
  expect(JSON.stringify(schemas['Posting'])).toContain('"x-expandable":true');
  expect(JSON.stringify([schemas['TrialBalance'], schemas['AccountReference']])).not.toContain('x-expandable');
  const { parameters = [] } = paths['/trial-balance']?.get ?? {};
  expect(parameters.map(({ name, required = false }) => [name, required]).slice(0, 3)).toEqual([
    ['bookId', true],
    ['accountId', false],
    ['day', false],
  ]);
});
