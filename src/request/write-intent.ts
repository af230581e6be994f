// Writes that no request has sent: those of commands, and what the service does by itself.
import type { Endpoint } from '../endpoints/routes/endpoint.ts';
import type { BodyInput, Caller, Intent, RequestOptions } from './intent.ts';

interface Write {
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  /** As it was typed; undefined: that of a create. */
  readonly id?: string | undefined;
  readonly body?: BodyInput | undefined;
  readonly options?: RequestOptions;
}

/** A write → what the engine is to execute. */
export const writeIntent = ({ endpoint, caller, id = '', body, options = {} }: Write): Intent => ({
  ...{ endpoint, caller, body, options },
  id: id.toLowerCase(),
  idAsSent: id,
  limit: 0,
  cursor: undefined,
  filters: [],
  given: {},
});
