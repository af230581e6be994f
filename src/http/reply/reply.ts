// Writes all responses. Every failure has the shape {status, message, errors?}, or that of RFC 9457 if the caller accepts it.
import { STATUS_CODES } from 'node:http';
import { type Problem, type ProblemFormat, problemJson } from '../../problems.ts';
import type { Outcome } from '../../request/intent.ts';
import type { HttpContext } from '../request/context.ts';
import type { HeaderOptions } from '../request/header-options.ts';
import { packed } from './compress.ts';
import { isNotModified } from './preconditions.ts';
import { chooseProblemFormat, documentType } from './problem-format.ts';

const jsonType = 'application/json; charset=utf-8';

/** Answers with JSON that is made already; a text goes out in one write with its headers. Node's setter, not Koa's: it is half of the cost of `ctx.set`. */
export function sendJson(ctx: HttpContext, status: number, body: Buffer | string): void {
  ctx.status = status;
  ctx.res.setHeader('Content-Type', jsonType);
  ctx.body = body;
}

/**
 * Answers with what an endpoint gave; nothing is 204, and what the caller has already is 304. What has a strong tag is sent as it
 * is: it is of these bytes, and callers compare it (RFC 9110 section 8.8.3). All else is packed for who can unpack it:
 * records and errors, in which no secret stands, and that nobody keeps.
 * @returns what is to be waited for, if anything
 */
export function sendOutcome(
  ctx: HttpContext,
  outcome: Outcome,
  { ifMatch, ifNoneMatch, isTrial }: HeaderOptions,
): Promise<void> | undefined {
  const { etag, isMinimal } = outcome;
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const isKnown = isRead && isNotModified({ ifMatch, ifNoneMatch }, etag);
  if (etag !== undefined) ctx.res.setHeader('ETag', etag);
  if (outcome.isReplayed === true) ctx.res.setHeader('Idempotent-Replayed', 'true');
  if (outcome.put !== undefined) ctx.res.setHeader('Praxis-Outcome', outcome.put);
  if (isTrial === true || isMinimal === true) {
    const applied = [...(isTrial === true ? ['tx=rollback'] : []), ...(isMinimal === true ? ['return=minimal'] : [])];
    ctx.res.setHeader('Preference-Applied', applied.join(', '));
  }
  if (isKnown) ctx.status = 304;
  else if (outcome.body === undefined) ctx.status = outcome.status;
  else {
    const mayRefuse = isRead || outcome.isReplayed === true;
    ctx.state.bytes?.[mayRefuse ? 'hold' : 'holdAnyway']('response', outcome.body.length);
    sendJson(ctx, outcome.status, outcome.body);
    const isOfBytes = etag !== undefined && !etag.startsWith('W/');
    if (!isOfBytes && ctx.method !== 'HEAD') return sendPacked(ctx, outcome.body);
  }
  return undefined;
}

function sendPacked({ req, res, response }: HttpContext, body: Buffer | string): Promise<void> | undefined {
  const answer = packed(req.headers['accept-encoding'], body);
  return answer?.body.then((bytes) => {
    res.setHeader('Content-Encoding', answer.coding);
    res.appendHeader('Vary', 'Accept-Encoding');
    response.body = bytes;
  });
}

/** Answers with a failure; its headers (Allow, WWW-Authenticate …) are part of it. */
export function sendProblem(ctx: HttpContext, problem: Problem): void {
  const format = chooseProblemFormat(ctx.req.headers.accept);
  ctx.state.refusedBy = problem.refusedBy;
  for (const [name, value] of Object.entries(problem.headers)) ctx.res.setHeader(name, value);
  varyByAccept(ctx);
  sendJson(ctx, problem.status, problemBody(problem, format));
  ctx.res.setHeader('Content-Type', typeOf[format]);
}

/** Notes that the answer depends on `Accept`, once. */
export function varyByAccept({ res }: HttpContext): void {
  const names = [res.getHeader('Vary') ?? []].flat().join(', ').split(', ');
  if (!names.includes('Accept')) res.setHeader('Vary', [...names, 'Accept'].filter((name) => name !== '').join(', '));
}

const typeOf: Readonly<Record<ProblemFormat, string>> = { plain: jsonType, document: documentType };

const problemBody = (problem: Problem, format: ProblemFormat): Buffer => Buffer.from(problemJson(problem, format));

/**
 * Returns the same answer as text of HTTP/1.1, for connections on which no request could be read; the last one on each.
 * @param accept Value of the header, as far as it is known.
 */
export function problemText(problem: Problem, { requestId, accept }: Unread): string {
  const format = chooseProblemFormat(accept);
  const body = problemBody(problem, format);
  const headers = {
    Date: new Date().toUTCString(),
    'X-Request-Id': requestId,
    ...Object.fromEntries(commonHeaders),
    ...problem.headers,
    Vary: 'Accept',
    'Content-Type': typeOf[format],
    'Content-Length': body.length,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`;
}

interface Unread {
  readonly requestId: string;
  readonly accept: string | undefined;
}

/** On every answer: records are nobody's to keep, and JSON is not to be taken for anything else. */
export const commonHeaders = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'no-store'],
] as const;
