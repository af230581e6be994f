// What stands beside fields in descriptors: locks of fields, formulas with names, currencies of money, values that are
// accepted as long as they are right.
import { expect, test } from 'vitest';
import { type Json, onEveryDatabase } from './support/praxis.ts';

onEveryDatabase(
  'the garage',
  (context) => {
    const customer = async (body: Json = {}): Promise<string> => (await context.make('customer', body)).id;
    const job = async (body: Json = {}): Promise<Json & { id: string }> => {
      const customerId = body['customerId'] ?? (await customer());
      const answer = await context.call('POST', '/jobs', { title: 'Brakes', customerId, ...body });
      expect([answer.status, answer.body]).toEqual([200, answer.body]);
      return answer.body as Json & { id: string };
    };
    const patch = async (id: string, body: Json): Promise<{ status: number; body: unknown }> => {
      const { status, body: answer } = await context.call('PATCH', `/jobs/${id}`, body);
      return { status, body: answer };
    };
    const locked = { status: 409, body: { status: 409, message: 'The Job is read-only.' } };

    test('a lock leaves the open fields, and takes what is sent as it is stored', async () => {
      const made = await job({
        day: '2024-02-29',
        hours: 1.5,
        tint: { code: 'red', coats: 2 },
        lines: [{ part: 'Disc', count: 2 }],
      });
      await patch(made.id, { hours: 2.5 });
      expect(await patch(made.id, { statusId: 'done', hours: 3 })).toMatchObject({ status: 200, body: { hours: 3 } });
      const of = made['customer'] as Json;
      const other = await customer();
      for (const body of [
        { title: 'Wheels' },
        { day: null },
        { hours: 3.01 },
        { customerId: other },
        { tint: { coats: 3 } },
        { tint: null },
        { lines: [] },
        { lines: [{ part: 'Disc', count: 3 }] },
        // What is no value of the field is another one.
        { hours: 'three' },
        { hours: 3, day: '2024-02-30' },
        { remarks: 'x', title: 'Wheels' },
      ])
        expect([body, await patch(made.id, body)]).toEqual([body, locked]);
      const same = {
        title: 'Brakes',
        day: '2024-02-29',
        hours: 3.0,
        customerId: of['id'],
        tint: { coats: 2 },
        lines: [{ part: 'Disc', count: 2 }],
      };
      expect(await patch(made.id, same)).toMatchObject({ status: 200, body: { ...made, statusId: 'done', hours: 3 } });
      const open = { remarks: 'Squeaks', statusId: 'billed', isSettled: true };
      expect(await patch(made.id, open)).toMatchObject({ status: 200, body: open });
    });

    test('each of several locks counts, by the stored record', async () => {
      const { id } = await job();
      expect((await patch(id, { isSettled: true, remarks: 'x' })).status).toBe(200);
      expect(await patch(id, { remarks: 'y' })).toEqual(locked);
      expect(await patch(id, { remarks: 'y', isSettled: false })).toEqual(locked);
      expect((await patch(id, { title: 'Wheels', remarks: 'x' })).status).toBe(200);
      expect((await patch(id, { isSettled: false })).status).toBe(200);
      expect((await patch(id, { statusId: 'done', remarks: 'y' })).status).toBe(200);
    });

    test('a lock comes before the faults of a body, and does not hold up what no field takes', async () => {
      const { id } = await job({ statusId: 'done' });
      expect(await patch(id, { title: 5, unknown: 1 })).toEqual(locked);
      expect((await patch(id, { unknown: 1 })).status).toBe(400);
      expect((await patch(id, { token: 'x' })).status).toBe(400);
      expect((await context.call('DELETE', `/jobs/${id}`)).status).toBe(204);
    });
  },
  'garage',
);
