// Checks of the sign-in: the issuer of identities, the public address, and members who can sign in.
import type { Config } from '../config.ts';
import { credentialCounts, credentialTableName } from '../storage/credentials.ts';
import type { Database } from '../storage/schema/session.ts';
import { hasTable } from '../storage/statements/ddl.ts';
import { createUnitOfWork } from '../storage/unit-of-work.ts';
import { act, type Finding, fine, note } from './finding.ts';

const deadlineMs = 10_000;
const answerMs = 5000;

/** Runs the checks that need no database. @returns an empty list if members do not sign in */
export async function signInAround({ signIn, publicUrl }: Config): Promise<readonly Finding[]> {
  if (signIn === undefined) return [];
  const isPlain =
    publicUrl?.startsWith('http:') === true && !/^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(publicUrl);
  return [
    ...(isPlain
      ? [
          note(
            'sign-in',
            `callers send passwords and tokens to ${publicUrl} without TLS`,
            'use a proxy with TLS, and set PUBLIC_URL to its https address',
          ),
        ]
      : []),
    ...(signIn.oidc === undefined ? [] : [await issuer(signIn.oidc.issuer)]),
  ];
}

/** Checks that the issuer returns its configuration (OpenID Connect Discovery 1.0, section 4). */
async function issuer(url: string): Promise<Finding> {
  const known = 'check OIDC_ISSUER, and that this machine can reach it';
  try {
    const address = `${url.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(answerMs) });
    const said: unknown = answer.ok ? await answer.json() : undefined;
    const name = typeof said === 'object' && said !== null && 'issuer' in said ? said.issuer : undefined;
    if (name === undefined) return act('sign-in', `${url} returns no OpenID configuration (${answer.status})`, known);
    return name === url
      ? fine('sign-in', `the issuer ${url} responds`)
      : act('sign-in', `the issuer ${url} has the name ${String(name)}`, 'set OIDC_ISSUER to that name');
  } catch (error) {
    return act(
      'sign-in',
      `the issuer ${url} does not respond (${error instanceof Error ? error.message : String(error)})`,
      known,
    );
  }
}

/** Counts the members who can sign in, by method. */
export async function signInOf(database: Database, { signIn }: Config): Promise<readonly Finding[]> {
  if (signIn === undefined) return [];
  const isThere = await hasTable(database, credentialTableName);
  const { password, link } = isThere
    ? await credentialCounts(createUnitOfWork(database, { deadlineMs }))
    : { password: 0, link: 0 };
  const says = `${password} ${password === 1 ? 'member has' : 'members have'} a password, ${link} an external account`;
  return signIn.oidc === undefined && password === 0
    ? [note('sign-in', says, 'run "praxis member invite <who>" so that a member can choose a password')]
    : [fine('sign-in', says)];
}
