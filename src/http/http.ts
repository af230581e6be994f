// The Koa application of a service, without a port.
import Koa from 'koa';
import { createHandle, type HttpOptions } from './handle.ts';
import type { Exchange } from './request/context.ts';
import type { Service } from './request/service.ts';

/**
 * Makes the application that answers for a service; `startServer` puts it on a port. Forwarding headers are not trusted
 * (`proxy` stays off), and nothing is ever built from Host.
 */
export function createHttp(service: Service, options: HttpOptions): Koa<Exchange> {
  const app = new Koa<Exchange>({ proxy: false });
  app.use(createHandle(service, options));
  // Only what went wrong after the answer was made ends here: as a rule a caller who did not wait for it.
  app.on('error', (error: NodeJS.ErrnoException) => {
    const isNetwork = error.code === 'ECONNRESET' || error.code === 'EPIPE' || error.code === 'ECONNABORTED';
    if (isNetwork) options.logger.debug({ code: error.code }, 'connection closed before the end of the response');
    else options.logger.error({ code: error.code, stack: error.stack }, 'failed to write response');
  });
  return app;
}
