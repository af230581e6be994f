// One caller against all others: the costliest requests hold the event loop only for moments, and others are answered meanwhile.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { costlyRequests } from '../support/service/costly/costly-requests.ts';
import { startWatchedService, type WatchedService } from '../support/service/costly/watched-service.ts';
import { grounds } from '../support/service/praxis.ts';

const timeout = 120_000;
/** Processor time of one turn that is allowed, in ms, on a machine whose reference takes `idleReferenceMs`. */
const maxTurnMs = 50;
/** Measured on an idle core. A machine that is slower, or whose cores do other work at the same time, is given more. */
const idleReferenceMs = 35;

/** Asks for the health of the service and for a short list until it is stopped. @returns the statuses of all answers */
function startBystander(service: WatchedService): () => Promise<readonly number[]> {
  let isOver = false;
  const statuses: number[] = [];
  const look = async (): Promise<void> => {
    while (!isOver || statuses.length < 4) {
      const { status } = await fetch(`${service.address}/healthz`);
      statuses.push(status, (await service.ask({ method: 'GET', path: '/job-titles?limit=1' })).status);
      await delay(5);
    }
  };
  const done = look();
  return async () => {
    isOver = true;
    await done;
    return statuses;
  };
}

for (const { name, open } of grounds)
  describe.skipIf(open === undefined)(`a costly request (${name})`, () => {
    let service: WatchedService;
    let closeDatabase: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      const database = await open?.();
      if (database === undefined) return;
      closeDatabase = database.close;
      service = await startWatchedService(database.url);
      // Code that runs for the first time is slow, and holds the loop longer than any request.
      for (let round = 0; round < 30; round += 1)
        await service.ask({ method: 'POST', path: '/clients', body: JSON.stringify({ name: `First ${round}` }) });
    }, timeout);
    afterAll(async () => {
      await service?.stop();
      await closeDatabase?.();
    });

    test.each(costlyRequests)(
      'holds the event loop only for moments: $title',
      // Other work on the machine only lengthens a turn, so the shortest of three measurements counts.
      { timeout, retry: 2 },
      async ({ request, status, says = '', maxTurnMs: max = maxTurnMs }) => {
        const asked = await request(service);
        const before = await service.turns('collect');
        const stopBystander = startBystander(service);
        const reply = await service.ask(asked);
        const statuses = await stopBystander();
        const { longestMs, referenceMs } = await service.turns();
        const slowness = Math.max(1, before.referenceMs / idleReferenceMs, referenceMs / idleReferenceMs);
        expect({ status: reply.status, text: reply.text.slice(0, 300) }).toMatchObject({ status });
        expect(reply.text).toContain(says);
        expect(new Set(statuses)).toEqual(new Set([200]));
        if (process.env['SAY_TURNS']) console.log(longestMs.toFixed(1), referenceMs.toFixed(1), slowness.toFixed(2));
        expect(longestMs).toBeLessThan(max * slowness);
      },
    );
  });
