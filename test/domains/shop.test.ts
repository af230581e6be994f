// Figures along every way: over items and items of items, through references and lists of references, over the settings,
// sums of sums, states over many records, conditions on what a write moves. After any writes, also at once, all are right.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verified } from '../support/databases/verify.ts';
import { type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_value, n) => make(n));

onEveryDatabase(
  'shop',
  (context) => {
    const get = async (path: string): Promise<Json> => (await context.call('GET', path)).body as Json;
    const write = async (method: string, path: string, body: Json): Promise<Json & { id: string }> => {
      const { status, body: made } = await context.call(method, path, body);
      expect([status, made]).toEqual([200, made]);
      return made as Json & { id: string };
    };
    const post = (path: string, body: Json) => write('POST', path, body);
    const patch = (path: string, body: Json) => write('PATCH', path, body);

    test('a price goes through lines, orders and customers, and lists that name the product', async () => {
      const shelf = await post('/shelves', { name: 'Left' });
      const { id: tea } = await post('/products', { name: 'Tea', price: 2.5, shelfId: shelf.id });
      const { id: cup } = await post('/products', { name: 'Cup', price: 4 });
      const { id: customer } = await post('/customers', { name: 'Ann' });
      const wish = await post('/wishes', { name: 'Mine', productIds: [tea, cup] });
      expect(wish).toMatchObject({ worth: 6.5, size: 2 });
      const lines = [
        { productId: tea, quantity: 3, parcels: [{ count: 2 }, { count: 1 }] },
        { productId: cup, quantity: 1 },
      ];
      const order = await post('/orders', { customerId: customer, day: '2026-01-05', lines });
      expect(order).toMatchObject({ total: 11.5, lines: [{ amount: 7.5 }, { amount: 4 }] });
      expect(await get(`/customers/${customer}`)).toMatchObject({ open: 11.5, rank: 'new', last: { id: order.id } });
      expect(await get(`/products/${tea}`)).toMatchObject({ sold: 3, packed: 3, wished: 1 });
      expect(await get(`/shelves/${shelf.id}`)).toMatchObject({ worth: 7.5, dearest: { id: tea } });
      await patch(`/products/${tea}`, { price: 50 });
      expect(await get(`/orders/${order.id}`)).toMatchObject({ total: 154, lines: [{ amount: 150 }, { amount: 4 }] });
      expect(await get(`/customers/${customer}`)).toMatchObject({ open: 154, rank: 'good' });
      expect(await get(`/wishes/${wish.id}`)).toMatchObject({ worth: 54 });
      await patch(`/products/${cup}`, { shelfId: shelf.id, price: 51 });
      expect(await get(`/shelves/${shelf.id}`)).toMatchObject({ worth: 201, dearest: { id: cup } });
      await patch('/settings', { surcharge: 0.5 });
      expect(await get(`/orders/${order.id}`)).toMatchObject({ total: 201.5 });
      expect(await get(`/customers/${customer}`)).toMatchObject({ open: 201.5 });
      await patch('/settings', { surcharge: 0 });
      await patch(`/orders/${order.id}`, { statusId: 'cancelled' });
      expect(await get(`/products/${tea}`)).toMatchObject({ sold: 0, packed: 3 });
      expect(await verified(context, 'shop')).toEqual([]);
    });

    test('states follow from the records of others, in the order in which they are tried', async () => {
      const { id: customer } = await post('/customers', { name: 'Bob' });
      const { id } = await post('/orders', { customerId: customer, day: '2026-01-05', isLate: true });
      expect(await get(`/customers/${customer}`)).toMatchObject({ rank: 'late' });
      await patch(`/orders/${id}`, { isLate: false });
      expect(await get(`/customers/${customer}`)).toMatchObject({ rank: 'new' });
      await context.call('DELETE', `/orders/${id}`);
      expect(await get(`/customers/${customer}`)).toMatchObject({ last: null });
    });

    test('a condition on what a write moves elsewhere is judged after it, and nothing is kept', async () => {
      const { id: customer } = await post('/customers', { name: 'Cap', most: 10 });
      const { id: product } = await post('/products', { name: 'Ten', price: 1 });
      const order = (quantity: number) => ({
        customerId: customer,
        day: '2026-01-05',
        lines: [{ productId: product, quantity }],
      });
      const { id } = await post('/orders', order(6));
      const { status, body } = await context.call('POST', '/orders', order(5));
      expect([status, body]).toMatchObject([400, { errors: ["'customerId' must be a customer with at most 10 open"] }]);
      expect((await context.call('PATCH', `/orders/${id}`, order(11))).status).toBe(400);
      expect(await get(`/customers/${customer}`)).toMatchObject({ open: 6 });
      await patch(`/orders/${id}`, order(10));
      expect(await get(`/customers/${customer}`)).toMatchObject({ open: 10 });
    });

    test('a figure whose condition looks at another record follows when that changes', async () => {
      const { id: product } = await post('/products', { name: 'Point', price: 1 });
      const { id: customerId } = await post('/customers', { name: 'Pointed', isGood: false });
      const lines = [{ productId: product, quantity: 3 }];
      const { id } = await post('/orders', { customerId, day: '2026-01-05', lines, points: 1 });
      await patch(`/customers/${customerId}`, { isGood: true });
      expect(await get(`/orders/${id}`)).toMatchObject({ points: 3 });
      await patch(`/customers/${customerId}`, { isGood: false });
      expect(await patch(`/orders/${id}`, { points: 2 })).toMatchObject({ points: 2 });
      expect(await verified(context, 'shop')).toEqual([]);
    });

    test('a condition tells in its own words of a figure elsewhere that its field cannot hold', async () => {
      const { id: product } = await post('/products', { name: 'Palace', price: 60_000_000_000_000 });
      const { id: customer } = await post('/customers', { name: 'Heir', most: 90_000_000_000_000 });
      const order = { customerId: customer, day: '2026-01-05', lines: [{ productId: product, quantity: 1 }] };
      await post('/orders', order);
      const { status, body } = await context.call('POST', '/orders', order);
      expect([status, body]).toMatchObject([
        400,
        { errors: ["'customerId' must be a customer with at most 90000000000000 open"] },
      ]);
      await context.call('DELETE', `/customers/${customer}`);
    });

    test('a figure of own items and of other records follows these with all its items', async () => {
      const bill = async (...amounts: readonly number[]) =>
        String((await post('/bills', { name: 'Bill', lines: amounts.map((amount) => ({ amount })) })).id);
      const [first, second] = [await bill(70, 30), await bill(25, 20)];
      const at = async (id: string) => {
        const { paid, open, isSettled, largest, leftFirst } = await get(`/bills/${id}`);
        return { paid, open, isSettled, largest, leftFirst };
      };
      const { id } = await post('/settlements', { billId: first, amount: 40 });
      expect(await at(first)).toEqual({ paid: 40, open: 60, isSettled: false, largest: null, leftFirst: 30 });
      await patch(`/settlements/${id}`, { amount: 70 });
      expect(await at(first)).toEqual({ paid: 70, open: 30, isSettled: true, largest: 70, leftFirst: 0 });
      await patch(`/settlements/${id}`, { billId: second, amount: 25 });
      expect(await at(first)).toEqual({ paid: 0, open: 100, isSettled: false, largest: null, leftFirst: null });
      expect(await at(second)).toEqual({ paid: 25, open: 20, isSettled: true, largest: 25, leftFirst: 0 });
      expect((await get(`/bills/${first}`)).lines).toEqual([{ amount: 70 }, { amount: 30 }]);
      const parts = [
        { net: 70, gross: 84 },
        { net: 30, gross: 36 },
      ];
      expect((await get(`/receipts?billId=${first}`)).results).toMatchObject([{ parts }]);
      expect(await verified(context, 'shop')).toEqual([]);
    });

    test('a cap on a figure of another record holds among twenty writers', async () => {
      const { id: customer } = await post('/customers', { name: 'Race', most: 7 });
      const { id: product } = await post('/products', { name: 'Race', price: 1 });
      const body = { customerId: customer, day: '2026-01-05', lines: [{ productId: product, quantity: 1 }] };
      const answers = await Promise.all(times(20, () => context.call('POST', '/orders', body)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(13);
      expect(await get(`/customers/${customer}`)).toMatchObject({ open: 7 });
    }, 60_000);

    test('writers at once, of prices and of orders, leave figures that are right', async () => {
      const shelves = await Promise.all(times(2, (n) => post('/shelves', { name: `S${n}` })));
      const products = await Promise.all(
        times(3, (n) => post('/products', { name: `P${n}`, shelfId: shelves[n % 2]?.id })),
      );
      const customers = await Promise.all(times(2, (n) => post('/customers', { name: `C${n}` })));
      const answers = await Promise.all(
        times(32, (n) => {
          const product = products[n % 3]?.id;
          if (n % 4 === 0) return context.call('PATCH', `/products/${product}`, { price: n + 1 });
          if (n % 7 === 0) return context.call('PATCH', `/products/${product}`, { shelfId: shelves[n % 2]?.id });
          if (n % 5 === 0)
            return context.call('POST', '/wishes', { name: 'W', productIds: products.map(({ id }) => id) });
          const lines = times(1 + (n % 3), (k) => ({ productId: products[(n + k) % 3]?.id, quantity: n }));
          if (n % 11 === 0) return context.call('PATCH', `/customers/${customers[0]?.id}`, { isGood: false });
          return context.call('POST', '/orders', {
            customerId: customers[n % 2]?.id,
            agentId: customers[n % 3]?.id ?? null,
            day: `2026-01-${10 + (n % 20)}`,
            lines,
          });
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(times(32, () => 200));
      expect(await verified(context, 'shop')).toEqual([]);
    }, 60_000);

    test('orders that are made while the settings change have the surcharge of after', async () => {
      const { id: customer } = await post('/customers', { name: 'Hurry' });
      const { id: product } = await post('/products', { name: 'Bread', price: 2 });
      const body = { customerId: customer, day: '2026-01-05', lines: [{ productId: product, quantity: 1 }] };
      for (const surcharge of [1, 2, 0]) {
        const answers = await Promise.all(
          times(12, (n) =>
            n === 5 ? context.call('PATCH', '/settings', { surcharge }) : context.call('POST', '/orders', body),
          ),
        );
        expect(answers.map(({ status }) => status)).toEqual(times(12, () => 200));
        expect(await verified(context, 'shop')).toEqual([]);
      }
    }, 60_000);

    test('after any sequence of writes nothing is wrong', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
          await play(context, steps);
          expect(await verified(context, 'shop')).toEqual([]);
        }),
        { numRuns: 20, endOnFailure: true },
      );
    }, 120_000);
  },
  'shop',
);

const step = fc.record({
  what: fc.constantFrom(
    'order',
    'order',
    'lines',
    'price',
    'shelf',
    'wish',
    'state',
    'delete',
    'settings',
    'customer',
    'books',
    'agent',
    'bill',
    'settle',
    'settle',
  ),
  one: fc.nat(30),
  other: fc.nat(30),
  amount: fc.integer({ min: 1, max: 10_000 }),
});
interface Step {
  readonly what: string;
  readonly one: number;
  readonly other: number;
  readonly amount: number;
}

async function play({ call }: Context, steps: readonly Step[]): Promise<void> {
  const make = async (path: string, body: Json): Promise<string> =>
    String(((await call('POST', path, body)).body as Json)['id']);
  const products: string[] = [];
  for (const name of ['A', 'B', 'C']) products.push(await make('/products', { name }));
  const shelves: string[] = [];
  for (const name of ['X', 'Y']) shelves.push(await make('/shelves', { name }));
  const customers: string[] = [];
  for (const name of ['K', 'L']) customers.push(await make('/customers', { name }));
  const orders: string[] = [];
  const wishes: string[] = [];
  const bills = [await make('/bills', { name: 'B', lines: [{ amount: 7 }] })];
  const settlements: string[] = [];
  const at = (list: readonly string[], place: number): string | undefined => list[place % Math.max(1, list.length)];
  for (const { what, one, other, amount } of steps) {
    const lines = times(one % 4, (n) => ({
      productId: at(products, other + n),
      quantity: 1 + ((amount + n) % 9),
      parcels: times(amount % 3, (k) => ({ count: k + 1 })),
    }));
    const order = `/orders/${at(orders, one)}`;
    const agentId = amount % 4 ? at(customers, one) : null;
    const body = { customerId: at(customers, other), agentId, day: `2026-0${1 + (amount % 9)}-01` };
    if (what === 'order') {
      const { status, body: made } = await call('POST', '/orders', { ...body, lines, isLate: amount % 3 > 0 });
      if (status === 200) orders.push(String((made as Json)['id']));
    } else if (what === 'lines') await call('PATCH', order, amount % 2 ? { lines } : { ...body, lines });
    else if (what === 'price') await call('PATCH', `/products/${at(products, one)}`, { price: amount / 100 });
    else if (what === 'shelf')
      await call('PATCH', `/products/${at(products, one)}`, { shelfId: amount % 3 ? at(shelves, other) : null });
    else if (what === 'wish') {
      const productIds = products.slice(0, other % 4);
      if (one % 2 && wishes.length > 0) await call('PATCH', `/wishes/${at(wishes, one)}`, { productIds });
      else wishes.push(await make('/wishes', { name: 'W', productIds }));
    } else if (what === 'state')
      await call('PATCH', order, { statusId: ['open', 'paid', 'cancelled'][other % 3], isLate: amount % 2 === 0 });
    else if (what === 'settings') await call('PATCH', '/settings', { surcharge: amount % 2 ? 0 : 1.25 });
    else if (what === 'agent') await call('PATCH', order, { agentId, customerId: at(customers, other) });
    else if (what === 'books') {
      const most = amount % 5 ? 100_000 : 5;
      const books = { isGood: other % 3 > 0, hasBooks: amount % 7 > 0, most };
      await call('PATCH', `/customers/${at(customers, one)}`, books);
    } else if (what === 'bill') {
      const bill = { name: 'B', lines: times(1 + (one % 3), (n) => ({ amount: (amount + n) / 100 })) };
      if (other % 3) await call('PATCH', `/bills/${at(bills, one)}`, bill);
      else bills.push(await make('/bills', bill));
    } else if (what === 'settle') {
      const settlement = { billId: at(bills, one), amount: (amount % 700) / 100 };
      const path = `/settlements/${at(settlements, other)}`;
      if (amount % 4 === 0) await call('DELETE', path);
      else if (amount % 4 === 1) await call('PATCH', path, settlement);
      else {
        const { status, body: made } = await call('POST', '/settlements', settlement);
        if (status === 200) settlements.push(String((made as Json)['id']));
      }
    } else if (what === 'customer') await call('DELETE', `/customers/${at(customers, one)}`);
    else
      await call(
        'DELETE',
        [order, `/products/${at(products, other)}`, `/shelves/${at(shelves, one)}`, `/wishes/${at(wishes, one)}`][
          amount % 4
        ] ?? '',
      );
  }
}
