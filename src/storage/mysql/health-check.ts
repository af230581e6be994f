// Health check of a MySQL server: passive while there is traffic, else a probe on a connection of its own, so that no request
// waits for a server that is known to be away.
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2';
import { killSession, type SessionName } from './kill-session.ts';
import type { Server } from './server.ts';

/** How long it may be silent before it is asked: while commands are under way, and otherwise. */
const busySilenceMs = 400;
const idleSilenceMs = 1000;
/** Longest time of an answer to a question. */
const answerMs = 1000;
const lookEveryMs = 200;

export interface HealthCheck {
  readonly isAway: boolean;
  /** To be called when a command is sent, and when it is over. */
  sent(): void;
  /** @param isAnswered whether the server said anything, an error included. */
  over(isAnswered: boolean): void;
  /** A connection was cut while a command was under way: it is ended at the server too. */
  timedOut(session: SessionName): void;
  /** Asks where it has not been heard of lately. */
  isAnswering(): Promise<boolean>;
  stop(): void;
}

interface Checked {
  readonly options: ConnectionOptions;
  readonly make: Server['make'];
}

/** @param onAway called when the server is found to be away. */
export const createHealthCheck = ({ options, make }: Checked, onAway: () => void): HealthCheck => {
  let heardAt = performance.now();
  let underWay = 0;
  let isAway = false;
  let connection: Connection | undefined;
  let asking: Promise<void> | undefined;
  let isStopped = false;

  const hangUp = (): void => {
    connection?.destroy();
    connection = undefined;
  };
  const ask = async (): Promise<void> => {
    const askedAt = performance.now();
    try {
      connection ??= connectionOf(options);
      await answerOf(connection);
      heardAt = performance.now();
      isAway = false;
    } catch {
      hangUp();
      // Somebody else may have been answered meanwhile.
      if (heardAt < askedAt) {
        isAway = true;
        onAway();
      }
    }
    asking = undefined;
  };
  const askOnce = async (): Promise<void> => {
    // A connection that is made after the end would keep the process alive.
    if (isStopped) return;
    asking ??= ask();
    await asking;
  };
  const isSilent = (): boolean => performance.now() - heardAt > (underWay > 0 ? busySilenceMs : idleSilenceMs);
  const timer = setInterval(() => {
    if (isAway || isSilent()) void askOnce();
  }, lookEveryMs);
  timer.unref();

  return {
    get isAway() {
      return isAway;
    },
    sent() {
      underWay += 1;
    },
    over(isAnswered) {
      underWay -= 1;
      if (isAnswered) {
        heardAt = performance.now();
        isAway = false;
      } else {
        // No connection, or one that was cut: the next one need not wait to find out.
        void askOnce();
      }
    },
    timedOut(session) {
      if (isStopped || isAway) return;
      connection ??= connectionOf(options);
      killSession(connection, make, session);
    },
    async isAnswering() {
      if (!isAway && isSilent()) await askOnce();
      return !isAway;
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
      hangUp();
    },
  };
};

function connectionOf(options: ConnectionOptions): Connection {
  const connection = createConnection({ ...options, connectTimeout: answerMs });
  // Whoever asks hears of it; without a listener an error between two questions would end the process.
  connection.on('error', () => {});
  return connection;
}

/** Rejects when there is no answer in time. */
const answerOf = (connection: Connection): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // Where the loop was held up, the answer may be there already: sockets are looked at first.
      setImmediate(() => reject(new Error('The database is silent.')));
    }, answerMs);
    connection.query('select 1', (error) => {
      clearTimeout(timer);
      if (error === null) resolve();
      else reject(error);
    });
  });
