// Bodies and responses in memory: a maximum for each caller and in all, beyond which requests are refused and nothing is done.
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newToken } from '../support/service/new-token.ts';
import { accessToken, type Context, onEveryDatabase } from '../support/service/praxis.ts';
import { type Sent, send } from '../support/service/send.ts';

const kib = 1024;
const limits = { maxBytes: 240 * kib, maxBytesPerCaller: 160 * kib };
const note = (bytes: number): string => 'x'.repeat(bytes);
const ofCaller = (token: string) => ({ Authorization: `Bearer ${token}` });
const refusal = {
  status: 429,
  message: 'The open requests and responses of this caller are too long in all.',
};

/** Notes have at most 5000 characters. */
const creates = (count: number, name: string) => ({
  operations: Array.from({ length: count }, (_value, n) => ({
    method: 'POST',
    path: '/clients',
    body: { name: `${name} ${n}`, notes: note(5000) },
  })),
});

const sendCreates = (on: Context, count: number, name: string, token = accessToken): Promise<Sent> =>
  send(on, 'POST /batch', {
    body: creates(count, name),
    headers: { ...ofCaller(token), Prefer: 'return=minimal' },
  });

const countOf = async (on: Context, name: string): Promise<number> =>
  (await send(on, `GET /clients?limit=100&fields=id&name=${encodeURIComponent(name)}`)).body.results.length;

/** Sends a body without its last byte, and keeps the connection open. */
async function sendUnfinished(on: Context, bytes: number, token: string): Promise<Socket> {
  const socket = beginUnfinished(on, bytes, token);
  // The service refuses at once, or waits for the rest.
  await delay(500);
  expect(socket.bytesRead).toBe(0);
  return socket;
}

function beginUnfinished({ address }: Context, bytes: number, token: string): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}).resume();
  const head = ['POST /api/batch HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`];
  const lines = [...head, 'Content-Type: application/json', `Content-Length: ${bytes + 1}`];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${' '.repeat(bytes)}`);
  return socket;
}

onEveryDatabase(
  'bytes in flight',
  (on) => {
    test('refuses a body beyond the maximum of a caller, and does nothing', async () => {
      const reply = await sendCreates(on, 20, 'Long body');
      expect([reply.status, reply.headers.get('retry-after'), reply.body]).toEqual([429, '1', refusal]);
      expect(await countOf(on, 'Long body 0')).toBe(0);
    });

    test('counts unfinished bodies for their caller only, until the connection ends', async () => {
      const token = await newToken(on);
      const socket = await sendUnfinished(on, 60 * kib, token);
      await expect.poll(async () => (await sendCreates(on, 6, 'Same caller', token)).status).toBe(429);
      expect((await sendCreates(on, 6, 'Other caller')).status).toBe(200);
      socket.destroy();
      await expect.poll(async () => (await sendCreates(on, 6, 'Same caller', token)).status).toBe(200);
    });

    test('answers 503 beyond the maximum of all callers', async () => {
      const tokens = [await newToken(on), await newToken(on)];
      const sockets = await Promise.all(tokens.map((token) => sendUnfinished(on, 58 * kib, token)));
      await expect
        .poll(async () => {
          const { status, headers } = await sendCreates(on, 5, 'Third caller');
          return [status, headers.get('retry-after')];
        })
        .toEqual([503, '1']);
      for (const socket of sockets) socket.destroy();
      await expect.poll(async () => (await sendCreates(on, 5, 'Third caller')).status).toBe(200);
    });

    test('refuses a response that is too long, and rolls the batch back', async () => {
      for (let round = 0; round < 4; round += 1) expect((await sendCreates(on, 10, `Page ${round}`)).status).toBe(200);
      const list = { method: 'GET', path: '/clients?limit=100' };
      expect(await send(on, 'GET /clients?limit=100')).toMatchObject({ status: 429, body: refusal });
      const write = { method: 'POST', path: '/clients', body: { name: 'Rolled back' } };
      const batch = await send(on, 'POST /batch', { body: { operations: [write, list] } });
      expect(batch).toMatchObject({ status: 429, body: refusal });
      expect(await countOf(on, 'Rolled back')).toBe(0);
      expect((await send(on, 'GET /clients?limit=10')).status).toBe(200);
    });
  },
  'product',
  { parts: { bytesInFlight: limits } },
);
