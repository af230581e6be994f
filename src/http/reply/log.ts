// The log of requests and failures. Never headers, bodies or query strings: they may hold secrets.
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { tokenOf } from '../request/caller.ts';
import type { HttpContext } from '../request/context.ts';

const longestPath = 256;
/** A segment that can be one of ours: words, or an id. Anything else may be a token put in the wrong place. */
const segment = '(?:[a-z][a-z.-]{0,59}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?';
const speaking = new RegExp(`^${segment}$`, 'i');
/** Most paths are ours from the beginning to the end. */
const speakingAll = new RegExp(`^(?:/${segment})*$`, 'i');
const deepestCause = 4;

/** One line a request, with the ids of its trace where it has one. `status` is 499 when the caller left. */
export function logRequest(logger: Logger, ctx: HttpContext, status: number): void {
  if (!logger.isLevelEnabled('info')) return;
  const { requestId, path, caller, deadline, trace, refusedBy } = ctx.state;
  const ms = Math.round(deadline.timings.totalMs * 100) / 100;
  const line = { requestId, method: ctx.method, path: loggedPath(path), status, ms };
  const refusal = refusedBy === undefined ? undefined : { refusedBy };
  logger.info({ ...line, tokenId: caller?.tokenId, ...refusal, ...trace }, 'request');
}

const loggedPath = (path: string): string => {
  const beginning = path.slice(0, longestPath);
  if (speakingAll.test(beginning)) return beginning;
  const segments = beginning.split('/');
  return segments.map((each) => (speaking.test(each) ? each : '*')).join('/');
};

/** The full cause of a 500, under the id that the caller was given, without the token should a text quote it. */
export function logFailure(logger: Logger, ctx: HttpContext, error: unknown): void {
  const token = tokenOf(ctx.req.headers.authorization);
  const mask = (text: string): string => (token === undefined ? text : text.replaceAll(token, '[token]'));
  const { requestId, trace } = ctx.state;
  logger.error({ requestId, ...trace, cause: describe(error, mask, deepestCause) }, 'request failed');
}

/** Why an answer ended before it was whole: as a rule its reader, who gets no more of it. */
export function logBrokenOff(logger: Logger, ctx: HttpContext, error: Error): void {
  const { requestId, path } = ctx.state;
  logger.warn({ requestId, path: loggedPath(path), cause: describe(error.cause, (text) => text, 1) }, error.message);
}

/** Only these properties: drivers hang statements with their values on errors, which pino would print. */
function describe(error: unknown, mask: (text: string) => string, depth: number): object {
  if (!(error instanceof Error)) return { thrown: mask(inspect(error, { depth: 1 })) };
  return {
    code: 'code' in error ? mask(String(error.code)) : undefined,
    stack: mask(error.stack ?? `${error.name}: ${error.message}`),
    cause: error.cause === undefined || depth === 0 ? undefined : describe(error.cause, mask, depth - 1),
  };
}
