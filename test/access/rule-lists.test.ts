// Lists of which a condition of a role says what is in them: the database and the evaluator judge it alike, also where it compares
// with what the acting member does not have, or looks at what the record holds.
import { expect, test } from 'vitest';
import type { Json } from '../support/service/praxis.ts';
import { type RoleContext, withRoles } from './callers.ts';

const reading = (group: string, conditions: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(conditions).map(([role, when]) => [role, { allow: [{ on: [group], to: ['read'], when }] }]),
  );

/** What a caller finds: the names of records that a list holds, its count, and those that are got one by one. */
async function seenBy(
  { as }: RoleContext,
  { path, ids, caller: [member, role] }: { path: string; ids: Json; caller: readonly [string | null, string] },
) {
  const call = as(member, role);
  const { body } = await call('GET', `${path}?limit=100&count=true`);
  const { results, count } = body as { readonly results: readonly Json[]; readonly count: number };
  const listed = new Set(results.map(({ id }) => id));
  const got: string[] = [];
  for (const [name, id] of Object.entries(ids))
    if ((await call('GET', `${path}/${String(id)}`)).status === 200) got.push(name);
  return { listed: Object.keys(ids).filter((name) => listed.has(ids[name])), count, got };
}
const seen = (...names: readonly string[]) => ({ listed: names, count: names.length, got: names });

const conditions = {
  ownerless: 'me.managerId == null && minutes > 50',
  turned: 'null == me.managerId && minutes > 50',
  managed: 'me.managerId != null && minutes > 50',
  foreign: 'memberId != actor',
  others: '!(memberId == actor)',
};

withRoles(
  'lists by what the acting member has',
  { folder: 'studio', roles: reading('entry', conditions) },
  (context) => {
    test('hold what is surely so: whether something of a member is unset is known, what it is equal to is not', async () => {
      const { make } = context;
      const { id: head } = await make('member', { name: 'Ada', managerId: null });
      const { id: below } = await make('member', { name: 'Ben', managerId: head });
      const entry = async (memberId: string, minutes: number) =>
        (await make('entry', { memberId, minutes, projectId: null })).id;
      const ids = { long: await entry(head, 60), short: await entry(head, 30), other: await entry(below, 90) };
      const of = (member: string | null, role: keyof typeof conditions) =>
        seenBy(context, { path: '/entries', ids, caller: [member, role] });
      for (const role of ['ownerless', 'turned'] as const) {
        expect(await of(head, role), role).toEqual(seen('long', 'other'));
        expect(await of(below, role), role).toEqual(seen());
        // Who acts for nobody has no manager either.
        expect(await of(null, role), role).toEqual(seen('long', 'other'));
      }
      expect(await of(below, 'managed')).toEqual(seen('long', 'other'));
      expect(await of(head, 'managed')).toEqual(seen());
      for (const role of ['foreign', 'others'] as const) {
        expect(await of(head, role), role).toEqual(seen('other'));
        expect(await of(below, role), role).toEqual(seen('long', 'short'));
        expect(await of(null, role), role).toEqual(seen());
      }
    });
  },
);

const held = {
  ...reading('order', { bulk: 'lines.exists(l, l.quantity > 5)' }),
  ...reading('shelf', { dear: 'products.exists(p, p.price > 10)' }),
};

withRoles('lists by what a record holds', { folder: 'shop', roles: held }, (context) => {
  test('look at its own items, and at the records that name it, and at no others', async () => {
    const { make } = context;
    const shelf = async (price: number) => {
      const { id } = await make('shelf', { name: `For ${price}` });
      return { id, product: (await make('product', { price, shelfId: id })).id };
    };
    const [cheap, dear, empty] = [await shelf(2), await shelf(90), await make('shelf', { name: 'Empty' })];
    const { id: customerId } = await make('customer');
    const order = async (...quantities: readonly number[]) => {
      const lines = quantities.map((quantity) => ({ productId: cheap.product, quantity }));
      return (await make('order', { customerId, agentId: null, lines })).id;
    };
    const orders = { few: await order(1, 2), many: await order(1, 6), none: await order() };
    expect(await seenBy(context, { path: '/orders', ids: orders, caller: [null, 'bulk'] })).toEqual(seen('many'));
    const shelves = { cheap: cheap.id, dear: dear.id, empty: empty.id };
    expect(await seenBy(context, { path: '/shelves', ids: shelves, caller: [null, 'dear'] })).toEqual(seen('dear'));
  });
});

const named = { ...reading('customer', { cashier: 'isServed' }), ...reading('job', { mechanic: 'customer.isServed' }) };

withRoles('lists by a formula that a group names', { folder: 'garage', roles: named }, (context) => {
  test('hold the records, and those that refer to them, for which it holds', async () => {
    const { make } = context;
    const customers = {
      served: (await make('customer', { discount: 0 })).id,
      free: (await make('customer', { discount: 1 })).id,
    };
    expect(await seenBy(context, { path: '/customers', ids: customers, caller: [null, 'cashier'] })).toEqual(
      seen('served'),
    );
    const jobs = { brakes: (await make('job', { customerId: customers.served })).id };
    const asked = { path: '/jobs', ids: jobs, caller: [null, 'mechanic'] } as const;
    expect(await seenBy(context, asked)).toEqual(seen('brakes'));
    await context.call('PATCH', `/customers/${customers.served}`, { discount: 1 });
    expect(await seenBy(context, asked)).toEqual(seen());
  });
});

const dear = reading('bill', { dear: "lines.exists(l, l.amount > 5 && l.record.client.code == 'A')" });

withRoles('lists by the items of a record', { folder: 'atRead', roles: dear }, (context) => {
  test('look from an item at its record, and at what that refers to', async () => {
    const { make } = context;
    const [first, other] = [await make('client', { code: 'A' }), await make('client', { code: 'B' })];
    const bill = async (clientId: string, amount: number) =>
      (await make('bill', { clientId, lines: [{ work: 'Hull', amount }] })).id;
    const bills = { dear: await bill(first.id, 9), cheap: await bill(first.id, 2), other: await bill(other.id, 9) };
    expect(await seenBy(context, { path: '/bills', ids: bills, caller: [null, 'dear'] })).toEqual(seen('dear'));
  });
});

const clerk = {
  allow: [
    { on: ['asset'], to: ['read'] },
    { on: ['booking'], to: ['read'], when: 'seats == 1' },
    { on: ['booking'], to: ['read'], when: 'seats > 1', fields: { hide: ['day'] } },
  ],
};

withRoles('items that are other records', { folder: 'conditions', roles: { clerk } }, (context) => {
  test('show of each what its record shows, which may be nothing', async () => {
    const { id: customerId } = await context.make('customer');
    const { id } = await context.make('asset', { keeperId: null });
    for (const [day, seats] of [
      ['2026-03-02', 1],
      ['2026-03-03', 2],
    ] as const)
      await context.call('POST', '/bookings', { customerId, assetId: id, day, seats });
    const { body } = await context.as(null, 'clerk')('GET', `/assets/${id}`);
    expect((body as Json)['bookings']).toHaveLength(2);
    expect((body as Json)['bookings']).toEqual(expect.arrayContaining([{ day: '2026-03-02' }, {}]));
  });
});
