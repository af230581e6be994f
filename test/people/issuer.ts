// An issuer of identities on this machine, and a browser without pages that goes where it is sent.

import { generateKeyPairSync } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import Provider, { type RequestContext } from 'oidc-provider';

export const client = { clientId: 'praxis', clientSecret: 'secret-of-the-tests-0123456789' } as const;

/** An account there. */
export interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

export interface Issuer {
  readonly url: string;
  /** Who signs in there from now on. */
  account: Account;
  /** Whether the issuer sends ID tokens with a signature that does not fit. */
  isForging: boolean;
  stop(): Promise<void>;
}

/** @param callback Where it sends browsers back to. */
export async function startIssuer(callback: string): Promise<Issuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const issuer = { url, account: { sub: 'nobody' } as Account, isForging: false };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(url, {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [callback] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key of the tests'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ ...issuer.account, sub }),
    }),
    interactions: { url: () => '/login' },
    loadExistingGrant: async ({ oidc }: RequestContext) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (req, res) => {
    if (req.url === '/token' && issuer.isForging) forgeSignature(res);
    if (req.url !== '/login') return answer(req, res);
    const result = { login: { accountId: issuer.account.sub } };
    provider.interactionFinished(req, res, result).catch((error: unknown) => res.writeHead(500).end(String(error)));
  });
  return Object.assign(issuer, {
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Alters the signature of the ID token in a response. Its length stays the same, and so do the headers. */
function forgeSignature(res: ServerResponse): void {
  const end = res.end.bind(res);
  const forge = (body: string): string =>
    body.replace(/("id_token":"[\w-]+\.[\w-]+\.)(.)/, (_all, signed, first) => signed + (first === 'A' ? 'B' : 'A'));
  res.end = (body: unknown) => end(forge(String(body)));
}

/** A browser: it keeps cookies for each origin, and goes where it is sent. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #reach: (url: URL) => URL;

  /** @param reach Where an address is answered in truth */
  constructor(reach: (url: URL) => URL) {
    this.#reach = reach;
  }

  /** One step. @returns where it is sent, and the cookies that it is to keep */
  async open(address: string): Promise<{ status: number; location: string | undefined; cookies: readonly string[] }> {
    const url = new URL(address);
    const kept = this.#cookies.get(url.origin) ?? new Map<string, string>();
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...(cookie !== '' && { cookie }) };
    const response = await fetch(this.#reach(url), { redirect: 'manual', headers });
    const cookies = response.headers.getSetCookie();
    for (const each of cookies) {
      const [pair = ''] = each.split(';');
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (value === '' || /expires=Thu, 01 Jan 1970|max-age=0/i.test(each)) kept.delete(name);
      else kept.set(name, value);
    }
    this.#cookies.set(url.origin, kept);
    const location = response.headers.get('location');
    await response.body?.cancel();
    return { status: response.status, location: location === null ? undefined : new URL(location, url).href, cookies };
  }

  /** Goes on until an address fits, or nothing leads further. @returns all addresses */
  async follow(address: string, isEnd: (address: string) => boolean): Promise<string[]> {
    const seen = [address];
    for (let next: string | undefined = address; next !== undefined && !isEnd(next); ) {
      next = (await this.open(next)).location;
      if (next !== undefined) seen.push(next);
      if (seen.length > 12) throw new Error(`it leads nowhere: ${seen.join(' → ')}`);
    }
    return seen;
  }
}
