// Summaries, held against an evaluator that adds up all pages with whole numbers and shares no code with the service.
import { beforeAll, expect, test } from 'vitest';
import { bucketOf } from '../../src/engine/summary/buckets.ts';
import { sqlite } from '../support/databases/databases.ts';
import { isObject, type Json, onEveryDatabase, registryOf, startService } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

/** As many as are wanted, others for another seed. */
const queries = Number(process.env['SUMMARY_QUERIES'] ?? 200);
const seed = Number(process.env['SUMMARY_SEED'] ?? 11);

type Made = Json & { readonly id: string };

/** Chance that comes out the same. */
function chances(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A decimal as a whole number of its `scale`th decimal. */
function unitsOf(value: unknown, scale: number): bigint {
  const [whole = '', decimals = ''] = String(value)
    .replace(/e-(\d+)$/, '')
    .split('.');
  if (/e-/.test(String(value))) return unitsOf(Number(value).toFixed(scale), scale);
  return BigInt(`${whole}${decimals.padEnd(scale, '0')}`);
}

function textOf(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '');
  return units < 0n ? `-${text}` : text;
}

/** Half away from zero. */
function dividedBy(units: bigint, count: bigint): bigint {
  const doubled = 2n * (units < 0n ? -units : units) + count;
  const rounded = doubled / (2n * count);
  return units < 0n ? -rounded : rounded;
}

/** Monday of the week, by another way than the service's. */
function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

const parts: Readonly<Record<string, (day: string) => string>> = {
  day: (day) => day,
  week: mondayOf,
  month: (day) => day.slice(0, 7),
  quarter: (day) => `${day.slice(0, 4)}-Q${1 + Math.floor((Number(day.slice(5, 7)) - 1) / 3)}`,
  year: (day) => day.slice(0, 4),
};

const dimensions = [
  ...['genre', 'shelf', 'label', 'donorId', 'sequelOf', 'statusId', 'moodId', 'source', 'isPaperback', 'isGone'],
  ...['currency', 'code', 'notice', 'publishedOn.month', 'publishedOn.year', 'boughtOn.week', 'boughtOn.quarter'],
  ...['boughtOn.day', 'createdAt.day', 'createdAt.year', 'shelf.parent', 'shelf.label', 'donorId.isActive'],
];
/** Decimals of the numbers; undefined for days and moments. */
const ofRecord: Readonly<Record<string, number | undefined>> = {
  ...{ pages: 0, copies: 0, score: 4, balance: 2, price: 4, shipping: 4, total: 4, discount: 6 },
  ...{ publishedOn: undefined, boughtOn: undefined, createdAt: undefined },
};
const ofChapters = { 'chapters.pages': 0, 'chapters.fee': 4, 'chapters.score': 4 };
const ofCredits = { 'credits.share': 4 };

interface Query {
  readonly by: readonly string[];
  readonly measures: readonly (readonly [kind: string, name: string, scale: number | undefined])[];
  readonly filter: string;
}

onEveryDatabase('summaries', (context) => {
  const zone = 'Pacific/Kiritimati';
  const targets = new Map<string, Json>();
  let filters: string[] = [];

  const summary = async (path: string): Promise<Json> => {
    const { status, body, text } = await send(context, `GET /summary/${path}`);
    if (status !== 200 || !isObject(body)) throw new Error(`/summary/${path} answers ${text}`);
    return body;
  };
  const refused = async (path: string): Promise<unknown> => {
    const { status, body } = await send(context, `GET /summary/${path}`);
    return status === 400 ? body.message : status;
  };

  beforeAll(async () => {
    await context.call('PATCH', '/settings', { timeZoneId: zone, notice: 'Quiet' });
    const pick = chances(4);
    const of = async (group: string, count: number, body: (place: number) => Json = () => ({})): Promise<Made[]> => {
      const made: Made[] = [];
      for (let place = 0; place < count; place += 1) made.push(await context.make(group, body(place)));
      return made;
    };
    const genres = await of('genre', 3);
    const labels = await of('label', 3);
    const readers = await of('reader', 4, (place) => ({ isActive: place % 2 === 0 }));
    const floors = await of('shelf', 2);
    const shelves = await of('shelf', 3, (place) => ({ parentId: floors[place % 2]?.id, labelId: labels[place]?.id }));
    const idOf = (all: readonly Made[]): string | null => all[pick(all.length + 1)]?.id ?? null;
    const books: Made[] = [];
    for (let place = 0; place < 90; place += 1) {
      const isPaperback = pick(2) === 0;
      const price = pick(4) === 0 ? null : pick(1_000_000) / 100;
      const source = ['own', 'shelf', 'library'][pick(3)];
      const body: Json = {
        title: `Book ${pick(20)}`,
        genreId: genres[pick(3)]?.id,
        shelfId: source === 'shelf' ? shelves[pick(3)]?.id : idOf(shelves),
        labelId: source === 'own' ? idOf(labels) : undefined,
        donorId: idOf(readers),
        sequelOfId: pick(3) === 0 ? idOf(books) : null,
        source,
        notice: source === 'own' ? ['', 'loud', 'Loud'][pick(3)] : undefined,
        code: ['', 'a', 'A', 'ä', 'Ä', 'b'][pick(6)],
        moodId: [null, 'grim', 'merry'][pick(3)],
        statusId: 'ordered',
        pages: pick(5) === 0 ? null : 1 + pick(1000),
        copies: pick(7),
        score: pick(3) === 0 ? null : pick(10_001) / 10_000,
        balance: (pick(200_000) - 100_000) / 100,
        price,
        shipping: price === null || pick(2) === 0 ? null : (100 + pick(500)) / 100,
        ...(price === null ? {} : { currency: ['EUR', 'JPY', 'GBP'][pick(3)] }),
        isPaperback,
        ...(isPaperback && { discount: pick(1_000_001) / 1_000_000 }),
        publishedOn: pick(4) === 0 ? null : `20${10 + pick(10)}-${String(1 + pick(12)).padStart(2, '0')}-15`,
        boughtOn: ['2025-12-28', '2025-12-29', '2025-12-31', '2026-01-01', '2026-01-04', '2026-01-05', '2024-02-29'][
          pick(7)
        ],
        markIds: labels.filter(() => pick(2) === 0).map(({ id }) => id),
        chapters: Array.from({ length: pick(4) }, () => ({
          heading: 'x',
          pages: pick(3) === 0 ? null : 1 + pick(50),
          fee: pick(3) === 0 ? null : pick(100_000) / 100,
          score: pick(2) === 0 ? null : pick(10_001) / 10_000,
          translatorId: idOf(readers),
        })),
        credits: readers.filter(() => pick(3) === 0).map(({ id }) => ({ readerId: id, share: pick(10_001) / 10_000 })),
      };
      const whole = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      books.push(await context.make('book', whole));
    }
    for (const [group, path] of [
      ['shelf', 'shelves'],
      ['reader', 'readers'],
    ] as const)
      for (const record of await context.all(group)) targets.set(`${path}/${record.id}`, record);
    filters = [
      ...['', 'isPaperback=true', 'boughtOnAfter=2025-12-28&boughtOnOnBefore=2026-01-04', 'titleContains=ook+1'],
      ...[`genreId=${genres[0]?.id}`, `markId=${labels[0]?.id}`, `translatorId=${readers[1]?.id}`, 'notice=loud'],
      ...[`markId=${labels[1]?.id}&isPaperback=false&boughtOnOnAfter=2025-12-29`, 'titleStartsWith=book+1'],
      ...[`translatorId=${readers[0]?.id}&genreId=${genres[1]?.id}`, 'key=nothing'],
    ];
  }, 120_000);

  /** The value of a dimension in a record as it is shown: `key` tells groups apart. */
  function dimensionIn(record: Json, name: string): { key: string; shown: unknown } {
    const [first = '', second] = name.split('.');
    const value = record[first];
    if (value === null) return { key: 'null', shown: null };
    if (second !== undefined && parts[second] !== undefined) {
      const text = String(value);
      const parted = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date(text));
      const day = parts[second]?.(text.length > 10 ? parted : text);
      return { key: String(day), shown: day };
    }
    const id = isObject(value) ? value['id'] : value;
    if (second !== undefined) {
      const target = targets.get(`${first === 'donorId' ? 'readers' : 'shelves'}/${String(id)}`);
      return target === undefined ? { key: 'null', shown: null } : dimensionIn(target, second);
    }
    if (first === 'donorId')
      return { key: String(id), shown: { id, name: targets.get(`readers/${String(id)}`)?.['name'] } };
    if (isObject(value)) return { key: String(id), shown: { id, name: value['name'] } };
    return { key: String(value).toLowerCase(), shown: value };
  }

  function expected(records: readonly Json[], { by, measures }: Query): Map<string, Json> {
    const [, first = ''] = measures[0] ?? [];
    const list = first.includes('.') ? first.split('.')[0] : undefined;
    const groups = new Map<string, { by: Json; rows: Json[] }>();
    for (const record of records) {
      const values = by.map((name) => [name, dimensionIn(record, name)] as const);
      const key = values.map(([, value]) => value.key).join('|');
      const shown = Object.fromEntries(values.map(([name, value]) => [name, value.shown]));
      const group = groups.get(key) ?? { by: shown, rows: [] };
      const rows = list === undefined ? [record] : (record[list] as Json[]);
      if (rows.length === 0) continue;
      // Texts that differ in case are one group under the least of them.
      for (const [name, value] of Object.entries(shown))
        if (typeof value === 'string' && value < String(group.by[name])) group.by[name] = value;
      group.rows.push(...rows);
      groups.set(key, group);
    }
    if (by.length === 0 && groups.size === 0) groups.set('', { by: {}, rows: [] });
    return new Map([...groups].map(([key, { by: shown, rows }]) => [key, { by: shown, ...addedUp(rows, measures) }]));
  }

  function addedUp(rows: readonly Json[], measures: Query['measures']): Json {
    const result: Record<string, unknown> = { count: rows.length };
    for (const [kind, name, scale] of measures) {
      const values = rows.map((row) => row[name.split('.').at(-1) ?? '']).filter((value) => value !== null);
      const at = (result[kind] ?? {}) as Record<string, unknown>;
      result[kind] = at;
      if (scale === undefined) {
        const sorted = values.map(String).toSorted();
        at[name] = (kind === 'min' ? sorted[0] : sorted.at(-1)) ?? null;
        continue;
      }
      const units = values.map((value) => unitsOf(value, scale)).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const sum = units.reduce((total, each) => total + each, 0n);
      if (kind === 'sum') at[name] = textOf(sum, scale);
      else if (units.length === 0) at[name] = null;
      else if (kind === 'avg') at[name] = textOf(dividedBy(sum * 10_000n, BigInt(units.length)), scale + 4);
      else at[name] = textOf((kind === 'min' ? units[0] : units.at(-1)) ?? 0n, scale);
    }
    return result;
  }

  /** Numbers as texts, so that no digit is lost. */
  const exact = (text: string): Json =>
    JSON.parse(
      text.replaceAll(/("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?)/g, (_all, string, number) => string ?? `"#${number}"`),
    );

  const queryText = ({ by, measures, filter }: Query): string => {
    const kinds = Map.groupBy(measures, ([kind]) => kind);
    const asked = [...kinds].map(([kind, all]) => `${kind}=${all.map(([, name]) => name).join()}`);
    return [
      ...(by.length > 0 ? [`by=${by.join()}`] : []),
      ...asked,
      ...(filter === '' ? [] : [filter]),
      'limit=1000',
    ].join('&');
  };

  test(`equal what a program adds up from all pages, to the last digit, for ${queries} made-up queries`, async () => {
    const pick = chances(seed);
    const pages = new Map<string, Json[]>();
    for (const filter of filters) pages.set(filter, await context.all('book', `&${filter}`));
    let groups = 0;
    for (let place = 0; place < queries; place += 1) {
      const all = [ofRecord, ofRecord, ofChapters, ofCredits][pick(4)] ?? ofRecord;
      const names = Object.entries(all).filter(() => pick(2) === 0);
      const measures = ['sum', 'avg', 'min', 'max'].flatMap((kind) =>
        names
          .filter(([, scale]) => pick(3) === 0 && (scale !== undefined || kind === 'min' || kind === 'max'))
          .map(([name, scale]) => [kind, name, scale] as const),
      );
      const by = [...new Set(Array.from({ length: pick(4) }, () => dimensions[pick(dimensions.length)] ?? 'genre'))];
      const filter = filters[pick(filters.length)] ?? '';
      const query: Query = { by, measures, filter };
      const { text } = await send(context, `GET /summary/books?${queryText(query)}`);
      const body = exact(text);
      const found = (body['results'] as Json[]).map((each) => JSON.stringify(each)).toSorted();
      const wanted = [...expected(pages.get(filter) ?? [], query).values()];
      const numbered = wanted.map(({ by: shown, count, ...rest }) => {
        const marked = Object.fromEntries(
          Object.entries(rest).map(([kind, values]) => [
            kind,
            Object.fromEntries(
              Object.entries(values as Json).map(([name, value]) => {
                const scale = measures.find(([, each]) => each === name)?.[2];
                return [name, value === null || scale === undefined ? value : `#${String(value)}`];
              }),
            ),
          ]),
        );
        return JSON.stringify({ by: shown, count: `#${String(count)}`, ...marked });
      });
      expect(found, queryText(query)).toEqual(numbered.toSorted());
      groups += found.length;
    }
    expect(groups).toBeGreaterThan(queries * 5);
  }, 600_000);

  test('tell moments apart by the days of the workspace, east and west of UTC', async () => {
    const moments = (await context.all('book')).map(({ createdAt }) => new Date(String(createdAt)));
    try {
      for (const timeZone of ['Pacific/Pago_Pago', zone]) {
        await context.call('PATCH', '/settings', { timeZoneId: timeZone });
        const { format } = new Intl.DateTimeFormat('en-CA', { timeZone });
        const days = [...Map.groupBy(moments, format)].toSorted().map(([day, all]) => [day, all.length]);
        const { results } = await summary('books?by=createdAt.day');
        const found = (results as Json[]).map(({ by, count }) => [(by as Json)['createdAt.day'], count]);
        expect(found, timeZone).toEqual(days);
      }
    } finally {
      await context.call('PATCH', '/settings', { timeZoneId: zone });
    }
  });

  test('stand in the order of their groups, null first, or by what they come to', async () => {
    const orderOf = async (query: string): Promise<unknown[]> =>
      ((await summary(`books?${query}`))['results'] as Json[]).map(({ by }) => Object.values(by as Json)[0]);
    expect(await orderOf('by=moodId')).toEqual([null, 'grim', 'merry']);
    expect(await orderOf('by=moodId&order=-by')).toEqual(['merry', 'grim', null]);
    const days = await orderOf('by=boughtOn.week');
    expect(days).toEqual(['2024-02-26', '2025-12-22', '2025-12-29', '2026-01-05']);
    const named = (await orderOf('by=genre')) as Json[];
    expect(named.map(({ name }) => name)).toEqual(named.map(({ name }) => String(name)).toSorted());
    const { results } = await summary('books?by=code&sum=copies&order=-sum.copies&limit=2');
    const all = (await summary('books?by=code&sum=copies'))['results'] as Json[];
    const sums = all.map(({ sum }) => Number((sum as Json)['copies'])).toSorted((a, b) => b - a);
    expect((results as Json[]).map(({ sum }) => (sum as Json)['copies'])).toEqual(sums.slice(0, 2));
    const counted = await summary('books?by=code&order=count&limit=1');
    expect([counted['hasMore'], (counted['results'] as Json[]).length]).toEqual([true, 1]);
    expect(Object.keys(((await summary('books?count=false&sum=pages'))['results'] as Json[])[0] ?? {})).toEqual([
      'by',
      'sum',
    ]);
    expect(await summary('books?key=nothing&sum=pages&max=price')).toEqual({
      results: [{ by: {}, count: 0, sum: { pages: 0 }, max: { price: null } }],
      hasMore: false,
      rows: 0,
    });
  });

  test.each([
    ['by=genrr', "'by' must be fields that records are told apart by; 'genrr' is none; did you mean 'genre'?"],
    [
      'by=boughtOn',
      "'by' must be fields that records are told apart by; 'boughtOn' is none; did you mean 'boughtOn.day'?",
    ],
    ['by=genre,genre', "'by' must be fields that records are told apart by; 'genre' is given twice."],
    ['by=genre,shelf,source,moodId', "'by' must be at most 3 fields."],
    ['by=secret', "'by' must be fields that records are told apart by; 'secret' is none."],
    ['sum=page', "'sum' must be kept numbers of the record; 'page' is none; did you mean 'pages'?"],
    ['sum=boughtOn', "'sum' must be kept numbers of the record; 'boughtOn' is none."],
    ['max=title', "'max' must be kept numbers or dates of the record; 'title' is none."],
    [
      'sum=pages,chapters.pages',
      "'sum' must be fields of the record, or of one list; 'chapters.pages' stands elsewhere.",
    ],
    ['sum=a,b,c,d,e,f,g,h,i,j,k', "'sum' must be at most 10 fields."],
    ['limit=1001', "'limit' must be an integer from 1 to 1000."],
    ['sum=pages&order=sum.copies', "'order' must be one of by, -by, count, -count, sum.pages, -sum.pages."],
    ['count=1', "'count' must be true or false."],
    ['startingAfter=x', "'startingAfter' is not allowed."],
    ['boughtOnAfter=x', "'boughtOnAfter' must be a date (YYYY-MM-DD)."],
  ])('refuse %s', async (query, text) => {
    expect(await refused(`books?${query}`)).toBe(`Parameter ${text}`);
  });

  test('are offered where records can be listed, behind their features', async () => {
    expect(await refused('settings')).toBe(404);
    expect(await refused('nothing')).toBe(404);
    expect((await send(context, 'POST /summary/books')).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    const { features } = (await context.call('GET', '/settings')).body as Json;
    await context.call('PATCH', '/settings', { features: [] });
    expect(await refused('readers')).toBe(403);
    expect(await refused('books?by=donorId.isActive')).toContain("'donorId.isActive' is none");
    expect((await summary('books?by=donorId'))['rows']).toBe(90);
    await context.call('PATCH', '/settings', { features });
  });
});

onEveryDatabase(
  'summaries of money',
  (context) => {
    const ask = async (query: string): Promise<Json> => (await send(context, `GET /summary/jobs?${query}`)).body;
    beforeAll(async () => {
      const euro = (await context.make('customer', { currency: 'EUR' })).id;
      const other = (await context.make('customer', { currency: 'JPY' })).id;
      for (const [customerId, count] of [
        [euro, 2],
        [other, 3],
        [euro, 4],
      ] as const)
        await context.make('job', { customerId, lines: [{ part: 'p', count, cost: 5 }] });
    });

    test('are not added up over currencies', async () => {
      const text = "Parameter 'sum' must be grouped by the currency of 'lines.charge' ('customer.currency').";
      expect((await ask('sum=lines.charge'))['message']).toBe(text);
      expect((await ask('sum=lines.charge&by=statusId'))['message']).toBe(text);
      expect((await ask('sum=lines.cost'))['message']).toBe(
        "Parameter 'sum' must be grouped by the currency of 'lines.cost' ('lines.costCurrency').",
      );
      for (const query of ['by=customer', 'by=customer.currency']) {
        const { results } = await ask(`sum=lines.charge&${query}`);
        expect((results as Json[] | undefined)?.length, query).toBe(2);
      }
      const { results } = await ask('by=customer.currency&sum=lines.count');
      expect(results).toEqual([
        { by: { 'customer.currency': 'EUR' }, count: 2, sum: { 'lines.count': 6 } },
        { by: { 'customer.currency': 'JPY' }, count: 1, sum: { 'lines.count': 3 } },
      ]);
    });
  },
  'garage',
);

onEveryDatabase(
  'summaries of an own currency',
  (context) => {
    test('tell the currencies apart by themselves', async () => {
      const { status, body } = await send(context, 'GET /summary/invoices?sum=total&by=client,statusId');
      const own = registryOf('product').resources.get('invoice')?.byName.get('total')?.currency;
      expect([status, own]).toEqual([200, 'currency']);
      expect(body.results).toEqual([]);
      const projectId = '00000000-0000-7000-8000-000000000000';
      for (const [query, answered] of [
        [`projectId=${projectId}`, 200],
        ['by=project', 200],
        ['by=project.client', 400],
      ] as const)
        expect((await send(context, `GET /summary/project-expenses?sum=total&${query}`)).status, query).toBe(answered);
      const one = await send(context, 'GET /summary/payments?sum=amount');
      expect([one.status, Object.keys(one.body)]).toEqual([200, ['results', 'hasMore', 'rows']]);
    });
  },
  'product',
);

test('are refused where they look at too many records, or tell too many groups apart', async () => {
  const { url, drop } = await sqlite.open();
  const service = await startService('test', url, { summaryRows: 5000 });
  try {
    const ask = async (query: string) => (await send(service, `GET /summary/labels?${query}`)).body;
    for (let first = 0; first < 6000; first += 1000) {
      const operations = Array.from({ length: 1000 }, (_operation, place) => ({
        ...{ method: 'POST', path: '/labels', body: { name: `Label ${first + place}` } },
      }));
      await send(service, 'POST /batch', { body: { operations } });
      if (first === 3000) expect((await ask('count=true')).rows).toBe(4000);
    }
    expect(await ask('count=true')).toEqual({
      status: 400,
      message: 'The summary looks at too many records; narrow it by a filter.',
    });
    expect((await ask('name=Label+1')).rows).toBe(1);
  } finally {
    await service.stop();
    await drop();
  }
}, 60_000);

/** More than two slices. */
const many = 11_000;

onEveryDatabase('summaries of many records', (context) => {
  test('put slices together, whichever index they go along', async () => {
    for (let first = 0; first < many; first += 1000) {
      const operations = Array.from({ length: 1000 }, (_operation, place) => {
        const number = first + place;
        const bornOn = number % 7 === 0 ? null : `19${50 + (number % 40)}-0${1 + (number % 9)}-11`;
        return { method: 'POST', path: '/readers', body: { name: `Name ${number}`, bornOn, isActive: number % 3 > 0 } };
      });
      const { status } = await send(context, 'POST /batch', { body: { operations } });
      expect(status).toBe(200);
    }
    const numbers = Array.from({ length: many }, (_number, place) => place);
    const rowsOf = async (query: string) => (await send(context, `GET /summary/readers?${query}`)).body;
    const active = (some: readonly number[]) =>
      [false, true].map((isActive) => {
        const own = some.filter((number) => number % 3 > 0 === isActive);
        return { by: { isActive }, count: own.length };
      });
    expect((await rowsOf('by=isActive')).results).toEqual(active(numbers));
    const ones = numbers.filter((number) => String(number).startsWith('1'));
    expect((await rowsOf('by=isActive&nameStartsWith=name+1')).results).toEqual(active(ones));
    const sevens = numbers.filter((number) => String(number).includes('7'));
    expect((await rowsOf('by=isActive&nameContains=7')).results).toEqual(active(sevens));
    const born = numbers.filter((number) => number % 7 > 0 && 50 + (number % 40) >= 70);
    const { results, rows } = await rowsOf('by=bornOn.year&bornOnOnAfter=1970-01-01&min=bornOn');
    expect([results.length, rows]).toEqual([20, born.length]);
    // The index of the field holds all that is asked for, of records without a value too.
    const years = await rowsOf('by=bornOn.year&min=bornOn,createdAt&max=createdAt');
    const all = await context.all('reader');
    const wanted = Map.groupBy(all, ({ bornOn }) => (bornOn === null ? null : String(bornOn).slice(0, 4)));
    expect([years.rows, years.results.length]).toEqual([many, wanted.size]);
    for (const { by, count, min, max } of years.results) {
      const own = wanted.get(by['bornOn.year']) ?? [];
      const times = own.map(({ createdAt }) => String(createdAt)).toSorted();
      const days = own.flatMap((reader) => (reader['bornOn'] === null ? [] : String(reader['bornOn']))).toSorted();
      expect([count, min, max]).toEqual([
        own.length,
        { bornOn: days[0] ?? null, createdAt: times[0] },
        { createdAt: times.at(-1) },
      ]);
    }
    expect(await rowsOf('by=isActive&max=createdAt&limit=1')).toMatchObject({ hasMore: true, rows: many });
    // Names are told apart, one group each: too many.
    const full = await rowsOf('by=bornOn.day,bornOn.month,isActive');
    expect(full.rows).toBe(many);
  }, 120_000);
});

test('weeks and months go by the days of the time zone, east and west of UTC', () => {
  const field = registryOf('test').resources.get('book')?.byName.get('createdAt');
  if (field === undefined) throw new Error('a book has no createdAt');
  const of = (part: 'day' | 'week' | 'month' | 'quarter' | 'year', zone: string, moment: string) =>
    bucketOf({ name: '', path: [field], part }, zone)(moment).value;
  const moment = '2025-12-31T20:30:00.000Z';
  expect(of('day', 'Asia/Tokyo', moment)).toBe('2026-01-01');
  expect(of('week', 'Asia/Tokyo', moment)).toBe('2025-12-29');
  expect(of('month', 'Asia/Tokyo', moment)).toBe('2026-01');
  expect(of('quarter', 'America/Lima', moment)).toBe('2025-Q4');
  expect(of('year', 'America/Lima', '2026-01-01T04:59:59.999Z')).toBe('2025');
  expect(of('week', 'America/Lima', '2026-01-05T04:00:00.000Z')).toBe('2025-12-29');
  expect(of('week', 'UTC', '2026-01-05T04:00:00.000Z')).toBe('2026-01-05');
});
