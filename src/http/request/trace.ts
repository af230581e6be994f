// W3C Trace Context (https://www.w3.org/TR/trace-context). The service calls nobody, so that a caller's trace goes two
// ways: its ids are in the log lines of the request, and the response names our span. No trace is begun: one that
// nobody collects helps nobody.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request's place in a trace of its caller. Ids in hexadecimal digits. */
export interface Trace {
  readonly traceId: string;
  /** Of this request: it is the service's own, below the caller's. */
  readonly spanId: string;
}

const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;
/** Sampled, and that the trace id is random; what other bits mean is not said, and they are not handed on. */
const knownFlags = 0b11;

const mostMembers = 32;
const key = '(?:[a-z0-9][_0-9a-z*/-]{0,240}@[a-z][_0-9a-z*/-]{0,13}|[a-z][_0-9a-z*/-]{0,255})';
const member = new RegExp(`^${key}=[ -+\\--<>-~]{0,255}[!-+\\--<>-~]$`);

/**
 * Takes up the trace of a request, if it has one, and writes it on the answer: `traceparent` with a span id of our own, and
 * `tracestate` as it came. A `traceparent` that cannot be read is as none, and a `tracestate` that cannot be read or is
 * beside none is left out (sections 3.2 and 3.3). Of a later version only what this one knows is handed on (section 3.2.4).
 */
export function continueTrace(req: IncomingMessage, res: ServerResponse): Trace | undefined {
  const { traceparent } = req.headers;
  // Twice is a text with a comma, which has not the form.
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, flags = '', rest] = form.exec(traceparent) ?? [];
  if (traceId === undefined || (version === '00' && rest !== undefined)) return undefined;
  const spanId = newSpanId();
  const handedFlags = (Number.parseInt(flags, 16) & knownFlags).toString(16).padStart(2, '0');
  res.setHeader('traceparent', `00-${traceId}-${spanId}-${handedFlags}`);
  const { tracestate } = req.headers;
  if (typeof tracestate === 'string' && isState(tracestate)) res.setHeader('tracestate', tracestate);
  return { traceId, spanId };
}

/** A list of at most 32 members with keys of their own; empty ones are allowed. */
function isState(text: string): boolean {
  const members = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const keys = new Set(members.map((each) => each.slice(0, each.indexOf('='))));
  const isList = members.length > 0 && members.length <= mostMembers && keys.size === members.length;
  return isList && members.every((each) => member.test(each));
}

/** Never all zeros, which means none. */
function newSpanId(): string {
  for (;;) {
    const id = randomBytes(8).toString('hex');
    if (!/^0+$/.test(id)) return id;
  }
}
