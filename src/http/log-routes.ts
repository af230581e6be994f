// Paths of the log of changes: histories, the feed, writes and what is done to them. They are looked for where no group has the
// path, so that requests for records do not pay for them.
import type { Logger } from 'pino';
import { ClientDisconnected } from '../admission/deadline.ts';
import { problems } from '../problems.ts';
import { unreachable } from '../unreachable.ts';
import { logBrokenOff } from './reply/log.ts';
import { isNotModified } from './reply/preconditions.ts';
import { sendOutcome } from './reply/reply.ts';
import { BrokenOff, type Patience, sendParts } from './reply/send-parts.ts';
import { type BodyLimits, readBody } from './request/body.ts';
import { callerNowOf } from './request/caller.ts';
import { base, type HttpContext } from './request/context.ts';
import { headerOptionsOf } from './request/header-options.ts';
import type { LogRequest, Service, StreamRequest } from './request/service.ts';
import { originOf } from './run.ts';

interface LogRoutes {
  readonly bodyLimits: BodyLimits;
  /** With readers of exports: those of streams are not waited for longer. */
  readonly patience: Patience;
  readonly logger: Logger;
}

const eventType = 'text/event-stream';
/** How long a reader of a stream may take nothing of it. */
const longestStallMs = 30_000;

/** Makes the function that answers them. @throws Problem 404 for any other path, 405 */
export function createLogRoutes(service: Service, options: LogRoutes): (ctx: HttpContext) => Promise<void> {
  const { log } = service;
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
    const isRead = method === 'GET' || method === 'HEAD';
    if (!methods.includes(isRead ? 'GET' : method)) throw problems.methodNotAllowed(allow);
    const headers = headerOptionsOf(ctx.req, {
      method: isRead ? 'GET' : method,
      target: methods.includes('GET') ? 'untagged' : 'nothing',
    });
    const target = `${method} ${ctx.req.url}`;
    const body = () => readBody(ctx.req, ctx.res, { ...options.bodyLimits, counter: ctx.state.bytes });
    const left = new AbortController();
    ctx.res.once('close', () => left.abort());
    const asked = { caller, query, target, options: headers, readBody: body, deadline, ...originOf(ctx) };
    const request: LogRequest = {
      ...asked,
      method,
      segments,
      left: left.signal,
      callerNow: callerNowOf(ctx.req, service),
    };
    const events = isRead && ctx.accepts('json', eventType) === eventType && log.stream(streamRequest(ctx, request));
    if (typeof events === 'object' && isNotModified(headers, undefined)) ctx.status = 304;
    else if (typeof events === 'object') await sendEvents(ctx, events, options);
    else await sendOutcome(ctx, await log.answer(request), headers);
  };
}

function streamRequest({ req }: HttpContext, request: LogRequest): StreamRequest {
  const lastEventId = req.headers['last-event-id'];
  return { ...request, lastEventId: lastEventId === undefined ? undefined : String(lastEventId) };
}

/** Sends events until there are no more. @throws Problem before the first; ClientDisconnected where they were broken off */
async function sendEvents(
  ctx: HttpContext,
  events: AsyncIterable<string>,
  { patience, logger }: LogRoutes,
): Promise<void> {
  const setHeaders = (): void => {
    ctx.res.setHeader('Content-Type', eventType);
    // Else nginx keeps events until there are many.
    ctx.res.setHeader('X-Accel-Buffering', 'no');
  };
  if (ctx.method === 'HEAD') {
    ctx.status = 200;
    setHeaders();
    return;
  }
  try {
    // They end by themselves.
    const stallMs = Math.min(patience.stallMs, longestStallMs);
    await sendParts(ctx, probed(ctx, events), { stallMs, limitMs: Number.POSITIVE_INFINITY, setHeaders });
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error;
    logBrokenOff(logger, ctx, error);
    throw new ClientDisconnected();
  }
}

/** Most who send no more have left. */
const firstProbeMs = 20;
const longestProbeMs = 1000;

/**
 * Events, with comments between them for a caller who sends no more: who has left looks like who still listens, until something
 * is sent to them that their system refuses.
 */
async function* probed({ req: { socket }, res }: HttpContext, events: AsyncIterable<string>): AsyncGenerator<string> {
  let isBetween = false;
  let timer: NodeJS.Timeout | undefined;
  const probe = (afterMs: number): void => {
    if (isBetween && !res.destroyed) res.write(':\n\n');
    timer = setTimeout(probe, afterMs, Math.min(afterMs * 2, longestProbeMs));
  };
  const begin = (): void => probe(firstProbeMs);
  socket.once('end', begin);
  if (socket.readableEnded) begin();
  try {
    for await (const event of events) {
      isBetween = false;
      yield event;
      isBetween = true;
    }
  } finally {
    clearTimeout(timer);
    socket.off('end', begin);
  }
}

/** What cannot be decoded stays as it was sent, and names nothing then. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
