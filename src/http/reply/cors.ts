// CORS (Fetch standard, section 3.2): configured origins may call, others get no header.
import type { HttpContext } from '../request/context.ts';

const preflightHeaders = {
  // The same for every path, so that a preflight, which carries no token, does not tell which paths there are.
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Prefer, Praxis-Member, Last-Event-ID, traceparent, tracestate',
  'Access-Control-Max-Age': '600',
} as const;
const exposed =
  'X-Request-Id, WWW-Authenticate, Retry-After, Allow, ETag, Content-Disposition, Idempotent-Replayed, Preference-Applied, Praxis-Outcome, Praxis-Moment, RateLimit, RateLimit-Policy, traceparent, tracestate';

const shownOfFiles = 'Content-Range, Accept-Ranges';

/**
 * Makes the step that every request passes first.
 * @returns a function that sets the headers, and says whether the request was a preflight and is answered by that; undefined
 * where no origin may call.
 */
export function createCors(origins: readonly string[], hasFiles: boolean): ((ctx: HttpContext) => boolean) | undefined {
  const allowed = new Set(origins);
  const [sentToo, shownToo] = hasFiles ? [', Content-Disposition, Range, If-Range', `, ${shownOfFiles}`] : ['', ''];
  if (allowed.size === 0) return undefined;
  return ({ req, res }) => {
    // Also where there is no Origin: a cache must not give an answer without the headers to a page that needs them.
    res.setHeader('Vary', 'Origin');
    const { origin } = req.headers;
    if (origin === undefined || !allowed.has(origin)) return false;
    res.setHeader('Access-Control-Allow-Origin', origin);
    const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    if (!isPreflight) res.setHeader('Access-Control-Expose-Headers', exposed + shownToo);
    else
      for (const [name, value] of Object.entries(preflightHeaders))
        res.setHeader(name, name === 'Access-Control-Allow-Headers' ? value + sentToo : value);
    return isPreflight;
  };
}
