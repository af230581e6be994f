// What stands beside fields in descriptors: locks of fields, formulas with names, currencies of money, values that are
// accepted as long as they are right.
import { expect, test } from 'vitest';
import { accessToken, type Json, onEveryDatabase } from '../support/service/praxis.ts';

interface Document {
  readonly components: { readonly schemas: Record<string, { readonly properties: Record<string, Json> }> };
}

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
        { estimate: 1 },
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
      expect(await patch(made.id, same)).toMatchObject({
        status: 200,
        body: { ...made, statusId: 'done', hours: 3, total: 4.5 },
      });
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

    test('a formula with a name is called on the record and on others, with what it is given', async () => {
      const customerId = await customer({ currency: 'JPY', discount: 0.1 });
      await context.make('card', { customerId, start: null, price: 50 });
      await context.make('card', { customerId, start: '2024-03-01', price: 60 });
      await context.make('card', { customerId: await customer(), start: '2024-01-01', price: 999 });
      const made = await job({ customerId, day: '2024-02-29', hours: 2.5, lines: [{ part: 'Disc', count: 4 }] });
      // 50 × 2.5 × 0.9 = 112.5 → 113; 50 × 4 × 0.9 = 180
      expect(made).toMatchObject({ price: 113, lines: [{ share: 1, charge: 180 }] });
      expect(await patch(made.id, { day: '2024-03-01' })).toMatchObject({ body: { price: 135 } });
      expect((await job({ customerId: await customer(), hours: 1 }))['price']).toBeNull();
    });

    test('without what is given it reads like a field, also from the items of the record', async () => {
      const lines = [
        { part: 'Disc', count: 3 },
        { part: 'Pad', count: 1 },
      ];
      const made = await job({ lines, hours: 5 });
      expect(made).toMatchObject({ parts: 4, first: 'Disc', isDear: false, lines: [{ share: 0.75 }, { share: 0.25 }] });
      const turned = await patch(made.id, { lines: lines.toReversed(), hours: 5.01 });
      expect(turned.body).toMatchObject({ parts: 4, first: 'Pad', isDear: true, lines: [{ share: 0.25 }, {}] });
      expect((await patch(made.id, { lines: [] })).body).toMatchObject({ parts: 0, first: null });
    });

    test('what is given goes before a field of the same name', async () => {
      expect([(await job({ title: 'OWN' }))['isOwn'], (await job())['isOwn']]).toEqual([true, false]);
    });

    test('conditions call it too', async () => {
      const made = await job({ hours: 3, note: 'Long' });
      expect(made['note']).toBe('Long');
      expect((await patch(made.id, { hours: 2 })).body).toMatchObject({ note: null });
      expect((await patch(made.id, { note: 'Short' })).body).toMatchObject({ errors: ["'note' is not allowed"] });
      const generous = await customer({ discount: 1 });
      const refused = { errors: ["'customerId' must be a customer that pays"] };
      expect((await patch(made.id, { customerId: generous })).body).toMatchObject(refused);
      // A change of the other record counts for updates that change a field of the condition, not for those that send it unchanged.
      const { id } = made['customer'] as Json;
      await context.call('PATCH', `/customers/${String(id)}`, { discount: 1 });
      expect((await patch(made.id, { remarks: 'x' })).body).toMatchObject({ remarks: 'x' });
      expect((await patch(made.id, { customerId: id ?? null })).body).toMatchObject({ customer: { id } });
    });

    test('a figure that accepts what is right takes it, and is kept as the formula gives it', async () => {
      const customerId = await customer();
      const right = {
        title: 'Own',
        day: '2024-02-28',
        hours: 1.55,
        total: 2.325,
        ready: '2024-03-01',
        label: 'Own!',
        isLong: false,
        whoId: customerId,
        firstTitle: 'Own',
        lines: [
          { part: 'Disc', count: 2, twice: 4 },
          { part: 'Pad', count: 3 },
        ],
        tint: { coats: 2, layers: 3 },
      };
      const { whoId, ...shown } = right;
      const made = await job({ customerId, ...right });
      const lines = [{ twice: 4 }, { twice: 6 }];
      expect(made).toMatchObject({ ...shown, lines, who: { id: whoId } });
      expect(await job({ customerId, ...right, total: 2.325 })).toMatchObject({ total: 2.325 });
      const raw = await fetch(`${context.address}/jobs/${made.id}`, {
        method: 'PATCH',
        headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
        body: '{"total": 2.3250}',
      });
      expect(raw.status).toBe(200);
      expect((await patch(made.id, { hours: 2, total: 3 })).body).toMatchObject({ total: 3 });
      expect((await patch(made.id, { day: null, ready: null, tint: { coats: 0, layers: null } })).body).toMatchObject({
        ready: null,
        tint: { layers: null },
      });
      expect((await patch(made.id, { tint: { coats: 4 } })).body).toMatchObject({ tint: { layers: 5 } });
      expect((await patch(made.id, { title: 'Mine', firstTitle: 'Own', label: 'Mine!' })).body).toMatchObject({
        title: 'Mine',
        firstTitle: 'Own',
      });
    });

    test('a figure that accepts what is right refuses all else, with the right one', async () => {
      const customerId = await customer();
      const made = await job({ customerId, title: 'Own', day: '2024-02-28', hours: 1.55 });
      const wrong: [Json, ...string[]][] = [
        [{ total: 2.32 }, "'total' must be 2.325"],
        [{ hours: 2, total: 2.325 }, "'total' must be 3"],
        [{ ready: '2024-03-02' }, "'ready' must be '2024-03-01'"],
        [{ ready: null }, "'ready' must be '2024-03-01'"],
        [{ day: null, ready: '2024-03-01' }, "'ready' must be null"],
        [{ label: 'Own?', isLong: true }, "'label' must be 'Own!'", "'isLong' must be false"],
        [{ whoId: await customer() }, `'whoId' must be '${customerId}'`],
        [{ title: 'Mine', firstTitle: 'Mine' }, "'firstTitle' must be 'Own'"],
        [{ lines: [{ part: 'x' }, { part: 'y', count: 3, twice: 7 }] }, "'lines[1].twice' must be 6"],
        [{ tint: { coats: 1, layers: 1 } }, "'tint.layers' must be 2"],
        [{ tint: { coats: 0, layers: 1 } }, "'tint.layers' must be null"],
        [{ total: 'much' }, "'total' must be a number"],
      ];
      for (const [body, ...errors] of wrong) {
        const answer = await patch(made.id, body);
        expect([body, answer.status, (answer.body as Json)['errors']]).toEqual([body, 400, errors]);
      }
      expect((await context.call('GET', `/jobs/${made.id}`)).body).toEqual(made);
      const create = await context.call('POST', '/jobs', { title: 'New', customerId, total: 1, hours: 1 });
      expect(create.body).toMatchObject({ errors: ["'total' must be 1.5"] });
      const { components } = (await (
        await fetch(`${new URL(context.address).origin}/openapi.json`)
      ).json()) as Document;
      expect(components.schemas['JobCreate']?.properties).toHaveProperty('total');
      expect(components.schemas['JobCreate']).not.toMatchObject({ required: expect.arrayContaining(['total']) });
      expect(components.schemas['Job']?.properties['total']).not.toHaveProperty('readOnly');
    });

    test('amounts say their currency to programs and to people', async () => {
      const origin = new URL(context.address).origin;
      const { components } = (await (await fetch(`${origin}/openapi.json`)).json()) as Document;
      const shown = (name: string, key: string): Json | undefined => components.schemas[name]?.properties[key];
      expect(shown('Job', 'price')).toMatchObject({ 'x-currency': 'customer.currency' });
      expect(shown('JobLinesItem', 'cost')).toMatchObject({
        'x-currency': 'costCurrency',
        description: 'What it cost. In costCurrency',
      });
      expect(shown('JobTint', 'price')).toMatchObject({ 'x-currency': 'workspace.currency' });
      expect(shown('CardCreate', 'price')).toMatchObject({ 'x-currency': 'customer.currency' });
      expect(shown('Job', 'hours')).not.toHaveProperty('x-currency');
      const page = await (await fetch(`${origin}/docs/groups/job`)).text();
      expect(page).toContain('; amount in <code>customer.currency</code>');
    });

    test('pages show locks of fields, and formulas with names', async () => {
      const page = async (name: string): Promise<string> =>
        (await fetch(`${new URL(context.address).origin}/docs/groups/${name}`)).text();
      const ofJob = await page('job');
      expect(ofJob).toContain(
        'Only <code>statusId</code>, <code>isSettled</code>, <code>remarks</code> can be changed while <code>statusId</code> is not <code>open</code>; other changes return 409.',
      );
      expect(ofJob).toContain('<code>fee</code> for <code>hours</code> (a number): ');
      expect(await page('settings')).not.toContain('id="formulas"');
    });
  },
  'garage',
);
