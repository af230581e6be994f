// `count=true`: how many records pass the filters of a list, held against all pages.
import { beforeAll, expect, test } from 'vitest';
import { mostCounted } from '../../src/engine/read/count.ts';
import { isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

onEveryDatabase('count', (context) => {
  const pageOf = async (query: string): Promise<Json> => {
    const { status, body, text } = await context.call('GET', `/books?${query}`);
    if (status !== 200 || !isObject(body)) throw new Error(`/books?${query} answers ${text}`);
    return body;
  };

  /** A service also reads for itself, at moments of its own. */
  const readsOfBooks = (): number => context.reads.filter((sql) => /["`]book/.test(sql)).length;

  let label = '';
  let reader = '';
  beforeAll(async () => {
    const genreId = (await context.make('genre')).id;
    label = (await context.make('label')).id;
    reader = (await context.make('reader')).id;
    const other = (await context.make('label')).id;
    for (let place = 0; place < 25; place += 1)
      await context.make('book', {
        genreId,
        title: `Book ${place % 5}`,
        isPaperback: place % 2 === 0,
        ...(place % 2 === 0 && { discount: 0.5 }),
        boughtOn: `2026-03-0${1 + (place % 9)}`,
        markIds: place % 3 === 0 ? [label, other] : [],
        chapters: [
          { heading: 'x', translatorId: place % 4 === 0 ? reader : null },
          { heading: 'y', translatorId: place % 8 === 0 ? reader : null },
        ],
      });
  });

  test('is that of all pages, whichever filters there are, and wherever the page begins', async () => {
    const filters = [
      '',
      'title=book 3',
      'titleContains=ook 2',
      'isPaperback=true',
      'boughtOnAfter=2026-03-03',
      'boughtOnAfter=2026-03-03&boughtOnOnBefore=2026-03-06',
      'boughtOnAfter=2026-03-03&isPaperback=false&titleEndsWith=1',
      `markId=${label}`,
      `markId=${label}&isPaperback=true`,
      `translatorId=${reader}`,
      `translatorId=${reader}&boughtOnAfter=2026-03-02&markId=${label}`,
      'notice=none',
      'key=nothing',
    ];
    for (const filter of filters) {
      const all = await context.all('book', `&${filter}`);
      const counted = readsOfBooks();
      expect((await pageOf(`count=true&${filter}`))['count'], filter).toBe(all.length);
      const plain = readsOfBooks();
      const page = await pageOf(`count=false&${filter}`);
      expect(Object.keys(page)).toEqual(['results', 'hasMore']);
      expect(plain - counted, filter).toBe(readsOfBooks() - plain + 1);
      const cursor = all[1]?.id;
      if (cursor === undefined) continue;
      for (const way of [`startingAfter=${cursor}`, `endingBefore=${cursor}`, 'limit=1'])
        expect((await pageOf(`${way}&count=true&${filter}`))['count'], `${filter} ${way}`).toBe(all.length);
    }
  });

  test('is a switch of lists alone', async () => {
    const wrong = await context.call('GET', '/books?count=yes');
    expect((wrong.body as Json)['message']).toBe("Parameter 'count' must be true or false.");
    const single = await context.call('GET', `/labels/${label}?count=true`);
    expect((single.body as Json)['message']).toBe("Parameter 'count' is not allowed.");
  });
});

/** Some more than are counted. */
const readers = 12_000;

onEveryDatabase('more than are counted', (context) => {
  test('is told as a lower bound, and what is narrowed is counted to the last', async () => {
    for (let first = 0; first < readers; first += 1000) {
      const operations = Array.from({ length: 1000 }, (_operation, place) => {
        const number = first + place;
        return {
          method: 'POST',
          path: '/readers',
          body: { name: `Label ${number}${number % 3 === 0 ? ' third' : ''}` },
        };
      });
      const { status, text } = await send(context, 'POST /batch', { body: { operations } });
      expect(status, text.slice(0, 200)).toBe(200);
    }
    const countOf = async (query: string): Promise<Json> => {
      const { results: _results, ...rest } = (await context.call('GET', `/readers?limit=1&count=true&${query}`))
        .body as Json;
      return rest;
    };
    expect(await countOf('')).toEqual({ hasMore: true, count: mostCounted, countIsLowerBound: true });
    expect(await countOf('nameStartsWith=label')).toEqual({
      hasMore: true,
      count: mostCounted,
      countIsLowerBound: true,
    });
    expect(await countOf('nameContains=THIRD')).toEqual({ hasMore: true, count: readers / 3 });
    expect(await countOf('nameStartsWith=label 11')).toMatchObject({ count: 1 + 10 + 100 + 1000 });
    const thirds = Array.from({ length: readers }, (_reader, place) => String(place)).filter(
      (number) => number.startsWith('11') && Number(number) % 3 === 0,
    ).length;
    expect(await countOf('nameStartsWith=label 11&nameEndsWith=third')).toMatchObject({ count: thirds });
  }, 120_000);
});
