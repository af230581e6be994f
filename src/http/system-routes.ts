// System routes, outside the base path of the API: probes, the OpenAPI document and the pages, without a token; and metrics,
// with one, because what a workspace does is its own affair.
import { checkMay } from '../access/limits.ts';
import { problems } from '../problems.ts';
import { unreachable } from '../unreachable.ts';
import { gzipOf, weightOf } from './reply/compress.ts';
import { isNotModified } from './reply/preconditions.ts';
import { sendJson } from './reply/reply.ts';
import { sendPage } from './reply/send-page.ts';
import type { HttpContext } from './request/context.ts';
import { headerOptionsOf } from './request/header-options.ts';
import type { Service } from './request/service.ts';
import { signInPaths } from './sign-in.ts';

const ok = Buffer.from('{"status":"ok"}');

/**
 * Makes the function that answers every path outside the base.
 * @param admitCaller Asks for the token, and counts. @throws Problem 401, 404, 405, 429, 503
 */
export function createSystemRoutes(
  service: Service,
  admitCaller: (ctx: HttpContext) => Promise<void> | undefined,
): (ctx: HttpContext) => Promise<void> {
  const paths = new Map<string, (ctx: HttpContext) => Promise<void> | void>([
    ['/healthz', (ctx) => sendJson(ctx, 200, ok)],
    [
      '/readyz',
      async (ctx) => {
        if (!(await service.isReady())) throw problems.databaseAway();
        sendJson(ctx, 200, service.day === undefined ? ok : readyOn(service.day()));
      },
    ],
    [
      '/openapi.json',
      async (ctx) => {
        if (service.hasRoles) {
          ctx.res.appendHeader('Vary', 'Authorization');
          // Anybody may read it, and who says who it is more of it.
          if (ctx.req.headers.authorization !== undefined) await admitCaller(ctx);
        }
        await sendOpenApi(ctx, service.openApi(ctx.state.caller));
      },
    ],
    [
      '/metrics',
      async (ctx) => {
        await admitCaller(ctx);
        checkMay(ctx.state.caller ?? unreachable('a caller was admitted'), 'metrics');
        await sendMetrics(ctx, service);
      },
    ],
  ]);
  // Without console and pages the path does not exist.
  const start = ['/console', '/docs'].find((path) => service.page(path) !== undefined);
  if (start !== undefined) paths.set('/', (ctx) => redirect(ctx, start));
  const openPaths = service.signIn === undefined ? undefined : signInPaths(service.signIn);
  return async (ctx) => {
    const open = openPaths?.get(ctx.state.path);
    if (open !== undefined) {
      ctx.state.what = 'open';
      if (ctx.method !== open.method) throw problems.methodNotAllowed(open.method);
      return open.answer(ctx);
    }
    const { path } = ctx.state;
    const answer = paths.get(path) ?? pageAnswer(service.page(path)) ?? movedAnswer(service.movedPage(path));
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (answer === undefined) {
      if (isRead && (await answerPeople(ctx, service))) return;
      throw problems.pathUnknown();
    }
    ctx.state.what = 'open';
    if (!isRead) throw problems.methodNotAllowed('GET, HEAD');
    await answer(ctx);
  };
}

/** A service whose day is behind is ready all the same: requests are answered as of the day that was reached. */
const readyOn = ({ reached, behind, ahead }: ReturnType<NonNullable<Service['day']>>): Buffer =>
  Buffer.from(JSON.stringify({ status: 'ok', day: { reached, behind, ahead } }));

/** Browsers name HTML among what they take; programs take anything, or JSON. */
const isOfPeople = ({ req }: HttpContext): boolean => /(?:^|,)\s*text\/html\b/i.test(req.headers.accept ?? '');

function redirect(ctx: HttpContext, path: string, status = 302): void {
  ctx.res.setHeader('Location', path);
  ctx.status = status;
}

/**
 * Sends people from pages with a slash too many to the page that is meant; elsewhere tells them that there is none.
 * @returns whether it did; not where there are no pages.
 */
async function answerPeople(ctx: HttpContext, service: Service): Promise<boolean> {
  ctx.res.appendHeader('Vary', 'Accept');
  if (!isOfPeople(ctx)) return false;
  const { path } = ctx.state;
  const meant = withoutEndSlashes(path);
  if (meant !== path && (service.page(meant) ?? service.movedPage(meant)) !== undefined) {
    ctx.state.what = 'open';
    redirect(ctx, meant);
    return true;
  }
  const missing = await service.missingPage(path);
  if (missing === undefined) return false;
  sendPage(ctx, missing);
  ctx.status = 404;
  return true;
}

function withoutEndSlashes(path: string): string {
  // A loop, since /\/+$/ is quadratic for runs of slashes inside the path.
  let end = path.length;
  while (path.endsWith('/', end)) end -= 1;
  return path.slice(0, end);
}

const pageAnswer = (make: ReturnType<Service['page']>) =>
  make && (async (ctx: HttpContext) => sendPage(ctx, await make()));

/** Returns the handler that redirects permanently to a new path; undefined without one. */
const movedAnswer = (path: string | undefined) =>
  path === undefined ? undefined : (ctx: HttpContext) => redirect(ctx, path, 308);

/** May be kept, but is to be asked for each time (`no-cache`): it changes with the descriptors, without a warning. */
/** The document is long and stays the same: it is packed once. */
const packedDocuments = new WeakMap<Buffer, Promise<Buffer>>();

async function sendOpenApi(ctx: HttpContext, { body, etag }: { body: Buffer; etag: string }): Promise<void> {
  const { req, res } = ctx;
  // Packed it has other bytes, and a strong tag is of one representation (RFC 9110 section 8.8.3).
  res.setHeader('ETag', `W/${etag}`);
  res.setHeader('Cache-Control', 'no-cache');
  if (isNotModified(headerOptionsOf(req, { method: 'GET', target: 'record' }), etag)) {
    ctx.status = 304;
    return;
  }
  res.appendHeader('Vary', 'Accept-Encoding');
  if (weightOf(req.headers['accept-encoding'] ?? '', 'gzip') === 0) return sendJson(ctx, 200, body);
  const packed = packedDocuments.get(body) ?? gzipOf(body);
  packedDocuments.set(body, packed);
  res.setHeader('Content-Encoding', 'gzip');
  sendJson(ctx, 200, await packed);
}

async function sendMetrics(ctx: HttpContext, service: Service): Promise<void> {
  const { type, body } = await service.metrics();
  ctx.status = 200;
  ctx.res.setHeader('Content-Type', type);
  ctx.body = body;
}
