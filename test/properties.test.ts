// Laws with a model: what holds for any sequence of requests, and for any text, number and body.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointsOf } from '../src/endpoints/endpoint.ts';
import type { Resource } from '../src/registry/model.ts';
import { pathOf } from './laws/law.ts';
import { passes } from './support/model.ts';
import { type Context, isObject, type Json, onEveryDatabase, startEach } from './support/praxis.ts';

const timeout = 60_000;

/** What happens between two pages: how many rows come, and the places, among those of the beginning, of some that go. */
const steps = fc.array(fc.record({ creates: fc.nat(3), deletes: fc.array(fc.nat(8), { maxLength: 2 }) }), { minLength: 1, maxLength: 6 });

/** Walks all pages while rows come and go between them. @returns the ids in the order of the walk. */
async function walkWhile(context: Context, query: string, { limit, forwards }: { limit: number; forwards: boolean }, between: () => Promise<void>, start: string): Promise<string[]> {
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

/** Texts of which databases and languages have different ideas. */
const nasty = [
  ...['%', '_', '\\', "'", '"', '`', ';', '--', ' ', '\t', '\n', '\u00a0', '\u200d', '\u{10ffff}', '\ud7ff', '\ufffd', '*', '?', '[', ']'],
  ...['\u{1F600}', '\u{1F469}\u200d\u{1F4BB}', '\u{1F1EB}', 'İ', 'ı', 'I', 'i', 'ß', 'ẞ', 'SS', 'ﬁ', 'ŉ', 'ΐ', 'Σ', 'σ', 'ς', '\u212a', 'k', 'é', 'e\u0301', 'E\u0301', '\u0301', 'Ǆ', 'ǅ', 'ǆ'],
  ...['a', 'A', 'b', '日', 'ä', 'Å', '\u212b', '0'],
];
const nastyText = fc.array(fc.constantFrom(...nasty), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));

/** Bodies that are nearly right: fields of the group with values of all sorts. */
function bodyFor(resource: Resource): fc.Arbitrary<Json> {
  const some = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(null, '', ' ', 'x', '2024-02-29', '2023-02-29', 0, -1, 0.5, 1e21, 9007199254740993, true, [], {}, [null], [{}], '00000000-0000-7000-8000-000000000000', 'ordered', 'EUR', 'a@b.c'),
    nastyText,
  );
  const keys = [...resource.fields.map(({ key }) => key), 'zzz'];
  const wild = fc.dictionary(fc.constantFrom(...keys), some, { maxKeys: 6, noNullPrototype: true });
  return fc.oneof({ weight: 4, arbitrary: wild }, { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 5 }), some, { maxKeys: 3, noNullPrototype: true }) });
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
          const seen = await walkWhile(context, `&guardianId=${guardianId}`, { limit, forwards }, between, forwards ? '' : `&endingBefore=${oldest}`);
          const stayed = first.filter((id) => !gone.has(id) && (forwards || id !== oldest)).toSorted().toReversed();
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
      const names = fc.sample(nastyText.filter((text) => /\S/.test(text)), 120);
      await Promise.all(names.map((name) => context.make('reader', { name })));
      const rows = await context.all('reader');
      for (const name of names) expect(rows.some((row) => row['name'] === name)).toBe(true);
      const endpoint = endpointsOf(context.registry).find(({ operationId }) => operationId === 'listReaders');
      const filters = [...(endpoint?.filters.values() ?? [])].filter(({ field }) => field.name === 'name');
      expect(filters).toHaveLength(4);
      const needles = [...new Set([...nasty, ...fc.sample(nastyText, 30), ...names.slice(0, 10).flatMap((name) => [name, [...name].slice(1).join(''), [...name].slice(0, -1).join('')])])];
      const wrong: string[] = [];
      for (const filter of filters) {
        await Promise.all(
          needles.map(async (needle) => {
            const found = await context.all('reader', `&${filter.name}=${encodeURIComponent(needle)}`);
            const expected = rows.filter((row) => passes(row, filter, needle));
            const differs = JSON.stringify(found.map(({ id }) => id)) !== JSON.stringify(expected.map(({ id }) => id));
            if (differs) wrong.push(`${filter.name}=${JSON.stringify(needle)}: ${JSON.stringify(found.map((row) => row['name']))}, not ${JSON.stringify(expected.map((row) => row['name']))}`);
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
      const batches = Array.from({ length: Math.ceil(all.length / 500) }, (_value, n) => all.slice(n * 500, n * 500 + 500));
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
    for (const publishedOn of ['1000-01-01', '1582-10-10', '1900-02-28', '1970-01-01', '2000-02-29', '2011-12-30', '2024-02-29', '2024-03-31', '2038-01-20', '9999-12-31']) {
      const answer = await context.call('PATCH', `/books/${id}`, { publishedOn });
      expect(isObject(answer.body) && answer.body['publishedOn']).toBe(publishedOn);
      expect((await context.all('book', `&publishedOn=${publishedOn}`)).map((book) => book.id)).toEqual([id]);
    }
    for (const publishedOn of ['0999-12-31', '1900-02-29', '2023-02-29', '2024-00-10', '2024-13-01', '2024-04-31', '10000-01-01', '2024-1-01', '2024-01-01T00:00:00Z', ' 2024-01-01']) {
      const answer = await context.call('PATCH', `/books/${id}`, { publishedOn });
      expect(isObject(answer.body) && answer.body['errors'], publishedOn).toEqual(["'publishedOn' must be a date (YYYY-MM-DD)"]);
    }
  });

  test(
    'never fails over a body, and changes nothing when it refuses one',
    async () => {
      for (const resource of context.registry.resources.values()) {
        if (!resource.operations.has('create') && !resource.singleton) continue;
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
      const value = fc.oneof(nastyText, fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('', '0', '%00', '%ff', '1e3', '00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff', '2024-02-29', 'true', '100'));
      const query = (names: readonly string[]) => fc.array(fc.tuple(fc.constantFrom(...names), value, fc.boolean()), { maxLength: 3 });
      for (const { path, filters } of endpoints) {
        await fc.assert(
          fc.asyncProperty(query([...filters.keys(), 'limit', 'startingAfter', 'endingBefore', '__proto__', 'x[]']), async (pairs) => {
            const text = pairs.map(([name, part, isRaw]) => `${name}=${isRaw && /^[!-~]*$/.test(part) ? part.replaceAll('#', '') : encodeURIComponent(part.toWellFormed())}`).join('&');
            const { status } = await context.call('GET', `${path}?${text}`);
            expect([200, 400]).toContain(status);
          }),
          { numRuns: 60 },
        );
      }
    },
    timeout,
  );
});

/** A request as a random sequence has it: ids by the place of their record among those made so far. */
interface Request {
  readonly kind: 'create' | 'update' | 'delete' | 'get' | 'list';
  readonly group: string;
  readonly place: number;
  readonly body: Json;
  readonly query: string;
}

const groups = ['label', 'genre', 'shelf', 'reader', 'book', 'loan'];
const day = fc.integer({ min: 1, max: 28 }).map((n) => `2024-02-${String(n).padStart(2, '0')}`);
const ref = fc.integer({ min: 0, max: 11 }).map((place) => ({ $place: place }));
const amount = fc.integer({ min: -10, max: 100_000 }).map((n) => n / 1000);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 6 });
const bodies: Record<string, fc.Arbitrary<Json>> = {
  label: fc.record({ name: nastyText, isActive: fc.boolean() }, { requiredKeys: ['name'] }),
  genre: fc.record({ name: nastyText }),
  shelf: fc.record({ name: nastyText, floor: fc.integer({ min: -3, max: 13 }), notice: nastyText, parentId: maybe(ref), labelId: maybe(ref), genreIds: fc.uniqueArray(ref, { maxLength: 2 }) }, { requiredKeys: ['name'] }),
  reader: fc.record({ name: nastyText, email: maybe(fc.constantFrom('a@b.c', 'A@B.C', 'd@e.f')), bornOn: maybe(day), guardianId: maybe(ref) }, { requiredKeys: ['name'] }),
  book: fc.record(
    {
      title: nastyText,
      genreId: ref,
      statusId: fc.constantFrom('ordered', 'present', 'lost', 'sold'),
      source: fc.constantFrom('own', 'shelf', 'library'),
      notice: nastyText,
      score: maybe(amount),
      price: maybe(amount),
      shipping: maybe(amount),
      balance: amount,
      isPaperback: fc.boolean(),
      discount: maybe(amount),
      publishedOn: maybe(day),
      boughtOn: day,
      isbn: maybe(nastyText),
      languages: maybe(fc.array(nastyText, { maxLength: 3 })),
      weights: fc.array(amount, { minLength: 3, maxLength: 3 }),
      measures: maybe(fc.record({ width: amount, height: maybe(amount) }, { requiredKeys: [] })),
      shelfId: maybe(ref),
      labelId: maybe(ref),
      donorId: maybe(ref),
      sequelOfId: maybe(ref),
      markIds: fc.array(ref, { maxLength: 3 }),
      chapters: fc.array(fc.record({ heading: nastyText, isFree: fc.boolean(), note: maybe(nastyText), fee: maybe(amount), translatorId: maybe(ref) }, { requiredKeys: ['heading'] }), { maxLength: 3 }),
      credits: fc.array(fc.record({ readerId: ref, share: amount }, { requiredKeys: ['readerId'] }), { maxLength: 2 }),
    },
    { requiredKeys: ['title', 'genreId'] },
  ),
  loan: fc.record({ start: day, end: maybe(day), isClosed: fc.boolean(), fee: amount, deposit: maybe(amount), bookId: ref, readerId: ref, witnessId: maybe(ref) }, { requiredKeys: ['start', 'fee', 'bookId', 'readerId'] }),
};
const queries: Record<string, fc.Arbitrary<string>> = {
  label: fc.constantFrom('', '&isActive=true', '&name=a'),
  genre: fc.constantFrom('', '&name=Novel'),
  shelf: fc.constantFrom('', '&floor=1', '&name=a'),
  reader: nastyText.chain((text) => fc.constantFrom('', `&nameContains=${encodeURIComponent(text)}`, `&nameStartsWith=${encodeURIComponent(text)}`, '&emailEndsWith=c', '&bornOnAfter=2024-02-10')),
  book: nastyText.chain((text) => fc.constantFrom('', '&statusId=ordered', `&titleEndsWith=${encodeURIComponent(text)}`, '&boughtOnOnBefore=2024-02-14', '&number=3', '&isPaperback=true', `&notice=${encodeURIComponent(text)}`)),
  loan: fc.constantFrom('', '&isClosed=false', '&startBefore=2024-02-20'),
};
const requests = fc.constantFrom(...groups).chain((group): fc.Arbitrary<Request> =>
  fc.record({
    kind: fc.constantFrom('create', 'create', 'create', 'update', 'update', 'delete', 'get', 'list'),
    group: fc.constant(group),
    place: fc.nat(11),
    body: bodies[group] ?? fc.constant({}),
    query: fc.tuple(queries[group] ?? fc.constant(''), fc.constantFrom(1, 3, 100)).map(([filter, limit]) => `?limit=${limit}${filter}`),
  }),
);

/** Records for the random requests to meet: two of each group, those that refer after those referred to. */
const beginningOf = (mark: number): Request[] =>
  groups.flatMap((group) =>
  [0, 1].map((place) => {
    const name = `Beginning \u{1F600} ${mark} ${place}`;
    const needed: Record<string, Json> = { book: { title: name, genreId: { $place: place } }, loan: { start: '2024-02-01', fee: 1.5, bookId: { $place: place }, readerId: { $place: 0 } } };
    return { kind: 'create' as const, group, place, body: needed[group] ?? { name }, query: '' };
  }),
);

/** Plays requests on one service. @returns every answer, with ids and times replaced by when they first came up. */
async function play(context: Context, sequence: readonly Request[]): Promise<string[]> {
  const made = new Map<string, string[]>();
  const names = new Map<string, string>();
  const plain = (text: string): string =>
    text
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        if (!names.has(id)) names.set(id, `<id ${names.size}>`);
        return names.get(id) ?? '';
      })
      .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"<time>"');
  const idOf = (group: string, place: number): string => {
    const ids = made.get(group) ?? [];
    return ids.length === 0 ? '00000000-0000-4000-8000-000000000000' : (ids[place % ids.length] ?? '');
  };
  const filled = (resource: Resource, body: unknown, key = ''): unknown => {
    if (Array.isArray(body)) return body.map((item) => filled(resource, item, key));
    if (!isObject(body)) return body;
    if (typeof body['$place'] === 'number') return idOf(targetOf(resource, key), body['$place']);
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, filled(resource, value, name)]));
  };
  const answers: string[] = [];
  for (const { kind, group, place, body, query } of sequence) {
    const resource = context.resource(group);
    const id = idOf(group, place);
    const sent = kind === 'create' || kind === 'update' ? filled(resource, kind === 'update' ? Object.fromEntries(Object.entries(body).slice(-3)) : body) : undefined;
    const method = { create: 'POST', update: 'PATCH', delete: 'DELETE', get: 'GET', list: 'GET' }[kind];
    const path = kind === 'create' ? resource.path : kind === 'list' ? `${resource.path}${query}` : `${resource.path}/${id}`;
    const answer = await context.call(method, path, sent);
    if (kind === 'create' && answer.status === 200 && isObject(answer.body)) made.set(group, [...(made.get(group) ?? []), String(answer.body['id'])]);
    answers.push(`${method} ${plain(path)} ${plain(JSON.stringify(sent) ?? '')} → ${answer.status} ${plain(answer.text)}`);
  }
  return answers;
}

/** The group that a key of a body refers to, in the record or in the items of its lists. */
function targetOf(resource: Resource, key: string): string {
  const fields = resource.fields.flatMap((field) => (field.kind === 'objects' ? [...field.fields, field] : [field]));
  const field = fields.find((each) => each.key === key);
  return field?.kind === 'reference' || field?.kind === 'references' ? field.target : '';
}

describe('on SQLite and MariaDB alike', () => {
  let services: Context[] = [];
  let stop = async (): Promise<void> => {};
  beforeAll(async () => {
    ({ services, stop } = await startEach('test'));
  }, timeout);
  afterAll(() => stop(), timeout);

  test(
    'the same requests give the same bytes',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(requests, { minLength: 50, maxLength: 100, size: 'max' }), fc.nat(), async (random, mark) => {
          const sequence = [...beginningOf(mark), ...random];
          const [first, ...others] = await Promise.all(services.map((service) => play(service, sequence)));
          for (const other of others) expect(other).toEqual(first);
        }),
        { numRuns: 12, endOnFailure: true },
      );
    },
    timeout,
  );
});
