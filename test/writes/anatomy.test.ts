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
    get: [112, 17],
    'list 10': [209, 24],
    'list 10, expand': [634, 71],
    'list 10, fields': [165, 12],
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
    get: [161, 12],
    'list 10': [285, 24],
    'list 10, expand': [778, 71],
    'list 10, fields': [198, 12],
    summary: [2207, 52],
    create: [226, 15],
    'create contact': [737, 77],
    'update, looked at by nothing': [282, 17],
    'time entry, notes': [3470, 196],
    'time entry': [5800, 210],
    'invoice, 10 lines': [13060, 363],
    'payment of 2 invoices': [4520, 357],
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
