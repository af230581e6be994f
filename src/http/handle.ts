// The life of a request, and the one place where failures become responses. A single Koa middleware: each further one
// would cost every request a closure and a promise.
import { randomUUID } from 'node:crypto';
import type Koa from 'koa';
import compose from 'koa-compose';
import type { Logger } from 'pino';
import { BytesInFlight, type BytesInFlightLimits, ExchangeBytes } from '../admission/bytes-in-flight.ts';
import { ClientDisconnected, Timings, waitFor } from '../admission/deadline.ts';
import { TurnQueue } from '../admission/event-loop.ts';
import { freeJsonNames } from '../endpoints/routes/free-json.ts';
import { Problem, problems } from '../problems.ts';
import { type Caller, limitKey } from '../request/intent.ts';
import { runFiles } from './files.ts';
import { createLogRoutes } from './log-routes.ts';
import { createCors } from './reply/cors.ts';
import { logFailure, logRequest } from './reply/log.ts';
import { commonHeaders, sendProblem } from './reply/reply.ts';
import { setServerTiming } from './reply/timing.ts';
import { type BodyLimits, discardBody, leavesBody } from './request/body.ts';
import { authenticate, checkHeaders } from './request/caller.ts';
import { base, type HttpContext } from './request/context.ts';
import type { Admit } from './request/rate-limit.ts';
import type { Service } from './request/service.ts';
import { continueTrace } from './request/trace.ts';
import { WrongTokens } from './request/wrong-tokens.ts';
import { createRouter } from './router.ts';
import { batchPath, createRun, runBatch } from './run.ts';
import { asideSegments, runBeside } from './run-beside.ts';
import { runSignOut, signOutPath } from './sign-in.ts';
import { createSystemRoutes } from './system-routes.ts';

export interface HttpOptions {
  readonly logger: Logger;
  /** Origins (`https://app.example.com`) whose pages may call; none by default. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** An application's own, run in this order before the request is answered; their failures are answered like ours. */
  readonly middleware?: readonly Koa.Middleware[] | undefined;
  /** Longest body that is read; 1 MiB by default. */
  readonly bodyLimitBytes?: number;
  /** How long the work of a request may take; a minute by default. */
  readonly workTimeoutMs?: number | undefined;
  /** How long an export may take, and how long its reader may take nothing of it; half an hour and a minute by default. */
  readonly exportLimitMs?: number | undefined;
  readonly exportStallMs?: number | undefined;
  /** Minimum rate of a reader of an export, measured over `exportStallMs` of waiting for it; 16 KiB/s by default. */
  readonly exportBytesPerS?: number | undefined;
  /** Maximum length of the bodies and responses in memory; 64 MiB in all, 40 MiB for a caller by default. */
  readonly bytesInFlight?: BytesInFlightLimits | undefined;
  /** Counts the requests of each token; they are as many as they can be without it. */
  readonly admit?: Admit | undefined;
  /** Whether answers tell what their time went to; not by default. */
  readonly serverTiming?: boolean | undefined;
}

/** Maximum length of a batch, in bodies of one request. */
const bodiesInBatch = 8;

/** Longest target, in bytes, as it was sent: what servers should take at least (RFC 9112 section 3), and no more to look through. */
const longestTarget = 8000;

/** Status in the log of requests that got no answer, as nginx has it. */
const clientGone = 499;

/** Makes the middleware. The order of checks is part of the interface: 414, headers, 401, 429, 404 and 405, 403, the service. */
export function createHandle(service: Service, options: HttpOptions): (ctx: HttpContext) => Promise<void> {
  const { logger, corsOrigins = [], middleware = [], bodyLimitBytes = 1_048_576, admit, serverTiming } = options;
  const { workTimeoutMs = 60_000, exportBytesPerS = 16 * 1024 } = options;
  const patience = patienceOf(options);
  const answerPreflight = createCors(corsOrigins, service.files !== undefined);
  const admitCaller = createAdmission(service, options);
  const answerSystemRoute = createSystemRoutes(service, admitCaller);
  const bodyLimits: BodyLimits = { bytes: bodyLimitBytes, freeNames: freeJsonNames(service.endpoints) };
  const batchLimits: BodyLimits = { ...bodyLimits, bytes: bodyLimitBytes * bodiesInBatch };
  const route = createRouter(service.endpoints, createRun(service, bodyLimits), {
    segments: new Set([...asideSegments, 'files', 'batch', 'sign-out']),
    answer: answerOther,
    last: createLogRoutes(service, { bodyLimits, patience, logger }),
  });
  const turnQueue = new TurnQueue();
  service.tally.queues.set('turn', turnQueue.queue);

  function answer(ctx: HttpContext): Promise<unknown> | undefined {
    const isPreflight = answerPreflight?.(ctx) === true;
    if (ctx.originalUrl.length > longestTarget) throw problems.targetTooLong();
    checkHeaders(ctx.req);
    if (isPreflight) {
      ctx.status = 204;
      return undefined;
    }
    const { path } = ctx.state;
    if (path !== base && !path.startsWith(`${base}/`)) return answerSystemRoute(ctx);
    // Behind the paths above: probes are answered while everybody else waits.
    const wait = turnQueue.enter(ctx.state.deadline);
    return wait === undefined ? answerCaller(ctx) : waitFor(wait, ctx.state.deadline).then(() => answerCaller(ctx));
  }

  function answerCaller(ctx: HttpContext): Promise<unknown> {
    const counted = admitCaller(ctx);
    return counted === undefined ? route(ctx) : counted.then(() => route(ctx));
  }

  /** What is asked for below the base beside the operations of groups. */
  function answerOther(ctx: HttpContext): Promise<void> | undefined {
    const { path } = ctx.state;
    if (path === signOutPath && service.signIn !== undefined) return runSignOut(ctx, service.signIn);
    if (path === batchPath) return runBatch(ctx, { service, bodyLimits: batchLimits, admit, logger });
    return (
      runBeside(ctx, { service, patience, exportBytesPerS, logger }) ?? runFiles(ctx, { service, patience, logger })
    );
  }

  function answerFailure(ctx: HttpContext, error: unknown): void {
    const isForeseen = error instanceof Problem;
    if (!isForeseen) logFailure(logger, ctx, error);
    const problem = isForeseen ? error : problems.unforeseen();
    service.tally.refused(problem.code);
    sendProblem(ctx, problem);
  }

  /** Counts and logs a request that is over. `status` is 499 when the caller left. */
  function close(ctx: HttpContext, status: number): void {
    const { what, deadline } = ctx.state;
    const { timings } = deadline;
    timings.totalMs = performance.now() - deadline.since;
    service.tally.note(what, status, timings);
    logRequest(logger, ctx, status);
    if (serverTiming === true) setServerTiming(ctx);
  }

  // Within `handle`, so that what an application's middleware throws is logged and answered like anything else.
  const answerAll = middleware.length === 0 ? answer : compose<HttpContext>([...middleware, answer]);

  return async function handle(ctx) {
    open(ctx, workTimeoutMs);
    try {
      await answerAll(ctx);
    } catch (error) {
      if (error instanceof ClientDisconnected) {
        ctx.respond = false;
        return close(ctx, clientGone);
      }
      answerFailure(ctx, error);
    }
    close(ctx, ctx.status);
    if (ctx.status === 413 || leavesBody(ctx.req, bodyLimitBytes)) await answerAndClose(ctx, bodyLimitBytes);
  };
}

const patienceOf = ({ exportStallMs = 60_000, exportLimitMs = 1_800_000 }: HttpOptions) => ({
  stallMs: exportStallMs,
  limitMs: exportLimitMs,
});

/** Makes the step that finds out who asks, and counts the request. */
function createAdmission(
  service: Service,
  { admit, bytesInFlight }: Pick<HttpOptions, 'admit' | 'bytesInFlight'>,
): (ctx: HttpContext) => Promise<void> | undefined {
  const wrongTokens = new WrongTokens();
  const inFlight = new BytesInFlight(bytesInFlight);

  /** @returns what is to be waited for, if anything. @throws Problem 401; 401 and 429 as a rejection, too */
  function admitCaller(ctx: HttpContext): Promise<void> | undefined {
    const caller = authenticate(ctx.req.headers.authorization, service);
    return caller instanceof Promise ? caller.then((found) => admitAs(ctx, found)) : admitAs(ctx, caller);
  }

  /** Counts the request of a caller, who may name a member to act for. @throws Problem 401; 429, 403, 400, as a rejection */
  function admitAs(ctx: HttpContext, caller: Caller | undefined): Promise<void> | undefined {
    const { headers, socket } = ctx.req;
    if (caller === undefined) throw wrongTokens.refusalOf(socket.remoteAddress ?? '', performance.now());
    ctx.state.caller = caller;
    ctx.state.bytes = new ExchangeBytes(inFlight, limitKey(caller), (release) => onceClosed(ctx, release));
    const counted = admit?.request(ctx, caller);
    const member = headers['praxis-member'];
    return member === undefined ? counted : act(ctx, { caller, member: String(member), counted });
  }

  async function act(ctx: HttpContext, { caller, member, counted }: Acting): Promise<void> {
    await counted;
    ctx.state.caller = await service.act(caller, member);
  }

  return admitCaller;
}

/** Calls a function when the response is sent or the connection has ended. */
function onceClosed({ res }: HttpContext, act: () => void): void {
  if (res.destroyed) act();
  else res.once('close', act);
}

interface Acting {
  readonly caller: Caller;
  readonly member: string;
  readonly counted: Promise<void> | undefined;
}

/** Gives the request its id and takes its target apart. */
function open(ctx: HttpContext, workTimeoutMs: number): void {
  const since = performance.now();
  const { req, res } = ctx;
  const url = req.url ?? '/';
  const target = url.startsWith('/') ? url : originForm(url);
  // @koa/router looks at the URL too, and what Node makes of an odd authority can throw.
  req.url = target;
  const mark = target.indexOf('?');
  ctx.state = {
    requestId: randomUUID(),
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    caller: undefined,
    bytes: undefined,
    what: 'none',
    refusedBy: undefined,
    deadline: { since, until: since + workTimeoutMs, isDisconnected: () => res.destroyed, timings: new Timings() },
    trace: req.headers['traceparent'] === undefined ? undefined : continueTrace(req, res),
  };
  res.setHeader('X-Request-Id', ctx.state.requestId);
  for (const [name, value] of commonHeaders) res.setHeader(name, value);
}

/** `http://host/path` → `/path`: servers must take both forms (RFC 9112 section 3.2.2). Others are no path of ours. */
function originForm(target: string): string {
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (rest === undefined) return '*';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Answers at once, hangs up when the caller has stopped sending. Koa would do both together. */
async function answerAndClose(ctx: HttpContext, limitBytes: number): Promise<void> {
  const { req, res, body } = ctx;
  ctx.respond = false;
  res.setHeader('Connection', 'close');
  if (ctx.method !== 'HEAD' && (Buffer.isBuffer(body) || typeof body === 'string')) res.write(body);
  else res.flushHeaders();
  await discardBody(req, limitBytes);
  res.end();
}
