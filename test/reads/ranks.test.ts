// Ranks: how many records of a group come before one by a key, counted along an index.
import { beforeAll, expect, test } from 'vitest';
import { Random } from '../oracle/random.ts';
import { openCounter } from '../support/databases/rows-read.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

interface Bid {
  readonly id: string;
  readonly pitch: { readonly id: string };
  readonly amount: number | null;
  readonly priority: number;
  readonly isOpen: boolean;
  readonly createdAt: string;
  readonly rank: number;
}

const bidsOfLargePitch = 400;

/** The computed fields of a bid, computed from all bids. */
function expectedOf(bid: Bid, all: readonly Bid[]) {
  const beside = all.filter(({ pitch }) => pitch.id === bid.pitch.id);
  const { amount } = bid;
  const higher = amount === null ? [] : beside.filter((one) => one.amount !== null && one.amount > amount);
  return {
    id: bid.id,
    rank: higher.length + 1,
    higher: higher.reduce((sum, one) => sum + Math.round((one.amount ?? 0) * 100), 0) / 100,
    before: beside.filter((one) => one.isOpen && one.createdAt < bid.createdAt).length,
    atMost: beside.filter(({ priority }) => bid.priority >= priority).length,
  };
}

onEveryDatabase(
  'ranks',
  (context) => {
    const pitches: string[] = [];
    let bids: readonly Bid[] = [];

    beforeAll(async () => {
      const random = new Random(2026, 28);
      for (let count = 0; count < 4; count += 1) pitches.push((await context.make('pitch', {})).id);
      for (let part = 0; part < bidsOfLargePitch / 40; part += 1) {
        const operations = Array.from({ length: 50 }, (_value, place) => ({
          method: 'POST',
          path: '/bids',
          body: {
            pitchId: pitches[place < 40 ? 0 : 1 + (place % 3)],
            amount: random.chance(5) ? null : random.upTo(9000) / random.one([1, 10, 100]),
            priority: random.upTo(4),
            isOpen: random.chance(70),
          },
        }));
        expect((await context.call('POST', '/batch', { operations })).status).toBe(200);
      }
      bids = (await context.all('bid')) as unknown as readonly Bid[];
    }, 120_000);

    /** Statements that a request reads with, without that of the page itself. */
    const statementsOf = async (path: string) => {
      const before = context.reads.length;
      const { body } = await context.call('GET', path);
      const values = context.readValues.slice(before);
      const statements = context.reads.slice(before).map((text, index) => ({ text, values: values[index] ?? [] }));
      return { body: body as Json, statements: statements.filter(({ text }) => /^select 0 as .#./.test(text)) };
    };

    test('are right for each record, in pages of any size', async () => {
      expect(bids.length).toBe(bidsOfLargePitch * 1.25);
      for (const size of [100, 7, 2]) {
        const { body } = await statementsOf(`/bids?limit=${size}`);
        const page = body['results'] as readonly Bid[];
        expect(page.length).toBe(size);
        expect(page).toMatchObject(page.map((bid) => expectedOf(bid, bids)));
      }
      for (const pitchId of pitches) {
        const found = (await context.all('bid', `&pitchId=${pitchId}`)) as unknown as readonly Bid[];
        expect(found).toMatchObject(found.map((bid) => expectedOf(bid, bids)));
      }
    });

    test('count only the records before one, with one statement for each field', async () => {
      const counter = await openCounter(context.databaseUrl);
      const bid = bids.find(({ rank, pitch }) => pitch.id === pitches[0] && rank > 20 && rank < 60);
      const { body, statements } = await statementsOf(`/bids/${bid?.id}`);
      expect(body).toMatchObject({ rank: bid?.rank });
      const [first] = statements;
      expect(statements.length).toBe(4);
      expect(await counter.count(first?.text ?? '', first?.values ?? [])).toBeLessThanOrEqual((bid?.rank ?? 0) + 2);
      await counter.close();
    });

    test('read each entry of the index at most once for a page, with one statement for each field', async () => {
      const counter = await openCounter(context.databaseUrl);
      const { statements } = await statementsOf(`/bids?pitchId=${pitches[0]}&limit=100`);
      expect(statements.length).toBe(4);
      // Amounts with two, one and no decimals are compared with columns of their own form.
      const mostForms = 3;
      for (const { text, values } of statements)
        expect(await counter.count(text, values)).toBeLessThanOrEqual(mostForms * bidsOfLargePitch + 150);
      await counter.close();
    });
  },
  'market',
);
