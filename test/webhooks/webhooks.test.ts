// Webhooks: what comes is sent in order, signed, and again until it is taken; nothing is lost, and no private address is reached.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookSignatureError } from '../../codegen/client.ts';
import { sweepLog } from '../../src/past/sweep.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createToken, revokeToken } from '../../src/storage/tokens.ts';
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts';
import { endOf } from '../support/data/changes.ts';
import { databases } from '../support/databases/databases.ts';
import { type Context, onEveryDatabase, startService } from '../support/service/praxis.ts';
import { Receiver } from '../support/service/receiver.ts';
import { send } from '../support/service/send.ts';

const second = 1000;
const minute = 60 * second;
/** The clock of services: it stands ahead of that of the machine by what tests say. */
const clock = { aheadMs: 0 };
const receiver = new Receiver();
await receiver.start();
afterAll(() => receiver.stop());
beforeEach(() => {
  receiver.answer = () => ({ status: 204 });
});

const pauses = { pausesMs: [5 * second, 30 * second, 2 * minute], untilMs: 10 * minute };
/** Names that lead somewhere without a server for names. */
const resolve = ((_name: string, _options: unknown, found: (error: null, addresses: object[]) => void) =>
  found(null, [{ address: '169.254.169.254', family: 4 }])) as never;
const webhooks = { hosts: [receiver.host], pauses, lookEveryMs: 20, resolve };
const parts = { changes: 90, webhooks, now: () => Date.now() + clock.aheadMs } as const;

type On = Pick<Context, 'address'>;
let made = 0;
/** A webhook with a path of its own. */
async function hook(on: On, wish: object = {}) {
  made += 1;
  const path = `/${made}`;
  const { status, body } = await send(on, 'POST /webhooks', {
    body: { url: `http://${receiver.host}${path}`, ...wish },
  });
  expect(status).toBe(200);
  const read = async () => (await send(on, `GET /webhooks/${body.id}`)).body;
  const post = (what: string, sent?: object) => send(on, `POST /webhooks/${body.id}/${what}`, { body: sent });
  const patch = (change: object) => send(on, `PATCH /webhooks/${body.id}`, { body: change });
  const tries = async () => (await send(on, `GET /webhooks/${body.id}/tries`)).body.results;
  const remove = () => send(on, `DELETE /webhooks/${body.id}`);
  return { ...body, path, read, post, patch, tries, remove };
}
const note = async (on: On, text: string) => (await send(on, 'POST /notes', { body: { text } })).body;
/** The texts of notes that came to a path. */
const textsAt = (path: string) => receiver.at(path).map(({ body }) => body.data.changes.text.to);
const idsAt = (path: string) => receiver.at(path).map(({ headers }) => headers['webhook-id']);
const poll = <T>(read: () => T) => expect.poll(read, { timeout: 10_000, interval: 10 });
const comes = (path: string, texts: readonly string[]) => poll(() => textsAt(path)).toEqual(texts);

async function withUnit<T>(on: Context, work: (unit: UnitOfWork, dialect: never) => Promise<T>): Promise<T> {
  const database = await openDatabase(on.databaseUrl);
  try {
    return await work(createUnitOfWork(database, { deadlineMs: 10_000 }), database.dialect as never);
  } finally {
    await database.close();
  }
}

onEveryDatabase(
  'webhooks',
  (on) => {
    it('are sent what comes, signed, each entry as the feed has it', async () => {
      // Who verifies goes by the clock of the machine.
      clock.aheadMs = 0;
      await note(on, 'before');
      const { id, secret, path, state, cursor, remove } = await hook(on, { groups: ['note'], operations: ['create'] });
      expect([state, cursor]).toEqual(['active', await endOf(on)]);
      await send(on, 'POST /tags', { body: { name: `not of it ${made}` } });
      await note(on, 'one');
      await comes(path, ['one']);
      const [message] = receiver.at(path);
      const { body } = await send(on, `GET /changes?after=${cursor}&group=note`);
      expect(message?.body).toEqual({
        type: 'note.created',
        timestamp: body.results[0].at,
        data: body.results[0],
      });
      expect(message?.headers['webhook-id']).toBe(`${id}_${body.results[0].position}`);
      const headers = message?.headers as Record<string, string>;
      const receiving = new Webhook(secret);
      expect(receiving.verify(message?.text ?? '', headers)).toEqual(message?.body);
      expect(() => receiving.verify(message?.text.replace('one', 'two') ?? '', headers)).toThrow();
      expect(await verifyWebhook(message?.text ?? '', headers, secret)).toEqual(message?.body);
      const forged = [
        [message?.text.replace('one', 'two') ?? '', headers, secret],
        [message?.text ?? '', { ...headers, 'webhook-id': `${id}_1` }, secret],
        [message?.text ?? '', { ...headers, 'webhook-timestamp': '1' }, secret],
        [message?.text ?? '', {}, secret],
        [message?.text ?? '', headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      ] as const;
      for (const [text, sent, key] of forged)
        await expect(verifyWebhook(text, sent, key)).rejects.toThrow(WebhookSignatureError);
      expect((await send(on, `GET /webhooks/${id}`)).text).not.toContain(secret);
      await remove();
    });

    it('are sent what was refused again, with the same id, before what comes behind it', async () => {
      const { path, tries, read, remove } = await hook(on);
      receiver.answer = (_message, nth) => (nth <= 2 ? { status: 500, text: 'not now' } : { status: 200 });
      await note(on, 'first');
      await note(on, 'second');
      await comes(path, ['first']);
      await poll(async () => (await read()).waiting?.tries).toBe(1);
      clock.aheadMs += 6 * second;
      await comes(path, ['first', 'first']);
      await poll(async () => (await read()).waiting?.tries).toBe(2);
      clock.aheadMs += 20 * second;
      expect((await read()).waiting).toMatchObject({ tries: 2 });
      clock.aheadMs += 16 * second;
      await comes(path, ['first', 'first', 'first', 'second']);
      const ids = idsAt(path);
      expect(new Set(ids.slice(0, 3)).size).toBe(1);
      await poll(async () => (await tries()).length).toBe(4);
      expect((await tries()).map(({ outcome, status, answer }: never) => [outcome, status, answer])).toEqual([
        ['taken', 200, ''],
        ['taken', 200, ''],
        ['refused', 500, 'not now'],
        ['refused', 500, 'not now'],
      ]);
      await remove();
    });

    it('fail when their time is over, and go on where they were', async () => {
      const { path, read, patch, remove } = await hook(on);
      receiver.answer = () => ({ status: 503, headers: { 'Retry-After': '240' } });
      await note(on, 'first');
      await note(on, 'second');
      for (let count = 1; count <= 3; count += 1) {
        await poll(() => receiver.at(path).length).toBe(count);
        await poll(async () => (await read()).waiting?.tries).toBe(count);
        clock.aheadMs += 4 * minute + second;
      }
      await poll(async () => (await read()).state).toBe('failing');
      receiver.answer = () => ({ status: 204 });
      await note(on, 'third');
      expect((await patch({ state: 'active' })).body).toMatchObject({ state: 'active', waiting: null });
      await comes(path, ['first', 'first', 'first', 'first', 'second', 'third']);
      await remove();
    });

    it('stop at once where the receiver is gone, and pass over what stands in the way when told to', async () => {
      const { path, read, post, remove } = await hook(on);
      expect((await post('skip')).body).toEqual({ status: 409, message: 'No entry stands in the way.' });
      receiver.answer = ({ body }) => ({ status: body.data.changes.text.to === 'bad' ? 410 : 204 });
      await note(on, 'bad');
      await note(on, 'good');
      await poll(async () => (await read()).state).toBe('failing');
      expect((await post('skip')).body.state).toBe('active');
      await comes(path, ['bad', 'good']);
      await remove();
    });

    it('put aside what is refused ten times where they are told to pass, and send it again when asked', async () => {
      const { id, path, read, post, remove } = await hook(on, { onFailure: 'pass' });
      const refusal = { status: 400, headers: { 'Retry-After': '1' } };
      receiver.answer = ({ body }) => (body.data.changes.text.to === 'bad' ? refusal : { status: 204 });
      await note(on, 'bad');
      await note(on, 'good');
      for (let count = 1; count < 10; count += 1) {
        await poll(async () => (await read()).waiting?.tries).toBe(count);
        clock.aheadMs += second;
      }
      await comes(path, [...Array(10).fill('bad'), 'good']);
      const parked = (await send(on, `GET /webhooks/${id}/parked`)).body.results;
      expect(parked.map(({ message }: { message: { data: object } }) => message.data)).toMatchObject([
        { changes: { text: { to: 'bad' } } },
      ]);
      expect((await post('parked/1')).status).toBe(404);
      expect((await post('parked')).body).toMatchObject({ results: [{ outcome: 'refused' }], hasMore: false });
      receiver.answer = () => ({ status: 204 });
      expect((await post(`parked/${parked[0].position}`)).body).toMatchObject({ results: [{ outcome: 'taken' }] });
      expect((await send(on, `GET /webhooks/${id}/parked`)).body.results).toEqual([]);
      const ids = idsAt(path);
      expect(ids.at(-1)).toBe(ids[0]);
      await remove();
    });

    it('pause, replay from a cursor, and are tried', async () => {
      const { path, cursor, patch, post, remove } = await hook(on);
      await patch({ state: 'paused' });
      await note(on, 'one');
      expect((await post('test')).body).toMatchObject({ position: null, outcome: 'taken', status: 204 });
      expect(receiver.at(path).map(({ body }) => body.type)).toEqual(['praxis.test']);
      await patch({ state: 'active', groups: ['note'] });
      const types = () => receiver.at(path).map(({ body }) => body.type);
      await poll(types).toEqual(['praxis.test', 'note.created']);
      expect((await post('replay', { after: 'yesterday' })).body.errors).toEqual([
        "'after' must be a cursor of this log",
      ]);
      expect((await post('replay', { after: `${cursor}0` })).status).toBe(410);
      await post('replay', { after: cursor });
      await poll(types).toEqual(['praxis.test', 'note.created', 'note.created']);
      await remove();
      expect((await send(on, 'GET /webhooks')).body.results).toEqual([]);
    });

    it('sign with the old secret beside a new one for a day', async () => {
      const { secret, path, post, remove } = await hook(on);
      const renewed = (await post('secret')).body.secret;
      expect(renewed).not.toBe(secret);
      await note(on, 'both');
      await comes(path, ['both']);
      clock.aheadMs += 25 * 60 * minute;
      await note(on, 'new');
      await comes(path, ['both', 'new']);
      const signatures = receiver.at(path).map(({ headers }) => String(headers['webhook-signature']).split(' '));
      expect(signatures.map(({ length }) => length)).toEqual([2, 1]);
      const [first, last] = receiver.at(path);
      const signs = (key: string, message = first) => {
        const { 'webhook-id': id = '', 'webhook-timestamp': time = '' } = message?.headers ?? {};
        const at = new Date(Number(time) * 1000);
        return String(message?.headers['webhook-signature']).includes(
          new Webhook(key).sign(String(id), at, message?.text ?? ''),
        );
      };
      expect([signs(secret), signs(renewed), signs(secret, last), signs(renewed, last)]).toEqual([
        ...[true, true, false, true],
      ]);
      await remove();
    });

    it('are lost where the next entry is forgotten, and stop with their token', async () => {
      const { path, read, patch, post, remove } = await hook(on);
      await patch({ state: 'paused' });
      await note(on, 'forgotten');
      await withUnit(on, (unit, dialect) => sweepLog(unit, dialect, new Date(Date.now() + minute).toISOString()));
      await patch({ state: 'active' });
      await poll(async () => (await read()).state).toBe('lost');
      expect((await patch({ state: 'active' })).body.message).toBe(
        'The webhook has lost entries; replay it from a cursor.',
      );
      await post('replay', { after: await endOf(on) });
      await note(on, 'again');
      await comes(path, ['again']);
      await remove();

      const { id, token } = await withUnit(on, (unit) => createToken(unit, { name: 'short' }));
      const body = { url: `http://${receiver.host}/ended-${made}` };
      const ended = await send(on, 'POST /webhooks', { body, headers: { Authorization: `Bearer ${token}` } });
      await withUnit(on, (unit) => revokeToken(unit, id));
      const state = async () => (await send(on, `GET /webhooks/${ended.body.id}`)).body.state;
      await poll(async () => {
        clock.aheadMs += 11 * second;
        return state();
      }).toBe('stopped');
      await note(on, 'not sent');
      expect(receiver.at(`/ended-${made}`)).toEqual([]);
      await send(on, `DELETE /webhooks/${ended.body.id}`);
    });

    it('lead to no private address, whatever its spelling', async () => {
      const refused = async (url: unknown) => {
        const { status, body } = await send(on, 'POST /webhooks', { body: { url } });
        return [status, body.errors?.[0]];
      };
      const [https, reached] = ["'url' must be an https URL", "'url' must not lead to a private address"];
      for (const url of ['http://127.0.0.1/x', 'http://example.com/', 'ftp://example.com', 'https://a:b@example.com/'])
        expect([url, ...(await refused(url))]).toEqual([url, 400, https]);
      for (const url of [
        'https://example.com:0/',
        'https://',
        'example.com',
        5,
        null,
        `https://example.com/${'x'.repeat(2000)}`,
      ])
        expect([url, ...(await refused(url))]).toEqual([url, 400, https]);
      for (const url of [
        ...[
          'https://[::ffff:10.0.0.1]/',
          'https://127.1/',
          'https://0x7f000001/',
          'https://2130706433/',
          'https://[::1]/',
        ],
        ...[
          'https://169.254.169.254/latest/meta-data',
          'https://10.1.2.3:8443/',
          'https://172.31.0.1/',
          'https://0.0.0.0/',
        ],
        ...[
          'https://192.168.0.1/',
          'https://100.64.0.1/',
          'https://224.0.0.1/',
          'https://[fe80::1]/',
          'https://[fd00::1]/',
        ],
        ...[
          'https://[64:ff9b::a00:1]/',
          'https://[2002:a00:1::]/',
          'https://localhost/',
          'https://hooks.localhost:8443/',
        ],
      ])
        expect([url, ...(await refused(url))]).toEqual([url, 400, reached]);
      // A name is looked up at each connecting.
      const named = await send(on, 'POST /webhooks', { body: { url: 'https://metadata.example.com/' } });
      expect((await send(on, `POST /webhooks/${named.body.id}/test`)).body).toMatchObject({
        ...{ outcome: 'failed', status: null, answer: null, error: 'its name leads to a private address' },
      });
      await send(on, `DELETE /webhooks/${named.body.id}`);
    });

    it('follow no redirect, and read little of an answer', async () => {
      const { path, post, remove } = await hook(on);
      receiver.answer = () => ({ status: 302, headers: { Location: `http://${receiver.host}/elsewhere` } });
      expect((await post('test')).body).toMatchObject({ outcome: 'refused', status: 302 });
      expect(receiver.at('/elsewhere')).toEqual([]);
      receiver.answer = () => ({ status: 200, text: 'x'.repeat(100_000) });
      expect((await post('test')).body.answer).toHaveLength(4096);
      expect(receiver.at(path)).toHaveLength(2);
      await remove();
    });

    it('refuse what they do not understand', async () => {
      const wrong: [object, string[]][] = [
        [{}, ["'url' is required"]],
        [
          { url: `http://${receiver.host}/`, groups: ['noet'], operations: [], causes: ['callers'], colour: 1 },
          [
            "'groups' must hold one of author, tag, piece, note",
            "'operations' must be a list of at least one item",
            "'causes' must hold one of caller, undo, effect, figure, cascade, clear, day, repair, setup, migration, switch",
            "'colour' is not allowed",
          ],
        ],
        [{ url: `http://${receiver.host}/`, onFailure: 'stop' }, ["'onFailure' must be one of hold, pass"]],
        [{ url: `http://${receiver.host}/`, groups: ['note', 'note'] }, ["'groups' must be without duplicates"]],
        [{ url: `http://${receiver.host}/`, state: 'paused' }, ["'state' is not allowed"]],
      ];
      for (const [body, errors] of wrong)
        expect(await send(on, 'POST /webhooks', { body })).toMatchObject({ status: 400, body: { errors } });
      expect((await send(on, 'GET /webhooks?limit=1')).body.message).toBe("Parameter 'limit' is not allowed.");
      expect((await send(on, 'GET /webhooks/5')).status).toBe(400);
      expect((await send(on, 'GET /webhooks/01890a5d-ac96-774b-bcce-b302099a8057')).status).toBe(404);
      expect((await send(on, 'PUT /webhooks', { body: {} })).headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
      expect((await send(on, 'POST /webhooks/01890a5d-ac96-774b-bcce-b302099a8057/nothing')).status).toBe(404);
      const { patch, remove } = await hook(on);
      expect((await patch({ state: 'failing' })).body.errors).toEqual(["'state' must be one of active, paused"]);
      await remove();
    });

    it('are at most 50, and each seen by who may see what it is sent', async () => {
      const limits = { readOnly: false, allow: ['read,history:note', 'may:webhooks'] };
      const [limited, other] = await withUnit(on, async (unit) => [
        await createToken(unit, { name: 'limited', limits }),
        await createToken(unit, { name: 'other', limits: { readOnly: false, allow: ['read:note'] } }),
      ]);
      const as = (token = '') => ({ headers: { Authorization: `Bearer ${token}` } });
      expect((await send(on, 'GET /webhooks', as(other?.token))).body.message).toBe("'webhooks' is not granted.");
      const all = await hook(on);
      const url = `http://${receiver.host}/limited-${made}`;
      const own = (await send(on, 'POST /webhooks', { ...as(limited?.token), body: { url } })).body;
      expect((await send(on, `GET /webhooks/${all.id}`, as(limited?.token))).status).toBe(404);
      expect((await send(on, 'GET /webhooks', as(limited?.token))).body.results).toMatchObject([{ id: own.id }]);
      await send(on, 'POST /tags', { body: { name: `unseen ${made}` } });
      await note(on, 'seen');
      await comes(`/limited-${made}`, ['seen']);
      for (let count = 3; count <= 50; count += 1) await send(on, 'POST /webhooks', { body: { url } });
      expect((await send(on, 'POST /webhooks', { body: { url } })).body).toEqual({
        ...{ status: 409, message: 'There are 50 webhooks already.' },
      });
      for (const { id } of (await send(on, 'GET /webhooks')).body.results) await send(on, `DELETE /webhooks/${id}`);
    });

    it('are made and changed once under a key, and not at all where that is tried', async () => {
      const url = `http://${receiver.host}/once`;
      const make = (headers: Record<string, string>, body: object = { url }) =>
        send(on, 'POST /webhooks', { body, headers });
      const all = async () => (await send(on, 'GET /webhooks')).body.results.length;
      const before = await all();
      const tried = await make({ Prefer: 'tx=rollback' });
      expect([tried.status, tried.body.url, tried.headers.get('preference-applied')]).toEqual([
        200,
        url,
        'tx=rollback',
      ]);
      expect(await all()).toBe(before);
      const key = { 'Idempotency-Key': 'webhook-1' };
      const first = await make(key);
      const again = await make(key);
      expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
      expect(await all()).toBe(before + 1);
      expect((await make(key, { url: `${url}/other` })).status).toBe(422);
      const path = `/webhooks/${first.body.id}`;
      const renew = () => send(on, `POST ${path}/secret`, { headers: { 'Idempotency-Key': 'secret-1' } });
      expect((await renew()).text).toBe((await renew()).text);
      const trial = { headers: { Prefer: 'tx=rollback' } };
      expect((await send(on, `PATCH ${path}`, { body: { state: 'paused' }, ...trial })).body.state).toBe('paused');
      expect((await send(on, `DELETE ${path}`, trial)).status).toBe(204);
      expect((await send(on, `GET ${path}`)).body.state).toBe('active');
      expect((await send(on, `POST ${path}/test`, trial)).body.message).toBe(
        "Header 'Prefer' must be without tx=rollback where a message is sent.",
      );
      expect((await send(on, `DELETE ${path}`)).status).toBe(204);
    });

    it('are told of by metrics', async () => {
      const { id, path, patch, remove } = await hook(on, { groups: ['note'] });
      await note(on, 'counted');
      await comes(path, ['counted']);
      await patch({ state: 'paused' });
      await note(on, 'waits');
      const metric = async (name: string) => {
        const answer = await fetch(on.address.replace(/api$/, 'metrics'), {
          headers: { Authorization: 'Bearer token-of-the-tests-0123456789' },
        });
        const line = (await answer.text()).split('\n').find((each) => each.startsWith(`${name} `));
        return Number(line?.split(' ').at(-1));
      };
      const [, head] = (await endOf(on)).split('.');
      expect(await metric('praxis_changes_head')).toBe(Number(head));
      expect(await metric('praxis_changes_unordered')).toBe(0);
      expect(await metric(`praxis_webhook_lag{webhook="${id}"}`)).toBe(1);
      expect(await metric(`praxis_webhook_tries_total{webhook="${id}",outcome="taken"}`)).toBe(1);
      await remove();
    });
  },
  'log',
  { parts },
);

for (const { name, isThere, open } of databases) {
  describe.skipIf(!isThere)(`webhooks of several processes (${name})`, () => {
    it('are sent by one at a time, and by another when it ends', async () => {
      const { url, drop } = await open();
      const [one, other] = [await startService('log', url, parts), await startService('log', url, parts)];
      const texts = Array.from({ length: 40 }, (_, nth) => `note ${nth}`);
      try {
        const { path } = await hook(one);
        receiver.answer = async () => ({ status: 204 });
        for (const [nth, text] of texts.slice(0, 20).entries()) await note(nth % 2 === 0 ? one : other, text);
        await comes(path, texts.slice(0, 20));
        await one.stop();
        for (const text of texts.slice(20)) await note(other, text);
        await comes(path, texts);
        expect(receiver.atOnce.get(path)).toBe(1);
        expect(new Set(idsAt(path)).size).toBe(texts.length);
      } finally {
        await one.stop().catch(() => {});
        await other.stop();
        await drop();
      }
    });
  });
}
