// What one request costs, counted in a service of its own: calls of our functions and promises. A change that makes one dearer is
// seen here, whatever else the machine does; one that makes it cheaper lowers the counts below.
// `npm run bench -- --anatomy --top 40 --only "time entry"` tells which functions are called.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { countRequests, startSubject } from '../bench/anatomy.ts';
import { databases } from '../support/databases/databases.ts';
import { isOfPart } from '../support/run/part.ts';

type Counts = Readonly<Record<string, readonly [ownCalls: number, promises: number]>>;

/** As measured; what is `slack` dearer fails. */
const counts: Readonly<Record<string, Counts>> = {
  SQLite: {
    get: [127, 17],
    'list 10': [229, 24],
    'list 10, expand': [656, 71],
    'list 10, fields': [178, 12],
    summary: [2100, 46],
    create: [226, 31],
    'create contact': [744, 90],
    'update, looked at by nothing': [284, 40],
    'time entry, notes': [2890, 223],
    'time entry': [5323, 257],
    'invoice, 10 lines': [9800, 395],
    'payment of 2 invoices': [4050, 379],
  },
  MariaDB: {
    get: [175, 12],
    'list 10': [305, 24],
    'list 10, expand': [800, 71],
    'list 10, fields': [211, 12],
    summary: [2340, 58],
    create: [226, 15],
    'create contact': [784, 77],
    'update, looked at by nothing': [282, 17],
    'time entry, notes': [3470, 196],
    'time entry': [5800, 210],
    'invoice, 10 lines': [13506, 376],
    'payment of 2 invoices': [4750, 371],
  },
};
/** Timers of the service run between requests, more of them on a busy machine. */
const slack = 1.05;
const timers = { calls: 20, promises: 12 };
const times = 16;

for (const { name, isServer, isThere, open } of databases) {
  const known = counts[name];
  describe.skipIf(!isThere || known === undefined || !isOfPart(!isServer))(`one request (${name})`, () => {
    test('calls no more of our functions and makes no more promises than before', async ({ expect }) => {
      const folder = mkdtempSync(join(tmpdir(), 'praxis-anatomy-'));
      const database = await open('praxis_anatomy');
      const subject = await startSubject({ databaseUrl: database.url, folder });
      try {
        const found = await countRequests(subject, times);
        const dearer = [...found].flatMap(([request, { ownCalls, promises }]) => {
          const [calls = 0, made = 0] = known?.[request] ?? [];
          const isDearer = ownCalls > calls * slack + timers.calls || promises > made * slack + timers.promises;
          return isDearer
            ? [`'${request}': [${Math.round(ownCalls)}, ${Math.round(promises)}], not [${calls}, ${made}]`]
            : [];
        });
        expect(dearer).toEqual([]);
        expect([...found.keys()]).toEqual(Object.keys(known ?? {}));
      } finally {
        await subject.service.stop();
        await database.drop();
        rmSync(folder, { recursive: true, force: true });
      }
    }, 120_000);
  });
}
