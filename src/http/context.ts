import type { ParameterizedContext } from 'koa';
import type { Caller } from '../request/intent.ts';
import type { Patience } from '../waiting/patience.ts';

/** What is known of one request besides Koa's own: its name in the log, its target taken apart, who asks. */
export interface Exchange {
  readonly requestId: string;
  readonly path: string;
  /** Text behind the `?`, undecoded. */
  readonly query: string;
  caller: Caller | undefined;
  readonly patience: Patience;
}

export type HttpContext = ParameterizedContext<Exchange>;

/** Every path below it belongs to the interface and needs a token. */
export const base = '/api';
