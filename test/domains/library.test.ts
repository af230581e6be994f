// An application of its own on the engine: other descriptors, a rule that the catalogue lacks, a middleware.
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Praxis, rulesWith } from '../../src/library.ts';
import { databases } from '../support/databases/databases.ts';
import { createLibrary } from './library/service.ts';

const accessToken = 'token-of-the-library-0123';

for (const { name, isThere, open } of databases) {
  describe.skipIf(!isThere)(`a library (${name})`, () => {
    let folder: string;
    let drop: () => Promise<void> | void = () => {};
    let library: Praxis;
    let address: string;
    let close: () => void;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'praxis-library-'));
      const made = await open('praxis_library');
      drop = () => made.drop();
      library = await createLibrary(made.url, accessToken);
      const server = library.app.listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      close = () => server.close();
    });

    afterAll(async () => {
      close();
      await library.close();
      await drop();
      rmSync(folder, { recursive: true });
    });

    async function call(method: string, path: string, body?: object): Promise<[number, Record<string, unknown>]> {
      const answer = await fetch(`${address}/api${path}`, {
        method,
        headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return [answer.status, (await answer.json()) as Record<string, unknown>];
    }
    const create = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const [status, record] = await call('POST', path, body);
      expect([status, record]).toEqual([200, expect.anything()]);
      return record;
    };
    const refusal = (error: string) => [400, expect.objectContaining({ errors: [error] })];

    test('lends a book to one reader at a time, by conditions of its descriptors', async () => {
      const author = await create('/authors', { name: 'Ursula K. Le Guin' });
      const book = await create('/books', { title: 'The Dispossessed', authorId: author.id });
      expect(book).toMatchObject({ author: { id: author.id, name: 'Ursula K. Le Guin' }, isForReadingRoom: false });

      const loan = await create('/loans', { reader: 'Ada', bookId: book.id });
      expect(await call('GET', `/books/${book.id}`)).toEqual([
        200,
        expect.objectContaining({ isOut: true, timesLent: 1 }),
      ]);
      expect(await call('POST', '/loans', { reader: 'Grace', bookId: book.id })).toEqual(
        refusal("'bookId' must be on the shelf"),
      );
      expect((await call('PATCH', `/loans/${loan.id}`, { returnedOn: loan.lentOn }))[0]).toBe(200);
      await create('/loans', { reader: 'Grace', bookId: book.id });

      const atlas = await create('/books', { title: 'Atlas', authorId: author.id, isForReadingRoom: true });
      expect(await call('POST', '/loans', { reader: 'Ada', bookId: atlas.id })).toEqual(
        refusal("'bookId' must be a book that may leave the house"),
      );
    });

    test('checks the number of a book, by a rule of its own', async () => {
      const author = await create('/authors', { name: 'Joanna Russ' });
      const book = { title: 'The Female Man', authorId: author.id };
      expect(await create('/books', { ...book, isbn: '9780306406157' })).toMatchObject({ isOut: false, timesLent: 0 });
      for (const isbn of ['9780306406158', '978030640615', '978030640615x'])
        expect(await call('POST', '/books', { ...book, isbn })).toEqual(
          refusal("'isbn' must be a number of 13 digits with its check digit"),
        );
    });

    test('lets one of two readers who come at once have the book', async () => {
      const author = await create('/authors', { name: 'Stanislaw Lem' });
      const book = await create('/books', { title: 'Solaris', authorId: author.id });
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, reader) => call('POST', '/loans', { reader: `R${reader}`, bookId: book.id })),
      );
      expect(answers.map(([status]) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)]);
    });

    test('keeps the catalogue: ranges of dates, delete rules, unknown fields', async () => {
      const author = await create('/authors', { name: 'Octavia Butler' });
      const book = await create('/books', { title: 'Kindred', authorId: author.id });
      const loan = await create('/loans', { reader: 'Ada', bookId: book.id, lentOn: '2026-03-02' });
      expect((await call('PATCH', `/loans/${loan.id}`, { returnedOn: '2026-03-01' }))[0]).toBe(400);
      expect((await call('DELETE', `/authors/${author.id}`))[0]).toBe(409);
      expect((await call('POST', '/authors', { name: 'X', shoeSize: 1 }))[0]).toBe(400);
    });

    test('answers by its own middleware first', async () => {
      const answer = await fetch(`${address}/`);
      expect([answer.status, await answer.text()]).toEqual([200, 'Open from 9 to 5.']);
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect((await fetch(`${address}/api/authors`)).status).toBe(401);
    });

    test('is described by its own document', async () => {
      const document = (await (await fetch(`${address}/openapi.json`)).json()) as { paths: object };
      expect(Object.keys(document.paths)).toEqual(
        expect.arrayContaining(['/authors', '/authors/{id}', '/books', '/books/{id}', '/loans', '/loans/{id}']),
      );
    });
  });
}

test('a rule cannot take the name of one of the catalogue', () => {
  expect(() => rulesWith({ range: { parameters: {} } })).toThrow('the catalogue already has rules called range');
});

test('an address that cannot be read is told in one line', async () => {
  await expect(openDatabase('library')).rejects.toThrow('The database URL has no scheme');
});
