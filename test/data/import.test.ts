// The importer, as a client of a service over HTTP.
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { callOf, documentOf } from '../../codegen/import/calls.ts';
import {
  type ImportOptions,
  type ImportResult,
  type ImportState,
  importRows,
} from '../../codegen/import/import-rows.ts';
import { checkMapping } from '../../codegen/import/mapping.ts';
import type { ImportCall, Mapping, RefusedRow } from '../../codegen/import/model.ts';
import { proposalOf } from '../../codegen/import/proposal.ts';
import { RefusedRows } from '../../codegen/import/rows.ts';
import importSchema from '../../src/registry/import.json' with { type: 'json' };
import { entryTable } from '../../src/storage/log/tables.ts';
import { sequenceTable, tablesOf } from '../../src/storage/schema/tables.ts';
import { accessToken, type Context, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

async function* bytesOf(text: string | Uint8Array, portion = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += portion) yield bytes.subarray(at, at + portion);
}

interface Imported extends ImportResult {
  readonly refusedRows: RefusedRow[];
  readonly notices: string[];
  readonly requests: number;
}

describe('a mapping', () => {
  const isSchema = new Ajv({ strict: true, strictTypes: false }).compile({
    ...importSchema,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
  });
  const isChecked = (mapping: unknown): boolean => {
    try {
      return checkMapping(mapping) !== undefined;
    } catch {
      return false;
    }
  };

  test.each<[boolean, unknown]>([
    [true, {}],
    [
      true,
      { $schema: 'x', group: 'client', key: null, delimiter: ';', encoding: 'latin1', decimal: ',', empty: 'null' },
    ],
    [true, { thousands: '.', date: 'D.M.YYYY', safe: true, rowKey: 'No', constants: { a: 1 }, key: 'key' }],
    [true, { columns: { A: 'a', B: null, C: { to: 'c', by: 'd', within: {}, values: {}, times: 60, split: ',' } } }],
    [false, []],
    [false, { columns: { A: {} } }],
    [false, { columns: { A: { to: 'a', of: 'b' } } }],
    [false, { columns: { A: 1 } }],
    [false, { columns: ['a'] }],
    [false, { columns: { A: { to: 'a', times: '60' } } }],
    [false, { colums: {} }],
    [false, { delimiter: ';;' }],
    [false, { thousands: '' }],
    [false, { decimal: ';' }],
    [false, { empty: 'none' }],
    [false, { safe: 'yes' }],
    [false, { key: 1 }],
    [false, { constants: null }],
  ])('is %s by the schema that editors know, and for the importer: %j', (expected, mapping) => {
    expect([isSchema(mapping), isChecked(mapping)]).toEqual([expected, expected]);
  });

  test('has in the schema what the importer knows', () => {
    const unknown = (mapping: object): string => {
      try {
        return String(checkMapping(mapping));
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    for (const name of Object.keys(importSchema.properties))
      expect(unknown({ [name]: undefined })).not.toContain('is unknown');
    for (const name of Object.keys(importSchema.$defs.target.properties))
      expect(unknown({ columns: { A: { to: 'a', [name]: undefined } } })).not.toContain('is unknown');
  });
});

const theImporter = (context: Context): void => {
  let document: unknown;
  let genreId = '';
  let call: ImportCall;

  beforeAll(async () => {
    const service = { url: context.address, token: accessToken };
    document = await documentOf(service);
    call = callOf(service);
    genreId = (await context.make('genre', { name: 'Prose' })).id;
  });

  const bring = async (
    group: string,
    text: string | Uint8Array,
    { mapping, ...options }: Partial<Omit<ImportOptions, 'mapping'>> & { readonly mapping?: unknown } = {},
  ): Promise<Imported> => {
    const refusedRows: RefusedRow[] = [];
    const notices: string[] = [];
    let requests = 0;
    const result = await importRows({
      ...{ document, group, source: bytesOf(text), format: 'csv' as const },
      call: (...request) => {
        requests += 1;
        return call(...request);
      },
      mapping: mapping as Mapping | undefined,
      onRefused: (row) => void refusedRows.push(row),
      onNotice: (notice) => notices.push(notice),
      ...options,
    });
    return { ...result, refusedRows, notices, requests };
  };
  const books = (query = ''): ReturnType<typeof context.all> => context.all('book', query);
  const table = (...rows: readonly string[]): string => rows.map((row) => `${row}\r\n`).join('');

  test('proposes where columns go, before anything is said', async () => {
    const source = bytesOf('\ufeffTitle;Genre Name;Shelf\nEmma;Prose;A\nPersuasion;;\n');
    const { columns, targets, keys } = await proposalOf({ document, group: 'book', source });
    expect(columns).toEqual([
      { name: 'Title', to: 'title', samples: ['Emma', 'Persuasion'] },
      { name: 'Genre Name', to: 'genre.name', samples: ['Prose'] },
      { name: 'Shelf', to: undefined, samples: ['A'] },
    ]);
    expect(targets).toEqual(expect.arrayContaining(['id', 'title', 'genreId', 'genre.name']));
    expect(keys).toEqual(expect.arrayContaining([expect.any(String)]));
    await expect(proposalOf({ document, group: 'book', source: bytesOf('') })).rejects.toThrow('The file is empty.');
  });

  test('reads CSV: BOM, semicolons, line ends in quotes, decimal commas, dates', async () => {
    const text = `\uFEFF${table(
      'Title;Balance;Bought On;Genre.name;isPaperback;discount;languages',
      '"Semi; ""colon""\r\nin two lines";1.234,5;03.02.2026;Prose;yes;0,25;de,en',
      'Exact;1,005;03.02.2026;Prose;no;;',
      'Exact;-0,07;31.12.2025;Prose;0;;de',
      'Short;1',
    )}`;
    const mapping = { decimal: ',', thousands: '.', date: 'DD.MM.YYYY' };
    const { notices, refusedRows, ...counts } = await bring('book', text, { mapping });
    expect(counts).toMatchObject({ rows: 4, created: 2, updated: 0, unchanged: 0, refused: 2 });
    expect(notices).toEqual(["Columns are parted by ';'."]);
    expect(refusedRows.map(({ line, errors }) => [line, ...errors])).toEqual([
      [4, "'balance' must be a number with at most 2 decimals"],
      [6, 'has 2 cells, and the header 7'],
    ]);
    expect(refusedRows[0]?.row).toEqual(['Exact', '1,005', '03.02.2026', 'Prose', 'no', null, null]);
    const [book] = await books('&titleContains=semi');
    expect(book).toMatchObject({
      ...{ title: 'Semi; "colon"\r\nin two lines', balance: 1234.5, boughtOn: '2026-02-03', discount: 0.25 },
      ...{ genre: { id: genreId }, isPaperback: true, languages: ['de', 'en'] },
    });
    expect((await books('&title=exact'))[0]).toMatchObject({
      balance: -0.07,
      boughtOn: '2025-12-31',
      languages: ['de'],
    });
  });

  test('reads other encodings, and tells the line of a byte that is none', async () => {
    const latin = Buffer.from(table('name', 'Größe'), 'latin1');
    await expect(bring('label', latin)).rejects.toThrow('line 2  is not UTF-8; say the encoding in the mapping.');
    expect(await bring('label', latin, { mapping: { encoding: 'latin1' } })).toMatchObject({ created: 1 });
    const wide = Buffer.from(`\uFEFF${table('name', 'Ümlaut')}`, 'utf16le');
    expect(await bring('label', wide)).toMatchObject({ created: 1 });
    const names = (await context.all('label')).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Größe', 'Ümlaut']));
  });

  test('stops before anything is sent where a column is unknown, and names the nearest', async () => {
    const sent: ImportCall = () => Promise.reject(new Error('something is sent'));
    const noted = (): void => expect.unreachable('something is to be sent');
    const first = bring('book', table('titel,genre.nam', 'x,y'), { call: sent, onState: noted });
    await expect(first).rejects.toThrow("The column 'titel' is no field of book; did you mean 'title'?");
    await expect(bring('bok', 'title\r\n')).rejects.toThrow("There is no group 'bok'; did you mean 'book'?");
    const ignored = await bring('label', table('name,colour', 'Ignored,red'), { ignoresColumns: true });
    expect(ignored).toMatchObject({ created: 1, notices: ['Not taken: colour.'] });
    await expect(bring('book', table('a', 'x'), { mapping: { columns: { b: 'title' } } })).rejects.toThrow(
      "The mapping names a column 'b' that is not there",
    );
    await expect(bring('book', table('a', 'x'), { mapping: { columns: { a: 'shelf.nam' } } })).rejects.toThrow(
      "'shelf.nam' cannot be looked up; did you mean 'name'?",
    );
    await expect(bring('book', table('title', 'x'), { key: 'title' })).rejects.toThrow(
      "'title' is no unique key of book; it has key, or genreId,isbn.",
    );
  });

  test('stops where a column names records and does not say by what, and no other column does', async () => {
    await expect(bring('book', table('title,Genre,marks', 'x,y,z'))).rejects.toThrow(
      [
        "The column 'Genre' does not say by what it names a genre: call it Genre.id or Genre.name.",
        "The column 'marks' does not say by what it names a label: call it marks.id or marks.name.",
      ].join('\n'),
    );
    const beside = await bring('book', table('title,genre,Genre.name', 'Beside,y,Prose'));
    expect(beside).toMatchObject({ created: 1, notices: ['Not taken: genre.'] });
  });

  test('looks references up, also within others, and tells those that lead to none or to several', async () => {
    const top = await context.make('shelf', { name: 'Top' });
    const other = await context.make('shelf', { name: 'Other' });
    const twins = [
      await context.make('shelf', { name: 'Twin', parentId: top.id }),
      await context.make('shelf', { name: 'Twin', parentId: other.id }),
    ];
    const mapping = { constants: { genreId }, columns: { t: 'title', s: 'shelf.name' } };
    const { refusedRows } = await bring('book', table('t,s', 'A,Top', 'B,Twin', 'C,Nowhere'), { mapping });
    const ids = twins.map(({ id }) => id).toReversed();
    expect(refusedRows.map(({ errors }) => errors)).toEqual([
      [`'shelfId' must be one record; 2 have the name Twin: ${ids.join(', ')}`],
      ["'shelfId' does not refer to an existing Shelf (shelf.name is Nowhere)"],
    ]);
    const within = {
      constants: { genreId },
      columns: {
        t: 'title',
        s: { to: 'shelfId', by: 'name', within: { parentId: 'parent.name of p' } },
        p: null,
        m: { to: 'markIds', by: 'name', split: '|' },
      },
    };
    await context.make('label', { name: 'One' });
    await context.make('label', { name: 'Two' });
    expect(await bring('book', table('t,s,p,m', 'Within,Twin,Other,One|Two'), { mapping: within })).toMatchObject({
      created: 1,
    });
    const [book] = await books('&title=within');
    expect(book).toMatchObject({ shelf: { id: twins[1]?.id } });
    expect((book?.['marks'] as Json[] | undefined)?.map(({ name }) => name).toSorted()).toEqual(['One', 'Two']);
  });

  test('makes or changes by a key: the same file again changes nothing', async () => {
    const text = table('key,title,copies,genre.name', 'up-one,One,1,Prose', 'up-two,Two,2,Prose');
    expect(await bring('book', text, { key: 'key' })).toMatchObject({ created: 2, updated: 0, unchanged: 0 });
    const versions = async (): Promise<unknown[]> => {
      const [found] = await books('&key=up-one');
      const { headers } = await context.call('GET', `/books/${found?.id}`);
      return [headers['etag']];
    };
    const before = await versions();
    expect(await bring('book', text, { key: 'key' })).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    expect(await versions()).toEqual(before);
    const changed = table('key,copies', 'up-one,5', 'up-three,1');
    const { refusedRows, ...counts } = await bring('book', changed, { key: 'key', mode: 'update' });
    expect(counts).toMatchObject({ updated: 1, refused: 1 });
    expect(refusedRows[0]?.errors).toEqual(['There is no record with this key.']);
    expect(await bring('book', text, { key: 'key', mode: 'create' })).toMatchObject({ created: 0, refused: 2 });
  });

  test('tries without writing: a key twice is made, then changed', async () => {
    const { all, dialect } = context.workspace.database;
    const names = [...tablesOf(context.registry).map(({ name }) => name), 'praxis_answer', entryTable];
    const kept = async (): Promise<unknown> => [
      ...(await Promise.all(names.map((name) => all(`select count(*) from ${dialect.quote(name)}`, [])))),
      await all(`select * from ${sequenceTable}`, []),
    ];
    const before = await kept();
    const text = table('key,title,genreId,copies', `try-1,A,${genreId},1`, `try-1,A,${genreId},2`, 'try-2,B,,x');
    for (const chunk of [500, 1])
      expect(await bring('book', text, { key: 'key', isTrial: true, chunk })).toMatchObject({
        created: 1,
        updated: 1,
        refused: 1,
      });
    expect(await kept()).toEqual(before);
  });

  test('gives refused rows back as they were, to be brought in as they are once they are mended', async () => {
    const file = new RefusedRows();
    const title = '"Two; ""2"""';
    const text = table('title;copies;genreId', `${title};x;${genreId}`, `Fine;1;${genreId}`, 'Short;1');
    const onHeader: ImportOptions['onHeader'] = (names, delimiter) => file.begin(names, delimiter);
    const { refusedRows, ...counts } = await bring('book', text, { onHeader });
    expect(counts).toMatchObject({ created: 1, refused: 2 });
    const refused = file.header + refusedRows.map((row) => file.lineOf(row)).join('');
    const faulty = `${title};x;${genreId};2;'copies' must be a number`;
    expect(refused).toBe(table('title;copies;genreId;line;errors', faulty, 'Short;1;;4;has 2 cells, and the header 3'));
    const mended = refused.replace(';x;', ';2;').replace(';1;;', `;1;${genreId};`);
    expect(await bring('book', mended)).toMatchObject({ created: 2, refused: 0 });
    expect((await books('&titleStartsWith=two;'))[0]).toMatchObject({ title: 'Two; "2"', copies: 2 });
  });

  test('takes nothing of a chunk whose row is refused, where it is to stop', async () => {
    const rows = Array.from({ length: 10 }, (_none, place) => `stop ${place},${genreId},${place === 7 ? 'x' : 1}`);
    const { refusedRows, ...counts } = await bring('book', table('title,genreId,copies', ...rows), {
      stops: true,
      chunk: 4,
      callers: 1,
    });
    expect(counts).toMatchObject({ created: 4, refused: 1 });
    expect(counts.stopped).toBe('a row was refused, and nothing of its chunk was taken');
    expect(refusedRows.map(({ line }) => line)).toEqual([9]);
    expect(await books('&titleStartsWith=stop')).toHaveLength(4);
    const many = table('title,genreId', ...Array.from({ length: 5 }, () => ',x'));
    expect(await bring('book', many, { mostRefused: 2, chunk: 1, callers: 1 })).toMatchObject({ refused: 3 });
  });

  test('puts rows of one record together into its list', async () => {
    const mapping = {
      rowKey: 'No',
      constants: { genreId },
      columns: { Book: 'title', Chapter: 'chapters[].heading', Fee: { to: 'chapters[].fee', times: 0.01 } },
    };
    const text = table('No,Book,Chapter,Fee', '1,Listed,a,250', '1,,b,', '2,Listed,c,5');
    expect(await bring('book', text, { mapping })).toMatchObject({ rows: 2, created: 2 });
    const found = (await books('&title=listed')).map(({ chapters }) =>
      (chapters as Json[]).map(({ heading, fee }) => [heading, fee]),
    );
    expect(found).toEqual([
      [['c', 0.05]],
      [
        ['a', 2.5],
        ['b', null],
      ],
    ]);
  });

  test('finds records that the file itself has made', async () => {
    const text = table('name,parent.name', 'Root of all,', 'Branch,Root of all', 'Leaf,Branch');
    const tried = await bring('shelf', text, { isTrial: true });
    expect(tried).toMatchObject({ created: 1, refused: 0, unjudged: 2 });
    expect(tried.notices[0]).toMatch(/^Line 3 names a record of this file \(parent.name is Root of all\)/);
    expect(await bring('shelf', text)).toMatchObject({ created: 3 });
    const [leaf] = await context.all('shelf', '&name=Leaf');
    expect(leaf).toMatchObject({ parent: { name: 'Branch (0)' } });
  });

  test('goes on where it was, however often it dies: every row once', async () => {
    const rows = Array.from(
      { length: 60 },
      (_none, place) => `Dying ${place},${genreId}${place % 20 === 3 ? 'x' : ''}`,
    );
    const text = table('title,genreId', ...rows);
    let state: ImportState | undefined;
    let refused: number[] = [];
    let noted = 0;
    let chance = 7;
    const next = (): number => {
      chance = (chance * 16_807) % 2_147_483_647;
      return chance / 2_147_483_647;
    };
    let deaths = 0;
    for (let ended = false; !ended; ) {
      refused = refused.slice(0, noted);
      let isDead = false;
      const dying: ImportCall = async (...request) => {
        if (isDead) throw new TypeError('dead');
        const dies = deaths < 20 && next() < 0.5;
        // Before the request, or when it is done and nobody has noted it.
        if (dies && next() < 0.5) isDead = true;
        const answer = isDead ? undefined : await call(...request);
        if (dies) isDead = true;
        if (answer === undefined || isDead) throw new TypeError('dead');
        return answer;
      };
      ended = await importRows({
        ...{ document, group: 'book', format: 'csv', source: bytesOf(text, 100), chunk: 2, state },
        call: dying,
        repeats: 0,
        onRefused: ({ line }) => void refused.push(line),
        onState: (now) => {
          state = now;
          noted = refused.length;
        },
      }).then(
        () => true,
        () => {
          deaths += 1;
          return false;
        },
      );
    }
    expect(deaths).toBe(20);
    expect(state).toMatchObject({ created: 57, refused: 3 });
    expect(refused).toEqual([5, 25, 45]);
    const titles = (await books('&titleStartsWith=dying')).map(({ title }) => title);
    expect(titles).toHaveLength(57);
    expect(new Set(titles).size).toBe(57);
  }, 60_000);

  test('takes what an export gives, and guards come off again', async () => {
    const markIds = [await context.make('label', { name: 'M1' }), await context.make('label', { name: 'M2' })].map(
      ({ id }) => id,
    );
    const source = await context.make('book', {
      ...{ markIds, genreId, title: '=cmd', summary: "'quoted", languages: ['a,b', 'c'], measures: { width: 2.5 } },
      ...{ chapters: [{ heading: '@x', fee: 1.25 }], credits: [], price: 12.34, currency: 'EUR' },
    });
    const exported = async (query: string): Promise<string> => {
      const response = await fetch(`${context.address}/export/books?title=%3Dcmd&${query}`, {
        headers: { Authorization: `Bearer ${accessToken}` },
      });
      return response.text();
    };
    const [csv, ndjson] = [await exported('format=csv&safe=true'), await exported('')];
    const copies: Json[] = [];
    for (const [text, options] of [
      [csv, { mapping: { safe: true } }],
      [ndjson, { format: 'ndjson' as const }],
    ] as const) {
      await context.call('DELETE', `/books/${(await books('&title==cmd'.replace('==', '=%3D')))[0]?.id}`);
      const { refusedRows, created, notices } = await bring('book', text, options);
      expect(refusedRows).toEqual([]);
      expect(created).toBe(1);
      expect(notices.join()).toContain('number');
      const [copy] = await books('&title=%3Dcmd');
      copies.push(copy ?? {});
    }
    const plain = ({ id: _id, number: _number, createdAt: _at, modifiedAt: _then, chapters, ...rest }: Json): Json => ({
      ...rest,
      chapters: (chapters as Json[]).map(({ id: _own, ...item }) => item),
    });
    for (const copy of copies) expect(plain(copy)).toEqual(plain(source));
  });

  test('refuses numbers that would lose digits, and a file that is not whole', async () => {
    const line = `{"title":"Long","genreId":"${genreId}","balance":1.00000000000000001}\n`;
    const { refusedRows } = await bring('book', line, { format: 'ndjson' });
    expect(refusedRows[0]?.errors).toEqual(["'balance' has more digits than a number keeps"]);
    await expect(bring('label', '{"name":"Cut"}\n{"end":true,"count":2}\n', { format: 'ndjson' })).rejects.toThrow(
      'The file has 1 records and not 2.',
    );
    expect(isObject(document)).toBe(true);
  });
};

// With the log of changes, so that it is seen that a trial leaves no entry.
onEveryDatabase('the importer', theImporter, 'test', { parts: { changes: 90 } });
