// Runs authenticated requests: an operation of a group, a batch, an explanation.
import type { Logger } from 'pino';
import { checkLimits } from '../access/limits.ts';
import type { Endpoint } from '../endpoints/routes/endpoint.ts';
import { problems } from '../problems.ts';
import type { Outcome } from '../request/intent.ts';
import { unreachable } from '../unreachable.ts';
import { logFailure } from './reply/log.ts';
import { sendOutcome } from './reply/reply.ts';
import { readBody } from './request/body.ts';
import { base, type HttpContext } from './request/context.ts';
import { headerOptionsOf } from './request/header-options.ts';
import type { Admit } from './request/rate-limit.ts';
import type { Service } from './request/service.ts';

export const batchPath = `${base}/batch`;
const methods = 'POST, OPTIONS';

interface Asked {
  readonly service: Service;
  readonly endpoint: Endpoint;
  readonly id: string;
  readonly bodyLimitBytes: number;
}

/** Answers an operation of a group. @throws Problem */
export async function runEndpoint(ctx: HttpContext, { service, endpoint, id, bodyLimitBytes }: Asked): Promise<void> {
  const { caller, query, deadline } = ctx.state;
  ctx.state.what = endpoint;
  if (caller === undefined) unreachable('a request was routed without a caller');
  const { method, resource } = endpoint;
  const { feature } = resource;
  if (feature !== undefined && !service.isEnabled(feature)) throw problems.featureDisabled(feature.name);
  checkLimits(caller, endpoint.operation, resource);
  const options = headerOptionsOf(ctx.req, {
    method,
    isOfRecord: endpoint.hasId || resource.singleton || method === 'PUT',
  });
  const target = `${method} ${ctx.req.url}`;
  const body = () => readBody(ctx.req, ctx.res, bodyLimitBytes);
  const asked = { caller, query, target, options, readBody: body, deadline, ...originOf(ctx) };
  const work = service.answer({ ...asked, endpoint, id });
  const outcome = await inTime(ctx, work);
  const sent = sendOutcome(ctx, outcome, options);
  if (sent !== undefined) await sent;
}

/** By which request a write comes. */
export const originOf = ({ state: { requestId, trace } }: HttpContext) => ({ requestId, traceId: trace?.traceId });

interface AskedBatch {
  readonly service: Service;
  /** Of the whole. */
  readonly bodyLimitBytes: number;
  readonly admit: Admit | undefined;
  readonly logger: Logger;
}

/** Answers a batch. @throws Problem */
export async function runBatch(
  ctx: HttpContext,
  { service, bodyLimitBytes, admit, logger }: AskedBatch,
): Promise<void> {
  const { caller, query, deadline } = ctx.state;
  if (caller === undefined) unreachable('a request was routed without a caller');
  ctx.state.what = 'batch';
  if (ctx.method === 'OPTIONS') {
    ctx.res.setHeader('Allow', methods);
    ctx.status = 204;
    return;
  }
  if (ctx.method !== 'POST') throw problems.methodNotAllowed(methods);
  const [name = ''] = query.split(/[=&]/);
  if (name !== '') throw problems.parameterUnknown(name);
  const options = headerOptionsOf(ctx.req, { method: 'POST', isOfRecord: false });
  const target = `POST ${ctx.req.url}`;
  const body = () => readBody(ctx.req, ctx.res, bodyLimitBytes);
  const count = (operations: number) => admit?.operations(ctx, caller, operations);
  const work = service.answerBatch({ caller, target, options, readBody: body, deadline, count, ...originOf(ctx) });
  const outcome = await inTime(ctx, work);
  if (outcome.failure !== undefined) logFailure(logger, ctx, outcome.failure.error);
  await sendOutcome(ctx, outcome, options);
}

/** Work that is over its time gives up where that is sure. Where nothing is heard of it for so long after that, nobody knows. */
const lastCallMs = 5000;

/** Work, as long as anybody waits for it. @throws Problem 503 when that is over */
export function inTime(ctx: HttpContext, work: Promise<Outcome>): Promise<Outcome> {
  const { until } = ctx.state.deadline;
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(isRead ? problems.overdue() : problems.outcomeOverdue());
    const timer = setTimeout(giveUp, until + lastCallMs - performance.now());
    work.then(
      (outcome) => {
        clearTimeout(timer);
        resolve(outcome);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
