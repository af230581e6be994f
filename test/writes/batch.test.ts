// Several operations in one request: all or none, or each for itself; later ones use the answers of earlier ones.
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { createToken } from '../../src/storage/tokens.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { type Context, onEveryDatabase } from '../support/service/praxis.ts';
import { type Sent, send } from '../support/service/send.ts';

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
const batch = (on: Context, operations: unknown, more: object = {}, headers = {}): Promise<Sent> =>
  send(on, 'POST /batch', { body: { operations, ...more }, headers });
const counted = async (on: Context, path: string, name: string): Promise<number> =>
  (await send(on, `GET ${path}?limit=100&name=${encodeURIComponent(name)}`)).body.results.length;
const create = (name: unknown, as?: string) => ({
  method: 'POST',
  path: '/clients',
  body: { name },
  ...(as && { as }),
});
const faulty = { status: 400, message: 'There was a problem processing your request. See errors for more details.' };

onEveryDatabase(
  'batches',
  (on) => {
    it('does operations in order, and later ones use what earlier ones have answered', async () => {
      const sent = await batch(on, [
        { method: 'POST', path: '/clients', body: { name: 'Acme' }, as: 'acme' },
        {
          method: 'POST',
          path: '/projects',
          body: { name: 'Rebuild', billingTypeId: 'tm', clientId: { $from: 'acme.id' } },
          as: 'rebuild',
        },
        { method: 'PATCH', path: '/clients/{acme.id}', body: { name: 'Acme Ltd' }, ifMatch: { $from: 'acme.etag' } },
        { method: 'GET', path: '/projects/{rebuild.id}' },
        { method: 'GET', path: '/projects?clientId={acme.id}', as: 'list' },
        { method: 'PATCH', path: '/projects/{list.results[0].id}', body: { name: { $from: 'acme.name' } } },
        { method: 'DELETE', path: '/projects/{rebuild.id}' },
      ]);
      expect(sent.status).toBe(200);
      const { results } = sent.body;
      expect(results.map(({ status }: Sent) => status)).toEqual([200, 200, 200, 200, 200, 200, 204]);
      const [acme, rebuild, renamed, read, list, moved, gone] = results;
      expect(acme).toEqual({ status: 200, body: acme.body, etag: expect.stringMatching(/^"0-/) });
      expect(renamed).toMatchObject({ body: { name: 'Acme Ltd' }, etag: expect.stringMatching(/^"1-/) });
      expect(read.body).toMatchObject({ id: rebuild.body.id, client: { id: acme.body.id, name: 'Acme Ltd' } });
      expect(list).toMatchObject({ body: { hasMore: false, results: [{ id: rebuild.body.id }] } });
      expect(list.etag).toBeUndefined();
      expect(moved.body.name).toBe('Acme');
      expect(gone).toEqual({ status: 204, body: null });
      const now = await send(on, `GET /clients/${acme.body.id}`);
      expect(now.body).toEqual(renamed.body);
      expect(now.headers.get('etag')).toBe(renamed.etag);
    });

    it('takes values from lists and into lists', async () => {
      const sent = await batch(on, [
        { method: 'POST', path: '/client-tags', body: { name: 'Batch A' }, as: 'a' },
        { method: 'POST', path: '/client-tags', body: { name: 'Batch B' }, as: 'b' },
        { ...create('Tagged', 'c'), body: { name: 'Tagged', tagIds: [{ $from: 'a.id' }, { $from: 'b.id' }] } },
        { ...create('x'), body: { name: { $from: 'c.tags[1].name' } } },
      ]);
      expect(sent.body.results[2].body.tags).toHaveLength(2);
      expect(sent.body.results[3].body.name).toBe('Batch B');
    });

    it('does all or nothing', async () => {
      const sent = await batch(on, [create('All'), create('All'), create(5), create('All')]);
      expect(sent).toMatchObject({ status: 400 });
      expect(sent.body).toEqual({
        status: 400,
        message: 'Operation 3 was refused, and nothing was done.',
        errors: ["'name' must be a string"],
      });
      expect(await counted(on, '/clients', 'All')).toBe(0);
    });

    it.each([
      [
        '404 for a record',
        { method: 'DELETE', path: `/clients/${unknownId}` },
        404,
        `Object with id '${unknownId}' not found.`,
      ],
      ['404 for a path', { method: 'GET', path: '/nowhere' }, 404, 'No such path.'],
      ['404 for a deep path', { method: 'GET', path: `/clients/${unknownId}/x` }, 404, 'No such path.'],
      ['405', { method: 'DELETE', path: '/workspace-settings' }, 405, 'Method not allowed.'],
      ['405 for a list', { method: 'DELETE', path: '/clients' }, 405, 'Method not allowed.'],
      ['400 for an id', { method: 'GET', path: '/clients/1' }, 400, "Parameter 'id' is not a valid UUID."],
      ['400 for a parameter', { method: 'GET', path: '/clients?x=1' }, 400, "Parameter 'x' is not allowed."],
      [
        '400 for a reference',
        { method: 'POST', path: '/projects', body: { name: 'x', billingTypeId: 'tm', clientId: unknownId } },
        400,
        "'clientId' does not refer to an existing Client",
      ],
      [
        '412',
        { method: 'PATCH', path: '/workspace-settings', body: {}, ifMatch: '"9999-x"' },
        412,
        'The record has changed since it was read.',
      ],
      [
        '400 for a tag',
        { method: 'PATCH', path: '/workspace-settings', body: {}, ifMatch: 'x' },
        400,
        "'ifMatch' must be an entity tag",
      ],
    ])('gives the whole the status of one that is refused: %s', async (_case, operation, status, text) => {
      const sent = await batch(on, [create('Whole'), operation]);
      expect(sent.body).toEqual({ status, message: 'Operation 2 was refused, and nothing was done.', errors: [text] });
      expect(await counted(on, '/clients', 'Whole')).toBe(0);
      const apart = await batch(on, [create('Apart'), operation, create('Apart')], { atomic: false });
      expect(apart.status).toBe(200);
      expect(apart.body.results.map((each: Sent) => each.status)).toEqual([200, status, 200]);
      const refused = apart.body.results[1].body;
      expect(refused.errors ?? [refused.message]).toEqual([text]);
      expect(refused.status).toBe(status);
    });

    it('tells of keys that are taken by operations before', async () => {
      const tag = (name: string, as?: string) => ({ method: 'POST', path: '/client-tags', body: { name }, as });
      const message = 'A Client Tag with the same name already exists.';
      const sent = await batch(on, [tag('Twin'), create('Twinned'), tag('twin ')]);
      expect(sent.body).toEqual({
        status: 409,
        message: 'Operation 3 was refused, and nothing was done.',
        errors: [message],
      });
      const apart = await batch(on, [tag('Twin'), tag('twin '), tag('Other', 'o'), tag('Twin')], { atomic: false });
      expect(apart.body.results.map((each: Sent) => each.status)).toEqual([200, 409, 200, 409]);
      expect(apart.body.results[1].body).toEqual({ status: 409, message });
      expect(await counted(on, '/client-tags', 'Twin')).toBe(1);
    });

    it('finds what a key stops although what it refers to is new', async () => {
      const name = 'Same office';
      const sent = await batch(on, [
        create('Newest', 'c'),
        { method: 'POST', path: '/projects', body: { name, billingTypeId: 'tm', clientId: { $from: 'c.id' } } },
        { method: 'POST', path: '/projects', body: { name, billingTypeId: 'tm', clientId: { $from: 'c.name' } } },
      ]);
      expect(sent.body).toMatchObject({ status: 400, errors: ["'clientId' must be a UUID"] });
    });

    it('judges a body that is wrong by what the operations before it have made', async () => {
      for (const [name, text] of [
        [5, "'name' must be a string"],
        [null, "'name' is required"],
      ]) {
        const sent = await batch(on, [
          { method: 'POST', path: '/payment-terms', body: { name: 'Judged', type: 'net', days: 3 }, as: 'term' },
          { method: 'POST', path: '/business-units', body: { name, invoicePaymentTermId: { $from: 'term.id' } } },
        ]);
        expect(sent.body).toMatchObject({ message: 'Operation 2 was refused, and nothing was done.', errors: [text] });
      }
    });

    it('leaves nothing of a refused operation where each stands for itself, and goes on', async () => {
      const client = await on.make('client', { name: 'Held' });
      await on.make('project', { clientId: client.id });
      const sent = await batch(
        on,
        [
          create('Sole', 'sole'),
          { method: 'DELETE', path: `/clients/${client.id}` },
          { method: 'POST', path: '/projects', body: { name: 'Of the refused', clientId: { $from: 'gone.id' } } },
          { ...create(7), as: 'late' },
          { method: 'POST', path: '/projects', body: { name: 'Of the late', clientId: { $from: 'late.id' } } },
          { method: 'GET', path: '/clients/{sole.id}' },
        ].filter((each) => !JSON.stringify(each).includes('gone.id')),
        { atomic: false },
      );
      const statuses = sent.body.results.map(({ status }: Sent) => status);
      expect(statuses).toEqual([200, 409, 400, 400, 200]);
      expect(sent.body.results[3].body.errors).toEqual([
        "'clientId' must be something that the answer of 'late' has, not 'late.id'",
      ]);
      expect((await send(on, `GET /clients/${client.id}`)).status).toBe(200);
      expect(await counted(on, '/clients', 'Sole')).toBe(1);
    });

    it.each<[string, object, readonly string[]]>([
      ['no operations', {}, ["'operations' is required"]],
      ['no list', { operations: {} }, ["'operations' must be an array"]],
      ['no objects', { operations: [1, null, []] }, [0, 1, 2].map((n) => `'operations[${n}]' must be an object`)],
      [
        'unknown fields',
        { operations: [{ method: 'GET', path: '/clients', x: 1 }], atom: true },
        ["'operations[0].x' is not allowed", "'atom' is not allowed"],
      ],
      [
        'a wrong method',
        { operations: [{ method: 'HEAD', path: '/clients' }] },
        ["'operations[0].method' must be one of GET, POST, PUT, PATCH, DELETE"],
      ],
      [
        'nothing said',
        { operations: [{}] },
        ["'operations[0].method' is required", "'operations[0].path' is required"],
      ],
      [
        'a wrong path',
        {
          operations: [
            { method: 'GET', path: 'clients' },
            { method: 'GET', path: 1 },
          ],
        },
        ["'operations[0].path' must be a path that begins with '/'", "'operations[1].path' must be a string"],
      ],
      [
        'bodies',
        {
          operations: [
            { method: 'POST', path: '/clients' },
            { method: 'GET', path: '/clients', body: {} },
            { method: 'POST', path: '/clients', body: [] },
          ],
        },
        [
          "'operations[0].body' is required",
          "'operations[1].body' is not allowed",
          "'operations[2].body' must be an object",
        ],
      ],
      [
        'a batch inside',
        { operations: [{ method: 'POST', path: '/batch', body: { operations: [] } }] },
        ["'operations[0].path' must be no batch"],
      ],
      [
        'names twice',
        { operations: [create('a', 'x'), create('b', 'x')] },
        ["'operations[1].as' must be another name than that of an earlier operation"],
      ],
      [
        'wrong names',
        { operations: [create('a', 'x.y'), { method: 'GET', path: '/clients', as: 1 }] },
        ["'operations[0].as' must be a name of letters, digits, _ and -", "'operations[1].as' must be a string"],
      ],
      [
        'an unknown name',
        { operations: [{ method: 'PATCH', path: '/clients/{x.id}', body: { name: { $from: 'y.name' } }, as: 'x' }] },
        [
          "'operations[0].path' must begin with the name of an earlier operation, not 'x'",
          "'operations[0].body.name' must begin with the name of an earlier operation, not 'y'",
        ],
      ],
      [
        'a part that is named at length',
        { operations: [create('a', 'x'), create({ $from: `x.${'y'.repeat(1000)}` }, 'z')] },
        ["'operations[1].body.name' must name a part of an earlier answer in at most 1000 characters"],
      ],
      [
        'a name alone',
        { operations: [create('a', 'x'), { method: 'GET', path: '/clients/{x}' }] },
        ["'operations[1].path' must say what of 'x' is meant, as in 'x.id'"],
      ],
      [
        'a wrong tag',
        {
          operations: [
            { method: 'GET', path: '/clients', ifMatch: '*' },
            { method: 'DELETE', path: '/clients', ifMatch: 1 },
          ],
        },
        ["'operations[0].ifMatch' is not allowed", "'operations[1].ifMatch' must be a string"],
      ],
      ['a wrong switch', { operations: [], atomic: 'yes' }, ["'atomic' must be a boolean"]],
      [
        'too many',
        { operations: Array.from({ length: 1001 }, () => ({ method: 'GET', path: '/clients' })) },
        ["'operations' must be at most 1000 items"],
      ],
    ])('refuses an envelope with %s', async (_case, body, errors) => {
      expect((await send(on, 'POST /batch', { body })).body).toEqual({ ...faulty, errors });
    });

    it('bounds what is put into a path', async () => {
      const noted = { method: 'POST', path: '/contacts', body: { name: 'N', description: 'x'.repeat(1950) }, as: 'c' };
      const read = (path: string) => batch(on, [noted, { method: 'GET', path }]);
      const filled = await read('/clients?name={c.description}');
      expect(filled.body).toMatchObject({ results: [{ status: 200 }, { body: { results: [] } }] });
      const refused = "'path' must be at most 2000 characters when it is filled";
      expect((await read('/clients?name={c.description}{c.id}x')).body.errors).toEqual([refused]);
      expect((await read(`/clients?name=${'{c.name}'.repeat(20)}`)).status).toBe(200);
      // 99 kB that would be 24 MB.
      const many = await read(`/clients?name=${'{c.description}'.repeat(12_000)}`);
      expect(many.body).toEqual({ ...faulty, errors: ["'operations[1].path' must be at most 8000 characters"] });
      const some = await read(`/clients?name=${'{c.name}'.repeat(21)}`);
      expect(some.body).toEqual({ ...faulty, errors: ["'operations[1].path' must have at most 20 placeholders"] });
    });

    it('bounds what is put into bodies', async () => {
      const noted = { method: 'POST', path: '/contacts', body: { name: 'N', description: 'x'.repeat(2000) }, as: 'c' };
      const put = (times: number) => ({
        method: 'POST',
        path: '/clients',
        body: { name: 'Put', tagIds: Array.from({ length: times }, () => ({ $from: 'c.description' })) },
      });
      const sent = await batch(on, [noted, put(5000)]);
      expect(sent.status).toBe(400);
      expect(sent.body.errors[0]).toMatch(
        /^'tagIds\[\d+\]' must be shorter: a batch may take at most 8388608 characters/,
      );
      // All of them count together, and those of an operation that was refused.
      const apart = await batch(on, [noted, put(2500), put(2500), create('After')], { atomic: false });
      expect(apart.body.results.map((each: Sent) => each.status)).toEqual([200, 400, 400, 200]);
      const errors = apart.body.results.map((each: Sent) => each.body.errors?.[0]);
      expect(errors[1]).not.toContain('must be shorter');
      expect(errors[2]).toContain('must be shorter');
    });

    it('tells of long keys and names by their beginning', async () => {
      const key = 'k'.repeat(100_000);
      const name = `${'n'.repeat(2000)}.id`;
      const body = { [key]: Array.from({ length: 100 }, () => ({ $from: 'nobody.id' })), name: { $from: name } };
      const sent = await batch(on, [{ method: 'POST', path: '/clients', body, [key]: 1 }]);
      expect(sent.status).toBe(400);
      expect(sent.body.errors).toHaveLength(50);
      expect(sent.text.length).toBeLessThan(50_000);
    });

    it('lets others write while operations are done each for itself', async () => {
      let hasSeenPart = false;
      // A batch may be over before anybody else has come to look.
      for (let round = 0; round < 8 && !hasSeenPart; round += 1) {
        const nameOf = (n: number): string => `Apart ${round} ${n}.`;
        const operations = Array.from({ length: 1000 }, (_value, n) => create(nameOf(n)));
        let isOver = false;
        const done = batch(on, operations, { atomic: false }).finally(() => {
          isOver = true;
        });
        for (let n = 0; !isOver; n += 1) {
          const between = { name: `Between ${round} ${n}` };
          expect((await send(on, 'POST /client-tags', { body: between })).status).toBe(200);
          const first = await counted(on, '/clients', nameOf(0));
          hasSeenPart ||= first === 1 && (await counted(on, '/clients', nameOf(999))) === 0;
        }
        const { body } = await done;
        expect(new Set(body.results.map(({ status }: Sent) => status))).toEqual(new Set([200]));
        expect(body.results).toHaveLength(1000);
        expect(body.results[999].body.name).toBe(nameOf(999));
      }
      // Where all are one transaction, others see none of them or all.
      expect(hasSeenPart).toBe(true);
    }, 60_000);

    it('acts for nobody once it has deleted the member of the token', async () => {
      const member = await on.make('member');
      const database = await openDatabase(on.databaseUrl);
      const unit = createUnitOfWork(database, { deadlineMs: 10_000 });
      const { token } = await createToken(unit, { name: 'test', memberId: member.id });
      await database.close();
      const headers = { Authorization: `Bearer ${token}` };
      await expect
        .poll(async () => (await send(on, 'GET /clients', { headers })).status, { timeout: 10_000 })
        .toBe(200);
      const note = { method: 'POST', path: '/contacts', body: { name: 'Noted' } };
      const operations = [note, { method: 'DELETE', path: `/members/${member.id}` }, note];
      for (const atomic of [false, true]) {
        const { body } = await batch(on, operations, { atomic }, { ...headers, Prefer: 'tx=rollback' });
        expect(body.results.map((each: Sent) => each.body.createdBy)).toEqual([member.id, undefined, null]);
      }
    });

    it('has the features that an operation before has switched on or off', async () => {
      const { features } = (await send(on, 'GET /workspace-settings')).body;
      const switched = (names: readonly string[]) => ({
        method: 'PATCH',
        path: '/workspace-settings',
        body: { features: names },
      });
      const [off, back] = [switched([]), switched(features)];
      const read = { method: 'GET', path: '/companies' };
      const apart = await batch(on, [read, off, read, back, read], { atomic: false });
      expect(apart.body.results.map((each: Sent) => each.status)).toEqual([200, 200, 403, 200, 200]);
      const sent = await batch(on, [off, read]);
      expect(sent.body).toMatchObject({ status: 403, message: 'Operation 2 was refused, and nothing was done.' });
      expect((await send(on, 'GET /companies')).status).toBe(200);
    });

    it('takes nothing, and only POST', async () => {
      expect((await batch(on, [])).body).toEqual({ results: [] });
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const sent = await send(on, `${method} /batch`);
        expect(sent).toMatchObject({ status: 405, body: { message: 'Method not allowed.' } });
        expect(sent.headers.get('allow')).toBe('POST, OPTIONS');
      }
      expect((await send(on, 'OPTIONS /batch')).status).toBe(204);
      expect((await send(on, 'POST /batch?x=1', { body: { operations: [] } })).body.message).toBe(
        "Parameter 'x' is not allowed.",
      );
      expect((await send(on, 'POST /batch', { body: '{' })).status).toBe(400);
    });

    it('can be tried, and done once', async () => {
      const operations = [create('Rolled', 'r'), { method: 'DELETE', path: '/clients/{r.id}' }, create('Rolled')];
      const tried = await batch(on, operations, {}, { Prefer: 'tx=rollback' });
      expect(tried.headers.get('preference-applied')).toBe('tx=rollback');
      expect(tried.body.results[1]).toEqual({ status: 200, body: { deletes: { clients: 1 }, clears: {} } });
      expect(await counted(on, '/clients', 'Rolled')).toBe(0);
      for (const atomic of [true, false]) {
        const key = { 'Idempotency-Key': `batch-${atomic}` };
        const first = await batch(on, [create(`Key ${atomic}`), ...(atomic ? [] : [create(5)])], { atomic }, key);
        const again = await batch(on, [create(`Key ${atomic}`), ...(atomic ? [] : [create(5)])], { atomic }, key);
        expect(again.text).toBe(first.text);
        expect(again.headers.get('idempotent-replayed')).toBe('true');
        expect(await counted(on, '/clients', `Key ${atomic}`)).toBe(1);
        expect((await batch(on, [create('Other')], {}, key)).status).toBe(422);
      }
    });

    it('has a version for each operation', async () => {
      const { id } = await on.make('client');
      const rename = (name: string) => ({ method: 'PATCH', path: `/clients/${id}`, body: { name } });
      const sent = await batch(on, [rename('1'), rename('2'), rename('2')]);
      expect(sent.body.results.map(({ etag }: { etag: string }) => etag.split('-')[0])).toEqual(['"1', '"2', '"2']);
    });

    it('reads alone, and page after page', async () => {
      await on.make('client');
      const sent = await batch(on, [
        { method: 'GET', path: '/clients?limit=1', as: 'first' },
        { method: 'GET', path: '/clients?limit=1&startingAfter={first.results[0].id}' },
        { method: 'GET', path: '/workspace-settings' },
      ]);
      const [first, second, settings] = sent.body.results;
      expect(first.body.results[0].id).not.toBe(second.body.results[0].id);
      expect(settings).toMatchObject({ status: 200, etag: expect.any(String) });
      const refused = await batch(on, [
        { method: 'GET', path: '/clients' },
        { method: 'GET', path: `/clients/${unknownId}` },
      ]);
      expect(refused.body.message).toBe('Operation 2 was refused, and nothing was done.');
      const apart = await batch(
        on,
        [
          { method: 'GET', path: `/clients/${unknownId}` },
          { method: 'GET', path: '/clients?limit=1' },
        ],
        { atomic: false },
      );
      expect(apart.body.results.map(({ status }: Sent) => status)).toEqual([404, 200]);
    });
  },
  'product',
);
