// What the keywords of a descriptor promise, on groups that use each of them: apart from the groups of the product.
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { type Context, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const general = 'There was a problem processing your request. See errors for more details.';

// Ids go on from the greatest time that there was: the files that come after this one in the same process begin anew.
afterAll(() => void vi.resetModules());

onEveryDatabase('keywords', (context) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const patch = async (path: string, body: Json): Promise<Json> => {
    const answer = await context.call('PATCH', path, body);
    return isObject(answer.body) ? answer.body : {};
  };
  const book = async (overrides: Json = {}): Promise<{ path: string; made: Json }> => {
    const made = await context.make('book', overrides);
    return { path: `/books/${made.id}`, made };
  };
  const refused = (...errors: string[]) => ({ status: 400, message: general, errors });
  const readOnly = (title: string) => ({ status: 409, message: `The ${title} is read-only.` });

  test('transitions: lets a value go where the descriptor says, and stay', async () => {
    const { path } = await book();
    expect(await patch(path, { statusId: 'lost' })).toEqual(
      refused("'statusId' cannot change from 'ordered' to 'lost'"),
    );
    for (const statusId of ['ordered', 'present', 'lost', 'present', 'sold', 'sold'])
      expect((await patch(path, { statusId }))['statusId']).toBe(statusId);
    expect(await patch(path, { statusId: 'ordered' })).toEqual(
      refused("'statusId' cannot change from 'sold' to 'ordered'"),
    );
  });

  test('initialStates: refuses another value in a POST or in a PUT that creates, and accepts it in an update', async () => {
    const refusal = refused("'statusId' must be one of ordered, present");
    const { made } = await book({ statusId: 'present' });
    expect(made['statusId']).toBe('present');
    const genre = made['genre'];
    const body = { title: 'Initial', genreId: isObject(genre) ? genre['id'] : '' };
    expect((await context.call('POST', '/books', { ...body, statusId: 'lost' })).body).toEqual(refusal);
    const put = (statusId: string) => context.call('PUT', '/books?key=initial', { ...body, statusId });
    for (const statusId of ['lost', 'unknown']) expect((await put(statusId)).body).toEqual(refusal);
    for (const statusId of ['present', 'lost'])
      expect((await put(statusId)).body).toMatchObject({ key: 'initial', statusId });
    expect((await put('unknown')).body).toEqual(refused("'statusId' must be one of ordered, present, lost, sold"));
  });

  test('locked.fields: refuses another value of a closed field while it holds, and takes the same', async () => {
    const { path } = await book({ statusId: 'present', shelfmark: 'A1' });
    await patch(path, { statusId: 'sold' });
    expect(await patch(path, { shelfmark: 'A2' })).toEqual(readOnly('Book'));
    expect((await patch(path, { shelfmark: 'A1', code: 'X' }))['code']).toBe('X');
    // A conflict comes before the faults of the body.
    expect(await patch(path, { shelfmark: 'A2', code: 'x'.repeat(21) })).toEqual(readOnly('Book'));
  });

  test('locked: refuses updates and deletes while it holds', async () => {
    const loan = await context.make('loan', { isClosed: true });
    expect(await patch(`/loans/${loan.id}`, { fee: 2 })).toEqual(readOnly('Loan'));
    expect(await patch(`/loans/${loan.id}`, { fee: 'x', zzz: 1 })).toEqual(readOnly('Loan'));
    expect((await context.call('DELETE', `/loans/${loan.id}`)).body).toEqual(readOnly('Loan'));
    // One lock anywhere stops a delete that would reach it, and leaves everything.
    const { book } = loan;
    const path = `/books/${isObject(book) ? String(book['id']) : ''}`;
    const before = (await context.call('GET', path)).text;
    expect((await context.call('DELETE', path)).body).toEqual(readOnly('Loan'));
    expect((await context.call('GET', path)).text).toBe(before);
    expect((await context.call('GET', `/loans/${loan.id}`)).status).toBe(200);
  });

  test('onlyWhen and requiredWhen: ask for a field, refuse it, and drop what no longer applies', async () => {
    const body = await context.bodyOf('book', { isPaperback: true });
    expect((await context.call('POST', '/books', { ...body, discount: undefined })).body).toEqual(
      refused("'discount' is required"),
    );
    expect((await context.call('POST', '/books', { ...body, isPaperback: false })).body).toEqual(
      refused("'discount' is not allowed"),
    );
    expect((await context.call('POST', '/books', { ...body, isPaperback: false, discount: null })).status).toBe(200);
    const { path } = await book({ isPaperback: true, discount: 0.25 });
    expect(await patch(path, { discount: null })).toEqual(refused("'discount' is required"));
    expect((await patch(path, { isPaperback: false }))['discount']).toBeNull();
    expect(await patch(path, { isPaperback: true })).toEqual(refused("'discount' is required"));
    expect((await patch(path, { isPaperback: true, discount: 0.5 }))['discount']).toBe(0.5);
    const source = await book();
    expect(await patch(source.path, { source: 'shelf' })).toEqual(refused("'shelfId' is required"));
  });

  test('defaultFrom: takes a missing value from another record, and from today', async () => {
    const { made } = await book({ price: 5 });
    const settings = (await context.call('GET', '/settings')).body;
    expect(made['currency']).toBe(isObject(settings) && settings['currency']);
    expect(made['boughtOn']).toBe(new Date().toISOString().slice(0, 10));
    expect((await book()).made['currency']).toBeNull();
  });

  test('inherits: shows another record while its branch holds, finds by what is shown, and keeps what is stored', async () => {
    const label = await context.make('label');
    const shelf = await context.make('shelf', { notice: 'Of the shelf', labelId: label.id });
    const { path, made } = await book({ notice: 'Its own', shelfId: shelf.id });
    expect([made['notice'], made['label']]).toEqual(['Its own', null]);
    const followed = await patch(path, { source: 'shelf' });
    expect([followed['notice'], isObject(followed['label']) && followed['label']['id']]).toEqual([
      'Of the shelf',
      label.id,
    ]);
    expect((await context.all('book', `&labelId=${label.id}`)).map(({ id }) => id)).toEqual([made['id']]);
    expect(await context.all('book', '&notice=Its%20own')).toEqual([]);
    await patch(`/shelves/${shelf.id}`, { notice: 'Changed' });
    expect((await context.all('book', '&notice=Changed')).map(({ id }) => id)).toEqual([made['id']]);
    expect((await patch(path, { source: 'library' }))['notice']).toBe('Handle with care');
    expect((await patch(path, { source: 'own' }))['notice']).toBe('Its own');
    // A shelf that is needed cannot go; one that is not, can.
    await patch(path, { source: 'shelf' });
    expect((await context.call('DELETE', `/shelves/${shelf.id}`)).body).toEqual({
      status: 409,
      message: 'The Shelf is in use and cannot be deleted.',
      usedBy: [{ group: 'books', count: 1 }],
    });
    await patch(path, { source: 'own' });
    expect((await context.call('DELETE', `/shelves/${shelf.id}`)).status).toBe(204);
  });

  test('derived: sums, conditions and dates follow what they are made of', async () => {
    const { path, made } = await book({ price: 0.1, shipping: 0.2, statusId: 'present' });
    expect([made['total'], made['isGone'], made['soldOn']]).toEqual([0.3, false, null]);
    expect((await patch(path, { shipping: null }))['total']).toBe(0.1);
    expect((await patch(path, { price: null }))['total']).toBeNull();
    const sold = await patch(path, { statusId: 'sold' });
    expect([sold['isGone'], sold['soldOn']]).toEqual([true, new Date().toISOString().slice(0, 10)]);
    expect((await context.call('POST', '/loans', await context.bodyOf('loan', { bookId: made['id'] }))).body).toEqual(
      refused("'bookId' must be a book that is here"),
    );
  });

  test('derived modified: moves with a change of any field, lists among them, and with nothing else', async () => {
    const { path, made } = await book();
    // Ids never go back in a process, so the clock must not either.
    let clock = Date.parse(String(made['createdAt']));
    const modified = async (body: Json): Promise<unknown> => {
      clock += 60_000;
      vi.useFakeTimers({ toFake: ['Date'], now: clock });
      return (await patch(path, body))['modifiedAt'];
    };
    expect(made['modifiedAt']).toBe(made['createdAt']);
    let last = made['modifiedAt'];
    const mark = await context.make('label');
    const changes: Json[] = [
      { title: 'New' },
      { markIds: [mark.id] },
      { chapters: [{ heading: 'One' }] },
      { measures: { width: 2 } },
      { score: 0.5 },
      { secret: 'x' },
      { languages: ['fr'] },
      { markIds: [] },
    ];
    for (const change of changes) {
      const now = await modified(change);
      expect(Date.parse(String(now)) - Date.parse(String(last)), JSON.stringify(change)).toBeGreaterThanOrEqual(59_000);
      last = now;
      const isSame = change['chapters'] === undefined;
      if (isSame) expect(await modified(change), `again ${JSON.stringify(change)}`).toBe(last);
    }
    expect(await modified({})).toBe(last);
  });

  test('objects: merges an object field by field, and null unsets all of it', async () => {
    const { path, made } = await book({ measures: { height: 3 } });
    expect(made['measures']).toEqual({ width: 0, height: 3, unit: 'mm' });
    expect((await patch(path, { measures: { width: 1.25 } }))['measures']).toEqual({
      width: 1.25,
      height: 3,
      unit: 'mm',
    });
    expect((await patch(path, { measures: { height: null } }))['measures']).toEqual({
      width: 1.25,
      height: null,
      unit: 'mm',
    });
    expect(await patch(path, { measures: { width: null } })).toEqual(refused("'measures.width' is required"));
    expect(await patch(path, { measures: { width: 'x', depth: 1, unit: 'km' } })).toEqual(
      refused(
        "'measures.width' must be a number",
        "'measures.unit' must be one of mm, cm",
        "'measures.depth' is not allowed",
      ),
    );
    expect((await patch(path, { measures: null }))['measures']).toBeNull();
    expect((await patch(path, { measures: {} }))['measures']).toEqual({ width: 0, height: null, unit: 'mm' });
  });

  test('owned lists: items keep an id that is sent, lose their place when left out, and take no id of others', async () => {
    const { path, made } = await book({
      chapters: [{ heading: 'One' }, { heading: 'Two', isFree: true, note: 'Gift' }],
    });
    const [one, two] = made['chapters'] as Json[];
    const turned = await patch(path, {
      chapters: [
        { id: two?.['id'], heading: 'Second' },
        { heading: 'New' },
        { id: String(one?.['id']).toUpperCase(), heading: 'First' },
      ],
    });
    const chapters = turned['chapters'] as Json[];
    expect(chapters.map(({ heading }) => heading)).toEqual(['Second', 'New', 'First']);
    expect([chapters[0]?.['id'], chapters[2]?.['id']]).toEqual([two?.['id'], one?.['id']]);
    // An item is whole: what is left out is unset.
    expect([chapters[0]?.['isFree'], chapters[0]?.['note']]).toEqual([false, null]);
    const other = await book({ chapters: [{ heading: 'Other' }] });
    const [foreign] = other.made['chapters'] as Json[];
    const answer = await patch(path, { chapters: [{ id: foreign?.['id'], heading: 'Stolen' }] });
    expect(answer['errors']).toEqual([expect.stringMatching(/^'chapters\[0\]\.id' must be /)]);
    expect(
      await patch(path, {
        chapters: [
          { id: one?.['id'], heading: 'a' },
          { id: one?.['id'], heading: 'b' },
        ],
      }),
    ).toEqual(refused("'chapters' must be without duplicates"));
    expect(await patch(path, { chapters: [{ heading: 'a', note: 'x' }, {}] })).toMatchObject({
      status: 400,
      errors: ["'chapters[0].note' is not allowed", "'chapters[1].heading' is required"],
    });
    expect(await patch(path, { chapters: [{ heading: 'a', note: 'x' }] })).toEqual(
      refused("'chapters[0].note' is not allowed"),
    );
    expect((await patch(path, { chapters: null }))['chapters']).toEqual([]);
  });

  test('owned lists: distinct items, values read through a reference, and items that go with their target', async () => {
    const [one, two] = [await context.make('reader', { name: 'Uno' }), await context.make('reader', { name: 'Due' })];
    const { path, made } = await book({ credits: [{ readerId: one.id, share: 0.5 }, { readerId: two.id }] });
    expect(made['credits']).toEqual([
      { readerId: one.id, name: 'Uno', share: 0.5 },
      { readerId: two.id, name: 'Due', share: 0 },
    ]);
    expect(await patch(path, { credits: [{ readerId: one.id }, { readerId: one.id.toUpperCase() }] })).toEqual(
      refused("'credits' must be without duplicates"),
    );
    expect((await context.call('DELETE', `/readers/${one.id}`)).status).toBe(204);
    const left = (await context.call('GET', path)).body;
    expect(isObject(left) && left['credits']).toEqual([{ readerId: two.id, name: 'Due', share: 0 }]);
  });

  test('owned lists: one item that is wrong hides nothing that is wrong with the others', async () => {
    const foreign = '00000000-0000-7000-8000-000000000000';
    const body = await context.bodyOf('book');
    const answer = await context.call('POST', '/books', {
      ...body,
      marks: undefined,
      markIds: ['x', foreign],
      chapters: [
        { heading: 7, note: 'n', translatorId: foreign },
        5,
        { heading: 'A', isFree: 'yes', note: 'n', translatorId: 'y' },
        { heading: 'B', id: foreign, colour: 'red', translatorId: foreign },
      ],
      credits: [
        { readerId: foreign, share: 2 },
        { readerId: foreign, share: 1 },
      ],
    });
    const errors = [
      "'markIds[0]' must be a UUID",
      "'markIds[1]' does not refer to an existing Label",
      "'chapters[0].heading' must be a string",
      "'chapters[0].note' is not allowed",
      "'chapters[0].translatorId' does not refer to an existing Reader",
      "'chapters[1]' must be an object",
      "'chapters[2].isFree' must be a boolean",
      "'chapters[2].translatorId' must be a UUID",
      "'chapters[3].id' must be the id of an item of the stored list",
      "'chapters[3].translatorId' does not refer to an existing Reader",
      "'chapters[3].colour' is not allowed",
      "'credits' must be without duplicates",
      "'credits[0].readerId' does not refer to an existing Reader",
      "'credits[0].share' must be from 0 to 1",
      "'credits[1].readerId' does not refer to an existing Reader",
    ];
    expect(answer.body).toEqual(refused(...errors));
  });

  test('references: keep their order, show their names, and are shown from the other side', async () => {
    const marks = [await context.make('label'), await context.make('label'), await context.make('label')];
    const ids = marks.map(({ id }) => id).toReversed();
    const shelf = await context.make('shelf');
    const { path, made } = await book({ markIds: ids, shelfId: shelf.id });
    expect(made['marks']).toEqual(marks.toReversed().map(({ id, name }) => ({ id, name })));
    expect(made['shelf']).toEqual({
      id: shelf.id,
      name: `${String(shelf['name'])} (${String(shelf['floor'])})`,
      floor: shelf['floor'],
      parent: null,
    });
    const back = (await context.call('GET', `/shelves/${shelf.id}`)).body;
    expect(isObject(back) && back['books']).toEqual([{ id: made['id'], name: made['title'] }]);
    const turned = [ids[1], ids[2], ids[0]];
    expect(((await patch(path, { markIds: turned }))['marks'] as Json[]).map(({ id }) => id)).toEqual(turned);
  });

  test('via references: nested ones carry id and name, and a name may come through a reference', async () => {
    const parent = await context.make('shelf');
    const shelf = await context.make('shelf', { parentId: parent.id });
    const made = await context.make('book', { shelfId: shelf.id });
    expect(isObject(made['shelf']) && made['shelf']['parent']).toEqual({
      id: parent.id,
      name: `${String(parent['name'])} (${String(parent['floor'])})`,
    });
    const loan = await context.make('loan', { bookId: made.id });
    expect(loan['book']).toEqual({
      id: made.id,
      name: made['title'],
      title: made['title'],
      genre: made['genre'],
      shelf: { id: shelf.id, name: `${String(shelf['name'])} (${String(shelf['floor'])})` },
    });
    expect(loan['genre']).toEqual(made['genre']);
  });

  test('cascade: goes all the way down, and round', async () => {
    const [top, middle] = await chainOfShelves(context);
    const leaf = await context.make('shelf', { parentId: middle });
    expect(await patch(`/shelves/${top}`, { parentId: leaf.id })).toMatchObject({
      status: 400,
      errors: [expect.stringMatching(/^'parentId' must be /)],
    });
    expect((await context.call('DELETE', `/shelves/${top}`)).status).toBe(204);
    for (const id of [top, middle, leaf.id]) expect((await context.call('GET', `/shelves/${id}`)).status).toBe(404);
  });

  test('unique over several fields: null is equal to nothing', async () => {
    const genre = await context.make('genre');
    for (const isbn of [null, null, '', '978-1'])
      expect((await book({ genreId: genre.id, isbn })).made['isbn']).toBe(isbn === '' ? null : isbn);
    const again = await context.bodyOf('book', { genreId: genre.id, isbn: '978-1' });
    expect((await context.call('POST', '/books', again)).body).toEqual({
      status: 409,
      message: 'A Book with the same isbn already exists.',
    });
  });

  test('writeOnly: is kept and never shown; updateOnly and immutable: each has its time', async () => {
    const { path, made } = await book({ secret: 'x' });
    expect(Object.keys(made)).not.toContain('secret');
    expect(made['stamp']).toBeNull();
    expect((await patch(path, { stamp: 'S' }))['stamp']).toBe('S');
    expect(await patch(path, { isbn: '1' })).toEqual(refused("'isbn' is not allowed"));
  });

  test('hidden: is neither shown nor accepted, and kept up to date for its filter', async () => {
    const { path, made } = await book({ pages: null });
    const isFound = async (value: boolean): Promise<boolean> =>
      (await context.all('book', `&isCounted=${value}`)).some(({ id }) => id === made['id']);
    expect(Object.keys(made)).not.toContain('isCounted');
    expect([await isFound(true), await isFound(false)]).toEqual([false, true]);
    expect(Object.keys(await patch(path, { pages: 12 }))).not.toContain('isCounted');
    expect([await isFound(true), await isFound(false)]).toEqual([true, false]);
    expect(await patch(path, { isCounted: true })).toEqual(refused("'isCounted' is not allowed"));
  });

  test('shows each row of one millisecond once, at any page size, forwards and backwards', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
    const made = await Promise.all(Array.from({ length: 40 }, () => context.make('genre')));
    expect(new Set(made.map(({ createdAt }) => createdAt)).size).toBe(1);
    const ids = made
      .map(({ id }) => id)
      .toSorted()
      .toReversed();
    const all = (await context.all('genre')).map(({ id }) => id);
    expect(all.slice(0, 40)).toEqual(ids);
    for (const limit of [1, 7, 39, 40, 41]) {
      const seen: string[] = [];
      for (let place = 0; place < 40; place += limit) {
        const cursor = place === 0 ? '' : `&startingAfter=${ids[place - 1]}`;
        const { body } = await context.call('GET', `/genres?limit=${limit}${cursor}`);
        seen.push(...((isObject(body) ? body['results'] : []) as { id: string }[]).map(({ id }) => id));
        const back = (await context.call('GET', `/genres?limit=${limit}&endingBefore=${ids[place]}`)).body;
        expect(((isObject(back) ? back['results'] : []) as { id: string }[]).map(({ id }) => id)).toEqual(
          ids.slice(Math.max(0, place - limit), place),
        );
      }
      expect(seen.slice(0, 40)).toEqual(ids);
    }
  });
});

/** Ids of a shelf and of one in it. */
async function chainOfShelves(context: Context): Promise<[string, string]> {
  const top = await context.make('shelf');
  return [top.id, (await context.make('shelf', { parentId: top.id })).id];
}
