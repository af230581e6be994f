// A service on a database that a test has opened, for as long as the test runs: for tests that stand between the two.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createPraxis, type PraxisOptions } from '../../../src/app/praxis.ts';
import { accessToken, registryOf } from './praxis.ts';

interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** @param path Behind `/api`. */
type Ask = (method: string, path: string, body?: unknown) => Promise<Told>;

/** Serves the test descriptors. @returns what asks the service */
export async function serveOn(
  database: PraxisOptions['database'],
  settings: Partial<PraxisOptions> = {},
): Promise<Ask> {
  const praxis = await createPraxis({ registry: registryOf('test'), database, accessToken, ...settings });
  const server = praxis.app.listen(0);
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await praxis.close();
  });
  const { port } = server.address() as AddressInfo;
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${accessToken}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}
