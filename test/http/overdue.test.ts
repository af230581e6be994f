// Work that is over its time: nothing of it is done, and its caller is told so.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPraxis } from '../../src/app/praxis.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { accessToken, registryOf } from '../support/praxis.ts';
import { onEachDatabase } from '../support/seen.ts';

onEachDatabase('work that is over its time', (open) => {
  const start = async (url: string, workTimeoutMs?: number) => {
    const database = await openDatabase(url);
    const praxis = await createPraxis({
      ...{ registry: registryOf('test'), database, accessToken },
      ...(workTimeoutMs !== undefined && { workTimeoutMs }),
    });
    const server = praxis.app.listen(0);
    await once(server, 'listening');
    onTestFinished(async () => {
      server.close();
      server.closeAllConnections();
      await praxis.close();
    });
    return async (method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> => {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${accessToken}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    };
  };
  const operations = Array.from({ length: 1000 }, (_value, n) => ({
    method: 'POST',
    path: '/genres',
    body: { name: `Late ${n}` },
  }));

  test('leaves nothing of a batch', async () => {
    const { url, close } = await open();
    onTestFinished(close);
    const ask = await start(url);
    // A thousand take longer than this on any machine.
    const askInHaste = await start(url, 5);
    const { status, text } = await askInHaste('POST', '/batch', { operations });
    expect([status, text]).toEqual([
      503,
      '{"status":503,"message":"The service took too long, and nothing was done."}',
    ]);
    expect((await ask('GET', '/genres?limit=100')).text).not.toContain('Late');
    expect((await ask('POST', '/genres', { name: 'In time' })).status).toBe(200);
  });
});
