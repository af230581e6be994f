// States that look at figures of which some are right only after others: what is expected is added up here by hand.
import { expect, test } from 'vitest';
import { verified } from '../support/databases/verify.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

onEveryDatabase(
  'states behind figures of figures',
  (context) => {
    const house = async (): Promise<string> => (await context.make('house')).id;
    const pipe = async (houseId: string): Promise<string> => (await context.make('pipe', { houseId })).id;
    const tap = async (body: Json): Promise<string> => (await context.make('tap', body)).id;
    const change = async (id: string, body: Json): Promise<void> => {
      const { status, body: answer } = await context.call('PATCH', `/taps/${id}`, body);
      expect([status, answer]).toEqual([200, answer]);
    };
    const alarms = async (houseId: string): Promise<readonly unknown[]> =>
      (await context.all('alarm', `&houseId=${houseId}`))
        .toReversed()
        .map(({ cause, used, fed, usedBefore }) => [cause, used, fed, usedBefore]);
    const expectHouse = async (id: string, is: Json): Promise<void> => {
      expect((await context.call('GET', `/houses/${id}`)).body).toMatchObject(is);
      expect(await verified(context, 'water')).toEqual([]);
    };

    test('are not entered on figures that are half up to date', async () => {
      const houseId = await house();
      const pipeId = await pipe(houseId);
      const id = await tap({ houseId, pipeId, flow: 10 });
      await expectHouse(houseId, { used: 10, fed: 10, stateId: 'even' });
      await change(id, { flow: 25 });
      await expectHouse(houseId, { used: 25, fed: 25, stateId: 'even' });
      await change(id, { pipeId: await pipe(houseId) });
      await context.call('DELETE', `/taps/${id}`);
      await expectHouse(houseId, { used: 0, fed: 0, stateId: 'even' });
      expect(await alarms(houseId)).toEqual([]);
    });

    test('are entered once on those that stand, and acted on with what was before the write', async () => {
      const houseId = await house();
      const pipeId = await pipe(houseId);
      await tap({ houseId, pipeId, flow: 7 });
      const id = await tap({ houseId, flow: 4 });
      await expectHouse(houseId, { used: 11, fed: 7, stateId: 'odd' });
      expect(await alarms(houseId)).toEqual([['odd', 11, 7, 7]]);
      await change(id, { pipeId });
      await expectHouse(houseId, { used: 11, fed: 11, stateId: 'even' });
      await change(id, { pipeId: null, flow: 5 });
      expect(await alarms(houseId)).toEqual([
        ['odd', 11, 7, 7],
        ['odd', 12, 7, 11],
      ]);
    });

    test('are acted on when all figures are right, those too at which they do not look', async () => {
      const houseId = await house();
      const pipeId = await pipe(houseId);
      const id = await tap({ houseId, pipeId, flow: 60 });
      await tap({ houseId, pipeId, flow: 50 });
      await expectHouse(houseId, { used: 110, fed: 110, stateId: 'even', isBusy: true });
      expect(await alarms(houseId)).toEqual([['busy', 110, 110, 60]]);
      await change(id, { flow: 1 });
      await expectHouse(houseId, { used: 51, fed: 51, isBusy: false });
      expect(await alarms(houseId)).toHaveLength(1);
    });

    test('follow each operation of a batch', async () => {
      const [houseId, otherId] = [await house(), await house()];
      const pipeId = await pipe(houseId);
      const made = (body: Json): Json => ({ method: 'POST', path: '/taps', body: { houseId, ...body } });
      const operations = [made({ pipeId, flow: 101 }), made({ pipeId, flow: 2 }), made({ houseId: otherId, flow: 3 })];
      const sent = await send(context, 'POST /batch', { body: { operations } });
      expect(sent.status).toBe(200);
      expect(await alarms(houseId)).toEqual([['busy', 101, 101, 0]]);
      expect(await alarms(otherId)).toEqual([['odd', 3, 0, 0]]);
      await expectHouse(houseId, { used: 103, fed: 103, stateId: 'even', isBusy: true });
    });
  },
  'water',
);
