// Whether a database server answers: by its answers while there are any, else by a question on a connection that serves
// for nothing else, so that nobody waits for a server that is known to be away, and nobody waits in line to be told so.
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2';

/** How long it may be silent before it is asked: while commands are under way, and otherwise. */
const busySilenceMs = 400;
const idleSilenceMs = 1000;
/** Longest time of an answer to a question. */
const answerMs = 1000;
const lookEveryMs = 200;

export interface Pulse {
  readonly isAway: boolean;
  /** To be called when a command is sent, and when it is over. */
  sent(): void;
  /** @param isAnswered whether the server said anything, an error included. */
  over(isAnswered: boolean): void;
  /** Asks where it has not been heard of lately. */
  isAnswering(): Promise<boolean>;
  stop(): void;
}

/** @param onAway called when the server is found to be away. */
export const createPulse = (options: ConnectionOptions, onAway: () => void): Pulse => {
  let heardAt = performance.now();
  let underWay = 0;
  let isAway = false;
  let connection: Connection | undefined;
  let asking: Promise<void> | undefined;
  let isStopped = false;

  const heard = (): void => {
    heardAt = performance.now();
    isAway = false;
  };
  const hangUp = (): void => {
    connection?.destroy();
    connection = undefined;
  };
  const ask = async (): Promise<void> => {
    const askedAt = performance.now();
    try {
      connection ??= connectionOf(options);
      await answerOf(connection);
      heard();
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
      if (isAnswered) heard();
      // No connection, or one that was cut: the next one need not wait to find out.
      else void askOnce();
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
