// What a write in the middle of an order asks of the database: as many statements for each portion of those behind it, however many
// these are. And what writers leave behind who write in the middle of the same order at once.
import { beforeAll, expect, test } from 'vitest';
import { backfillFigures } from '../../src/engine/backfill.ts';
import { verifyGroup } from '../../src/engine/verify/verify.ts';
import { copyRecord } from '../support/databases/many.ts';
import { noteTransactions } from '../support/databases/noted.ts';
import { verified } from '../support/databases/verify.ts';
import { type Context, type Folder, type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

const startDay = Date.UTC(2026, 0, 1);
const dayOf = (place: number): string => new Date(startDay + place * 86_400_000).toISOString().slice(0, 10);

interface Chain {
  readonly title: string;
  readonly folder: Folder;
  readonly group: string;
  /** What the records of one order have in common, made anew. */
  readonly common: (context: Context, name: string) => Promise<Json>;
  /** A body without what it has in common, and a change of what is added up. */
  readonly body: Json;
  readonly change: Json;
  /** What the columns of figures hold at a place, in units of their last digit. */
  readonly kept: (place: number) => Readonly<Record<string, readonly [units: number, scale: number]>>;
}

const chains: readonly Chain[] = [
  {
    title: 'a balance',
    folder: 'ledger',
    group: 'posting',
    common: async ({ make }, name) => {
      const { id: bookId } = await make('book', { name });
      return { accountId: (await make('account', { bookId, code: name })).id };
    },
    body: { amount: 2 },
    change: { amount: 5.25 },
    kept: (place) => ({ balance: [20_000 * place, 4] }),
  },
  {
    title: 'a stock, what it is worth and its mean, which hang on each other, and what it weighs',
    folder: 'materials',
    group: 'move',
    common: async ({ make }, name) => ({ partId: (await make('part', { name })).id }),
    body: { n: 2, price: 3 },
    change: { price: 7 },
    kept: (place) => ({
      ...{ stock: [2000 * place, 3], value: [60_000 * place, 4], mean: [30_000, 4], weight: [2000 * place, 3] },
    }),
  },
];

for (const { title, folder, group, common, body, change, kept } of chains)
  onEveryDatabase(
    `in the middle of an order: ${title}`,
    (context) => {
      const noted: string[] = [];
      beforeAll(() => noteTransactions(context.workspace.database, noted));
      const path = (): string => context.resource(group).path;
      const done = async (method: 'POST' | 'PATCH' | 'DELETE', to: string, sent?: Json): Promise<Json> => {
        const answer = await context.call(method, to, sent);
        expect([answer.status, answer.text]).toEqual([method === 'DELETE' ? 204 : 200, answer.text]);
        return answer.body as Json;
      };
      /** An order of so many, a day each; the first day is left free, and so is one before each. */
      async function chainOf(count: number): Promise<Json> {
        const shared = await common(context, `Of ${count}`);
        const { id } = await done('POST', path(), { ...shared, ...body, day: dayOf(2) });
        const inDatabase = (place: number): Record<string, number> =>
          Object.fromEntries(
            Object.entries(kept(place)).map(([key, [units, scale]]) => [
              key,
              context.isServer ? units / 10 ** scale : units,
            ]),
          );
        await copyRecord(context.workspace, { group, id: String(id), count: count - 1 }, (place) => ({
          day: dayOf(4 + place * 2),
          ...inDatabase(place + 2),
        }));
        // Sums of others over what was made in the database itself.
        for (const owner of ['account', 'part'])
          if (context.registry.resources.has(owner))
            for await (const each of verifyGroup(context.workspace.engine.verifyContext, owner, { repair: true }))
              void each;
        return shared;
      }
      /** How many statements each of these writes takes, all of which are before the whole order. */
      async function counted(count: number): Promise<Readonly<Record<string, number>>> {
        const shared = await chainOf(count);
        const other = await common(context, `Beside ${count}`);
        const taken: Record<string, number> = {};
        const asked = async (what: string, act: () => Promise<Json>): Promise<Json> => {
          noted.length = 0;
          const answer = await act();
          taken[what] = noted.length;
          return answer;
        };
        const { id } = await asked('create', () => done('POST', path(), { ...shared, ...body, day: dayOf(0) }));
        const own = `${path()}/${String(id)}`;
        await asked('change', () => done('PATCH', own, change));
        await asked('move', () => done('PATCH', own, { day: dayOf(3) }));
        await asked('leave', () => done('PATCH', own, other));
        await asked('return', () => done('PATCH', own, { ...shared, day: dayOf(0) }));
        await asked('delete', () => done('DELETE', own));
        return taken;
      }

      test('as many statements behind 500 as behind 20, and as many more for each portion', {
        timeout: 120_000,
      }, async () => {
        const counts: Record<number, Readonly<Record<string, number>>> = {};
        for (const count of [20, 40, 80, 500, 600]) counts[count] = await counted(count);
        if (process.env['PRAXIS_COUNTS'] !== undefined) console.log(context.isServer, counts);
        for (const what of Object.keys(counts[20] ?? {})) {
          const [at20 = 0, ...more] = [20, 40, 80, 500].map((count) => counts[count]?.[what]);
          // What is few is read instead of asked about, and what is much is written as two statements.
          const apart = more.map((count = 0) => Math.abs(count - at20));
          expect([what, at20 < 30, Math.max(...apart) <= 2]).toEqual([what, true, true]);
          const portion = (counts[600]?.[what] ?? 0) - (counts[500]?.[what] ?? 0);
          expect([what, portion <= 6]).toEqual([what, true]);
        }
        expect(await verified(context, folder)).toEqual([]);
      });

      /** All statements of what is done, within transactions and outside of them. */
      async function statementsOf(act: () => Promise<unknown>): Promise<number> {
        const before = context.reads.length;
        noted.length = 0;
        await act();
        return noted.length + context.reads.length - before;
      }
      const rows = (sql: string) => context.workspace.database.all(sql, []);
      const portions = async (): Promise<number> =>
        Math.ceil(Number((await rows(`select count(*) from ${group}`))[0]) / 200);
      const figures = Object.keys(kept(0));

      test('compares what is kept with what is before it in portions, and finds what is wrong', {
        timeout: 120_000,
      }, async () => {
        const [[key, owner] = []] = Object.entries(await chainOf(450));
        const column = `${key?.slice(0, -2)}_id`;
        const found: string[] = [];
        const verify = async (): Promise<void> => {
          for await (const { id } of verifyGroup(context.workspace.engine.verifyContext, group, { repair: false }))
            found.push(id);
        };
        const asked = await statementsOf(verify);
        expect([asked <= 1 + 4 * (await portions()), asked, found]).toEqual([true, asked, []]);
        const ids = (await rows(`select id from ${group} where ${column} = '${String(owner)}' order by day`)).map(
          String,
        );
        // The first of its order, and one at the end of a portion: each of these, and the one behind it.
        for (const place of [0, 199, 300])
          await context.workspace.database.run(`update ${group} set ${figures[0]} = 7 where id = ?`, [
            ids[place] ?? null,
          ]);
        await verify();
        expect(new Set(found)).toEqual(new Set([0, 1, 199, 200, 300, 301].map((place) => ids[place])));
        for await (const _each of verifyGroup(context.workspace.engine.verifyContext, group, { repair: true }));
        expect(await verified(context, folder)).toEqual([]);
      });

      test('fills figures that are new in portions, each behind the one before', { timeout: 120_000 }, async () => {
        await chainOf(450);
        const { groups, unit, database } = context.workspace;
        await database.run(`update ${group} set ${figures.map((each) => `${each} = 0`).join(', ')}`, []);
        const fields = new Set(figures.flatMap((each) => context.resource(group).byKey.get(each) ?? []));
        const asked = await statementsOf(() => backfillFigures({ groups, unit, fields, portion: async () => {} }));
        const updates = noted.filter((sql) => sql.startsWith('update')).length;
        // The size of a portion depends on the time that the last one took. A read for each record would take hundreds.
        expect([asked <= 8 * updates, asked]).toEqual([true, asked]);
        expect(await verified(context, folder)).toEqual([]);
      });

      test('writers in the middle of one order at once lose nothing', { timeout: 120_000 }, async () => {
        const shared = await chainOf(60);
        const [from, to] = [{ ...shared }, await common(context, 'Where some go')];
        const statuses: number[] = [];
        const write = async (writer: number): Promise<void> => {
          const made: string[] = [];
          const ask = async (method: 'POST' | 'PATCH' | 'DELETE', at: string, sent?: Json): Promise<Json> => {
            const answer = await context.call(method, at, sent);
            statuses.push(answer.status);
            return answer.body as Json;
          };
          for (let turn = 0; turn < 8; turn += 1) {
            const day = dayOf(20 + ((writer * 13 + turn * 7) % 80));
            const { id } = await ask('POST', path(), { ...(turn % 4 === 3 ? to : from), ...body, day });
            made.push(String(id));
            const one = `${path()}/${made[(writer + turn) % made.length]}`;
            if (turn % 3 === 1) await ask('PATCH', one, { ...change, day: dayOf(10 + turn) });
            if (turn % 3 === 2) await ask('PATCH', one, turn % 2 === 0 ? to : from);
          }
          await ask('DELETE', `${path()}/${made.pop()}`);
        };
        await Promise.all(Array.from({ length: 4 }, (_one, writer) => write(writer)));
        // None waits for another without end, and none is told of that.
        expect(statuses.filter((status) => status !== 200 && status !== 204)).toEqual([]);
        expect(await verified(context, folder)).toEqual([]);
      });
    },
    folder,
  );

onEveryDatabase(
  'too many behind a record',
  (context) => {
    test('are told as of any write, before anything is kept', async () => {
      const { id: bookId } = await context.make('book', { name: 'Book' });
      const { id: accountId } = await context.make('account', { bookId, code: '1' });
      const post = (place: number) => context.call('POST', '/postings', { accountId, day: dayOf(place), amount: 1 });
      for (let place = 30; place > 10; place -= 1) expect((await post(place)).status).toBe(200);
      const { status, body } = await send(context, 'POST /postings', { body: { accountId, day: dayOf(1), amount: 1 } });
      const message = 'The Posting has too many Postings to be created at once.';
      expect([status, body]).toEqual([409, { status: 409, message }]);
      expect((await context.all('posting')).map((posting) => posting['balance'])).toEqual(
        Array.from({ length: 20 }, (_one, place) => place + 1),
      );
    });
  },
  'ledger',
  { parts: { recordsPerWrite: 20 } },
);
