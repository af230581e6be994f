// A library: a report of a year by months with the titles that were lent most, and holds that expire as days go by.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { allowDay } from '../../src/storage/workspace-day.ts';
import { verified } from '../support/databases/verify.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

const noon = (day: string): Date => new Date(`${day}T12:00:00Z`);

// Before any service begins; each begins on the same day.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: noon('2026-03-01') }));
afterAll(() => void vi.useRealTimers());

const general = 'There was a problem processing your request. See errors for more details.';

onEveryDatabase(
  'a library',
  (context) => {
    const title = async (name: string, copies: number): Promise<string> =>
      (await context.make('title', { name, copies })).id;
    const lend = (titleId: string | undefined, reader: string, lentOn: string, backOn: string | null = null) =>
      context.call('POST', '/lendings', { titleId, reader, lentOn, backOn });
    const get = async (path: string): Promise<Json> => (await context.call('GET', path)).body as Json;

    test('tells what was lent in a year by months, and which titles most', async () => {
      const titles: string[] = [];
      for (let place = 0; place < 12; place += 1) titles.push(await title(`Title ${place}`, 3));
      for (const [place, id] of titles.entries())
        for (let time = 0; time < place % 5; time += 1)
          await lend(
            id,
            `Reader ${time}`,
            `2025-${String(1 + ((place + time) % 12)).padStart(2, '0')}-28`,
            '2025-12-31',
          );
      await lend(titles[1], 'Ann', '2024-12-31', '2025-01-02');
      await lend(titles[1], 'Ann', '2026-01-01', '2026-01-02');
      const counts = Array.from({ length: 12 }, () => 0);
      const readers = counts.map(() => new Set<number>());
      for (let place = 0; place < 12; place += 1)
        for (let time = 0; time < place % 5; time += 1) {
          const month = (place + time) % 12;
          counts[month] = (counts[month] ?? 0) + 1;
          readers[month]?.add(time);
        }
      expect(await get('/yearly-report?year=2025')).toMatchObject({
        months: counts.map((lendings, month) => ({ month: month + 1, lendings, readers: readers[month]?.size })),
        // 4 times, then 3 times, then those that were lent twice, and one that was lent once and twice besides.
        top: [4, 9, 1, 3, 8, 2, 7, 6, 11].map((place) => ({ name: `Title ${place}` })),
        total: counts.reduce((sum, each) => sum + each, 0),
      });
      expect(await get('/yearly-report?year=2024')).toMatchObject({ total: 1 });
    });

    test('lends no more than there is, whoever comes at once', async () => {
      const id = await title('Middlemarch', 2);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_one, place) => lend(id, `R${place}`, '2026-03-01')),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 400, 400, 400, 400, 400, 400]);
      expect((await lend(id, 'Zoe', '2026-03-01')).body).toEqual({
        status: 400,
        message: general,
        errors: ["'titleId' must be one with a copy left; of 2 all are lent"],
      });
      expect(await get(`/titles/${id}`)).toMatchObject({ lent: 2, times: 2 });
    });

    test('holds are met by a lending, and expire when their day has passed', async () => {
      const id = await title('Emma', 1);
      const hold = async (reader: string, until: string): Promise<string> =>
        (await context.make('hold', { titleId: id, reader, until })).id;
      const [met, short, long] = [
        await hold('Ann', '2026-03-09'),
        await hold('Bea', '2026-03-02'),
        await hold('Cid', '2026-03-09'),
      ];
      await lend(id, 'Ann', '2026-03-01');
      const states = async (): Promise<unknown[]> =>
        Promise.all([met, short, long].map(async (each) => (await get(`/holds/${each}`))['state']));
      expect(await states()).toEqual(['met', 'waiting', 'waiting']);
      const { database } = context.workspace;
      await allowDay(database, '2026-03-03', database.dialect);
      vi.setSystemTime(noon('2026-03-03'));
      await vi.waitFor(async () => expect(await states()).toEqual(['met', 'expired', 'waiting']), {
        timeout: 20_000,
        interval: 50,
      });
      expect(await get(`/titles/${id}`)).toMatchObject({ waiting: 1 });
      expect((await context.all('hold', '&state=expired')).map(({ reader }) => reader)).toEqual(['Bea']);
      // Another day lets it wait again.
      await context.call('PATCH', `/holds/${short}`, { until: '2026-04-01' });
      expect(await states()).toEqual(['met', 'waiting', 'waiting']);
      expect(await verified(context, 'reading-room')).toEqual([]);
    });
  },
  'reading-room',
  { before: () => vi.setSystemTime(noon('2026-03-01')) },
);
