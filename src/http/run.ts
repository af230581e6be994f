// Runs authenticated requests: an operation of a group, a batch, an explanation.
import type { Logger } from 'pino';
import { checkLimits } from '../access/limits.ts';
import { problems } from '../problems.ts';
import type { Outcome } from '../request/intent.ts';
import { unreachable } from '../unreachable.ts';
import { logFailure } from './reply/log.ts';
import { chooseProblemFormat } from './reply/problem-format.ts';
import { sendOutcome, varyByAccept } from './reply/reply.ts';
import { type BodyLimits, readBody } from './request/body.ts';
import { base, type HttpContext } from './request/context.ts';
import { type HeaderOptions, headerOptionsOf } from './request/header-options.ts';
import type { Admit } from './request/rate-limit.ts';
import type { Service } from './request/service.ts';
import type { Run } from './router.ts';

export const batchPath = `${base}/batch`;
const methods = 'POST, OPTIONS';

/** Makes what answers an operation of a group. It throws a Problem, or rejects with one. */
export function createRun(service: Service, bodyLimits: BodyLimits): Run {
  return (ctx, endpoint, id) => {
    const { req, state } = ctx;
    const { caller, query, deadline, requestId, trace } = state;
    state.what = endpoint;
    if (caller === undefined) unreachable('a request was routed without a caller');
    const { method, resource } = endpoint;
    const { feature } = resource;
    if (feature !== undefined && !service.isEnabled(feature)) throw problems.featureDisabled(feature.name);
    if (caller.rights !== undefined) checkLimits(caller, endpoint.operation, resource);
    const target = endpoint.hasId || resource.singleton || method === 'PUT' ? 'record' : 'untagged';
    const options = headerOptionsOf(req, { method, target });
    const work = service.answer({
      ...{ endpoint, id, caller, query, options, deadline, requestId },
      target: `${method} ${req.url}`,
      traceId: trace?.traceId,
      readBody: () => readBody(req, ctx.res, { ...bodyLimits, counter: ctx.state.bytes }),
    });
    return sendInTime(ctx, work, options);
  };
}

/** By which request a write comes. */
export const originOf = ({ state: { requestId, trace } }: HttpContext) => ({ requestId, traceId: trace?.traceId });

interface AskedBatch {
  readonly service: Service;
  /** Limits of the whole batch. */
  readonly bodyLimits: BodyLimits;
  readonly admit: Admit | undefined;
  readonly logger: Logger;
}

/** Answers a batch. @throws Problem */
export async function runBatch(ctx: HttpContext, { service, bodyLimits, admit, logger }: AskedBatch): Promise<void> {
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
  const options = headerOptionsOf(ctx.req, { method: 'POST', target: 'nothing' });
  const target = `POST ${ctx.req.url}`;
  const body = () => readBody(ctx.req, ctx.res, { ...bodyLimits, counter: ctx.state.bytes });
  const count = (operations: number) => admit?.operations(ctx, caller, operations);
  // Refusals among the results have the format of errors.
  const problemFormat = chooseProblemFormat(ctx.req.headers.accept);
  varyByAccept(ctx);
  const hold = (responseBytes: number) => ctx.state.bytes?.hold('response', responseBytes);
  const request = { caller, target, options, problemFormat, readBody: body, deadline, count, hold, ...originOf(ctx) };
  const work = service.answerBatch(request);
  const told = work.then((outcome) => {
    if (outcome.failure !== undefined) logFailure(logger, ctx, outcome.failure.error);
    return outcome;
  });
  await sendInTime(ctx, told, options);
}

/** Work that is over its time gives up where that is sure. Where nothing is heard of it for so long after that, nobody knows. */
const lastCallMs = 5000;

/** Sends what work comes to, as long as anybody waits for it. @throws Problem 503 when that is over (as a rejection) */
export function sendInTime(ctx: HttpContext, work: Promise<Outcome>, options: HeaderOptions): Promise<void> {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  return new Promise((resolve, reject) => {
    let isOver = false;
    const giveUp = (): void => {
      isOver = true;
      reject(isRead ? problems.overdue() : problems.outcomeOverdue());
    };
    const timer = setTimeout(giveUp, ctx.state.deadline.until + lastCallMs - performance.now());
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      reject(error);
    };
    work.then((outcome) => {
      clearTimeout(timer);
      if (isOver) return;
      try {
        resolve(sendOutcome(ctx, outcome, options));
      } catch (error) {
        reject(error);
      }
    }, fail);
  });
}
