// What stands in a record and is a value of another one: it is seen where it is seen there.
import { expect, test } from 'vitest';
import type { Json } from '../support/service/praxis.ts';
import { withRoles } from './callers.ts';

const roles = {
  binder: {
    allow: [
      { on: ['book', 'genre'], to: ['read'] },
      { on: ['book'], to: ['create'], when: 'copies < 5' },
    ],
  },
  visitor: {
    allow: [
      { on: ['book', 'label'], to: ['read'] },
      { on: ['book'], to: ['update'] },
      { on: ['shelf'], to: ['read'], fields: { hide: ['notice'] } },
    ],
  },
  neighbour: {
    allow: [
      { on: ['book', 'label'], to: ['read'] },
      { on: ['shelf'], to: ['read'], when: 'floor == 1' },
      { on: ['settings'], to: ['get'] },
    ],
  },
};

withRoles('values that records inherit', { folder: 'test', roles }, (context) => {
  const namesIn = (record: unknown): readonly boolean[] =>
    ['notice', 'label'].map((name) => Object.hasOwn(record as Json, name));

  test('are shown where they are shown of the records that they come from', async () => {
    const secret = 'Beware of the cellar';
    const { id: defaultLabelId } = await context.make('label');
    await context.call('PATCH', '/settings', { notice: secret, defaultLabelId });
    const shelves = await Promise.all(
      [0, 1].map((floor) => context.make('shelf', { floor, notice: `${secret} ${floor}`, name: `S${floor}` })),
    );
    const [low, high] = shelves.map(({ id }) => id);
    const own = await context.make('book', { source: 'own', notice: 'Mine', shelfId: null });
    const shelved = await context.make('book', { source: 'shelf', shelfId: low });
    const raised = await context.make('book', { source: 'shelf', shelfId: high });
    const library = await context.make('book', { source: 'library', shelfId: null });
    for (const [role, seen] of [
      // By book: its own, of the lower shelf, of the upper one, of the library.
      [
        'visitor',
        [
          [true, true],
          [false, true],
          [false, true],
          [false, false],
        ],
      ],
      [
        'neighbour',
        [
          [true, true],
          [false, false],
          [true, true],
          [true, true],
        ],
      ],
    ] as const) {
      const caller = context.as(null, role);
      const found: (readonly boolean[])[] = [];
      for (const { id } of [own, shelved, raised, library])
        found.push(namesIn((await caller('GET', `/books/${id}`)).body));
      expect(found, role).toEqual(seen);
      const page = (await caller('GET', '/books?limit=4')).body as { results: readonly Json[] };
      expect(page.results.map(namesIn).toReversed(), role).toEqual(seen);
      const counts: unknown[] = [];
      for (const notice of ['Mine', secret, `${secret} 0`, `${secret} 1`])
        counts.push(((await caller('GET', `/books?notice=${notice}&count=true`)).body as Json)['count']);
      const shown = seen.map(([isNotice]) => (isNotice ? 1 : 0));
      expect(counts, role).toEqual([shown[0], shown[3], shown[1], shown[2]]);
    }
    const visitor = context.as(null, 'visitor');
    const paths = ['/books?expand=label', '/books?fields=label,notice', '/export/books', '/export/books?format=csv'];
    for (const path of [...paths, `/books/${library.id}?expand=shelf`, '/summary/books?by=label', `/shelves/${low}`]) {
      const { status, text } = await visitor('GET', path);
      const isTold = [secret, defaultLabelId].some((each) => text.includes(each));
      expect([path, status, isTold]).toEqual([path, 200, false]);
    }
    expect((await visitor('GET', `/books?labelId=${defaultLabelId}`)).body).toEqual({ results: [], hasMore: false });
  });
});

withRoles('a create that is refused', { folder: 'test', roles }, (context) => {
  test('takes no number of a sequence', async () => {
    const binder = context.as(null, 'binder');
    const body = await context.bodyOf('book', { copies: 1, shelfId: null });
    const numberOf = ({ body: made }: { readonly body: unknown }): number => Number((made as Json)['number']);
    const first = numberOf(await binder('POST', '/books', body));
    expect((await binder('POST', '/books', { ...body, title: 'Many', key: 'many', copies: 9 })).body).toEqual({
      status: 403,
      message: "Operation 'create' would leave this 'Book' where it is not granted.",
    });
    expect(numberOf(await context.call('POST', '/books', { ...body, title: 'Next', key: 'next' }))).toBe(first + 1);
  });
});
