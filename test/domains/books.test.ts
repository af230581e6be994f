// A domain that is descriptors alone: accounts with balances in a tree, journals whose lines must balance, periods that
// close. Figures over other records, kept true by whoever writes these.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verified } from '../support/databases/verify.ts';
import { type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'books',
  (context) => {
    const get = async (path: string): Promise<Json> => (await context.call('GET', path)).body as Json;
    const account = async (id: string): Promise<Json> => get(`/accounts/${id}`);
    const post = async (path: string, body: Json): Promise<Json & { id: string }> => {
      const { status, body: made } = await context.call('POST', path, body);
      expect([status, made]).toEqual([200, made]);
      return made as Json & { id: string };
    };
    const patch = async (path: string, body: Json): Promise<Json> => {
      const { status, body: made } = await context.call('PATCH', path, body);
      expect([status, made]).toEqual([200, made]);
      return made as Json;
    };
    const books = async () => ({
      cash: (await post('/accounts', { name: 'Cash' })).id,
      sales: (await post('/accounts', { name: 'Sales' })).id,
      period: (await post('/periods', { start: '2026-01-01', end: '2026-12-31' })).id,
    });
    const journal = (period: string, lines: readonly Json[], more: Json = {}) =>
      post('/journals', { periodId: period, date: '2026-03-01', statusId: 'posted', lines, ...more });

    test('a journal that is posted moves the balances, and one that is changed or goes moves them back', async () => {
      const { cash, sales, period } = await books();
      const sale = [
        { accountId: cash, debit: 12.5 },
        { accountId: sales, credit: 12.5 },
      ];
      const first = await journal(period, sale);
      await journal(period, [...sale, { accountId: cash, debit: 0.0001 }, { accountId: sales, credit: 0.0001 }], {
        date: '2026-05-05',
      });
      const draft = await journal(period, sale, { statusId: 'draft' });
      expect(await account(cash)).toMatchObject({
        balance: 25.0001,
        total: 25.0001,
        lineCount: 4,
        lastUsedOn: '2026-05-05',
        stateId: 'used',
      });
      expect(await account(sales)).toMatchObject({ balance: -25.0001, stateId: 'overdrawn' });
      expect(await get(`/periods/${period}`)).toMatchObject({ turnover: 25.0001, average: 12.5001, goal: 27.5001 });
      await patch(`/journals/${draft.id}`, { statusId: 'posted' });
      expect(await account(cash)).toMatchObject({ balance: 37.5001 });
      await patch(`/journals/${first.id}`, { lines: [{ accountId: sales, debit: 4, credit: 4 }] });
      expect(await account(cash)).toMatchObject({ balance: 25.0001, lineCount: 3 });
      for (const { id } of await context.all('journal', `&periodId=${period}`))
        await context.call('DELETE', `/journals/${id}`);
      expect(await account(cash)).toMatchObject({ balance: 0, lineCount: 0, lastUsedOn: null, stateId: 'unused' });
      expect(await get(`/periods/${period}`)).toMatchObject({ turnover: 0, average: null, goal: 0, isReached: true });
      expect(await verified(context, 'books')).toEqual([]);
    });

    test('sums of sums go up a tree, also when a branch moves', async () => {
      const { cash, sales, period } = await books();
      const group = (await post('/accounts', { name: 'Assets' })).id;
      const all = (await post('/accounts', { name: 'All' })).id;
      await patch(`/accounts/${cash}`, { parentId: group });
      await journal(period, [
        { accountId: cash, debit: 100 },
        { accountId: sales, credit: 100 },
      ]);
      expect(await account(group)).toMatchObject({ balance: 0, total: 100 });
      await patch(`/accounts/${group}`, { parentId: all });
      expect(await account(all)).toMatchObject({ total: 100 });
      await patch(`/accounts/${sales}`, { parentId: all });
      expect(await account(all)).toMatchObject({ total: 0 });
      await patch(`/accounts/${cash}`, { parentId: null });
      expect([await account(group), await account(all)]).toMatchObject([{ total: 0 }, { total: -100 }]);
      await context.call('DELETE', `/accounts/${all}`);
      expect(await account(sales)).toMatchObject({ parent: null, total: -100 });
      expect(await verified(context, 'books')).toEqual([]);
    });

    test('figures inside an object follow each other, and a condition on the record around it', async () => {
      const { cash, sales, period } = await books();
      await patch(`/accounts/${cash}`, { sides: {} });
      const earn = (amount: number) =>
        journal(period, [
          { accountId: cash, debit: amount },
          { accountId: sales, credit: amount },
        ]);
      await earn(12.5);
      expect(await account(cash)).toMatchObject({ sides: { debits: 12.5, credits: 0, difference: 12.5 } });
      await patch(`/accounts/${cash}`, { keepsSides: false });
      await earn(5);
      expect(await account(cash)).toMatchObject({ balance: 17.5, sides: { debits: 12.5, difference: 12.5 } });
      expect(await patch(`/accounts/${cash}`, { sides: { credits: 2.5 } })).toMatchObject({
        sides: { difference: 10 },
      });
      expect(await patch(`/accounts/${cash}`, { keepsSides: true })).toMatchObject({
        sides: { debits: 17.5, credits: 0, difference: 17.5 },
      });
      expect(await verified(context, 'books')).toEqual([]);
    });

    test('a period that closes voids its drafts, and says what it has come to', async () => {
      const { cash, sales, period } = await books();
      const sale = [
        { accountId: cash, debit: 5 },
        { accountId: sales, credit: 5 },
      ];
      await journal(period, sale);
      const draft = await journal(period, sale, { statusId: 'draft' });
      await patch(`/periods/${period}`, { isClosed: true });
      expect(await get(`/journals/${draft.id}`)).toMatchObject({ statusId: 'void' });
      expect(await context.all('closing', `&periodId=${period}`)).toMatchObject([{ turnover: 5 }]);
      const { body } = await context.call('POST', '/journals', { periodId: period, date: '2026-03-01', lines: [] });
      expect(body).toMatchObject({ status: 400, errors: ["'periodId' must be open"] });
      expect(await verified(context, 'books')).toEqual([]);
    });

    test('changes are logged by kind, and what is logged goes with its record', async () => {
      const { cash, sales, period } = await books();
      const said = async (id: string) =>
        (await context.all('remark', `&accountId=${id}`)).map(({ kind, text }) => [kind, text]);
      const all = (await post('/accounts', { name: 'All' })).id;
      await patch(`/accounts/${cash}`, { parentId: all, name: 'Safe' });
      await patch(`/accounts/${cash}`, { parentId: all, name: 'Safe' });
      expect(await said(cash)).toEqual([
        ['edit', 'name: Cash → Safe'],
        ['parent', 'parent: – → All'],
      ]);
      // What only figures and states have come to is no change by anybody.
      await journal(period, [
        { accountId: cash, debit: 5 },
        { accountId: sales, credit: 5 },
      ]);
      expect([await said(all), await said(sales)]).toEqual([[], []]);
      await patch(`/accounts/${cash}`, { parentId: null, name: 'A name that is long' });
      expect((await said(cash)).slice(0, 2)).toEqual([
        ['edit', 'name: Safe → A name '],
        ['parent', 'parent: All → –'],
      ]);
      await patch(`/accounts/${all}`, { name: 'Whole' });
      const [logged] = await context.all('remark', `&accountId=${all}`);
      expect((await context.call('DELETE', `/remarks/${String(logged?.['id'])}`)).status).toBe(409);
      const own = await post('/remarks', { accountId: all, text: 'Odd' });
      expect((await context.call('DELETE', `/accounts/${all}`)).status).toBe(204);
      expect((await context.call('GET', `/remarks/${String(logged?.['id'])}`)).status).toBe(404);
      expect(await get(`/remarks/${own.id}`)).toMatchObject({ account: null, text: 'Odd' });
    });

    test('a goal is typed in where it is not computed, and keeps its last value', async () => {
      const { cash, sales, period } = await books();
      await journal(period, [
        { accountId: cash, debit: 10 },
        { accountId: sales, credit: 10 },
      ]);
      const { body } = await context.call('PATCH', `/periods/${period}`, { goal: 3 });
      expect(body).toMatchObject({ errors: ["'goal' is not allowed"] });
      expect(await patch(`/periods/${period}`, { goalMode: 'typed' })).toMatchObject({ goal: 11, isReached: false });
      await journal(period, [{ accountId: cash, debit: 1, credit: 1 }], { statusId: 'draft' });
      expect(await get(`/periods/${period}`)).toMatchObject({ entered: 10 });
      expect(await patch(`/periods/${period}`, { goal: 10 })).toMatchObject({ goal: 10, isReached: true });
      expect(await patch(`/periods/${period}`, { goalMode: 'auto' })).toMatchObject({ goal: 11, isReached: false });
    });

    test('what is taken again where a state changes is taken where the state follows', async () => {
      const { cash, sales, period } = await books();
      const at = (date: string, credit: number) =>
        journal(
          period,
          [
            { accountId: cash, debit: credit },
            { accountId: sales, credit },
          ],
          { date },
        );
      expect(await account(sales)).toMatchObject({ stateId: 'unused', overdrawnOn: null });
      const first = await at('2026-03-01', 1);
      const overdrawn = { stateId: 'overdrawn', overdrawnOn: '2026-03-01' };
      expect(await account(sales)).toMatchObject(overdrawn);
      const second = await at('2026-03-02', 2);
      expect(await account(sales)).toMatchObject({ ...overdrawn, lastUsedOn: '2026-03-02' });
      for (const { id } of [first, second]) await context.call('DELETE', `/journals/${id}`);
      expect(await account(sales)).toMatchObject({ stateId: 'unused', overdrawnOn: null });
    });

    test('a figure whose condition is another figure follows it, wherever it stands', async () => {
      const { cash, sales, period } = await books();
      const lines = [
        { accountId: cash, debit: 10 },
        { accountId: sales, credit: 10 },
      ];
      await journal(period, lines);
      expect(await patch(`/periods/${period}`, { goalMode: 'typed', goal: 12 })).toMatchObject({ surplus: 0 });
      expect(await patch(`/periods/${period}`, { surplus: 2 })).toMatchObject({ isReached: false, surplus: 2 });
      expect(await patch(`/periods/${period}`, { goal: 4 })).toMatchObject({ isReached: true, surplus: 6 });
      await journal(period, lines);
      expect(await get(`/periods/${period}`)).toMatchObject({ surplus: 16 });
      const refused = { errors: ["'surplus' is not allowed"] };
      expect((await context.call('PATCH', `/periods/${period}`, { surplus: 3 })).body).toMatchObject(refused);
      const made = { start: '2026-01-01', end: '2026-12-31', goalMode: 'typed', surplus: 3 };
      expect((await context.call('POST', '/periods', made)).body).toMatchObject(refused);
      const { body } = await context.call('POST', '/periods', { ...made, goal: 1 });
      expect(body).toMatchObject({ isReached: false, surplus: 3 });
      expect(await verified(context, 'books')).toEqual([]);
    });

    test('conditions on figures wait until the body is sound, and say it in words of their own', async () => {
      const { cash, period } = await books();
      const lines = [{ accountId: cash, debit: 0, credit: 0 }];
      const posted = { periodId: period, date: '2026-03-01', statusId: 'posted', lines };
      expect((await context.call('POST', '/journals', posted)).body).toMatchObject({
        errors: ["'lines' must move something"],
      });
      expect((await context.call('POST', '/journals', { ...posted, date: 'soon' })).body).toMatchObject({
        errors: ["'date' must be a date (YYYY-MM-DD)"],
      });
    });

    test('a figure that its field cannot hold stops the write', async () => {
      const { cash, sales, period } = await books();
      const huge = [
        { accountId: cash, debit: 90_000_000_000_000 },
        { accountId: sales, credit: 90_000_000_000_000 },
      ];
      await journal(period, huge);
      const { status, body } = await context.call('POST', '/journals', {
        periodId: period,
        date: '2026-03-01',
        statusId: 'posted',
        lines: huge,
      });
      expect([status, body]).toMatchObject([
        400,
        {
          errors: [
            "'balance' must be a number with at most 15 digits",
            "'total' must be a number with at most 15 digits",
          ],
        },
      ]);
      expect(await account(cash)).toMatchObject({ balance: 90_000_000_000_000, lineCount: 1 });
    });

    test('writers at once leave figures that are right', async () => {
      const { cash, sales, period } = await books();
      const two = [cash, sales];
      await Promise.all(
        Array.from({ length: 24 }, async (_value, n) => {
          const [from = '', to = ''] = n % 2 === 0 ? two : two.toReversed();
          const { id } = await journal(period, [
            { accountId: from, debit: n + 1 },
            { accountId: to, credit: n + 1 },
          ]);
          if (n % 3 === 0) await patch(`/journals/${id}`, { statusId: 'draft' });
          if (n % 5 === 0) await context.call('DELETE', `/journals/${id}`);
        }),
      );
      expect(await verified(context, 'books')).toEqual([]);
      const [one, other] = [await account(cash), await account(sales)];
      expect(Number(one['balance'])).toBe(-Number(other['balance']));
    }, 60_000);

    test('after any sequence of writes nothing is wrong', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          await play(context, steps);
          expect(await verified(context, 'books')).toEqual([]);
        }),
        { numRuns: 15, endOnFailure: true },
      );
    }, 120_000);
  },
  'books',
);

/** One write of a random sequence; places are taken modulo what there is. */
const step = fc.record({
  what: fc.constantFrom('post', 'post', 'change', 'move', 'delete', 'state', 'close'),
  one: fc.nat(20),
  other: fc.nat(20),
  amount: fc.integer({ min: 0, max: 1_000_000 }),
});
type Step = Exclude<Parameters<typeof play>[1][number], undefined>;

async function play(
  { call }: Context,
  steps: readonly { readonly what: string; readonly one: number; readonly other: number; readonly amount: number }[],
): Promise<void> {
  const make = async (path: string, body: Json): Promise<string> =>
    ((await call('POST', path, body)).body as Json)['id'] as string;
  const accounts: string[] = [];
  for (const name of ['A', 'B', 'C', 'D']) accounts.push(await make('/accounts', { name }));
  const periods: string[] = [];
  for (let n = 0; n < 2; n += 1) periods.push(await make('/periods', { start: '2026-01-01', end: '2026-12-31' }));
  const journals: string[] = [];
  const at = <T>(list: readonly T[], place: number): T | undefined => list[place % Math.max(1, list.length)];
  const lines = ({ one, other, amount }: Step) => [
    { accountId: at(accounts, one), debit: amount / 100 },
    { accountId: at(accounts, other), credit: amount / 100 },
    ...(amount % 3 === 0 ? [{ accountId: at(accounts, one + 1), debit: 0.0001, credit: 0.0001 }] : []),
  ];
  for (const each of steps) {
    const { what, one, other, amount } = each;
    const journal = at(journals, one);
    if (what === 'post') {
      const body = { periodId: at(periods, other), date: `2026-0${1 + (amount % 9)}-01`, lines: lines(each) };
      const { status, body: made } = await call('POST', '/journals', {
        ...body,
        statusId: one % 2 ? 'posted' : 'draft',
      });
      if (status === 200) journals.push(String((made as Json)['id']));
    } else if (what === 'change')
      await call('PATCH', `/journals/${journal}`, { lines: lines(each), periodId: at(periods, other) });
    else if (what === 'move')
      await call('PATCH', `/accounts/${at(accounts, one)}`, { parentId: amount % 4 ? at(accounts, other) : null });
    else if (what === 'delete')
      await call('DELETE', amount % 3 ? `/journals/${journal}` : `/accounts/${at(accounts, other)}`);
    else if (what === 'state')
      await call('PATCH', `/journals/${journal}`, { statusId: at(['draft', 'posted', 'void'], other) });
    else
      await call('PATCH', `/periods/${at(periods, other)}`, {
        isClosed: one % 2 === 0,
        ...(amount % 2 ? { goalMode: 'auto' } : { goalMode: 'typed', goal: amount / 500 }),
      });
  }
}
