// Aggregates over all records of a group, without a filter.
import { expect, test } from 'vitest';
import { Random } from '../oracle/random.ts';
import { verified } from '../support/databases/verify.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

interface Sale {
  readonly id: string;
  readonly code: string;
  readonly amount: number | null;
  readonly units: number;
  readonly day: string | null;
  readonly isPaid: boolean;
  readonly lines: readonly { readonly weight: number }[];
}

const cents = (sales: readonly Sale[]): number =>
  sales.reduce((sum, { amount }) => sum + Math.round((amount ?? 0) * 100), 0);

/** What the computed fields of a report and of a board must be, computed from the sales themselves. */
function expectedOf(sales: readonly Sale[]) {
  const amounts = sales.flatMap(({ amount }) => amount ?? []);
  const days = sales.flatMap(({ day }) => day ?? []).toSorted();
  const weights = sales.flatMap(({ lines }) => lines.map(({ weight }) => weight));
  const cheap = sales.filter(({ amount, units, isPaid }) => amount !== null && amount < units * 10 && !isPaid);
  return {
    count: sales.length,
    total: cents(sales) / 100,
    mean: amounts.length === 0 ? null : Math.round((cents(sales) * 100) / amounts.length) / 10_000,
    least: amounts.length === 0 ? null : Math.min(...amounts),
    greatest: amounts.length === 0 ? null : Math.max(...amounts),
    latest: days.at(-1) ?? null,
    hasAny: sales.length > 0,
    hasUnpaid: sales.some(({ isPaid }) => !isPaid),
    arePaid: sales.every(({ isPaid }) => isPaid),
    arePositive: sales.every(({ amount }) => amount !== null && amount > 0),
    areLarge: sales.every(({ isPaid, amount }) => isPaid || (amount !== null && amount > 10)),
    paidCount: sales.filter(({ isPaid }) => isPaid).length,
    cheapTotal: cents(cheap) / 100,
    dummyTotal: cents(sales) / 100,
    weight: weights.reduce((sum, one) => sum + one, 0),
    heavyLines: weights.filter((one) => one > 5).length,
  };
}

onEveryDatabase(
  'aggregates over all records of a group',
  (context) => {
    const done = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: Json): Promise<Json> => {
      const answer = await context.call(method, path, body);
      expect([answer.status, answer.body]).toEqual([method === 'DELETE' ? 204 : 200, answer.body]);
      return answer.body as Json;
    };
    const salesOf = async (): Promise<readonly Sale[]> =>
      ((await context.all('sale')) as unknown as readonly Sale[]).toReversed();
    const expectRight = async (): Promise<void> => {
      const sales = await salesOf();
      const expected = expectedOf(sales);
      const report = (await context.call('GET', '/report?minimum=3')).body as Json;
      const most = Math.max(...sales.map(({ units }) => units));
      expect(report).toEqual({
        minimum: 3,
        ...expected,
        last: sales.at(-1)?.code ?? null,
        best: sales.findLast(({ units }) => units === most)?.code ?? null,
        beyond: sales.filter(({ amount, units }) => (amount ?? 0) > 3 || units > 3).length,
      });
      for (const board of (await context.all('board')) as unknown as readonly (Json & { goal: number })[])
        expect(board).toMatchObject({
          ...expected,
          missing: Math.round(board.goal * 100 - cents(sales)) / 100,
          above: sales.filter(({ isPaid, amount }) => isPaid || (amount ?? 0) > board.goal).length,
        });
      const units = sales.reduce((sum, sale) => sum + sale.units, 0);
      for (const sale of (await context.all('sale')) as unknown as readonly (Sale & { share: number | null })[])
        expect(sale.share).toBe(units === 0 ? null : Math.round((sale.units / units) * 10_000) / 10_000);
      expect(await verified(context, 'market')).toEqual([]);
    };

    test('are right for none, and after each write of a sale or a board', async () => {
      await expectRight();
      await done('POST', '/boards', {});
      await expectRight();
      const ids: string[] = [];
      const bodies: Json[] = [
        { code: 'a', amount: 12.5, units: 2, day: '2026-03-01', isPaid: true, lines: [{ weight: 3 }, { weight: 9 }] },
        { code: 'b', amount: null, units: 4, day: null },
        { code: 'c', amount: -3.25, units: 4, day: '2026-05-02', lines: [{ weight: 6 }] },
        { code: 'd', amount: 200, units: 0, day: '2025-12-31', isPaid: true },
      ];
      for (const body of bodies) {
        ids.push(String((await done('POST', '/sales', body))['id']));
        await expectRight();
      }
      await done('POST', '/boards', { goal: 12 });
      const changes: readonly (readonly [number, Json])[] = [
        [1, { amount: 0.01 }],
        [0, { isPaid: false }],
        [3, { amount: 4, day: '2026-06-01' }],
        [2, { lines: [] }],
        [2, { amount: 8, isPaid: true }],
        [0, { code: 'A' }],
      ];
      for (const [index, body] of changes) {
        await done('PATCH', `/sales/${ids[index]}`, body);
        await expectRight();
      }
      for (const id of ids) {
        await done('DELETE', `/sales/${id}`);
        await expectRight();
      }
    });

    test('stay right if several callers write sales and boards at once', async () => {
      const random = new Random(2026, 11);
      const write = async (): Promise<void> => {
        for (let count = 0; count < 6; count += 1) {
          const body = {
            code: 'x',
            amount: random.upTo(2000) / 100,
            units: random.upTo(9),
            isPaid: random.upTo(1) === 1,
          };
          const sale = await context.call('POST', '/sales', body);
          const board = await context.call('POST', '/boards', { goal: random.upTo(30) });
          for (const { status } of [sale, board]) expect([200, 503]).toContain(status);
          if (sale.status !== 200) continue;
          const { id } = sale.body as Json;
          const change = await context.call('PATCH', `/sales/${String(id)}`, { amount: random.upTo(500) / 100 });
          expect([200, 503]).toContain(change.status);
        }
      };
      await Promise.all(Array.from({ length: 4 }, write));
      expect((await salesOf()).length).toBeGreaterThan(8);
      await expectRight();
    });

    test('read no record of a large group', async () => {
      for (let part = 0; part < 3; part += 1) {
        const operations = Array.from({ length: 50 }, () => ({
          method: 'POST',
          path: '/sales',
          body: { code: 'many', amount: 1, units: 2, lines: [{ weight: 1 }] },
        }));
        expect((await context.call('POST', '/batch', { operations })).status).toBe(200);
      }
      const before = context.reads.length;
      expect((await context.call('GET', '/report')).status).toBe(200);
      const statements = context.reads.slice(before).filter((statement) => /from .sale/.test(statement));
      expect(statements.length).toBeGreaterThan(10);
      const isAggregate = (statement: string) => /^select \d+ as .#., cast\(/.test(statement);
      // Others read the newest sale, the best one, or try whether the group has few records.
      const others = statements.filter((statement) => !isAggregate(statement));
      expect(others.filter((statement) => !/ limit (1|\+?\?)$/.test(statement))).toEqual([]);
      expect(others.length).toBeLessThanOrEqual(3);
    });
  },
  'market',
);
