// Lists inside the items of lists, ids of one of several groups, and lists that are the other side of a reference.
import { expect, test } from 'vitest';
import { type Context, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const message = 'There was a problem processing your request. See errors for more details.';
const refused = (...errors: string[]) => ({ status: 400, message, errors });

onEveryDatabase('lists inside lists', (context) => {
  const book = async (body: Json) => {
    const made = await context.make('book', body);
    return { made, path: `/books/${made.id}`, chapters: made['chapters'] as Json[] };
  };
  const read = async (path: string): Promise<Json> => (await context.call('GET', path)).body as Json;
  const patch = async (path: string, body: Json): Promise<unknown> => (await context.call('PATCH', path, body)).body;
  const captions = (record: unknown): unknown =>
    isObject(record) &&
    (record['chapters'] as Json[]).map(({ pictures }) => (pictures as Json[]).map(({ caption }) => caption));

  test('items keep their lists, in order, in a record and in a page', async () => {
    const [artist, frame] = [
      await context.make('reader', { website: 'https://a.example' }),
      await context.make('label'),
    ];
    const pictures = [
      { caption: 'b', price: 1.5, isColoured: true, colours: ['red', 'blue'], frameId: frame.id, artistId: artist.id },
      { caption: 'a' },
    ];
    const { made, path } = await book({
      chapters: [{ heading: 'One', pictures }, { heading: 'Two' }, { heading: 'Three', pictures: [{ caption: 'c' }] }],
    });
    const [one, two, three] = made['chapters'] as Json[];
    expect(one?.['pictures']).toEqual([
      {
        caption: 'b',
        price: 1.5,
        isColoured: true,
        colours: ['red', 'blue'],
        frame: { id: frame.id, name: frame['name'] },
        artist: { id: artist.id, name: artist['name'], isActive: true },
        website: 'https://a.example',
      },
      { caption: 'a', price: null, isColoured: false, colours: [], frame: null, artist: null, website: null },
    ]);
    expect([two?.['pictures'], two?.['origins'], captions({ chapters: [three] })]).toEqual([[], [], [['c']]]);
    expect(await read(path)).toEqual(made);
    const other = await book({ chapters: [{ heading: 'x', pictures: [{ caption: 'd' }] }] });
    const { results } = (await read('/books?limit=2')) as { results: Json[] };
    expect(results).toEqual([other.made, made]);
  });

  test('a sent list replaces those inside it; an update of something else leaves them', async () => {
    const { path, chapters } = await book({
      chapters: [
        { heading: 'One', pictures: [{ caption: 'a' }, { caption: 'b' }] },
        { heading: 'Two', pictures: [{ caption: 'c' }] },
      ],
    });
    expect(captions(await patch(path, { summary: 'New' }))).toEqual([['a', 'b'], ['c']]);
    const before = await read(path);
    const same = chapters.map(({ id, heading, pictures }) => ({
      id,
      heading,
      pictures: (pictures as Json[]).map(({ caption }) => ({ caption })),
    }));
    expect(await patch(path, { chapters: same })).toEqual(before);
    const [one, two] = chapters.map(({ id }) => id);
    const turned = await patch(path, {
      chapters: [
        { id: two, heading: 'Two', pictures: [{ caption: 'e' }] },
        { id: one, heading: 'One', pictures: null },
      ],
    });
    expect(captions(turned)).toEqual([['e'], []]);
    expect(isObject(turned) && (turned['chapters'] as Json[]).map(({ id }) => id)).toEqual([two, one]);
    expect(captions(await read(path))).toEqual([['e'], []]);
    expect(Date.parse(String((await read(path))['modifiedAt']))).toBeGreaterThan(
      Date.parse(String(before['modifiedAt'])),
    );
    expect(captions(await patch(path, { chapters: null }))).toEqual([]);
  });

  test('names the place of everything that is wrong, in the order of the record', async () => {
    const pictures = [
      { caption: 'a', price: -1, frameId: unknownId },
      { caption: 7, isColoured: 'no', colours: ['red', 'red'], website: 'https://a.example', zzz: 1 },
      'x',
      {},
      { caption: 'b', colours: ['red'] },
    ];
    const body = await context.bodyOf('book', { title: 7, chapters: [{ heading: 'One' }, { pictures, pages: 0 }] });
    expect((await context.call('POST', '/books', body)).body).toEqual(
      refused(
        "'title' must be a string",
        "'chapters[1].heading' is required",
        "'chapters[1].pages' must be from 1 to 9007199254740991",
        "'chapters[1].pictures[0].price' must be at least 0",
        "'chapters[1].pictures[0].frameId' does not refer to an existing Label",
        "'chapters[1].pictures[1].caption' must be a string",
        "'chapters[1].pictures[1].isColoured' must be a boolean",
        "'chapters[1].pictures[1].colours' must be without duplicates",
        "'chapters[1].pictures[1].website' is not allowed",
        "'chapters[1].pictures[1].zzz' is not allowed",
        "'chapters[1].pictures[2]' must be an object",
        "'chapters[1].pictures[3].caption' is required",
        "'chapters[1].pictures[4].colours' is not allowed",
      ),
    );
    const faulty = async (chapter: Json) =>
      (await context.call('POST', '/books', await context.bodyOf('book', { chapters: [{ heading: 'x', ...chapter }] })))
        .body;
    expect(
      await faulty({
        pictures: [
          { caption: 'a', frameId: unknownId },
          { caption: 'b', artistId: unknownId },
        ],
      }),
    ).toEqual(
      refused(
        "'chapters[0].pictures[0].frameId' does not refer to an existing Label",
        "'chapters[0].pictures[1].artistId' does not refer to an existing Reader",
      ),
    );
    expect(await faulty({ pictures: [{ caption: 'a', colours: ['red'] }] })).toEqual(
      refused("'chapters[0].pictures[0].colours' is not allowed"),
    );
    const many = Array.from({ length: 21 }, () => ({ caption: 'a' }));
    expect(await faulty({ pictures: many })).toEqual(refused("'chapters[0].pictures' must be at most 20 items"));
    expect(await faulty({ pictures: {} })).toEqual(refused("'chapters[0].pictures' must be an array"));
  });

  test('many items of many items are all kept', async () => {
    const chapters = Array.from({ length: 70 }, (_value, index) => ({
      heading: `${index}`,
      pictures: Array.from({ length: index % 4 }, (_none, place) => ({ caption: `${index}.${place}` })),
    }));
    const { made, path } = await book({ chapters });
    const expected = chapters.map(({ pictures }) => pictures.map(({ caption }) => caption));
    expect([captions(made), captions(await read(path))]).toEqual([expected, expected]);
  });

  test('so many items inside all items together, and no more', async () => {
    const pictures = Array.from({ length: 20 }, () => ({ caption: 'a' }));
    const chapters = (count: number) => Array.from({ length: count }, () => ({ heading: 'x', pictures }));
    const { path } = await book({ chapters: chapters(50) });
    const tooMany = refused("'chapters' must have at most 1000 pictures in all");
    expect(await patch(path, { chapters: [...chapters(50), { heading: 'y', pictures: [{ caption: 'b' }] }] })).toEqual(
      tooMany,
    );
    expect((await context.call('POST', '/books', { title: 'x', chapters: chapters(51) })).body).toMatchObject({
      errors: expect.arrayContaining(tooMany.errors),
    });
    expect(captions(await read(path))).toHaveLength(50);
  });

  test('an id of one of several groups is looked up in the group beside it', async () => {
    const [reader, label, shelf] = [
      await context.make('reader'),
      await context.make('label'),
      await context.make('shelf'),
    ];
    const origins = [
      { typeId: 'a_label', id: label.id },
      { typeId: 'a_reader', id: reader.id },
      { typeId: 'a_shelf', id: shelf.id },
    ];
    const { made, path } = await book({ chapters: [{ heading: 'x', origins }] });
    expect((made['chapters'] as Json[])[0]?.['origins']).toEqual(origins);
    const set = (...wanted: unknown[]) => patch(path, { chapters: [{ heading: 'x', origins: wanted }] });
    expect(await set({ typeId: 'a_label', id: reader.id })).toEqual(
      refused("'chapters[0].origins[0].id' does not refer to an existing Label"),
    );
    expect(await set({ typeId: 'a_reader' }, { id: label.id }, { typeId: 'nobody', id: 'x' })).toEqual(
      refused(
        "'chapters[0].origins[0].id' is required",
        "'chapters[0].origins[1].typeId' is required",
        "'chapters[0].origins[2].typeId' must be one of a_reader, a_label, a_shelf",
        "'chapters[0].origins[2].id' must be a UUID",
      ),
    );
    expect(await set({ typeId: 'a_label', id: label.id }, { typeId: 'a_label', id: label.id.toUpperCase() })).toEqual(
      refused("'chapters[0].origins' must be without duplicates"),
    );
    expect(await read(path)).toEqual(made);
  });

  test('deletes take out items inside, and items with all that is inside them', async () => {
    const [reader, other] = [await context.make('reader'), await context.make('reader')];
    const label = await context.make('label');
    const inside = (name: string, artistId: string) => [
      { caption: `${name}1`, artistId },
      { caption: `${name}2`, artistId: other.id },
    ];
    const { path } = await book({
      chapters: [
        {
          heading: 'One',
          translatorId: reader.id,
          pictures: inside('a', reader.id),
          origins: [{ typeId: 'a_label', id: label.id }],
        },
        {
          heading: 'Two',
          translatorId: other.id,
          pictures: inside('b', other.id),
          origins: [{ typeId: 'a_label', id: label.id }],
        },
        { heading: 'Three', pictures: inside('c', reader.id), origins: [{ typeId: 'a_reader', id: reader.id }] },
      ],
    });
    expect((await context.call('DELETE', `/readers/${reader.id}`)).status).toBe(204);
    const left = await read(path);
    expect([captions(left), (left['chapters'] as Json[]).map(({ origins }) => (origins as Json[]).length)]).toEqual([
      [['b1', 'b2'], ['c2']],
      [1, 0],
    ]);
    expect((await context.call('DELETE', `/labels/${label.id}`)).status).toBe(204);
    expect((await context.call('DELETE', `/readers/${other.id}`)).status).toBe(204);
    expect(captions(await read(path))).toEqual([[]]);
    // New items stand in the same places.
    const filled = [
      { heading: 'a', pictures: [{ caption: 'x' }] },
      { heading: 'b', pictures: [{ caption: 'y' }] },
    ];
    expect(captions(await patch(path, { chapters: filled }))).toEqual([['x'], ['y']]);
    expect((await context.call('DELETE', path)).status).toBe(204);
  });

  test('what is inside an item that goes holds nothing any more', async () => {
    const [reader, frame] = [await context.make('reader'), await context.make('label')];
    const pictures = [{ caption: 'a', frameId: frame.id }];
    await book({ chapters: [{ heading: 'One' }, { heading: 'Two', translatorId: reader.id, pictures }] });
    const held = await context.call('DELETE', `/labels/${frame.id}`);
    const message = 'The Label is in use and cannot be deleted.';
    expect(held.body).toEqual({ status: 409, message, usedBy: [{ group: 'books', count: 1 }] });
    expect((await context.call('DELETE', `/readers/${reader.id}`)).status).toBe(204);
    expect((await context.call('DELETE', `/labels/${frame.id}`)).status).toBe(204);
  });

  test('a restricting reference inside an item holds its record', async () => {
    const frame = await context.make('label');
    const { path } = await book({ chapters: [{ heading: 'x', pictures: [{ caption: 'a', frameId: frame.id }] }] });
    expect((await context.call('DELETE', `/labels/${frame.id}`)).body).toEqual({
      status: 409,
      message: 'The Label is in use and cannot be deleted.',
      usedBy: [{ group: 'books', count: 1 }],
    });
    await patch(path, { chapters: [{ heading: 'x' }] });
    expect((await context.call('DELETE', `/labels/${frame.id}`)).status).toBe(204);
  });
});

onEveryDatabase('the other side of a reference as objects', (context: Context) => {
  test('shows fields of the records that name this one, sorted, and takes none in a body', async () => {
    const shelf = await context.make('shelf');
    const on = (title: string, more: Json = {}) => context.make('book', { title, shelfId: shelf.id, ...more });
    const [c, a, twin] = [await on('C', { price: 2, shipping: 0.5 }), await on('A', { notice: 'Old' }), await on('A')];
    await context.make('book', { title: 'B' });
    const shown = async (): Promise<unknown> =>
      ((await context.call('GET', `/shelves/${shelf.id}`)).body as Json)['stock'];
    expect(await shown()).toEqual([
      { id: a.id, title: 'A', notice: 'Old', total: null },
      { id: twin.id, title: 'A', notice: '', total: null },
      { id: c.id, title: 'C', notice: '', total: 2.5 },
    ]);
    const page = (await context.call('GET', '/shelves?limit=1')).body as { results: Json[] };
    expect(page.results[0]?.['stock']).toEqual(await shown());
    // The value as its own record shows it.
    await context.call('PATCH', `/shelves/${shelf.id}`, { notice: 'Upstairs' });
    await context.call('PATCH', `/books/${c.id}`, { source: 'shelf', title: '0' });
    expect((await shown()) as Json[]).toMatchObject([{ id: c.id, title: '0', notice: 'Upstairs' }, {}, {}]);
    await context.call('PATCH', `/books/${twin.id}`, { shelfId: null });
    await context.call('DELETE', `/books/${a.id}`);
    expect((await shown()) as Json[]).toMatchObject([{ id: c.id }]);
    expect((await context.call('PATCH', `/shelves/${shelf.id}`, { stock: [] })).body).toEqual(
      refused("'stock' is not allowed"),
    );
  });
});
