// The health check of a server, on servers that say nothing.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHealthCheck } from '../../src/storage/mysql/health-check.ts';

test('a health check that has ended connects no more, for it would keep the process alive', async () => {
  const sockets: Socket[] = [];
  const come: (number | undefined)[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    come.push(socket.remotePort);
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** How many have come before this one: a server takes them in their order. */
  const count = async (): Promise<number> => {
    const own = connect(port, '127.0.0.1');
    sockets.push(own);
    await once(own, 'connect');
    const place = () => come.indexOf(own.localPort);
    while (place() < 0) await once(server, 'connection');
    return place();
  };
  const options = { host: '127.0.0.1', port, user: 'nobody' };
  const health = createHealthCheck({ options, make: 'mariadb' }, () => undefined);
  health.sent();
  const asked = once(server, 'connection');
  health.over(false);
  await asked;
  health.stop();
  const before = await count();
  health.sent();
  health.over(false);
  await health.isAnswering();
  health.timedOut({ threadId: 1, localPort: 1 });
  expect(await count()).toBe(before + 1);
});

test('a server that hangs up on whoever asks is away', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { promise: away, resolve } = Promise.withResolvers<void>();
  const options = { host: '127.0.0.1', port, user: 'nobody' };
  const health = createHealthCheck({ options, make: 'mariadb' }, resolve);
  onTestFinished(() => {
    health.stop();
    server.close();
  });
  health.sent();
  health.over(false);
  await away;
  expect(health.isAway).toBe(true);
});
