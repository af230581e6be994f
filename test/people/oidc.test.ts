// Members sign in elsewhere, by OpenID Connect: against an issuer on this machine, without a browser.
import { hash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Context, grounds, startService } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';
import { everyone } from './everyone.ts';
import { type Account, Browser, client, type Issuer, startIssuer } from './issuer.ts';

const publicUrl = 'https://work.example.com';
const callback = `${publicUrl}/sign-in/oidc/callback`;
const roles = everyone();
const [first] = grounds;
const refused = `${publicUrl}/console#refused`;

for (const ground of grounds)
  describe.skipIf(ground.open === undefined)(`sign-in elsewhere (${ground.name})`, () => {
    type Service = Context & { stop(): Promise<void> };
    let services: readonly Service[] = [];
    let service: Service;
    let issuer: Issuer;
    let aheadMs = 0;
    const closing: (() => Promise<unknown>)[] = [];
    const now = (): number => Date.now() + aheadMs;

    beforeAll(async () => {
      if (ground.open === undefined) return;
      issuer = await startIssuer(callback);
      const { url, close } = await ground.open();
      const oidc = { issuer: issuer.url, ...client, publicUrl };
      const signIn = { ways: ['oidc'], sessionHours: 12, oidc } as const;
      service = await startService('product', url, { signIn, now, roles });
      services = [service, await startService('product', url, { signIn, now, roles })];
      closing.push(...services.map(({ stop }) => stop), close, issuer.stop);
    }, 60_000);
    afterAll(async () => {
      for (const each of closing) await each();
    });

    const rootOf = (service: Service | undefined): string => (service?.address ?? '').replace('/api', '');
    /** Each step of ours is answered by the next of several processes. */
    const browser = (): Browser => {
      let turn = 0;
      return new Browser((url) => {
        if (url.origin !== publicUrl) return url;
        turn += 1;
        return new URL(url.pathname + url.search, rootOf(services[turn % services.length]));
      });
    };
    const newTab = () => {
      const verifier = randomBytes(32).toString('base64url');
      return { verifier, begin: `${publicUrl}/sign-in/oidc?challenge=${hash('sha256', verifier, 'base64url')}` };
    };
    /** Where a browser ends that signs in with an account. */
    const signIn = async (account: Account, tab = newTab(), by = browser()) => {
      issuer.account = account;
      const end = (await by.follow(tab.begin, (address) => address.startsWith(`${publicUrl}/console`))).at(-1) ?? '';
      return { ...tab, end, code: /#code=([\w-]{43})$/.exec(end)?.[1] ?? '' };
    };
    const takeUp = (code: string, verifier: string, on = service) =>
      send({ address: rootOf(on) }, 'POST /sign-in', { body: { code, verifier } });
    const member = async (values = {}) => {
      const { id, email } = await service.make('member', { loginEnabled: true, ...values });
      return { id, email: String(email) };
    };
    const invalid = { status: 401, text: '{"status":401,"message":"The code is not valid."}' };

    test('sends the browser to the issuer, with PKCE, a state and a nonce, and keeps what it began in a cookie', async () => {
      const { location, cookies, status } = await browser().open(newTab().begin);
      expect(status).toBe(302);
      const { origin, searchParams } = new URL(location ?? '');
      expect(origin).toBe(issuer.url);
      expect(Object.fromEntries(searchParams)).toMatchObject({
        client_id: 'praxis',
        redirect_uri: callback,
        response_type: 'code',
        scope: 'openid email',
        code_challenge_method: 'S256',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
      });
      expect(cookies).toEqual([
        expect.stringMatching(
          /^praxis_sign_in=\S+; Path=\/sign-in\/oidc; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
        ),
      ]);
    });

    test('signs in the member with an e-mail that is verified, for the tab that has begun it, once', async () => {
      const { id, email } = await member();
      const { end, code, verifier } = await signIn({ sub: 'a', email: email.toUpperCase(), email_verified: true });
      expect(end).toBe(`${publicUrl}/console#code=${code}`);
      const { status, body } = await takeUp(code, verifier);
      expect({ status, ...body }).toMatchObject({
        status: 200,
        member: { id },
        token: expect.stringMatching(/^praxis_s_/),
      });
      expect(await takeUp(code, verifier)).toMatchObject(invalid);
      for (const each of services) {
        const headers = { Authorization: `Bearer ${body.token}` };
        expect((await send(each, 'GET /clients', { headers })).status).toBe(200);
      }
    });

    test('knows the account from then on, whatever its e-mail', async () => {
      const { id, email } = await member();
      const first = await signIn({ sub: 'b', email, email_verified: true });
      expect((await takeUp(first.code, first.verifier)).status).toBe(200);
      for (const account of [{ sub: 'b' }, { sub: 'b', email: 'another@example.com', email_verified: false }]) {
        const { code, verifier } = await signIn(account);
        expect((await takeUp(code, verifier)).body).toMatchObject({ member: { id } });
      }
      // The address was given to somebody else there.
      expect((await signIn({ sub: 'b2', email, email_verified: true })).end).toBe(refused);
    });

    test.each<[what: string, account: (email: string) => Account]>([
      ['that is not verified', (email) => ({ sub: 'c1', email, email_verified: false })],
      ['of which nobody says whether it is verified', (email) => ({ sub: 'c2', email })],
      ['that no member has', (email) => ({ sub: 'c3', email: `x${email}`, email_verified: true })],
      ['that is not there', () => ({ sub: 'c4' })],
    ])('refuses an e-mail %s', async (_what, account) => {
      const { email } = await member();
      expect((await signIn(account(email))).end).toBe(refused);
    });

    test('refuses a member who may not sign in, before and after it is linked', async () => {
      const { email } = await member({ loginEnabled: false });
      expect((await signIn({ sub: 'd', email, email_verified: true })).end).toBe(refused);
      const linked = await member();
      const first = await signIn({ sub: 'e', email: linked.email, email_verified: true });
      await service.call('PATCH', `/members/${linked.id}`, { loginEnabled: false });
      // Its code is there already.
      expect(await takeUp(first.code, first.verifier)).toMatchObject(invalid);
      expect((await signIn({ sub: 'e', email: linked.email, email_verified: true })).end).toBe(refused);
    });

    test('refuses an ID token whose signature is not that of the issuer', async () => {
      const { email } = await member();
      const account = { sub: 'forged', email, email_verified: true };
      issuer.isForging = true;
      expect((await signIn(account)).end).toBe(refused);
      issuer.isForging = false;
      expect((await signIn(account)).code).not.toBe('');
    });

    test('gives nothing to another tab, nor after a minute', async () => {
      const { email } = await member();
      const account = { sub: 'f', email, email_verified: true };
      const stolen = await signIn(account);
      expect(await takeUp(stolen.code, newTab().verifier)).toMatchObject(invalid);
      expect(await takeUp(stolen.code, stolen.verifier)).toMatchObject(invalid);
      const late = await signIn(account);
      aheadMs += 60_000;
      expect(await takeUp(late.code, late.verifier)).toMatchObject(invalid);
      const good = await signIn(account);
      expect((await takeUp(good.code, good.verifier)).status).toBe(200);
    });

    test('ends only what the same browser has begun, not too long ago', async () => {
      const { email } = await member();
      issuer.account = { sub: 'g', email, email_verified: true };
      const own = browser();
      const path = await own.follow(newTab().begin, (address) => address.startsWith(callback));
      const back = path.at(-1) ?? '';
      expect((await browser().open(back)).location).toBe(refused);
      const altered = new URL(back);
      altered.searchParams.set('state', 'x'.repeat(43));
      const other = browser();
      await other.open(newTab().begin);
      expect((await other.open(back)).location).toBe(refused);
      expect((await own.open(altered.href)).location).toBe(refused);
      const slow = browser();
      const late = (await slow.follow(newTab().begin, (address) => address.startsWith(callback))).at(-1) ?? '';
      aheadMs += 10 * 60_000;
      expect((await slow.open(late)).location).toBe(refused);
      for (const query of ['', '?error=access_denied', '?code=x', '?code=x&code=y&state=z'])
        expect((await browser().open(callback + query)).location).toBe(refused);
    });

    test.each([
      ['', "Parameter 'challenge' must be a SHA-256 in base64url, as of PKCE (S256)."],
      ['?challenge=x', "Parameter 'challenge' must be a SHA-256 in base64url, as of PKCE (S256)."],
      ['?challenge=x&challenge=y', "Parameter 'challenge' is given twice."],
      ['?next=https://evil.example', "Parameter 'next' is not allowed."],
    ])('refuses to begin with "%s"', async (query, message) => {
      const answer = await send({ address: rootOf(service) }, `GET /sign-in/oidc${query}`);
      expect(answer).toMatchObject({ status: 400, body: { message } });
    });

    test('knows no passwords', async () => {
      const answer = await send({ address: rootOf(service) }, 'POST /sign-in', {
        body: { name: 'x', password: 'y' },
      });
      expect(answer.body.errors).toContain("'code' is required");
    });
  });

test.skipIf(first?.open === undefined)(
  'an issuer that is away is told in the console, and asked again',
  async () => {
    const { url = '', close } = (await first?.open?.()) ?? {};
    const gone = await startIssuer(callback);
    await gone.stop();
    const oidc = { issuer: gone.url, ...client, publicUrl };
    const service = await startService('product', url, { signIn: { ways: ['oidc'], sessionHours: 12, oidc }, roles });
    const own = new Browser(({ pathname, search }) => new URL(pathname + search, service.address));
    const challenge = 'x'.repeat(43);
    expect((await own.open(`${publicUrl}/sign-in/oidc?challenge=${challenge}`)).location).toBe(
      `${publicUrl}/console#unavailable`,
    );
    await service.stop();
    await close?.();
  },
  60_000,
);
