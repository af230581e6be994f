// The feed is exact whoever writes and dies: each entry once, positions without a gap, each record in the order of its versions, and a
// copy that a client keeps from lists and feed equals the lists. `PRAXIS_LOGGED=5000 npx vitest run test/changes/kills/order.test.ts` writes
// more, and `PRAXIS_LOGGED_MINUTES=60` for so long.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/storage/database.ts';
import { createUnitOfWork } from '../../../src/storage/unit-of-work.ts';
import { endOf, entriesAfter } from '../../support/data/changes.ts';
import { databases } from '../../support/databases/databases.ts';
import { fewer } from '../../support/run/part.ts';
import { send } from '../../support/service/send.ts';
import { type Process, startProcesses, writeUnderKills } from './writers.ts';

const writes = Number(process.env.PRAXIS_LOGGED ?? fewer(150, 2000));
const minutes = Number(process.env.PRAXIS_LOGGED_MINUTES) || undefined;

for (const database of databases)
  describe.skipIf(!database.isThere)(`a feed under writers that are killed (${database.name})`, () => {
    let url: string;
    let drop: () => Promise<void>;
    let processes: Process[] = [];

    beforeAll(async () => {
      ({ url, drop } = await database.open());
      processes = await startProcesses([url, url, url]);
    }, 120_000);
    afterAll(async () => {
      for (const { child } of processes) child.kill('SIGKILL');
      await drop();
    }, 60_000);

    it('misses nothing, and copies that follow it equal the lists', {
      timeout: ((minutes ?? 0) + 10) * 60_000,
    }, async () => {
      const killEvery = minutes === undefined ? Math.floor(writes / 2) : 3000;
      const written = await writeUnderKills(processes, [url, url, url], { writes, minutes, killEvery });
      expect(written.entries).toBeGreaterThan(written.asked / 2);
      if (minutes !== undefined) console.log(`${database.name}: ${JSON.stringify(written)}`);
    });

    it('is not held up by a transaction that stays open, whose entries come after', async () => {
      const [first] = processes;
      if (first === undefined || !database.isServer) return;
      const opened = await openDatabase(url);
      const unit = createUnitOfWork(opened, { deadlineMs: 20_000 });
      const cursor = await endOf(first);
      const row = `insert into praxis_change (write_id, part, group_name, record_id, version, operation, cause, at, data)
        values (?, 1, 'note', ?, 0, 'create', 'caller', now(3), ?)`;
      const held = '01890a5d-ac96-774b-bcce-b302099a8057';
      const data = { changes: {}, cause: { kind: 'caller' }, name: null, by: null, request: null, trace: null };
      const release = Promise.withResolvers<void>();
      const isOpen = Promise.withResolvers<void>();
      const open = unit.transact(async (session) => {
        await session.run(row, [held, held, JSON.stringify({ ...data, changes: { text: { to: 'held' } } })]);
        isOpen.resolve();
        await release.promise;
      });
      await isOpen.promise;
      const { id } = (await send(first, 'POST /notes', { body: { text: 'quick' } })).body;
      const before = await entriesAfter(first, cursor);
      expect(before.entries.map((entry) => entry.id)).toEqual([id]);
      release.resolve();
      await open;
      const after = await entriesAfter(first, before.cursor);
      expect(after.entries.map((entry) => entry.id)).toEqual([held]);
      await opened.close();
    }, 60_000);
  });
