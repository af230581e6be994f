// A service with settings of its own on each database, and its log: for tests of headers that only some settings give.
import { pino } from 'pino';
import { describe } from 'vitest';
import { startPraxis } from '../../../src/app/serve.ts';
import type { Config } from '../../../src/config.ts';
import { accessToken, folders, grounds } from './praxis.ts';

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** '' for none. */
  readonly token?: string;
}

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Seen {
  /** Of the API. */
  readonly address: string;
  /** @param path from the root: `/api/genres` */
  ask(method: string, path: string, asked?: Asked): Promise<Told>;
  /** What it has logged so far. */
  log(): readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

/** Starts a service of the test descriptors. */
export async function startSeen(databaseUrl: string, settings: Partial<Config> = {}): Promise<Seen> {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const config: Config = {
    port: 0,
    host: '127.0.0.1',
    databaseUrl,
    accessToken,
    resources: folders.test,
    migrations: 'no-migrations',
    applyAdditions: false,
    corsOrigins: [],
    logLevel: 'info',
    setup: { workspaceName: 'My Company', workspaceCurrency: 'USD', adminName: 'Ada', adminEmail: 'ada@example.com' },
    ...settings,
  };
  const running = await startPraxis(config, logger);
  return {
    address: running.address,
    ask: async (method, path, { headers = {}, body, token = accessToken } = {}) => {
      const response = await fetch(new URL(path, running.address), {
        method,
        headers: {
          ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    log: () => lines.map((line) => JSON.parse(line)),
    stop: () => running.stop(),
  };
}

/** Describes behaviour once for each database; each test opens and closes what it needs with `onTestFinished`. */
export function onEachDatabase(
  name: string,
  body: (open: () => Promise<{ url: string; close(): Promise<void> }>) => void,
) {
  for (const ground of grounds) {
    const { open } = ground;
    describe.skipIf(open === undefined)(`${name} (${ground.name})`, () => {
      if (open !== undefined) body(open);
    });
  }
}
