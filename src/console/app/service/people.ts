// Signing in as a member: the paths beside the API by which a tab comes to its token.
import { signal } from '@preact/signals';
import { signInMessages } from '../messages/frame.ts';
import { endSession, postOpen } from './api.ts';
import { refusal, signOut, token } from './session.ts';

/** What the service answers to who signs in. */
export interface SignedIn {
  readonly token: string;
}

/** With what somebody has come to the console. */
type Arrival = { readonly kind: 'code'; readonly code: string } | { readonly kind: 'invite'; readonly invite: string };

const place = 'praxis.verifier';
/** What tokens of sessions begin with. */
const sessionPrefix = 'praxis_s_';
const said: Readonly<Record<string, string>> = {
  refused: signInMessages.noMember,
  unavailable: signInMessages.ssoUnavailable,
};

/** What stands behind the `#` of the address, where it was made for this: it is taken out of the address at once. */
export const arrival = signal<Arrival | undefined>(takeArrival());

function takeArrival(): Arrival | undefined {
  const [, kind = '', value = ''] = /^#(code|invite|refused|unavailable)(?:=([\w-]+))?$/.exec(location.hash) ?? [];
  if (kind === '') return undefined;
  history.replaceState(null, '', location.pathname);
  if (said[kind] !== undefined) refusal.value = said[kind];
  if (kind === 'code') return { kind, code: value };
  return kind === 'invite' ? { kind, invite: value } : undefined;
}

/** @throws ApiProblem */
export const byPassword = (name: string, password: string): Promise<SignedIn> => open({ name, password });

/** Chooses a password, and signs in with it. @throws ApiProblem */
export const byInvite = (invite: string, password: string): Promise<SignedIn> => open({ invite, password });

/** Takes up what this tab has begun elsewhere. @throws ApiProblem */
export function byCode(code: string): Promise<SignedIn> {
  const verifier = sessionStorage.getItem(place) ?? '';
  sessionStorage.removeItem(place);
  return open({ code, verifier });
}

/** Leaves for the issuer of identities. The verifier stays in this tab, so that no other one can end what it begins. */
export async function beginElsewhere(): Promise<void> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  sessionStorage.setItem(place, verifier);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  location.assign(`/sign-in/oidc?challenge=${base64url(new Uint8Array(digest))}`);
}

/** Signs out: the tab forgets its token, and the service the session. */
export function leave(): void {
  const given = token.value;
  signOut();
  if (given?.startsWith(sessionPrefix) === true) void endSession(given);
}

const open = async (body: Readonly<Record<string, string>>): Promise<SignedIn> =>
  (await postOpen('/sign-in', JSON.stringify(body))) as SignedIn;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
