// `PUT` by a unique key: makes the record, or changes the one that has the key.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dialects, Project } from '../support/commands/project.ts';
import { type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { type Sent, send } from '../support/service/send.ts';

const put = (context: Context, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Sent> =>
  send(context, `PUT ${path}`, { body, headers });
const outcomeOf = ({ headers }: Sent): string | null => headers.get('praxis-outcome');
const versionOf = ({ headers }: Sent): string => String(headers.get('etag')).slice(1).split('-')[0] ?? '';
const refused = (...errors: string[]) => ({
  status: 400,
  message: 'There was a problem processing your request. See errors for more details.',
  errors,
});

onEveryDatabase('PUT', (context) => {
  let genreId = '';
  let shelfId = '';
  beforeAll(async () => {
    genreId = (await context.make('genre')).id;
    shelfId = (await context.make('shelf')).id;
  });

  test('makes a record with the key of the address, and finds it unchanged the next time', async () => {
    const body = { title: 'Put', genreId, pages: 5, chapters: [{ heading: 'One' }], isbn: 'x-1' };
    const made = await put(context, '/books?key=put-twice', body);
    expect([made.status, outcomeOf(made), versionOf(made), made.body.key]).toEqual([200, 'created', '0', 'put-twice']);
    const { body: read } = await context.call('GET', `/books/${made.body.id}`);
    expect(made.body).toEqual(read);
    const again = await put(context, '/books?key=put-twice', body);
    expect([again.status, outcomeOf(again), versionOf(again)]).toEqual([200, 'unchanged', '0']);
    expect(again.body).toEqual(read);
    const changed = await put(context, '/books?key=put-twice', { pages: 6 });
    expect([outcomeOf(changed), versionOf(changed), changed.body.pages, changed.body.title]).toEqual([
      'updated',
      '1',
      6,
      'Put',
    ]);
    expect(await context.all('book', '&key=put-twice')).toHaveLength(1);
  });

  test('compares keys as they are compared everywhere, and keeps the value that is sent', async () => {
    const made = await put(context, '/labels?name=%20Straße', {});
    const again = await put(context, '/labels?name=STRASSE', {});
    expect([again.body.id, outcomeOf(again)]).toEqual([made.body.id, 'unchanged']);
    const renamed = await put(context, '/labels?name=strasse', { name: 'STRASSE' });
    expect([outcomeOf(renamed), renamed.body.name]).toEqual(['updated', 'STRASSE']);
    const other = await put(context, '/labels?name=strasse', { name: 'Gasse' });
    expect(other.body).toEqual(refused("'name' must be strasse"));
    expect((await put(context, '/labels?name=5', { name: 5 })).body).toEqual(refused("'name' must be a string"));
  });

  test('takes a compound key, whose fields may not change', async () => {
    const isbn = 'c-1';
    const query = `genreId=${genreId}&isbn=${isbn}`;
    const made = await put(context, `/books?${query}`, { title: 'Compound' });
    expect([outcomeOf(made), made.body.isbn]).toEqual(['created', isbn]);
    const same = await put(context, `/books?isbn=${isbn}&genreId=${genreId.toUpperCase()}`, {
      title: 'Compound',
      genreId,
      isbn,
    });
    expect([outcomeOf(same), same.body.id]).toEqual(['unchanged', made.body.id]);
  });

  test('fields that only a create takes may be sent again as they are, and not otherwise', async () => {
    const readerId = (await context.make('reader')).id;
    const book = await context.make('book', { genreId });
    const query = `bookId=${book.id}&readerId=${readerId}&start=2026-01-01`;
    const made = await put(context, `/loans?${query}`, { fee: 5 });
    expect(outcomeOf(made)).toBe('created');
    expect(outcomeOf(await put(context, `/loans?${query}`, { bookId: book.id, fee: 5.5 }))).toBe('updated');
    await put(context, '/books?key=fixed', { title: 'Fixed', genreId, isbn: 'f-1' });
    expect(outcomeOf(await put(context, '/books?key=fixed', { isbn: 'f-1' }))).toBe('unchanged');
    expect((await put(context, '/books?key=fixed', { isbn: 'f-2' })).body).toEqual(refused("'isbn' is not allowed"));
  });

  test('finds items unchanged that leave out what is empty then, or does not apply', async () => {
    const body = { title: 'Bare', genreId, chapters: [{ heading: 'One', pictures: [{ caption: 'x' }] }] };
    const made = await put(context, '/books?key=bare', body);
    const again = await put(context, '/books?key=bare', body);
    expect([outcomeOf(again), again.text]).toEqual(['unchanged', made.text]);
    const chapters = [{ heading: 'One', note: 'x', pictures: [{ caption: 'x' }] }];
    const wrong = await put(context, '/books?key=bare', { chapters });
    expect(wrong.body).toEqual(refused("'chapters[0].note' is not allowed"));
  });

  test('tells what is wrong with the key', async () => {
    const keys = "'key', or 'genreId' and 'isbn'";
    const message = `Parameters must name a unique key: ${keys}.`;
    for (const query of ['', `?isbn=1`, `?key=a&isbn=1`, `?genreId=${genreId}`])
      expect((await put(context, `/books${query}`, {})).body).toEqual({ status: 400, message });
    expect((await put(context, '/books?title=x', {})).body.message).toBe("Parameter 'title' is not allowed.");
    expect((await put(context, '/books?number=5', {})).body.message).toBe("Parameter 'number' is not allowed.");
    expect((await put(context, '/books?genreId=5&isbn=1', {})).body.message).toBe(
      "Parameter 'genreId' is not a valid UUID.",
    );
    // What is empty is filled in with another value each time.
    for (const query of ['?key=', '?key=%20'])
      expect((await put(context, `/books${query}`, { title: 'Open', genreId })).body).toEqual(
        refused("'key' is required"),
      );
    expect((await put(context, `/books?genreId=${genreId}&isbn=`, { title: 'Open' })).body).toEqual(
      refused("'isbn' is required"),
    );
    expect((await put(context, '/labels?name=%20', { name: 'x' })).body).toEqual(refused("'name' is required"));
    expect(await context.all('book', '&titleContains=Open')).toEqual([]);
    const { status, headers } = await put(context, '/settings?name=x', {});
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, OPTIONS']);
    const allowed = await send(context, 'OPTIONS /books');
    expect(allowed.headers.get('allow')).toBe('GET, HEAD, POST, PUT, OPTIONS');
  });

  test('puts items that are named by their ids into the order that is sent, though they are alike', async () => {
    const chapters = [{ heading: 'Same' }, { heading: 'Same' }];
    const made = await put(context, '/books?key=put-order', { title: 'Order', genreId, chapters });
    const ids = (made.body.chapters as Json[]).map(({ id }) => id);
    const swapped = ids.toReversed().map((id) => ({ id, heading: 'Same' }));
    const changed = await put(context, '/books?key=put-order', { chapters: swapped });
    expect(outcomeOf(changed)).toBe('updated');
    expect((changed.body.chapters as Json[]).map(({ id }) => id)).toEqual(ids.toReversed());
    expect(outcomeOf(await put(context, '/books?key=put-order', { chapters }))).toBe('unchanged');
  });

  test('is judged as a create or an update is', async () => {
    expect((await put(context, '/books?key=faulty', { pages: 0 })).body).toEqual(
      refused("'title' is required", "'pages' must be from 1 to 100000", "'genreId' is required"),
    );
    expect((await put(context, '/books?key=faulty', { title: 'x', genreId, shelfId: genreId })).body).toEqual(
      refused("'shelfId' does not refer to an existing Shelf"),
    );
    await put(context, '/books?key=judged', { title: 'x', genreId, isbn: 'j-1' });
    const taken = await put(context, '/books?key=another', { title: 'x', genreId, isbn: 'j-1' });
    expect([taken.status, taken.body.message]).toEqual([409, 'A Book with the same isbn already exists.']);
  });

  test('minds preconditions', async () => {
    const fresh = { 'If-None-Match': '*' };
    const made = await put(context, '/labels?name=conditions', {}, fresh);
    expect(outcomeOf(made)).toBe('created');
    const there = await put(context, '/labels?name=conditions', {}, fresh);
    expect([there.status, there.body.message]).toEqual([412, 'There is a record with this key already.']);
    const tag = String(made.headers.get('etag'));
    const same = await put(context, '/labels?name=conditions', {}, { 'If-None-Match': tag });
    expect([same.status, same.body.message]).toEqual([412, "The condition of header 'If-None-Match' is false."]);
    expect(outcomeOf(await put(context, '/labels?name=conditions', {}, { 'If-None-Match': '"7-x"' }))).toBe(
      'unchanged',
    );
    expect(outcomeOf(await put(context, '/labels?name=new', {}, { 'If-None-Match': '"7-x"' }))).toBe('created');
    expect((await put(context, '/labels?name=conditions', { name: 'Conditions' }, { 'If-Match': tag })).status).toBe(
      200,
    );
    expect((await put(context, '/labels?name=conditions', { name: 'conditions' }, { 'If-Match': tag })).status).toBe(
      412,
    );
    expect((await put(context, '/labels?name=nobody', {}, { 'If-Match': '*' })).status).toBe(412);
    expect(await context.all('label', '&name=nobody')).toEqual([]);
  });

  test('is known again by its key, and tells again what was done', async () => {
    const headers = { 'Idempotency-Key': 'put-1' };
    const first = await put(context, '/labels?name=keyed', {}, headers);
    const again = await put(context, '/labels?name=keyed', {}, headers);
    expect([outcomeOf(first), outcomeOf(again), again.headers.get('idempotent-replayed')]).toEqual([
      'created',
      'created',
      'true',
    ]);
    expect([again.text, again.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')]);
  });

  test('a trial tells what would be done', async () => {
    const tried = await put(context, '/labels?name=tried', {}, { Prefer: 'tx=rollback, return=minimal' });
    expect([tried.status, outcomeOf(tried), tried.headers.get('preference-applied')]).toEqual([
      200,
      'created',
      'tx=rollback, return=minimal',
    ]);
    expect(Object.keys(tried.body)).toEqual(['id']);
    expect(await context.all('label', '&name=tried')).toEqual([]);
  });

  test('return=minimal answers the id alone, with the version, and reads no record', async () => {
    const minimal = { Prefer: 'return=minimal' };
    const made = await send(context, 'POST /books', { body: { title: 'Small', genreId }, headers: minimal });
    const { id } = made.body;
    expect([made.text, versionOf(made), made.headers.get('preference-applied')]).toEqual([
      `{"id":"${id}"}`,
      '0',
      'return=minimal',
    ]);
    for (const [place, body] of [{ title: 'Smaller' }, { chapters: [{ heading: 'x' }] }].entries()) {
      const changed = await send(context, `PATCH /books/${id}`, { body, headers: minimal });
      expect([changed.text, versionOf(changed)]).toEqual([`{"id":"${id}"}`, String(place + 1)]);
    }
    const { body: read, headers } = await send(context, `GET /books/${id}`);
    expect([read.title, read.chapters[0].heading, String(headers.get('etag')).slice(0, 3)]).toEqual([
      'Smaller',
      'x',
      '"2-',
    ]);
    const bare = await put(context, '/labels?name=bare', {}, minimal);
    expect([Object.keys(bare.body), outcomeOf(bare)]).toEqual([['id'], 'created']);
    const whole = await put(context, '/labels?name=bare', {}, { Prefer: 'return=representation' });
    expect([whole.body.name, whole.headers.get('preference-applied')]).toEqual(['bare', null]);
  });

  test('stands in batches, with an outcome each; minimal ones hold status and id', async () => {
    const operations = (pages: number) => [
      { method: 'PUT', path: '/books?key=batch-1', body: { title: 'One', genreId, pages }, as: 'one' },
      { method: 'PUT', path: '/books?key=batch-1', body: { pages }, ifMatch: { $from: 'one.etag' } },
      { method: 'PUT', path: '/labels?name={one.id}', body: {} },
      { method: 'GET', path: '/books/{one.id}?fields=pages' },
    ];
    const ask = async (body: Json, headers: Record<string, string> = {}) => {
      const { body: answer } = await send(context, 'POST /batch', { body, headers });
      return answer.results;
    };
    const first = await ask({ operations: operations(1) });
    const id = first[0].body.id;
    expect(first.map(({ status, outcome }: Json) => [status, outcome])).toEqual([
      [200, 'created'],
      [200, 'unchanged'],
      [200, 'created'],
      [200, undefined],
    ]);
    const small = await ask(
      { operations: [...operations(2), { method: 'PUT', path: '/books?key=batch-2', body: {} }], atomic: false },
      { Prefer: 'return=minimal' },
    );
    expect(small).toEqual([
      { status: 200, id, outcome: 'updated' },
      { status: 200, id, outcome: 'unchanged' },
      { status: 200, id: first[2].body.id, outcome: 'unchanged' },
      { status: 200, body: { id, pages: 2 }, etag: small[3].etag },
      { status: 400, body: refused("'title' is required", "'genreId' is required") },
    ]);
  });

  test('twenty at once make one record, and the others change it', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_put, place) =>
        put(context, '/books?key=at-once', { title: 'At once', genreId, shelfId, pages: place + 1 }),
      ),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(all.filter((each) => outcomeOf(each) === 'created')).toHaveLength(1);
    const [only, ...others] = await context.all('book', '&key=at-once');
    expect([others, new Set(all.map(({ body }) => body.id))]).toEqual([[], new Set([only?.id])]);
    const versions = all.map(versionOf).toSorted((one, other) => Number(one) - Number(other));
    expect(versions).toEqual(Array.from({ length: 20 }, (_version, place) => String(place)));
  }, 60_000);

  test('batches at once make each record once', async () => {
    const names = Array.from({ length: 30 }, (_name, place) => `many ${place}`);
    const all = await Promise.all(
      Array.from({ length: 6 }, (_batch, place) => {
        const operations = names.map((name) => ({
          method: 'PUT',
          path: `/labels?name=${encodeURIComponent(name)}`,
          body: {},
        }));
        return send(context, 'POST /batch', {
          body: { operations: place % 2 === 0 ? operations : operations.toReversed(), atomic: place < 3 },
        });
      }),
    );
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    const results = all.flatMap(({ body }) => body.results);
    expect(results.filter(({ outcome }: Json) => outcome === 'created')).toHaveLength(names.length);
    expect(results.filter(({ status }: Json) => status !== 200)).toEqual([]);
    expect((await context.all('label')).filter(({ name }) => String(name).startsWith('many'))).toHaveLength(
      names.length,
    );
  }, 60_000);
});

onEveryDatabase(
  'PUT of lists whose items take defaults from elsewhere',
  (context) => {
    /** Puts a record twice. @returns both answers */
    const twice = async (path: string, body: unknown): Promise<readonly [Sent, Sent]> => [
      await put(context, path, body),
      await put(context, path, body),
    ];
    let clientId = '';
    beforeAll(async () => {
      clientId = (await context.make('client')).id;
    });

    test('finds items unchanged that leave out what follows from others', async () => {
      for (const [place, path] of ['invoices', 'credit-notes'].entries())
        for (const line of [{ amount: 1 }, { quantity: 2, rate: 3 }, { amount: 1, description: 'x' }]) {
          const [made, again] = await twice(`/${path}?number=D-${place}`, { clientId, lines: [line, { amount: 2 }] });
          expect([outcomeOf(made), outcomeOf(again), versionOf(again)]).toEqual([
            expect.stringMatching(/created|updated/),
            'unchanged',
            versionOf(made),
          ]);
          expect(again.body).toEqual(made.body);
        }
    });

    test('finds an issued invoice as it is', async () => {
      const body = { clientId, statusId: 'issued', lines: [{ amount: 1 }] };
      const [made, again] = await twice('/invoices?number=issued', body);
      expect([outcomeOf(made), again.status, outcomeOf(again)]).toEqual(['created', 200, 'unchanged']);
      const other = await put(context, '/invoices?number=issued', { ...body, lines: [{ amount: 2 }] });
      expect([other.status, other.body.message]).toEqual([409, 'The Invoice is read-only.']);
    });

    test('changes what an item says, also where it could be computed, and items at other places', async () => {
      const path = '/invoices?number=amounts';
      const { kindId, taxable, invoiceItem, id } = (await put(context, path, { clientId, lines: [{ amount: 1 }] })).body
        .lines[0];
      const whole = { kindId, taxable, invoiceItemId: invoiceItem.id };
      const lines = async (...sent: Json[]) => {
        const answer = await put(context, path, { lines: sent });
        return [outcomeOf(answer), answer.body.lines?.map((line: Json) => line.amount) ?? answer.body.errors];
      };
      expect(await lines({ id, ...whole, amount: 1 })).toEqual(['unchanged', [1]]);
      expect(await lines({ id, ...whole, amount: 2 })).toEqual(['updated', [2]]);
      expect(await lines({ ...whole, amount: 3 })).toEqual(['updated', [3]]);
      expect(await lines({ ...whole })).toEqual([null, ["'lines[0].amount' is required"]]);
      expect(await lines({ amount: 3 }, { amount: 4 })).toEqual(['updated', [3, 4]]);
      expect(await lines({ amount: 4 }, { amount: 3 })).toEqual(['updated', [4, 3]]);
      expect(await lines({ amount: 4 })).toEqual(['updated', [4]]);
      expect(await lines({ quantity: 2, rate: 2 })).toEqual(['updated', [4]]);
      expect(await lines({ quantity: 2, rate: 2, amount: 5 })).toEqual([null, ["'lines[0].amount' is not allowed"]]);
      expect(await lines({ amount: 4, kindId: 'products' })).toEqual(['updated', [4]]);
      // What is left out is no wish to change it.
      expect((await put(context, path, { lines: [{ amount: 4 }] })).body.lines[0].kindId).toBe('products');
    });

    test('finds items unchanged that leave out what does not apply to them', async () => {
      const { id: projectId } = await context.make('project', { clientId, useRoles: false });
      const { id: memberId } = await context.make('member');
      await context.make('project-member', { projectId, memberId });
      // The first one of a project has no start.
      await context.make('project-rate-card', { projectId });
      const path = `/project-rate-cards?projectId=${projectId}&start=2026-02-01`;
      for (const rate of [{ rate: 5 }, { rate: 5, overrideCostRate: true, costPerHour: 3 }]) {
        const [made, again] = await twice(path, { memberRates: [{ memberId, ...rate }] });
        expect([made.status, outcomeOf(again), again.text]).toEqual([200, 'unchanged', made.text]);
      }
    });

    test('passes over what a create alone takes and no record keeps', async () => {
      const projectAdminId = (await context.make('member')).id;
      const body = { name: 'P', billingTypeId: 'tm', projectAdminId };
      const [made, again] = await twice(`/projects?clientId=${clientId}&key=admin`, body);
      expect([outcomeOf(made), outcomeOf(again)]).toEqual(['created', 'unchanged']);
      const wrong = await put(context, `/projects?clientId=${clientId}&key=admin`, { ...body, projectAdminId: 5 });
      expect(wrong.body).toEqual(refused("'projectAdminId' is not allowed"));
    });
  },
  'product',
);

describe.for(dialects)('PUT by a number (%s)', (dialect) => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.open(dialect);
    project.describe({
      gauge: {
        properties: {
          width: { type: 'number', format: 'decimal', precision: 6, scale: 2 },
          name: { type: 'string', maxLength: 20 },
        },
        required: ['width', 'name'],
        resource: { unique: [['width']] },
      },
    });
  });
  afterAll(() => project.close());

  test('takes the same number in the body, however it is written, and no other', async () => {
    await project.serve(async (call) => {
      const { body: made } = await call('PUT', '/gauges?width=1.50', { name: 'A' });
      for (const text of ['1.5', '1.50', '01.5'])
        expect((await call('PUT', `/gauges?width=${text}`, { name: 'A', width: 1.5 })).body).toEqual(made);
      expect((await call('PUT', '/gauges?width=1.5', { name: 'A', width: 2 })).body).toEqual(
        refused("'width' must be 1.5"),
      );
    });
  });
});
