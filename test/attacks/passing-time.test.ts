// Somebody has a member's token and wants what is kept from it, by what takes its time: what is followed, sent on, taken back, sorted,
// asked for in parts, or written at the right moment.
import { StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { withRoles } from '../access/callers.ts';
import { endOf } from '../support/data/changes.ts';
import { copyRecord } from '../support/databases/many.ts';
import type { Answer, Call } from '../support/service/client.ts';
import { newToken } from '../support/service/new-token.ts';
import { accessToken, isObject, type Json } from '../support/service/praxis.ts';
import { Receiver } from '../support/service/receiver.ts';
import { send } from '../support/service/send.ts';

const receiver = new Receiver();
await receiver.start();
afterAll(() => receiver.stop());

const reads = ['read', 'history'];
const own = 'memberId == actor';
const roles = {
  // Held as long as nobody is one's manager.
  worker: {
    heldBy: 'me.managerId == null',
    allow: [
      { on: ['entry', 'project'], to: reads },
      { on: ['member'], to: ['read'], fields: { show: ['name'] } },
      { on: ['member'], to: ['read'], when: 'id == actor', fields: { show: ['name', 'salary'] } },
      { on: ['member'], to: ['update'], when: 'id == actor', fields: { write: ['salary'] } },
    ],
    may: ['changes', 'webhooks'],
  },
  // What everybody may.
  anybody: {
    heldBy: 'me.name != null',
    allow: [{ on: ['entry'], to: reads, when: own, fields: { hide: ['rate'] } }],
    may: ['changes'],
  },
  getter: {
    allow: [
      { on: ['client'], to: ['get'] },
      { on: ['client'], to: ['list'], when: 'code == null' },
      { on: ['member'], to: ['read'] },
    ],
  },
  scribe: { allow: [{ on: ['entry'], to: ['update', 'history'] }], may: ['changes'] },
  keeper: {
    allow: [
      { on: ['entry', 'member', 'project'], to: ['*'] },
      { on: ['client'], to: ['get', 'history'] },
    ],
    may: ['changes'],
  },
  clerk: { allow: [{ on: ['entry'], to: ['read', 'write'], when: `${own} || member.managerId == actor` }] },
  desk: { allow: [{ on: ['client'], to: ['read', 'write'], when: 'code == null' }] },
};

withRoles(
  'an attack that takes its time',
  {
    folder: 'studio',
    roles,
    parts: {
      changes: 90,
      webhooks: { hosts: [receiver.host], pauses: { pausesMs: [5, 5], untilMs: 60_000 }, lookEveryMs: 20 },
    },
  },
  (context) => {
    let made = 0;
    const member = async (more: Json = {}) => {
      made += 1;
      const name = `M${made}`;
      return context.make('member', { name, email: `m${made}@example.com`, isActive: true, managerId: null, ...more });
    };
    /** A client of a token, whose answers are not held against the document. */
    const callOf =
      (token: string): Call =>
      async (method, path, body, { headers = {} } = {}) => {
        const answer = await send(context, `${method} ${path}`, {
          body,
          headers: { ...headers, Authorization: `Bearer ${token}` },
        });
        return { ...answer, headers: Object.fromEntries(answer.headers) };
      };
    const all = callOf(accessToken);
    /** Somebody with the roles that they hold at the moment. */
    const callOfMember = async (memberId: string): Promise<Call> => callOf(await newToken(context, { memberId }));
    let boss: string | undefined;
    const isWorker = async (id: string, holds: boolean): Promise<void> => {
      boss ??= (await member()).id;
      await context.call('PATCH', `/members/${id}`, { managerId: holds ? null : boss });
    };
    const entry = (memberId: string, more: Json = {}) =>
      context.make('entry', { memberId, date: '2026-03-02', minutes: 60, rate: 77.31, projectId: null, ...more });
    const isTold = ({ text }: Pick<Answer, 'text'>): boolean => text.includes('77.31');
    const results = (body: unknown): readonly Json[] => (isObject(body) ? (body['results'] as Json[]) : []);

    test('who waits for changes is told what may be seen when they come', async () => {
      const { id } = await member();
      const call = await callOfMember(id);
      const start = await endOf(context);
      const waiting = call('GET', `/changes?after=${start}&wait=20`);
      await delay(100);
      await isWorker(id, false);
      await entry((await member()).id);
      await entry(id);
      const { status, body, text } = await waiting;
      const told = results(body).filter(({ group }) => group === 'entry');
      expect([status, told.filter((each) => JSON.stringify(each).includes('77.31'))], text).toEqual([200, []]);
      const then = await call('GET', `/changes?after=${start}`);
      expect([then.status, isTold(then), results(then.body).map(({ operation }) => operation)]).toEqual([
        200,
        false,
        ['create'],
      ]);
    }, 60_000);

    test('a webhook is sent what may be seen when it is sent, and nothing while it may have none', async () => {
      const { id } = await member();
      const call = await callOfMember(id);
      const slow = `/slow-${id}`;
      const wish = { url: `http://${receiver.host}${slow}`, groups: ['entry'] };
      const hook = (await call('POST', '/webhooks', wish)).body as Json;
      onTestFinished(async () => void (await all('DELETE', `/webhooks/${String(hook['id'])}`)));
      let isOpen = false;
      receiver.answer = async ({ path }) => {
        // As a receiver that takes its time over the first of many.
        while (path === slow && !isOpen) await delay(20);
        return { status: 204 };
      };
      for (let n = 0; n < 4; n += 1) await entry((await member()).id);
      await expect.poll(() => receiver.at(slow).length, { timeout: 10_000 }).toBe(1);
      await isWorker(id, false);
      await delay(100);
      isOpen = true;
      await delay(300);
      expect(receiver.at(slow)).toHaveLength(1);
      await isWorker(id, true);
      await expect.poll(() => receiver.at(slow).length, { timeout: 10_000 }).toBe(4);
    }, 60_000);

    test('what a webhook has put aside is shown as it may be seen by now', async () => {
      const { id } = await member();
      const call = await callOfMember(id);
      receiver.answer = () => ({ status: 400 });
      const wish = {
        url: `http://${receiver.host}/aside`,
        groups: ['entry'],
        operations: ['create'],
        onFailure: 'pass',
      };
      const hook = (await call('POST', '/webhooks', wish)).body as Json;
      const parked = async () => call('GET', `/webhooks/${String(hook['id'])}/parked`);
      await entry((await member()).id);
      await expect.poll(async () => results((await parked()).body).length, { timeout: 20_000 }).toBe(1);
      expect(isTold(await parked())).toBe(true);
      await isWorker(id, false);
      expect((await parked()).status).toBe(403);
      const parkedNow = await all('GET', `/webhooks/${String(hook['id'])}/parked`);
      expect(results(parkedNow.body)).toEqual([]);
      expect((await all('POST', `/webhooks/${String(hook['id'])}/parked`)).body).toEqual({
        results: [],
        hasMore: false,
      });
    }, 60_000);

    test('an export goes on as long as its caller may do what it might when it began', async () => {
      const { id: other } = await member();
      const pattern = await entry(other);
      await copyRecord(context.workspace, { group: 'entry', id: pattern.id, count: 1100 });
      const { tokens } = context.workspace;
      const authenticate = tokens.authenticate.bind(tokens);
      onTestFinished(() => {
        tokens.authenticate = authenticate;
      });
      for (const [what, isWhole] of [
        ['nothing', true],
        ['role', false],
        ['token', false],
      ] as const) {
        const { id } = await member();
        const token = await newToken(context, { memberId: id });
        let asked = 0;
        // Whoever answers is asked at the beginning, and before each portion: behind the first one something changes.
        tokens.authenticate = (text, now) => {
          if (text === token) asked += 1;
          if (text !== token || asked !== 3 || what === 'nothing') return authenticate(text, now);
          if (what === 'token') return undefined;
          return isWorker(id, false).then(() => authenticate(text, now)) as never;
        };
        const { body, status } = await fetch(`${context.address}/export/entries`, {
          headers: { Authorization: `Bearer ${token}` },
        });
        expect(status).toBe(200);
        let text = '';
        const reading = async (): Promise<void> => {
          for await (const part of body ?? []) text += Buffer.from(part).toString();
        };
        if (isWhole) await reading();
        else await expect(reading(), what).rejects.toThrow();
        const lines = text.trim().split('\n');
        expect([what, lines.length <= 500, lines.at(-1)?.startsWith('{"end":true')]).toEqual([what, !isWhole, isWhole]);
      }
    }, 60_000);

    test('a place in a list that is sorted by what is hidden is no place', async () => {
      const [me, other] = [await member({ salary: 4000 }), await member({ salary: 7391 })];
      const call = context.as(me.id, 'worker');
      const of = async (id: string, cursor = 'startingAfter') => {
        const { status, body, text } = await call('GET', `/members?sort=salary&${cursor}=${id}`);
        return status === 200 ? results(body).map((each) => each['id']) : text.replaceAll(id, 'ID');
      };
      // Whether one's own, which one may write, comes behind it would tell the other to the cent.
      for (const cursor of ['startingAfter', 'endingBefore'])
        for (const salary of [7390, 7392]) {
          expect((await call('PATCH', `/members/${me.id}`, { salary })).status).toBe(200);
          expect(await of(other.id, cursor), `${cursor} ${salary}`).toEqual(
            await of('01890a5d-ac96-474b-bcce-b302099a8057', cursor),
          );
        }
      expect(await of(me.id)).toEqual([]);
    });

    test('parts of a record are those of a get, whatever a list holds', async () => {
      const { id } = await context.make('client', { name: 'Acme', code: 'A1' });
      const getter = context.as(null, 'getter');
      for (const query of ['', '?fields=name', '?expand=owner', '?fields=owner'])
        expect((await getter('GET', `/clients/${id}${query}`)).status, query).toBe(200);
      expect(
        results((await getter('GET', '/clients?fields=name&limit=100')).body).map((each) => each['id']),
      ).not.toContain(id);
    });

    // What servers are asked for within a transaction is not seen from here.
    if (!context.isServer)
      test('a write of a record that is not seen takes what one takes that there is not', async () => {
        const me = await member();
        const [unseen, unknown] = [(await entry((await member()).id)).id, '01890a5d-ac96-774b-bcce-b302099a8057'];
        const call = context.as(me.id, 'clerk');
        const asked: string[] = [];
        const spies = (['all', 'get', 'run'] as const).map((name) => {
          const original = StatementSync.prototype[name] as (...values: unknown[]) => unknown;
          return vi.spyOn(StatementSync.prototype, name).mockImplementation(function (
            this: StatementSync,
            ...values: unknown[]
          ) {
            // Not those by which services follow what others change.
            if (!/praxis_|settings/.test(this.sourceSQL)) asked.push(this.sourceSQL);
            return original.apply(this, values);
          } as never);
        });
        onTestFinished(() => {
          for (const spy of spies) spy.mockRestore();
        });
        const statementsFor = async (method: string, id: string): Promise<readonly string[]> => {
          asked.length = 0;
          const body = method === 'PATCH' ? { minutes: 5 } : undefined;
          expect((await call(method, `/entries/${id}`, body)).status).toBe(404);
          return [...asked];
        };
        for (const method of ['PATCH', 'DELETE']) {
          await statementsFor(method, unknown);
          const expected = await statementsFor(method, unknown);
          expect(expected.length).toBeGreaterThan(0);
          expect(await statementsFor(method, unseen), method).toEqual(expected);
        }
      });

    test('a write is taken back by who may see and write all of it', async () => {
      const written = await entry((await member()).id);
      const first = results((await all('GET', `/history/entries/${written.id}`)).body);
      await context.call('PATCH', `/entries/${written.id}`, { minutes: 90 });
      const now = results((await all('GET', `/history/entries/${written.id}`)).body);
      const write = String(now.find((each) => each['entry'] !== first[0]?.['entry'])?.['write']);
      const undo = (role: string, headers = {}) =>
        context.as(null, role)('POST', `/writes/${write}/undo`, undefined, { headers });
      // Who sees no record is told of no write of it.
      const refused = (await context.as(null, 'scribe')('GET', `/writes/${write}`)).body;
      expect(refused).toMatchObject({ status: 404 });
      for (const headers of [{}, { Prefer: 'tx=rollback' }, { 'Idempotency-Key': 'undo-1' }])
        expect((await undo('scribe', headers)).body).toEqual(refused);
      expect((await context.call('GET', `/entries/${written.id}`)).body).toMatchObject({ minutes: 90 });
      expect((await undo('keeper')).status).toBe(200);
      expect((await context.call('GET', `/entries/${written.id}`)).body).toMatchObject({ minutes: 60 });
    });

    test('the history of a group is refused before anything is told of what is asked for', async () => {
      const desk = context.as(null, 'desk');
      for (const path of ['x', 'x?y=1', '01890a5d-ac96-774b-bcce-b302099a8057'])
        expect((await desk('GET', `/history/clients/${path}`)).body).toEqual({
          status: 403,
          message: "Operation 'history' of 'Client' is not granted.",
        });
    });
  },
);
