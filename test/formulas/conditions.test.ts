// Conditions over many records, and how they answer: on fields and among rules, on each operation, also among many at once.
import { expect, test } from 'vitest';
import { conflictsOf } from '../../src/endpoints/routes/conflicts.ts';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Operation } from '../../src/registry/model/model.ts';
import { type Answer, type Context, type Json, onEveryDatabase, registryOf } from '../support/service/praxis.ts';

const general = 'There was a problem processing your request. See errors for more details.';
const refused = (...errors: string[]): Json => ({ status: 400, message: general, errors });
const conflict = (message: string): Json => ({ status: 409, message });
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_value, n) => make(n));
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).toSorted();
const timeout = 60_000;
const outside = "'start' must be outside of the asset's other rentals";
const days = { start: '2026-03-02', end: '2026-03-06' };

onEveryDatabase(
  'conditions',
  (context) => {
    const post = async (path: string, body: Json): Promise<unknown> => (await context.call('POST', path, body)).body;
    const patch = async (path: string, body: Json): Promise<unknown> => (await context.call('PATCH', path, body)).body;
    const remove = async (path: string): Promise<unknown> => (await context.call('DELETE', path)).body;
    const rental = async (body: Json = {}) => {
      const assetId = body['assetId'] ?? (await context.make('asset', { keeperId: null })).id;
      const { status, body: made } = await context.call('POST', '/rentals', { assetId, ...days, ...body });
      expect([status, made]).toEqual([200, made]);
      const { id } = made as { id: string };
      return { id, path: `/rentals/${id}`, assetId };
    };
    const damage = (rentalId: string, body: Json = {}) => context.make('damage', { rentalId, ...body });

    test('look through the records of the same group, the written one as it will be', async () => {
      const first = await rental();
      const { assetId } = first;
      expect(await post('/rentals', { assetId, start: '2026-03-06', end: '2026-03-09' })).toEqual(refused(outside));
      const next = await rental({ assetId, start: '2026-03-07', end: '2026-03-09' });
      expect(await patch(next.path, { start: '2026-03-06' })).toEqual(refused(outside));
      expect(await patch(next.path, { end: '2026-03-10' })).toMatchObject({ end: '2026-03-10' });
      expect(await patch(first.path, { end: '2026-03-07' })).toEqual(refused(outside));
      // On another asset it is in nobody's way, and there it is.
      const other = await context.make('asset');
      expect(await patch(next.path, { assetId: other.id, start: '2026-03-01' })).toMatchObject({ start: '2026-03-01' });
      expect(await patch(first.path, { end: '2026-03-07' })).toMatchObject({ end: '2026-03-07' });
      expect(await patch(first.path, { assetId: other.id })).toEqual(refused(outside));
    });

    test('are not judged where a reference on the way is null, nor beside faults of what they look at', async () => {
      const { path, assetId } = await rental({ customerId: null, price: 1e6 });
      expect(await patch(path, { price: 2e6 })).toMatchObject({ price: 2e6 });
      expect(await post('/rentals', { assetId, start: 'soon', end: days.end })).toEqual(
        refused("'start' must be a date (YYYY-MM-DD)"),
      );
    });

    test('say in their text what they have found', async () => {
      const customer = await context.make('customer', { most: 100.5 });
      const { path } = await rental({ customerId: customer.id, price: 60.25 });
      const asset = await context.make('asset');
      const body = { assetId: asset.id, customerId: customer.id, ...days };
      expect(await post('/rentals', { ...body, price: 40.26 })).toEqual(
        refused("'price' must be at most 40.25 of 100.5 until 2026-03-06{"),
      );
      expect(await post('/rentals', { ...body, price: 40.25 })).toMatchObject({ price: 40.25 });
      expect(await patch(path, { price: 60.26 })).toEqual(
        refused("'price' must be at most 60.25 of 100.5 until 2026-03-06{"),
      );
      await context.call('PATCH', `/customers/${customer.id}`, { most: 10 });
      // The limit has changed elsewhere: that is no matter of updates that leave alone what the condition looks at in the record.
      expect(await patch(path, { statusId: 'returned' })).toMatchObject({ statusId: 'returned' });
      expect(await patch(path, { note: 'x' })).toMatchObject({ note: 'x' });
      expect(await patch(path, { price: 60.24 })).toMatchObject({ status: 400 });
    });

    test('answer with texts of the interface: required, not allowed, cannot change', async () => {
      const plain = await context.make('asset', { isPrecious: false });
      const dear = await context.make('asset', { isPrecious: true });
      expect(await post('/rentals', { assetId: plain.id, ...days, deposit: 5 })).toEqual(
        refused("'deposit' is not allowed"),
      );
      expect(await post('/rentals', { assetId: dear.id, ...days })).toEqual(refused("'deposit' is required"));
      const made = await rental({ assetId: dear.id, deposit: 5, statusId: 'lost' });
      expect(await patch(made.path, { statusId: 'open' })).toMatchObject({ statusId: 'open' });
      expect(await patch(made.path, { statusId: 'lost' })).toMatchObject({ statusId: 'lost' });
      await damage(made.id);
      expect(await patch(made.path, { statusId: 'returned' })).toEqual(
        refused("'statusId' cannot change from 'lost' to 'returned'"),
      );
      expect(await patch(made.path, { statusId: 'lost', note: 'x' })).toMatchObject({ note: 'x' });
    });

    test('answer with conflicts after all that is wrong with the body', async () => {
      const broken = await context.make('asset', { isBroken: true });
      expect(await post('/rentals', { assetId: broken.id, ...days })).toEqual(
        conflict('The Asset is in use and cannot be deleted.'),
      );
      expect(await post('/rentals', { assetId: broken.id, ...days, deposit: 5 })).toEqual(
        refused("'deposit' is not allowed"),
      );
      const asset = await context.make('asset');
      const period = { assetId: asset.id, name: 'Shut' };
      expect(await post('/periods', { ...period, ...days })).toMatchObject(days);
      const overlaps = conflict('A Period with overlapping dates already exists.');
      expect(await post('/periods', { ...period, start: '2026-03-06' })).toEqual(overlaps);
      // The condition that is refused stands behind the one that is a conflict.
      expect(await post('/periods', { ...period, start: '2026-03-05', end: '2026-03-04' })).toEqual(
        refused("'end' must be on or after start"),
      );
      const nobody = '019b0000-0000-7000-8000-000000000000';
      expect(await post('/periods', { ...period, start: '2026-03-06', keeperId: nobody })).toEqual(
        refused("'keeperId' does not refer to an existing Customer"),
      );
      expect(await post('/periods', { ...period, start: '2026-03-07' })).toMatchObject({ end: null });
      expect(await post('/periods', { ...period, start: '2030-01-01' })).toEqual(overlaps);
    });

    test('look at the day, and at the record before the write', async () => {
      const { id } = await rental();
      const today = new Date().toISOString().slice(0, 10);
      expect(await post('/damages', { rentalId: id, name: 'Dent', foundOn: '9999-01-01' })).toEqual(
        refused(`'foundOn' must be on or before ${today}`),
      );
      const made = await damage(id, { level: 3 });
      const path = `/damages/${made.id}`;
      expect(await patch(path, { level: 2 })).toEqual(refused("'level' must be 3 or more"));
      expect(await patch(path, { level: 4 })).toMatchObject({ level: 4 });
    });

    test('on a field, and decisions: a decision calls for no condition but those that look at it', async () => {
      const { path, assetId } = await rental();
      await context.call('PATCH', `/assets/${String(assetId)}`, { isRetired: true });
      expect(await patch(path, { note: 'x' })).toEqual(refused("'assetId' must be an asset in use"));
      expect(await patch(path, { statusId: 'returned', note: 'x' })).toEqual(
        refused("'assetId' must be an asset in use"),
      );
      expect(await patch(path, { statusId: 'returned', note: '' })).toMatchObject({ statusId: 'returned' });
      expect(await patch(path, { statusId: 'lost' })).toMatchObject({ statusId: 'lost' });
    });

    test('on fields of items: each with its place, the names of the record behind those of the item', async () => {
      const [own, plain, retired, broken] = [
        await context.make('asset', { name: 'Drill', isPrecious: true }),
        await context.make('asset', { name: 'Bit' }),
        await context.make('asset', { isRetired: true }),
        await context.make('asset', { isBroken: true }),
      ];
      const extras = [
        { assetId: plain.id, count: 2, coverId: plain.id, label: 'a' },
        { assetId: retired.id, label: 'b' },
        { assetId: own.id, coverId: broken.id },
        { assetId: plain.id, count: 5 },
      ];
      const body = { assetId: own.id, customerId: null, ...days, deposit: 5, extras };
      expect(await post('/rentals', body)).toEqual(
        refused(
          "'extras[1].assetId' must be another asset in use than Drill",
          "'extras[1].label' is not allowed",
          "'extras[2].assetId' must be another asset in use than Drill",
          "'extras[2].coverId' must be a cover that is whole",
          "'extras[3].label' is required",
        ),
      );
      const made = await rental({ ...body, extras: extras.slice(0, 1) });
      await context.call('PATCH', `/assets/${own.id}`, { isPrecious: false });
      expect(await patch(made.path, { deposit: null })).toEqual(
        refused("'extras[0].count' must be 1 without a deposit for Bit from 2026-03-02"),
      );
    });

    test('on delete: the record itself is gone from what they look through', async () => {
      const made = await rental();
      const [first, second] = [await damage(made.id, { isPaid: true }), await damage(made.id, { isPaid: true })];
      const inUse = conflict('The Damage is in use and cannot be deleted.');
      expect((await context.call('DELETE', `/damages/${first.id}`)).status).toBe(204);
      expect(await remove(`/damages/${second.id}`)).toEqual(inUse);
      await patch(`/damages/${second.id}`, { isPaid: false });
      expect(await remove(made.path)).toEqual(conflict('The Rental is in use and cannot be deleted.'));
      await patch(`/damages/${second.id}`, { isPaid: true });
      await patch(made.path, { statusId: 'returned' });
      expect(await remove(`/damages/${second.id}`)).toEqual(conflict('The Damage is read-only.'));
      // With the rental they go, whatever its state: to them it is gone already.
      expect((await context.call('DELETE', made.path)).status).toBe(204);
      expect((await context.call('GET', `/damages/${second.id}`)).status).toBe(404);
    });

    test('on delete: of what goes along, its own conditions are asked, and its owner comes first', async () => {
      const made = await rental();
      await damage(made.id, { isPaid: false });
      const path = `/assets/${String(made.assetId)}`;
      expect(await remove(path)).toEqual(conflict('The Rental is in use and cannot be deleted.'));
      expect((await context.call('GET', made.path)).status).toBe(200);
    });

    test(
      'of twenty rentals that overlap one wins, also where each moves to the asset',
      async () => {
        for (const _round of times(5, (n) => n)) {
          const { id: assetId } = await context.make('asset', { keeperId: null });
          const start = (n: number): string => `2026-04-${String(n + 1).padStart(2, '0')}`;
          const bodies = times(20, (n) => ({ assetId, start: start(n), end: '2026-05-01' }));
          const answers = await Promise.all(bodies.map((body) => context.call('POST', '/rentals', body)));
          expect(statuses(answers)).toEqual([200, ...times(19, () => 400)]);
          for (const { status, body } of answers) if (status === 400) expect(body).toEqual(refused(outside));
          expect(await context.all('rental', `&assetId=${assetId}`)).toHaveLength(1);
        }
        const apart = await Promise.all(times(20, () => rental()));
        const { id: assetId } = await context.make('asset');
        const moved = await Promise.all(apart.map(({ path }) => context.call('PATCH', path, { assetId })));
        expect(statuses(moved)).toEqual([200, ...times(19, () => 400)]);
      },
      timeout,
    );

    test(
      'where no reference narrows what is looked through, the settings guard it',
      async () => {
        const body = { currency: 'CHF', start: days.start };
        const answers = await Promise.all(times(12, () => context.call('POST', '/tariffs', body)));
        expect(statuses(answers)).toEqual([200, ...times(11, () => 400)]);
      },
      timeout,
    );

    test(
      'a cap on a sum holds under twenty writers, also where a default names what it is a cap of',
      async () => {
        const customer = await context.make('customer', { most: 70 });
        const assets = await Promise.all(times(20, () => context.make('asset', { keeperId: customer.id })));
        const answers = await Promise.all(
          assets.map(({ id: assetId }, n) =>
            context.call('POST', '/rentals', {
              assetId,
              ...days,
              price: 10,
              ...(n % 2 === 0 ? { customerId: customer.id } : {}),
            }),
          ),
        );
        expect(statuses(answers)).toEqual([...times(7, () => 200), ...times(13, () => 400)]);
        const made = await context.all('rental', `&customerId=${customer.id}`);
        expect(made.map(({ price }) => Number(price)).reduce((a, b) => a + b, 0)).toBe(70);
      },
      timeout,
    );

    test(
      'two caps over the same rows, met in opposite orders, hold and never wait for each other',
      async () => {
        for (const _round of times(4, (n) => n)) await expectCaps(context);
      },
      timeout,
    );
  },
  'conditions',
);

test('the document tells the conflicts, and none of what goes along without a word', () => {
  const registry = registryOf('conditions');
  const messages = (group: string, operation: Operation): string[] =>
    endpointsOf(registry)
      .filter((endpoint) => endpoint.resource.name === group && endpoint.operation === operation)
      .flatMap((endpoint) => conflictsOf(endpoint, registry).map(({ message }) => message));
  const assetInUse = 'The Asset is in use and cannot be deleted.';
  const rentalInUse = 'The Rental is in use and cannot be deleted.';
  const damageInUse = 'The Damage is in use and cannot be deleted.';
  expect(messages('rental', 'create')).toEqual([assetInUse]);
  expect(messages('rental', 'update')).toEqual([assetInUse]);
  expect(messages('period', 'update')).toEqual(['A Period with overlapping dates already exists.']);
  expect(messages('damage', 'delete')).toEqual(['The Damage is read-only.', damageInUse]);
  // A damage that goes along has no rental left to be read through; whether it is the last one may still be asked.
  expect(messages('rental', 'delete')).toEqual([rentalInUse, damageInUse]);
  expect(messages('asset', 'delete')).toEqual([assetInUse, rentalInUse, damageInUse]);
});

/** Bookings name customers and assets crosswise, and move from one to the other; each cap is 10. */
async function expectCaps(context: Context): Promise<void> {
  const customers = await Promise.all(times(2, () => context.make('customer', { most: null })));
  const assets = await Promise.all(times(2, () => context.make('asset', { keeperId: null })));
  const of = (n: number, places: readonly Json[]): unknown => places[n % 2]?.['id'];
  const made = await Promise.all(
    times(16, (n) =>
      context.call('POST', '/bookings', {
        customerId: of(n, customers),
        assetId: of(n >> 1, assets),
        day: days.start,
      }),
    ),
  );
  const bookings = made.flatMap(({ status, body }) => (status === 200 ? [body as { id: string }] : []));
  expect(statuses(made)).toEqual(times(16, () => 200));
  const moved = await Promise.all(
    bookings.map(({ id }, n) =>
      context.call(
        'PATCH',
        `/bookings/${id}`,
        n % 4 < 2 ? { customerId: of(n + 1, customers), seats: 2 } : { assetId: of((n >> 1) + 1, assets), seats: 2 },
      ),
    ),
  );
  for (const { status, text } of moved) expect([200, 400], text).toContain(status);
  for (const [key, places] of [
    ['customerId', customers],
    ['assetId', assets],
  ] as const)
    for (const { id } of places) {
      const found = await context.all('booking', `&${key}=${id}`);
      expect(found.reduce((sum, { seats }) => sum + Number(seats), 0)).toBeLessThanOrEqual(10);
    }
}
