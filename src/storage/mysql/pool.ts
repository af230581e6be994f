// Connection pool of a MySQL server: an admission queue before it, session settings before first use, and no connection while
// the health check says that the server is away.
import { createPool, type Pool, type PoolConnection } from 'mysql2';
import { Semaphore } from '../../admission/semaphore.ts';
import type { DatabaseStats } from '../../metrics/database.ts';
import { problems } from '../../problems.ts';
import { DeadlineError, NotSentError } from '../schema/error-kinds.ts';
import type { CommandOptions, Purpose } from '../schema/session.ts';
import { cut, MysqlConnection, streamOf } from './connection.ts';
import { faultOf } from './errors.ts';
import { createHealthCheck, type HealthCheck } from './health-check.ts';
import { IdleConnections } from './idle-connections.ts';
import { choosePipelining } from './pipelining.ts';
import { type Server, sessionStatements } from './server.ts';
import type { ServerAddress } from './url.ts';
import { offerColumnCache } from './wire/column-cache.ts';

const closeMs = 2000;
/** Processes that may be as busy as this one before the server's prepared statements run out. */
const busyProcesses = 6;

export interface ConnectionPool {
  readonly requests: Readonly<Record<Purpose, Semaphore>>;
  /** @throws NotSentError */
  take(terms: CommandOptions | undefined): Promise<MysqlConnection>;
  /** The same without a promise, where there is one whose session is already as these terms want it. */
  takeReady(terms: CommandOptions | undefined): MysqlConnection | undefined;
  /** Gives back what was taken, or cuts it when it, or the server behind it, is of no use any more. */
  give(link: MysqlConnection, error?: unknown): void;
  /** Cuts what was taken. */
  drop(link: MysqlConnection): void;
  isAnswering: HealthCheck['isAnswering'];
  stats(): DatabaseStats;
  close(): Promise<void>;
}

interface ConnectionPoolOptions {
  readonly place: ServerAddress;
  readonly server: Server;
  /** For commands without terms. */
  readonly unhurriedMs: number;
}

const away = () => new NotSentError(new Error('The database does not answer.'));

export const createConnectionPool = ({ place, server, unhurriedMs }: ConnectionPoolOptions): ConnectionPool => {
  const pool = createPoolAt(place, preparedLimit(server, place));
  const connections = new Semaphore(place.connectionLimit);
  // Each kind has a line of its own, so that none starves behind the other. Twice as many together as there are
  // connections: while one request computes, the statement of another keeps its connection busy.
  const requests = { read: new Semaphore(place.connectionLimit), write: new Semaphore(place.connectionLimit) };
  const health = createHealthCheck({ options: place.connection, make: server.make }, () => {
    connections.refuseAll(away);
    for (const line of Object.values(requests)) line.refuseAll(problems.databaseAway);
  });
  const open = new Set<PoolConnection>();
  const idle = new IdleConnections();
  const forget = (link: MysqlConnection): void => {
    open.delete(link.connection);
    idle.forget(link);
  };

  const prepare = async (link: MysqlConnection, deadlineMs: number): Promise<void> => {
    if (link.limitMs === undefined) {
      open.add(link.connection);
      streamOf(link.connection)?.once('close', () => forget(link));
      // Not once: a second error event without a listener would end the process.
      for (const event of ['end', 'error']) link.connection.on(event, () => forget(link));
    }
    await setSession(link, { place, server, deadlineMs });
  };

  const drop: ConnectionPool['drop'] = ({ connection }) => {
    cut(connection);
    connections.release();
  };

  return {
    requests,
    takeReady(terms) {
      const link = idle.next;
      const deadlineMs = terms?.deadlineMs ?? unhurriedMs;
      if (link === undefined || health.isAway || link.limitMs !== deadlineMs) return undefined;
      // Last, because it takes a place. Whoever is waiting for one comes first.
      if (connections.tryAcquire()) idle.take();
      else return undefined;
      link.renew(deadlineMs);
      return link;
    },
    async take(terms) {
      if (health.isAway) throw away();
      // Not awaited where there is a free one: a turn of the microtasks on each command.
      const wait = connections.acquire();
      if (wait !== undefined) await wait;
      const deadlineMs = terms?.deadlineMs ?? unhurriedMs;
      try {
        const link =
          idle.take() ??
          new MysqlConnection(await connectionFrom(pool, place, Math.min(deadlineMs, unhurriedMs)), health);
        link.renew(deadlineMs);
        if (link.limitMs !== deadlineMs) await prepare(link, deadlineMs);
        return link;
      } catch (error) {
        connections.release();
        throw new NotSentError(error);
      }
    },
    give(link, error) {
      const fault = error === undefined ? undefined : faultOf(error);
      if (fault?.kind === 'away' && (fault.reconnect || !fault.notDone)) return drop(link);
      // One that was closed meanwhile is of no use to anybody.
      if (!open.has(link.connection)) return drop(link);
      idle.put(link);
      connections.release();
    },
    drop,
    isAnswering: () => health.isAnswering(),
    stats: () => ({
      connections: { open: open.size, busy: connections.held, limit: connections.count },
      preparedStatements: [...open].reduce((sum, connection) => sum + preparedOn(connection), 0),
      queues: { read: requests.read.queue, write: requests.write.queue, connection: connections.queue },
    }),
    close: () => {
      health.stop();
      idle.stop();
      return endPool(pool);
    },
  };
};

interface SessionTerms {
  readonly place: ServerAddress;
  readonly server: Server;
  readonly deadlineMs: number;
}

/** Sets the session of a connection where it is not as it must be; else cuts it. */
const setSession = async (link: MysqlConnection, { place, server, deadlineMs }: SessionTerms): Promise<void> => {
  try {
    if (link.limitMs === undefined) {
      for (const sql of sessionStatements(server)) await link.text(sql);
      await choosePipelining(link, server, place.pipeline);
    }
    // A limit without end is taken away by whoever asks for it.
    if (Number.isFinite(deadlineMs)) await link.text(server.limit(deadlineMs));
    link.limitMs = deadlineMs;
  } catch (error) {
    cut(link.connection);
    throw error;
  }
};

/** This process's share for each connection. */
const preparedLimit = ({ preparedStatements }: Server, { connectionLimit }: ServerAddress): number =>
  Math.max(20, Math.min(500, Math.floor(preparedStatements / busyProcesses / connectionLimit)));

/** How many statements a connection keeps: mysql2 tells nobody. */
const preparedOn = (connection: PoolConnection): number =>
  '_statements' in connection ? (connection._statements as { readonly size: number }).size : 0;

export const connectionFrom = (pool: Pool, { pipeline }: ServerAddress, deadlineMs: number): Promise<PoolConnection> =>
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
    // What stands between here and the server and is not to be trusted with the one is not with the other.
    if (pipeline !== 'off') offerColumnCache(pool);
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

export const createPoolAt = (place: ServerAddress, maxPreparedStatements: number): Pool =>
  createPool({
    ...place.connection,
    connectionLimit: place.connectionLimit,
    connectTimeout: place.deadlineMs,
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
