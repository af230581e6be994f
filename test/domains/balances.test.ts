// Running values: what stands on an account after each posting, whoever writes one in the middle, moves it or takes it away.
import { beforeAll, expect, test } from 'vitest';
import { formulaWords } from '../../src/formulas/words/words.ts';
import { descriptorFaults } from '../support/data/descriptor-faults.ts';
import { verified } from '../support/databases/verify.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

interface Posting {
  readonly id: string;
  readonly day: string;
  readonly amount: number;
  readonly balance: number;
  readonly account: { readonly id: string };
}

onEveryDatabase(
  'running values',
  (context) => {
    let accounts: readonly string[] = [];
    beforeAll(async () => {
      const book = await context.make('book', { name: 'Book' });
      const made = await Promise.all(
        ['1', '2', '3', '4'].map((code) => context.make('account', { bookId: book.id, code })),
      );
      accounts = made.map(({ id }) => id);
    });
    const done = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: Json): Promise<Json> => {
      const answer = await context.call(method, path, body);
      expect([answer.status, answer.body]).toEqual([method === 'DELETE' ? 204 : 200, answer.body]);
      return answer.body as Json;
    };
    /** Each balance is the one before it, by the day and in the order of making, and the amount. */
    const expectRight = async (): Promise<void> => {
      const postings = ((await context.all('posting')) as unknown as Posting[]).toReversed();
      for (const account of accounts) {
        const own = postings
          .filter((posting) => posting.account.id === account)
          .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
        let cents = 0;
        for (const { amount, balance, day } of own) {
          cents += Math.round(amount * 100);
          expect([day, balance]).toEqual([day, cents / 100]);
        }
      }
      expect(await verified(context, 'ledger')).toEqual([]);
    };

    test('follow what comes, moves and goes in the middle', async () => {
      const [first, second] = accounts;
      const posting = (day: string, amount: number, accountId = first): Promise<Json> =>
        done('POST', '/postings', { accountId, day, amount });
      const last = await posting('2026-03-20', 5);
      expect(last).toMatchObject({ balance: 5 });
      const early = await posting('2026-03-10', 100.25);
      const same = await posting('2026-03-10', -0.25);
      const middle = await posting('2026-03-15', 20);
      expect([early, same, middle].map(({ balance }) => balance)).toEqual([100.25, 100, 120]);
      expect((await context.call('GET', `/postings/${last['id']}`)).body).toMatchObject({ balance: 125 });
      await expectRight();
      await done('PATCH', `/postings/${early['id']}`, { amount: 1 });
      await expectRight();
      // Behind another of its day that was made after it, and back before it.
      await done('PATCH', `/postings/${early['id']}`, { day: '2026-03-16' });
      await expectRight();
      await done('PATCH', `/postings/${early['id']}`, { day: '2026-03-10' });
      await expectRight();
      await done('PATCH', `/postings/${middle['id']}`, { accountId: second });
      await posting('2026-03-01', 7, second);
      await expectRight();
      await done('DELETE', `/postings/${same['id']}`);
      await done('DELETE', `/postings/${last['id']}`);
      await expectRight();
    });

    test('of one batch see each other, in whichever order they come', async () => {
      const [, , third] = accounts;
      const operations = Array.from({ length: 30 }, (_one, place) => ({
        method: 'POST',
        path: '/postings',
        body: { accountId: third, day: `2026-04-${String(30 - ((place * 7) % 30)).padStart(2, '0')}`, amount: place },
      }));
      await done('POST', '/batch', { operations });
      await expectRight();
    });

    test('are exact when eight write at once', async () => {
      const [, , , fourth] = accounts;
      const write = async (writer: number): Promise<void> => {
        const made: string[] = [];
        for (let turn = 0; turn < 6; turn += 1) {
          const day = `2026-05-${10 + ((writer * 5 + turn * 3) % 15)}`;
          const { status, body } = await context.call('POST', '/postings', {
            accountId: fourth,
            day,
            amount: writer + turn / 4,
          });
          if (status === 200) made.push(String((body as Json)['id']));
          const [one] = made;
          if (turn % 3 === 1) await context.call('PATCH', `/postings/${one}`, { amount: turn, day: '2026-05-12' });
          if (turn === 4) await context.call('DELETE', `/postings/${made.pop()}`);
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_one, writer) => write(writer)));
      await expectRight();
    });
  },
  'ledger',
);

const move = (formula: string, more: Json = {}, formulas: Json = {}): string[] =>
  descriptorFaults('move', {
    title: 'Move',
    description: 'A move.',
    type: 'object',
    properties: {
      day: { type: 'string', format: 'date', description: 'Day' },
      due: { type: ['string', 'null'], format: 'date', description: 'Due' },
      kind: { type: 'string', enum: ['a', 'b'], default: 'a', filter: 'exact', description: 'Kind' },
      isOpen: { type: 'boolean', default: false, description: 'Open' },
      n: { type: 'integer', default: 0, description: 'Number' },
      sum: { type: ['integer', 'null'], minimum: -9999, formula, description: 'Sum' },
      ...more,
    },
    required: ['day'],
    resource: {
      ...{ path: '/moves', shownAs: '{day}', operations: ['list', 'get', 'create', 'update', 'delete'] },
      ...(Object.keys(formulas).length > 0 && { formulas }),
    },
  }).map((fault) => fault.split('\n')[0] ?? '');

const kinds = 'moves.filter(m, m.kind == kind)';

test.each([
  `coalesce(${kinds}.previous(m, m.day).sum, 0) + n`,
  `coalesce(${kinds}.previous(m, [m.day, m.id]).sum, 0) + n`,
  `coalesce(${kinds}.previous(m, m.id).sum, 0) + n`,
  `coalesce(${kinds}.previous(m, [m.n]).sum, 0) + n`,
])('a figure may look at itself along an order: %s', (formula) => {
  expect(move(formula)).toEqual([]);
});

test('a formula with a name may give the record before', () => {
  expect(move('coalesce(before.n, 0) + n', {}, { before: { is: `${kinds}.previous(m, m.day)` } })).toEqual([]);
});

test('what is before and the mean have words', () => {
  const words = (formula: string): string =>
    formulaWords(formula)
      .map(({ text }) => text)
      .join('');
  expect(words('coalesce(moves.filter(m, m.kind == kind).previous(m, [m.day, m.id]).sum, 0) + n')).toBe(
    '(sum of the previous record of (the moves for which m.kind is kind) by m.day and m.id, or 0 if not set) + n',
  );
  expect(words('lines.avg(l, l.n)')).toBe('the average of l.n of all lines');
});

const order = '"previous" is ordered by one field, then by creation';

test.each<[string, string, Json?]>([
  [`${kinds}.previous(m, [m.day, m.n]).sum`, order],
  [`${kinds}.previous(m, [m.id, m.day]).sum`, order],
  [`${kinds}.previous(m, m.due).sum`, '"previous" is ordered by "due", which may be null'],
  [
    `${kinds}.previous(m, m.kind).sum`,
    '"previous" is ordered by a date, a timestamp, a time, a number or "id" of the records',
  ],
  [
    `${kinds}.previous(m, m.n + 1).sum`,
    '"previous" is ordered by a date, a timestamp, a time, a number or "id" of the records',
  ],
  [`${kinds}.previous().sum`, '"previous" has another form'],
  ['[1, 2].previous(m, m).sum', '"previous" is called on records of this group, narrowed by one condition'],
  [
    `moves.filter(m, m.kind == kind && m.isOpen).previous(m, m.day).sum`,
    'searches the previous record by more than equal fields',
  ],
  [
    `${kinds}.previous(m, m.day).other`,
    'depends on itself: sum → other → sum',
    {
      other: {
        type: ['integer', 'null'],
        minimum: -9999,
        formula: `${kinds}.previous(m, m.n).sum`,
        description: 'Other',
      },
    },
  ],
])('what goes along no order is a fault: %s', (formula, fault, more) => {
  expect(move(formula, more).some((one) => one.includes(fault))).toBe(true);
});
