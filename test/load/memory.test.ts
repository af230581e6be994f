// Memory of a service whose caller does not read responses, does not finish bodies, or stalls uploads.
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startWatchedService, type WatchedService } from '../support/service/costly/watched-service.ts';
import { folders, grounds } from '../support/service/praxis.ts';

const timeout = 120_000;
/** Maximum resident memory, with Node.js and the loader that reads TypeScript. */
const maxResidentMib = 450;
const connections = 200;

const repeat = <T>(count: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: count }, (_value, n) => make(n));

const text = 'x'.repeat(5000);
const creates = (count: number): string =>
  JSON.stringify({
    operations: repeat(count, (n) => ({
      method: 'POST',
      path: '/clients',
      body: { name: `Client ${n}`, notes: text, streetAddress: text },
    })),
  });
const batchOf = (body: string) => ({ method: 'POST', path: '/batch', body });
const reads = JSON.stringify({ operations: repeat(7, () => ({ method: 'GET', path: '/clients?limit=100' })) });
const body = creates(650);

interface Trial {
  readonly title: string;
  /** Whether the requests never reach the database, so that one engine is enough. */
  readonly isOfOneEngine?: true;
  readonly settings?: Readonly<Record<string, string>>;
  /** Instead of the usual maximum, in MiB. */
  readonly maxMib?: number;
  readonly stall: (service: WatchedService) => Socket;
}

const uploads = join(tmpdir(), `praxis-uploads-${process.pid}`);
const trials: readonly Trial[] = [
  {
    title: 'responses of batches that are not read',
    // Texts of many batches are garbage at the same time: 392 to 572 MiB were measured.
    maxMib: 700,
    stall: (service) => service.askAndStall(batchOf(reads)),
  },
  {
    title: 'lists that are not read',
    stall: (service) => service.askAndStall({ method: 'GET', path: '/clients?limit=100' }),
  },
  {
    title: 'bodies that are not finished',
    isOfOneEngine: true,
    stall: (service) => service.askAndStall(batchOf(body), body.length - 1000),
  },
  {
    title: 'responses of large writes that are not read',
    stall: (service) => service.askAndStall(batchOf(body)),
  },
  {
    title: 'uploads that stall',
    isOfOneEngine: true,
    settings: { RESOURCES: folders.files, MIGRATIONS: join(tmpdir(), 'praxis-none'), FILES: uploads },
    stall: (service) =>
      service.askAndStall(
        { method: 'POST', path: '/files', body, headers: { 'Content-Type': 'application/octet-stream' } },
        body.length - 1000,
      ),
  },
];

/** Waits until the resident memory no longer grows. @returns its maximum in MiB */
async function findPeak(service: WatchedService): Promise<number> {
  let peakMib = 0;
  for (let quiet = 0; quiet < 4; quiet += 1) {
    await delay(1000);
    const { peakMib: latest } = service.memory();
    if (latest > peakMib + 1) quiet = 0;
    peakMib = Math.max(peakMib, latest);
  }
  return peakMib;
}

/** Collects garbage, whose amount depends on the speed of the machine. @returns the resident memory then, in MiB */
async function collectGarbage(service: WatchedService): Promise<number> {
  await service.turns('collect');
  return service.memory().nowMib;
}

for (const { name, open } of grounds)
  describe.skipIf(open === undefined)(`resident memory (${name})`, () => {
    test.each(trials.filter(({ isOfOneEngine }) => isOfOneEngine !== true || name === 'SQLite'))(
      `is bounded with ${connections} connections of one caller: $title`,
      async ({ settings, maxMib = maxResidentMib, stall }) => {
        const database = await open?.();
        const service = await startWatchedService(database?.url ?? '', settings);
        try {
          if (settings === undefined) expect((await service.ask(batchOf(creates(100)))).status).toBe(200);
          service.memory();
          const sockets = repeat(connections, () => stall(service));
          const peakMib = await findPeak(service);
          if (process.env['SAY_MEMORY']) console.log(name, peakMib.toFixed(0));
          await expect.poll(() => collectGarbage(service), { timeout: 20_000 }).toBeLessThan(maxMib);
          // Another caller is answered meanwhile.
          const token = await service.newToken({ readOnly: true, allow: [] });
          await expect
            .poll(async () => (await service.ask({ method: 'GET', path: '/changes?limit=1', token })).status)
            .toBe(200);
          for (const socket of sockets) socket.destroy();
          // All is released: the caller itself is served again.
          if (settings === undefined)
            await expect.poll(async () => (await service.ask(batchOf(reads))).status, { timeout: 10_000 }).toBe(200);
        } finally {
          await service.stop();
          await database?.close();
          await rm(uploads, { recursive: true, force: true });
        }
      },
      timeout,
    );
  });
