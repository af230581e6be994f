// Members sign in by a password: what they get is a session, which ends when they say so, and when they may sign in no longer.
import { scryptSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Passwords } from '../../src/people/passwords.ts';
import { Administration } from '../../src/people/people.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { beginSession } from '../../src/storage/sessions.ts';
import { openQuietly } from '../support/databases/workspace.ts';
import { openStream } from '../support/service/events.ts';
import { accessToken, type Context, folders, grounds, startService } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';
import { everyone } from './everyone.ts';

const password = 'correct horse battery';
const wrong = { status: 401, text: '{"status":401,"message":"The name or the password is wrong."}' };
const tooMany = { status: 429, text: '{"status":429,"message":"Too many attempts."}' };
/** Hashes that cost next to nothing: those of the service take a third of a second. */
const signIn = { ways: ['password'], sessionHours: 12, oidc: undefined, passwordCost: { ln: 4, r: 8, p: 1 } } as const;
const minuteMs = 60_000;
const roles = everyone();
const [first] = grounds;

for (const ground of grounds)
  describe.skipIf(ground.open === undefined)(`sign-in by password (${ground.name})`, () => {
    let service: Context & { stop(): Promise<void> };
    let administration: Administration;
    let database: Database;
    let workspace: Awaited<ReturnType<typeof openQuietly>>;
    let root = '';
    const closing: (() => Promise<unknown>)[] = [];
    /** What the clock of the service is ahead of that of the machine. */
    let aheadMs = 0;
    const now = (): number => Date.now() + aheadMs;
    /** Beyond all counts of attempts. */
    const wait = (ms = 16 * minuteMs): void => {
      aheadMs += ms;
    };

    beforeAll(async () => {
      if (ground.open === undefined) return;
      const { url, close } = await ground.open();
      service = await startService('product', url, { signIn, now, roles });
      workspace = await openQuietly({ databaseUrl: url, resources: folders.product, signIn });
      database = await openDatabase(url);
      if (workspace.people === undefined) throw new Error('nobody signs in');
      administration = new Administration(workspace.people, workspace.unit);
      closing.push(service.stop, workspace.close, () => database.close(), close);
      root = service.address.replace('/api', '');
    }, 60_000);
    afterAll(async () => {
      for (const each of closing) await each();
    });

    const post = (path: string, body: unknown, headers = {}) =>
      send({ address: root }, `POST ${path}`, { body, headers });
    const enter = (name: unknown, given: unknown = password) => post('/sign-in', { name, password: given });
    const statusOf = async (token: string, on = service): Promise<number> =>
      (await send(on, 'GET /clients?limit=1', { headers: { Authorization: `Bearer ${token}` } })).status;
    /** Somebody who may sign in, with a password. */
    const member = async () => {
      const { id, email } = await service.make('member', { loginEnabled: true });
      await administration.givePassword([id], password);
      return { id, email: String(email), path: `/members/${id}` };
    };
    const [known, unknown] = [200, 401];

    test('gives a session for some hours, to the name in any case', async () => {
      const { id, email } = await member();
      const { status, body } = await enter(` ${email.toUpperCase()} `);
      expect({ status, ...body }).toEqual({
        status: 200,
        token: expect.stringMatching(/^praxis_s_[\w-]{43}$/),
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        member: { id },
      });
      expect(Math.abs(Date.parse(body.expiresAt) - now() - 12 * 60 * minuteMs)).toBeLessThan(minuteMs);
      expect(await statusOf(body.token)).toBe(known);
      wait(12 * 60 * minuteMs);
      expect(await statusOf(body.token)).toBe(unknown);
    });

    test('keeps neither the token nor the password', async () => {
      const { id, email } = await member();
      const { token } = (await enter(email)).body;
      const rows = [
        ...(await database.all('select * from praxis_session where member_id = ?', [id])),
        ...(await database.all('select * from praxis_credential where member_id = ?', [id])),
      ];
      expect(rows).toHaveLength(2);
      const text = rows
        .flat()
        .map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : cell));
      expect(text.join(' ')).not.toContain(token.slice(12, 30));
      expect(text.join(' ')).not.toContain(password);
      const phc = String(rows[1]?.find((cell) => String(cell).startsWith('$scrypt$ln=4,r=8,p=1$')));
      const [, , , salt = '', hash = ''] = phc.split('$');
      const made = scryptSync(password, Buffer.from(salt, 'base64'), 32, { N: 2 ** 4, r: 8, p: 1 });
      expect(hash).toBe(made.toString('base64').replace(/=+$/, ''));
    });

    test('tells all causes of failure alike, and makes one hash for each', async () => {
      const { email } = await member();
      const { email: withoutPassword } = await service.make('member', { loginEnabled: true });
      const off = await member();
      await service.call('PATCH', off.path, { loginEnabled: false });
      const hashes = async (): Promise<number> => {
        const text = await (
          await fetch(`${root}/metrics`, { headers: { Authorization: `Bearer ${accessToken}` } })
        ).text();
        return Number(/^praxis_password_hashes_total (\d+)$/m.exec(text)?.[1]);
      };
      for (const [name, given] of [
        [email, `${password} `],
        ['nobody@example.com', password],
        [withoutPassword, password],
        [off.email, password],
        ['', ''],
      ]) {
        wait();
        const before = await hashes();
        const { status, text } = await enter(name, given);
        expect({ status, text }).toEqual(wrong);
        expect((await hashes()) - before, `${name}`).toBe(1);
      }
    });

    test('is refused after five failures of a name, right or wrong, until a quarter of an hour is over', async () => {
      const [{ email }, other] = [await member(), await member()];
      for (let failures = 0; failures < 5; failures += 1)
        expect(await enter(failures % 2 === 0 ? email : email.toUpperCase(), 'wrong')).toMatchObject(wrong);
      for (const given of ['wrong', password]) {
        const refused = await enter(email, given);
        expect(refused).toMatchObject(tooMany);
        const seconds = Number(refused.headers.get('retry-after'));
        expect(seconds).toBeGreaterThan(14 * 60);
        expect(seconds).toBeLessThanOrEqual(15 * 60);
      }
      expect((await enter(other.email)).status).toBe(200);
      wait(14 * minuteMs);
      expect((await enter(email)).status).toBe(429);
      wait(minuteMs);
      expect((await enter(email)).status).toBe(200);
    });

    test('is refused as well for a name that there is not, and for many at a time', async () => {
      wait();
      const all = await Promise.all(Array.from({ length: 8 }, () => enter('no-one@example.com', 'wrong')));
      expect(all.map(({ status }) => status).toSorted()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    });

    test('admits the right password after many failures of other names from the same address', async () => {
      wait();
      const { email } = await member();
      for (let index = 0; index < 25; index += 1)
        expect((await enter(`no-one-${index}@example.com`, 'wrong')).status).toBe(401);
      expect((await enter(email)).status).toBe(200);
    });

    test('is refused after a hundred failures of an address, unless the last attempt of the name succeeded', async () => {
      wait();
      const [{ email }, other] = [await member(), await member()];
      expect((await enter(email)).status).toBe(200);
      for (let index = 0; index < 100; index += 1)
        expect((await enter(`no-one-${index}@example.com`, 'wrong')).status).toBe(401);
      const refused = await enter(other.email);
      expect(refused).toMatchObject(tooMany);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
      expect((await enter(email)).status).toBe(200);
      wait();
      expect((await enter(other.email)).status).toBe(200);
    });

    test('admits fifty members at once, also again and again', async () => {
      wait();
      const members = await Promise.all(Array.from({ length: 50 }, member));
      for (let round = 0; round < 3; round += 1) {
        const all = await Promise.all(members.map(({ email }) => enter(email)));
        expect(all.filter(({ status }) => status !== 200)).toEqual([]);
      }
    });

    test('that succeeds forgets the failures of that name from there', async () => {
      wait();
      const { email } = await member();
      for (const given of ['a', 'b', 'c', 'd', password, 'a', 'b', 'c', 'd', password])
        expect((await enter(email, given)).status).toBe(given === password ? 200 : 401);
    });

    test('ends with a sign-out, at once and for good', async () => {
      wait();
      const { email } = await member();
      const [one, other] = [(await enter(email)).body, (await enter(email)).body];
      expect([await statusOf(one.token), await statusOf(other.token)]).toEqual([known, known]);
      const out = (token: string) => send(service, 'POST /sign-out', { headers: { Authorization: `Bearer ${token}` } });
      expect(await out(one.token)).toMatchObject({ status: 204, text: '' });
      expect(await out(one.token)).toMatchObject({ status: 401 });
      expect([await statusOf(one.token), await statusOf(other.token)]).toEqual([unknown, known]);
    });

    test('is no matter of other tokens', async () => {
      expect(await send(service, 'POST /sign-out')).toMatchObject({
        status: 403,
        text: '{"status":403,"message":"\'sign-out\' is not granted."}',
      });
      expect((await send(service, 'GET /sign-out')).headers.get('allow')).toBe('POST, OPTIONS');
    });

    test.each([
      ['kept from signing in', { loginEnabled: false }],
      ['made inactive', { isActive: false }],
    ])('ends when the member is %s, and does not come back', async (_case, change) => {
      wait();
      const { email, path } = await member();
      const { token } = (await enter(email)).body;
      expect(await statusOf(token)).toBe(known);
      await service.call('PATCH', path, change);
      expect(await statusOf(token)).toBe(unknown);
      expect((await enter(email)).status).toBe(401);
      await service.call('PATCH', path, { isActive: true, loginEnabled: true });
      expect(await statusOf(token)).toBe(unknown);
      expect((await enter(email)).status).toBe(200);
    });

    test('ends when the member is deleted, and what it signed in with is forgotten', async () => {
      wait();
      const { id, email, path } = await member();
      const { token } = (await enter(email)).body;
      expect(await statusOf(token)).toBe(known);
      expect((await service.call('DELETE', path)).status).toBe(204);
      expect(await statusOf(token)).toBe(unknown);
      expect(await database.all('select 1 from praxis_credential where member_id = ?', [id])).toEqual([]);
    });

    test('ends when the member gets another password', async () => {
      wait();
      const { id, email } = await member();
      const { token } = (await enter(email)).body;
      await administration.givePassword([id], 'another one altogether');
      expect((await enter(email)).status).toBe(401);
      expect((await enter(email, 'another one altogether')).status).toBe(200);
      // Given by another process.
      await expect.poll(() => statusOf(token), { timeout: 5000, interval: 250 }).toBe(unknown);
    });

    test('is none by a password that is changed at that moment', async () => {
      wait();
      const { id, email } = await member();
      const { people } = service.workspace;
      if (people === undefined) throw new Error('nobody signs in');
      const among = people.members.among.bind(people.members);
      const asked = vi.spyOn(people.members, 'among').mockImplementationOnce(async (ids) => {
        await administration.givePassword([id], 'another one altogether');
        return among(ids);
      });
      onTestFinished(() => asked.mockRestore());
      const { status, text } = await enter(email);
      expect({ status, text }).toEqual(wrong);
      expect(await database.all('select 1 from praxis_session where member_id = ?', [id])).toEqual([]);
      expect((await enter(email, 'another one altogether')).status).toBe(200);
    });

    test('holds in another process at once, and ends there within 5 seconds', async () => {
      wait();
      const other = await startService('product', service.databaseUrl, { signIn, now, roles });
      try {
        const [{ email }, { email: second, path }] = [await member(), await member()];
        const [one, two] = [(await enter(email)).body, (await enter(second)).body];
        expect([await statusOf(one.token, other), await statusOf(two.token, other)]).toEqual([known, known]);
        await send(service, 'POST /sign-out', { headers: { Authorization: `Bearer ${one.token}` } });
        await service.call('PATCH', path, { loginEnabled: false });
        await expect.poll(() => statusOf(one.token, other), { timeout: 5000, interval: 250 }).toBe(unknown);
        await expect.poll(() => statusOf(two.token, other), { timeout: 5000, interval: 250 }).toBe(unknown);
      } finally {
        await other.stop();
      }
    }, 30_000);

    test('asks for all tokens that come at a time in two statements, also for those that nobody has', async () => {
      const { people, unit } = workspace;
      const read = vi.spyOn(unit, 'read');
      onTestFinished(() => read.mockRestore());
      const token = (index: number): string => `praxis_s_${String(index).padStart(43, 'x')}`;
      const found = await Promise.all(
        Array.from({ length: 100 }, (_each, index) => people?.sessions.find(token(index))),
      );
      expect(new Set(found)).toEqual(new Set([undefined]));
      expect(read.mock.calls.length).toBeLessThanOrEqual(2);
      expect(people?.sessions.find('praxis_x')).toBeUndefined();
    });

    test('keeps a password by what it costs today, once it is known', async () => {
      wait();
      const { id, email } = await member();
      const cheap = scryptSync(password, 'salt of the test', 32, { N: 2 ** 3, r: 8, p: 1 }).toString('base64');
      const salt = Buffer.from('salt of the test').toString('base64').replace(/=+$/, '');
      const kept = `$scrypt$ln=3,r=8,p=1$${salt}$${cheap.replace(/=+$/, '')}`;
      await database.run("update praxis_credential set secret = ? where kind = 'password' and member_id = ?", [
        kept,
        id,
      ]);
      expect((await enter(email, 'wrong')).status).toBe(401);
      expect((await enter(email)).status).toBe(200);
      const find = "select secret from praxis_credential where kind = 'password' and member_id = ?";
      expect(String((await database.all(find, [id]))[0]?.[0])).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/);
      expect((await enter(email)).status).toBe(200);
    });

    describe('by an invitation', () => {
      const chosen = 'chosen by myself';
      test('works once, with a password that is one', async () => {
        wait();
        const { id, email } = await service.make('member', { loginEnabled: true });
        const { secret, expiresAt } = await administration.invite(id);
        expect(Math.abs(Date.parse(expiresAt) - Date.now() - 72 * 60 * minuteMs)).toBeLessThan(minuteMs);
        const short = await post('/sign-in', { invite: secret, password: 'x'.repeat(11) });
        expect(short).toMatchObject({ status: 400, body: { errors: ["'password' must be 12 to 256 characters"] } });
        const done = await Promise.all(
          Array.from({ length: 2 }, () => post('/sign-in', { invite: secret, password: chosen })),
        );
        expect(done.map(({ status }) => status).toSorted()).toEqual([200, 401]);
        expect(await statusOf(done.find(({ status }) => status === 200)?.body.token)).toBe(known);
        const again = await post('/sign-in', { invite: secret, password: chosen });
        expect(again).toMatchObject({ status: 401, body: { message: 'The invitation is not valid.' } });
        expect((await enter(email, chosen)).status).toBe(200);
      });

      test('ends with the next one, with its time, and where the member may not sign in', async () => {
        wait();
        const { id, path } = await member();
        const first = await administration.invite(id);
        const second = await administration.invite(id);
        const tried = async (secret: string) => (await post('/sign-in', { invite: secret, password: chosen })).status;
        expect(await tried(first.secret)).toBe(401);
        await service.call('PATCH', path, { loginEnabled: false });
        expect(await tried(second.secret)).toBe(401);
        await service.call('PATCH', path, { loginEnabled: true });
        wait(73 * 60 * minuteMs);
        expect(await tried(second.secret)).toBe(401);
      });
    });

    test.each<[line: string, body: unknown, status: number, errors?: readonly string[]]>([
      ['POST /sign-in', {}, 400, ["'name' is required", "'password' is required"]],
      ['POST /sign-in', { name: 1, password: 'x', more: 1 }, 400, ["'name' must be a string", "'more' is not allowed"]],
      ['POST /sign-in', { invite: 'x' }, 400, ["'password' is required"]],
      [
        'POST /sign-in',
        { code: 'x', verifier: 'y' },
        400,
        ["'name' is required", "'password' is required", "'code' is not allowed", "'verifier' is not allowed"],
      ],
      ['POST /sign-in', '{', 400],
      ['POST /sign-in', [], 400],
      ['POST /sign-in', { name: 'x'.repeat(9000), password: 'x' }, 413],
      ['GET /sign-in', undefined, 405],
      ['GET /sign-in/oidc?challenge=x', undefined, 404],
    ])('refuses %s of %j', async (line, body, status, errors) => {
      const answer = await send({ address: root }, line, { body });
      expect(answer).toMatchObject({ status, ...(errors && { body: { errors } }) });
    });
  });

test('a password costs 32 MiB of memory, three times, where nothing else is said', async () => {
  const kept = await new Passwords().hash(password);
  expect(kept).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
}, 60_000);

test.skipIf(first?.open === undefined)(
  'a service without it has none of its paths',
  async () => {
    const { url = '', close } = (await first?.open?.()) ?? {};
    const service = await startService('product', url);
    const root = { address: service.address.replace('/api', '') };
    expect((await send(root, 'POST /sign-in', { body: { name: 'x', password: 'y' } })).status).toBe(404);
    expect((await send(service, 'POST /sign-out')).status).toBe(404);
    await service.stop();
    await close?.();
  },
  60_000,
);

test.skipIf(first?.open === undefined)(
  'the sessions of a member share its rate limit and its streams',
  async () => {
    const { url = '', close } = (await first?.open?.()) ?? {};
    const options = { signIn, roles: everyone(['changes']), changes: 90 };
    const maker = await startService('product', url, options);
    const one = await maker.make('member', { loginEnabled: true });
    const other = await maker.make('member', { loginEnabled: true });
    await maker.stop();
    const service = await startService('product', url, { ...options, rateLimit: { requests: 100, seconds: 60 } });
    const database = await openDatabase(url);
    const sessionsOf = async (id: string, count: number): Promise<string[]> => {
      const times = { now: Date.now(), expiresAt: Date.now() + 60 * minuteMs };
      const begun = Array.from({ length: count }, () => beginSession(database, { memberId: id, ...times }));
      return (await Promise.all(begun)).map(({ token }) => token);
    };
    const tokens = await sessionsOf(one.id, 4);
    const [foreign = ''] = await sessionsOf(other.id, 1);
    await database.close();
    const open = (token: string) => openStream(service, '?after=now', { token });
    const streams = await Promise.all(tokens.flatMap((token) => Array.from({ length: 5 }, () => open(token))));
    const [beyond, ofOther] = [await open(tokens[0] ?? ''), await open(foreign)];
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    expect([beyond.status, ofOther.status]).toEqual([429, 200]);
    for (const stream of [...streams, ofOther]) stream.cut();
    const remaining = async (token: string): Promise<unknown> => {
      const { headers } = await send(service, 'GET /clients', { headers: { Authorization: `Bearer ${token}` } });
      return /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
    };
    // Twenty-one streams count as well.
    expect([await remaining(tokens[0] ?? ''), await remaining(tokens[1] ?? ''), await remaining(foreign)]).toEqual([
      '78',
      '77',
      '98',
    ]);
    await service.stop();
    await close?.();
  },
  60_000,
);

test.skipIf(first?.open === undefined)(
  'a session of before grants nothing where the roles are gone',
  async () => {
    const { url = '', close } = (await first?.open?.()) ?? {};
    const service = await startService('product', url, { signIn, roles });
    const { id } = await service.make('member', { loginEnabled: true });
    const database = await openDatabase(url);
    const times = { now: Date.now(), expiresAt: Date.now() + minuteMs };
    const { token } = await beginSession(database, { memberId: id, ...times });
    await database.close();
    const headers = { Authorization: `Bearer ${token}` };
    expect((await send(service, 'GET /clients', { headers })).status).toBe(200);
    await service.stop();
    await expect(startService('product', url, { signIn })).rejects.toThrow(
      'SIGN_IN is set, but there are no roles, so members may do nothing; write them with "praxis new access".',
    );
    const without = await startService('product', url);
    expect((await send(without, 'GET /clients', { headers })).status).toBe(401);
    await without.stop();
    await close?.();
  },
  60_000,
);
