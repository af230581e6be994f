// A summary of too many records: refused by a count along an index, before anything is added up.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import type { Database } from '../../src/storage/schema/session.ts';
import { type Context, grounds, startService } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

const maxRecords = 30_000;
const timeout = 120_000;

/** The same database, with each statement of its snapshots passed on. */
function watchSnapshots(database: Database, onStatement: (text: string) => void): Database {
  const snapshot: Database['snapshot'] = (work) =>
    database.snapshot((session) =>
      work({
        all: (text, values) => {
          onStatement(text);
          return session.all(text, values);
        },
      }),
    );
  return new Proxy(database, {
    get: (target, key) => (key === 'snapshot' ? snapshot : Reflect.get(target, key, target)),
  });
}

for (const { name, open } of grounds)
  describe.skipIf(open === undefined)(`a summary of too many records (${name})`, () => {
    const statements: string[] = [];
    let service: Context & { stop(): Promise<void> };
    let closeDatabase: (() => Promise<void>) | undefined;

    const create = async (count: number, label: string): Promise<void> => {
      for (let done = 0; done < count; done += 1000) {
        const operations = Array.from({ length: 1000 }, (_value, n) => ({
          method: 'POST',
          path: '/labels',
          body: { name: `${label} ${done + n}` },
        }));
        await send(service, 'POST /batch', { body: { operations }, headers: { Prefer: 'return=minimal' } });
      }
    };

    beforeAll(async () => {
      const opened = await open?.();
      if (opened === undefined) return;
      closeDatabase = opened.close;
      const database = watchSnapshots(await openDatabase(opened.url), (text) => statements.push(text));
      service = await startService('test', opened.url, { database, summaryRows: maxRecords });
      await create(29_000, 'Label');
    }, timeout);
    afterAll(async () => {
      await service?.stop();
      await closeDatabase?.();
    });

    test(
      'adds nothing up',
      async () => {
        const summarise = () => send(service, 'GET /summary/labels?count=true');
        expect((await summarise()).body.rows).toBe(29_000);
        expect(statements.filter((text) => text.includes('count(*)')).length).toBeGreaterThan(1);

        await create(1000, 'Another');
        statements.length = 0;
        expect(await summarise()).toMatchObject({
          status: 400,
          body: { message: 'The summary looks at too many records; narrow it by a filter.' },
        });
        expect(statements.filter((text) => text.includes('count(*)'))).toEqual([]);
        // Two steps along the index: a slice, and the rest.
        expect(statements).toHaveLength(2);
      },
      timeout,
    );
  });
