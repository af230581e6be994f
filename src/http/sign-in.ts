// How people sign in and out over HTTP: paths beside the API, which need no token, and one of the API that ends a session. None of them
// is there where nobody signs in.
import { fieldFault, unknownField } from '../problems/field-fault.ts';
import { problems } from '../problems.ts';
import { unreachable } from '../unreachable.ts';
import type { JsonObject } from '../values/json.ts';
import { sendJson } from './reply/reply.ts';
import { readBody } from './request/body.ts';
import { base, type HttpContext } from './request/context.ts';
import type { SignInService, SignInWay } from './request/service.ts';

export const signOutPath = `${base}/sign-out`;
const signInPath = '/sign-in';
const oidcPath = '/sign-in/oidc';
/** Longest body: a password and a name. */
const bodyLimitBytes = 8192;
const signOutMethods = 'POST, OPTIONS';
/** SHA-256 in base64url. */
const challengeForm = /^[\w-]{43}$/;

/** A body by which people sign in: its fields, and the way that it is part of. */
interface Form {
  readonly way: SignInWay;
  readonly fields: readonly [string, string];
  run(
    service: SignInService,
    values: readonly [string, string],
    asking: Asking,
  ): ReturnType<SignInService['withPassword']>;
}
type Asking = Parameters<SignInService['withPassword']>[2];

const forms: readonly Form[] = [
  {
    way: 'password',
    fields: ['name', 'password'],
    run: (service, [name, password], asking) => service.withPassword(name, password, asking),
  },
  {
    way: 'password',
    fields: ['invite', 'password'],
    run: (service, [invite, password], asking) => service.withInvite(invite, password, asking),
  },
  {
    way: 'oidc',
    fields: ['code', 'verifier'],
    run: (service, [code, verifier], asking) => service.withCode(code, verifier, asking),
  },
];

/** A path that needs no token: its method, and what answers. */
interface OpenPath {
  readonly method: 'GET' | 'POST';
  answer(ctx: HttpContext): Promise<void>;
}

/** The paths by which people sign in. */
export function signInPaths(service: SignInService): ReadonlyMap<string, OpenPath> {
  const known = forms.filter(({ way }) => service.ways.includes(way));
  const { oidc } = service;
  const paths: [string, OpenPath][] = [[signInPath, { method: 'POST', answer: (ctx) => signIn(ctx, service, known) }]];
  if (oidc !== undefined)
    paths.push(
      [oidcPath, { method: 'GET', answer: async (ctx) => send(ctx, await oidc.begin(challengeIn(ctx.state.query))) }],
      [
        `${oidcPath}/callback`,
        { method: 'GET', answer: async (ctx) => send(ctx, await oidc.end(ctx.state.query, ctx.req.headers.cookie)) },
      ],
    );
  return new Map(paths);
}

async function signIn(ctx: HttpContext, service: SignInService, known: readonly Form[]): Promise<void> {
  const { json } = await readBody(ctx.req, ctx.res, { bytes: bodyLimitBytes });
  const form = known.find(({ fields: [first] }) => json[first] !== undefined) ?? known[0];
  if (form === undefined) unreachable('nobody signs in');
  const asking = { address: ctx.req.socket.remoteAddress ?? '', deadline: ctx.state.deadline };
  const signedIn = await form.run(service, valuesIn(json, form), asking);
  sendJson(ctx, 200, JSON.stringify(signedIn));
}

/** @throws Problem 400 that names each field which is missing, no text, or one too many */
function valuesIn(json: JsonObject, { fields: [one, other] }: Form): readonly [string, string] {
  const faults = [one, other].flatMap((name) => {
    const value = json[name];
    if (value === undefined) return [fieldFault(name, 'is required', 'required')];
    return typeof value === 'string' ? [] : [fieldFault(name, 'must be a string', 'invalid-value')];
  });
  for (const name of Object.keys(json).slice(0, 40))
    if (name !== one && name !== other) faults.push(unknownField(name.slice(0, 255)));
  if (faults.length > 0) throw problems.bodyInvalid(faults);
  return [String(json[one]), String(json[other])];
}

/** @throws Problem 400 */
function challengeIn(query: string): string {
  const parameters = [...new URLSearchParams(query)];
  const unknown = parameters.find(([name]) => name !== 'challenge');
  if (unknown !== undefined) throw problems.parameterUnknown(unknown[0].slice(0, 255));
  if (parameters.length > 1) throw problems.parameterTwice('challenge');
  const [[, challenge = ''] = []] = parameters;
  if (!challengeForm.test(challenge))
    throw problems.parameterInvalid('challenge', 'a SHA-256 in base64url, as of PKCE (S256)');
  return challenge;
}

function send(ctx: HttpContext, { location, cookie }: { readonly location: string; readonly cookie: string }): void {
  ctx.res.setHeader('Location', location);
  ctx.res.setHeader('Set-Cookie', cookie);
  // What stands in the address of a callback is for nobody else.
  ctx.res.setHeader('Referrer-Policy', 'no-referrer');
  ctx.status = 302;
}

/** Ends the session of who asks. @throws Problem 405; 403 for a token that is no session */
export async function runSignOut(ctx: HttpContext, service: SignInService): Promise<void> {
  const { caller } = ctx.state;
  if (caller === undefined) unreachable('a request was routed without a caller');
  ctx.state.what = 'open';
  if (ctx.method === 'OPTIONS') {
    ctx.res.setHeader('Allow', signOutMethods);
    ctx.status = 204;
    return;
  }
  if (ctx.method !== 'POST') throw problems.methodNotAllowed(signOutMethods);
  await service.signOut(caller);
  ctx.status = 204;
}
