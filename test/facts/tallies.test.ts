// What is asked of the database about the same items as a whole, where others have asked within other limits.
import { expect, test } from 'vitest';
import { StoredFacts } from '../../src/facts/pending-questions.ts';
import { ReadFacts } from '../../src/facts/read-facts.ts';
import type { Records } from '../../src/facts/records.ts';
import type { Tally } from '../../src/formulas/analyse/tally.ts';
import type { Tallied, TallyAsk } from '../../src/formulas/evaluate/facts.ts';
import { notKnown } from '../../src/formulas/language/value.ts';

/** How many moves of an account there are before a day. */
const countBefore = (id: number, day: string): TallyAsk => {
  const limits = [{ key: 'day', sign: '<', orNull: false, value: { given: 0 } }] as const;
  const about = { collection: { group: 'move', lists: [] }, take: 'count', body: undefined } as unknown as Tally; // what is asked of it
  const wanted = [{ key: 'accountId', up: 0, isAmong: false, value: 'account' }];
  return { tally: { ...about, id, limits }, wanted, given: [day], most: undefined };
};

test('items that are many are many within any limits, whoever asks', async () => {
  const facts = new StoredFacts();
  const records = {
    facts,
    takeLocks: () => {},
    canTally: () => true,
    few: (_source: unknown, asks: readonly unknown[]) => asks.map(() => false),
    tally: (_source: unknown, asks: readonly unknown[]) => asks.map(() => ({ value: '70', records: [] })),
  } as unknown as Records; // what tallies ask of them
  const told = (...asks: readonly TallyAsk[]): Promise<readonly (Tallied | undefined)[]> => {
    const read = new ReadFacts({ records });
    return read.known(() => {
      const all = asks.map((ask) => read.tally(ask));
      return all.includes(notKnown) ? notKnown : all.flatMap((one) => (one === notKnown ? [] : [one]));
    });
  };
  const right = { value: '70', items: [] };
  // Within one limit, which all later ones are measured by.
  const first = [1, 2, 3].map((id) => countBefore(id, '2026-01-01'));
  expect(await told(...first)).toEqual([right, right, right]);
  facts.forget('move');
  // Within others, and within that one again, of which nothing is known any more.
  const days = ['2026-01-02', '2026-01-03', '2026-01-04', '2026-01-01'];
  expect(await told(...days.map((day) => countBefore(1, day)))).toEqual([right, right, right, right]);
});
