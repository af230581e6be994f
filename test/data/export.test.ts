// Exports: all records of a list as one moment has them, a record a line or as CSV.
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { problems } from '../../src/problems.ts';
import type { Intent } from '../../src/request/intent.ts';
import { parseExport } from '../../src/request/long-reads/export.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { readCsv, recordsOfCsv } from '../support/data/csv.ts';
import { sqlite } from '../support/databases/databases.ts';
import { openQuietly } from '../support/databases/workspace.ts';
import { type Running, start, token } from '../support/service/http.ts';
import { accessToken, folders, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

const headers = { Authorization: `Bearer ${accessToken}` };

onEveryDatabase('exports', (context) => {
  const exported = async (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${context.address}/export/${path}`, { headers, ...init });
  const textOf = async (path: string): Promise<string> => {
    const response = await exported(path);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`/export/${path} answers ${text}`);
    return text;
  };
  const linesOf = async (path: string): Promise<Json[]> => {
    const text = await textOf(path);
    expect(text.endsWith('\n')).toBe(true);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
  };
  const refused = async (path: string): Promise<unknown> => {
    const { status, body } = await context.call('GET', `/export/${path}`);
    return status === 400 && isObject(body) ? body['message'] : status;
  };

  const names: Record<string, string> = {};
  beforeAll(async () => {
    const genre = await context.make('genre', { name: '=cmd|calc' });
    const label = await context.make('label', { name: 'O\'Neill, "Jo"' });
    const other = await context.make('label', { name: 'Plain' });
    Object.assign(names, { genre: genre.id, label: label.id, other: other.id });
    const shared = { genreId: genre.id };
    await context.make('book', {
      ...{ ...shared, title: 'First, of\r\n"two"', labelId: label.id, markIds: [label.id, other.id] },
      ...{ languages: ['de', 'en'], score: 0.0001, price: 1234.5, currency: 'EUR', measures: { width: 1.25 } },
      chapters: [{ heading: 'x', fee: 2.5 }, { heading: 'y' }],
    });
    await context.make('book', {
      ...{ ...shared, title: '-1 apple', code: '', subtitle: null, languages: ['a,b', ''], summary: "'quoted" },
      balance: -12.5,
    });
    let sequelOfId: string | null = null;
    for (let place = 0; place < 3; place += 1)
      sequelOfId = (await context.make('book', { ...shared, title: `Book ${place}`, sequelOfId })).id;
  });

  test('hold what the list shows, oldest first, and end with how many there were', async () => {
    const lines = await linesOf('books');
    expect(lines.slice(0, -1)).toEqual((await context.all('book')).toReversed());
    expect(lines.at(-1)).toEqual({ end: true, count: 5 });
    const response = await exported('books');
    await response.arrayBuffer();
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="books-\d{4}-\d\d-\d\d\.ndjson"$/,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('take the filters of the list, and its order', async () => {
    const titles = async (query: string): Promise<unknown[]> =>
      (await linesOf(`books?${query}`)).map(({ title }) => title);
    expect(await titles('titleStartsWith=book')).toEqual(['Book 0', 'Book 1', 'Book 2', undefined]);
    expect(await titles('titleContains=apple')).toEqual(['-1 apple', undefined]);
    expect(await titles('title=nothing')).toEqual([undefined]);
    expect((await readCsv(await textOf('books?title=nothing&format=csv'))).length).toBe(1);
  });

  test('are the same in whichever order filters are given, and lists ask the same for it', async () => {
    const filters = [`genreId=${names['genre']}`, 'titleContains=book', 'isPaperback=false'];
    const [one, other] = [filters.join('&'), filters.toReversed().join('&')];
    expect(await linesOf(`books?${other}`)).toEqual(await linesOf(`books?${one}`));
    const asked = async (query: string): Promise<readonly string[]> => {
      const before = context.reads.length;
      expect((await context.call('GET', `/books?${query}`)).status).toBe(200);
      return context.reads.slice(before).filter((text) => text.includes('title'));
    };
    const inOrder = await asked(one);
    // Servers are asked for some of it together, which is not among these.
    if (!context.isServer) expect(inOrder.length).toBeGreaterThan(0);
    expect(await asked(other)).toEqual(inOrder);
  });

  test('show fields alone, also of records behind references', async () => {
    const [first] = await linesOf('books?fields=title,genre.name,label.name,chapters.fee&titleStartsWith=first');
    expect(first).toMatchObject({
      ...{ title: 'First, of\r\n"two"', genre: { name: '=cmd|calc' } },
      chapters: [{ fee: 2.5 }, { fee: null }],
    });
    expect(Object.keys(first ?? {})).toEqual(['id', 'title', 'genre', 'label', 'chapters']);
    const deep = await linesOf('books?fields=label.createdAt&titleStartsWith=first');
    const { body: label } = await context.call('GET', `/labels/${names['label']}`);
    expect(deep[0]).toMatchObject({ label: { createdAt: (label as Json)['createdAt'] } });
    const [after] = await linesOf('books?fields=sequelOf.sequelOf.title&titleStartsWith=Book%202');
    expect(after).toMatchObject({ sequelOf: { sequelOf: { title: 'Book 0' } } });
  });

  test('lead through references to no more than what these do not show by themselves', () => {
    const list = endpointsOf(context.registry).find(({ operationId }) => operationId === 'listBooks');
    if (list === undefined) throw new Error('books are not listed');
    const behind = (fields: string): readonly string[] => {
      const { shows } = parseExport(list, `fields=${fields}`, () => true);
      return [...(shows?.inside ?? [])].flatMap(([name, { behind }]) => (behind === undefined ? [] : [name]));
    };
    expect(behind('label.id,marks.name,genre')).toEqual([]);
    expect(behind('label.createdAt,sequelOf.genre.name,genre.name')).toEqual(['label', 'sequelOf']);
  });

  test('are tables, of which each value can be read back', async () => {
    const text = await textOf('books?format=csv');
    const records = recordsOfCsv(text);
    const shown = (await context.all('book')).toReversed();
    expect(records.map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
    expect(records[0]).toMatchObject({
      ...{ title: 'First, of\r\n"two"', 'genre.id': names['genre'], 'genre.name': '=cmd|calc', languages: 'de,en' },
      ...{ score: '0.0001', price: '1234.5', weights: '1,2.5,0', 'measures.width': '1.25', isPaperback: 'false' },
      ...{ 'label.name': 'O\'Neill, "Jo"', 'marks.name': '["O\'Neill, \\"Jo\\"","Plain"]', donorId: null },
    });
    expect(records[0]?.['marks.id']?.split(',').toSorted()).toEqual([names['label'], names['other']].toSorted());
    expect(JSON.parse(String(records[0]?.['chapters']))).toEqual(shown[0]?.['chapters']);
    expect(records[1]).toMatchObject({ languages: '["a,b",""]', code: '', subtitle: null, balance: '-12.5' });
    const response = await exported('books?format=csv');
    await response.arrayBuffer();
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  });

  test('have the columns that are asked for, in that order', async () => {
    const text = await textOf(
      'books?format=csv&fields=label.createdAt,title,genre,chapters.heading,marks.name,chapters',
    );
    const [header, ...rows] = readCsv(text);
    expect(header).toEqual(['label.createdAt', 'title', 'genre.id', 'genre.name', 'chapters', 'marks.name']);
    expect(rows[1]?.slice(0, 2)).toEqual([null, '-1 apple']);
  });

  test('mark texts that a spreadsheet would run, and nothing else', async () => {
    const beginning = async (query: string) =>
      Buffer.from(await (await exported(`books?format=csv${query}`)).arrayBuffer()).toString('utf8', 0, 6);
    expect([await beginning('&safe=true'), await beginning('')]).toEqual(['\uFEFFid,', 'id,key']);
    const [, second] = recordsOfCsv(await textOf('books?format=csv&safe=true'));
    expect(second).toMatchObject({
      title: "'-1 apple",
      'genre.name': "'=cmd|calc",
      summary: "''quoted",
      balance: '-12.5',
    });
    expect(recordsOfCsv(await textOf('books?format=csv&safe=false'))[1]).toMatchObject({ title: '-1 apple' });
  });

  test('refuse what they do not know, before anything is sent', async () => {
    expect(await refused('books?format=xlsx')).toBe("Parameter 'format' must be ndjson or csv.");
    expect(await refused('books?limit=5')).toBe("Parameter 'limit' is not allowed.");
    expect(await refused('books?startingAfter=x')).toBe("Parameter 'startingAfter' is not allowed.");
    expect(await refused('books?safe=yes')).toBe("Parameter 'safe' must be true or false.");
    expect(await refused('books?fields=titel')).toBe(
      "Parameter 'fields' must be fields of the record; 'titel' is none; did you mean 'title'?",
    );
    expect(await refused('books?fields=title,title')).toBe(
      "Parameter 'fields' must be fields of the record; 'title' is given twice.",
    );
    expect(await refused('books?fields=sequelOf.sequelOf.sequelOf.sequelOf.title')).toBe(
      "Parameter 'fields' must be at most 3 references deep.",
    );
    const behind = ['', 'sequelOf.', 'sequelOf.sequelOf.'].flatMap((way) =>
      ['genre', 'label', 'marks', 'sequelOf'].map((name) => `${way}${name}`),
    );
    const through = (count: number) => `books?fields=${behind.slice(0, count).map((way) => `${way}.createdAt`)}`;
    expect(await linesOf(through(10))).not.toEqual([]);
    expect(await refused(through(11))).toBe("Parameter 'fields' must be paths through at most 10 references.");
    expect(await refused('books?fields=secret')).toMatch("'secret' is none");
    expect(await refused('boks')).toBe(404);
    expect(await refused('settings')).toBe(404);
    expect((await fetch(`${context.address}/export/books`)).status).toBe(401);
    const posted = await exported('books', { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const head = await exported('books?format=csv', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      ...[200, 'text/csv; charset=utf-8; header=present', ''],
    ]);
    expect((await exported('books?format=xlsx', { method: 'HEAD' })).status).toBe(400);
  });

  test('are of one moment, whatever is written between their portions', async () => {
    const workspace = await openQuietly({ databaseUrl: context.databaseUrl, resources: folders.test });
    try {
      const list = endpointsOf(context.registry).find(({ operationId }) => operationId === 'listBooks');
      if (list === undefined) throw new Error('books are not listed');
      const { filters, order } = parseExport(list, '', () => true);
      const portions = (limit: number): Intent => ({
        ...{ endpoint: list, caller: { tokenId: '', memberId: null }, id: '', idAsSent: '', limit, cursor: undefined },
        ...{ filters, ...(order && { order }), given: {}, body: undefined },
      });
      const [first, , , , last] = (await context.all('book')).toReversed();
      const balances = await workspace.engine.atMoment(undefined, async ({ portionsOf }) => {
        const found: unknown[] = [];
        for await (const texts of portionsOf(portions(2))) {
          found.push(...texts.map((text) => JSON.parse(text).balance));
          const amount = found.length;
          const operations = [first, last].map((book, place) => ({
            ...{ method: 'PATCH', path: `/books/${book?.id}`, body: { balance: place === 0 ? -amount : amount } },
          }));
          expect((await send(context, 'POST /batch', { body: { operations, atomic: true } })).status).toBe(200);
        }
        return found;
      });
      expect(balances).toEqual([0, -12.5, 0, 0, 0]);
      const after = (await context.all('book')).toReversed().map(({ balance }) => balance);
      expect(after).toEqual([-5, -12.5, 0, 0, 5]);
    } finally {
      await workspace.close();
    }
  });
});

test('two exports run at a time, and summaries beside them', async () => {
  const { url, drop } = await sqlite.open();
  const database = await openDatabase(url);
  try {
    const unit = createUnitOfWork(database, { deadlineMs: 1000 });
    const ends: (() => void)[] = [];
    const held = [1, 2].map(() => unit.snapshot('export', undefined, () => new Promise<void>((end) => ends.push(end))));
    const late = { since: performance.now() - 3900, isDisconnected: () => false };
    await expect(unit.snapshot('export', late, async () => {})).rejects.toThrow(problems.overloaded().message);
    expect(await unit.snapshot('summary', late, async () => 'beside')).toBe('beside');
    for (const end of ends) end();
    await Promise.all(held);
  } finally {
    await database.close();
    await drop();
  }
});

test('what fails before the first byte is answered, and what fails behind it is no whole answer', async () => {
  const server = await start();
  const asked = (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}/api/export/${path}`, { headers: { Authorization: `Bearer ${token}` } });
  try {
    expect(await (await asked('whole')).text()).toBe('one\ntwo\n');
    expect(await (await asked('refused')).json()).toEqual({ status: 503, message: 'The service is overloaded.' });
    await expect(asked('broken').then((response) => response.text())).rejects.toThrow();
    expect(server.logs.join('')).toContain('An answer was broken off.');
  } finally {
    await server.stop();
  }
});

test('a reader that takes nothing, or too little, holds up little, and is left at the end of its time', async () => {
  const server = await start({ exportStallMs: 300 });
  const short = await start({ exportLimitMs: 300 });
  const begin = async ({ port }: Running): Promise<ReadableStreamDefaultReader<Uint8Array>> => {
    const { body } = await fetch(`http://127.0.0.1:${port}/api/export/endless`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    if (body === null) throw new Error('no answer');
    return body.getReader();
  };
  const readAll = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
    while (!(await reader.read()).done);
  };
  try {
    const idle = await begin(server);
    await delay(600);
    await expect(readAll(idle)).rejects.toThrow();
    // What lies in the buffers of the system, and not all that there is.
    expect(server.sentParts()).toBeLessThan(1000);
    expect(server.logs.join('')).toContain('nothing of the answer was taken for too long');
    await expect(begin(short).then(readAll)).rejects.toThrow();
    expect(short.logs.join('')).toContain('the answer took too long');
  } finally {
    await server.stop();
    await short.stop();
  }
});
