// What conditions and effects ask of the time before a write: of the record itself, of others, also among writes at once.
import { expect, test } from 'vitest';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

const general = 'There was a problem processing your request. See errors for more details.';
const refused = (...errors: string[]): Json => ({ status: 400, message: general, errors });

onEveryDatabase(
  'before()',
  (context) => {
    const post = async (path: string, body: Json): Promise<unknown> => (await context.call('POST', path, body)).body;
    const patch = async (path: string, body: Json): Promise<unknown> => (await context.call('PATCH', path, body)).body;
    const book = (copies: number) => context.make('book', { title: 'Middlemarch', copies });
    const waiting = (bookId: string, reader: string, more: Json = {}) =>
      context.make('hold', { bookId, reader, isMet: false, ...more });
    const loan = (bookId: string, reader: string, more: Json = {}) =>
      context.make('loan', { bookId, reader, weeks: 2, isBack: false, lines: [], ...more });
    const noteOf = async (id: string) => ((await context.call('GET', `/holds/${id}`)).body as Json)['note'];

    test('of another record it is what was kept, whatever the write makes of that', async () => {
      const { id: bookId } = await book(2);
      for (const reader of ['Ann', 'Bea', 'Cid']) await waiting(bookId, reader);
      expect(await post('/holds', { bookId, reader: 'Dan' })).toMatchObject({ reader: 'Dan' });
      expect(await post('/holds', { bookId, reader: 'Eve' })).toEqual(
        refused("'reader' must be among the first 4, and 4 wait already"),
      );
      expect((await context.call('GET', `/books/${bookId}`)).body).toMatchObject({ held: 4 });
    });

    test('an effect tells what was so before it acts, and before it was written', async () => {
      const { id: bookId } = await book(2);
      const first = await waiting(bookId, 'Ann');
      const second = await waiting(bookId, 'Bea');
      const { id } = await loan(bookId, 'Ann');
      expect(await noteOf(first.id)).toBe('one of 2');
      await patch(`/loans/${id}`, { isBack: true });
      expect(await noteOf(second.id)).toBe('next of 1');
    });

    test('of the record itself it is what was stored, and null on create', async () => {
      const { id: bookId } = await book(9);
      const { id } = await loan(bookId, 'Ann', { weeks: 6 });
      expect(await post('/loans', { bookId, reader: 'Bea', weeks: 7 })).toEqual(
        refused("'weeks' must be at most two weeks longer than 4"),
      );
      expect(await patch(`/loans/${id}`, { weeks: 9 })).toEqual(
        refused("'weeks' must be at most two weeks longer than 6"),
      );
      expect(await patch(`/loans/${id}`, { weeks: 8 })).toMatchObject({ weeks: 8 });
    });

    test('items begin at what they name', async () => {
      const { id: bookId } = await book(9);
      const other = await book(1);
      await waiting(other.id, 'Ann');
      const lines = (...least: number[]) => least.map((one) => ({ bookId: other.id, least: one }));
      expect(await post('/loans', { bookId, reader: 'Ann', lines: lines(1, 2, 0) })).toEqual(
        refused("'lines[1].least' must be at most 1"),
      );
      expect(await post('/loans', { bookId, reader: 'Ann', lines: lines(1, 0) })).toMatchObject({ reader: 'Ann' });
    });

    test('a delete is judged by what was there', async () => {
      const { id: bookId } = await book(1);
      const met = await waiting(bookId, 'Ann', { isMet: true });
      const open = await waiting(bookId, 'Bea');
      expect((await context.call('DELETE', `/holds/${met.id}`)).body).toEqual({
        status: 409,
        message: 'The Hold is read-only.',
      });
      expect((await context.call('DELETE', `/holds/${open.id}`)).status).toBe(204);
    });

    test('each of several at once sees those before it', async () => {
      const { id: bookId } = await book(2);
      const answers = await Promise.all(
        ['Ann', 'Bea', 'Cid', 'Dan', 'Eve', 'Fay'].map((reader) => context.call('POST', '/loans', { bookId, reader })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 400, 400, 400, 400]);
      expect((await context.call('GET', `/books/${bookId}`)).body).toMatchObject({ lent: 2 });
    });
  },
  'before',
);
