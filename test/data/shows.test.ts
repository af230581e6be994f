// `expand` and `fields`: what is shown in place of references, and of records, held against the records by themselves.
import { beforeAll, expect, test } from 'vitest';
import { Project } from '../support/commands/project.ts';
import { type Context, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

type Named = Json & { readonly id: string };

const read = async ({ call }: Context, path: string): Promise<Json> => {
  const { status, body, text } = await call('GET', path);
  if (status !== 200 || !isObject(body)) throw new Error(`GET ${path} answers ${text}`);
  return body;
};
const refused = async ({ call }: Context, path: string): Promise<unknown> => {
  const { status, body } = await call('GET', path);
  expect(status).toBe(400);
  return isObject(body) && body['message'];
};

onEveryDatabase('expand and fields', (context) => {
  const made: Record<string, Named> = {};
  const shown = (name: string, path: string): Promise<Json> => read(context, `/${path}/${made[name]?.id}`);

  beforeAll(async () => {
    made['guardian'] = await context.make('reader', { name: 'Gwen' });
    made['artist'] = await context.make('reader', { name: 'Ada', guardianId: made['guardian'].id });
    made['genre'] = await context.make('genre');
    made['label'] = await context.make('label');
    made['other'] = await context.make('label');
    made['shelf'] = await context.make('shelf', { labelId: made['label'].id });
    made['first'] = await context.make('book', { genreId: made['genre'].id, title: 'First' });
    const picture = { caption: 'p', artistId: made['artist'].id };
    made['book'] = await context.make('book', {
      title: 'Second',
      genreId: made['genre'].id,
      shelfId: made['shelf'].id,
      donorId: made['artist'].id,
      sequelOfId: made['first'].id,
      markIds: [made['label'].id, made['other'].id],
      chapters: [
        { heading: 'One', translatorId: made['artist'].id, pictures: [picture, { caption: 'q' }] },
        { heading: 'Two' },
      ],
      credits: [{ readerId: made['guardian'].id, share: 0.5 }],
    });
    made['loan'] = await context.make('loan', { bookId: made['book'].id, readerId: made['artist'].id });
  }, 60_000);

  test('a record stands in place of each reference, as its own get shows it', async () => {
    const path = `/books/${made['book']?.id}`;
    const plain = await read(context, path);
    const [genre, shelf, artist, guardian, first, label, other] = await Promise.all([
      shown('genre', 'genres'),
      shown('shelf', 'shelves'),
      shown('artist', 'readers'),
      shown('guardian', 'readers'),
      shown('first', 'books'),
      shown('label', 'labels'),
      shown('other', 'labels'),
    ]);
    const named = ({ id, ...rest }: Json, name: unknown): Json =>
      'name' in rest ? { id, ...rest } : { id, name, ...rest };
    const paths =
      'genre,shelf,donorId,sequelOf,marks,chapters.translator.guardian,chapters.pictures.artist,credits.readerId';
    const [one, two] = plain['chapters'] as Json[];
    const [p, q] = (one?.['pictures'] ?? []) as Json[];
    const expected = {
      ...plain,
      genre: named(genre, (plain['genre'] as Json)['name']),
      shelf: named(shelf, (plain['shelf'] as Json)['name']),
      donorId: artist,
      sequelOf: named(first, 'First'),
      marks: [named(label, label['name']), named(other, other['name'])],
      chapters: [{ ...one, translator: { ...artist, guardian }, pictures: [{ ...p, artist }, q] }, two],
      credits: [{ ...(plain['credits'] as Json[])[0], readerId: guardian }],
    };
    const found = await read(context, `${path}?expand=${paths}`);
    expect(found).toEqual(expected);
    // Members stand in the order of the record.
    expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
    const list = await read(context, `/books?limit=1&expand=${paths}`);
    expect((list['results'] as Json[])[0]).toEqual(expected);
    const operations = [{ method: 'GET', path: `${path}?expand=${paths}` }];
    const batch = await send(context, 'POST /batch', { body: { operations } });
    expect((batch.body as { results: Json[] }).results[0]?.['body']).toEqual(expected);
  });

  test('references that are read through another record, and null, expand too', async () => {
    const path = `/loans/${made['loan']?.id}`;
    const plain = await read(context, path);
    const genre = await shown('genre', 'genres');
    const found = await read(context, `${path}?expand=genre,witness,book.genre`);
    expect(found['genre']).toEqual(genre);
    expect(found['witness']).toBe(null);
    expect((found['book'] as Json)['genre']).toEqual(genre);
    expect((found['book'] as Json)['name']).toBe((plain['book'] as Json)['name']);
  });

  test('fields leave out all else, in the order of the record, and their statements', async () => {
    const path = `/books/${made['book']?.id}`;
    const plain = await read(context, path);
    expect(await read(context, `${path}?fields=title`)).toEqual({ id: plain['id'], title: 'Second' });
    const some = await read(
      context,
      `${path}?fields=title,key,measures,shelf.floor,chapters.heading,chapters.pictures.artist.name`,
    );
    expect(Object.keys(some)).toEqual(Object.keys(plain).filter((name) => name in some));
    expect(some['shelf']).toEqual({ id: made['shelf']?.id, floor: (plain['shelf'] as Json)['floor'] });
    expect(some['chapters']).toEqual([
      { heading: 'One', pictures: [{ artist: { id: made['artist']?.id, name: 'Ada' } }, { artist: null }] },
      { heading: 'Two', pictures: [] },
    ]);
    const inside = await read(context, `${path}?expand=sequelOf,genre&fields=sequelOf.title,sequelOf.name,title`);
    expect(inside).toEqual({
      id: plain['id'],
      title: 'Second',
      sequelOf: { id: made['first']?.id, name: 'First', title: 'First' },
    });
    // What is asked for as a whole is whole, whatever parts of it are named besides.
    for (const part of ['heading', 'pictures.caption'])
      expect((await read(context, `${path}?fields=chapters.${part},chapters`))['chapters']).toEqual(plain['chapters']);
    const readsOf = async (query: string): Promise<number> => {
      const before = context.reads.length;
      await read(context, `${path}?${query}`);
      return context.reads.length - before;
    };
    const whole = await readsOf('expand=genre');
    expect(await readsOf('fields=title')).toBe(1);
    expect(await readsOf('fields=title,credits')).toBe(2);
    expect(whole).toBeGreaterThan(6);
  });

  test('the tag is of what is shown, and If-Match looks at the version alone', async () => {
    const path = `/books/${made['book']?.id}`;
    const tagOf = async (query: string) => String((await send(context, `GET ${path}?${query}`)).headers.get('etag'));
    const before = await tagOf('expand=donorId');
    expect(await tagOf('expand=donorId')).toBe(before);
    await context.call('PATCH', `/readers/${made['artist']?.id}`, { website: 'https://b.example' });
    const after = await tagOf('expand=donorId');
    expect(after).not.toBe(before);
    expect(after.split('-')[0]).toBe(before.split('-')[0]);
    const known = await send(context, `GET ${path}?expand=donorId`, { headers: { 'If-None-Match': after } });
    expect(known.status).toBe(304);
    const written = await send(context, `PATCH ${path}`, { body: { subtitle: 'x' }, headers: { 'If-Match': before } });
    expect(written.status).toBe(200);
  });

  test('a page of 100 takes as many statements as one of 10', async () => {
    const genres = await Promise.all(Array.from({ length: 12 }, () => context.make('genre')));
    for (let place = 0; place < 108; place += 1)
      await context.make('book', {
        genreId: genres[place % 12]?.id,
        markIds: [made['label']?.id],
        donorId: made['artist']?.id,
      });
    const readsOf = async (query: string): Promise<number> => {
      const before = context.reads.length;
      await read(context, `/books?${query}`);
      return context.reads.length - before;
    };
    const paths = 'expand=genre,marks,donorId.guardian';
    const ten = await readsOf(`limit=10&${paths}`);
    expect(await readsOf(`limit=100&${paths}`)).toBe(ten);
    // The page and its lists, the genres, the labels, the readers, the guardians.
    expect(ten).toBeLessThan((await readsOf('limit=10&expand=genre')) + 5);
  }, 60_000);

  test('a page that shows 1,000 others ends early, and one record with more is refused', async () => {
    const pictures = Array.from({ length: 20 }, () => ({ caption: 'p', artistId: made['artist']?.id }));
    const of = (count: number) => Array.from({ length: count }, () => ({ heading: 'x', pictures }));
    const ids: string[] = [];
    for (const chapters of [10, 10, 10, 30])
      ids.unshift((await context.make('book', { genreId: made['genre']?.id, chapters: of(chapters) })).id);
    const path = '/books?expand=chapters.pictures.artist.guardian&fields=chapters.pictures.artist.guardian';
    expect(await refused(context, `${path}&limit=5`)).toBe("Parameter 'expand' shows too many records.");
    expect(await refused(context, `/books/${ids[0]}?expand=chapters.pictures.artist.guardian`)).toBe(
      "Parameter 'expand' shows too many records.",
    );
    const page = await read(context, `${path}&limit=5&startingAfter=${ids[0]}`);
    expect((page['results'] as Named[]).map(({ id }) => id)).toEqual(ids.slice(1, 3));
    expect(page['hasMore']).toBe(true);
    const back = await read(context, `${path}&limit=5&endingBefore=${ids[3]}`);
    expect((back['results'] as Named[]).map(({ id }) => id)).toEqual(ids.slice(1, 3));
  }, 60_000);

  test('groups behind a feature that is off stay references', async () => {
    const path = `/books/${made['book']?.id}`;
    const { features } = await read(context, '/settings');
    await context.call('PATCH', '/settings', { features: [] });
    const found = await read(context, `${path}?expand=donorId,genre&fields=donorId,genre`);
    await context.call('PATCH', '/settings', { features });
    expect(found['donorId']).toBe(made['artist']?.id);
    expect(Object.keys(found['genre'] as Json).length).toBeGreaterThan(2);
  });

  test.each([
    ['expand=gnre', "'expand' must be references of the record; 'gnre' is none; did you mean 'genre'?"],
    ['expand=', "'expand' must be references of the record; '' is none."],
    ['expand=title', "'expand' must be references of the record; 'title' is none."],
    [
      'expand=chapters',
      "'expand' must be references of the record; 'chapters' is none; did you mean 'chapters.translator'?",
    ],
    [
      'expand=chapters.translater',
      "'expand' must be references of the record; 'chapters.translater' is none; did you mean 'chapters.translator'?",
    ],
    ['expand=genre,genre', "'expand' must be references of the record; 'genre' is given twice."],
    ['expand=sequelOf.sequelOf.sequelOf.sequelOf', "'expand' must be at most 3 references deep."],
    ['expand=a,b,c,d,e,f,g,h,i,j,k', "'expand' must be at most 10 paths."],
    ['fields=', "'fields' must be fields of the record; '' is none."],
    ['fields=titel', "'fields' must be fields of the record; 'titel' is none; did you mean 'title'?"],
    ['fields=secret', "'fields' must be fields of the record; 'secret' is none."],
    ['fields=title,title', "'fields' must be fields of the record; 'title' is given twice."],
    ['fields=genre.position', "'fields' must be fields of the record; 'genre' is not expanded."],
    ['fields=donorId.name', "'fields' must be fields of the record; 'donorId' is not expanded."],
    ['fields=title.length', "'fields' must be fields of the record; 'title.length' is none."],
    ['fields=wrong&expand=wrong', "'fields' must be fields of the record; 'wrong' is none."],
    ['expand=wrong&fields=wrong', "'expand' must be references of the record; 'wrong' is none."],
  ])('refuses %s', async (query, text) => {
    for (const path of ['/books', `/books/${made['book']?.id}`])
      expect(await refused(context, `${path}?${query}`)).toBe(`Parameter ${text}`);
  });

  test('writes take neither, and a repeated one is a list', async () => {
    const sent = await context.call('POST', '/genres?fields=name', { name: 'x' });
    expect((sent.body as Json)['message']).toBe("Parameter 'fields' is not allowed.");
    const read = async (query: string) => (await context.call('GET', `/books?${query}`)).body;
    expect(await read('expand=genre&expand=shelf')).toEqual(await read('expand=genre,shelf'));
  });
});

onEveryDatabase(
  'figures that are taken at read',
  (context) => {
    test('show records whole where their references are expanded, and are not taken where nobody asks', async () => {
      const client = await context.make('client');
      const bill = await context.make('bill', { clientId: client.id, lines: [{ work: 'w', amount: 100 }] });
      const payment = await context.make('payment', { parts: [{ billId: bill.id, amount: 40 }] });
      const shown = await read(context, `/payments/${payment.id}`);
      const plain = await read(context, `/bills/${bill.id}`);
      const found = await read(context, `/bills/${bill.id}?expand=client,payments.payment,payments.by`);
      const [item] = plain['payments'] as Json[];
      const { name } = (item?.['payment'] ?? {}) as Json;
      const { id, ...rest } = shown;
      const whole = 'name' in shown ? shown : { id, name, ...rest };
      expect(found['payments']).toEqual([{ ...item, payment: whole, by: whole }]);
      const some = await read(context, `/bills/${bill.id}?fields=paid,payments.amount`);
      expect(some).toEqual({ id: bill.id, paid: 40, payments: [{ amount: 40 }] });
      const before = context.reads.length;
      await read(context, `/bills/${bill.id}?fields=dueOn`);
      expect(context.reads.length - before).toBe(1);
    });
  },
  'atRead',
);

test('a record that shows more text than an answer may hold is refused, however few others that are', async () => {
  const project = await Project.open('SQLite');
  try {
    const name = { type: 'string', maxLength: 40 };
    const page = { reference: 'page', onDelete: 'restrict' };
    const marks = { type: 'array', maxItems: 500, items: { type: 'object', properties: { page } } };
    project.describe({
      page: { properties: { name, text: { type: 'string', maxLength: 20_000 } } },
      reader: { properties: { name, marks } },
    });
    await project.serve(async (call) => {
      const make = async (path: string, body: Json): Promise<unknown> =>
        ((await call('POST', path, body)).body as Json)['id'];
      const pageId = await make('/pages', { name: 'Long', text: 'x'.repeat(20_000) });
      const shownTo = async (count: number) => {
        const id = await make('/readers', { name: 'Ada', marks: Array.from({ length: count }, () => ({ pageId })) });
        return call('GET', `/readers/${id}?expand=marks.page`);
      };
      expect(Object((await shownTo(400)).body).marks).toHaveLength(400);
      expect(await shownTo(430)).toMatchObject({
        ...{ status: 400, body: { message: "Parameter 'expand' shows too many records." } },
      });
    });
  } finally {
    await project.close();
  }
});
