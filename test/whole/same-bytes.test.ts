// The same random requests on each database: every answer is the same, but for ids and times.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Field, Resource } from '../../src/registry/model/model.ts';
import { nastyText } from '../support/data/nasty.ts';
import { type Context, isObject, type Json, startEach } from '../support/service/praxis.ts';

const timeout = 60_000;

/** A request as a random sequence has it: ids by the place of their record among those made so far. */
interface Request {
  readonly kind: 'create' | 'update' | 'delete' | 'get' | 'list';
  readonly group: string;
  readonly place: number;
  readonly body: Json;
  readonly query: string;
}

const groups = ['label', 'genre', 'shelf', 'reader', 'book', 'loan', 'rate'];
const computed = 'exchange';
const currency = fc.constantFrom('EUR', 'USD', 'GBP', 'JPY');
const day = fc.integer({ min: 1, max: 28 }).map((n) => `2024-02-${String(n).padStart(2, '0')}`);
const ref = fc.integer({ min: 0, max: 11 }).map((place) => ({ $place: place }));
const amount = fc.integer({ min: -10, max: 100_000 }).map((n) => n / 1000);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 6 });
const bodies: Record<string, fc.Arbitrary<Json>> = {
  label: fc.record({ name: nastyText, isActive: fc.boolean() }, { requiredKeys: ['name'] }),
  genre: fc.record({ name: nastyText }),
  shelf: fc.record(
    {
      name: nastyText,
      floor: fc.integer({ min: -3, max: 13 }),
      notice: nastyText,
      parentId: maybe(ref),
      labelId: maybe(ref),
      genreIds: fc.uniqueArray(ref, { maxLength: 2 }),
    },
    { requiredKeys: ['name'] },
  ),
  reader: fc.record(
    {
      name: nastyText,
      email: maybe(fc.constantFrom('a@b.c', 'A@B.C', 'd@e.f')),
      bornOn: maybe(day),
      guardianId: maybe(ref),
    },
    { requiredKeys: ['name'] },
  ),
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
      chapters: fc.array(
        fc.record(
          {
            heading: nastyText,
            isFree: fc.boolean(),
            note: maybe(nastyText),
            fee: maybe(amount),
            translatorId: maybe(ref),
            pictures: fc.array(
              fc.record(
                {
                  caption: nastyText,
                  price: maybe(amount),
                  isColoured: fc.boolean(),
                  colours: fc.array(nastyText, { maxLength: 2 }),
                  frameId: maybe(ref),
                  artistId: maybe(ref),
                },
                { requiredKeys: ['caption'] },
              ),
              { maxLength: 3 },
            ),
            origins: fc.array(
              fc
                .constantFrom('reader', 'label', 'shelf')
                .map((group) => ({ typeId: `a_${group}`, id: { $place: 0, $of: group } })),
              { maxLength: 2 },
            ),
          },
          { requiredKeys: ['heading'] },
        ),
        { maxLength: 3 },
      ),
      credits: fc.array(fc.record({ readerId: ref, share: amount }, { requiredKeys: ['readerId'] }), { maxLength: 2 }),
    },
    { requiredKeys: ['title', 'genreId'] },
  ),
  loan: fc.record(
    {
      start: day,
      end: maybe(day),
      isClosed: fc.boolean(),
      fee: amount,
      deposit: maybe(amount),
      bookId: ref,
      readerId: ref,
      witnessId: maybe(ref),
    },
    { requiredKeys: ['start', 'fee', 'bookId', 'readerId'] },
  ),
  rate: fc.record({
    fromCurrency: currency,
    toCurrency: currency,
    start: day,
    end: day,
    rate: fc.oneof(
      amount,
      fc.integer({ min: 1, max: 1_000_000_000 }).map((n) => n / 100_000_000),
    ),
  }),
};
const queries: Record<string, fc.Arbitrary<string>> = {
  label: fc.constantFrom('', '&isActive=true', '&name=a'),
  genre: fc.constantFrom('', '&name=Novel'),
  shelf: fc.constantFrom('', '&floor=1', '&name=a'),
  reader: nastyText.chain((text) =>
    fc.constantFrom(
      '',
      `&nameContains=${encodeURIComponent(text)}`,
      `&nameStartsWith=${encodeURIComponent(text)}`,
      '&emailEndsWith=c',
      '&bornOnAfter=2024-02-10',
    ),
  ),
  book: nastyText.chain((text) =>
    fc.constantFrom(
      '',
      '&statusId=ordered',
      `&titleEndsWith=${encodeURIComponent(text)}`,
      '&boughtOnOnBefore=2024-02-14',
      '&number=3',
      '&isPaperback=true',
      `&notice=${encodeURIComponent(text)}`,
    ),
  ),
  loan: fc.constantFrom('', '&isClosed=false', '&startBefore=2024-02-20'),
  rate: fc.constantFrom('', '&toCurrency=EUR', '&startAfter=2024-02-10'),
};
/** Questions to a computed record, wrong ones among them. */
const questions = fc
  .tuple(fc.constantFrom('', 'currency=USD', 'currency=GBP', 'currency=JPY', 'currency=eur'), fc.option(day))
  .map(([from, date]) => [from, ...(date === null ? [] : [`day=${date}`])].filter((part) => part !== '').join('&'));
const question = questions.map(
  (query): Request => ({ kind: 'get', group: computed, place: 0, body: {}, query: query === '' ? '' : `?${query}` }),
);
const ofRecords = fc.constantFrom(...groups).chain(
  (group): fc.Arbitrary<Request> =>
    fc.record({
      kind: fc.constantFrom('create', 'create', 'create', 'update', 'update', 'delete', 'get', 'list'),
      group: fc.constant(group),
      place: fc.nat(11),
      body: bodies[group] ?? fc.constant({}),
      query: fc
        .tuple(queries[group] ?? fc.constant(''), fc.constantFrom(1, 3, 100))
        .map(([filter, limit]) => `?limit=${limit}${filter}`),
    }),
);
const requests = fc.oneof({ arbitrary: ofRecords, weight: 9 }, { arbitrary: question, weight: 1 });

/** Records for the random requests to meet: two of each group, those that refer after those referred to. */
const beginningOf = (mark: number): Request[] =>
  groups.flatMap((group) =>
    [0, 1].map((place) => {
      const name = `Beginning \u{1F600} ${mark} ${place}`;
      const needed: Record<string, Json> = {
        book: { title: name, genreId: { $place: place } },
        loan: { start: '2024-02-01', fee: 1.5, bookId: { $place: place }, readerId: { $place: 0 } },
        rate: {
          ...{ fromCurrency: place === 0 ? 'USD' : 'EUR', toCurrency: place === 0 ? 'EUR' : 'JPY' },
          ...{ start: '2024-01-01', end: '2024-02-20', rate: 0.9 + mark / 1_000_000 },
        },
      };
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
    if (typeof body['$place'] === 'number') return idOf(String(body['$of'] ?? targetOf(resource, key)), body['$place']);
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, filled(resource, value, name)]));
  };
  const answers: string[] = [];
  for (const { kind, group, place, body, query } of sequence) {
    const resource = context.resource(group);
    const id = idOf(group, place);
    const sent =
      kind === 'create' || kind === 'update'
        ? filled(resource, kind === 'update' ? Object.fromEntries(Object.entries(body).slice(-3)) : body)
        : undefined;
    const method = { create: 'POST', update: 'PATCH', delete: 'DELETE', get: 'GET', list: 'GET' }[kind];
    const path =
      kind === 'create'
        ? resource.path
        : kind === 'list' || resource.singleton
          ? `${resource.path}${query}`
          : `${resource.path}/${id}`;
    const answer = await context.call(method, path, sent);
    if (kind === 'create' && answer.status === 200 && isObject(answer.body))
      made.set(group, [...(made.get(group) ?? []), String(answer.body['id'])]);
    answers.push(
      `${method} ${plain(path)} ${plain(JSON.stringify(sent) ?? '')} → ${answer.status} ${plain(answer.text)}`,
    );
  }
  return answers;
}

/** The group that a key of a body refers to, in the record or in the items of its lists. */
function targetOf(resource: Resource, key: string): string {
  const withItems = (fields: readonly Field[]): Field[] =>
    fields.flatMap((field) => (field.kind === 'objects' ? [...withItems(field.fields), field] : [field]));
  const field = withItems(resource.fields).find((each) => each.key === key);
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
        fc.asyncProperty(
          fc.array(requests, { minLength: 50, maxLength: 100, size: 'max' }),
          fc.nat(),
          async (random, mark) => {
            const sequence = [...beginningOf(mark), ...random];
            const [first, ...others] = await Promise.all(services.map((service) => play(service, sequence)));
            for (const other of others) expect(other).toEqual(first);
          },
        ),
        { numRuns: 12, endOnFailure: true },
      );
    },
    timeout,
  );
});
