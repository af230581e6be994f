// Servers that end, and take their folder with them, when the process does that has started them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';

const startTries = 300;

export interface PrivateServer {
  /** Its address, without a database. */
  readonly url: string;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

export const isReachable = async (url: string): Promise<boolean> => {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 2000 });
    await connection.end();
    return true;
  } catch {
    return false;
  }
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/**
 * Runs a server of MySQL's protocol on a free port, until this process ends: its standard input closes then.
 * @param command What runs it on that port, in the foreground; its user root needs no password.
 * @returns undefined where it does not start
 */
export async function runPrivate(
  folder: string,
  command: (port: number) => readonly string[],
): Promise<PrivateServer | undefined> {
  const port = await freePort();
  const watch = '"$@" </dev/null & pid=$!; cat >/dev/null; kill -9 "$pid"; wait "$pid"; rm -rf "$folder"';
  const child = spawn('sh', ['-c', `folder="$1"; shift; ${watch}`, 'sh', folder, ...command(port)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  const stop = async (): Promise<void> => {
    child.ref();
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'exit');
  };
  const url = `mysql://root@127.0.0.1:${port}`;
  for (let attempt = 0; attempt < startTries; attempt += 1) {
    if (await isReachable(url)) return { url, stop };
    await delay(100);
  }
  await stop();
  return undefined;
}

/** Says on the console what nobody should overlook. */
export const warnLoudly = (text: string): void => {
  const line = '!'.repeat(text.length);
  console.warn(`\n${line}\n${text}\n${line}\n`);
};
