// Collections that nothing but plain fields narrow: texts, enums, booleans and dates, by indexes that are made for the formulas.
import { expect, test } from 'vitest';
import { tablesOf } from '../../src/storage/schema/tables.ts';
import { verified } from '../support/databases/verify.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'collections narrowed by plain fields',
  (context) => {
    const badge = async (body: Json): Promise<string> =>
      (await context.make('badge', { day: null, isLost: false, ...body })).id;
    const get = async (id: string): Promise<unknown> => (await context.call('GET', `/badges/${id}`)).body;

    test('have an index for each formula', () => {
      const [table] = tablesOf(context.registry);
      const found = table?.indexes
        .map(({ columns }) => columns.join())
        .filter((columns) => !columns.startsWith('created_at'));
      expect(found?.toSorted()).toEqual(['code', 'day', 'is_lost', 'kind,day'].toSorted());
    });

    test('find texts to the letter, and keep what is counted of them', async () => {
      const [one, upper] = [await badge({ code: 'Élan' }), await badge({ code: 'ÉLAN' })];
      await badge({ code: 'Elan' });
      await badge({ code: 'Élan ' });
      expect(await get(one)).toMatchObject({ alike: 0 });
      const other = await badge({ code: 'Élan' });
      expect([await get(one), await get(other)]).toMatchObject([{ alike: 1 }, { alike: 1 }]);
      await context.call('PATCH', `/badges/${upper}`, { code: 'Élan' });
      expect([await get(one), await get(upper)]).toMatchObject([{ alike: 2 }, { alike: 2 }]);
      await context.call('DELETE', `/badges/${other}`);
      expect(await get(one)).toMatchObject({ alike: 1 });
      expect(await verified(context, 'badges')).toEqual([]);
    });

    test('find booleans, enums and days', async () => {
      const id = await badge({ code: 'A', kind: 'week', day: '2026-02-28', isLost: true });
      await badge({ code: 'B', kind: 'week', day: '2026-02-28' });
      await badge({ code: 'C', kind: 'day', day: '2026-02-28', isLost: true });
      expect(await get(id)).toMatchObject({ lost: 2, ofKind: 2 });
    });

    test('judge who comes at the same moment', async () => {
      const bodies = Array.from({ length: 8 }, (_one, n) => ({ code: `At once ${n}`, day: '2026-03-01' }));
      const statuses = await Promise.all(
        bodies.map(async (body) => (await context.call('POST', '/badges', body)).status),
      );
      expect(statuses.toSorted()).toEqual([200, 200, 200, 400, 400, 400, 400, 400]);
    });
  },
  'badges',
);
