// The server on its port: timeouts, connection limits, and a shutdown that cuts nobody off.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { noteConnection } from '../../admission/event-loop.ts';
import { ConnectionTally } from '../../metrics/connections.ts';
import { problems } from '../../problems.ts';
import { Connections } from './connections.ts';

export interface ServerOptions {
  /** `app.callback()`. */
  readonly listener: RequestListener;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly logger: Logger;
  readonly limits?: Partial<ServerLimits>;
  /** Counts the connections, for others to look at. */
  readonly tally?: ConnectionTally;
}

export interface ServerLimits {
  /** For the headers of a request, from its first byte (or the start of the connection). */
  readonly headersTimeoutMs: number;
  /** For a whole request, body included. */
  readonly requestTimeoutMs: number;
  /** For the next request of a connection; above the 60 s for which balancers keep one, who else lose requests. */
  readonly keepAliveTimeoutMs: number;
  /**
   * For the next request of a kept connection once the server stops: its caller may be sending it in this moment, and a
   * connection that is closed with unread bytes is reset.
   */
  readonly stopGraceMs: number;
  /** For a caller who takes nothing of an answer. While the service works, nothing is owed to it. */
  readonly silenceTimeoutMs: number;
  /** For a caller to take an answer, however slowly it does: as long for each byte of the largest as a body has. */
  readonly answerTimeoutMs: number;
  /** How often the first two, and those of answers, are looked after. */
  readonly checkEveryMs: number;
  readonly maximumConnections: number;
  /** Generous: behind a proxy, all callers come from one address. */
  readonly connectionsPerAddress: number;
}

const defaults: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  stopGraceMs: 1500,
  silenceTimeoutMs: 60_000,
  answerTimeoutMs: 120_000,
  checkEveryMs: 1000,
  maximumConnections: 10_000,
  connectionsPerAddress: 1000,
};

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /**
   * Stops accepting, answers what was accepted, ends every connection; after `timeoutMs` (10 s) without regard. Resolves
   * when the last connection is closed. Calling again gives the same promise.
   */
  stop(timeoutMs?: number): Promise<void>;
}

/** Listens. @throws Error with one line for the operator when the port or host cannot be used. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port, logger } = options;
  const limits = { ...defaults, ...options.limits };
  const connections = new Connections({ ...limits, logger, tally: options.tally ?? new ConnectionTally() });
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    // Node's own refusal has no body; `checkHeaders` has one.
    requireHostHeader: false,
  });
  // Headers beyond a count would be dropped unseen, a second Authorization among them; 16 kB bound them anyway.
  server.maxHeadersCount = 0;
  // A caller may end its side behind the request and still be owed the answer. Not in the types, but Node's own name.
  Object.assign(server, { httpAllowHalfOpen: true });
  // `server.close` calls this. Node's own takes an answer for done that still waits to be sent to a slow reader, and cuts
  // it (measured: 4 of 30 MB arrive). A turn later, what lies in the sockets' buffers has become requests.
  server.closeIdleConnections = () => setImmediate(() => connections.drain());

  const listener: RequestListener = (req, res) => {
    if (connections.begin(req, res)) options.listener(req, res);
  };
  server.on('connection', (socket) => {
    noteConnection();
    connections.open(socket);
  });
  server.on('request', listener);
  // Both go the way of every request, so that 401 and 413 come before any `100 Continue`, and 417 has a body.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  server.on('clientError', (error, socket) => connections.fail(error, socket));
  // An `upgrade` is not listened to, hence ignored, as RFC 9110 section 7.8 allows. CONNECT has no path to answer for.
  server.on('connect', (_req, socket: Socket) => connections.refuse(socket, connectRefused));

  await listen(server, host, port);
  server.on('error', (error: NodeJS.ErrnoException) =>
    logger.error({ code: error.code, stack: error.stack }, 'server'),
  );
  const address = server.address() as AddressInfo;
  const timer = setInterval(() => connections.endSlow(performance.now()), limits.checkEveryMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
  let stopped: Promise<void> | undefined;
  return {
    host: address.address,
    port: address.port,
    stop: (timeoutMs = 10_000) => {
      stopped ??= stop(server, () => connections.destroyAll(), timeoutMs);
      return stopped;
    },
  };
}

/** Longest time for those who have connected before a stop. */
const letInMs = 1000;

const connectRefused = problems.methodNotAllowed('GET, HEAD, POST, PATCH, DELETE, OPTIONS');

async function stop(server: Server, destroyAll: () => void, timeoutMs: number): Promise<void> {
  const timer = setTimeout(destroyAll, timeoutMs);
  await letIn(server);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(timer);
}

/**
 * Lets those in who have connected: the system resets what waits behind a port that is closed. A turn takes one of them;
 * after two without any, or when so many come that there is no end, it is over.
 */
async function letIn(server: Server): Promise<void> {
  const until = performance.now() + letInMs;
  let quietTurns = 0;
  const open = (): void => {
    quietTurns = 0;
  };
  server.on('connection', open);
  while (quietTurns < 2 && performance.now() < until) {
    quietTurns += 1;
    await nextTurn();
  }
  server.off('connection', open);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const reason = listenFaults[code] ?? message;
    throw new Error(`cannot listen on ${host}:${port}: ${reason}`, { cause: error });
  }
}

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses this port; stop it or set PORT to another one',
  EACCES: 'this port needs more rights; set PORT to one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; set HOST to one of its own, or to 0.0.0.0 for all',
  ENOTFOUND: 'no such host; set HOST to an address of this machine, or to 0.0.0.0 for all',
};
