// Slow readers of exports: each caller has one place, and the service cuts off a reader that is too slow.
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Running, start, token } from '../support/service/http.ts';
import { newToken } from '../support/service/new-token.ts';
import { accessToken, type Context, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

interface Reader {
  readonly socket: Socket;
  /** Resolves when the first bytes of the response are there. */
  readonly begun: Promise<void>;
}

/** Asks for a path, and reads nothing after the first bytes of the response. */
function askAndStall(address: string, path: string, bearer: string): Reader {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bearer}\r\n\r\n`);
  const begun = new Promise<void>((resolve) => {
    socket.once('data', () => {
      socket.pause();
      resolve();
    });
  });
  return { socket, begun };
}

const text = 'x'.repeat(5000);
const exportPath = '/export/clients';

/** Creates 12 MiB of records: more than the system buffers for a reader that reads nothing. */
async function createClients(on: Context): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const operations = Array.from({ length: 600 }, (_value, n) => ({
      method: 'POST',
      path: '/clients',
      body: { name: `Client ${round} ${n}`, notes: text, streetAddress: text },
    }));
    const { status } = await send(on, 'POST /batch', { body: { operations }, headers: { Prefer: 'return=minimal' } });
    expect(status).toBe(200);
  }
}

const exportAs = (on: Context, bearer: string) =>
  fetch(on.address + exportPath, { headers: { Authorization: `Bearer ${bearer}` } });

onEveryDatabase(
  'an export whose reader reads nothing',
  (on) => {
    test('holds only the place of its caller', async () => {
      await createClients(on);
      const slow = await newToken(on);
      const stalled = [1, 2, 3].map(() => askAndStall(on.address, `/api${exportPath}`, slow));
      await Promise.any(stalled.map(({ begun }) => begun));
      // The others have arrived by then.
      await delay(500);
      const other = await exportAs(on, accessToken);
      expect(other.status).toBe(200);
      // With the client of the workspace itself.
      expect((await other.text()).slice(-26).trim()).toBe('{"end":true,"count":1201}');

      const refused = await exportAs(on, slow);
      expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
        429,
        '5',
        { status: 429, message: 'Another export of this caller is running.' },
      ]);
      for (const { socket } of stalled) socket.destroy();
      await expect.poll(async () => (await exportAs(on, slow)).status, { timeout: 20_000 }).toBe(200);
    });
  },
  'product',
);

/** Bytes per read and the pause after it: at most 1.3 MiB/s, on a slow machine less. */
const slowReads = { bytes: 64 * 1024, pauseMs: 50 } as const;

/** Reads an endless export slowly until the service cuts it off, or the time is over. @returns whether the service cut it off */
async function readSlowly({ port }: Running, forMs: number): Promise<boolean> {
  const { socket, begun } = askAndStall(`http://127.0.0.1:${port}`, '/api/export/endless', token);
  await begun;
  const until = performance.now() + forMs;
  while (!socket.destroyed && performance.now() < until) {
    socket.read(slowReads.bytes);
    await delay(slowReads.pauseMs);
  }
  const isCutOff = socket.destroyed;
  socket.destroy();
  return isCutOff;
}

describe('a reader that takes some of an export, again and again', () => {
  const stallMs = 2500;

  test('is cut off below the minimum rate', async () => {
    const service = await start({ exportStallMs: stallMs, exportBytesPerS: 64 * 1024 ** 2 });
    try {
      expect(await readSlowly(service, 30_000)).toBe(true);
      expect(service.logs.join('')).toContain('the answer was taken too slowly');
    } finally {
      await service.stop();
    }
  });

  test('is waited for at the minimum rate', async () => {
    const service = await start({ exportStallMs: stallMs, exportBytesPerS: 1024 });
    try {
      expect(await readSlowly(service, stallMs * 3)).toBe(false);
    } finally {
      await service.stop();
    }
  });
});
