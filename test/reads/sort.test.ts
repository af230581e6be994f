// Lists in the order of a field: every row once, in both directions, with whatever filters, however many share a value or have
// none; and where a page begins behind a record that has changed or gone meanwhile.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { endpointsOf, type FilterParameter, type Order } from '../../src/endpoints/routes/endpoint.ts';
import { passes, sorted } from '../support/data/model.ts';
import { nastyText } from '../support/data/nasty.ts';
import { type Context, isObject, type Json, onEveryDatabase, registryOf } from '../support/service/praxis.ts';

type Row = Json & { readonly id: string };

const endpoint = endpointsOf(registryOf('fair')).find(({ operationId }) => operationId === 'listTalks');
const orders = [...(endpoint?.sorts.values() ?? [])];
const filters = [...(endpoint?.filters.values() ?? [])].filter(({ field }) => field.kind !== 'dateTime');

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 2 });
const word = fc.constantFrom('Ada', 'ada', 'Ärger', 'ärger', 'zoo', 'Zoo', '\u{1F600} b', '￿ a', 'b');
const day = fc.integer({ min: 1, max: 6 }).map((n) => `2026-03-0${n}`);
const amount = fc.constantFrom(0, 0.5, 2, 10, 10.25, 100, 12345678901.2345);
const talk = fc.record({
  title: fc
    .oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: nastyText.filter((text) => /\S/.test(text)) })
    .map((text) => [...text].slice(0, 120).join('')),
  statusId: fc.constantFrom('draft', 'open', 'over'),
  speaker: fc.constantFrom('', 'Ada', 'ada', 'Bo'),
  heldOn: maybe(day),
  places: maybe(fc.integer({ min: 0, max: 4 })),
  fee: maybe(amount),
  cost: maybe(fc.constantFrom(1, 2.5, 99999999999.9999)),
  rating: fc.constantFrom(-1.5, 0, 3),
});

/** Values to look for, by the field. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  title: ['a', 'Ada', 'ZOO', 'är', 'nothing like it'],
  statusId: ['draft', 'over'],
  speaker: ['Ada', 'Bo', 'nobody'],
  heldOn: ['2026-03-01', '2026-03-04', '2027-01-01'],
  places: ['0', '2', '9'],
  fee: ['0.5', '10.25', '12345678901.2345'],
  cost: ['1', '99999999999.9999'],
  rating: ['-1.5', '0', '500'],
  code: ['KEY-12/main'],
};

/** All pages of a list, in its order. */
async function walked(
  context: Context,
  query: string,
  { limit, last }: { limit: number; last?: string | undefined },
): Promise<string[]> {
  const ids: string[] = [];
  let cursor = last === undefined ? '' : `&endingBefore=${last}`;
  for (;;) {
    const { status, body, text } = await context.call('GET', `/talks?limit=${limit}${query}${cursor}`);
    if (status !== 200 || !isObject(body)) throw new Error(`${query}: ${text}`);
    const page = (body['results'] as Row[]).map(({ id }) => id);
    if (last === undefined) ids.push(...page);
    else ids.unshift(...page);
    if (body['hasMore'] !== true) return ids;
    if (page.length !== limit) throw new Error(`${query}: a page of ${page.length}, and there is more`);
    cursor = last === undefined ? `&startingAfter=${page.at(-1)}` : `&endingBefore=${page[0]}`;
  }
}

onEveryDatabase(
  'sorted lists',
  (context) => {
    let rows: Row[] = [];
    const list = async (query: string): Promise<unknown[]> => {
      const { body, text } = await context.call('GET', `/talks?${query}`);
      if (!isObject(body)) throw new Error(text);
      return Array.isArray(body['results']) ? body['results'].map((row: Json) => row['id']) : [body];
    };
    const idsIn = (order: Order, among: readonly Row[] = rows): string[] => sorted(among, order).map(({ id }) => id);
    const orderOf = (name: string): Order => {
      const order = orders.find((each) => each.name === name);
      if (order === undefined) throw new Error(name);
      return order;
    };

    beforeAll(async () => {
      const halls = await Promise.all([1, 2].map((n) => context.make('hall', { name: `Hall ${n}` })));
      const bodies = fc.sample(talk, { numRuns: 150, seed: 7 });
      const made: string[] = [];
      for (const [n, body] of bodies.entries()) {
        const rivalIds = n % 3 === 0 ? made.slice(0, 1) : [];
        const {
          status,
          body: record,
          text,
        } = await context.call('POST', '/talks', {
          ...body,
          key: n % 4 === 0 ? `Key ${n % 7} ${n}` : null,
          hallId: halls[n % 5]?.id ?? null,
          rivalIds,
        });
        if (status !== 200 || !isObject(record)) throw new Error(text);
        made.push(String(record['id']));
      }
      rows = await context.all('talk');
    }, 60_000);

    test('show every row once in both directions, at any page size, with and without filters', async () => {
      const values = (filter: FilterParameter): string[] => {
        const own = rows.map((row) => row[filter.field.name]);
        const ids = own
          .flatMap((value) => (Array.isArray(value) ? value : [value]))
          .flatMap((value) => (isObject(value) ? [String(value['id'])] : []));
        return [...(wanted[filter.field.name] ?? ids.slice(0, 2)), ...ids.slice(0, 1)];
      };
      const used = fc
        .uniqueArray(fc.constantFrom(...filters), { maxLength: 3, selector: ({ name }) => name })
        .chain((some) =>
          fc.tuple(...some.map((filter) => fc.tuple(fc.constant(filter), fc.constantFrom(...values(filter))))),
        );
      let shown = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...orders),
          used,
          fc.integer({ min: 2, max: 40 }),
          fc.boolean(),
          async (order, some, limit, forwards) => {
            const query = some.map(([{ name }, value]) => `&${name}=${encodeURIComponent(value)}`).join('');
            const expected = idsIn(
              order,
              rows.filter((row) => some.every(([filter, value]) => passes(row, filter, value))),
            );
            shown += expected.length;
            const last = forwards ? undefined : expected.at(-1);
            const found = await walked(context, `&sort=${order.name}${query}`, { limit, last });
            expect(found).toEqual(last === undefined ? expected : expected.slice(0, -1));
          },
        ),
        { numRuns: 120, seed: Number(process.env['PRAXIS_SEED'] ?? 3) },
      );
      expect(shown).toBeGreaterThan(500);
    }, 120_000);

    test('begin behind any record, also one that the filters leave out', async () => {
      for (const order of orders) {
        const all = idsIn(order);
        const some = rows.filter((row) =>
          passes(row, filters.find(({ name }) => name === 'statusId') as FilterParameter, 'open'),
        );
        const open = new Set(some.map(({ id }) => id));
        for (const place of [0, 20, 77, all.length - 1]) {
          const expected = (ids: readonly string[]): string[] => ids.filter((id) => open.has(id));
          const after = await list(`limit=5&sort=${order.name}&statusId=open&startingAfter=${all[place]}`);
          expect(after, order.name).toEqual(expected(all.slice(place + 1)).slice(0, 5));
          const before = await list(`limit=5&sort=${order.name}&statusId=open&endingBefore=${all[place]}`);
          expect(before, order.name).toEqual(expected(all.slice(0, place)).slice(-5));
        }
      }
      // On either side of the bounds of the field itself, and where it has no value.
      for (const name of ['heldOn', '-heldOn']) {
        const all = idsIn(orderOf(name));
        const within = new Set(
          rows
            .filter(
              (row) =>
                String(row['heldOn']) >= '2026-03-02' && String(row['heldOn']) < '2026-03-05' && row['heldOn'] !== null,
            )
            .map(({ id }) => id),
        );
        for (const [place, id] of all.entries()) {
          const query = `limit=4&sort=${name}&heldOnOnAfter=2026-03-02&heldOnBefore=2026-03-05`;
          expect(await list(`${query}&startingAfter=${id}`)).toEqual(
            all
              .slice(place + 1)
              .filter((each) => within.has(each))
              .slice(0, 4),
          );
          expect(await list(`${query}&endingBefore=${id}`)).toEqual(
            all
              .slice(0, place)
              .filter((each) => within.has(each))
              .slice(-4),
          );
        }
      }
    }, 60_000);

    test('go on from where a record stands now, and not behind one that is gone', async () => {
      const fields = { heldOn: null, places: null, statusId: 'over' };
      const [a, b, c] = [
        await context.make('talk', { ...fields, title: 'moves a' }),
        await context.make('talk', { ...fields, title: 'moves b' }),
        await context.make('talk', { ...fields, title: 'moves c' }),
      ];
      const query = (sort: string, cursor: string): string => `sort=${sort}&titleStartsWith=moves&${cursor}`;
      expect(await list(query('title', `startingAfter=${a.id}`))).toEqual([b.id, c.id]);
      await context.call('PATCH', `/talks/${a.id}`, { title: 'moves bb' });
      expect(await list(query('title', `startingAfter=${a.id}`))).toEqual([c.id]);
      expect(await list(query('title', `endingBefore=${a.id}`))).toEqual([b.id]);
      await context.call('DELETE', `/talks/${a.id}`);
      for (const cursor of ['startingAfter', 'endingBefore'])
        expect(await list(query('title', `${cursor}=${a.id}`))).toEqual([
          { status: 400, message: `Parameter '${cursor}' does not refer to a known record.` },
        ]);
      // Ids are places in the order of making by themselves, whether or not their record is there.
      expect(await list(query('createdAt', `startingAfter=${a.id}`))).toEqual([b.id, c.id]);
      expect(await list(query('-createdAt', `endingBefore=${a.id}`))).toEqual([c.id, b.id]);
      for (const { id } of [b, c]) await context.call('DELETE', `/talks/${id}`);
    });

    test('behind a record without a value, from the highest down, only others without one are left', async () => {
      const talkOf = async (speaker: string, heldOn: string | null): Promise<string> =>
        (await context.make('talk', { speaker, heldOn })).id;
      const without = await talkOf('Beyond', null);
      const held = await talkOf('Beyond', '2026-03-03');
      // So many of another speaker are between them that it is shorter to go through all of this one.
      const others: string[] = [];
      for (let count = 0; count < 12; count += 1) others.push(await talkOf('Another', null));
      const last = await talkOf('Beyond', null);
      const query = `limit=1&sort=-heldOn&speaker=Beyond`;
      expect(await list(query)).toEqual([held]);
      expect(await list(`${query}&startingAfter=${held}`)).toEqual([last]);
      expect(await list(`${query}&startingAfter=${last}`)).toEqual([without]);
      expect(await list(`${query}&startingAfter=${without}`)).toEqual([]);
      for (const id of [without, held, ...others, last]) await context.call('DELETE', `/talks/${id}`);
    });

    test('keep their standard order, and take no other name', async () => {
      expect(await list('limit=100&sort=-createdAt')).toEqual(await list('limit=100'));
      const names = orders.map(({ name }) => name).join(', ');
      for (const value of ['', 'Title', 'title,heldOn', '+title', 'id', 'statusId', 'hall', '--title'])
        expect(await list(`sort=${encodeURIComponent(value)}`)).toEqual([
          { status: 400, message: `Parameter 'sort' must be one of ${names}.` },
        ]);
      expect((await context.call('GET', '/halls?sort=name')).body).toEqual({
        status: 400,
        message: "Parameter 'sort' is not allowed.",
      });
      expect(await list('sort=title&sort=title')).toEqual([
        { status: 400, message: "Parameter 'sort' is given twice." },
      ]);
    });
  },
  'fair',
);
