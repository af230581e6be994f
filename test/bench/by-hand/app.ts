// What both services written by hand have in common: a token, a log, headers, and one place where refusals are answered.
import { hash, timingSafeEqual } from 'node:crypto';
import Fastify, { type FastifyError, type FastifyReply } from 'fastify';
import { pino } from 'pino';

const { ACCESS_TOKEN = '', LOG_LEVEL = 'info' } = process.env;

/** What is answered instead of a record; `errors` are those of a body. */
export class Refusal extends Error {
  readonly statusCode: number;
  readonly errors: readonly string[] | undefined;

  constructor(statusCode: number, message: string, errors?: readonly string[]) {
    super(message);
    this.statusCode = statusCode;
    this.errors = errors;
  }
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** A Fastify that takes bodies as they are: nothing is coerced, and nothing dropped in silence. */
export function createApp() {
  const ajv = {
    customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true, multipleOfPrecision: 6 },
  } as const;
  // The same log as Praxis: one line a request, written by the side.
  const loggerInstance = pino({ level: LOG_LEVEL }, pino.destination({ fd: 2, sync: false }));
  const app = Fastify({ loggerInstance, disableRequestLogging: true, ajv });
  const expected = digest(`Bearer ${ACCESS_TOKEN}`);

  app.addHook('onRequest', async (request) => {
    if (!request.url.startsWith('/api/')) return;
    const { authorization } = request.headers;
    if (authorization === undefined) throw new Refusal(401, 'Authentication is required.');
    if (!timingSafeEqual(digest(authorization), expected)) throw new Refusal(401, 'The access token is not valid.');
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('cache-control', 'no-store');
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    request.log.info({ method, url, status: reply.statusCode, ms: reply.elapsedTime }, 'request');
    done();
  });
  app.setErrorHandler((error: FastifyError | Refusal, request, reply): FastifyReply => {
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error(error);
    const message = status >= 500 ? 'Something went wrong.' : error.message;
    const errors = error instanceof Refusal ? error.errors : undefined;
    return reply.code(status).send({ status, message, errors });
  });
  return app;
}
