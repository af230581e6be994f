// Checks of how people sign in: the issuer of identities, the address that browsers know, and who can.
import type { Config } from '../config.ts';
import { credentialCounts, credentialTableName } from '../storage/credentials.ts';
import type { Database } from '../storage/schema/session.ts';
import { hasTable } from '../storage/statements/ddl.ts';
import { createUnitOfWork } from '../storage/unit-of-work.ts';
import { act, type Finding, fine, note } from './finding.ts';

const deadlineMs = 10_000;
const answerMs = 5000;

/** What can be told without the database: nothing where nobody signs in. */
export async function signInAround({ signIn, publicUrl }: Config): Promise<readonly Finding[]> {
  if (signIn === undefined) return [];
  const isPlain =
    publicUrl?.startsWith('http:') === true && !/^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(publicUrl);
  return [
    ...(isPlain
      ? [
          note(
            'sign-in',
            `passwords and tokens come to ${publicUrl} without TLS`,
            'put a proxy with TLS in front, and its https address into PUBLIC_URL',
          ),
        ]
      : []),
    ...(signIn.oidc === undefined ? [] : [await issuer(signIn.oidc.issuer)]),
  ];
}

/** Whether the issuer says who it is (OpenID Connect Discovery 1.0, section 4). */
async function issuer(url: string): Promise<Finding> {
  const known = 'see OIDC_ISSUER, and whether this machine reaches it';
  try {
    const address = `${url.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(answerMs) });
    const said: unknown = answer.ok ? await answer.json() : undefined;
    const name = typeof said === 'object' && said !== null && 'issuer' in said ? said.issuer : undefined;
    if (name === undefined) return act('sign-in', `${url} does not say who it is (${answer.status})`, known);
    return name === url
      ? fine('sign-in', `the issuer ${url} answers`)
      : act('sign-in', `the issuer ${url} calls itself ${String(name)}`, 'put that into OIDC_ISSUER');
  } catch (error) {
    return act(
      'sign-in',
      `the issuer ${url} does not answer (${error instanceof Error ? error.message : String(error)})`,
      known,
    );
  }
}

/** How many members can sign in, by what. */
export async function signInOf(database: Database, { signIn }: Config): Promise<readonly Finding[]> {
  if (signIn === undefined) return [];
  const isThere = await hasTable(database, credentialTableName);
  const { password, link } = isThere
    ? await credentialCounts(createUnitOfWork(database, { deadlineMs }))
    : { password: 0, link: 0 };
  const says = `${password} ${password === 1 ? 'member has' : 'members have'} a password, ${link} an account elsewhere`;
  return signIn.oidc === undefined && password === 0
    ? [note('sign-in', says, 'praxis member invite <who> lets one choose it')]
    : [fine('sign-in', says)];
}
