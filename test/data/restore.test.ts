// A workspace that is put back as an export has it, and files that are brought in from the command line.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportRecords } from '../../src/commands/data/export.ts';
import { importRecords } from '../../src/commands/data/import.ts';
import { writeBackup } from '../../src/commands/database/backup.ts';
import { valuesOfRecord } from '../../src/engine/restore/record-values.ts';
import { parseSource } from '../../src/registry/read/source.ts';
import { buildRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { commandsInProcess, configOf, usual } from '../support/commands/in-process.ts';
import { Project, token } from '../support/commands/project.ts';
import { databases, sqlite } from '../support/databases/databases.ts';
import { type Json, registryOf, startService } from '../support/service/praxis.ts';

const { folder, printed } = commandsInProcess('restore');

/** All files of a folder, by their names. */
const filesIn = (name: string): Json =>
  Object.fromEntries(readdirSync(name).map((file) => [file, readFileSync(join(name, file), 'utf8')]));

/** The records of a file. */
const linesIn = (file: string): readonly Json[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -2)
    .map((line) => JSON.parse(line));

for (const { name, isThere, open } of databases)
  describe.skipIf(!isThere)(`a restore (${name})`, () => {
    test('gives the same lists, byte for byte, and no differences', async () => {
      const [first, second] = [await open('praxis_out'), await open('praxis_in')];
      try {
        const service = await startService('test', first.url);
        const donor = await service.make('reader', {}, 'all');
        const shelf = await service.make('shelf', {}, 'all');
        const before = await service.make('book', { donorId: donor.id, shelfId: shelf.id, pages: 7 }, 'all');
        const later = await service.make('book', { sequelOfId: before.id });
        // A reference to a record that was made behind it.
        await service.call('PATCH', `/books/${before.id}`, { sequelOfId: later.id, statusId: 'present' });
        await service.make('loan', {}, 'all');
        await service.call('DELETE', `/books/${(await service.make('book')).id}`);
        await service.stop();
        const [out, again] = [join(folder, `${name}-out`), join(folder, `${name}-again`)];
        await exportRecords(configOf(first.url), undefined, { all: out, filter: [] });
        expect(await importRecords(configOf(second.url), undefined, { ...usual, all: out, keepIds: true })).toBe(0);
        expect(printed.join('')).toContain('no differences');
        await exportRecords(configOf(second.url), undefined, { all: again, filter: [] });
        expect(filesIn(again)).toEqual(filesIn(out));
        expect(filesIn(out)['book.ndjson']).toMatch(/\n\{"end":true,"count":[2-9]\}\n$/);
        const filled = importRecords(configOf(second.url), undefined, { ...usual, all: out, keepIds: true });
        await expect(filled).rejects.toThrow('The workspace already contains records');
        const restored = await startService('test', second.url);
        try {
          expect(await restored.all('book', '&isCounted=true')).toHaveLength(1);
          const made = await restored.make('book');
          const numbers = (await restored.all('book')).map(({ number }) => number);
          expect(new Set(numbers).size).toBe(numbers.length);
          expect(numbers).toContain(made['number']);
        } finally {
          await restored.stop();
        }
      } finally {
        await first.drop();
        await second.drop();
      }
    }, 120_000);

    test('keeps what records have of their own while they show what they inherit', async () => {
      const [first, second] = [await open('praxis_own_out'), await open('praxis_own_in')];
      const [out, again] = [join(folder, `${name}-own`), join(folder, `${name}-own-again`)];
      try {
        const service = await startService('test', first.url);
        const label = await service.make('label');
        const own = { notice: 'Of its own', labelId: label.id };
        const book = await service.make('book', { source: 'library', ...own });
        await service.make('book', { source: 'library' });
        await service.make('book', { source: 'own', ...own });
        await service.stop();
        await exportRecords(configOf(first.url), undefined, { all: out, filter: [] });
        const kept = linesIn(join(out, 'book.ndjson'));
        expect(kept.map((each) => [each['notice'], each['notice.own'], each['label.own']])).toEqual([
          ['Handle with care', 'Of its own', label.id],
          ['Handle with care', '', null],
          ['Of its own', undefined, undefined],
        ]);
        await importRecords(configOf(second.url), undefined, { ...usual, all: out, keepIds: true });
        await exportRecords(configOf(second.url), undefined, { all: again, filter: [] });
        expect(filesIn(again)).toEqual(filesIn(out));
        const restored = await startService('test', second.url);
        try {
          const { body } = await restored.call('PATCH', `/books/${book.id}`, { source: 'own' });
          expect(body).toMatchObject({ notice: own.notice, label: { id: label.id } });
        } finally {
          await restored.stop();
        }
      } finally {
        await first.drop();
        await second.drop();
      }
    }, 120_000);

    test('refuses an export that is not whole, and one of other groups, and changes nothing', async () => {
      const { url, drop } = await open('praxis_cut');
      try {
        const all = join(folder, `${name}-cut`);
        await exportRecords(configOf(url), undefined, { all, filter: [] });
        const file = join(all, 'genre.ndjson');
        const whole = readFileSync(file, 'utf8');
        const before = filesIn(all);
        const back = (): Promise<unknown> => importRecords(configOf(url), undefined, { ...usual, all, keepIds: true });
        writeFileSync(file, whole.split('\n').slice(1).join('\n'));
        await expect(back()).rejects.toThrow(`${file} has 1 records instead of 2.`);
        writeFileSync(file, whole.split('\n').slice(0, -2).join('\n'));
        await expect(back()).rejects.toThrow(`${file} is incomplete: its last line is missing.`);
        writeFileSync(file, whole);
        const [shelf, other] = ['01a2033b-ccbb-7565-9176-83659df1db35', '01a2033b-ccbb-7565-9176-83659df1db36'];
        const lost = JSON.stringify({
          id: shelf,
          name: 'x',
          floor: 0,
          notice: '',
          createdAt: '2026-02-20T12:29:40.411Z',
          parent: { id: other },
        });
        writeFileSync(join(all, 'shelf.ndjson'), `${lost}\n{"end":true,"count":1}\n`);
        // Behind records that were written already.
        await expect(back()).rejects.toThrow('shelf.parent_id names a record that is not there.');
        writeFileSync(join(all, 'shelf.ndjson'), '{"end":true,"count":0}\n');
        writeFileSync(join(all, 'spaceship.ndjson'), '{"end":true,"count":0}\n');
        await expect(back()).rejects.toThrow('The export contains unknown groups: spaceship.');
        const after = join(folder, `${name}-after`);
        await exportRecords(configOf(url), undefined, { all: after, filter: [] });
        expect(filesIn(after)).toEqual(before);
      } finally {
        await drop();
      }
    }, 60_000);
  });

test('records out of a backup come back behind those that they name, with their files', async () => {
  const project = await Project.open('SQLite');
  const name = { type: 'string', maxLength: 40 };
  const parent = { reference: 'crate', nullable: true, onDelete: 'cascade' };
  const paper = {
    crate: { reference: 'crate', onDelete: 'cascade' },
    spare: { reference: 'crate', nullable: true, onDelete: 'clear' },
    scan: { type: ['string', 'null'], format: 'file' },
  };
  // By name papers come before the crates in which they are, and by id a crate before that in which it is.
  project.describe({ 'a-paper': { properties: { name, ...paper } }, crate: { properties: { name, parent } } });
  const files = { FILES: 'database' };
  const backup = join(folder, 'part.sqlite');
  const bringBack = async (id: string): Promise<string> => {
    printed.length = 0;
    const status = await importRecords(project.config(files), undefined, {
      ...usual,
      ...{ fromBackup: backup, group: 'crate', id: [id] },
    });
    return `${status} ${printed.join('')}`.trimEnd();
  };
  try {
    await project.serve(async (call, address) => {
      const make = async (path: string, body: Json): Promise<string> =>
        String(Object((await call('POST', path, body)).body).id);
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/plain' };
      const posted = await fetch(`${address}/files`, { method: 'POST', headers, body: 'It is so.' });
      const { id: scanId } = (await posted.json()) as { id: string };
      const inner = await make('/crates', { name: 'inner' });
      const outer = await make('/crates', { name: 'outer' });
      await call('PATCH', `/crates/${inner}`, { parentId: outer });
      for (const text of ['one', 'two']) await make('/a-papers', { name: text, crateId: inner, scanId });
      // What goes on without a crate is no part of it.
      const elsewhere = await make('/crates', { name: 'elsewhere' });
      const loose = await make('/a-papers', { name: 'three', crateId: elsewhere, spareId: inner });
      await writeBackup(project.config(files), backup, {});
      const lists = async () => [(await call('GET', '/crates')).body, (await call('GET', '/a-papers')).body];
      const before = await lists();
      expect((await call('DELETE', `/crates/${outer}`)).status).toBe(204);
      expect(await bringBack(outer)).toBe('0 4 records were restored (2 crate, 2 a-paper); 1 other is there.');
      await call('PATCH', `/a-papers/${loose}`, { spareId: inner });
      expect(await lists()).toEqual(before);
    }, files);
  } finally {
    await project.close();
  }
}, 60_000);

describe('the command', () => {
  test('writes refused rows into a file, which is imported as it is when it is mended', async () => {
    const { url, drop } = await sqlite.open();
    const config = configOf(url);
    const file = join(folder, 'genres.csv');
    const refused = join(folder, 'genres.refused.csv');
    const options = { ...usual, group: 'genre' };
    try {
      const long = 'x'.repeat(50);
      writeFileSync(file, `name\r\n"One, two"\r\n${long}\r\nThree\r\n`);
      expect(await importRecords(config, file, { ...options, try: true })).toBe(1);
      expect(printed.join('')).toContain('1 of 3 rows would be refused; 2 created, 0 updated. Nothing was written.');
      expect(existsSync(refused)).toBe(false);
      expect(await importRecords(config, file, options)).toBe(1);
      expect(printed.at(-1)).toBe(`2 created, 0 updated, 1 refused: ${refused}.\n`);
      expect(existsSync(`${file}.praxis-import`)).toBe(false);
      const text = readFileSync(refused, 'utf8');
      expect(text).toBe(`name,line,errors\r\n${long},3,'name' must be at most 40 characters\r\n`);
      writeFileSync(refused, text.replace(long, 'Two'));
      expect(await importRecords(config, refused, options)).toBe(0);
      const out = join(folder, 'genres.out.csv');
      await exportRecords(config, 'genres', { out, fields: 'name', filter: [] });
      const nowhere = join(folder, 'none/genres.csv');
      await expect(exportRecords(config, 'genres', { out: nowhere, filter: [] })).rejects.toThrow(
        `Cannot write '${nowhere}': no such file or directory.`,
      );
      expect(readFileSync(out, 'utf8').split('\r\n').slice(3, 6)).toEqual(['"One, two"', 'Three', 'Two']);
    } finally {
      await drop();
    }
  }, 60_000);

  test('gives new records the ids of the file, where it is to keep them', async () => {
    const [first, second] = [configOf((await sqlite.open()).url), configOf((await sqlite.open()).url)];
    const [labels, again] = [join(folder, 'named.ndjson'), join(folder, 'named-again.ndjson')];
    const options = { ...usual, group: 'label', keepIds: true };
    const csv = join(folder, 'named.csv');
    writeFileSync(csv, 'name\r\nOne\r\nTwo\r\n');
    expect(await importRecords(first, csv, { ...usual, group: 'label' })).toBe(0);
    await exportRecords(first, 'label', { out: labels, filter: [] });
    expect(await importRecords(second, labels, options)).toBe(0);
    await exportRecords(second, 'label', { out: again, filter: [] });
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(labels, 'utf8'));
    // By their ids they are known; without a key they are there already.
    expect(await importRecords(second, labels, { ...options, key: 'id' })).toBe(0);
    expect(printed.at(-1)).toBe('0 created, 0 updated, 2 unchanged, 0 refused.\nIgnored columns: createdAt.\n');
    expect(await importRecords(second, labels, options)).toBe(1);
    const refused = readFileSync(labels.replace('.ndjson', '.refused.ndjson'), 'utf8').trim().split('\n');
    expect(refused.map((line) => JSON.parse(line).errors)).toEqual(
      Array(2).fill('A Label with the same id already exists.'),
    );
    const others = ['01a20000-0000-4000-8000-000000000000', 'fff00000-0000-7000-8000-000000000000'];
    writeFileSync(csv, `id,name\r\n${others.map((id, place) => `${id},Other ${place}`).join('\r\n')}\r\n`);
    expect(await importRecords(second, csv, { ...options, key: 'id' })).toBe(1);
    expect(readFileSync(join(folder, 'named.refused.csv'), 'utf8').split('\r\n').slice(1, 3)).toEqual(
      others.map(
        (id, place) => `${id},Other ${place},${place + 2},"'id' must be a UUID of version 7, and of no time to come"`,
      ),
    );
    // A service gives ids of its own.
    const url = { ...options, url: 'http://127.0.0.1:9/api' };
    await expect(importRecords(second, labels, url)).rejects.toThrow('a service generates its own ids');
  }, 60_000);

  test('takes what an export gives: what is computed, inherited, or does not apply is left out of rows', async () => {
    const project = await Project.open('SQLite');
    const text = { type: 'string', maxLength: 40, default: '' };
    const flag = { type: 'boolean', default: false };
    const amount = { type: ['number', 'null'], format: 'decimal', precision: 9, scale: 2 };
    const inherits = (from: string): object => ({
      ...{ inherits: [{ when: "source == 'house'", from }], onlyWhen: "source == 'own'" },
    });
    const total = { formula: 'coalesce(quantity * 2, 0)', when: "mode == 'twice'" };
    project.describe({
      house: { properties: { name: text, notes: text } },
      order: {
        properties: {
          name: text,
          house: { reference: 'house', immutable: true, onDelete: 'restrict' },
          source: { type: 'string', enum: ['own', 'house'], default: 'house' },
          mode: { type: 'string', enum: ['once', 'twice'], default: 'once' },
          notes: { ...text, inherits: [{ when: "source == 'house'", from: 'house.notes' }] },
          label: { ...text, ...inherits('house.name') },
          quantity: amount,
          uses: flag,
          strict: { ...flag, onlyWhen: 'uses' },
          sums: { type: ['object', 'null'], properties: { total: { ...amount, ...total } } },
          lines: {
            type: 'array',
            maxItems: 10,
            default: [],
            items: {
              type: 'object',
              properties: {
                count: amount,
                price: amount,
                amount: { ...amount, formula: 'count * price', when: 'count != null && price != null' },
              },
            },
          },
        },
        required: ['house'],
      },
    });
    const config = project.config();
    const file = join(folder, 'orders.ndjson');
    const bring = async (records: readonly Json[], more: object = {}): Promise<string> => {
      writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      await importRecords(config, file, { ...usual, group: 'order', ...more });
      return printed.at(-1) ?? '';
    };
    const all = async (name: string): Promise<readonly Json[]> => {
      await exportRecords(config, undefined, { all: join(folder, name), filter: [] });
      return linesIn(join(folder, name, 'order.ndjson'));
    };
    try {
      await project.serve(async (call) => {
        const house = Object((await call('POST', '/houses', { name: 'Tall', notes: 'Of the house' })).body).id;
        const lines = [{ count: 2, price: 3 }, { amount: 7 }];
        const inherited = { houseId: house, notes: 'Own', quantity: 4, mode: 'twice', sums: {}, lines };
        expect((await call('POST', '/orders', inherited)).status).toBe(200);
        expect((await call('POST', '/orders', { ...inherited, source: 'own', uses: true, strict: true })).status).toBe(
          200,
        );
        const made = await all('orders-made');
        const [first = {}] = made;
        expect(first).toMatchObject({ notes: 'Of the house', 'notes.own': 'Own', label: 'Tall', strict: false });
        expect(first).toMatchObject({ sums: { total: 8 }, lines: [{ amount: 6 }, { amount: 7 }] });
        const shown = made.map(({ 'notes.own': _notes, 'label.own': _label, ...record }) => record);
        const notTaken = 'Ignored columns: createdAt.';
        const leftOut = (...names: readonly string[]): string =>
          `Omitted if computed, inherited, not applicable or set by the service: ${names.join(', ')}.`;
        const shownOnly = ['notes', 'label', 'strict', 'sums.total', 'lines.amount'];
        expect((await bring(shown, { key: 'id' })).split('\n')).toEqual([
          ...['0 created, 0 updated, 2 unchanged, 0 refused.', notTaken, leftOut(...shownOnly), ''],
        ]);
        // What differs is changed, or refused as by any client, and what is its own stays.
        const other = { ...shown[0], quantity: 5, house: { id: shown[0]?.['id'], name: 'Tall' } };
        expect(await bring([other], { key: 'id' })).toContain('0 updated, 1 refused');
        expect(await bring([{ ...shown[0], quantity: 5 }], { key: 'id' })).toContain('1 updated, 0 refused');
        expect((await all('orders-changed'))[0]).toMatchObject({ 'notes.own': 'Own', sums: { total: 10 } });
        // New records have what is their own, as far as the export tells it.
        expect((await bring([...shown, ...made])).split('\n')).toEqual([
          ...['4 created, 0 updated, 0 refused.', notTaken, leftOut('id', ...shownOnly), ''],
        ]);
        const own = (await all('orders-more')).map((record) => record['notes.own'] ?? record['notes']);
        expect(own).toEqual(['Own', 'Own', '', 'Own', 'Own', 'Own']);
      });
    } finally {
      await project.close();
    }
  }, 60_000);

  test('goes on where its journal says, and only with the same file', async () => {
    const { url, drop } = await sqlite.open();
    const config = configOf(url);
    const file = join(folder, 'labels.csv');
    const journal = `${file}.praxis-import`;
    const options = { ...usual, group: 'label', chunk: '1', callers: '1', maxRefused: '0' };
    try {
      writeFileSync(file, `name,colour\r\nA,red\r\n`);
      await expect(importRecords(config, file, options)).rejects.toThrow("The column 'colour' is not a field of label");
      expect(existsSync(journal)).toBe(false);
      writeFileSync(file, `name\r\nA\r\n${'x'.repeat(300)}\r\nB\r\n`);
      expect(await importRecords(config, file, options)).toBe(1);
      expect(printed.at(-1)).toContain('Stopped: more than 0 rows were refused.');
      expect(JSON.parse(readFileSync(journal, 'utf8')).state).toMatchObject({ chunks: 2, created: 1, refused: 1 });
      writeFileSync(file, `name\r\nA\r\nB\r\n`);
      await expect(importRecords(config, file, options)).rejects.toThrow(
        'The journal belongs to another file or to other options; remove it, or choose another with --journal.',
      );
      rmSync(journal);
      expect(await importRecords(config, file, { ...options, key: 'name' })).toBe(0);
      expect(printed.at(-1)).toBe('1 created, 0 updated, 1 unchanged, 0 refused.\n');
    } finally {
      await drop();
    }
  }, 60_000);

  test('says what is missing before it opens anything', async () => {
    const config = configOf('sqlite:nowhere/at/all.sqlite');
    const told = async (file: string | undefined, options: object): Promise<unknown> =>
      importRecords(config, file, { ...usual, ...options }).catch((error: Error) => error.message);
    expect(await told(undefined, {})).toMatch(/^The import needs one file/);
    expect(await told(undefined, { all: 'x' })).toMatch('add --keep-ids');
    expect(await told('nothing.csv', { group: 'book' })).toBe('The file nothing.csv does not exist.');
    const mapping = join(folder, 'map.json');
    writeFileSync(mapping, '{"colums": {}}');
    writeFileSync(join(folder, 'a.csv'), 'a\r\n');
    expect(await told(join(folder, 'a.csv'), { map: mapping, group: 'book' })).toBe(
      `The mapping ${mapping}: 'colums' is unknown; did you mean 'columns'?`,
    );
    expect(await told(join(folder, 'a.csv'), {})).toBe('The import needs the group of the records: --group <name>.');
    expect(await told(join(folder, 'a.csv'), { group: 'book', chunk: '5000' })).toBe(
      "--chunk must be a whole number from 1 to 1000, not '5000'.",
    );
  });
});

test('what an export does not show is kept as unset, or as its column can hold it until it is computed', () => {
  const repair = registryOf('figures').resources.get('repair');
  expect(repair && valuesOfRecord(repair, { id: 'r1', mood: null, boat: { id: 'B1', name: 'Boat' } })).toMatchObject({
    ...{ id: 'r1', boatId: 'B1', mood: null, statusId: 'open', start: '2024-02-28', lines: [] },
    ...{ subtotal: '0', length: 5, number: 0, isLong: false, currency: '', ownerName: null, quote: null },
  });
});

test('a reference into one of several groups is kept, whatever it is called', () => {
  const properties = {
    kindId: { type: 'string', enum: ['own', 'other'], description: 'Which group' },
    subject: {
      referenceBy: 'kindId',
      groups: { own: 'mark', other: 'board' },
      onDelete: 'clear',
      description: 'Record',
    },
  };
  const items = { type: 'object', properties, required: ['kindId', 'subject'] };
  const described = (title: string, lists: object): object => ({
    ...{ title, description: 'A record.', type: 'object', required: ['name'] },
    properties: { name: { type: 'string', maxLength: 20, description: 'Name' }, ...lists },
    resource: { path: `/${title.toLowerCase()}s`, shownAs: '{name}', operations: ['list', 'get', 'create'] },
  });
  const mark = described('Mark', {});
  const board = described('Board', { pins: { type: 'array', maxItems: 9, description: 'Pins', items } });
  const sources = Object.entries({ mark, board }).flatMap(
    ([name, descriptor]) => parseSource(`${name}.json`, name, JSON.stringify(descriptor)).source ?? [],
  );
  const resource = buildRegistry(sources, ruleSignatures).resources.get('board');
  const pins = [
    { kindId: 'own', subject: 'm1' },
    { kindId: 'other', subject: 'b1' },
  ];
  expect(resource && valuesOfRecord(resource, { id: 'b2', name: 'B', pins })).toMatchObject({ id: 'b2', pins });
});
