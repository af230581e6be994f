// What stands beside the base and needs no token: probes, the description of the interface, the pages.
import { problems } from '../problems.ts';
import type { HttpContext } from './context.ts';
import { sendJson } from './reply.ts';
import { isKnown, sendPage } from './send-page.ts';
import type { Service } from './service.ts';

const ok = Buffer.from('{"status":"ok"}');

/** Makes the function that answers every path outside the base. @throws Problem 404, 405, 503 */
export function createOpenPaths(service: Service): (ctx: HttpContext) => Promise<void> {
  const paths = new Map<string, (ctx: HttpContext) => Promise<void> | void>([
    ['/healthz', (ctx) => sendJson(ctx, 200, ok)],
    [
      '/readyz',
      async (ctx) => {
        if (!(await service.isReady())) throw problems.databaseAway();
        sendJson(ctx, 200, ok);
      },
    ],
    ['/openapi.json', (ctx) => sendOpenApi(ctx, service.openApi())],
  ]);
  return async (ctx) => {
    const answer = paths.get(ctx.state.path) ?? pageAnswer(service.page(ctx.state.path));
    if (answer === undefined) throw problems.pathUnknown();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw problems.methodNotAllowed('GET, HEAD');
    await answer(ctx);
  };
}

const pageAnswer = (make: ReturnType<Service['page']>) =>
  make && (async (ctx: HttpContext) => sendPage(ctx, await make()));

/** May be kept, but is to be asked for each time (`no-cache`): it changes with the descriptors, without a warning. */
function sendOpenApi(ctx: HttpContext, { body, etag }: { body: Buffer; etag: string }): void {
  ctx.res.setHeader('ETag', etag);
  ctx.res.setHeader('Cache-Control', 'no-cache');
  if (isKnown(ctx.req.headers['if-none-match'], etag)) ctx.status = 304;
  else sendJson(ctx, 200, body);
}
