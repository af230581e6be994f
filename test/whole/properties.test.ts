// Laws with a model: what holds for any sequence of requests, and for any text, number and body.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import type { Resource } from '../../src/registry/model/model.ts';
import { pathOf } from '../laws/law.ts';
import { passes } from '../support/data/model.ts';
import { nasty, nastyText } from '../support/data/nasty.ts';
import { type Context, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const timeout = 60_000;

/** What happens between two pages: how many rows come, and the places, among those of the beginning, of some that go. */
const steps = fc.array(fc.record({ creates: fc.nat(3), deletes: fc.array(fc.nat(8), { maxLength: 2 }) }), {
  minLength: 1,
  maxLength: 6,
});

/** Walks all pages while rows come and go between them. @returns the ids in the order of the walk. */
async function walkWhile(
  context: Context,
  query: string,
  { limit, forwards }: { limit: number; forwards: boolean },
  between: () => Promise<void>,
  start: string,
): Promise<string[]> {
  const seen: string[] = [];
  let cursor = start;
  for (;;) {
    const { body } = await context.call('GET', `/readers?limit=${limit}${query}${cursor}`);
    if (!isObject(body) || !Array.isArray(body['results'])) throw new Error('no page');
    const ids = body['results'].map(({ id }: Json) => String(id));
    if (forwards) seen.push(...ids);
    else seen.unshift(...ids);
    if (body['hasMore'] !== true) return seen;
    cursor = forwards ? `&startingAfter=${ids.at(-1)}` : `&endingBefore=${ids[0]}`;
    await between();
  }
}

/** Bodies that are nearly right: fields of the group with values of all sorts. */
function bodyFor(resource: Resource): fc.Arbitrary<Json> {
  const some = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(
      null,
      '',
      ' ',
      'x',
      '2024-02-29',
      '2023-02-29',
      0,
      -1,
      0.5,
      1e21,
      Number.MAX_SAFE_INTEGER,
      true,
      [],
      {},
      [null],
      [{}],
      '00000000-0000-7000-8000-000000000000',
      'ordered',
      'EUR',
      'a@b.c',
    ),
    nastyText,
  );
  const keys = [...resource.fields.map(({ key }) => key), 'zzz'];
  const wild = fc.dictionary(fc.constantFrom(...keys), some, { maxKeys: 6, noNullPrototype: true });
  return fc.oneof(
    { weight: 4, arbitrary: wild },
    { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 5 }), some, { maxKeys: 3, noNullPrototype: true }) },
  );
}

onEveryDatabase('properties', (context) => {
  test(
    'shows every row that was there all the time exactly once, however rows come and go',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (plan, limit, forwards) => {
          const guardianId = (await context.make('reader')).id;
          const make = (): Promise<string> => context.make('reader', { guardianId }).then(({ id }) => id);
          const first = await Promise.all(Array.from({ length: 9 }, make));
          const gone = new Set<string>();
          const queue = [...plan];
          const between = async (): Promise<void> => {
            const step = queue.shift();
            if (step === undefined) return;
            await Promise.all(Array.from({ length: step.creates }, make));
            for (const place of step.deletes) {
              const id = first[place];
              if (id === undefined || gone.has(id)) continue;
              gone.add(id);
              expect((await context.call('DELETE', `/readers/${id}`)).status).toBe(204);
            }
          };
          const oldest = first.toSorted()[0];
          const seen = await walkWhile(
            context,
            `&guardianId=${guardianId}`,
            { limit, forwards },
            between,
            forwards ? '' : `&endingBefore=${oldest}`,
          );
          const stayed = first
            .filter((id) => !gone.has(id) && (forwards || id !== oldest))
            .toSorted()
            .toReversed();
          expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed);
          expect(new Set(seen).size).toBe(seen.length);
        }),
        { numRuns: 12 },
      );
    },
    timeout,
  );

  test(
    'finds texts as JavaScript does, whatever is in them',
    async () => {
      const names = fc.sample(
        nastyText.filter((text) => /\S/.test(text)),
        120,
      );
      await Promise.all(names.map((name) => context.make('reader', { name })));
      const rows = await context.all('reader');
      for (const name of names) expect(rows.some((row) => row['name'] === name)).toBe(true);
      const endpoint = endpointsOf(context.registry).find(({ operationId }) => operationId === 'listReaders');
      const filters = [...(endpoint?.filters.values() ?? [])].filter(({ field }) => field.name === 'name');
      expect(filters).toHaveLength(4);
      const needles = [
        ...new Set([
          ...nasty,
          ...fc.sample(nastyText, 30),
          ...names.slice(0, 10).flatMap((name) => [name, [...name].slice(1).join(''), [...name].slice(0, -1).join('')]),
        ]),
      ];
      const wrong: string[] = [];
      for (const filter of filters) {
        await Promise.all(
          needles.map(async (needle) => {
            const found = await context.all('reader', `&${filter.name}=${encodeURIComponent(needle)}`);
            const expected = rows.filter((row) => passes(row, filter, needle));
            const differs = JSON.stringify(found.map(({ id }) => id)) !== JSON.stringify(expected.map(({ id }) => id));
            if (differs)
              wrong.push(
                `${filter.name}=${JSON.stringify(needle)}: ${JSON.stringify(found.map((row) => row['name']))}, not ${JSON.stringify(expected.map((row) => row['name']))}`,
              );
          }),
        );
      }
      expect(wrong).toEqual([]);
    },
    timeout,
  );

  test(
    'takes each of the 10,001 fractions of four digits, and gives it back',
    async () => {
      const all = Array.from({ length: 10_001 }, (_value, n) => n / 10_000);
      const batches = Array.from({ length: Math.ceil(all.length / 500) }, (_value, n) =>
        all.slice(n * 500, n * 500 + 500),
      );
      await Promise.all(
        batches.map(async (scores) => {
          const { id } = await context.make('book', { chapters: scores.map((score) => ({ heading: 'x', score })) });
          const book: Json = JSON.parse((await context.call('GET', `/books/${id}`)).text);
          expect((book['chapters'] as Json[]).map(({ score }) => score)).toEqual(scores);
        }),
      );
      const { id } = await context.make('book');
      for (let n = 0; n <= 10_000; n += 97) {
        const answer = await context.call('PATCH', `/books/${id}`, { score: n / 10_000 });
        expect(isObject(answer.body) && answer.body['score'], `${n / 10_000}`).toBe(n / 10_000);
      }
    },
    timeout,
  );

  test('keeps dates as they are, to the ends of the calendar', async () => {
    const { id } = await context.make('book', { boughtOn: '9999-12-31' });
    for (const publishedOn of [
      '1000-01-01',
      '1582-10-10',
      '1900-02-28',
      '1970-01-01',
      '2000-02-29',
      '2011-12-30',
      '2024-02-29',
      '2024-03-31',
      '2038-01-20',
      '9999-12-31',
    ]) {
      const answer = await context.call('PATCH', `/books/${id}`, { publishedOn });
      expect(isObject(answer.body) && answer.body['publishedOn']).toBe(publishedOn);
      expect((await context.all('book', `&publishedOn=${publishedOn}`)).map((book) => book.id)).toEqual([id]);
    }
    for (const publishedOn of [
      '0999-12-31',
      '1900-02-29',
      '2023-02-29',
      '2024-00-10',
      '2024-13-01',
      '2024-04-31',
      '10000-01-01',
      '2024-1-01',
      '2024-01-01T00:00:00Z',
      ' 2024-01-01',
    ]) {
      const answer = await context.call('PATCH', `/books/${id}`, { publishedOn });
      expect(isObject(answer.body) && answer.body['errors'], publishedOn).toEqual([
        "'publishedOn' must be a date (YYYY-MM-DD)",
      ]);
    }
  });

  test(
    'never fails over a body, and changes nothing when it refuses one',
    async () => {
      for (const resource of context.registry.resources.values()) {
        if (!resource.operations.has('create') && !(resource.singleton && resource.operations.has('update'))) continue;
        const { id } = resource.singleton ? { id: '' } : await context.make(resource.name);
        const path = pathOf(resource, id);
        let before = (await context.call('GET', path)).text;
        await fc.assert(
          fc.asyncProperty(bodyFor(resource), fc.boolean(), async (body, asUpdate) => {
            // Switched off, the gates would keep the rest of the bodies out.
            if (resource.isWorkspace) delete body['features'];
            const isUpdate = resource.singleton || (asUpdate && resource.operations.has('update'));
            const answer = await context.call(isUpdate ? 'PATCH' : 'POST', isUpdate ? path : resource.path, body);
            const after = (await context.call('GET', path)).text;
            if (isUpdate && answer.status === 200) expect(answer.text).toBe(after);
            else expect(after).toBe(before);
            before = after;
          }),
          { numRuns: 60 },
        );
      }
    },
    timeout,
  );

  test(
    'never fails over a query',
    async () => {
      const endpoints = endpointsOf(context.registry).filter(({ operation }) => operation === 'list');
      const value = fc.oneof(
        nastyText,
        fc.string({ unit: 'binary', maxLength: 6 }),
        fc.constantFrom(
          '',
          '0',
          '%00',
          '%ff',
          '1e3',
          '00000000-0000-7000-8000-000000000000',
          'ffffffff-ffff-7fff-bfff-ffffffffffff',
          '2024-02-29',
          'true',
          '100',
        ),
      );
      const query = (names: readonly string[]) =>
        fc.array(fc.tuple(fc.constantFrom(...names), value, fc.boolean()), { maxLength: 3 });
      for (const { path, filters } of endpoints) {
        await fc.assert(
          fc.asyncProperty(
            query([...filters.keys(), 'limit', 'startingAfter', 'endingBefore', '__proto__', 'x[]']),
            async (pairs) => {
              const text = pairs
                .map(
                  ([name, part, isRaw]) =>
                    `${name}=${isRaw && /^[!-~]*$/.test(part) ? part.replaceAll('#', '') : encodeURIComponent(part.toWellFormed())}`,
                )
                .join('&');
              const { status } = await context.call('GET', `${path}?${text}`);
              expect([200, 400]).toContain(status);
            },
          ),
          { numRuns: 60 },
        );
      }
    },
    timeout,
  );
});
