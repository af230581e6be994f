// Pages of long records: they end early, and lose nobody.
import { beforeAll, expect, test } from 'vitest';
import { accessToken, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

/** Of the records of a page, when there are several. */
const pageBytes = 4 * 1024 * 1024;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

interface Page {
  readonly results: readonly (Json & { readonly id: string })[];
  readonly hasMore: boolean;
}

onEveryDatabase('pages of long records', (context) => {
  /** Oldest first. */
  const made: string[] = [];
  /** Reads without a comparison with the document, which allows no such address any more. */
  const get = async (path: string): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${accessToken}` };
    return (await fetch(`${context.address}${path}`, { headers })).json();
  };
  const read = async (query: string): Promise<Page> => {
    const body = await get(`/books?${query}`);
    if (!isObject(body)) throw new Error(`/books?${query} answers no page`);
    return body as unknown as Page;
  };
  const idsOf = ({ results }: Page): string[] => results.map(({ id }) => id);

  beforeAll(async () => {
    // Each picture shows a long text of its artist: a short body makes a long record.
    const artist = await context.make('reader', { website: `https://a.example/${'a'.repeat(1900)}` });
    const chaptersOf = (count: number) =>
      Array.from({ length: count }, (_chapter, place) => ({
        heading: `Chapter ${place}`,
        pictures: Array.from({ length: 20 }, (_picture, nth) => ({
          caption: `語 ${place}.${nth}`,
          artistId: artist.id,
        })),
      }));
    const genreId = (await context.make('genre')).id;
    for (const chapters of [1, 5, 5, 5, 5, 5, 50, 5, 5, 5, 5, 5, 5]) {
      const { id } = await context.make('book', { genreId, chapters: chaptersOf(chapters) });
      made.push(id);
    }
    // An older version accepted such an address. It has three times as many bytes as characters.
    const website = `https://a.example/${'語'.repeat(1900)}`;
    await context.workspace.database.run('update reader set website = ? where id = ?', [website, artist.id]);
  }, 120_000);

  test('an early end is said, and a walk shows every record once, in both directions', async () => {
    const single = await Promise.all(made.map((id) => get(`/books/${id}`)));
    const sizes = new Map(made.map((id, place) => [id, bytesOf(single[place])]));
    const newestFirst = made.toReversed();
    const fits = (ids: readonly string[]): boolean =>
      ids.reduce((sum, id) => sum + (sizes.get(id) ?? Number.NaN), 0) <= pageBytes;

    const check = ({ results }: Page): void =>
      expect(results).toEqual(results.map(({ id }) => single[made.indexOf(id)]));
    const forwards: string[][] = [];
    for (let cursor = ''; ; ) {
      const page = await read(`limit=100${cursor}`);
      check(page);
      forwards.push(idsOf(page));
      if (!page.hasMore) break;
      cursor = `&startingAfter=${page.results.at(-1)?.id}`;
    }
    expect(forwards.flat()).toEqual(newestFirst);

    const backwards: string[][] = [];
    for (let cursor = made[0] ?? ''; ; ) {
      const page = await read(`limit=100&endingBefore=${cursor}`);
      check(page);
      backwards.unshift(idsOf(page));
      if (!page.hasMore) break;
      cursor = page.results[0]?.id ?? '';
    }
    expect(backwards.flat()).toEqual(newestFirst.slice(0, -1));

    for (const [pages, nextOf] of [
      [forwards, (place: number) => forwards[place + 1]?.[0]],
      [backwards, (place: number) => backwards[place - 1]?.at(-1)],
    ] as const) {
      // One record is larger than a page, and shown by itself.
      expect(pages.filter((ids) => !fits(ids)).map(({ length }) => length)).toEqual([1]);
      // No page could have held the next one as well.
      for (const [place, ids] of pages.entries()) {
        const next = nextOf(place);
        if (next !== undefined) expect(fits([...ids, next])).toBe(false);
      }
    }
  }, 120_000);

  test('a limit that is reached first counts as ever', async () => {
    const page = await read('limit=2');
    expect(idsOf(page)).toEqual(made.toReversed().slice(0, 2));
    expect(page.hasMore).toBe(true);
  });

  test('many items alone do not end a page', async () => {
    const genre = await context.make('genre');
    const books: Json[] = [];
    for (let count = 0; count < 12; count += 1) {
      const chapters = Array.from({ length: count % 3 === 0 ? 2 : 400 }, (_chapter, place) => ({
        heading: `${count}.${place}`,
        pictures: place < 3 ? [{ caption: `${place}` }] : [],
      }));
      books.unshift(await context.make('book', { genreId: genre.id, chapters }));
    }
    const page = await read(`limit=100&genreId=${genre.id}`);
    expect(page.hasMore).toBe(false);
    expect(page.results).toEqual(books);
    const before = await read(`limit=100&genreId=${genre.id}&endingBefore=${String(books.at(-1)?.['id'])}`);
    expect(before).toEqual({ results: books.slice(0, -1), hasMore: false });
  }, 120_000);

  test('a page may have as many bytes as that, and not one more', async () => {
    const genreId = (await context.make('genre')).id;
    const artistId = (await context.make('reader', { website: `https://a.example/${'a'.repeat(2000)}` })).id;
    const bookOf = (pictures: number): Promise<Json & { readonly id: string }> =>
      context.make('book', {
        ...{ genreId, summary: '' },
        chapters: Array.from({ length: Math.ceil(pictures / 20) }, (_chapter, place) => ({
          heading: 'Chapter',
          pictures: Array.from({ length: Math.min(20, pictures - 20 * place) }, () => ({ caption: '語', artistId })),
        })),
      });
    const second = await bookOf(1000);
    const eachPicture = bytesOf(second) / 1000;
    const first = await bookOf(Math.floor((pageBytes - bytesOf(second)) / eachPicture) - 1);
    const spare = pageBytes - bytesOf(first) - bytesOf(second);
    const summarized = async (length: number): Promise<Page> => {
      await context.call('PATCH', `/books/${first.id}`, { summary: 'x'.repeat(length) });
      return read(`limit=100&genreId=${genreId}`);
    };
    const full = await summarized(spare);
    expect([idsOf(full), full.hasMore]).toEqual([[first.id, second.id], false]);
    expect(full.results.reduce((sum, record) => sum + bytesOf(record), 0)).toBe(pageBytes);
    const beyond = await summarized(spare + 1);
    expect([idsOf(beyond), beyond.hasMore]).toEqual([[first.id], true]);
  }, 120_000);
});
