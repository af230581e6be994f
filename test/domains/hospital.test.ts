// A hospital: shifts with eleven hours between them, and a waiting list that moves up by itself when somebody leaves.
import { expect, test } from 'vitest';
import { verified } from '../support/databases/verify.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

const general = 'There was a problem processing your request. See errors for more details.';
const refused = (...errors: string[]): Json => ({ status: 400, message: general, errors });

onEveryDatabase(
  'a hospital',
  (context) => {
    const get = async (path: string): Promise<Json> => (await context.call('GET', path)).body as Json;
    const states = async (ids: readonly string[]): Promise<unknown[]> =>
      Promise.all(ids.map(async (id) => (await get(`/stays/${id}`))['state']));

    test('the waiting list moves up by itself when somebody leaves, the most urgent first', async () => {
      const { id: wardId } = await context.make('ward', { name: 'North', beds: 1 });
      const stay = async (patient: string, more: Json = {}): Promise<string> =>
        (await context.make('stay', { wardId, patient, ...more })).id;
      const ids = [
        await stay('Ann', { state: 'in' }),
        await stay('Bea'),
        await stay('Cid', { urgency: 1 }),
        await stay('Dan', { urgency: 1 }),
      ];
      expect((await context.call('POST', '/stays', { wardId, state: 'in' })).body).toEqual(
        refused("'state' must be waiting as long as all 1 beds are taken"),
      );
      const leave = (place: number) => context.call('PATCH', `/stays/${ids[place]}`, { state: 'out' });
      expect((await leave(0)).status).toBe(200);
      expect(await states(ids)).toEqual(['out', 'waiting', 'in', 'waiting']);
      // Who gives up waiting makes no room.
      await leave(3);
      expect(await states(ids)).toEqual(['out', 'waiting', 'in', 'out']);
      await leave(2);
      expect(await states(ids)).toEqual(['out', 'in', 'out', 'out']);
      expect(await get(`/wards/${wardId}`)).toMatchObject({ taken: 1, waiting: 0 });
    });

    test('as many move up as leave, whoever leaves at once', async () => {
      const { id: wardId } = await context.make('ward', { name: 'South', beds: 8 });
      const ids: string[] = [];
      for (let place = 0; place < 20; place += 1)
        ids.push((await context.make('stay', { wardId, patient: `${place}`, ...(place < 8 && { state: 'in' }) })).id);
      const answers = await Promise.all(
        ids.slice(0, 8).map((id) => context.call('PATCH', `/stays/${id}`, { state: 'out' })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      const now = await states(ids);
      expect(now.map((state) => state)).toEqual([
        ...Array(8).fill('out'),
        ...Array(8).fill('in'),
        ...Array(4).fill('waiting'),
      ]);
      expect(await verified(context, 'hospital')).toEqual([]);
    });

    test('eleven hours lie between two shifts of one nurse, also of those that are planned at once', async () => {
      const { id: nurseId } = await context.make('nurse', { name: 'Ada' });
      const shift = (start: string, end: string) =>
        context.call('POST', '/shifts', { nurseId, start: `2026-03-${start}:00Z`, end: `2026-03-${end}:00Z` });
      const close = refused("'start' must be 11 hours from all other shifts");
      expect((await shift('10T06:00', '10T14:00')).body).toMatchObject({ minutes: 480, rest: null });
      expect((await shift('11T00:59', '11T08:00')).body).toEqual(close);
      const { body } = await shift('11T22:00', '12T06:00');
      expect(body).toMatchObject({ minutes: 480, rest: 1920 });
      expect((await shift('11T01:00', '11T09:00')).body).toMatchObject({ rest: 660 });
      expect(await get(`/shifts/${Object(body).id}`)).toMatchObject({ rest: 780 });
      expect((await shift('02T10:00', '02T10:00')).body).toEqual(refused("'end' must be after the start"));
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_one, place) => shift(`20T0${place}:00`, `20T1${place}:00`)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await get(`/nurses/${nurseId}`)).toMatchObject({ minutes: 480 * 3 + 600 });
      expect(await verified(context, 'hospital')).toEqual([]);
    });
  },
  'hospital',
);
