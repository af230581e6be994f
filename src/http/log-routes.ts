// Paths of the log of changes: histories, the feed, writes and what is done to them. They are looked for where no group has the
// path, so that requests for records do not pay for them.
import { problems } from '../problems.ts';
import { unreachable } from '../unreachable.ts';
import { sendOutcome } from './reply/reply.ts';
import { readBody } from './request/body.ts';
import { base, type HttpContext } from './request/context.ts';
import { headerOptionsOf } from './request/header-options.ts';
import type { LogService } from './request/service.ts';
import { originOf } from './run.ts';

/** Makes the function that answers them. @throws Problem 404 for any other path, 405 */
export function createLogRoutes(
  log: LogService | undefined,
  bodyLimitBytes: number,
): (ctx: HttpContext) => Promise<void> {
  return async (ctx) => {
    const { caller, path, query, deadline } = ctx.state;
    const segments = path
      .slice(base.length + 1)
      .split('/')
      .map(decoded);
    const methods = log?.methodsOf(segments);
    if (log === undefined || methods === undefined) throw problems.pathUnknown();
    if (caller === undefined) unreachable('a request was routed without a caller');
    ctx.state.what = 'log';
    const allow = [...methods.flatMap((each) => (each === 'GET' ? [each, 'HEAD'] : [each])), 'OPTIONS'].join(', ');
    const { method } = ctx;
    if (method === 'OPTIONS') {
      ctx.res.setHeader('Allow', allow);
      ctx.status = 204;
      return;
    }
    if (!methods.includes(method === 'HEAD' ? 'GET' : method)) throw problems.methodNotAllowed(allow);
    const options = headerOptionsOf(ctx.req, { method: method === 'HEAD' ? 'GET' : method, isOfRecord: false });
    const target = `${method} ${ctx.req.url}`;
    const body = () => readBody(ctx.req, ctx.res, bodyLimitBytes);
    const left = new AbortController();
    ctx.res.once('close', () => left.abort());
    const asked = { caller, query, target, options, readBody: body, deadline, ...originOf(ctx) };
    await sendOutcome(ctx, await log.answer({ ...asked, method, segments, left: left.signal }), options);
  };
}

/** What cannot be decoded stays as it was sent, and names nothing then. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
