// Connections of a server: requests in flight on each, responses to malformed requests, graceful shutdown.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { ConnectionTally } from '../../metrics/connections.ts';
import { type Problem, problems } from '../../problems.ts';
import { problemText } from '../reply/reply.ts';
import { breakBody } from '../request/body.ts';

interface Connection {
  /** Answers not yet sent in full, in the order of their requests; more than one when requests are pipelined. */
  readonly running: ServerResponse[];
  latest: IncomingMessage | undefined;
  /** `bytesRead` when the latest request was over: more than that is a request on its way in. */
  settledBytes: number;
  isRefused: boolean;
  /** The answer that was on its way when last looked at, and since when all of it may be. */
  sending: { readonly res: ServerResponse; since: number | undefined } | undefined;
}

interface ConnectionsOptions {
  /** Connections above it are answered 503, as are those of one address above the other. */
  readonly maximumConnections: number;
  readonly connectionsPerAddress: number;
  readonly stopGraceMs: number;
  readonly silenceTimeoutMs: number;
  readonly answerTimeoutMs: number;
  readonly logger: Logger;
  readonly tally: ConnectionTally;
}

/** Most answers are there before; the later probes come after twice the time each. */
const firstProbeMs = 20;
const longestProbeMs = 1000;

/** How long a caller has to read the end, and to close its own side. */
const patienceMs = 1000;

/** All connections of one server. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #connections = new Map<Duplex, Connection>();
  /** How many there are of each address. */
  readonly #byAddress = new Map<string, number>();
  #isDraining = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Notes a new connection; refuses it over the limits. */
  open(socket: Socket): void {
    const { maximumConnections, connectionsPerAddress, tally } = this.#options;
    this.#connections.set(socket, {
      running: [],
      latest: undefined,
      settledBytes: 0,
      isRefused: false,
      sending: undefined,
    });
    tally.open += 1;
    const address = socket.remoteAddress ?? '';
    const ofAddress = (this.#byAddress.get(address) ?? 0) + 1;
    this.#byAddress.set(address, ofAddress);
    socket.once('close', () => this.#forget(socket, address));
    socket.once('end', () => probeLater(this.#connections.get(socket), firstProbeMs));
    if (this.#connections.size > maximumConnections) this.refuse(socket, problems.overloaded());
    else if (ofAddress > connectionsPerAddress) this.refuse(socket, problems.connectionsExceeded());
  }

  #forget(socket: Socket, address: string): void {
    this.#connections.delete(socket);
    this.#options.tally.open -= 1;
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
  }

  /**
   * Hangs up on those who have been taking an answer for too long, and lets sockets do so where nothing is taken: these count
   * while something is sent, and not while the service works. @param now by `performance.now()`
   */
  endSlow(now: number): void {
    const { silenceTimeoutMs, answerTimeoutMs } = this.#options;
    for (const connection of this.#connections.values()) {
      const [res] = connection.running;
      if (res === undefined) continue;
      const { socket } = res.req;
      if (connection.sending !== undefined && connection.sending.res !== res) {
        connection.sending = undefined;
        socket.setTimeout(0);
      }
      if (!res.headersSent) continue;
      if (connection.sending === undefined) {
        connection.sending = { res, since: undefined };
        socket.setTimeout(silenceTimeoutMs);
      }
      if (!res.writableEnded) continue;
      connection.sending.since ??= now;
      if (now - connection.sending.since > answerTimeoutMs) socket.destroy();
    }
  }

  /** Notes a request. @returns whether it is to be answered; not so on connections that are already refused. */
  begin(req: IncomingMessage, res: ServerResponse): boolean {
    const connection = this.#connections.get(req.socket);
    if (connection === undefined || connection.isRefused) return false;
    if (this.#isDraining) {
      // A request behind one that was to be the last: that one must not close the connection any more.
      const before = connection.running.at(-1);
      if (before !== undefined) before.shouldKeepAlive = true;
      res.shouldKeepAlive = false;
    }
    connection.latest = req;
    connection.running.push(res);
    res.once('close', () => this.#end(req, res, connection));
    return true;
  }

  #end(req: IncomingMessage, res: ServerResponse, connection: Connection): void {
    connection.running.splice(connection.running.indexOf(res), 1);
    if (req.complete) connection.settledBytes = req.socket.bytesRead;
    // Of a body that nobody read, Node skips the rest behind the answer.
    else
      req.once('end', () => {
        connection.settledBytes = req.socket.bytesRead;
      });
    if (!this.#isDraining || connection.running.length > 0) return;
    if (res.shouldKeepAlive) this.#letGo(req.socket, connection);
    else req.socket.destroySoon();
  }

  /** Node's `clientError`: a request that cannot be read, or did not come in time. */
  fail(error: ClientError, socket: Duplex): void {
    const connection = this.#connections.get(socket);
    const problem = problemOf(error.code);
    if (connection === undefined || problem === undefined || !socket.writable) {
      socket.destroy();
      return;
    }
    const { running, latest } = connection;
    const isBodyAtFault = latest?.complete === false;
    if (isBodyAtFault) breakBody(latest, problem);
    // Already answered, without its body: a second answer would be nobody's.
    if (isBodyAtFault && running.length === 0) socket.destroy();
    else this.refuse(socket, problem, isBodyAtFault ? latest.headers.accept : acceptIn(error.rawPacket));
  }

  /**
   * Answers without a request, then closes; while answers are owed it only closes behind them.
   * @param accept Value of the `Accept` header of the request, as far as it was read.
   */
  refuse(socket: Duplex, problem: Problem, accept?: string): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.isRefused) return;
    connection.isRefused = true;
    const last = connection.running.at(-1);
    if (last !== undefined) {
      // Answers are still owed, and bytes of our own would be taken for them; the connection ends behind the last one.
      last.shouldKeepAlive = false;
      last.once('close', () => socket.destroy());
      return;
    }
    const requestId = randomUUID();
    this.#options.tally.refused(problem.code);
    this.#options.logger.info({ requestId, status: problem.status, code: problem.code }, 'connection refused');
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    socket.once('close', () => clearTimeout(timer));
    socket.on('error', () => socket.destroy());
    socket.end(problemText(problem, { requestId, accept }));
    socket.resume();
  }

  /** Ends every connection: behind the next answer, which says so, or where no request comes any more, by itself. */
  drain(): void {
    this.#isDraining = true;
    for (const [socket, connection] of this.#connections) {
      const last = connection.running.at(-1);
      if (last === undefined) this.#letGo(socket as Socket, connection);
      // Where the headers are out, they have promised that the connection is kept.
      else if (!last.headersSent) last.shouldKeepAlive = false;
    }
  }

  /** Closes a kept connection when no request has come for a while; one that comes is answered, and told to be the last. */
  #letGo(socket: Socket, connection: Connection): void {
    const close = (): void => {
      if (connection.running.length > 0 || !isIdle(socket, connection)) return;
      connection.isRefused = true;
      socket.end();
      const timer = setTimeout(() => socket.destroy(), patienceMs);
      socket.once('close', () => clearTimeout(timer));
    };
    // A turn later, what lies in the socket's buffer has been read.
    const timer = setTimeout(() => setImmediate(close), this.#options.stopGraceMs);
    socket.once('close', () => clearTimeout(timer));
  }

  destroyAll(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }
}

/**
 * The caller sends no more. Who has left altogether looks the same as who still waits for answers, until something is sent:
 * an interim answer (RFC 9110 section 15.2) is skipped by the one; the other's system refuses it, and the next write fails.
 */
function probeLater(connection: Connection | undefined, afterMs: number): void {
  const [current] = connection?.running ?? [];
  if (current === undefined || current.req.httpVersionMinor === 0) return;
  setTimeout(() => {
    if (current.destroyed || current.headersSent) return;
    current.writeProcessing();
    probeLater(connection, Math.min(afterMs * 2, longestProbeMs));
  }, afterMs).unref();
}

/** An error of Node's parser, with the bytes that it could not read. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Finds the `Accept` header among bytes that are not a valid request. */
const acceptIn = (packet: Buffer | undefined): string | undefined =>
  /\r\naccept:([^\r\n]*)/i.exec(packet?.toString('latin1') ?? '')?.[1];

const isIdle = (socket: Socket, connection: Connection): boolean => socket.bytesRead === connection.settledBytes;

/** undefined: not the caller's fault but the network's; there is nobody to answer. */
function problemOf(code: string | undefined): Problem | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return problems.headersTooLarge();
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return problems.bodyTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problems.requestTimeout();
  return code?.startsWith('HPE_') ? problems.requestMalformed() : undefined;
}
