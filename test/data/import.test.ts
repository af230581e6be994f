// The importer, as a client of a service over HTTP.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { callOf, documentOf } from '../../codegen/import/calls.ts';
import {
  type ImportOptions,
  type ImportResult,
  type ImportState,
  importRows,
} from '../../codegen/import/import-rows.ts';
import type { ImportCall, Mapping, RefusedRow } from '../../codegen/import/model.ts';
import { checkMapping } from '../../codegen/import/model.ts';
import { fold, letters } from '../../codegen/import/names.ts';
import { proposalOf } from '../../codegen/import/proposal.ts';
import { RefusedRows } from '../../codegen/import/rows.ts';
import { importRecords } from '../../src/commands/data/import.ts';
import importSchema from '../../src/registry/import.json' with { type: 'json' };
import { entryTable } from '../../src/storage/log/tables.ts';
import { sequenceTable, tablesOf } from '../../src/storage/schema/tables.ts';
import { keyText } from '../../src/values/fold.ts';
import { configOf, usual } from '../support/commands/in-process.ts';
import { sqlite } from '../support/databases/databases.ts';
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

test('keys are folded as in the service', () => {
  const different: string[] = [];
  for (let code = 0; code <= 0x1ffff; code += 1) {
    const letter = String.fromCodePoint(code);
    if (!/\p{Cased}|\p{M}/u.test(letter)) continue;
    const text = `a${letter}\u0301 `;
    if (fold(text) !== keyText(text)) different.push(code.toString(16));
  }
  expect(different).toEqual([]);
  expect(letters('Straße 1')).toBe(letters('STRASSE-1'));
});

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
    [false, { thousands: '0' }],
    [false, { thousands: '-' }],
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
  const namesOf = (records: unknown): unknown[] => (Array.isArray(records) ? records.map(({ name }) => name) : []);
  const table = (...rows: readonly string[]): string => rows.map((row) => `${row}\r\n`).join('');

  test('proposes where columns go, before anything is said', async () => {
    const source = bytesOf('\ufeffTitle;Genre Name;Shelf\nEmma;Prose;A\nPersuasion;;\n');
    const { columns, targets, keys } = await proposalOf({ document, group: 'book', source });
    expect(columns).toEqual([
      { name: 'Title', to: 'title', samples: ['Emma', 'Persuasion'] },
      { name: 'Genre Name', to: 'genre.name', samples: ['Prose'] },
      { name: 'Shelf', to: 'shelf.name', samples: ['A'] },
    ]);
    expect(targets).toEqual(expect.arrayContaining(['id', 'title', 'genreId', 'genre.name']));
    expect(keys).toEqual(['id', 'key', 'genreId,isbn']);
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
    await expect(first).rejects.toThrow("The column 'titel' is not a field of book; did you mean 'title'?");
    await expect(bring('bok', 'title\r\n')).rejects.toThrow("There is no group 'bok'; did you mean 'book'?");
    const ignored = await bring('label', table('name,colour', 'Ignored,red'), { ignoresColumns: true });
    expect(ignored).toMatchObject({ created: 1, ignored: ['colour'] });
    await expect(bring('book', table('a', 'x'), { mapping: { columns: { b: 'title' } } })).rejects.toThrow(
      "The mapping names a column 'b' that is not there",
    );
    await expect(bring('book', table('a', 'x'), { mapping: { columns: { a: 'shelf.nam' } } })).rejects.toThrow(
      "'shelf.nam' cannot be looked up; did you mean 'name'?",
    );
    await expect(bring('book', table('title', 'x'), { key: 'title' })).rejects.toThrow(
      "'title' is not a unique key of book; it has key, or genreId,isbn.",
    );
  });

  test('takes labels of the console: of fields, of values, of records, and says which', async () => {
    const text = table('Title,Genre,Status,Paperback,Mood,Total,shelf.notice', 'Labelled,Prose,Present,No,MERRY,5,x');
    const { notices, ...counts } = await bring('book', text);
    expect(counts).toMatchObject({ created: 1, ignored: ['Total', 'shelf.notice'], refusedRows: [] });
    expect(notices).toEqual([
      'Taken by the label: Genre as genre.name, Status as statusId, Paperback as isPaperback, Mood as moodId.',
    ]);
    const [book] = await books('&title=labelled');
    expect(book).toMatchObject({ genre: { id: genreId }, statusId: 'present', isPaperback: false, moodId: 'merry' });
    // What records show under a name, and nobody sends, is no other field.
    await expect(bring('loan', table('genre.id,genre.name,bookId,start', 'x,y,z,2026-01-01'))).resolves.toMatchObject({
      ignored: ['genre.id', 'genre.name'],
      refused: 1,
    });
  });

  test('stops where a column names records and does not say by what, and no other column does', async () => {
    await expect(bring('loan', table('Book,Reader', 'x,y'))).rejects.toThrow(
      "The column 'Book' does not name the key of its book: call it Book.id or Book.key.",
    );
    const beside = await bring('book', table('title,genre,Genre.name', 'Beside,y,Prose'));
    expect(beside).toMatchObject({ created: 1, ignored: ['genre'] });
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

  test('refuses rows of one record that disagree, are wrong or are apart', async () => {
    const mapping = {
      rowKey: 'No',
      date: 'YYYY-MM-DD',
      columns: { Book: 'title', Genre: 'genre.name', Day: 'boughtOn', Chapter: 'chapters[].heading' },
    };
    const rows = [
      ...['1,Agreed,,,a', '1,Agreed,Prose,2026-02-03,', '1,,Prose,,b'],
      ...['2,Disagreed,Prose,2026-02-03,a', '2,,Verse,,b', '3,Disagreed,Prose,2026-02-03,', '3,,,2026-02-04,b'],
      ...['4,Wrong,Prose,2026-02-03,', '4,,,soon,', '5,Apart,Prose,,a', '6,Between,Prose,,a', '5,,,,b'],
    ];
    const text = table('No,Book,Genre,Day,Chapter', ...rows);
    const { refusedRows, ...counts } = await bring('book', text, { mapping });
    expect(counts).toMatchObject({ created: 3, refused: 4 });
    expect(refusedRows.map(({ line, errors }) => [line, errors.join('; ')])).toEqual([
      ...[5, 6].map((line) => [line, "'genreId' must be the same in all rows with one No, not Prose, Verse"]),
      ...[7, 8].map((line) => [
        line,
        "'boughtOn' must be the same in all rows with one No, not 2026-02-03, 2026-02-04",
      ]),
      ...[9, 10].map((line) => [line, "'boughtOn' must be a date like YYYY-MM-DD"]),
      [13, 'has the No 5 of the rows from line 11 on, and is not next to them'],
    ]);
    const [book] = await books('&title=agreed');
    expect(book).toMatchObject({ boughtOn: '2026-02-03', chapters: [{ heading: 'a' }, { heading: 'b' }] });
    await expect(bring('book', text, { mapping: { ...mapping, rowKey: 'Nr' } })).rejects.toThrow(
      "The mapping names a column 'Nr' that is not there; did you mean 'No'?",
    );
    await expect(bring('book', '{}\n', { mapping, format: 'ndjson' })).rejects.toThrow("'rowKey' is for tables");
  });

  test('reads thousands only in groups of three, and refuses other numbers', async () => {
    const taken = async (mapping: Mapping, ...texts: readonly string[]): Promise<unknown[]> => {
      const rows = texts.map((text) => `Thousand;Prose;"${text}"`);
      const { refusedRows } = await bring('book', table('title;genre.name;price', ...rows), { mapping });
      const made = (await books('&title=thousand')).toReversed();
      for (const { id } of made) await context.call('DELETE', `/books/${id}`);
      return [made.map(({ price }) => price), refusedRows.map(({ line }) => texts[line - 2])];
    };
    const german = { decimal: ',', thousands: '.' };
    const wrong = [
      '110.7',
      '1.00',
      '0.001',
      '12.34.567',
      '1.234.56',
      '1.2345',
      '.123',
      '1,234.5',
      '1234.567',
      '01.234',
    ];
    expect(await taken(german, ...wrong)).toEqual([[], wrong]);
    expect(await taken(german, '1.234', '1234', '1.234.567,5', '12.345,67', '0,07', '110,7')).toEqual([
      [1234, 1234, 1234567.5, 12345.67, 0.07, 110.7],
      [],
    ]);
    expect(await taken({ thousands: ',' }, '1,5', '1,234.5', '12,34', '1,234,567')).toEqual([
      [1234.5, 1234567],
      ['1,5', '12,34'],
    ]);
    expect(await taken({ thousands: ' ' }, '1 234.5', '1 2')).toEqual([[1234.5], ['1 2']]);
    await expect(bring('book', 'title', { mapping: { thousands: '.' } })).rejects.toThrow(
      "'.' cannot be both before the decimals of numbers and between their thousands.",
    );
  });

  test('refuses two columns for one field, and names both', async () => {
    const twice = (text: string, mapping?: Mapping): Promise<unknown> => bring('book', table(text), { mapping });
    await expect(twice('old code,Old_Code')).rejects.toThrow(
      "The columns 'old code' and 'Old_Code' are both for oldCode; leave one out.",
    );
    await expect(twice('genre.id,genreId,title')).rejects.toThrow("'genre.id' and 'genreId' are both for genreId");
    await expect(twice('measures,measures.width')).rejects.toThrow(
      "'measures' and 'measures.width' are both for measures",
    );
    await expect(twice('a,b', { columns: { a: 'shelf.name', b: 'shelfId' } })).rejects.toThrow(
      "The columns 'a' and 'b' are both for shelfId; leave one out.",
    );
    const lines = [
      '{"title":"Two","genre":{"id":"x"},"genreId":"y"}',
      `{"title":"Same","genre":{"id":"${genreId}"},"genreId":"${genreId}"}`,
    ];
    const { refusedRows, created } = await bring('book', `${lines.join('\n')}\n`, { format: 'ndjson' });
    expect(refusedRows.map(({ errors }) => errors)).toEqual([
      ["'genre' and 'genreId' must be the same: both are for genreId"],
    ]);
    expect(created).toBe(1);
    await expect(bring('book', table('title'), { mapping: { constants: { colour: 'red' } } })).rejects.toThrow(
      "The constant 'colour' is not a field of book",
    );
  });

  test('applies values and factors to each item of a list, to numbers of records, and to look-ups', async () => {
    await context.make('label', { name: 'Listed' });
    const columns = {
      t: 'title',
      g: { to: 'genre.name', values: { p: 'Prose' } },
      w: { to: 'weights', split: '|', times: 0.5, values: { none: '0' } },
      l: { to: 'languages', values: { German: 'de', English: 'en' } },
      m: { to: 'marks.name', split: '|', values: { L: 'Listed', '': ['Listed'] } },
      c: { to: 'copies', times: 12 },
    };
    const text = table('t,g,w,l,m,c', 'Items,p,1|none|3,"German,English",L,2', 'Items,p,"[1,2,3]",fr,,1');
    const record = { t: 'Items', g: 'p', w: [2, 4, 6], l: 'English', m: 'L', c: 3, more: 1 };
    expect(await bring('book', text, { mapping: { columns } })).toMatchObject({ created: 2, refusedRows: [] });
    const brought = await bring('book', JSON.stringify(record), { mapping: { columns }, format: 'ndjson' });
    expect(brought).toMatchObject({ created: 1, refusedRows: [], ignored: ['more'] });
    const made = (await books('&title=items')).map(({ weights, languages, marks, copies }) => [
      ...[weights, languages, copies, namesOf(marks)],
    ]);
    expect(made.toReversed()).toEqual([
      [[0.5, 0, 1.5], ['de', 'en'], 24, ['Listed']],
      [[0.5, 1, 1.5], ['fr'], 12, ['Listed']],
      [[1, 2, 3], ['en'], 36, ['Listed']],
    ]);
  });

  test('removes the marks of a safe export before anything is looked up', async () => {
    await context.make('label', { name: '-7' });
    await context.make('label', { name: '=a, b' });
    const top = await context.make('shelf', { name: '@top' });
    const shelf = await context.make('shelf', { name: '+in', parentId: top.id });
    const mapping = {
      ...{ safe: true, constants: { genreId } },
      columns: {
        t: 'title',
        l: 'label.name',
        m: 'marks.name',
        s: { to: 'shelf.name', within: { parentId: 'parent.name of p' } },
        p: null,
        c: { to: 'code', values: { '-': 'none' } },
      },
    };
    const text = table('t,l,m,s,p,c', `Marked,'-7,"['-7]",'+in,'@top,'-`);
    const marked = text.replace("['-7]", '[""-7"",""=a, b""]');
    const { notices, ...counts } = await bring('book', marked, { mapping });
    expect(counts).toMatchObject({ created: 1, refusedRows: [], ignored: [] });
    expect(notices).toEqual(["The ' before =, +, -, @ and ' was removed in l, s, p, c."]);
    const [book] = await books('&title=marked');
    expect(book).toMatchObject({ label: { name: '-7' }, shelf: { id: shelf.id }, code: 'none' });
    expect(namesOf(book?.['marks']).toSorted()).toEqual(['-7', '=a, b']);
  });

  test('lets the last row of a key win, whatever names the record and however many are sent at once', async () => {
    let sent = 0;
    const slow: ImportCall = async (...request) => {
      const [, , { body } = { body: undefined }] = request;
      const isWrite = JSON.stringify(body).includes('PUT');
      sent += isWrite ? 1 : 0;
      // The first ones take longest.
      if (isWrite) await new Promise((resolve) => setTimeout(resolve, Math.max(0, 300 - sent * 50)));
      return call(...request);
    };
    const options = { chunk: 1, callers: 8, call: slow };
    const six = (row: (nth: number) => string): readonly string[] =>
      Array.from({ length: 6 }, (_none, nth) => row(nth));
    const looked = table('genre.name,isbn,title', ...six((nth) => `Prose,last-1,Nth ${nth}`));
    const byGenre = await bring('book', looked, { ...options, key: 'genreId,isbn' });
    expect(byGenre).toMatchObject({ created: 1, updated: 5, refusedRows: [] });
    expect((await books('&titleStartsWith=nth')).map(({ title }) => title)).toEqual(['Nth 5']);
    sent = 0;
    const folded = table('name', ...six((nth) => (nth % 2 === 0 ? `STRASSE ${nth / 2}` : `straße ${(nth - 1) / 2}`)));
    const byName = await bring('label', folded, { ...options, key: 'name' });
    expect(byName).toMatchObject({ created: 3, updated: 3, refusedRows: [] });
    const names = (await context.all('label')).map(({ name }) => String(name)).filter((name) => /^stra/i.test(name));
    expect(names.toSorted()).toEqual(['straße 0', 'straße 1', 'straße 2']);
    const tried = await bring('label', folded.replaceAll(' ', '-'), { ...options, key: 'name', isTrial: true });
    expect(tried).toMatchObject({ created: 3, updated: 3 });
  });

  test('changes update-only fields by an id, and keeps the ids of items', async () => {
    const chapters = [{ heading: 'One' }, { heading: 'Two' }];
    const { id } = await context.make('book', { genreId, title: 'With items', chapters });
    const [before = {} as Json] = await books('&title=with items');
    const [one, two] = before['chapters'] as Json[];
    const record = { ...before, stamp: 'seen', chapters: [one, { ...two, heading: 'Second' }] };
    const text = `${JSON.stringify(record)}\n`;
    const options = { key: 'id', format: 'ndjson' as const };
    expect(await bring('book', text, options)).toMatchObject({ updated: 1, refusedRows: [] });
    const after = (await books('&title=with items'))[0];
    expect(after).toMatchObject({ id, stamp: 'seen' });
    expect(after?.['chapters']).toMatchObject([{ id: one?.['id'] }, { id: two?.['id'], heading: 'Second' }]);
    expect(await bring('book', text, options)).toMatchObject({ unchanged: 1 });
    const copied = await bring('book', JSON.stringify({ ...record, key: 'copied' }), { format: 'ndjson' });
    expect(copied).toMatchObject({ created: 1, leftOut: expect.arrayContaining(['id', 'stamp', 'chapters.id']) });
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
      const { refusedRows, created, ignored, leftOut } = await bring('book', text, options);
      expect(refusedRows).toEqual([]);
      expect(created).toBe(1);
      expect([...ignored, ...leftOut]).toEqual(expect.arrayContaining(['number', 'id']));
      const [copy] = await books('&title=%3Dcmd');
      copies.push(copy ?? {});
    }
    const plain = ({ id: _id, number: _number, createdAt: _at, modifiedAt: _then, chapters, ...rest }: Json): Json => ({
      ...rest,
      chapters: (chapters as Json[]).map(({ id: _own, ...item }) => item),
    });
    for (const copy of copies) expect(plain(copy)).toEqual(plain(source));
  });

  test('names the field of a record that JSON allows and the service does not', async () => {
    const lines = [
      '{"title":"A\\u0000"}',
      '{"title":"A","title":"B"}',
      '{"measures":{"__proto__":1}}',
      '{"chapters":[{"heading":"\\ud800"}]}',
      '{"title":',
    ];
    const brought = await bring('book', `${lines.join('\n')}\n`, { format: 'ndjson' });
    expect(brought.refusedRows.map(({ errors }) => errors)).toEqual([
      ["'title' must be without U+0000"],
      ["'title' is given twice"],
      ["'measures.__proto__' is not allowed"],
      ["'chapters[0].heading' must be without lone surrogates"],
      ['is not valid JSON'],
    ]);
    const columns = { t: 'title', g: 'genre.name', c: 'chapters' };
    const rows = ['A\0,Prose,', 'B,Prose,"[{""heading"":""a"",""heading"":""b""}]"', 'Good,Prose,'];
    const fromTable = await bring('book', table('t,g,c', ...rows), { mapping: { columns } });
    expect(fromTable.created).toBe(1);
    expect(fromTable.refusedRows.map(({ errors }) => errors)).toEqual([
      ["'title' must be without U+0000"],
      ["'chapters' must be JSON that the service takes: '[0].heading' is given twice"],
    ]);
  });

  test('refuses numbers that would lose digits, and a file that is not whole', async () => {
    const line = `{"title":"Long","genreId":"${genreId}","balance":1.00000000000000001}\n`;
    const { refusedRows } = await bring('book', line, { format: 'ndjson' });
    expect(refusedRows[0]?.errors).toEqual(["'balance' has more digits than a number keeps"]);
    for (const number of ['1e400', '-1e400', '123.456e-789']) {
      const asRecord = line.replace('1.00000000000000001', number);
      expect((await bring('book', asRecord, { format: 'ndjson' })).refusedRows[0]?.errors).toEqual([
        "'balance' has more digits than a number keeps",
      ]);
      const asRow = table('title,genreId,balance', `Long,${genreId},${number}`);
      expect((await bring('book', asRow)).refusedRows[0]?.errors).toEqual([
        "'balance' must be a number from 1e-307 to 1e308",
      ]);
    }
    await expect(bring('label', '{"name":"Cut"}\n{"end":true,"count":2}\n', { format: 'ndjson' })).rejects.toThrow(
      'The file has 1 records instead of 2.',
    );
    expect(isObject(document)).toBe(true);
  });
};

const freeJson = (context: Context): void => {
  test('is stored as the cell has it, and compared as it is written', async () => {
    const service = { url: context.address, token: accessToken };
    const shared = {
      call: callOf(service),
      document: await documentOf(service),
      group: 'talk',
      format: 'csv' as const,
    };
    const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
    const bring = (extra: string, options: string, key = 'key'): Promise<ImportResult> => {
      const row = `free,Free,${[extra, options].map(quoted).join()}`;
      return importRows({ ...shared, key, source: bytesOf(`key,title,extra,options\r\n${row}\r\n`) });
    };
    const stored = async (): Promise<unknown[]> => {
      const [talk] = await context.all('talk');
      return [talk?.['extra'], talk?.['options']];
    };
    expect(await bring('{"a":1}', '{"b":{"id":"x","c":[1,{"d":null}]}}')).toMatchObject({ created: 1 });
    expect(await stored()).toEqual([{ a: 1 }, { b: { id: 'x', c: [1, { d: null }] } }]);
    expect(await bring('[1]', '{}')).toMatchObject({ refused: 1 });

    const [talk] = await context.all('talk');
    const byId = (title: string, extra: string): Promise<ImportResult> =>
      importRows({
        ...shared,
        key: 'id',
        source: bytesOf(`id,title,extra\r\n${talk?.id},${title},${quoted(extra)}\r\n`),
      });
    // Another column differs, or the object alone: by one more field, or by one less.
    for (const [title, extra] of [
      ['Other', '{"a":1}'],
      ['Other', '{"a":1,"b":null}'],
      ['Other', '{"a":1,"b":2}'],
      ['Other', '{"b":2}'],
    ] as const) {
      expect(await byId(title, extra)).toMatchObject({ updated: 1, unchanged: 0 });
      expect((await stored())[0]).toEqual(JSON.parse(extra));
      expect(await byId(title, extra)).toMatchObject({ updated: 0, unchanged: 1 });
    }
  });
};

// With the log of changes, so that it is seen that a trial leaves no entry.
onEveryDatabase('the importer', theImporter, 'test', { parts: { changes: 90 } });
onEveryDatabase('free JSON in tables', freeJson, 'fair');

test('the command names the columns that it does not take, also for programs', async () => {
  const { url, drop } = await sqlite.open();
  const folder = mkdtempSync(join(tmpdir(), 'praxis-import-'));
  const printed: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    const file = join(folder, 'labels.csv');
    writeFileSync(file, 'id;Name;Colour;Created at;Active\nx;Red;red;2026-01-01;Yes\n');
    const run = async (json: boolean): Promise<string> => {
      printed.length = 0;
      const options = { ...usual, group: 'label', ignoreColumns: true, try: true, json };
      expect(await importRecords(configOf(url), file, options)).toBe(0);
      return printed.join('');
    };
    expect(await run(false)).toBe(
      [
        "Columns are parted by ';'.",
        'Taken by the label: Active as isActive.',
        '0 of 1 row would be refused; 1 created, 0 updated. Nothing was written.',
        'Ignored columns: Colour, Created at.',
        'Omitted if computed, inherited, not applicable or set by the service: id.',
        '',
      ].join('\n'),
    );
    expect(JSON.parse(await run(true))).toMatchObject({
      notices: ["Columns are parted by ';'.", 'Taken by the label: Active as isActive.'],
      ignored: ['Colour', 'Created at'],
      leftOut: ['id'],
    });
  } finally {
    spy.mockRestore();
    rmSync(folder, { recursive: true });
    await drop();
  }
});
