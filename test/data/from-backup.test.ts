// Records that are gone and come back out of a backup, with what went along with them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFiles } from '../../src/app/data/files.ts';
import { exportRecords } from '../../src/commands/data/export.ts';
import { type ImportArguments, importRecords } from '../../src/commands/data/import.ts';
import { writeBackup } from '../../src/commands/database/backup.ts';
import { verify } from '../../src/commands/database/verify.ts';
import { readConfig } from '../../src/config.ts';
import { commandsInProcess, configOf, usual } from '../support/commands/in-process.ts';
import { databases, sqlite } from '../support/databases/databases.ts';
import { accessToken, type Context, folders, type Json, startService } from '../support/service/praxis.ts';

const { folder, printed } = commandsInProcess('from-backup');

/** All records as lists show them, but for the times of their last change. */
const recordsOf = async ({ all }: Context): Promise<Record<string, Json[]>> => {
  const found: Record<string, Json[]> = {};
  for (const group of ['book', 'loan', 'shelf', 'genre'])
    found[group] = (await all(group)).map(({ modifiedAt: _at, ...rest }) => rest);
  return found;
};

for (const { name, isThere, open } of databases)
  describe.skipIf(!isThere)(`records out of a backup (${name})`, () => {
    const backup = join(folder, `${name}.sqlite`);
    let database: Awaited<ReturnType<typeof open>>;
    let service: Context & { stop(): Promise<void> };
    let ids: Readonly<Record<'top' | 'book' | 'lost' | 'reader', string>>;
    const bringBack = async (options: Partial<ImportArguments>): Promise<string> => {
      printed.length = 0;
      const status = await importRecords(configOf(database.url), undefined, { ...usual, ...options }).catch(
        (error: Error) => error.message,
      );
      return `${status} ${printed.join('')}`.trimEnd();
    };

    beforeAll(async () => {
      const source = await sqlite.open();
      database = await open('praxis_part');
      try {
        const first = await startService('test', source.url);
        const top = await first.make('shelf', { name: 'Top' });
        const middle = await first.make('shelf', { name: 'Middle', parentId: top.id });
        await first.make('shelf', { name: 'Low', parentId: middle.id });
        const genre = await first.make('genre');
        const marks = [await first.make('label'), await first.make('label')].map(({ id }) => id);
        const chapters = [
          { heading: 'One', pictures: [{ caption: 'p' }] },
          { heading: 'Two', fee: 2.5 },
        ];
        const book = await first.make('book', { genreId: genre.id, markIds: marks, chapters, balance: -0.07 });
        const reader = await first.make('reader');
        await first.make('loan', { bookId: book.id, readerId: reader.id });
        await first.make('loan', { bookId: book.id });
        const lost = await first.make('book');
        for (const statusId of ['present', 'lost']) await first.call('PATCH', `/books/${lost.id}`, { statusId });
        ids = { top: top.id, book: book.id, lost: lost.id, reader: reader.id };
        await first.stop();
        await writeBackup(configOf(source.url), backup, {});
        const all = join(folder, `${name}-all`);
        await exportRecords(configOf(source.url), undefined, { all, filter: [] });
        await importRecords(configOf(database.url), undefined, { ...usual, all, keepIds: true });
        service = await startService('test', database.url);
      } finally {
        await source.drop();
      }
    }, 60_000);
    afterAll(async () => {
      await service?.stop();
      await database?.drop();
    });

    test('come back with their ids, and with what went along with them', async () => {
      const before = await recordsOf(service);
      for (const path of [`/shelves/${ids.top}`, `/books/${ids.book}`])
        expect((await service.call('DELETE', path)).status).toBe(204);
      const after = await recordsOf(service);
      expect([before, after].map(({ loan, shelf: left }) => [loan?.length, left?.length])).toEqual([
        [2, 3],
        [0, 0],
      ]);
      const shelf = { fromBackup: backup, group: 'shelves', id: [ids.top] };
      expect(await bringBack({ ...shelf, try: true })).toBe(
        '0 3 records would be restored (3 shelf). Nothing was written.',
      );
      expect(await recordsOf(service)).toEqual(after);
      expect(await bringBack(shelf)).toBe('0 3 records were restored (3 shelf).');
      const book = { fromBackup: backup, group: 'book', id: [ids.book.toUpperCase()] };
      expect(await bringBack({ ...book, json: true })).toMatch(/"back": \{\s+"book": 1,\s+"loan": 2\s+\}/);
      expect(await recordsOf(service)).toEqual(before);
      expect(await bringBack(book)).toBe('0 0 records were restored; 3 others are there.');
      expect(await verify(configOf(database.url), [], {})).toBe(true);
    }, 60_000);

    test('come back all or none: what they need must be there', async () => {
      for (const path of [`/books/${ids.book}`, `/readers/${ids.reader}`])
        expect((await service.call('DELETE', path)).status).toBe(204);
      const after = await recordsOf(service);
      expect(await bringBack({ fromBackup: backup, group: 'book', id: [ids.book] })).toMatch(
        /^1 loan \S{36} {2}'readerId' does not refer to an existing Reader\nNothing was written\.$/,
      );
      expect(await recordsOf(service)).toEqual(after);
    });

    test('come back in a state that a create may not send', async () => {
      const path = `/books/${ids.lost}`;
      const isLost = async () => expect((await service.call('GET', path)).body).toMatchObject({ statusId: 'lost' });
      await isLost();
      expect((await service.call('DELETE', path)).status).toBe(204);
      expect(await bringBack({ fromBackup: backup, group: 'book', id: [ids.lost] })).toBe(
        '0 1 record was restored (1 book).',
      );
      await isLost();
    });

    test('are told apart from what is not there', async () => {
      const other = '01a2033b-ccbb-7565-9176-83659df1db35';
      const asked = { fromBackup: backup, group: 'book' };
      expect(await bringBack({ ...asked, id: [other] })).toBe(`The backup has no book with the id '${other}'.`);
      expect(await bringBack({ ...asked, id: ['x'] })).toBe("--id must be the id of a record, not 'x'.");
      expect(await bringBack(asked)).toMatch(/^The restore needs records/);
      expect(await bringBack({ ...asked, group: 'settings', id: [other] })).toBe(
        'Records of settings cannot be deleted, so they cannot be restored.',
      );
      expect(await bringBack({ ...asked, url: 'http://x', id: [other] })).toMatch('remove --url');
      expect(await bringBack({ ...asked, fromBackup: 'nothing.sqlite', id: [other] })).toBe(
        'There is no backup nothing.sqlite.',
      );
      const { url, drop } = await sqlite.open();
      await (await startService('garage', url)).stop();
      expect(await bringBack({ ...asked, fromBackup: url, id: [other] })).toMatch(/^The backup does not match/);
      await drop();
    });
  });

for (const place of ['folder', 'database'])
  test(`files that records name come back with them, where they are kept in a ${place}`, async () => {
    const { url, drop } = await sqlite.open();
    const files = place === 'folder' ? join(folder, 'kept') : place;
    const config = readConfig({ DATABASE_URL: url, RESOURCES: folders.files, FILES: files });
    const backup = join(folder, `with-files-in-a-${place}.sqlite`);
    const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'text/plain' };
    try {
      const service = await startService('files', url, { files });
      const posted = await fetch(`${service.address}/files`, { method: 'POST', headers, body: 'It is agreed.' });
      const { id } = (await posted.json()) as { id: string };
      const contract = await service.make('contract', { title: 'x', documentId: id });
      await writeBackup(config, backup, {});
      expect(existsSync(`${backup}.files`)).toBe(place === 'folder');
      await service.call('DELETE', `/contracts/${contract.id}`);
      const day = 25 * 60 * 60 * 1000;
      const sweep = async (days: number): Promise<void> =>
        createFiles(service.workspace)?.sweep(Date.now() + days * day, pino({ enabled: false }));
      await sweep(0);
      await sweep(1);
      const download = async (): Promise<string> => (await fetch(`${service.address}/files/${id}`, { headers })).text();
      expect(await download()).toContain('not found');
      const asked = { ...usual, fromBackup: backup, group: 'contract', id: [contract.id] };
      printed.length = 0;
      expect(await importRecords(config, undefined, asked)).toBe(0);
      expect(printed).toEqual(['2 records were restored (1 file, 1 contract).\n']);
      expect(await download()).toBe('It is agreed.');
      expect(await service.all('contract')).toEqual([contract]);
      await service.stop();
    } finally {
      await drop();
    }
  }, 60_000);
