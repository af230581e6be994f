// Where connections to a MySQL server come from: a pool behind a line, each connection with its session set before its
// first use, and none while the server is known to be away.
import { createPool, type Pool, type PoolConnection } from 'mysql2';
import { Semaphore } from '../admission/semaphore.ts';
import type { DatabaseStats } from '../metrics/database.ts';
import { problems } from '../problems.ts';
import { DeadlineError, faultOf, NotSentError } from './faults.ts';
import { cut, Link, streamOf } from './mysql-link.ts';
import { createPulse, type Pulse } from './mysql-pulse.ts';
import { type Server, sessionStatements } from './mysql-server.ts';
import { chooseWay } from './mysql-together.ts';
import type { Place } from './mysql-url.ts';
import type { Purpose, Terms } from './session.ts';

const idleMs = 30_000;
const closeMs = 2000;
/** Processes that may be as busy as this one before the server's prepared statements run out. */
const busyProcesses = 6;

export interface Source {
  readonly requests: Readonly<Record<Purpose, Semaphore>>;
  /** @throws NotSentError */
  take(terms: Terms | undefined): Promise<Link>;
  /** Gives back what was taken, or cuts it when it, or the server behind it, is of no use any more. */
  give(link: Link, error?: unknown): void;
  /** Cuts what was taken. */
  drop(link: Link): void;
  isAnswering: Pulse['isAnswering'];
  stats(): DatabaseStats;
  close(): Promise<void>;
}

interface SourceOptions {
  readonly place: Place;
  readonly server: Server;
  /** For commands without terms. */
  readonly unhurriedMs: number;
}

export const createSource = ({ place, server, unhurriedMs }: SourceOptions): Source => {
  const pool = createPoolAt(place, preparedLimit(server, place));
  const connections = new Semaphore(place.connectionLimit);
  const away = () => new NotSentError(new Error('The database does not answer.'));
  // Each kind has a line of its own, so that none starves behind the other. Twice as many together as there are
  // connections: while one request computes, the statement of another keeps its connection busy.
  const requests = { read: new Semaphore(place.connectionLimit), write: new Semaphore(place.connectionLimit) };
  const pulse = createPulse(place.connection, () => {
    connections.refuseAll(away);
    for (const line of Object.values(requests)) line.refuseAll(problems.databaseAway);
  });
  /** The limit of time that the session of a connection has. */
  const limits = new WeakMap<PoolConnection, number>();
  const open = new Set<PoolConnection>();

  /** Sets the session of a connection where it is not as it must be. */
  const prepare = async (link: Link, deadlineMs: number): Promise<void> => {
    const { connection } = link;
    try {
      if (!limits.has(connection)) {
        open.add(connection);
        streamOf(connection)?.once('close', () => open.delete(connection));
        connection.on('error', () => {}); // a second error event without a listener would end the process
        for (const sql of sessionStatements(server)) await link.text(sql);
        await chooseWay(link, server, place.pipeline);
      }
      // A limit without end is taken away by whoever asks for it.
      if (Number.isFinite(deadlineMs)) await link.text(server.limit(deadlineMs));
      limits.set(connection, deadlineMs);
    } catch (error) {
      cut(connection);
      throw error;
    }
  };

  const drop: Source['drop'] = ({ connection }) => {
    cut(connection);
    connections.release();
  };

  return {
    requests,
    async take(terms) {
      if (pulse.isAway) throw away();
      // Not awaited where there is a free one: a turn of the microtasks on each command.
      const wait = connections.acquire();
      if (wait !== undefined) await wait;
      const deadlineMs = terms?.deadlineMs ?? unhurriedMs;
      try {
        const connection = await connectionFrom(pool, Math.min(deadlineMs, unhurriedMs));
        const link = new Link(connection, deadlineMs, pulse);
        if (limits.get(connection) !== deadlineMs) await prepare(link, deadlineMs);
        return link;
      } catch (error) {
        connections.release();
        throw new NotSentError(error);
      }
    },
    give(link, error) {
      const fault = error === undefined ? undefined : faultOf(error);
      if (fault?.kind === 'away' && (fault.reconnect || !fault.notDone)) return drop(link);
      link.connection.release();
      connections.release();
    },
    drop,
    isAnswering: () => pulse.isAnswering(),
    stats: () => ({
      connections: { open: open.size, busy: connections.held, limit: connections.count },
      preparedStatements: [...open].reduce((sum, connection) => sum + preparedOn(connection), 0),
      queues: { read: requests.read.queue, write: requests.write.queue, connection: connections.queue },
    }),
    close: () => {
      pulse.stop();
      return endPool(pool);
    },
  };
};

/** This process's share for each connection. */
const preparedLimit = ({ preparedStatements }: Server, { connectionLimit }: Place): number =>
  Math.max(20, Math.min(500, Math.floor(preparedStatements / busyProcesses / connectionLimit)));

/** How many statements a connection keeps: mysql2 tells nobody. */
const preparedOn = (connection: PoolConnection): number =>
  '_statements' in connection ? (connection._statements as { readonly size: number }).size : 0;

export const connectionFrom = (pool: Pool, deadlineMs: number): Promise<PoolConnection> =>
  new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new DeadlineError(deadlineMs));
    }, deadlineMs);
    pool.getConnection((error, connection) => {
      clearTimeout(timer);
      if (error) reject(error);
      else if (isLate) connection.release();
      else resolve(connection);
    });
  });

export const endPool = (pool: Pool): Promise<void> =>
  new Promise((resolve) => {
    // A connection that hangs never answers the goodbye.
    const timer = setTimeout(resolve, closeMs);
    pool.end(() => {
      clearTimeout(timer);
      resolve();
    });
  });

export const createPoolAt = (place: Place, maxPreparedStatements: number): Pool =>
  createPool({
    ...place.connection,
    connectionLimit: place.connectionLimit,
    // mysql2 looks at idleTimeout only when maxIdle is below the limit.
    maxIdle: place.connectionLimit - 1,
    idleTimeout: idleMs,
    connectTimeout: place.deadlineMs,
    enableKeepAlive: true,
    keepAliveInitialDelay: 10_000,
    maxPreparedStatements,
    charset: 'UTF8MB4_BIN',
    timezone: 'Z',
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    rowsAsArray: true,
    flags: ['-LOCAL_FILES'],
  });
