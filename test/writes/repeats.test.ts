// Nothing is done twice: writes with an `Idempotency-Key`, sent again; and writes that are only tried.

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { Idempotency } from '../../src/engine/idempotency.ts';
import type { Outcome } from '../../src/request/intent.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { sweepIdempotencyKeys } from '../../src/storage/idempotency-keys.ts';
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts';
import { toDatabaseTime } from '../../src/values/date.ts';
import { accessToken, type Context, onEveryDatabase, startService } from '../support/service/praxis.ts';
import { type Sent, send } from '../support/service/send.ts';

const inUse = { status: 409, message: 'A request with this Idempotency-Key is being processed.' };
const ofAnother = { status: 422, message: 'The Idempotency-Key was used for another request.' };
const newKey = (): string => `key-${randomUUID()}`;
const keyed = (key: string, body?: unknown) => ({ body, headers: { 'Idempotency-Key': key } });
const counted = async (on: Context, name: string): Promise<number> =>
  (await send(on, `GET /clients?limit=100&name=${encodeURIComponent(name)}`)).body.results.length;

/** Another process on the same database, with a token of its own or the same. */
const startBeside = ({ databaseUrl }: Context, token = accessToken) =>
  startService('product', databaseUrl, { accessToken: token });

/** What an answer says, but for the id of its request. */
const saidBy = ({ status, text, headers }: Sent) => ({ status, text, etag: headers.get('etag') });

it('waits a second for a request with the same key, and no longer', async () => {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  // Nothing is kept of a request that is under way.
  const once = new Idempotency({} as UnitOfWork);
  const key = { tokenId: 'T', key: 'slow', fingerprint: new Uint8Array(32), owner: 'T' };
  const first = once.answer(key, () => promise);
  const begun = performance.now();
  await expect(once.answer(key, () => promise)).rejects.toMatchObject(inUse);
  expect(performance.now() - begun).toBeGreaterThan(900);
  const done = { status: 204, body: undefined } as const;
  resolve(done);
  expect(await first).toBe(done);
  expect(await once.answer(key, async () => done)).toBe(done);
});

onEveryDatabase(
  'requests with a key',
  (on) => {
    it('creates once, and tells the answer again', async () => {
      const request = keyed(newKey(), { name: 'Once' });
      const first = await send(on, 'POST /clients', request);
      const again = await send(on, 'POST /clients', request);
      expect(saidBy(again)).toEqual(saidBy(first));
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      expect(await counted(on, 'Once')).toBe(1);
    });

    it('updates and deletes once', async () => {
      const { id } = await on.make('client');
      const update = keyed(newKey(), { name: 'Once updated' });
      const first = await send(on, `PATCH /clients/${id}`, update);
      await send(on, `PATCH /clients/${id}`, { body: { name: 'Later' } });
      expect(saidBy(await send(on, `PATCH /clients/${id}`, update))).toEqual(saidBy(first));
      expect((await send(on, `GET /clients/${id}`)).body.name).toBe('Later');
      const key = newKey();
      // A delete takes no body, and none is read.
      for (const [body, isReplayed] of [
        [undefined, null],
        [undefined, 'true'],
        [{}, 'true'],
      ] as const) {
        const gone = await send(on, `DELETE /clients/${id}`, keyed(key, body));
        expect(gone).toMatchObject({ status: 204, text: '' });
        expect(gone.headers.get('idempotent-replayed')).toBe(isReplayed);
      }
    });

    it('takes a key for one request alone', async () => {
      const key = newKey();
      const first = await send(on, 'POST /clients', keyed(key, { name: 'Mine' }));
      expect(first.status).toBe(200);
      for (const [line, body] of [
        ['POST /clients', '{"name":"Mine" }'],
        ['POST /clients', { name: 'Yours' }],
        ['POST /companies', { name: 'Mine' }],
        [`PATCH /clients/${first.body.id}`, { name: 'Mine' }],
        [`DELETE /clients/${first.body.id}`, undefined],
      ] as const)
        expect(await send(on, line, keyed(key, body))).toMatchObject({ status: 422, body: ofAnother });
      expect(await counted(on, 'Yours')).toBe(0);
    });

    it('tells how short the kept answer is, whatever is asked for now', async () => {
      const applied = ({ headers }: Sent) => headers.get('preference-applied');
      const operations = [{ method: 'POST', path: '/clients', body: { name: 'Short' } }];
      const { id } = await on.make('client');
      const number = newKey();
      for (const [line, body] of [
        ['POST /clients', { name: 'Short' }],
        [`PATCH /clients/${id}`, { name: 'Shorter' }],
        [`PUT /invoices?number=${number}`, { clientId: id }],
        ['POST /batch', { operations }],
      ] as const)
        for (const [first, told] of [
          ['return=minimal', 'return=minimal'],
          ['return=representation', null],
        ] as const) {
          const headers = { 'Idempotency-Key': newKey() };
          const done = await send(on, line, { body, headers: { ...headers, Prefer: first } });
          expect([done.status, applied(done)], line).toEqual([200, told]);
          for (const Prefer of ['return=minimal', 'return=representation']) {
            const again = await send(on, line, { body, headers: { ...headers, Prefer } });
            expect([saidBy(again), applied(again)], line).toEqual([saidBy(done), told]);
            for (const name of ['idempotent-replayed', 'praxis-outcome'])
              expect(again.headers.get(name)).toBe(name === 'praxis-outcome' ? done.headers.get(name) : 'true');
          }
        }
      // There is nothing that could be shorter.
      const gone = await send(on, `DELETE /clients/${(await on.make('client')).id}`, {
        headers: { Prefer: 'return=minimal' },
      });
      expect([gone.status, applied(gone)]).toEqual([204, null]);
    });

    it('keeps no answer of what was refused', async () => {
      const key = newKey();
      expect((await send(on, 'POST /clients', keyed(key, { name: 5 }))).status).toBe(400);
      expect((await send(on, 'PATCH /clients/01890a5d-ac96-774b-bcce-b302099a8057', keyed(key, {}))).status).toBe(404);
      expect((await send(on, 'POST /clients', keyed(key, { name: 'Then right' }))).status).toBe(200);
    });

    it('refuses what is no key', async () => {
      const message = "Header 'Idempotency-Key' must be 1 to 255 visible ASCII characters.";
      for (const key of ['', 'a b', 'ä', 'x'.repeat(256)])
        expect(await send(on, 'POST /clients', keyed(key, { name: 'Bad' }))).toMatchObject({
          status: 400,
          body: { message },
        });
      expect((await send(on, 'POST /clients', keyed(`!~${'x'.repeat(253)}`, { name: 'Long key' }))).status).toBe(200);
      expect((await send(on, 'GET /clients', { headers: { 'Idempotency-Key': 'a b' } })).status).toBe(200);
    });

    it('knows keys by their case, and answers of other processes', async () => {
      const other = await startBeside(on, `${accessToken}-other`);
      try {
        const key = newKey();
        await send(on, 'POST /clients', keyed(key, { name: 'Cased' }));
        await send(on, 'POST /clients', keyed(key.toUpperCase(), { name: 'Cased' }));
        expect(await counted(on, 'Cased')).toBe(2);
        // The token of the configuration has one name, whatever it is in each process.
        const replayed = await fetch(`${other.address}/clients`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${accessToken}-other`,
            'Content-Type': 'application/json',
            'Idempotency-Key': key,
          },
          body: JSON.stringify({ name: 'Cased' }),
        });
        expect(replayed.headers.get('idempotent-replayed')).toBe('true');
      } finally {
        await other.stop();
      }
    });

    it('does one of fifty at once', async () => {
      const request = keyed(newKey(), { name: 'Fifty' });
      const sent = await Promise.all(Array.from({ length: 50 }, () => send(on, 'POST /clients', request)));
      // On a machine that is busy with other things, some may have waited for as long as they may.
      const told = sent.filter(({ status }) => status !== 409);
      expect(new Set(told.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(told.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
      for (const { status, body } of sent) if (status === 409) expect(body).toEqual(inUse);
      expect(await counted(on, 'Fifty')).toBe(1);
    });

    it('does one of two processes', async () => {
      const { address, ...rest } = on;
      const second = await startBeside(on);
      try {
        for (let round = 0; round < 10; round += 1) {
          const request = keyed(newKey(), { name: `Two ${round}` });
          const sent = await Promise.all(
            [address, second.address, address, second.address].map((one) =>
              send({ ...rest, address: one }, 'POST /clients', request),
            ),
          );
          expect(new Set(sent.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
          expect(await counted(on, `Two ${round}`)).toBe(1);
        }
      } finally {
        await second.stop();
      }
    });

    it('knows keys of other tokens apart', async () => {
      const key = newKey();
      const database = await openDatabase(on.databaseUrl);
      const now = toDatabaseTime(new Date().toISOString());
      await database.run(
        'insert into praxis_answer (token_id, request_key, fingerprint, status, body, created_at) values (?, ?, ?, 200, ?, ?)',
        ['another', key, Buffer.alloc(32), '{}', now],
      );
      await database.close();
      const sent = await send(on, 'POST /clients', keyed(key, { name: 'Of this token' }));
      expect(sent).toMatchObject({ status: 200, body: { name: 'Of this token' } });
      expect(sent.headers.get('idempotent-replayed')).toBeNull();
    });

    it('forgets after a day', async () => {
      const key = newKey();
      const request = keyed(key, { name: 'Daily' });
      await send(on, 'POST /clients', request);
      const database = await openDatabase(on.databaseUrl);
      const unit = createUnitOfWork(database, { deadlineMs: 10_000 });
      const age = async (ms: number): Promise<void> => {
        const then = toDatabaseTime(new Date(Date.now() - ms).toISOString());
        await unit.write('update praxis_answer set created_at = ? where request_key = ?', [then, key]);
      };
      const isKept = async () =>
        (await unit.read('select 1 from praxis_answer where request_key = ?', [key])).length > 0;
      const day = 24 * 60 * 60 * 1000;
      await age(day - 60_000);
      await sweepIdempotencyKeys(unit);
      expect((await send(on, 'POST /clients', request)).headers.get('idempotent-replayed')).toBe('true');
      await age(day + 1000);
      expect((await send(on, 'POST /clients', request)).headers.get('idempotent-replayed')).toBeNull();
      expect(await counted(on, 'Daily')).toBe(2);
      await age(day + 1000);
      await sweepIdempotencyKeys(unit);
      expect(await isKept()).toBe(false);
      await database.close();
    });

    it('waits a second for one that is under way elsewhere, and no longer', async () => {
      if (!on.isServer) return;
      const key = newKey();
      const database = await openDatabase(on.databaseUrl);
      const release = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const holding = database.transact(async (session) => {
        await session.run(
          'insert into praxis_answer (token_id, request_key, fingerprint, status, created_at) values (?, ?, ?, 0, ?)',
          ['configured', key, Buffer.alloc(32), toDatabaseTime(new Date().toISOString())],
        );
        held.resolve();
        await release.promise;
        throw new Error('taken back');
      });
      holding.catch(() => {});
      await held.promise;
      // It is answered while the other still holds the key: nobody lets go of it before.
      const sent = await send(on, 'POST /clients', keyed(key, { name: 'Waited' }));
      expect(sent).toMatchObject({ status: 409, body: inUse });
      expect(sent.headers.get('retry-after')).toBe('1');
      release.resolve();
      await holding.catch(() => {});
      await database.close();
      expect((await send(on, 'POST /clients', keyed(key, { name: 'Waited' }))).status).toBe(200);
      expect(await counted(on, 'Waited')).toBe(1);
    });
  },
  'product',
);

onEveryDatabase(
  'writes that are only tried',
  (on) => {
    const trial = (body?: unknown) => ({ body, headers: { Prefer: 'tx=rollback' } });

    it('answers as it would, and leaves nothing', async () => {
      const tried = await send(on, 'POST /clients', trial({ name: 'Tried' }));
      expect(tried).toMatchObject({ status: 200, body: { name: 'Tried' } });
      expect(tried.headers.get('preference-applied')).toBe('tx=rollback');
      expect((await send(on, `GET /clients/${tried.body.id}`)).status).toBe(404);
      const { id } = await on.make('client', { name: 'Stays' });
      const before = await send(on, `GET /clients/${id}`);
      const updated = await send(on, `PATCH /clients/${id}`, trial({ name: 'Goes' }));
      expect(updated.body.name).toBe('Goes');
      expect(saidBy(await send(on, `GET /clients/${id}`))).toEqual(saidBy(before));
    });

    it('takes no number of a sequence', async () => {
      const client = await on.make('client');
      const numbers: string[] = [];
      for (const headers of [{}, { Prefer: 'tx=rollback' }, { Prefer: 'tx=rollback' }, {}])
        numbers.push((await send(on, 'POST /invoices', { body: { clientId: client.id }, headers })).body.number);
      const [first, second, third, fourth] = numbers.map((number) => Number(number.replace(/\D/g, '')));
      expect([second, third, fourth].map((n) => Number(n) - Number(first))).toEqual([1, 1, 1]);
    });

    it('refuses what would be refused', async () => {
      await on.make('client-tag', { name: 'Taken' });
      expect((await send(on, 'POST /client-tags', trial({ name: 'Taken' }))).status).toBe(409);
      expect((await send(on, 'POST /client-tags', trial({ name: 5 }))).status).toBe(400);
      expect((await send(on, 'DELETE /clients/01890a5d-ac96-774b-bcce-b302099a8057', trial())).status).toBe(404);
    });

    it('tells by how many records of which groups a record is in use that cannot go', async () => {
      const client = await on.make('client');
      for (const _ of [1, 2]) await send(on, 'POST /invoices', { body: { clientId: client.id } });
      await on.make('project', { clientId: client.id });
      const usedBy = [
        { group: 'invoices', count: 2 },
        { group: 'projects', count: 1 },
      ];
      const message = 'The Client is in use and cannot be deleted.';
      for (const sent of [trial(), {}]) {
        const refused = await send(on, `DELETE /clients/${client.id}`, sent);
        expect(refused.body).toEqual({ status: 409, message, usedBy });
      }
      const operations = [{ method: 'DELETE', path: `/clients/${client.id}` }];
      const whole = await send(on, 'POST /batch', { body: { operations } });
      expect(whole.body).toMatchObject({ status: 409, errors: [message], usedBy });
      const apart = await send(on, 'POST /batch', { body: { operations, atomic: false } });
      expect(apart.body.results).toEqual([{ status: 409, body: { status: 409, message, usedBy } }]);
    });

    it('tells the nearest name of a field or a parameter that is not known', async () => {
      expect((await send(on, 'POST /clients', { body: { nme: 'A', clint: 1 } })).body.errors).toEqual([
        "'name' is required",
        "'nme' is not allowed; did you mean 'name'?",
        "'clint' is not allowed",
      ]);
      const said = async (target: string) => (await send(on, `GET ${target}`)).body.message;
      expect(await said('/clients?nmeContains=a')).toBe(
        "Parameter 'nmeContains' is not allowed; did you mean 'nameContains'?",
      );
      expect(await said('/clients?zzz=a')).toBe("Parameter 'zzz' is not allowed.");
      expect(await said('/summary/clients?bye=currency')).toBe("Parameter 'bye' is not allowed; did you mean 'by'?");
      expect((await send(on, 'POST /batch', { body: { operation: [], operations: [] } })).body.errors).toContain(
        "'operation' is not allowed; did you mean 'operations'?",
      );
    });

    it('tells what a delete would take along and what it would clear', async () => {
      const tag = await on.make('client-tag');
      const clients = [await on.make('client', { tagIds: [tag.id] }), await on.make('client', { tagIds: [tag.id] })];
      const tried = await send(on, `DELETE /client-tags/${tag.id}`, trial());
      expect(tried).toMatchObject({ status: 200, body: { deletes: { 'client-tags': 1 }, clears: { clients: 2 } } });
      expect(tried.headers.get('preference-applied')).toBe('tx=rollback');
      expect((await send(on, `GET /clients/${clients[0]?.id}`)).body.tags).toHaveLength(1);
      const lone = await on.make('client-tag');
      expect((await send(on, `DELETE /client-tags/${lone.id}`, trial())).body).toEqual({
        deletes: { 'client-tags': 1 },
        clears: {},
      });
    });

    it('keeps no key', async () => {
      const key = newKey();
      const headers = { Prefer: 'return=representation, tx="rollback"; x=1', 'Idempotency-Key': key };
      expect((await send(on, 'POST /clients', { body: { name: 'Not yet' }, headers })).status).toBe(200);
      expect(
        (await send(on, 'POST /clients', keyed(key, { name: 'Not yet' }))).headers.get('idempotent-replayed'),
      ).toBeNull();
      expect(await counted(on, 'Not yet')).toBe(1);
    });

    it('passes other preferences over, and refuses a wrong tx', async () => {
      for (const prefer of ['return=representation', 'tx=commit', 'foo=tx', 'respond-async', 'foo="a, tx=rollback"'])
        expect(
          (await send(on, 'POST /clients', { body: { name: prefer }, headers: { Prefer: prefer } })).headers.get(
            'preference-applied',
          ),
        ).toBeNull();
      for (const prefer of ['tx=rollbak', 'tx', 'tx=', 'a, tx=no', 'foo="a,b", tx=rollback now']) {
        const sent = await send(on, 'POST /clients', { body: { name: 'Never' }, headers: { Prefer: prefer } });
        expect(sent).toMatchObject({
          status: 400,
          body: { message: "Header 'Prefer' must be tx=rollback or tx=commit." },
        });
      }
      expect(await counted(on, 'Never')).toBe(0);
    });

    it('leaves switches of the workspace as they are', async () => {
      const { body } = await send(on, 'GET /workspace-settings');
      await send(on, 'PATCH /workspace-settings', trial({ name: 'Tried name' }));
      expect((await send(on, 'GET /workspace-settings')).body).toEqual(body);
    });
  },
  'product',
);
