// A server that says nothing, or refuses what it is asked to keep: nobody waits for it longer than must be.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { describeOnServers } from '../support/databases/databases.ts';
import { createProxy, packetsIn } from '../support/databases/proxy.ts';
import { type Context, startService } from '../support/service/praxis.ts';

const timeout = 60_000;

describeOnServers('a server behind a hop that fails', ({ open }) => {
  let made: Awaited<ReturnType<typeof open>>;
  let proxy: Awaited<ReturnType<typeof createProxy>>;
  let service: Context & { stop(): Promise<void> };

  beforeAll(async () => {
    made = await open('praxis_silent');
    const url = new URL(made.url);
    proxy = await createProxy(url.hostname, Number(url.port || 3306));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    url.searchParams.set('pipeline', 'on');
    url.searchParams.set('deadlineMs', '2000');
    service = await startService('test', url.href);
  }, timeout);
  beforeEach(() => proxy.set());
  afterEach(() => {
    vi.restoreAllMocks();
    proxy.set();
  });
  afterAll(async () => {
    await service.stop();
    await proxy.stop();
    await made.drop();
  });

  const freeze = (): void => proxy.set(() => {});
  const isReady = async (): Promise<boolean> => (await fetch(new URL('/readyz', service.address))).ok;
  const read = () => service.call('GET', '/genres', undefined, { allow5xx: true });
  let count = 0;
  const write = () => {
    count += 1;
    return service.call('POST', '/genres', { name: `Silent ${count}` }, { allow5xx: true });
  };
  /** How long a call takes. @returns its status, text and milliseconds. */
  const timed = async (call: () => ReturnType<typeof read>) => {
    const startedAt = performance.now();
    const { status, text } = await call();
    return { status, text, ms: performance.now() - startedAt };
  };

  test(
    'a frozen one holds nobody for long, and nobody at all once it is known',
    async () => {
      expect((await write()).status).toBe(200);
      freeze();
      const first = await Promise.all([...Array(20)].flatMap(() => [timed(read), timed(write)]));
      for (const { status, text } of first) {
        expect(status, text).toBe(503);
        expect(text).toMatch(/The database is not available\.|outcome of the request is unknown/);
      }
      // The deadline of a command is two seconds, that of the slowest machine a little more.
      expect(Math.max(...first.map(({ ms }) => ms))).toBeLessThan(5000);
      expect(await isReady()).toBe(false);
      // Each by itself: with a deadline to wait for, forty would take more than a minute.
      const startedAt = performance.now();
      for (let n = 0; n < 20; n += 1) {
        const answers = [await read(), await write()];
        expect(answers.map(({ text }) => text)).toEqual(
          [1, 2].map(() => '{"status":503,"message":"The database is not available."}'),
        );
      }
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      proxy.set();
      await expect.poll(isReady, { timeout: 10_000 }).toBe(true);
      expect((await write()).status).toBe(200);
    },
    timeout,
  );

  test(
    'readiness follows the database though the clock is set back',
    async () => {
      expect(await isReady()).toBe(true);
      const real = Date.now.bind(Date);
      vi.spyOn(Date, 'now').mockImplementation(() => real() - 3_600_000);
      freeze();
      await expect.poll(isReady, { timeout: 10_000 }).toBe(false);
      proxy.set();
      await expect.poll(isReady, { timeout: 10_000 }).toBe(true);
    },
    timeout,
  );

  test(
    'one that keeps no more prepared statements still answers',
    async () => {
      let refused = 0;
      const prepare = 0x16;
      const message = Buffer.from(
        '#42000Can not create more than max_prepared_stmt_count statements (current value: 0)',
      );
      const payload = Buffer.concat([Buffer.from([0xff, 1461 & 0xff, 1461 >> 8]), message]);
      const refusal = Buffer.concat([Buffer.from([payload.length, 0, 0, 1]), payload]);
      proxy.set((data, server, client) => {
        if (data[4] !== prepare) return void server.write(data);
        // Those of one flight come together.
        for (const _ of packetsIn(data)) {
          refused += 1;
          client.write(refusal);
        }
      });
      const genre = await service.make('genre', { name: `Text 'only' \\ ${'☃'}` });
      const book = await service.make('book', {});
      expect(refused).toBeGreaterThan(0);
      const before = refused;
      const page = await service.call('GET', '/genres?limit=3');
      const found = await service.call('GET', `/books/${book.id}`);
      expect(refused).toBeGreaterThan(before);
      proxy.set();
      await delay(10);
      expect((await service.call('GET', '/genres?limit=3')).text).toBe(page.text);
      expect((await service.call('GET', `/books/${book.id}`)).text).toBe(found.text);
      expect((await service.call('GET', `/genres/${genre.id}`)).body).toEqual(genre);
    },
    timeout,
  );
});
