// What figures and defaults find in other records: items of lists, items of items, ids in lists, lists of records behind
// references; with the record that is written as it will be, and in few statements.
import { describe, expect, test } from 'vitest';
import type { Workspace } from '../../src/app/workspace.ts';
import { type Endpoint, endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Operation } from '../../src/registry/model/model.ts';
import { parseBody } from '../../src/request/body.ts';
import { parseAddress } from '../../src/request/parse.ts';
import type { Bound } from '../../src/storage/schema/cells.ts';
import type { Database, Session } from '../../src/storage/schema/session.ts';
import { openQuietly } from '../support/databases/workspace.ts';
import { folders, grounds, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

type Made = Json & { readonly id: string };

onEveryDatabase(
  'facts',
  (context) => {
    const make = async (group: string, body: Json): Promise<Made> => {
      const answer = await context.call('POST', context.resource(group).path, body);
      expect([answer.status, answer.body]).toEqual([200, answer.body]);
      return answer.body as Made;
    };
    const change = async (group: string, id: string, body: Json = {}): Promise<Json> => {
      const answer = await context.call('PATCH', `${context.resource(group).path}/${id}`, body);
      expect([answer.status, answer.body]).toEqual([200, answer.body]);
      return answer.body as Json;
    };
    const remove = async (group: string, id: string): Promise<void> => {
      expect((await context.call('DELETE', `${context.resource(group).path}/${id}`)).status).toBe(204);
    };
    /** Another value for a field that nothing looks at: the figures are taken again. */
    const touch = (order: string): Promise<Json> => change('order', order, { note: 'Again' });
    const part = async (price: number | null = 10): Promise<string> => (await make('part', { name: 'Bolt', price })).id;
    const customer = async (body: Json = {}): Promise<string> => (await make('customer', { name: 'Ada', ...body })).id;
    const order = (customerId: string, body: Json = {}): Promise<Made> => make('order', { customerId, ...body });

    test('sum the items of other records that name this one', async () => {
      const customerId = await customer();
      const one = await order(customerId);
      const other = await order(customerId);
      expect(one['paid']).toBe(0);
      const first = await make('payment', {
        customerId,
        orders: [
          { id: one.id, amount: 1.5 },
          { id: other.id, amount: 7 },
        ],
      });
      await make('payment', { customerId, orders: [{ id: one.id, amount: 2.25 }] });
      expect(await touch(one.id)).toMatchObject({ paid: 3.75 });
      expect(await touch(other.id)).toMatchObject({ paid: 7 });
      await change('payment', first.id, { orders: [{ id: one.id, amount: 0.25 }] });
      expect(await touch(one.id)).toMatchObject({ paid: 2.5 });
      await remove('payment', first.id);
      expect(await touch(one.id)).toMatchObject({ paid: 2.25 });
    });

    test('count the items of the record that is written as they will be', async () => {
      const [customerId, partId] = [await customer(), await part()];
      await order(await customer(), { lines: [{ partId, quantity: 100 }] });
      const one = await order(customerId, {
        lines: [
          { partId, quantity: 1 },
          { partId, quantity: 2 },
        ],
      });
      expect(one['lines']).toMatchObject([{ ordered: 3 }, { ordered: 3 }]);
      const two = await order(customerId, { lines: [{ partId, quantity: 4 }] });
      expect(two['lines']).toMatchObject([{ ordered: 7 }]);
      const less = await change('order', one.id, { lines: [{ partId, quantity: 2 }] });
      expect(less['lines']).toMatchObject([{ ordered: 6 }]);
      // To another customer it takes its items along.
      const moved = await change('order', one.id, { customerId: await customer() });
      expect(moved['lines']).toMatchObject([{ ordered: 2 }]);
      expect((await touch(two.id))['lines']).toMatchObject([{ ordered: 4 }]);
    });

    test('look from an item at the record behind an id that is called id', async () => {
      const [customerId, partId] = [await customer(), await part(2.5)];
      const { id } = await order(customerId, { lines: [{ partId, quantity: 4 }] });
      const first = await make('payment', { customerId, orders: [{ id, amount: 3 }] });
      expect(first['orders']).toMatchObject([{ total: 10, due: 7 }]);
      const second = await make('payment', { customerId, orders: [{ id, amount: 7.5 }] });
      expect(second['orders']).toMatchObject([{ total: 10, due: -0.5 }]);
      expect((await change('payment', first.id, { orders: [{ id, amount: 2 }] }))['orders']).toMatchObject([
        { due: 0.5 },
      ]);
    });

    test('find ids in lists, and records in lists of others', async () => {
      const [cheap, dear] = [await part(1), await part(100)];
      const customerId = await customer({ favouriteIds: [dear, cheap] });
      await customer({ favouriteIds: [cheap] });
      expect(await change('part', cheap, { name: 'Nut' })).toMatchObject({ lovers: 2 });
      expect(await change('part', dear, { name: 'Nut' })).toMatchObject({ lovers: 1 });
      const made = await order(customerId, { lines: [{ partId: dear, quantity: 1 }] });
      expect(made).toMatchObject({ liked: 1, cheap: 1 });
      await change('customer', customerId, { favouriteIds: [] });
      expect(await change('part', cheap, { name: 'Bolt' })).toMatchObject({ lovers: 1 });
      expect(await touch(made.id)).toMatchObject({ liked: 0, cheap: 1 });
    });

    test('read the lists of a record behind a reference, and the lists of their items', async () => {
      const [one, two, three] = [await part(1), await part(2), await part(3)];
      const steps = [
        { from: 10, rate: 7 },
        { from: 100, rate: 6 },
      ];
      const customerId = await customer({
        rates: [
          { partId: one, rate: 8 },
          { partId: two, rate: 7.5, steps },
        ],
      });
      const line = (partId: string, quantity: number): Json => ({ partId, quantity });
      const lines = [line(one, 1), line(two, 9), line(two, 10), line(two, 1000), line(three, 1)];
      const made = await order(customerId, { lines });
      expect((made['lines'] as Json[]).map(({ price }) => price)).toEqual([8, 7.5, 7, 6, 3]);
      expect(made).toMatchObject({ total: 8 + 67.5 + 70 + 6000 + 3, note: 'Bolt' });
    });

    test('find items of items, whose record tells more', async () => {
      const [customerId, partId, other] = [await customer(), await part(), await part()];
      const pick = (id: string, quantity: number): Json => ({ kindId: 'part', id, quantity });
      const lines = [
        { partId, quantity: 1, picks: [pick(partId, 2), pick(other, 3)] },
        { partId, quantity: 1, picks: [pick(partId, 4)] },
      ];
      const made = await order(customerId, { statusId: 'issued', lines });
      await order(customerId, { lines });
      expect(made).toMatchObject({ isOnly: false });
      expect(await change('part', partId, { name: 'Nut' })).toMatchObject({ picked: 6, ordered: 4 });
      expect(await change('part', other, { name: 'Nut' })).toMatchObject({ picked: 3, ordered: 0 });
      await change('order', made.id, { statusId: 'open' });
      expect(await change('part', partId, { name: 'Bolt' })).toMatchObject({ picked: 0 });
    });

    test('know places and lists of items that are found by themselves', async () => {
      const [customerId, partId, gone] = [await customer(), await part(), await part()];
      const before = await order(customerId);
      const pick = { kindId: 'order', id: before.id };
      const lines = [
        { partId, quantity: 1 },
        { partId, quantity: 5, picks: [pick] },
        { partId, quantity: 9, picks: [{ kindId: 'part', id: partId }, pick, { kindId: 'part', id: partId }] },
      ];
      const middle = await order(customerId, { lines, followsId: before.id });
      // The second line with one pick, the third with three, of three lines each.
      expect(middle).toMatchObject({ around: 10 + 3 + 30 + 3, followed: 0, place: null });
      const last = await order(customerId, { followsId: middle.id });
      expect(last).toMatchObject({ followed: 2 + 3, place: 2, around: 0 });
      // Items that go with a record that they name leave their places free.
      const leaving = await customer();
      const kept = { partId, quantity: 7, picks: [pick] };
      const thinned = await order(customerId, { lines: [{ ...kept, forId: leaving }, kept] });
      await remove('customer', leaving);
      expect(await order(customerId, { followsId: thinned.id })).toMatchObject({ place: 0, followed: 1 });
      expect(await order(customerId, { followsId: before.id })).toMatchObject({ around: 10 + 3 + 30 + 3 + 10 + 1 });
      const rates = [
        { partId: gone, rate: 1 },
        { partId, rate: 2, steps: [{ from: 1, rate: 1.5 }] },
      ];
      const ratedId = await customer({ rates });
      await remove('part', gone);
      const rated = await order(ratedId, { lines: [{ partId, quantity: 3 }] });
      expect(rated['lines']).toMatchObject([{ price: 1.5 }]);
    });

    test('count the records between two days, of a state and by what is null', async () => {
      const customerId = await customer();
      // A Monday, a Sunday, and the days around them.
      for (const date of ['2026-03-01', '2026-03-02', '2026-03-08', '2026-03-09']) await order(customerId, { date });
      const wednesday = await order(customerId, { date: '2026-03-04' });
      expect(wednesday).toMatchObject({ inWeek: 3, firstDate: '2026-03-01' });
      expect(await change('order', wednesday.id, { date: '2026-03-09' })).toMatchObject({ inWeek: 2 });

      for (const [weight, statusId] of [
        [null, 'open'],
        [11, 'open'],
        [10, 'open'],
        [12, 'paid'],
      ])
        await order(customerId, { isRush: true, weight, statusId });
      const calm = await order(customerId, { weight: 10 });
      // Besides this one: five calm ones of no weight.
      expect(calm).toMatchObject({ rushed: 2, light: 5 });
      expect(await change('order', calm.id, { isRush: true, weight: 13 })).toMatchObject({ rushed: 3, light: 5 });
    });

    test('ask for many pairs of values, and for many bounds, together', async () => {
      const [first, second] = [await customer(), await customer()];
      const parts = [await part(), await part(), await part()];
      // Each part for nobody, for the first and for the second customer: 13 or 14 times each.
      const lines = Array.from({ length: 121 }, (_value, n) => ({
        ...{ partId: parts[n % 3], quantity: 1 },
        forId: [null, first, second][Math.floor(n / 3) % 3],
      }));
      const twins = lines.map(
        (line) => lines.filter(({ partId, forId }) => partId === line.partId && forId === line.forId).length,
      );
      const made = await order(first, { lines });
      expect((made['lines'] as Json[]).map((line) => line['twins'])).toEqual(twins);
      const [one] = lines;
      const another = await order(second, { lines: [one, lines[3], lines[3]] });
      expect((another['lines'] as Json[]).map((line) => line['twins'])).toEqual([
        (twins[0] ?? 0) + 1,
        (twins[3] ?? 0) + 2,
        (twins[3] ?? 0) + 2,
      ]);

      const orders: Made[] = [];
      for (let n = 10; n < 16; n += 1) orders.push(await order(n % 2 === 0 ? first : second, { date: `2026-09-${n}` }));
      const paid = await make('payment', { customerId: first, orders: orders.map(({ id }) => ({ id, amount: 1 })) });
      expect((paid['orders'] as Json[]).map(({ since }) => since)).toEqual([3, 3, 2, 2, 1, 1]);
    });

    test('find ids of several groups by the id alone', async () => {
      const [customerId, partId] = [await customer(), await part()];
      const { id } = await order(customerId);
      const picks = [
        { kindId: 'part', id: partId },
        { kindId: 'order', id },
        { kindId: 'order', id },
      ];
      const one = await order(customerId, { lines: [{ partId, quantity: 1, picks }] });
      expect(one['lines']).toMatchObject([{ picks: [{ seen: 1 }, { seen: 2 }, { seen: 2 }] }]);
      const two = await order(customerId, { lines: [{ partId, quantity: 1, picks: picks.slice(0, 2) }] });
      expect(two['lines']).toMatchObject([{ picks: [{ seen: 2 }, { seen: 3 }] }]);
    });

    test('are taken after those of the record that others like it are asked for', async () => {
      const [customerId, partId] = [await customer(), await part(2)];
      const made = await order(customerId, { lines: [{ partId, quantity: 3 }] });
      expect(made).toMatchObject({ ofAll: 6, number: 1 });
      expect(await order(customerId, { lines: [{ partId, quantity: 4 }] })).toMatchObject({ ofAll: 14, number: 2 });
      expect(await change('order', made.id, { lines: [] })).toMatchObject({ ofAll: 8, number: 1 });
    });

    test('go in the order of making, the record that changes at its place', async () => {
      const customerId = await customer();
      const first = await order(customerId, { date: '2026-05-05' });
      const second = await order(customerId, { date: '2026-01-01' });
      expect([first['firstDate'], second['firstDate']]).toEqual(['2026-05-05', '2026-05-05']);
      expect(await change('order', second.id, { date: '2026-01-02' })).toMatchObject({ firstDate: '2026-05-05' });
    });

    test('say whether there is any at all, the record that is written among them', async () => {
      const customerId = await customer();
      const made = await order(customerId);
      for (const payment of await context.all('payment')) await remove('payment', payment.id);
      expect(await touch(made.id)).toMatchObject({ hasPayments: false });
      const { id } = await make('payment', { customerId });
      expect(await change('order', made.id, { note: null })).toMatchObject({ hasPayments: true });
      await remove('payment', id);
      for (const each of await context.all('order')) await change('order', each.id, { lines: [], followsId: null });
      expect(await change('order', made.id, { note: 'none' })).toMatchObject({ isOnly: true });
      const partId = await part();
      const lines = [{ partId, quantity: 1, picks: [{ kindId: 'part', id: partId }] }];
      expect(await change('order', made.id, { lines })).toMatchObject({ isOnly: false });
      expect(await change('order', made.id, { lines: [] })).toMatchObject({ isOnly: true });
    });
  },
  'figures',
);

interface Asked {
  readonly sql: string;
  rows: number;
}

/** Notes every statement that reads. */
function watch(database: Database, asked: Asked[]): void {
  const watched = (session: Session): Session => ({
    all: async (sql, values) => {
      const one = { sql, rows: 0 };
      asked.push(one);
      const rows = await session.all(sql, values);
      one.rows = rows.length;
      return rows;
    },
    run: (sql: string, values: readonly Bound[]) => session.run(sql, values),
  });
  const { transact } = database;
  Object.assign(database, {
    transact: (work: Parameters<typeof transact>[0]) => transact.call(database, (session) => work(watched(session))),
  });
}

describe.each(grounds.filter(({ open }) => open !== undefined))('statements for facts ($name)', ({ name, open }) => {
  const asked: Asked[] = [];

  async function within(work: (execute: Execute) => Promise<void>): Promise<void> {
    const ground = await open?.();
    if (ground === undefined) throw new Error('there is no database');
    const workspace = await openQuietly({
      databaseUrl: ground.url,
      resources: folders.figures,
      setup: { workspaceName: 'Yard', workspaceCurrency: 'EUR', adminName: undefined, adminEmail: undefined },
    });
    try {
      watch(workspace.database, asked);
      const endpoints = endpointsOf(workspace.registry);
      await work((operation, group, sent) => execute(workspace, endpoints, { operation, group, ...sent }));
    } finally {
      await workspace.close();
      await ground.close();
    }
  }

  type Execute = (operation: Operation, group: string, sent: { id?: string; body: Json }) => Promise<Made>;

  /** Does what a request would, without HTTP. */
  async function execute(
    workspace: Workspace,
    endpoints: readonly Endpoint[],
    { operation, group, id = '', body }: { operation: Operation; group: string; id?: string; body: Json },
  ): Promise<Made> {
    const endpoint = endpoints.find((each) => each.resource.name === group && each.operation === operation);
    if (endpoint === undefined) throw new Error(`no ${operation} of ${group}`);
    const parsed = parseBody(endpoint.resource, operation === 'create' ? 'create' : 'update', body);
    asked.length = 0;
    const caller = { tokenId: 'T', memberId: null };
    const outcome = await workspace.engine.execute({
      endpoint,
      caller,
      ...parseAddress(endpoint, id, ''),
      body: parsed,
    });
    const answer: unknown = JSON.parse(outcome.body?.toString() ?? '{}');
    return (isObject(answer) ? answer : {}) as Made;
  }

  test('as many for many items as for one, and for as many as others hold', async () => {
    await within(async (run) => {
      const parts: string[] = [];
      for (let n = 0; n < 12; n += 1)
        parts.push((await run('create', 'part', { body: { name: `Part ${n}`, price: n } })).id);
      const rates = parts.map((partId) => ({ partId, rate: 1, steps: [{ from: 1, rate: 1 }] }));
      const favouriteIds = [(await run('create', 'part', { body: { name: 'Favourite' } })).id];
      const customerId = (await run('create', 'customer', { body: { name: 'Ada', rates, favouriteIds } })).id;
      const linesOf = (count: number): Json[] =>
        parts.slice(0, count).map((partId) => ({ partId, quantity: 1, picks: [{ kindId: 'part', id: partId }] }));
      const one = await run('create', 'order', { body: { customerId, lines: linesOf(1) } });
      const countsOf = async (steps: readonly number[]): Promise<ReadonlySet<number>> => {
        const counts = new Set<number>();
        for (const lines of steps) {
          await run('update', 'order', { id: one.id, body: { lines: linesOf(lines) } });
          counts.add(asked.length);
        }
        return counts;
      };
      const [most = 0, ...others] = await countsOf([1, 2, 12]);
      expect(others).toEqual([]);
      // Parts that are no longer picked are held against those who count the picks: all in one statement, where several write.
      expect([...(await countsOf([5, 1]))]).toEqual([most + (name === 'SQLite' ? 0 : 1)]);
      // All lines of all parts are asked for together, for each of the three figures that do.
      await run('update', 'order', { id: one.id, body: { lines: linesOf(12) } });
      const lists = asked.filter(({ sql }) => /order_lines\W+as\W+l1/.test(sql) && /part_id/.test(sql));
      expect(lists).toHaveLength(3);
      // Two orders to be paid are one question for the payments of both.
      const two = await run('create', 'order', { body: { customerId } });
      const orders = [one.id, two.id].map((id) => ({ id, amount: 1 }));
      const { id } = await run('create', 'payment', { body: { customerId, orders } });
      await run('update', 'payment', { id, body: { orders: orders.map((each) => ({ ...each, amount: 2 })) } });
      expect(asked.filter(({ sql }) => /payment_orders\W+as\W+l1/.test(sql))).toHaveLength(1);
    });
  });

  test('what counts is counted by the database', async () => {
    await within(async (run) => {
      const customerId = (await run('create', 'customer', { body: { name: 'Ada' } })).id;
      for (let n = 10; n < 31; n += 1)
        await run('create', 'order', { body: { customerId, date: `2026-03-${n}`, weight: 10, isRush: n % 2 === 0 } });
      // A few would be read once for all questions.
      for (let n = 0; n < 40; n += 1)
        await run('create', 'order', { body: { customerId, date: '2025-06-01', weight: 10 } });
      const made = await run('create', 'order', { body: { customerId, date: '2026-03-18', weight: 10 } });
      expect(made).toMatchObject({ inWeek: 8, light: 0, rushed: 0 });
      const seeks = asked.filter(({ sql }) => /from\W+order\W+as\W+r\W/.test(sql));
      const isTry = (text: string): boolean => / limit \?$/.test(text);
      const [tries, questions] = [seeks.filter(({ sql }) => isTry(sql)), seeks.filter(({ sql }) => !isTry(sql))];
      expect(tries.length, 'whether they are few').toBeLessThanOrEqual(1);
      // Each question about them is one row, and seven are in the week.
      expect(questions.length).toBeGreaterThan(0);
      expect(questions.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(7);
      // Whether anybody has paid anything is one row at most.
      await run('create', 'payment', { body: { customerId } });
      await run('create', 'payment', { body: { customerId } });
      await run('update', 'order', { id: made.id, body: { weight: 9 } });
      expect(asked.filter(({ sql }) => /select 1 from\W+payment\W/.test(sql)).map(({ rows }) => rows)).toEqual([1]);
    });
  });
});
