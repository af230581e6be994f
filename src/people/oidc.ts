// Sign-in by OpenID Connect: the authorization code flow with PKCE, state and nonce. What a browser has begun is kept in a signed cookie
// of its own, so that any process can end it; the tab that has begun it takes it up with a code.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Configuration } from 'openid-client';
import type { Logger } from 'pino';
import { type Account, isLinked, keepCode, link, linkedMember } from '../storage/credentials.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import type { Members } from './members.ts';

/** The issuer, and what this service is to it. */
export interface OidcOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Origin under which browsers know this service. */
  readonly publicUrl: string;
}

export interface OidcParts {
  readonly unit: UnitOfWork;
  readonly members: Members;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Where a browser is sent, and what it is to keep of it. */
export interface Sending {
  readonly location: string;
  /** A whole `Set-Cookie`. */
  readonly cookie: string;
}

/** Below the origin of the service. */
export const oidcPath = '/sign-in/oidc';
const callbackPath = `${oidcPath}/callback`;
const cookieName = 'praxis_sign_in';
/** How long somebody may take at the issuer. */
const flowMs = 10 * 60_000;
/** How long the console may take to send its code. */
const codeMs = 60_000;
/** How long the issuer may take to answer. */
const issuerSeconds = 10;

/** What the cookie says of a sign-in that was begun. */
interface Flow {
  readonly state: string;
  readonly challenge: string;
}

/** Why nobody is signed in: for the log. The console says less. */
class Refused extends Error {}

export class Oidc {
  readonly #options: OidcOptions;
  readonly #parts: OidcParts;
  #configuration: Promise<Configuration> | undefined;

  constructor(options: OidcOptions, parts: OidcParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /**
   * Sends a browser to the issuer.
   * @param challenge SHA-256 of what the tab keeps for itself, in base64url
   */
  async begin(challenge: string): Promise<Sending> {
    try {
      const [client, configuration] = await this.#client();
      const state = randomBytes(32).toString('base64url');
      const { nonce, verifier } = this.#derived(state);
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: this.#options.publicUrl + callbackPath,
        scope: 'openid email',
        response_type: 'code',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { location: url.href, cookie: this.#cookie(this.#seal({ state, challenge }), flowMs / 1000) };
    } catch (error) {
      this.#parts.logger.warn({ err: error }, 'failed to reach the identity issuer');
      return this.#back('unavailable');
    }
  }

  /**
   * Takes in who comes back from the issuer, and sends the browser to the console.
   * @param query As it was sent, without the `?`
   * @param cookies The header, as it was sent
   */
  async end(query: string, cookies: string | undefined): Promise<Sending> {
    try {
      const flow = this.#open(cookieIn(cookies));
      if (flow === undefined) throw new Refused('it was not begun in this browser, or too long ago');
      const memberId = await this.#memberOf(query, flow);
      const { unit, now } = this.#parts;
      const code = await keepCode(unit, { memberId, challenge: flow.challenge, expiresAt: now() + codeMs });
      return this.#back(`code=${code}`);
    } catch (error) {
      this.#parts.logger.info({ err: error }, 'OpenID Connect sign-in refused');
      return this.#back('refused');
    }
  }

  /** What is made of the issuer's answer. @throws Refused, and whatever openid-client has to say against it */
  async #memberOf(query: string, { state }: Flow): Promise<string> {
    const [client, configuration] = await this.#client();
    const { nonce, verifier } = this.#derived(state);
    const url = new URL(`${this.#options.publicUrl}${callbackPath}?${query}`);
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Refused('the issuer gave no identity');
    const account = { issuer: claims.iss, subject: claims.sub };
    const { unit, members } = this.#parts;
    const linked = await linkedMember(unit, account);
    if (linked !== undefined) {
      if (!(await members.among([linked])).has(linked)) throw new Refused('its member may not sign in');
      return linked;
    }
    const said =
      claims.email === undefined ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
    return this.#linkedBy(said['email'], said['email_verified'], account);
  }

  /** The member with an e-mail that the issuer has verified, from now on linked with the account. */
  async #linkedBy(email: unknown, isVerified: unknown, account: Account): Promise<string> {
    const { unit, members } = this.#parts;
    if (typeof email !== 'string' || isVerified !== true) throw new Refused('the issuer has verified no e-mail');
    const id = members.isNamedByEmail ? await members.find(email) : undefined;
    if (id === undefined || !(await members.among([id])).has(id))
      throw new Refused('no member with this e-mail may sign in');
    // An address that was given to somebody else leads to nobody's member.
    if (await isLinked(unit, id, account.issuer)) throw new Refused('its member is linked with another account');
    await link(unit.direct, account, id);
    return id;
  }

  /** Loaded when it is first needed; what has failed is tried again. */
  async #client(): Promise<[typeof import('openid-client'), Configuration]> {
    const client = await import('openid-client');
    const { issuer, clientId, clientSecret } = this.#options;
    this.#configuration ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: issuerSeconds,
        execute: [
          // Without this, the library trusts TLS and skips the signature of the ID token.
          client.enableNonRepudiationChecks,
          // The configuration accepts an issuer without TLS only on this machine.
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        this.#configuration = undefined;
        throw error;
      });
    return [client, await this.#configuration];
  }

  #back(what: string): Sending {
    return { location: `${this.#options.publicUrl}/console#${what}`, cookie: this.#cookie('', 0) };
  }

  /** What else belongs to a sign-in follows from its state: nothing secret is in the cookie. */
  #derived(state: string): { readonly nonce: string; readonly verifier: string } {
    return { nonce: this.#mac(`nonce ${state}`), verifier: this.#mac(`verifier ${state}`) };
  }

  #mac(text: string): string {
    return createHmac('sha256', `praxis sign-in ${this.#options.clientSecret}`).update(text).digest('base64url');
  }

  #seal({ state, challenge }: Flow): string {
    const said = `${state}.${challenge}.${this.#parts.now() + flowMs}`;
    return `${said}.${this.#mac(`cookie ${said}`)}`;
  }

  #open(cookie: string | undefined): Flow | undefined {
    const [state = '', challenge = '', until = '', mac = '', ...more] = (cookie ?? '').split('.');
    const own = Buffer.from(this.#mac(`cookie ${state}.${challenge}.${until}`));
    const sent = Buffer.from(mac);
    if (more.length > 0 || sent.length !== own.length || !timingSafeEqual(sent, own)) return undefined;
    return this.#parts.now() < Number(until) ? { state, challenge } : undefined;
  }

  #cookie(value: string, seconds: number): string {
    const secure = this.#options.publicUrl.startsWith('https:') ? '; Secure' : '';
    return `${cookieName}=${value}; Path=${oidcPath}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }
}

/** The value of our cookie among all that a browser sends. */
const cookieIn = (header: string | undefined): string | undefined =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1);
