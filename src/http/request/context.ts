// What the Koa context of a request holds of ours.
import type { ParameterizedContext } from 'koa';
import type { ExchangeBytes } from '../../admission/bytes-in-flight.ts';
import type { RequestDeadline, Timings } from '../../admission/deadline.ts';
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import type { Caller } from '../../request/intent.ts';
import type { Trace } from './trace.ts';

/** What is known of one request besides Koa's own: its name in the log, its target taken apart, who asks. */
export interface Exchange {
  readonly requestId: string;
  readonly path: string;
  /** Text behind the `?`, undecoded. */
  readonly query: string;
  caller: Caller | undefined;
  /** Counts the body and the response of a caller; undefined before the caller is known. */
  bytes: ExchangeBytes | undefined;
  /** What it is counted as: an endpoint, several in one, where a value comes from, something beside the interface, or nothing that there is. */
  what: Endpoint | 'batch' | 'explain' | 'summary' | 'export' | 'file' | 'log' | 'access' | 'open' | 'none';
  /** Of a request that was refused a right: the rule that forbids it; null where none allows it. */
  refusedBy: string | null | undefined;
  readonly deadline: RequestDeadline & { readonly timings: Timings; readonly until: number };
  /** That of the caller, where it has one. */
  readonly trace: Trace | undefined;
}

export type HttpContext = ParameterizedContext<Exchange>;

/** Every path below it belongs to the interface and needs a token. */
export const base = '/api';
